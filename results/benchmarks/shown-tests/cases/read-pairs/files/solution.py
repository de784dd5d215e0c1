def read_pairs(text: str):
    """Read `name=number` pairs."""
    raise NotImplementedError
