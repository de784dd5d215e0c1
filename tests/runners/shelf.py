"""A subject of the tests' own: an MCP server over a shelf of books, and its keeper.

    python shelf.py serve SURFACE [MODE]
    python shelf.py keep [MODE]

The shelf lies as JSON in the folder that ASSAY_SCENE names. Five actions, on three surfaces; a mode
is a way to misbehave. The protocol is spoken by hand, so that it starts at once and can be broken.
"""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

Json = Any
Shelf = dict[str, dict[str, Json]]

TEXT = {"type": "string", "minLength": 1}


def _schema(*required: str, **properties: Json) -> dict[str, Json]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


ACTIONS: Mapping[str, tuple[str, dict[str, Json]]] = {
    "book.list": ("All books.", _schema()),
    "book.show": ("One book.", _schema("book", book=TEXT)),
    "book.add": (
        "Puts a book on the shelf.",
        _schema("title", title=TEXT, pages={"type": "integer"}),
    ),
    "book.retitle": (
        "Gives a book another title.",
        _schema("book", "title", book=TEXT, title=TEXT),
    ),
    "book.burn": ("Burns a book.", _schema("book", book=TEXT, confirm={"type": "boolean"})),
}
"""By id: what it does, and what it takes."""

FIND, RUN = "find_action", "run_action"
SURFACES = ("dynamic", "meta", "individual")
REFUSED = "^(Unknown|Invalid|Not confirmed)"


class RefusedError(Exception):
    """A call that nothing was done for."""


class FailedError(Exception):
    """A call that was taken, and came to nothing."""


def published(surface: str) -> list[dict[str, Json]]:
    """The tools of a surface."""
    one = _schema("action", action=TEXT, arguments={"type": "object"})
    if surface == "dynamic":
        return [
            _tool(FIND, "Finds actions.", _schema("query", query=TEXT)),
            _tool(RUN, "Runs.", one),
        ]
    if surface == "meta":
        return [_tool("book", "All about books: list, show, add, retitle, burn.", one)]
    return [_tool(name.replace(".", "_"), *about) for name, about in ACTIONS.items()]


def _tool(name: str, says: str, schema: dict[str, Json]) -> dict[str, Json]:
    return {"name": name, "description": says, "inputSchema": schema}


def _path() -> Path:
    return Path(os.environ["ASSAY_SCENE"]) / "shelf.json"


def _read() -> Shelf:
    return dict(json.loads(_path().read_text("utf-8"))) if _path().exists() else {}


def _write(shelf: Shelf) -> None:
    _path().write_text(json.dumps(shelf), "utf-8")


def _put(shelf: Shelf, title: str, pages: int | None = None) -> dict[str, Json]:
    number = f"{len(shelf) + 1:04x}-{len(title):04x}"
    shelf[number] = {"name": title, "pages": pages}
    return _thing(shelf, number)


def _thing(shelf: Shelf, number: str) -> dict[str, Json]:
    return {"id": number, "short": number[:4], **shelf[number]}


def _found(shelf: Shelf, named: str) -> str:
    for number, book in shelf.items():
        if named in {number, number[:4], book["name"]}:
            return number
    raise FailedError(f"There is no book {named}.")


def _resolved(surface: str, name: str, given: dict[str, Json]) -> tuple[str, Json]:
    if surface == "individual":
        return name.replace("_", "."), given
    action = str(given.get("action"))
    return action if surface == "dynamic" else f"book.{action}", given.get("arguments", {})


def done(surface: str, name: str, given: dict[str, Json]) -> Json:
    """What a call comes to."""
    offered = {tool["name"]: tool["inputSchema"]["properties"] for tool in published(surface)}
    if name not in offered:
        raise RefusedError(f"Unknown tool: {name}")
    if set(given) - set(offered[name]):
        raise RefusedError(f"Invalid arguments of {name}")
    if name == FIND:
        return [{"id": action, "schema": about[1]} for action, about in ACTIONS.items()]
    action, taken = _resolved(surface, name, given)
    if action not in ACTIONS:
        raise RefusedError(f"Unknown action: {action}")
    schema = ACTIONS[action][1]
    if not isinstance(taken, dict) or set(taken) - set(schema["properties"]):
        raise RefusedError(f"Invalid arguments of {action}")
    if set(schema["required"]) - set(taken):
        raise RefusedError(f"Invalid arguments of {action}: one is missing")
    if any(not isinstance(taken[text], str) for text in ("book", "title") if text in taken):
        raise RefusedError(f"Invalid arguments of {action}: no text")
    if action == "book.burn" and taken.get("confirm") is not True:
        raise RefusedError("Not confirmed")
    shelf = _read()
    result = _carried_out(action, shelf, taken)
    _write(shelf)
    return result


def _carried_out(action: str, shelf: Shelf, taken: dict[str, Json]) -> Json:
    if action == "book.list":
        return [_thing(shelf, number) for number in shelf]
    if action == "book.add":
        return _put(shelf, taken["title"], taken.get("pages"))
    number = _found(shelf, taken["book"])
    if action == "book.burn":
        return shelf.pop(number)
    if action == "book.retitle":
        shelf[number]["name"] = taken["title"]
    return _thing(shelf, number)


# The server


