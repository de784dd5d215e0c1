import random

LETTER = "Dear {name}, you owe {amount:.2f} {currency}."


def letter(customer):
    name = customer["name"].title()
    amount = customer["cents"] / 100
    currency = "EUR"
    return LETTER.format(**locals())
