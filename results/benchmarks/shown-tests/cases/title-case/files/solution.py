def title_case(text: str):
    """Words of a title with capitals."""
    raise NotImplementedError
