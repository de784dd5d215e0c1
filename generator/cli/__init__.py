"""The command `results`: a thin module a command, and one place that ends a fault in words."""

import io
import sys


def main() -> None:
    """Entry point; the version is said before anything heavy is imported."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # where it can't show every letter
    if sys.argv[1:] == ["--version"]:
        from generator import __version__  # noqa: PLC0415

        print(f"results {__version__}")
        return
    from generator.cli.app import run  # noqa: PLC0415

    sys.exit(run(sys.argv[1:]))
