"""Scenes: for each attempt the subject afresh, its fixtures, and nothing of it left afterwards.

A folder of its own (`ASSAY_SCENE`), the keeper, which makes the fixtures with a fresh mark and
tells the state, and the server of a surface. Whatever fails of these is the harness's fault.
"""

import contextlib
import json
import secrets
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as but
from pathlib import Path
from typing import TYPE_CHECKING, Any

import re2

from generator.errors import CorpusError, UsageError
from generator.families.family import Question, Scene
from generator.families.places import MARK, Unfilled, filled
from generator.records.base import digest_of_json
from generator.records.benchmark import Subject, Surface
from generator.records.bundle import Change, ToolCall
from generator.runners.command import resolved, steady
from generator.runners.keeper import Keeper, State, changes
from generator.runners.scrub import Scrub
from generator.runners.spoken import Lines, spoken
from generator.runners.stage import Came, Player, SceneFault, Served
from generator.runners.system import Observed, Terms

if TYPE_CHECKING:
    from generator.runners.served import Server

SCENE = "ASSAY_SCENE"
"""The variable that names the folder of a scene to the keeper and the server."""

NO_OBJECT = "This call was not carried out: its arguments are no JSON object."
"""What a call comes back with that no server could be told."""

_LETTERS = "bcdfghjkmnpqrstvwxz"
"""Without vowels, which make words, and without what looks like a digit."""

_DIGITS = "23456789"
_SAID = 300


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds after which a program of a scene is silent for too long."""

    start: float = 120.0
    """Until a server has said hello, on a machine that has other things to do."""

    answer: float = 60.0
    """Until a call or a request of the keeper is answered."""

    remove: float = 10.0
    """Until what was made is removed, also when somebody waits for the end of a run."""


class Scenes:
    """All scenes of one surface."""

    def __init__(  # noqa: PLR0913  what they are set up from
        self,
        subject: Subject,
        surface: Surface,
        root: Path,
        environment: Mapping[str, str],
        *,
        patience: Patience | None = None,
        mark: Callable[[], str] | None = None,
    ) -> None:
        """Raises CorpusError where the subject's pattern is none."""
        self._subject = subject
        self._surface = surface
        self._root = root
        self._environment = steady(environment)
        self._scrub = Scrub(environment)
        self._patience = patience or Patience()
        self._mark = mark or fresh_mark
        self._refused = _pattern(subject.refused)
        self._served: Served | None = None

    async def served(self, scene: Scene) -> Served:
        """What they all offer, seen in one without fixtures; raises AssayError."""
        try:
            async with self._set(but(scene, fixtures={})) as stage:
                self._served = stage.served
        except SceneFault as fault:
            raise CorpusError(
                f"The subject {self._subject.name!r} can't be set up on the surface "
                f"{self._surface.id!r}: {self._scrub.text(str(fault))[:_SAID]}.",
                "Mend its commands in benchmark.toml, or the programs that they name; they run "
                "from the root of the project.",
            ) from fault
        return self._served

    async def attempt(self, system: Player, question: Question, terms: Terms) -> Observed:
        """Set up a scene, let a system play in it, and see what it changed."""
        observed = Observed("harness_error")
        stage: _Stage | None = None
        try:
            async with self._set(_scene_of(question), question) as stage:
                observed = await system.play(question, stage, terms)
                observed = but(observed, changes=await stage.changed(observed))
        except SceneFault as fault:
            why = self._scrub.text(str(fault))[:_SAID]
            observed = but(observed, outcome="harness_error", reason=why)
        if stage is None:
            return observed
        left = stage.left and self._scrub.text(stage.left)[:_SAID]
        return but(
            observed,
            stimulus=observed.stimulus or stage.prompt,
            fixtures=stage.fixtures,
            reason=observed.reason or (left and f"what was made could not be removed: {left}"),
        )

    @contextlib.asynccontextmanager
    async def _set(self, scene: Scene, question: Question | None = None) -> AsyncIterator["_Stage"]:
        """A scene that stands; raises SceneFault where it does not."""
        patience, mark = self._patience, self._mark()
        with tempfile.TemporaryDirectory(
            prefix="assay-scene-", ignore_cleanup_errors=True
        ) as folder:
            environment = {**self._environment, SCENE: folder}
            async with self._spoken(self._subject.keeper, environment, "keeper") as lines:
                keeper = Keeper(lines, patience.answer, patience.remove)
                stage = _Stage(self._surface.id, scene, keeper, self._refused)
                try:
                    stage.dress(await keeper.make(mark, scene.fixtures), mark, question)
                    async with self._server(environment) as server:
                        await stage.open(server, self._served)
                        yield stage
                finally:
                    stage.left = await _removed(keeper)

    @contextlib.asynccontextmanager
    async def _server(self, environment: Mapping[str, str]) -> AsyncIterator["Server"]:
        from generator.runners.served import served  # noqa: PLC0415  it needs mcp

        patience = self._patience
        async with (
            self._spoken(self._surface.command, environment, "server") as lines,
            served(lines, patience.start, patience.answer) as server,
        ):
            yield server

    @contextlib.asynccontextmanager
    async def _spoken(
        self, command: Sequence[str], environment: Mapping[str, str], what: str
    ) -> AsyncIterator[Lines]:
        """A program of the subject, started as a declared program is."""
        async with contextlib.AsyncExitStack() as held:
            starting = spoken(tuple(resolved(command)), self._root, environment)
            try:
                lines = await held.enter_async_context(starting)
            except (OSError, ValueError) as fault:
                why = (isinstance(fault, OSError) and fault.strerror) or fault
                raise SceneFault(f"the {what} can't be started: {why}") from fault
            yield lines


