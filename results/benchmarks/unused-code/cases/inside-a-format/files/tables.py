def row(name, value):
    width = 10
    digits = 2
    height = 1
    return f"{name:<{width}}{value:>{width}.{digits}f}"
