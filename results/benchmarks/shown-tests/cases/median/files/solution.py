def median(numbers: list[float]):
    """The median of numbers."""
    raise NotImplementedError
