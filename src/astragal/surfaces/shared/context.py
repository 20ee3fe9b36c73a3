"""Application context: the host, its store and its games; tables and seats, found as people name them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from astragal.table.declarations import Role
from astragal.table.fields.lookup import matching
from astragal.table.log.store import NoSuchTable, Title, title_of, titles
from astragal.table.refusals import NoRoom, NoSuchThing, ReadOnly, Refusal

if TYPE_CHECKING:
    from astragal.table.declarations import Seat
    from astragal.table.host import Host
    from astragal.table.log.store import Store, StoreError
    from astragal.table.registry import Book

STORE_AWAY = "The tables can't be reached just now. Nothing is lost; try again in a moment."


def store_away(fault: StoreError) -> NoRoom:
    """The refusal of what needs the store while it can't be used. Where it lies is for the log, not for players."""
    import logging

    logging.getLogger(__name__).warning("the store could not be used: %s", fault)
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
    known, start = {one.id: one for one in titles(store)}, said.strip().casefold()
    names = {key: one.name for key, one in known.items()}
    found = matching(names, said) or [key for key in known if start and key.startswith(start)]
    if len(found) == 1:
        return known[found[0]]
    if found:
        raise NoSuchThing(f"{said[:60]!r} could be any of {_listed(known[key] for key in found)}; say its id.")
    there = f"are {_listed(known.values())}" if known else "is none yet"
    raise NoSuchThing(f"There is no table {said[:60]!r}. There {there}.")


def _listed(tables: Iterable[Title]) -> str:
    return ", ".join(f"{one.name} ({one.id})" for one in tables)


def find_seat(seats: Mapping[str, Seat], said: str | None) -> Seat:
    """By id, by name, or by a part of its name where only one seat fits; where nobody is named, the game master's."""
    if said is None:
        return next(seat for seat in seats.values() if seat.role is Role.GAME_MASTER)
    found = matching({key: seat.name for key, seat in seats.items()}, said)
    if len(found) != 1:
        there = ", ".join(f"{one.name} ({one.role.value})" for one in seats.values())
        who = "More than one" if found else "Nobody"
        raise NoSuchThing(f"{who} called {said[:60]!r} sits here. Seats: {there}.")
    return seats[found[0]]
