def merge_ranges(ranges: list[tuple[int, int]]):
    """Merge ranges of whole numbers that overlap or touch."""
    raise NotImplementedError
