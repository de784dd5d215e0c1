"""How fast git's truth is found out, against `git status` alone over the same work tree.

    python -m tests.benchmarks.cleanliness [FILES]

Prints seconds, the ratio to `git status`, and whether it stays below the ceiling at 10,000 files.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from generator.store.repo import Repo

CEILING = 0.3
"""Seconds that it may take at 10,000 files."""

FLOOR = 10.0
"""How many times as long as `git status`, which can be told to look away, it may take."""

FOLDERS = 100
DECLARED = ("folder-1",)


def lay_out(root: Path, files: int) -> None:
    """A committed work tree of small files."""
    for number in range(files):
        path = root / f"folder-{number % FOLDERS}" / f"file-{number}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"{number}\n" * 20, encoding="utf-8")
    for words in (
        ("init", "--quiet"),
        ("config", "gc.auto", "0"),
        ("config", "user.name", "Nobody In Particular"),
        ("config", "user.email", "nobody@example.org"),
        ("add", "--all"),
        ("commit", "--quiet", "--message", "Files"),
    ):
        subprocess.run(["git", *words], cwd=root, check=True)


def seconds(root: Path) -> tuple[float, float]:
    """The best of three, of `git status` and of the whole answer."""
    alone, whole = [], []
    for _ in range(3):
        started = time.perf_counter()
        status = ["git", "status", "--porcelain"]
        subprocess.run(status, cwd=root, check=True, capture_output=True)
        alone.append(time.perf_counter() - started)
        started = time.perf_counter()
        found = Repo(root).tree(DECLARED)
        whole.append(time.perf_counter() - started)
        assert found.clean == "yes", found
    return min(alone), min(whole)


def main(files: int) -> None:
    """Measure both, and print the ratio."""
    with tempfile.TemporaryDirectory() as folder:
        lay_out(Path(folder), files)
        alone, whole = seconds(Path(folder))
    print(f"{files} files: git status {alone:.3f} s, the whole truth {whole:.3f} s")
    print(f"ratio {whole / alone:.2f} (at most {FLOOR})")
    if files == 10_000:
        print(f"at most {CEILING} s: {'kept' if whole <= CEILING else 'MISSED'}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 10_000)
