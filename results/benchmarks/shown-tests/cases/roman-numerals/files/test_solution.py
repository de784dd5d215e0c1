from solution import to_roman

assert to_roman(4) == 'IV'
assert to_roman(9) == 'IX'
assert to_roman(14) == 'XIV'
