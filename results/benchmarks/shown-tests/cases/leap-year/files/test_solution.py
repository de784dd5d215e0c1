from solution import is_leap

assert is_leap(2024) is True
assert is_leap(1900) is False
assert is_leap(2000) is True
