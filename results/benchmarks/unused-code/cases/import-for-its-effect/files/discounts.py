from registry import RULES


def bulk(amount):
    return amount * 0.9 if amount >= 100 else amount


RULES.append(bulk)
