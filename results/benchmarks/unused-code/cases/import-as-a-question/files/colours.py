import shutil

try:
    import gadget_colours
except ImportError:
    COLOURED = False
else:
    COLOURED = True


def painted(text):
    return f"*{text}*" if COLOURED else text
