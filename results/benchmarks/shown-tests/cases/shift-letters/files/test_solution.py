from solution import shift_letters

assert shift_letters('abc', 1) == 'bcd'
assert shift_letters('xyz', 3) == 'abc'
assert shift_letters('Hi, Bob!', 1) == 'Ij, Cpc!'
