"""Three ways of offering the same actions: to find and run, a tool a domain, a tool an action."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

from workshop.actions import ACTIONS, DOMAINS, known, perform
from workshop.declaration import Action, Json, Refused
from workshop.validation import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from workshop.store import Store

FIND, RUN = "find_action", "run_action"
SURFACES = ("dynamic", "meta", "individual")
FOUND_AT_ONCE = 5

_WORD = re.compile(r"[a-z0-9]+")
_PLURAL = re.compile(r"(?<=[a-z]{2}[^s])s$")
_IDLE = frozenset(
    _WORD.findall(
        "a all an and are as at be by can do for from have how i in is it its me my of on or so"
        " that the there this to was what when which will with you"
    )
)
_ONE_TOOL = {"action", "arguments"}


@dataclass(frozen=True, slots=True)
class Offered:
    """A tool as a server publishes it."""

    name: str
    description: str
    schema: Mapping[str, Json]
    reads: bool = False
    """Whether it changes nothing, whatever it is called with."""

    destroys: bool = False
    """Whether there is something among what it does that can't be undone."""


def domain_tool(domain: str) -> str:
    """The name of the one tool of a domain."""
    return f"workshop_{domain}"


def action_tool(action: Action) -> str:
    """The name of the one tool of an action."""
    return action.id.replace(".", "_")


def called(action: Action) -> dict[str, dict[str, str]]:
    """By surface: the tool that an action is called by, and what it is called there."""
    return {
        "dynamic": {"tool": RUN, "action": action.id},
        "meta": {"tool": domain_tool(action.domain), "action": action.name},
        "individual": {"tool": action_tool(action)},
    }


def offered(surface: str) -> tuple[Offered, ...]:
    """All tools of a surface, in the order in which they are published."""
    match surface:
        case "dynamic":
            return (_finding(), _running())
        case "meta":
            return tuple(_of_domain(domain) for domain in DOMAINS)
        case _:
            return tuple(_of_action(action) for action in ACTIONS)


def answer(surface: str, store: Store, tool: str, arguments: Mapping[str, Json]) -> Json:
    """What a call comes back with; raises Refused or StoreError."""
    names = tuple(one.name for one in offered(surface))
    if tool not in names:
        raise Refused(f"Unknown tool: {tool}.{nearest(tool, names)}")
    if tool == FIND:
        return {"actions": [_shown(action) for action in found(_query(arguments))]}
    action, given = _resolved(surface, tool, arguments)
    return perform(store, action, given)


def found(query: str) -> list[Action]:
    """The actions that speak most of what the query speaks of, best first."""
    asked = set(_stems(query))
    scored = sorted(
        ((_score(asked, words), action) for action, words in _INDEX),
        key=lambda pair: (-pair[0], pair[1].id),
    )
    return [action for score, action in scored[:FOUND_AT_ONCE] if score > 0]


def _resolved(surface: str, tool: str, arguments: Mapping[str, Json]) -> tuple[Action, Json]:
    """The action that a call means, and what it is called with there."""
    if surface == "individual":
        return next(one for one in ACTIONS if action_tool(one) == tool), dict(arguments)
    unknown = set(arguments) - _ONE_TOOL
    if unknown:
        raise Refused(
            f"Unknown argument of {tool}: {', '.join(sorted(unknown))}. It takes action and"
            " arguments; what the action takes goes into arguments."
        )
    if "action" not in arguments:
        raise Refused(f"Invalid call of {tool}: action is missing.")
    wanted = arguments["action"]
    given = arguments.get("arguments", {})
    if surface == "dynamic":
        return known(wanted), given
    own = {one.name: one for one in ACTIONS if domain_tool(one.domain) == tool}
    if wanted not in tuple(own):
        raise Refused(f"Unknown action of {tool}: {wanted}. It has {', '.join(own)}.")
    return own[wanted], given


