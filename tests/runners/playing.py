"""Scenes of tests: the shelf as a subject, questions about it, and players that do as told."""

import asyncio
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from generator.families.family import Put, Question, Scene
from generator.records import bundle
from generator.records.benchmark import Subject, Surface
from generator.records.bundle import ToolCall, Turn
from generator.runners.scene import Patience, Scenes
from generator.runners.stage import Player, SceneFault, Served, Stage, answered
from generator.runners.system import Level, Observed, Terms
from tests.runners import shelf
from tests.runners.sample import TERMS

PROGRAM = str(Path(shelf.__file__))
QUICK = Patience(start=20.0, answer=10.0, remove=5.0)
IMPATIENT = Patience(start=1.5, answer=0.5, remove=0.5)
MARK = "k3x9"
NAMES = {surface: [tool["name"] for tool in shelf.published(surface)] for surface in shelf.SURFACES}


def question(  # noqa: PLR0913  what tests like to vary
    prompt: str = "How long is {bolt.name}? Say {mark}.",
    *,
    fixtures: Mapping[str, Any] | None = None,
    turns: int = 5,
    published: Mapping[str, list[str]] = NAMES,
    first: frozenset[str] = frozenset(),
    shown_at_most: int = 128,
) -> Question:
    """A question that is put in a scene."""
    bolt = {"bolt": {"make": "book", "with": {"name": "Bolts {mark}", "pages": 7}}}
    scene = Scene(
        fixtures=bolt if fixtures is None else fixtures,
        turns=dict.fromkeys(shelf.SURFACES, turns),
        published={surface: frozenset(names) for surface, names in published.items()},
        first=dict.fromkeys(shelf.SURFACES, first),
        shown_at_most=shown_at_most,
    )
    return Question("bolts", (Put(prompt),), scene=scene)


def subject(server: str = "well", keeper: str = "well") -> Subject:
    """The shelf, each of its programs in a mode."""
    return Subject(
        name="shelf",
        version="1",
        keeper=("python", PROGRAM, "keep", keeper),
        refused=shelf.REFUSED,
        surfaces=tuple(
            Surface(id=one, command=("python", PROGRAM, "serve", one, server))
            for one in shelf.SURFACES
        ),
    )


def scenes(
    server: str = "well",
    keeper: str = "well",
    *,
    surface: str = "individual",
    patience: Patience = QUICK,
    of: Subject | None = None,
) -> Scenes:
    """Scenes of one surface, all with the same mark."""
    whole = of or subject(server, keeper)
    (named,) = [one for one in whole.surfaces if one.id == surface]
    environment = {"PATH": os.environ["PATH"], "A_TOKEN": "not-for-any-server"}
    return Scenes(whole, named, Path(sys.prefix), environment, patience=patience, mark=lambda: MARK)


def call(name: str, arguments: Any = None) -> ToolCall:  # noqa: ANN401  any JSON
    """A call."""
    given = {} if arguments is None else arguments
    return ToolCall(name, msgspec.Raw(msgspec.json.encode(given)))


@dataclass(slots=True)
class Script:
    """Makes calls, one a turn, and then says that it is done."""

    calls: tuple[ToolCall, ...] = ()
    stage: Stage | None = None
    came: list[Any] = field(default_factory=list)

    def staged(self, level: Level | None, served: Served) -> bundle.System:
        """Nothing that is not made up."""
        del level
        return bundle.System(
            id="script", provider="fake", model="s", surface=served.surface, tools=served.tools
        )

    async def play(self, asked: Question, stage: Stage, terms: Terms) -> Observed:
        """Call and call."""
        del asked, terms
        self.stage = stage
        turns: list[Turn] = []
        for one in self.calls:
            try:
                self.came.append(await stage.call(one))
            except SceneFault as fault:
                return Observed("harness_error", tuple(turns), str(fault))
            turns.append(Turn(tool_calls=(answered(one, self.came[-1]),)))
        return Observed("completed", (*turns, Turn(content="Done.")))


def attempt(
    where: Scenes, player: Player, asked: Question | None = None, terms: Terms = TERMS
) -> Observed:
    """One attempt."""
    return asyncio.run(where.attempt(player, asked or question(), terms))
