def count_vowels(text: str):
    """Count the vowels a, e, i, o, u."""
    raise NotImplementedError
