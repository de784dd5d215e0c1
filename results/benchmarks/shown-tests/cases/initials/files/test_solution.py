from solution import initials

assert initials('ada king lovelace') == 'A.K.L.'
assert initials('Grace Hopper') == 'G.H.'
assert initials('') == ''
