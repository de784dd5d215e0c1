from solution import group_by_length

assert group_by_length(['a', 'bb', 'c']) == {1: ['a', 'c'], 2: ['bb']}
assert group_by_length([]) == {}
assert group_by_length(['one', 'two']) == {3: ['one', 'two']}
