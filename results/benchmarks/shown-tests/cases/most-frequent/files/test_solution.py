from solution import most_frequent

assert most_frequent(['a', 'b', 'b']) == 'b'
assert most_frequent(['y', 'x']) == 'x'
assert most_frequent([]) is None
