def is_leap(year: int):
    """Whether a year is a leap year."""
    raise NotImplementedError
