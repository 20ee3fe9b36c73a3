"""The web table for tests: every game, a store of its own, tables with seats and sample heroes, clients at seats."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import apsw
from anyio.from_thread import BlockingPortal
from fastapi import FastAPI
from msgspec.structs import replace
from starlette.testclient import TestClient

from astragal.storage import open_store, sqlite
from astragal.surfaces.shared.rate_limit import Pace
from astragal.surfaces.web.app import create_app
from astragal.surfaces.web.context import WebContext
from astragal.surfaces.web.security.auth import PassAuth, device_cookie
from astragal.surfaces.web.settings import Settings
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.host import Host
from astragal.table.log.store import PassKind
from astragal.wiring import installed_rulesets

PORT = 8000
NOON = 1_700_000_000_000


class Clock:
    """Milliseconds that pass when they are told to."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> int:
        self.now += 1
        return self.now

    def ticks(self) -> float:
        return self.now / 1000


@dataclass(frozen=True)
class AtSeat:
    """A seat at a table of the context."""

    table: str
    seat: str


@dataclass(frozen=True)
class OpenTable:
    """A table with a game master (Ada), two players (Bo and Cy) and a spectator (Di); each player has a sample hero."""

    id: str
    seats: Mapping[str, str]

    def __getitem__(self, name: str) -> AtSeat:
        return AtSeat(self.id, self.seats[name])

    @property
    def game_master(self) -> AtSeat:
        return self["Ada"]


@dataclass(frozen=True)
class Laid:
    """A table as it was laid by the first test that wanted such a one, in a database of its own."""

    ruleset: Ruleset
    database: apsw.Connection
    table: OpenTable
    at: int


LAID: dict[tuple[int, str], Laid] = {}
"""By ruleset, and how the table was opened. A copy of one takes a third of the time."""


@dataclass
class Web:
    context: WebContext
    clock: Clock | None = None
    portal: BlockingPortal | None = None
    """To the event loop of the application, while it is running: its clients' requests need none of their own."""

    @cached_property
    def app(self) -> FastAPI:
        return create_app(self.context)

    @property
    def host(self) -> Host:
        return self.context.host

    @property
    def address(self) -> str:
        return self.context.settings.address

    @contextmanager
    def running(self, portal: BlockingPortal) -> Iterator[None]:
        """With the application's own beginning and end, so that streams and presence work."""
        with portal.wrap_async_context_manager(self.app.router.lifespan_context(self.app)):
            self.portal = portal
            yield
        self.portal = None

    def table(self, game: str = "sinew_steel", **how: Any) -> OpenTable:
        """An open table of a game. `how` goes to `Host.open`: options, house, skin, terms."""
        store = self.context.store
        if not isinstance(store, sqlite.SqliteStore) or self.clock is None or self.clock.now != NOON:
            return self._lay(game, **how)  # elsewhere, or later, it would not be the same
        ruleset = self.context.books[game].ruleset
        laid = LAID.get((id(ruleset), repr(how)))
        with closing(sqlite.connect(store.path)) as here:
            if laid:
                copy_all(laid.database, here)
                self.clock.now = laid.at
            else:
                found = self._lay(game, **how)
                laid = Laid(ruleset, sqlite.open_up_to_date(sqlite.in_memory()), found, self.clock.now)
                copy_all(here, laid.database)
                LAID[id(ruleset), repr(how)] = laid
        return laid.table

    def _lay(self, game: str, **how: Any) -> OpenTable:
        house = {"trusting": True, **how.pop("house", {})}
        opened = self.host.open(game, name=how.pop("name", "The Gorge"), game_master="Ada", house=house, **how)
        seats = {"Ada": opened.seat}
        for name, role in (("Bo", "player"), ("Cy", "player"), ("Di", "spectator")):
            taken = self.host.act(opened.table, opened.seat, ("take_seat", {"name": name, "role": role}))
            seats[name] = taken.events[0].fields["seat"]["id"]
        found = OpenTable(opened.table, seats)
        self._bring_heroes(found, game)
        return found

    def _bring_heroes(self, table: OpenTable, game: str) -> None:
        ruleset = self.context.books[game].ruleset
        options = self.host.look(table.id, table.seats["Ada"]).options
        samples = list(ruleset.heroes.samples(options).values()) if ruleset.heroes else []
        for name, hero in zip(("Bo", "Cy"), samples, strict=False):
            assert ruleset.heroes
            before = set(self.host.look(table.id, table.seats["Ada"]).characters)
            self.host.act(table.id, table.seats["Ada"], (ruleset.heroes.make, dict(hero)))
            for who in set(self.host.look(table.id, table.seats["Ada"]).characters) - before:
                given = {"character": who, "seat": table.seats[name]}
                self.host.act(table.id, table.seats["Ada"], ("give_character", given))

    def cookie(self, at: AtSeat) -> tuple[str, str]:
        """The name and value of the cookie of a new device that has a seat."""
        return cookie_at(self.context.auth, at.table, at.seat)

    def owner_cookie(self) -> tuple[str, str]:
        """The name and value of the cookie of a new device that is the owner's."""
        device = self.context.auth.new_secret()
        self.context.auth.make_owners(device)
        return device_cookie(device), device

    def token(self, at: AtSeat, **options: bool) -> str:
        """A token by which a program sits there: `Authorization: Bearer …`."""
        return self.context.auth.issue(PassKind.TOKEN, at.table, at.seat, options)

    def client(self, at: AtSeat | None = None, *, owner: bool = False, **headers: str) -> TestClient:
        """A browser that sits there, as its own origin's; without a seat, a stranger's; or the owner's."""
        client = TestClient(
            self.app,
            base_url=self.address.removesuffix(self.context.settings.path),
            headers={"Origin": self.address.removesuffix(self.context.settings.path), **headers},
            follow_redirects=False,
        )
        client.portal = self.portal
        if at is not None or owner:
            device = self.context.auth.new_secret()
            bring(client, (device_cookie(device), device))
            if at is not None:
                self.context.auth.give_seat(device, at.table, at.seat)
            if owner:
                self.context.auth.make_owners(device)
        return client

    def cookies(self, at: AtSeat) -> list[dict[str, str]]:
        """For a real browser: `context.add_cookies(live_web.cookies(table["Bo"]))`."""
        name, value = self.cookie(at)
        return [{"name": name, "value": value, "url": self.address}]


