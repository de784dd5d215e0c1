def group_by_length(words: list[str]):
    """Words by their length."""
    raise NotImplementedError
