def to_roman(number: int):
    """Write a number from 1 to 3999 in Roman numerals."""
    raise NotImplementedError