def _query(arguments: Mapping[str, Json]) -> str:
    unknown = set(arguments) - {"query"}
    if unknown:
        raise Refused(f"Unknown argument of {FIND}: {', '.join(sorted(unknown))}.")
    query = arguments.get("query")
    if not isinstance(query, str) or not query.strip():
        raise Refused(f"Invalid arguments for {FIND}: query must be a text that is not blank.")
    return query


def _shown(action: Action) -> Json:
    return {"id": action.id, "description": action.description, "schema": action.schema}


def _finding() -> Offered:
    return Offered(
        FIND,
        f"Finds actions of the workshop by what they do, and returns up to {FOUND_AT_ONCE} of them"
        f" with id, description and the schema of their arguments. {RUN} runs one. There are"
        f" {len(ACTIONS)} in these domains: {', '.join(DOMAINS)}.",
        {
            "type": "object",
            "properties": {
                "query": {
                    "type": "string",
                    "minLength": 1,
                    "description": "What is to be done, in a few words: move a part.",
                }
            },
            "required": ["query"],
            "additionalProperties": False,
        },
        reads=True,
    )


def _running() -> Offered:
    return Offered(
        RUN,
        f"Runs one action of the workshop. {FIND} says which there are and what each takes.",
        _one_tool(
            {"type": "string", "description": f"The action's id, as {FIND} returns it."},
            {"type": "object", "description": "What the action takes, by its own schema."},
        ),
        destroys=True,
    )


def _of_domain(domain: str) -> Offered:
    actions = [action for action in ACTIONS if action.domain == domain]
    lines = (f"- {action.name}({_signature(action)}): {action.description}" for action in actions)
    properties = {one.name: one for action in actions for one in action.takes}
    return Offered(
        domain_tool(domain),
        "\n".join((f"All that can be done with {domain}s. Each action has its arguments:", *lines)),
        _one_tool(
            {
                "type": "string",
                "enum": [action.name for action in actions],
                "description": "What is to be done.",
            },
            {
                "type": "object",
                "description": "What the action takes, and nothing else.",
                "properties": {name: one.described() for name, one in properties.items()},
            },
        ),
        destroys=any(action.destructive for action in actions),
    )


def _one_tool(action: Json, arguments: Json) -> Mapping[str, Json]:
    return {
        "type": "object",
        "properties": {"action": action, "arguments": arguments},
        "required": ["action"],
        "additionalProperties": False,
    }


def _of_action(action: Action) -> Offered:
    return Offered(
        action_tool(action),
        action.description,
        action.schema,
        reads=not action.changes,
        destroys=action.destructive,
    )


def _signature(action: Action) -> str:
    return ", ".join(one.name if one.required else f"{one.name}?" for one in action.takes)


def _stems(text: str) -> list[str]:
    words = _WORD.findall(text.casefold())
    return [_PLURAL.sub("", word) for word in words if word not in _IDLE]


def _words(action: Action) -> Counter[str]:
    """What an action speaks of; its own name counts three times, its arguments once."""
    spoken = [*_stems(action.id.replace("_", " ")) * 3, *_stems(f"{action.says} {action.also}")]
    return Counter(spoken + [stem for one in action.takes for stem in _stems(one.says)])


def _score(asked: Iterable[str], words: Counter[str]) -> float:
    length = sum(words.values())
    return sum(
        _RARITY[word] * words[word] / (words[word] + 0.5 + length / _AVERAGE)
        for word in asked
        if word in words
    )


_INDEX: tuple[tuple[Action, Counter[str]], ...] = tuple((one, _words(one)) for one in ACTIONS)
_SPREAD = Counter(word for _, words in _INDEX for word in words)
_RARITY: Mapping[str, float] = {
    word: log(1 + len(ACTIONS) / times) for word, times in _SPREAD.items()
}
_AVERAGE = sum(sum(words.values()) for _, words in _INDEX) / len(ACTIONS)
