from solution import run_lengths

assert run_lengths('aaab') == 'a3b1'
assert run_lengths('') == ''
assert run_lengths('xyz') == 'x1y1z1'
