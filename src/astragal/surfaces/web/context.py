"""What the web table stands on, given to it by whoever starts it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from astragal.surfaces.shared.rate_limit import Buckets
from astragal.surfaces.web.live.hub import Hub
from astragal.surfaces.web.live.presence import StoredPresence
from astragal.surfaces.web.security.auth import Doors
from astragal.surfaces.web.settings import Settings
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.host import Host
from astragal.table.log.store import Store
from astragal.table.refusals import NoSuchThing
from astragal.table.registry import Book


class House:
    """The tables of a store, the games that are played there, and the doors that lead to seats.

    `ticks` gives seconds, for the pace of those who ask.
    """

    def __init__(
        self,
        host: Host,
        store: Store,
        doors: Doors,
        settings: Settings,
        *,
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        self.host, self.store, self.doors, self.settings, self.ticks = host, store, doors, settings, ticks
        self.books: Mapping[str, Book] = host.books
        self.hub = Hub(host, store, StoredPresence(store.passes, doors.fresh(), doors.clock))
        self.paces = Buckets(settings.seat_pace, ticks)

    def ruleset(self, game: str) -> Ruleset:
        """The game of this id."""
        if game not in self.books:
            raise NoSuchThing(f"There is no game {game[:40]!r} here.")
        return self.books[game].ruleset