def bring(client: TestClient, *cookies: tuple[str, str]) -> None:
    """Let a client have cookies as if this site had set them: so it can delete them."""
    for name, value in cookies:
        client.cookies.set(name, value, domain=client.base_url.host)


def cookie_at(auth: PassAuth, table: str, seat: str) -> tuple[str, str]:
    """The name and value of the cookie of a new device that has a seat."""
    device = auth.new_secret()
    auth.give_seat(device, table, seat)
    return device_cookie(device), device


def copy_all(source: apsw.Connection, target: apsw.Connection) -> None:
    with sqlite.transaction(target) as session:
        sqlite.copy_rows(sqlite.SqliteSession(source), session)


UNHURRIED = replace(Settings.local(PORT), seat_pace=Pace(100_000, 1_000))
"""The time of most tests stands still, and with it what one may ask in a time."""


@contextmanager
def opened_web(
    url: str,
    settings: Settings = UNHURRIED,
    clock: Clock | None = None,
    games: Sequence[Ruleset] = (),
    link_key: bytes = b"the same secret on every server.",
) -> Iterator[Web]:
    """A web table on the store at a URL, of these games or all; in real time without a clock."""
    store = open_store(url)
    rulesets = games or all_games()
    now = clock or real_milliseconds
    host = Host(store, rulesets, clock=now, entropy=secrets.token_bytes)
    auth = PassAuth(store.passes, clock=now, entropy=secrets.token_bytes, link_key=lambda: link_key)
    ticks = clock.ticks if clock else time.monotonic
    try:
        yield Web(WebContext(host, store, auth, settings, ticks=ticks), clock)
    finally:
        store.close()


@cache
def all_games() -> list[Ruleset]:
    return [load() for load in installed_rulesets().values()]


def real_milliseconds() -> int:
    return time.time_ns() // 1_000_000
