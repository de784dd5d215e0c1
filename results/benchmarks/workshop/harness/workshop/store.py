"""What the workshop knows: eight kinds of things in one SQLite file.

A thing has an `id`, a `short` (the first six characters of it) and a `name`, and is found by any
of the three. Whatever fails here failed behind the server: the call itself was taken.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

Thing: TypeAlias = dict[str, Any]
"""A thing's fields by name, as values of JSON; another thing stands in one as its id."""

KINDS = ("supplier", "part", "customer", "machine", "order", "invoice", "shift", "note")
"""The names of the tables, each after those that it refers to."""

REFERS: Mapping[str, Mapping[str, str]] = {
    "part": {"supplier": "supplier"},
    "order": {"customer": "customer", "machine": "machine"},
    "invoice": {"order": "order"},
}
"""By kind: which of its fields hold the id of a thing, and of which kind that is."""

SHORT = 6
"""Characters of an id that name a thing by themselves."""

AT_ONCE = 20
"""Things that a search shows; whoever needs others asks more narrowly."""

FOLDER = "ASSAY_SCENE"
"""The environment variable that names the folder of the database."""

_TABLES = Path(__file__).with_name("tables.sql")
_WAIT_SECONDS = 10


class StoreError(Exception):
    """What was asked for can't be done with the things that are there."""


def scene() -> Path:
    """The folder that the database lies in: the one of the environment, else this one."""
    return Path(os.environ.get(FOLDER) or ".")


