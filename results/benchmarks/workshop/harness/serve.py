"""The MCP server of the workshop, on standard input and output.

    python serve.py --surface dynamic

The database lies in the folder that the environment variable ASSAY_SCENE names.
"""

from __future__ import annotations

import argparse
import json
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from workshop.declaration import Refused
from workshop.store import Store, StoreError, scene
from workshop.surfaces import SURFACES, Offered, answer, offered

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

NAME = "workshop"
VERSION = "1.0.0"
INSTRUCTIONS = (
    "The books of a repair workshop: parts, suppliers, customers, machines, repair orders,"
    " invoices, shifts and notes. A thing may be named by its id, by the first six characters of"
    " its id or by its whole name. Nothing is destroyed unless confirm is true."
)


def server(surface: str, store: Store) -> Server[Any]:
    """A server that offers the workshop on one surface."""

    async def tools(
        _context: ServerRequestContext[Any], _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_tool(one) for one in offered(surface)])

    async def call(
        _context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        try:
            said = answer(surface, store, params.name, params.arguments or {})
        except (Refused, StoreError) as error:
            return _result(str(error), failed=True)
        return _result(json.dumps(said, ensure_ascii=False), failed=False)

    return Server(
        NAME, version=VERSION, instructions=INSTRUCTIONS, on_list_tools=tools, on_call_tool=call
    )


def _tool(one: Offered) -> types.Tool:
    return types.Tool(
        name=one.name,
        description=one.description,
        input_schema=dict(one.schema),
        annotations=types.ToolAnnotations(read_only_hint=one.reads, destructive_hint=one.destroys),
    )


def _result(text: str, *, failed: bool) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)], is_error=failed
    )


async def serve(surface: str) -> None:
    """Answer until the other side hangs up."""
    store = Store(scene())
    try:
        serving = server(surface, store)
        async with stdio_server() as (read, write):
            await serving.run(read, write, serving.create_initialization_options())
    finally:
        store.close()


def main() -> None:
    """Read the surface from the command line, and serve it."""
    parser = argparse.ArgumentParser(description="The MCP server of the workshop.")
    parser.add_argument("--surface", choices=SURFACES, default=SURFACES[0])
    anyio.run(partial(serve, parser.parse_args().surface))


if __name__ == "__main__":
    main()
