from solution import second_largest

assert second_largest([3, 1, 2]) == 2
assert second_largest([5, 5]) is None
assert second_largest([]) is None
