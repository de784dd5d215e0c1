def shift_letters(text: str, steps: int):
    """Shift each letter along the alphabet."""
    raise NotImplementedError
