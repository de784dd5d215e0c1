import time; import json


def minutes(seconds):
    whole = seconds // 60; rest = seconds % 60
    return whole


def stamp():
    return time.strftime("%H:%M", time.gmtime(3600))
