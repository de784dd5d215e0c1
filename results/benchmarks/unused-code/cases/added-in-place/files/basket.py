def add(basket, items):
    before = len(basket)
    contents = basket
    contents += items


def count(basket):
    return len(basket)
