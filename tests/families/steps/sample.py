"""A small sound corpus of tool use, attempts at it, and a simulated server: to be spoilt."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from generator.families.family import Played
from generator.families.places import filled
from generator.families.steps.corpus import StepsCorpus, read_corpus
from generator.families.steps.family import Steps
from generator.records.base import digest_of_json
from generator.records.benchmark import Benchmark, Subject, Surface
from generator.records.bundle import Attempt, Change, Outcome, ToolCall, Turn

FAMILY = Steps()
SURFACES = ("dynamic", "meta", "individual")
MARK = "k3x9"

BENCHMARK = Benchmark(
    format="assay.benchmark/1",
    id="shop",
    family="steps",
    version="1",
    title="A shop",
    summary="Whether a system keeps a shop.",
    licence="CC0-1.0",
    shown=("passed",),
    run="results run shop",
    subject=Subject(
        name="shop",
        version="1.0",
        keeper=("python", "keeper.py"),
        refused="^(Unknown|Invalid|Not confirmed)",
        surfaces=tuple(Surface(id=name, command=("python", "serve.py")) for name in SURFACES),
    ),
)


def action(
    name: str,
    /,
    *arguments: str,
    optional: Iterable[str] = (),
    confirmation: str | None = None,
    **fields: Any,  # noqa: ANN401  any JSON value, as below
) -> dict[str, Any]:
    """An action whose id is its domain and its name; all its arguments are texts."""
    domain, verb = name.split(".")
    known: dict[str, Any] = {one: {"type": "string"} for one in (*arguments, *optional)}
    if confirmation is not None:
        known[confirmation] = {"type": "boolean"}
        fields = {"confirmation": confirmation, **fields}
    return {
        "id": name,
        "domain": domain,
        "changes": confirmation is not None,
        "destructive": confirmation is not None,
        "called": {
            "dynamic": {"tool": "run_action", "action": name},
            "meta": {"tool": f"shop_{domain}", "action": verb},
            "individual": {"tool": f"{domain}_{verb}"},
        },
        "schema": {"type": "object", "properties": known, "required": list(arguments)},
        **fields,
    }


ACTIONS = (
    action("part.search", optional=["words", "belowMinimum"]),
    action("part.fetch", "part_id"),
    action("part.rename", "part_id", "newName", optional=["note"], changes=True),
    action("part.add", "newName", optional=["stock"], changes=True),
    action("part.scrap", "part_id", confirmation="confirm"),
    action("order.fetch", "order_id"),
    action("order.ship", "order_id", "carrier", changes=True),
)


def catalogue(**spoilt: Any) -> dict[str, Any]:  # noqa: ANN401
    """The JSON object of the catalogue, with some fields spoilt."""
    return {
        "turns_more": 4,
        "surfaces": [
            {
                "id": "dynamic",
                "turns_per_step": 3,
                "action": "action",
                "arguments": "arguments",
            },
            {"id": "meta", "turns_per_step": 2, "action": "action", "arguments": "arguments"},
            {"id": "individual", "turns_per_step": 2, "shown_at_most": 128},
        ],
        "helpers": {"dynamic": ["find_action"]},
        "actions": list(ACTIONS),
        **spoilt,
    }


BOLT = {"make": "part", "with": {"name": "Bolt {mark}", "stock": 4}}

READ: dict[str, Any] = {
    "name": "part-stock",
    "kind": "read",
    "prompt": "How many of {bolt.name} are left?",
    "fixtures": {"bolt": BOLT},
    "steps": [{"action": "part.fetch", "arguments": {"part_id": {"fixture": "bolt"}}}],
}
WRITE: dict[str, Any] = {
    "name": "part-title",
    "kind": "write",
    "prompt": "From now on, {bolt.name} goes by Hex bolt {mark}.",
    "fixtures": {"bolt": BOLT},
    "steps": [
        {
            "action": "part.rename",
            "arguments": {
                "part_id": {"fixture": "bolt"},
                "newName": "Hex bolt {mark}",
                "note": "asked",
            },
        }
    ],
    "changes": [
        {"kind": "part", "what": "changed", "thing": {"fixture": "bolt"}, "fields": ["name"]}
    ],
    "description": "The plainest of changes.",
}
STEPS: dict[str, Any] = {
    "name": "order-off",
    "kind": "multi-step",
    "prompt": "Send {order.name} off with whoever it says, and take in one Nut {mark}.",
    "fixtures": {
        "bolt": BOLT,
        "order": {"make": "order", "with": {"name": "Order {mark}", "of": "{bolt.id}"}},
    },
    "steps": [
        {"action": "order.fetch", "arguments": {"order_id": {"fixture": "order"}}},
        {
            "action": "order.ship",
            "arguments": {
                "order_id": {"fixture": "order", "field": "id"},
                "carrier": {"step": 1, "path": "carriers[0].name"},
            },
        },
        {"action": "part.add", "arguments": {"newName": "Nut {mark}", "stock": 1}},
    ],
    "changes": [
        {"kind": "order", "what": "changed", "thing": {"fixture": "order"}},
        {"kind": "part", "what": "added", "thing": "new"},
    ],
}
DESTRUCTIVE: dict[str, Any] = {
    "name": "part-gone",
    "kind": "destructive",
    "prompt": "We need {bolt.name} no more; do away with it.",
    "fixtures": {"bolt": BOLT},
    "steps": [
        {"action": "part.scrap", "arguments": {"part_id": {"fixture": "bolt"}, "confirm": True}}
    ],
    "changes": [{"kind": "part", "what": "removed", "thing": {"fixture": "bolt"}}],
}
REFUSAL: dict[str, Any] = {
    "name": "part-paint",
    "kind": "refusal",
    "prompt": "Paint {bolt.name} green.",
    "fixtures": {"bolt": BOLT},
    "domains": ["part"],
}
CASES = (READ, WRITE, STEPS, DESTRUCTIVE, REFUSAL)


def files(*cases: Mapping[str, Any], **spoilt: Any) -> dict[str, bytes]:  # noqa: ANN401
    """The files of a corpus; the catalogue may be spoilt."""
    return {
        "catalogue.json": json.dumps(catalogue(**spoilt)).encode(),
        **{f"{case['name']}.json": json.dumps(case).encode() for case in cases},
    }


def corpus(*cases: Mapping[str, Any], **spoilt: Any) -> StepsCorpus:  # noqa: ANN401
    """A corpus of some cases."""
    return read_corpus(files(*cases, **spoilt), BENCHMARK)


CORPUS = corpus(*CASES)


def made(fixtures: Mapping[str, Any]) -> dict[str, Any]:
    """What a keeper makes of fixtures: ids of sixteen digits and short ones of six."""
    found: dict[str, Any] = {"mark": {"name": MARK}}
    for number, (name, fixture) in enumerate(fixtures.items(), 1):
        fields = {
            key: filled(value, found) if isinstance(value, str) else value
            for key, value in fixture["with"].items()
        }
        whole = digest_of_json([name, number])[:16]
        found[name] = {"id": whole, "short": whole[:6], **fields}
    return found


def call(name: str, outcome: str = "accepted", /, answer: str = "{}", **sent: Any) -> ToolCall:  # noqa: ANN401
    """A call on the surface `individual`."""
    return ToolCall(name, msgspec.Raw(json.dumps(sent).encode()), outcome, answer)


def attempt(
    case: Mapping[str, Any],
    *turns: Turn,
    outcome: Outcome = "completed",
    changes: tuple[Change, ...] | None = (),
    repetition: int = 1,
    reason: str | None = None,
) -> Attempt:
    """An attempt at a case, with its fixtures made."""
    fixtures = made(case.get("fixtures", {}))
    return Attempt(
        id=f"first/{case['name']}/{repetition}",
        case=case["name"],
        system="first",
        repetition=repetition,
        outcome=outcome,
        reason=reason,
        stimulus=filled(case["prompt"], fixtures),
        fixtures=msgspec.Raw(json.dumps(fixtures).encode()),
        turns=turns,
        changes=changes,
    )


CARRIER = "Swift"
ANSWERS = {
    "order.fetch": json.dumps({"carriers": [{"name": CARRIER}]}),
    "part.fetch": json.dumps({"stock": 4}),
}


class Server:
    """A subject on one surface: it takes what its catalogue has, and keeps what it changed."""

    def __init__(self, own: StepsCorpus, surface: str, fixtures: Mapping[str, Any]) -> None:
        self._catalogue = own.catalogue
        self._tools = own.catalogue.published(surface)
        self._fixtures = fixtures
        self.changes: list[Change] = []

    def answer(self, asked: ToolCall) -> ToolCall:
        """The call with its outcome and answer."""
        meant = self._catalogue.resolve(asked) if asked.name in self._tools else None
        if meant is None:
            return msgspec.structs.replace(asked, outcome="refused", answer="Unknown action")
        schema = meant.action.schema
        if not set(schema["required"]) <= meant.arguments.keys() <= schema["properties"].keys():
            return msgspec.structs.replace(asked, outcome="refused", answer="Invalid arguments")
        needed = meant.action.confirmation
        if needed is not None and meant.arguments.get(needed) is not True:
            return msgspec.structs.replace(asked, outcome="refused", answer="Not confirmed")
        self._change(meant.action.id, meant.arguments)
        answer = ANSWERS.get(meant.action.id, "{}")
        return msgspec.structs.replace(asked, outcome="accepted", answer=answer)

    def _change(self, name: str, arguments: Mapping[str, Any]) -> None:
        thing = arguments.get("part_id", arguments.get("order_id", "elsewhere"))
        for name_of, fixture in self._fixtures.items():
            if name_of != "mark" and thing in fixture.values():
                thing = fixture["id"]
                break
        else:
            if name != "part.add":
                return  # there is no such thing
        done = {
            "part.rename": Change("part", thing, "changed", ("name",)),
            "part.add": Change("part", f"new-{len(self.changes)}", "added"),
            "part.scrap": Change("part", thing, "removed"),
            "order.ship": Change("order", thing, "changed", ("carrier",)),
        }
        if name in done:
            self.changes.append(done[name])


def replayed(case: Mapping[str, Any], surface: str, own: StepsCorpus = CORPUS) -> Attempt:
    """What comes of a case when a system that knows its key plays it on a surface."""
    fixtures = made(case.get("fixtures", {}))
    server = Server(own, surface, fixtures)
    answers: list[str] = []
    turns: list[Turn] = []
    limit = own.catalogue.turns(surface, len(own.by_name[case["name"]].steps))
    while len(turns) < limit:
        turn = FAMILY.replay(own, case["name"], surface, Played(fixtures, tuple(answers)))
        answered = tuple(map(server.answer, turn.tool_calls))
        turns.append(msgspec.structs.replace(turn, tool_calls=answered))
        answers += [one.answer or "" for one in answered]
        if not answered:
            break
    return attempt(case, *turns, changes=tuple(server.changes))
