import sys
import tempfile
from posixpath import join

if sys.platform == "win32":
    from ntpath import join


def place(folder, name):
    return join(folder, name)
