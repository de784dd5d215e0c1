import string
import textwrap


def short(string):
    return textwrap.shorten(string, 12, placeholder="…")


def loud(string):
    return string.upper()