class _Stage:
    """One scene, from its fixtures on."""

    def __init__(
        self, surface: str, scene: Scene, keeper: Keeper, refused: Callable[[str], bool]
    ) -> None:
        self.surface = surface
        self.turns = scene.turns[surface]
        self.fixtures: dict[str, Any] = {}
        self.prompt = ""
        self.tools: Sequence[Mapping[str, Any]] = ()
        self.served: Served
        self.left: str | None = None
        """Why what was made was not removed."""

        self._scene = scene
        self._keeper = keeper
        self._refused = refused
        self._server: Server
        self._before: State

    def dress(self, made: Mapping[str, Any], mark: str, question: Question | None) -> None:
        """Take what was made, and name it in the prompt; raises SceneFault."""
        self.fixtures = {**made, MARK: {"name": mark}}
        if question is not None:
            try:
                self.prompt = filled(question.puts[0].prompt or "", self.fixtures)
            except Unfilled as fault:
                raise SceneFault(f"the prompt can't be told: {fault}") from fault

    async def open(self, server: "Server", expected: Served | None) -> None:
        """See what the server offers and what there is; raises SceneFault."""
        self._server = server
        listed = await server.tools()
        self.served = Served(self.surface, digest_of_json({"tools": listed}))
        _refuse_others([str(tool["name"]) for tool in listed], self._scene.published[self.surface])
        if expected is not None and self.served != expected:
            raise SceneFault("the server describes its tools otherwise than when the run began")
        self.tools = [_as_function(tool) for tool in shown(listed, self._scene, self.surface)]
        self._before = await self._keeper.state()

    async def call(self, call: ToolCall) -> Came:
        """Carry out a call as it is; raises SceneFault."""
        arguments = json.loads(bytes(call.arguments))
        if not isinstance(arguments, dict):
            return Came("refused", NO_OBJECT, failed=True)
        came = await self._server.call(call.name, arguments)
        return but(came, outcome="refused") if came.failed and self._refused(came.answer) else came

    async def changed(self, observed: Observed) -> tuple[Change, ...]:
        """What is different since the system was asked; raises SceneFault, also one of the play."""
        if observed.outcome == "harness_error":
            raise SceneFault(observed.reason or "the system could not be asked")
        return changes(self._before, await self._keeper.state())


def fresh_mark() -> str:
    """A mark that no other attempt has, short enough to be repeated by anybody."""
    parts = (_LETTERS, _DIGITS, _LETTERS, _DIGITS, _LETTERS)
    return "".join(secrets.choice(letters) for letters in parts)


def shown(
    listed: Sequence[Mapping[str, Any]], scene: Scene, surface: str
) -> list[Mapping[str, Any]]:
    """The tools that a system is shown, in the server's order; raises SceneFault.

    Where they are too many, those of the case's domains, and the server's first ones beside them.
    """
    first = [tool for tool in listed if tool["name"] in scene.first[surface]]
    room = scene.shown_at_most - len(first)
    if room < 0:
        raise SceneFault(f"{len(first)} tools would have to be shown; {scene.shown_at_most} may be")
    fillers = [tool for tool in listed if tool["name"] not in scene.first[surface]][:room]
    chosen = {tool["name"] for tool in (*first, *fillers)}
    return [tool for tool in listed if tool["name"] in chosen]


def require_client() -> None:
    """Raise UsageError where nothing is installed that speaks with MCP servers."""
    try:
        import mcp.client.session  # noqa: F401, PLC0415
    except ModuleNotFoundError as fault:
        raise UsageError(
            f"The benchmark's subject is an MCP server, and {fault.name} is not installed.",
            "Install it: python -m pip install mcp.",
        ) from fault


def _scene_of(question: Question) -> Scene:
    if question.scene is None:
        raise SceneFault("the case has no scene")
    return question.scene


def _refuse_others(listed: Sequence[str], published: Iterable[str]) -> None:
    """Raise SceneFault unless a server lists the tools of the catalogue, each once."""
    twice = sorted(name for name, times in Counter(listed).items() if times > 1)
    strange, missing = sorted({*listed} - {*published}), sorted({*published} - {*listed})
    if strange:
        raise SceneFault(f"the server publishes a tool that the catalogue lacks: {strange[0]!r}")
    if missing:
        raise SceneFault(f"the server does not publish a tool of the catalogue: {missing[0]!r}")
    if twice:
        raise SceneFault(f"the server publishes two tools of one name: {twice[0]!r}")


def _as_function(tool: Mapping[str, Any]) -> dict[str, Any]:
    """A tool as chat models are offered it: name, description and schema, unchanged."""
    function = {"name": tool["name"], "parameters": tool["inputSchema"]}
    if tool.get("description"):
        function["description"] = tool["description"]
    return {"type": "function", "function": function}


def _pattern(value: str) -> Callable[[str], bool]:
    """Whether an error says that a call was refused; raises CorpusError."""
    options = re2.Options()
    options.log_errors = False
    try:
        search = re2.compile(value, options).search
    except re2.error as fault:
        raise CorpusError(
            f"The pattern `refused` of the subject, {value!r}, can't be compiled by re2.",
            "Write it in re2's dialect: no look-around, no back-references.",
        ) from fault
    # In bytes, else re2 counts characters too.
    return lambda text: search(text.encode(errors="surrogatepass")) is not None


async def _removed(keeper: Keeper) -> str | None:
    """Have all removed that was made; why it was not."""
    try:
        await keeper.remove()
    except SceneFault as fault:
        return str(fault)
    return None
