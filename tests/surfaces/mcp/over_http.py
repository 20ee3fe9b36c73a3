"""A real web server on the loopback interface, with the door mounted in it as a server of ours would."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import Future
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from itertools import cycle
from time import monotonic
from typing import Any

import httpx2
import uvicorn
from mcp.client.streamable_http import streamable_http_client
from starlette.applications import Starlette
from starlette.routing import Route

from astragal.surfaces.mcp.http import Admission, SeatGateway
from astragal.surfaces.shared.context import AppContext
from tests.patience import LONG
from tests.surfaces.mcp.driving import Driver, Person, driving

OLDER = "2025-11-25"
HOSTS, ORIGINS = ("127.0.0.1:*",), ("http://127.0.0.1:*",)


@dataclass
class Lodge:
    """Where passes are kept, and can be taken back; and the server that asks for them."""

    url: str
    door: SeatGateway
    passes: dict[str, Admission]
    loop: Future[asyncio.AbstractEventLoop] = field(default_factory=Future)
    """The server's own, once it runs."""

    def admit(self, token: str, table: str, seat: str, **how: object) -> str:
        self.passes[token] = Admission(table, seat, **how)  # type: ignore[arg-type]
        return token

    def review(self) -> None:
        """What the server does now and then, done now."""
        asyncio.run_coroutine_threadsafe(self.door.review(), self.loop.result()).result()


@contextmanager
def serving(house: AppContext, hours: Callable[[], float] = monotonic) -> Iterator[Lodge]:
    """The server, until the test is over. The socket listens before anybody connects: nothing has to be waited for."""
    passes: dict[str, Admission] = {}
    door = SeatGateway(house, passes.get, addresses=lambda: (HOSTS, ORIGINS), clock=hours)
    listens = socket.create_server(("127.0.0.1", 0))
    listens.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # asyncio sets it for sockets of its own making alone
    lodge = Lodge(f"http://127.0.0.1:{listens.getsockname()[1]}/mcp", door, passes)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        lodge.loop.set_result(asyncio.get_running_loop())
        async with door.open():
            yield

    app = Starlette(routes=[Route("/mcp", endpoint=door)], lifespan=lifespan)
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", ws="none"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listens]})
    thread.start()
    try:
        yield lodge
    finally:
        server.should_exit = True
        thread.join()
        listens.close()


def caller(**how: Any) -> httpx2.AsyncClient:
    """A client of servers on this machine. It loads no certificates, which would take longer than most tests do."""
    return httpx2.AsyncClient(timeout=LONG, verify=False, **how)


@asynccontextmanager
async def driving_over_http(
    lodge: Lodge,
    token: str,
    era: str = "auto",
    person: Person | None = None,
    transport: httpx2.AsyncBaseTransport | None = None,
) -> AsyncIterator[Driver]:
    async with (
        caller(headers=bearing(token), transport=transport) as http,
        driving(streamable_http_client(lodge.url, http_client=http), era, person) as drive,
    ):
        yield drive


class InTurns(httpx2.AsyncHTTPTransport):
    """As a balancer between several servers: each request goes to the next of them."""

    def __init__(self, *lodges: Lodge) -> None:
        super().__init__(verify=False)
        self._urls = cycle(httpx2.URL(lodge.url) for lodge in lodges)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        request.url = request.url.copy_with(port=next(self._urls).port)
        return await super().handle_async_request(request)


def bearing(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def asked(lodge: Lodge, headers: dict[str, str], call: dict[str, Any] | None = None) -> httpx2.Response:
    """A bare request, as no client of ours would send it."""
    call = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}, **(call or {})}
    kinds = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    async with caller() as http:
        return await http.post(lodge.url, json=call, headers={**kinds, **headers})


async def session_of(lodge: Lodge, token: str) -> dict[str, str]:
    """The headers of a session of the older protocol, just opened."""
    hello = {"protocolVersion": OLDER, "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    opened = await asked(lodge, bearing(token), {"method": "initialize", "params": hello})
    return {"mcp-session-id": opened.headers["mcp-session-id"], "mcp-protocol-version": OLDER}


@asynccontextmanager
async def listening(lodge: Lodge, token: str) -> AsyncIterator[httpx2.Response]:
    """The stream on which a client of the older protocol waits for whatever comes."""
    headers = {**await session_of(lodge, token), **bearing(token), "Accept": "text/event-stream"}
    async with caller() as http, http.stream("GET", lodge.url, headers=headers) as stream:
        yield stream
