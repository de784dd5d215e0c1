import sys

if sys.version_info < (3, 0):
    import json


class Listener:
    def opened(self):
        import time

    def closed(self):
        state = "closed"

    def told(self, text):
        return text.upper()
