from solution import read_pairs

assert read_pairs('a=1;b=2') == {'a': 1, 'b': 2}
assert read_pairs(' x = 7 ') == {'x': 7}
assert read_pairs('') == {}
