def most_frequent(words: list[str]):
    """The most frequent word."""
    raise NotImplementedError
