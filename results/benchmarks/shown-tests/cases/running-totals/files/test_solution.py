from solution import running_totals

assert running_totals([1, 2, 3]) == [1, 3, 6]
assert running_totals([]) == []
assert running_totals([5]) == [5]
