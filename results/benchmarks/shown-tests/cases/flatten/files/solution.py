def flatten(nested: list):
    """All that is in lists inside lists."""
    raise NotImplementedError
