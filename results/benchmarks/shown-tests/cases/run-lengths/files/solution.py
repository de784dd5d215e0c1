def run_lengths(text: str):
    """Each letter with how often it follows itself."""
    raise NotImplementedError
