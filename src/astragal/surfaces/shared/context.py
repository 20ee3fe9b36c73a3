"""Application context: the host, its store and its games; tables and seats, found as people name them."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from astragal.table.log.listing import Title, title_of, titles
from astragal.table.log.store import NoSuchTable
from astragal.table.refusals import NoRoom, NoSuchThing, ReadOnly, Refusal
from astragal.table.state.seats import Role

if TYPE_CHECKING:
    from astragal.table.host import Host
    from astragal.table.log.store import Store, StoreError
    from astragal.table.registry import Book
    from astragal.table.state.seats import Seat

STORE_AWAY = "The tables can't be reached just now. Nothing is lost; try again in a moment."

log = logging.getLogger(__name__)


def store_away(fault: StoreError) -> NoRoom:
    """The refusal of what needs the store while it can't be used. Where it lies is for the log, not for players."""
    log.warning("the store could not be used: %s", fault)
    return NoRoom(STORE_AWAY)


class AppContext:
    """The tables of a store and the games that are played there: given to a surface by whoever starts it."""

    def __init__(self, host: Host, store: Store) -> None:
        self.host, self.store = host, store

    @property
    def books(self) -> Mapping[str, Book]:
        return self.host.books

    def book(self, game: str) -> Book:
        """The game of this id, or of this name."""
        said = game.strip().casefold().replace("-", "_")
        fitting = [book for key, book in self.books.items() if said in (key, book.ruleset.name.casefold())]
        if len(fitting) != 1:
            raise NoSuchThing(f"There is no game {game[:40]!r} here; there are {', '.join(self.books)}.")
        return fitting[0]

    def find_table(self, said: str) -> Title:
        return find_table(self.store, said)

    def seats_at(self, title: Title) -> Mapping[str, Seat]:
        """Who sits at a table: whoever holds the store may know."""
        if title.problem:
            raise ReadOnly(f"This table can't be read: {title.problem}.")
        if title.ruleset not in self.books:
            raise Refusal(f"{title.name} is a table of {title.ruleset}, which is not installed.", code="no_game")
        return self.host.seats(title.id)


def find_table(store: Store, said: str) -> Title:
    """By id, by name, by a part of its name or the beginning of its id, where only one table fits."""
    with suppress(NoSuchTable):
        return title_of(store, said)
    known, fold = list(titles(store)), said.strip().casefold()
    alike = [one for one in known if fold and (fold in one.name.casefold() or one.id.startswith(fold))]
    for found in ([one for one in alike if one.name.casefold() == fold], alike):
        if len(found) == 1:
            return found[0]
        if found:
            raise NoSuchThing(f"{said[:60]!r} could be any of {_listed(found)}; say its id.")
    raise NoSuchThing(f"There is no table {said[:60]!r}. There {f'are {_listed(known)}' if known else 'is none yet'}.")


def _listed(tables: Iterable[Title]) -> str:
    return ", ".join(f"{one.name} ({one.id})" for one in tables)


def find_seat(seats: Mapping[str, Seat], said: str | None) -> Seat:
    """By id or by name; where nobody is named, the game master's."""
    if said is None:
        return next(seat for seat in seats.values() if seat.role is Role.GAME_MASTER)
    found = [seat for seat in seats.values() if said in (seat.id, seat.name)]
    found = found or [seat for seat in seats.values() if seat.name.casefold() == said.strip().casefold()]
    if len(found) != 1:
        there = ", ".join(f"{one.name} ({one.role.value})" for one in seats.values())
        raise NoSuchThing(f"Nobody called {said[:60]!r} sits here. Seats: {there}.")
    return found[0]
