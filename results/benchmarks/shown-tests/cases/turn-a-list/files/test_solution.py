from solution import turn

assert turn([1, 2, 3, 4], 1) == [4, 1, 2, 3]
assert turn([1, 2, 3], -1) == [2, 3, 1]
assert turn([], 3) == []
