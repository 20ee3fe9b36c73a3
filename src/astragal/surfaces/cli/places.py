"""A seat at a table, found by the names that people use."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from astragal.surfaces.cli.faults import BadCall
from astragal.surfaces.cli.house import House
from astragal.surfaces.cli.options import Where
from astragal.surfaces.cli.receipts import keep

if TYPE_CHECKING:
    from astragal.table.book import Book
    from astragal.table.host import Host
    from astragal.table.keeper import Outcome
    from astragal.table.ruleset import Ruleset
    from astragal.table.seats import Seat
    from astragal.table.state import State
    from astragal.table.store import Store


@dataclass(frozen=True)
class Title:
    """What a table's first entry says of it. Every table begins with its opening."""

    id: str
    name: str
    ruleset: str


class _Opening(msgspec.Struct):
    name: str
    ruleset: str


class _First(msgspec.Struct):
    event: _Opening


@dataclass(frozen=True)
class Place:
    """A seat at a table, and the host that serves it."""

    host: Host
    book: Book
    table: str
    seat: str

    @property
    def ruleset(self) -> Ruleset:
        return self.book.ruleset

    def look(self) -> State:
        return self.host.look(self.table, self.seat)

    def act(self, command: str, fields: Mapping[str, Any], **how: Any) -> Outcome:
        outcome = self.host.act(self.table, self.seat, (command, fields), **how)
        if outcome.receipt:
            keep(self.table, outcome.receipt)
        return outcome


@contextmanager
def opened_store(house: House, where: Where) -> Iterator[Store]:
    store = house.store(where.db)
    try:
        yield store
    finally:
        store.close()


@contextmanager
def taken(house: House, where: Where, table: str, seat: str | None = None) -> Iterator[Place]:
    """Sit down at a table: at a named seat, or at the game master's."""
    with opened_store(house, where) as store:
        yield sit_down(house, store, table, seat)


def sit_down(house: House, store: Store, table: str, seat: str | None) -> Place:
    from astragal.table.book import Book

    title = find_table(store, table)
    ruleset = house.game(title.ruleset)
    book = Book.of(ruleset)
    sitting = find_seat(seats_at(store, book, title.id), seat)
    return Place(house.host(store, (ruleset,)), book, title.id, sitting.id)


def titles(store: Store) -> Iterator[Title]:
    """Every table of a store, oldest first."""
    for table in store.tables():
        first = next(iter(store.read(table, 0, 1)))
        opening = msgspec.json.decode(first.data, type=_First).event
        yield Title(table, opening.name, opening.ruleset)


def find_table(store: Store, said: str) -> Title:
    """By id, by name, by a part of its name or the beginning of its id, where only one table fits."""
    known = list(titles(store))
    fold = said.casefold()
    alike = [one for one in known if fold and (fold in one.name.casefold() or one.id.startswith(fold))]
    for found in (
        [one for one in known if one.id == said],
        [one for one in alike if one.name.casefold() == fold],
        alike,
    ):
        if len(found) == 1:
            return found[0]
        if found:
            listed = ", ".join(f"{one.name} ({one.id})" for one in found)
            raise BadCall(f"{said!r} could be any of {listed}; say its id.")
    there = ", ".join(one.name for one in known)
    raise BadCall(
        f"There is no table {said!r}. " + (f"There are {there}." if there else "astragal table new opens one.")
    )


def seats_at(store: Store, book: Book, table: str) -> Mapping[str, Seat]:
    """Who sits at a table: whoever holds the store may know."""
    from astragal.table.live import open_live

    return open_live(table, {book.ruleset.id: book}, store, secrets.token_bytes).state.seats


def find_seat(seats: Mapping[str, Seat], said: str | None) -> Seat:
    from astragal.table.seats import Role

    if said is None:
        return next(seat for seat in seats.values() if seat.role is Role.GAME_MASTER)
    if said in seats:
        return seats[said]
    found = [seat for seat in seats.values() if seat.name.casefold() == said.casefold()]
    if len(found) != 1:
        raise BadCall(f"Nobody called {said!r} sits here; {', '.join(one.name for one in seats.values())} do.")
    return found[0]
