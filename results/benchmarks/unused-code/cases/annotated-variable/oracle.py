"""A variable with an annotation is gone; the call on its right is not."""

import ast
import subprocess
import sys
from pathlib import Path

QUIET = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
GONE = {"stock.py": ["sell: limit", "sell: number"]}
KEPT = {"stock.py": ["LOG", "sell: left"]}
PROBE = """
import stock
assert stock.sell(5, 2) == 3
assert stock.LOG == ["sold"]
"""


def given(node, scope=""):
    """Every import and every name that is given a value, after the function or class around it."""
    for child in ast.iter_child_nodes(node):
        within = scope
        if isinstance(child, ast.Import):
            yield from (f"{scope}import {ast.unparse(name)}" for name in child.names)
        elif isinstance(child, ast.ImportFrom):
            start = f"{scope}from {'.' * child.level}{child.module or ''} import "
            yield from (start + ast.unparse(name) for name in child.names)
        elif isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
            yield scope + child.id
        elif isinstance(child, ast.ExceptHandler) and child.name:
            yield scope + child.name
        elif isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            within = f"{child.name}: "
        yield from given(child, within)


def done(workspace):
    """Whether what is unused is gone, what is used still there, and what it does the same."""
    for name in {*GONE, *KEPT}:
        path = workspace / name
        if path.resolve() != path or not path.is_file() or path.stat().st_size > 100_000:
            return False
        found = set(given(ast.parse(path.read_bytes())))
        if found & set(GONE.get(name, ())) or set(KEPT.get(name, ())) - found:
            return False
    command = [sys.executable, "-BESs", "-Xutf8", "-c", PROBE + "raise SystemExit(77)"]
    probe = subprocess.run(command, cwd=workspace, env={}, timeout=1.5, **QUIET)
    return probe.returncode == 77


try:
    sys.exit(0 if done(Path(sys.argv[1]).resolve()) else 1)
except (OSError, SyntaxError, ValueError, RecursionError, MemoryError, subprocess.SubprocessError):
    sys.exit(1)
