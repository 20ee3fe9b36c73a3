"""The tools of the MCP server in docs/reference/mcp-tools.md. `python -m tests.surfaces.mcp.tools_page` writes it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from astragal.storage import open_store
from astragal.surfaces.mcp.server import build_server
from astragal.surfaces.shared.context import AppContext
from astragal.wiring import all_games, host_of

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "mcp-tools.md"
BEGIN = "<!-- From here on written by python -m tests.surfaces.mcp.tools_page -->"


def current() -> str:
    """The page as it should be: its own words, and then every tool with what it takes."""
    own, mark, _ = PAGE.read_text("utf-8").partition(BEGIN)
    return own + (mark or BEGIN) + "\n\n" + "\n".join(_written())


def _written() -> Iterator[str]:
    store = open_store("memory:")
    try:
        server = build_server(AppContext(host_of(store, all_games()), store))
        tools = asyncio.run(server.list_tools())
    finally:
        store.close()
    for tool in tools:
        schema: dict[str, Any] = tool.input_schema
        yield f"## `{tool.name}`\n"
        yield f"{_line(tool.description or '')}\n"
        if fields := schema.get("properties", {}):
            yield "| argument | takes | what it says |"
            yield "|---|---|---|"
            for name, one in fields.items():
                needed = ", needed" if name in schema.get("required", ()) else ""
                yield f"| `{name}` | {_type(one)}{needed} | {_line(one.get('description', ''))} |"
            yield ""


def _type(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return ", ".join(f"`{one}`" for one in schema["enum"] if one)
    if "anyOf" in schema:
        return " or ".join(kind for one in schema["anyOf"] if (kind := _type(one)) != "null")
    return str(schema.get("type", "any")).replace("array", "list").replace("object", "fields")


def _line(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(current(), encoding="utf-8")
