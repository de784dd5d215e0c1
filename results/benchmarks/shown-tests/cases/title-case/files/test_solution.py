from solution import title_case

assert title_case('the lord of the rings') == 'The Lord of the Rings'
assert title_case('') == ''
assert title_case('WAR AND PEACE') == 'War and Peace'
