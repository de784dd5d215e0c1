import json
import string


class Theme:
    colour = "red"
    letters = string.ascii_lowercase
    from math import floor

    def name(self):
        colour = "blue"
        return "plain"