def _say(message: Json) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def serve(surface: str, mode: str) -> None:
    """Answer until the input ends."""
    if mode == "ends":
        sys.exit("the shelf fell down")
    for line in sys.stdin:
        asked = json.loads(line)
        if mode == "noise":
            sys.stdout.write('Shelf 1.0 ready!\n{"no": "message"}\n\n\x00\xff\n')
        if "id" in asked and "method" in asked:
            answer = _answer(surface, mode, asked["method"], asked.get("params") or {})
            _say({"jsonrpc": "2.0", "id": asked["id"], **answer})


def _answer(surface: str, mode: str, method: str, params: dict[str, Json]) -> dict[str, Json]:
    if method == "initialize":
        if mode == "mute":
            time.sleep(1000)
        if mode == "refuses":
            return {"error": {"code": -32603, "message": "not today"}}
        info = {"name": "shelf", "version": "1"}
        version = params["protocolVersion"]
        return {
            "result": {
                "protocolVersion": version,
                "capabilities": {"tools": {}},
                "serverInfo": info,
            }
        }
    if method == "tools/list":
        return _listed(surface, mode, params)
    if method == "tools/call":
        return _called(surface, mode, params["name"], params.get("arguments") or {})
    return {"error": {"code": -32601, "message": f"no {method}"}}


def _listed(surface: str, mode: str, params: dict[str, Json]) -> dict[str, Json]:
    tools = published(surface)
    match mode:
        case "others":
            tools.append(_tool("library_close", "Not in the catalogue.", _schema()))
        case "lacks":
            tools.pop()
        case "twice":
            tools.append(tools[0])
        case "odd":
            return {"result": {"tools": "none"}}
        case "pages":
            at = int(params.get("cursor", "0"))
            more = {"nextCursor": str(at + 1)} if at + 1 < len(tools) else {}
            return {"result": {"tools": tools[at : at + 1], **more}}
        case "moody":
            tools[0]["description"] += str(time.time_ns())
        case _:
            pass
    return {"result": {"tools": tools}}


def _called(surface: str, mode: str, name: str, given: dict[str, Json]) -> dict[str, Json]:
    _misbehave(mode)
    if mode == "echo":
        return {"result": {"content": [{"type": "text", "text": json.dumps(given)}]}}
    if mode == "structured":
        return {"result": {"content": [], "structuredContent": {"given": given}}}
    if mode == "parts":
        image = {"type": "image", "data": "aGk=", "mimeType": "image/png"}
        parts = [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}, image]
        return {"result": {"content": parts}}
    if mode == "protocol":
        return {"error": {"code": -32602, "message": f"no such tool: {name}"}}
    if mode == "broken":
        return {"result": {"content": "this is no list"}}
    try:
        text, failed = json.dumps(done(surface, name, given)), False
    except (RefusedError, FailedError) as fault:
        text, failed = str(fault), True
    return {"result": {"content": [{"type": "text", "text": text}], "isError": failed}}


def _misbehave(mode: str) -> None:
    """What ends or holds up a server in the middle of a call."""
    if mode == "dies":
        sys.exit("out of paper")
    if mode == "hangs":
        time.sleep(1000)
    if mode == "slow":
        time.sleep(0.3)
    if mode == "floods":
        while True:
            sys.stdout.write("flood " * 10_000)
    if mode == "notifies":
        while True:
            _say({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info"}})
    if mode.startswith("child="):
        child = subprocess.Popen(["/bin/sleep", "1000"])
        Path(mode.removeprefix("child=")).write_text(str(child.pid), "utf-8")
        os._exit(3)


# The keeper


def keep(mode: str) -> None:
    """Answer a line at a time."""
    if mode == "ends":
        sys.exit("no key to the library")
    for line in sys.stdin:
        asked = json.loads(line)
        do = asked["do"]
        if mode == f"{do}-hangs":
            time.sleep(1000)
        if mode == f"{do}-dies":
            sys.exit(f"no {do} today")
        said = json.dumps(_kept(mode, do, asked))
        print("what?" if mode == f"{do}-noise" else said, flush=True)  # noqa: T201


def _kept(mode: str, do: str, asked: dict[str, Json]) -> Json:
    if mode == f"{do}-fails":
        return {"error": f"no {do}"}
    if mode == f"{do}-odd":
        return {"made": {}, "state": {"book": ["none"]}}
    if mode == f"{do}-list":
        return [do]
    acts: Mapping[str, Callable[[dict[str, Json]], Json]] = {
        "make": _made,
        "state": lambda _: {"state": {"book": _read()}},
        "remove": _removed,
    }
    return acts[do](asked)


def _removed(asked: dict[str, Json]) -> Json:
    del asked
    _path().unlink(missing_ok=True)
    return {}


def _made(asked: dict[str, Json]) -> Json:
    shelf = _read() or {"0000-world": {"name": "The World", "pages": 1}}
    made = {}
    for name, fixture in asked["fixtures"].items():
        title = re.sub(r"\{mark\}", asked["mark"], fixture["with"]["name"])
        made[name] = _put(shelf, title, fixture["with"].get("pages"))
    _write(shelf)
    return {"made": made}


def _words() -> Iterator[str]:
    yield from sys.argv[1:]
    while True:
        yield ""


if __name__ == "__main__":
    words = _words()
    if next(words) == "serve":
        serve(next(words), next(words))
    else:
        keep(next(words))
