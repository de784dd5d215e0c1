def second_largest(numbers: list[int]):
    """The second largest of the different numbers."""
    raise NotImplementedError
