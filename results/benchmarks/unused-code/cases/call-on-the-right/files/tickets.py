def skip_one(queue):
    """Drop the first ticket, and tell which one is next."""
    dropped = queue.pop(0)
    return queue[0]
