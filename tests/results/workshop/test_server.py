from __future__ import annotations

import json
import os
import sys
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from time import perf_counter
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.types import CallToolResult, TextContent
from serve import NAME, VERSION, server
from workshop.actions import ACTIONS
from workshop.declaration import Action
from workshop.store import Store
from workshop.surfaces import SURFACES, called, offered

from tests.results.workshop.samples import SAMPLES

SERVE = Path(__file__).parents[3] / "results" / "benchmarks" / "workshop" / "harness" / "serve.py"
SECONDS_TO_START = 20
"""Far more than it takes: a machine may be busy."""


def asked(surface: str, store: Store, ask: Callable[[Client], Awaitable[None]]) -> None:
    """Let a client ask a server on a surface, in one process."""

    async def session() -> None:
        async with Client(server(surface, store)) as client:
            await ask(client)

    anyio.run(session)


def text_of(result: CallToolResult) -> str:
    """The one text that a call came back with."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


def call_of(action: Action, surface: str, arguments: Mapping[str, Any]) -> tuple[str, Any]:
    """The tool that an action is called by on a surface, and what with."""
    by = called(action)[surface]
    inner = dict(arguments)
    return by["tool"], {"action": by["action"], "arguments": inner} if "action" in by else inner


@pytest.mark.parametrize("surface", SURFACES)
def test_every_action_does_the_same_on_every_surface(store: Store, surface: str) -> None:
    """Whatever a surface calls it, the answer is JSON and the state is what the action makes."""

    async def ask(client: Client) -> None:
        for action in ACTIONS:
            before = store.state()
            result = await client.call_tool(*call_of(action, surface, SAMPLES[action.id]))
            assert not result.is_error, (action.id, text_of(result))
            assert isinstance(json.loads(text_of(result)), dict)
            assert (store.state() != before) is action.changes
            _refurnish(store)

    asked(surface, store, ask)


def _refurnish(store: Store) -> None:
    from workshop.world import furnish

    store.clear()
    with store.transaction():
        furnish(store)


@pytest.mark.parametrize("surface", SURFACES)
def test_nothing_is_destroyed_without_confirmation_on_any_surface(
    store: Store, surface: str
) -> None:
    """The refusal reaches the client as an error result, and the store stays as it was."""
    before = store.state()

    async def ask(client: Client) -> None:
        for action in ACTIONS:
            if action.destructive:
                sample = {k: v for k, v in SAMPLES[action.id].items() if k != "confirm"}
                result = await client.call_tool(*call_of(action, surface, sample))
                assert result.is_error
                assert text_of(result).startswith("Not confirmed: ")

    asked(surface, store, ask)
    assert store.state() == before


@pytest.mark.parametrize(
    ("surface", "tool", "arguments", "says"),
    [
        ("dynamic", "part_read", {}, "Unknown tool: part_read."),
        ("dynamic", "run_action", {}, "Invalid call of run_action: action is missing."),
        ("dynamic", "run_action", {"action": "part.reed"}, "Unknown action: part.reed. Did you"),
        ("dynamic", "run_action", {"action": ["part.read"]}, "Unknown action: "),
        ("dynamic", "run_action", {"action": "part.read"}, "Invalid arguments for part.read: part"),
        (
            "dynamic",
            "run_action",
            {"action": "part.read", "part_id": "x"},
            "Unknown argument of run_action: part_id. It takes action and arguments;",
        ),
        (
            "dynamic",
            "run_action",
            {"action": "part.read", "arguments": "x"},
            "Invalid arguments for part.read: an object is expected.",
        ),
        ("dynamic", "find_action", {"query": " "}, "Invalid arguments for find_action: query"),
        ("dynamic", "find_action", {"words": "x"}, "Unknown argument of find_action: words."),
        ("meta", "workshop_part", {"action": "cancel"}, "Unknown action of workshop_part: cancel."),
        ("meta", "workshop_part", {"action": "part.read"}, "Unknown action of workshop_part: "),
        ("meta", "workshop_parts", {}, "Unknown tool: workshop_parts. Did you mean workshop_part?"),
        ("individual", "part_reed", {}, "Unknown tool: part_reed. Did you mean part_read?"),
        ("individual", "part_read", {"part": "x"}, "Unknown argument of part.read: part."),
        ("individual", "part_read", {"part_id": "x"}, "No such part: x."),
    ],
)
def test_a_call_that_means_nothing_is_answered_in_plain_words(
    store: Store, surface: str, tool: str, arguments: Mapping[str, Any], says: str
) -> None:
    """Whoever called can see what to do instead."""

    async def ask(client: Client) -> None:
        result = await client.call_tool(tool, dict(arguments))
        assert result.is_error
        assert text_of(result).startswith(says)

    asked(surface, store, ask)


def test_what_is_found_can_be_run_as_it_stands(store: Store) -> None:
    """An answer of the search has what a call needs: id, description and schema."""

    async def ask(client: Client) -> None:
        result = await client.call_tool("find_action", {"query": "move a part to another shelf"})
        (first, *_) = json.loads(text_of(result))["actions"]
        assert first["id"] == "part.relocate"
        assert first["schema"]["required"] == ["part_id", "shelf_code"]
        assert "another shelf" in first["description"]

    asked("dynamic", store, ask)


@pytest.mark.parametrize(("surface", "count"), [("dynamic", 2), ("meta", 8), ("individual", 46)])
def test_a_server_of_its_own_starts_and_publishes_its_tools(
    tmp_path: Path, surface: str, count: int
) -> None:
    """Over standard input and output: names, descriptions, schemas and hints, and an answer."""

    async def session() -> None:
        started = perf_counter()
        parameters = StdioServerParameters(
            command=sys.executable,
            args=[str(SERVE), "--surface", surface],
            env={**os.environ, "ASSAY_SCENE": str(tmp_path)},
        )
        async with Client(stdio_client(parameters)) as client:
            tools = (await client.list_tools()).tools
            assert perf_counter() - started < SECONDS_TO_START
            info = client.server_info
            assert info is not None
            assert (info.name, info.version) == (NAME, VERSION)
            assert [tool.name for tool in tools] == [one.name for one in offered(surface)]
            assert len(tools) == count
            assert all(tool.description and tool.input_schema for tool in tools)
            read = next(action for action in ACTIONS if action.id == "part.search")
            result = await client.call_tool(*call_of(read, surface, {}))
            assert json.loads(text_of(result)) == {"total": 0, "found": []}

    anyio.run(session)
