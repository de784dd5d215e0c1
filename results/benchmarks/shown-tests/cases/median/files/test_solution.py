from solution import median

assert median([3.0, 1.0, 2.0]) == 2.0
assert median([1.0, 2.0, 3.0, 4.0]) == 2.5
assert median([]) is None
