from solution import pieces

assert pieces([1, 2, 3, 4, 5], 2) == [[1, 2], [3, 4], [5]]
assert pieces([], 3) == []
assert pieces([1, 2], 5) == [[1, 2]]
