"""What the server stands on, given to it by whoever starts it: a host, its store, the games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress

from astragal.table.host import Host
from astragal.table.log.listing import Title, title_of, titles
from astragal.table.log.store import NoSuchTable, Store
from astragal.table.refusals import NoSuchThing, ReadOnly, Refusal
from astragal.table.registry import Book
from astragal.table.state.seats import Seat


class House:
    """The tables of a store and the games that are played there."""

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

    def titles(self) -> Iterator[Title]:
        """Every table, oldest first."""
        return titles(self.store)

    def find_table(self, said: str) -> Title:
        """By id or by name, where only one table has it."""
        with suppress(NoSuchTable):
            return title_of(self.store, said)
        known = list(self.titles())
        found = [one for one in known if one.name.casefold() == said.strip().casefold()]
        if len(found) == 1:
            return found[0]
        there = ", ".join(f"{one.name} ({one.id})" for one in known) or "none"
        several = "more than one" if found else "no"
        raise NoSuchThing(f"There is {several} table {said[:60]!r}. There are: {there}.")

    def seats_at(self, title: Title) -> Mapping[str, Seat]:
        """Who sits at a table: whoever holds the store may know."""
        if title.problem:
            raise ReadOnly(f"This table can't be read: {title.problem}.")
        if title.ruleset not in self.books:
            raise Refusal(f"{title.name} is a table of {title.ruleset}, which is not installed.", code="no_game")
        return self.host.seats(title.id)


def find_seat(seats: Mapping[str, Seat], said: str) -> Seat:
    """By id or by name."""
    found = [seat for seat in seats.values() if said in (seat.id, seat.name)]
    found = found or [seat for seat in seats.values() if seat.name.casefold() == said.strip().casefold()]
    if len(found) != 1:
        there = ", ".join(f"{one.name} ({one.role.value})" for one in seats.values())
        raise NoSuchThing(f"Nobody called {said[:60]!r} sits here. Seats: {there}.")
    return found[0]
