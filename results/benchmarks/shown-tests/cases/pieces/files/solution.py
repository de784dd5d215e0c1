def pieces(items: list[int], size: int):
    """Cut a list into pieces."""
    raise NotImplementedError
