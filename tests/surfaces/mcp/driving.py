"""A real client at a real server: what the tests of the MCP surface drive."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp import Client, StdioServerParameters
from mcp.client import Transport, session
from mcp.server.mcpserver import MCPServer

from astragal.storage import open_store
from astragal.surfaces.shared.context import AppContext
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.log.store import Store
from astragal.table.refusals import Refusal
from astragal.wiring import host_of
from tests.patience import LONG
from tests.surfaces.cli.daring import DARING
from tests.table.seated import ScriptedDice, new_host

ERAS = ("auto", "legacy")
"""The newer protocol asks in rounds of a call, the older one in the middle of it."""
both_eras = pytest.mark.parametrize("era", ERAS)
EVERY_TOOL = frozenset(
    {
        "table",
        "look",
        "actions",
        "act",
        "answer",
        "odds",
        "advise",
        "scene",
        "narrate",
        "secret",
        "recap",
        "verify",
    }
)

_VALIDATORS: dict[str, Any] = {}


def _validator_made_once(validator: Callable[..., Any]) -> Callable[..., Any]:
    """A client checks the schema of each tool's results before the first, which takes longer than most calls do.

    Equal schemas are checked once.
    """

    def made(client: session.ClientSession, name: str, schema: dict[str, Any]) -> Any:
        written = json.dumps(schema)
        if written not in _VALIDATORS:
            _VALIDATORS[written] = validator(client, name, schema)
        return _VALIDATORS[written]

    return made


_checked = session.ClientSession._output_schema_validator  # noqa: SLF001 - there is no other way to share them
session.ClientSession._output_schema_validator = _validator_made_once(_checked)  # type: ignore[method-assign] # noqa: SLF001
session.DISCOVER_TIMEOUT_SECONDS = LONG  # a server that is slow to start is not taken for one of the older protocol


@dataclass
class Person:
    """Somebody in front of the client: what they say to each form, and what they were asked."""

    says: Callable[[str, dict[str, Any]], dict[str, Any] | str]
    asked: list[str] = field(default_factory=list)

    async def form(self, _: Any, params: Any) -> types.ElicitResult:
        self.asked.append(params.message)
        said = self.says(params.message, params.requested_schema["properties"])
        if isinstance(said, str):
            return types.ElicitResult(action="decline" if said == "decline" else "cancel")
        return types.ElicitResult(action="accept", content=said)


def agreeable() -> Person:
    """Says yes, takes the best answer, of other options the last, and has something to say."""
    return Person(lambda _, form: {name: _taken(name, part) for name, part in form.items()})


def unwilling(how: str = "decline") -> Person:
    return Person(lambda _, form: how)


def _taken(name: str, part: dict[str, Any]) -> Any:
    if "enum" in part:
        return part["enum"][0 if name == "answer" else -1]
    return True if part.get("type") == "boolean" else "deep water"


@dataclass
class Reply:
    text: str
    data: dict[str, Any]
    refused: bool


@dataclass
class Driver:
    client: Client

    async def __call__(self, tool: str, /, **arguments: Any) -> Reply:
        result = await self.client.call_tool(tool, arguments)
        text = "\n".join(part.text for part in result.content if isinstance(part, types.TextContent))
        return Reply(text, result.structured_content or {}, bool(result.is_error))

    async def done(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """The structured result of a call that must not be refused."""
        reply = await self(tool, **arguments)
        assert not reply.refused, reply.text
        return reply.data

    async def refused(self, tool: str, /, **arguments: Any) -> str:
        """The sentence of a call that must be refused."""
        reply = await self(tool, **arguments)
        assert reply.refused, reply.text
        return reply.text

    async def open(self, game: str = "dare", **how: Any) -> str:
        """A table with Kira, whom Ann plays."""
        opened = await self.done("table", **{"do": "open", "game": game, "heroes": ["Kira"], "player": "Ann", **how})
        return str(opened["table"])


def scripted(path: Path, *faces: int, rulesets: Iterable[Ruleset] = (DARING,)) -> AppContext:
    """A house whose dice the test knows."""
    store = open_store(f"sqlite:///{path}/tables.db")
    return AppContext(new_host(store, ScriptedDice(faces), rulesets), store)


def honest(store: Store, rulesets: Iterable[Ruleset]) -> AppContext:
    """A house as `astragal mcp` has it."""
    games = list(rulesets)
    return AppContext(host_of(store, games), store)


@asynccontextmanager
async def driving(
    server: MCPServer | StdioServerParameters | Transport, era: str = "auto", person: Person | None = None
) -> AsyncIterator[Driver]:
    form: Any = person.form if person else None
    async with Client(server, elicitation_callback=form, mode=era) as client:
        yield Driver(client)


def play(work: Callable[[], Awaitable[None]]) -> None:
    """Run an evening to its end."""
    logging.disable(logging.CRITICAL)
    try:
        anyio.run(work)
    finally:
        logging.disable(logging.NOTSET)


def refusal_of(work: Callable[[], Any]) -> str:
    try:
        work()
    except Refusal as refusal:
        return refusal.code
    return "done"
