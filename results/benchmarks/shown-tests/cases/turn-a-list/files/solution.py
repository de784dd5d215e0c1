def turn(items: list[int], steps: int):
    """Turn a list to the right."""
    raise NotImplementedError
