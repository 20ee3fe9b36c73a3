"""MCP server over HTTP: a pass opens one seat at one table, and nothing else.

The newer protocol has no sessions: each call stands for itself, and its bearer token identifies the caller. So each
pass has one `McpSession` with a rate limit of its own. Sessions of the older protocol with the same pass share both.
"""

import hmac
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, MutableMapping, Sequence
from contextlib import asynccontextmanager
from hashlib import sha256
from typing import Any, Self, TypeAlias

import anyio
import anyio.abc
import anyio.to_thread
from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from msgspec import Struct

from astragal.surfaces.mcp.server import Rate, build_server
from astragal.surfaces.mcp.session import SeatBinding
from astragal.surfaces.mcp.tools.table import person_at_client
from astragal.surfaces.shared.context import AppContext, find_seat
from astragal.table.declarations import Role
from astragal.table.log.store import NoSuchTable, title_of
from astragal.table.refusals import NoSuchThing, Refusal

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]

MOST_PASSES_IN_USE = 256
MOST_SESSIONS = 8
"""Most sessions of the older protocol for each pass."""
FORMS = b"astragal mcp forms 1"
LARGEST = 256 * 1024
"""Most bytes of a request: the longest scene is a tenth of it."""
REVIEW_EVERY = 30.0
"""Seconds after which an idle open stream is ended if its pass was revoked."""


class Admission(Struct, frozen=True):
    """Access that a token gives. `player` is the seat of the person at the client, if that is not `seat`."""

    table: str
    seat: str
    player: str | None = None
    copilot: bool = False
    open_secrets: bool = False

    @classmethod
    def of(cls, table: str, seat: str, options: Mapping[str, Any]) -> Self:
        """Make one from the plain values that are stored with a token."""
        player = options.get("player")
        return cls(
            table,
            seat,
            player=str(player) if player else None,
            copilot=options.get("copilot") is True,
            open_secrets=options.get("open_secrets") is True,
        )


Admit: TypeAlias = Callable[[str], Admission | None]
"""Looks up the access that a token gives; None if it is unknown or was revoked."""


class OpenPass:
    """A pass in use: its session behind an MCP server of its own."""

    def __init__(self, token: str, admission: Admission, server: MCPServer) -> None:
        self.token = token
        self.given = admission
        self._server = server
        self._ends = anyio.CancelScope()
        self._calls = 0

    async def run(self, *, task_status: anyio.abc.TaskStatus[None]) -> None:
        with self._ends:
            async with self._server.session_manager.run():
                task_status.started()
                await anyio.sleep_forever()

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._calls += 1
        try:
            await self._server.session_manager.handle_request(scope, receive, send)
        finally:
            self._calls -= 1

    def end(self) -> None:
        """End its sessions and open streams, and everything that still waits in them."""
        self._ends.cancel()

    @property
    def is_idle(self) -> bool:
        return not self._calls


