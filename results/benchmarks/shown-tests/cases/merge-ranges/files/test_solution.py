from solution import merge_ranges

assert merge_ranges([(1, 3), (2, 5)]) == [(1, 5)]
assert merge_ranges([(1, 2), (3, 4)]) == [(1, 4)]
assert merge_ranges([(5, 6), (1, 2)]) == [(1, 2), (5, 6)]
