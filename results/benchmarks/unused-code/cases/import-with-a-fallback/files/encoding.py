import os

try:
    import ujson as json
except ImportError:
    import json


def encoded(value):
    return json.dumps(value)
