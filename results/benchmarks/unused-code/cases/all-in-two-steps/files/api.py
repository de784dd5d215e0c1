import string
from shlex import join, quote, split

__all__ = ["split"]
__all__ += ["join"]
