"""A web table, served for real: Ada runs the game, Bo and Cy play, Di looks on."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from msgspec.structs import replace

from astragal.storage import open_store
from astragal.surfaces.shared.rate_limit import Pace
from astragal.surfaces.web.app import create_app
from astragal.surfaces.web.context import WebContext
from astragal.surfaces.web.security.auth import PassAuth
from astragal.surfaces.web.settings import Settings
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.host import Host
from astragal.table.log.store import PassKind
from tests.surfaces.web.open_tables import cookie_at
from tests.surfaces.web.serving import Caller, bound_socket, serving
from tests.table.dare import DARE
from tests.table.seated import ScriptedDice, Seated, new_host


def now() -> int:
    return time.time_ns() // 1_000_000


def context_of(url: str, port: int, host: Host | None = None, rulesets: Iterable[Ruleset] = (DARE,)) -> WebContext:
    """The context on this store, as another process would have it, too."""
    store = open_store(url)
    auth = PassAuth(store.passes, clock=now, entropy=secrets.token_bytes)
    host = host or Host(store, rulesets, clock=now, entropy=secrets.token_bytes)
    return WebContext(host, store, auth, Settings.local(port))


@dataclass
class Served:
    """A table that is served, and callers from its seats."""

    context: WebContext
    seated: Seated
    port: int
    callers: dict[str, Caller] = field(default_factory=dict)

    @property
    def page(self) -> str:
        return f"/t/{self.seated.table}"

    @property
    def api(self) -> str:
        return f"/api/tables/{self.seated.table}"

    def at(self, name: str, port: int | None = None) -> Caller:
        """Somebody by the cookie of their seat; at another port, with another process."""
        if name not in self.callers:
            cookie = cookie_at(self.context.auth, self.seated.table, self.seated.seats[name])
            self.callers[name] = Caller(self.port, "=".join(cookie))
        found = self.callers[name]
        return found if port is None else Caller(port, found.cookie, streams=found.streams)

    def program_at(self, name: str) -> Caller:
        """A program by the token of its seat."""
        secret = self.context.auth.issue(PassKind.TOKEN, self.seated.table, self.seated.seats[name])
        self.callers[f"{name}'s program"] = found = Caller(self.port, "", {"Authorization": f"Bearer {secret}"})
        return found


@contextmanager
def served(url: str, pace: Pace | None = None) -> Iterator[Served]:
    """Ada's table of a small game, with scripted dice, on a port of its own; at a pace of one's own, if one says so."""
    listening = bound_socket()
    port = listening.getsockname()[1]
    dice = ScriptedDice()
    store = open_store(url)
    host = new_host(store, dice)
    settings = Settings.local(port)
    if pace:
        settings = replace(settings, seat_pace=pace, upload_pace=pace, address_pace=pace)
    context = WebContext(host, store, PassAuth(store.passes, clock=now, entropy=secrets.token_bytes), settings)
    opened = host.open("dare", name="The Cliff", game_master="Ada")
    seated = Seated(host, opened.table, opened.seat, dice, {"Ada": opened.seat})
    for name, role in (("Bo", "player"), ("Cy", "player"), ("Di", "spectator")):
        seated.sit(name, role)
    seated.act("Bo", "join", name="Kira", fear="deep water")
    seated.act("Cy", "join", name="Lund", fear="his brother")
    with serving(create_app(context), listening):
        table = Served(context, seated, port)
        try:
            yield table
        finally:
            for caller in table.callers.values():
                caller.hang_up()
    store.close()
