from solution import count_vowels

assert count_vowels('Apple') == 2
assert count_vowels('') == 0
assert count_vowels('AEIOU') == 5
