def initials(name: str):
    """The initials of a name."""
    raise NotImplementedError