class Store:
    """One connection to the database of a workshop, which is made where there is none."""

    def __init__(self, folder: Path) -> None:
        self._db = sqlite3.connect(
            folder / "workshop.sqlite3", timeout=_WAIT_SECONDS, isolation_level=None
        )
        self._db.row_factory = sqlite3.Row
        self._db.execute("PRAGMA foreign_keys = ON")
        # What lies here lives no longer than an attempt.
        self._db.execute("PRAGMA synchronous = OFF")
        if not self._fields("note"):
            self._db.executescript(_TABLES.read_text(encoding="utf-8"))

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All that happens inside, or nothing of it."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def find(self, kind: str, reference: str) -> Thing:
        """The thing that an id, a short id or a name stands for."""
        wanted = reference.strip()
        rows = self._rows(
            f"SELECT * FROM {_table(kind)} WHERE id = ?1 OR substr(id, 1, ?2) = ?1"  # noqa: S608
            " OR name = ?1 COLLATE NOCASE ORDER BY id",
            (wanted, SHORT),
        )
        exactly = [row for row in rows if wanted in (row["id"], row["id"][:SHORT])]
        found = exactly or rows
        if not found:
            raise StoreError(f"No such {kind}: {wanted}. Search to see which there are.")
        if len(found) > 1:
            which = ", ".join(row["id"][:SHORT] for row in found)
            raise StoreError(f"Several go by {wanted}: {which}. Use one of these ids.")
        return self._thing(kind, found[0])

    def find_any(self, kinds: Sequence[str], reference: str) -> Thing:
        """The thing of one of these kinds that an id, a short id or a name stands for."""
        found = []
        for kind in kinds:
            try:
                found.append(self.find(kind, reference))
            except StoreError as error:
                if not str(error).startswith("No such"):
                    raise
        if len(found) != 1:
            trouble = "Several things go by" if found else f"No such {' or '.join(kinds)}:"
            raise StoreError(f"{trouble} {reference.strip()}.")
        return found[0]

    def all(self, kind: str) -> list[Thing]:
        """Every thing of a kind, by name."""
        by_name = "ORDER BY name COLLATE NOCASE, id"
        rows = self._rows(f"SELECT * FROM {_table(kind)} {by_name}", ())  # noqa: S608
        return [self._thing(kind, row) for row in rows]

    def add(self, kind: str, fields: Mapping[str, Any]) -> Thing:
        """Put a thing into the store; what is not said of it takes its default."""
        own = {"id": self._fresh(kind)} | self._known(kind, fields)
        places = ", ".join("?" * len(own))
        self._db.execute(
            f"INSERT INTO {_table(kind)} ({_names(own)}) VALUES ({places})",  # noqa: S608
            tuple(own.values()),
        )
        return self.find(kind, own["id"])

    def change(self, kind: str, thing: Thing, **fields: str | int | None) -> Thing:
        """Give fields of a thing other values."""
        known = self._known(kind, fields)
        places = ", ".join(f'"{name}" = ?' for name in known)
        self._db.execute(
            f"UPDATE {_table(kind)} SET {places} WHERE id = ?",  # noqa: S608
            (*known.values(), thing["id"]),
        )
        return self.find(kind, thing["id"])

    def remove(self, kind: str, thing: Thing) -> None:
        """Take a thing out of the store, and let go of it wherever it may be let go of."""
        try:
            self._db.execute(f"DELETE FROM {_table(kind)} WHERE id = ?", (thing["id"],))  # noqa: S608
        except sqlite3.IntegrityError as error:
            raise StoreError(
                f"Still needed: other things refer to the {kind} {thing['name']}, so it stays."
            ) from error
        self._db.execute("UPDATE note SET about = NULL WHERE about = ?", (thing["id"],))

    def use(self, order: Thing, part: Thing, quantity: int) -> None:
        """Take parts off the shelf, for an order."""
        if part["stock"] < quantity:
            raise StoreError(
                f"Out of stock: {quantity} of {part['name']} are wanted, {part['stock']} are there."
            )
        self.change("part", part, stock=part["stock"] - quantity)
        self._db.execute(
            'INSERT INTO used ("order", part, quantity) VALUES (?, ?, ?)'
            ' ON CONFLICT ("order", part) DO UPDATE SET quantity = quantity + excluded.quantity',
            (order["id"], part["id"], quantity),
        )

    def put_back(self, order: Thing) -> None:
        """Put the parts of an order back onto their shelves."""
        for used in order["parts"]:
            part = self.find("part", used["part"])
            self.change("part", part, stock=part["stock"] + used["quantity"])
        self._db.execute('DELETE FROM used WHERE "order" = ?', (order["id"],))

    def state(self) -> dict[str, dict[str, Thing]]:
        """Everything: by kind and id, what is known of each thing."""
        return {
            kind: {
                thing["id"]: {
                    field: value for field, value in thing.items() if field not in ("id", "short")
                }
                for thing in self.all(kind)
            }
            for kind in KINDS
        }

    def clear(self) -> None:
        """Take out everything."""
        with self.transaction():
            self._db.execute("DELETE FROM used")
            for kind in reversed(KINDS):
                self._db.execute(f"DELETE FROM {_table(kind)}")  # noqa: S608

    def brief(self, kind: str, identity: str | None) -> Thing | None:
        """What a thing is called, for the answer about another."""
        if identity is None:
            return None
        thing = self.find(kind, identity)
        return {field: thing[field] for field in ("id", "short", "name")}

    def view(self, kind: str, thing: Thing) -> Thing:
        """A thing as it is shown: with the names of the things that it refers to."""
        shown = dict(thing)
        for field, other in REFERS.get(kind, {}).items():
            shown[field] = self.brief(other, thing[field])
        if kind == "order":
            shown["parts"] = [
                {"part": self.brief("part", used["part"]), "quantity": used["quantity"]}
                for used in thing["parts"]
            ]
        return shown

    def _thing(self, kind: str, row: sqlite3.Row) -> Thing:
        thing: Thing = {"id": row["id"], "short": row["id"][:SHORT]}
        thing |= {field: row[field] for field in row.keys() if field != "id"}  # noqa: SIM118  a Row
        if kind == "note":
            thing["pinned"] = bool(thing["pinned"])
        if kind == "order":
            used = self._rows(
                'SELECT part, quantity FROM used WHERE "order" = ? ORDER BY rowid', (row["id"],)
            )
            thing["parts"] = [dict(line) for line in used]
        return thing

    def _rows(self, sql: str, values: Sequence[object]) -> list[sqlite3.Row]:
        with closing(self._db.execute(sql, values)) as cursor:
            return cursor.fetchall()

    def _fields(self, kind: str) -> tuple[str, ...]:
        return tuple(row["name"] for row in self._rows(f"PRAGMA table_info({_table(kind)})", ()))

    def _known(self, kind: str, fields: Mapping[str, Any]) -> dict[str, Any]:
        unknown = set(fields) - set(self._fields(kind)) | ({"id"} & set(fields))
        if unknown:
            raise StoreError(f"No such field of a {kind}: {', '.join(sorted(unknown))}.")
        return dict(fields)

    def _fresh(self, kind: str) -> str:
        """An id whose short form is nobody else's; it begins with a letter, so it is no number."""
        while True:
            identity = secrets.choice("abcdef") + secrets.token_hex(8)[1:]
            taken = self._rows(
                f"SELECT id FROM {_table(kind)} WHERE substr(id, 1, ?) = ?",  # noqa: S608
                (SHORT, identity[:SHORT]),
            )
            if not taken:
                return identity


def _table(kind: str) -> str:
    """The name of a table, which is one of KINDS: nothing else is ever put into SQL."""
    if kind not in KINDS:
        raise StoreError(f"No such kind of thing: {kind}. There are {', '.join(KINDS)}.")
    return f'"{kind}"'


def _names(fields: Mapping[str, Any]) -> str:
    return ", ".join(f'"{name}"' for name in fields)
