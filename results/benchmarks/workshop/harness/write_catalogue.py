"""Writes the catalogues of the benchmarks that use the workshop, from its actions.

python results/benchmarks/workshop/harness/write_catalogue.py [--check]
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from workshop.actions import ACTIONS
from workshop.declaration import CONFIRMATION, Action
from workshop.surfaces import FIND, called

BENCHMARKS = Path(__file__).resolve().parents[2]
PLACES = tuple(
    BENCHMARKS / name / "cases" / "catalogue.json" for name in ("workshop", "workshop-small")
)
TURNS_MORE = 4
SHOWN_AT_MOST = 128
STALE = 1

SURFACES = (
    {"id": "dynamic", "turns_per_step": 3, "action": "action", "arguments": "arguments"},
    {"id": "meta", "turns_per_step": 2, "action": "action", "arguments": "arguments"},
    {"id": "individual", "turns_per_step": 2, "shown_at_most": SHOWN_AT_MOST},
)


def catalogue() -> str:
    """The file, as it is to be."""
    table = {
        "turns_more": TURNS_MORE,
        "surfaces": SURFACES,
        "helpers": {"dynamic": [FIND]},
        "actions": [_listed(action) for action in ACTIONS],
    }
    return json.dumps(table, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def _listed(action: Action) -> dict[str, Any]:
    entry = {
        "id": action.id,
        "domain": action.domain,
        "changes": action.changes,
        "destructive": action.destructive,
        "called": called(action),
        "schema": action.schema,
    }
    return entry | ({"confirmation": CONFIRMATION} if action.destructive else {})


def main() -> int:
    """Write what differs, or with --check only say that something does."""
    parser = argparse.ArgumentParser(description="Writes the catalogues of the workshop.")
    parser.add_argument("--check", action="store_true", help="write nothing")
    check = parser.parse_args().check
    wanted = catalogue().encode()
    stale = [place for place in PLACES if not place.exists() or place.read_bytes() != wanted]
    for place in stale:
        sys.stdout.write(
            f"{place.relative_to(BENCHMARKS)} {'differs' if check else 'was written'}\n"
        )
        if not check:
            place.write_bytes(wanted)
    return STALE if check and stale else 0


if __name__ == "__main__":
    raise SystemExit(main())
