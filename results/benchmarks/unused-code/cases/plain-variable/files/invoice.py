RATE = 19


def net(positions):
    rate = RATE / 100
    return sum(positions)


def gross(positions):
    rate = RATE / 100
    return round(net(positions) * (1 + rate), 2)
