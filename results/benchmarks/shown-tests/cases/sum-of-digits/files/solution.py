def sum_of_digits(number: int):
    """The sum of the digits."""
    raise NotImplementedError
