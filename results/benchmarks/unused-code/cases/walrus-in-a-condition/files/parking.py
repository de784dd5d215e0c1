def leave(spaces):
    """Give one space back; tells whether there was one to give back."""
    if (taken := spaces.pop()) is not None:
        return True
    return False
