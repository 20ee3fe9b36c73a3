"""MCP server for the benchmarks, in a process of its own: over stdio, or over HTTP, on loopback alone.

It is the server that ships, without the rate limit that keeps a single client from flooding it. Beside it is a server
that does nothing, to measure what a call costs before any code of ours runs.
"""

import json
import socket
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from mcp.server.mcpserver import MCPServer
from starlette.applications import Starlette
from starlette.routing import Route

from astragal.rulesets.sinew_steel import SINEW_STEEL
from astragal.storage import open_store
from astragal.surfaces.mcp import http
from astragal.surfaces.mcp.results import TableDescription
from astragal.surfaces.mcp.server import build_server, serve_stdio
from astragal.surfaces.shared.context import AppContext
from astragal.wiring import host_of

TABLES, PLAYERS = 10, 4
"""Fifty seats, with the game master's."""


def main() -> None:
    how, path = sys.argv[1:]
    if how == "idle":
        serve_stdio(idle())
        return
    store = open_store(path)
    house = AppContext(host_of(store, [SINEW_STEEL]), store)
    try:
        if how == "stdio":
            serve_stdio(build_server(house))
        else:
            serve_http(house)
    finally:
        store.close()


def idle() -> MCPServer:
    server: MCPServer = MCPServer("idle", log_level="ERROR")

    @server.tool()
    def look() -> TableDescription:
        return TableDescription(table="", game="", you="")

    return server


def serve_http(house: AppContext) -> None:
    """Print its port and its tokens in one line, then serve until told to end."""
    seats = {f"token-{number}": seat for number, seat in enumerate(_seats(house))}
    door = http.SeatGateway(house, seats.get, addresses=lambda: (["127.0.0.1:*"], []), clock=in_a_hurry)

    beside = idle()
    routes = beside.streamable_http_app(streamable_http_path="/idle").routes

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with door.open(), beside.session_manager.run():
            yield

    app = Starlette(routes=[Route("/mcp", endpoint=door), *routes], lifespan=lifespan)
    listens = socket.create_server(("127.0.0.1", 0))
    listens.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # asyncio sets it only for sockets it makes itself
    print(json.dumps({"port": listens.getsockname()[1], "tokens": list(seats)}), flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="error", ws="none")).run(sockets=[listens])


def in_a_hurry() -> float:
    """Clock by which no client is too fast."""
    return time.monotonic() * 1000


def _seats(house: AppContext) -> list[http.Admission]:
    """Create tables that a program runs for programs, each player with a hero.

    The first player is the person at the game master's client.
    """
    assert SINEW_STEEL.heroes is not None
    hero = next(iter(SINEW_STEEL.heroes.samples(SINEW_STEEL.options()).values()))
    found = []
    for number in range(TABLES):
        opened = house.host.open(SINEW_STEEL.id, name=f"Table {number}", game_master="AI", ai=True)
        found.append(http.Admission(opened.table, opened.seat, player="P0"))
        for player in range(PLAYERS):
            taken = house.host.act(opened.table, opened.seat, ("take_seat", {"name": f"P{player}", "ai": True}))
            seat = taken.events[0].fields["seat"]["id"]
            house.host.act(opened.table, seat, (SINEW_STEEL.heroes.make, {**hero, "name": f"Hero {player}"}))
            found.append(http.Admission(opened.table, seat))
    return found


if __name__ == "__main__":
    main()