class SeatGateway:
    """ASGI application, to be mounted for example at `/mcp`. Enter `open()` in the lifespan of the mounting server.

    `addresses` returns the hosts and origins under which the server is reached now (`table.example`, `127.0.0.1:*`): a
    browser that a page of another name leads here is rejected. `clock` returns monotonic seconds.
    """

    def __init__(
        self,
        house: AppContext,
        admit: Admit,
        *,
        addresses: Callable[[], tuple[Iterable[str], Iterable[str]]],
        clock: Callable[[], float],
    ) -> None:
        self._house = house
        self._admit = admit
        self._addresses = addresses
        self._clock = clock
        self._security = TransportSecuritySettings()
        self._sittings: dict[bytes, OpenPass] = {}
        self._sitting_down = anyio.Lock()
        self._tasks: anyio.abc.TaskGroup | None = None

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        async def review_now_and_then() -> None:
            while True:
                await anyio.sleep(REVIEW_EVERY)
                await self.review()

        async with anyio.create_task_group() as self._tasks:
            self._tasks.start_soon(review_now_and_then)
            try:
                yield
            finally:
                self._sittings.clear()
                self._tasks.cancel_scope.cancel()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        kind, _, token_text = dict(scope["headers"]).get(b"authorization", b"").decode("latin-1").partition(" ")
        token = token_text.strip() if kind.casefold() == "bearer" else ""
        admission = await self._given(token)
        if admission is None:
            self._end(token)
            wrong = b'Bearer realm="astragal"' + (b', error="invalid_token"' if token else b"")
            await _say(send, 401, "A bearer token that opens a seat is needed.", [(b"www-authenticate", wrong)])
            return
        try:
            sitting = await self._sitting(token, admission)
        except Refusal as refusal:
            await _say(send, 403, refusal.sentence)
            return
        if sitting is None:
            await _say(send, 503, "Too many programs are connected; try again in a minute.", [(b"retry-after", b"60")])
            return
        hosts, origins = self._addresses()
        self._security.allowed_hosts, self._security.allowed_origins = sorted(hosts), sorted(origins)
        await sitting.answer(scope, receive, send)

    async def review(self) -> None:
        """Look up every pass again, and end those that were revoked or changed."""
        for sitting in list(self._sittings.values()):
            if await self._given(sitting.token) != sitting.given:
                self._end(sitting.token)

    # ------------------------------------------------------------ sittings

    async def _given(self, token: str) -> Admission | None:
        return await anyio.to_thread.run_sync(self._admit, token) if token else None

    async def _sitting(self, token: str, admission: Admission) -> OpenPass | None:
        """Return the pass's own sitting, which is made on first use."""
        key = _key(token)
        open_pass = self._sittings.get(key)
        if open_pass is None or open_pass.given != admission:
            async with self._sitting_down:
                open_pass = self._sittings.get(key)
                if open_pass is None or open_pass.given != admission:
                    self._end(token)
                    open_pass = await self._open_pass(token, admission)
        if open_pass is not None:
            self._sittings[key] = self._sittings.pop(key, open_pass)  # least recently used first
        return open_pass

    async def _open_pass(self, token: str, admission: Admission) -> OpenPass | None:
        if len(self._sittings) >= MOST_PASSES_IN_USE:  # evict the least recently used one without calls
            idle = next((sitting for sitting in self._sittings.values() if sitting.is_idle), None)
            if idle is None:
                return None
            self._end(idle.token)
        if self._tasks is None:
            raise RuntimeError("The door is not open: enter open() in the lifespan of the server.")
        server = await anyio.to_thread.run_sync(self._server_for, token, admission)
        sitting = OpenPass(token, admission, server)
        await self._tasks.start(sitting.run)
        self._sittings[_key(token)] = sitting
        return sitting

    def _end(self, token: str) -> None:
        sitting = self._sittings.pop(_key(token), None)
        if sitting is not None:
            sitting.end()

    def _server_for(self, token: str, admission: Admission) -> MCPServer:
        """Build the server of a pass. Its key for forms is made of the token, so that any process accepts a form."""
        server = build_server(
            self._house,
            place=place_of(self._house, admission),
            open_secrets=admission.open_secrets,
            pace=Rate(self._clock),
            forms=hmac.digest(token.encode(), FORMS, "sha256"),
        )
        server.streamable_http_app(  # makes the session manager; the routes are the mounting server's
            transport_security=self._security, max_request_body_size=LARGEST, max_sessions=MOST_SESSIONS
        )
        return server


def place_of(house: AppContext, admission: Admission) -> SeatBinding:
    """Return the place that a pass names.

    Someone with a game master's pass is no player unless the pass says so: players decide in their own window.
    """
    try:
        title = title_of(house.store, admission.table)
    except NoSuchTable:  # the list of tables is none of this token's business
        raise NoSuchThing("The table of this token is no longer there.") from None
    seats = house.seats_at(title)
    seat = find_seat(seats, admission.seat)
    if admission.player and not admission.copilot:
        person: str | None = find_seat(seats, admission.player).id
    elif seat.role is Role.GAME_MASTER and not admission.copilot:
        person = None
    else:
        person = person_at_client(seats, seat, copilot=admission.copilot)
    return SeatBinding(title.id, seat.id, person=person, copilot=admission.copilot, bound=True)


# ---------------------------------------------------------------- HTTP


def _key(token: str) -> bytes:
    return sha256(token.encode()).digest()


async def _say(send: Send, status: int, sentence: str, headers: Sequence[tuple[bytes, bytes]] = ()) -> None:
    body = json.dumps({"error": sentence}).encode()
    length = (b"content-length", str(len(body)).encode())
    start = [(b"content-type", b"application/json"), length, *headers]
    await send({"type": "http.response.start", "status": status, "headers": start})
    await send({"type": "http.response.body", "body": body})
