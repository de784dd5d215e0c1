from solution import flatten

assert flatten([1, [2, 3]]) == [1, 2, 3]
assert flatten([[[4]]]) == [4]
assert flatten([]) == []
