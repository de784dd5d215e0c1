from solution import sum_of_digits

assert sum_of_digits(123) == 6
assert sum_of_digits(0) == 0
assert sum_of_digits(-45) == 9
