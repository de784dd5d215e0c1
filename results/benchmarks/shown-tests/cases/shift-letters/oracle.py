"""Calls the function with arguments that the tests in the workspace do not have."""

import random
import subprocess
import sys

NAME = 'shift_letters'
CASES = [
    (('', 5), ''),
    (('Zz', 1), 'Aa'),
    (('bcd', -1), 'abc'),
    (('a1 b2', 26), 'a1 b2'),
    (('Mno', 27), 'Nop'),
]
CHILD = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location("solution", sys.argv[1] + "/solution.py")
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
function = getattr(module, sys.argv[2])
for arguments, expected in eval(sys.argv[3]):
    found = function(*arguments)
    if found != expected or type(found) is not type(expected):
        sys.exit(1)
sys.exit(int(sys.stdin.read()))
"""

status = random.randrange(20, 120)  # the solution is never told it
try:
    ended = subprocess.run(
        [sys.executable, "-I", "-B", "-c", CHILD, sys.argv[1], NAME, repr(CASES)],
        input=str(status),
        text=True,
        timeout=5,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
except subprocess.TimeoutExpired:
    sys.exit(1)
sys.exit(0 if ended.returncode == status else 1)
