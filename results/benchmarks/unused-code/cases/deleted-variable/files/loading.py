def load(parts):
    """Put the parts together, and let go of what was only needed on the way."""
    unit = "kg"
    scratch = parts.pop()
    del scratch
    return sum(parts)
