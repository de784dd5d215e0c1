LOG = []


def logged(event: str) -> int:
    LOG.append(event)
    return len(LOG)


def sell(stock: int, pieces: int) -> int:
    limit: int = 10
    number: int = logged("sold")
    left: int = stock - pieces
    return left
