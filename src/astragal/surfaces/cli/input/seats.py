"""A seat at a table, found by the names that people use."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

from astragal.surfaces.cli.context import GAME_FILE, House
from astragal.surfaces.cli.errors import BadCall, Declined
from astragal.surfaces.cli.fairness.receipts import keep
from astragal.surfaces.cli.input.options import Where
from astragal.surfaces.cli.output.progress import watched
from astragal.table.log.listing import Title, titles
from astragal.values import frozen

if TYPE_CHECKING:
    from astragal.surfaces.cli.fairness.chains import Chains
    from astragal.table.authoring.ruleset import Ruleset
    from astragal.table.host import Host
    from astragal.table.log.repository import Outcome
    from astragal.table.log.store import Store
    from astragal.table.registry import Book
    from astragal.table.state.seats import Seat
    from astragal.table.state.table import State


@frozen
class Place:
    """A seat at a table, and the host that serves it."""

    host: Host
    table: str
    seat: str
    game: str

    @property
    def book(self) -> Book:
        return self.host.books[self.game]

    @property
    def ruleset(self) -> Ruleset:
        return self.book.ruleset

    def look(self) -> State:
        return self.host.look(self.table, self.seat)

    @cached_property
    def chains(self) -> Chains:
        from astragal.surfaces.cli.fairness.chains import Chains

        return Chains(self.host, self.table, self.seat)

    def act(self, command: str, fields: Mapping[str, Any], **how: Any) -> Outcome:
        """Give a command. Where the seat's rolls are paired, the next link of its chain goes with it."""
        from astragal.table.fairness.dice import LinkNeeded

        for kind in self.chains.to_renew():
            self._act("promise_chain", self.chains.promise(kind))
        if command == "promise_chain" and "tip" not in fields and fields.get("kind") in ("paired", "witness"):
            fields = self.chains.promise(fields["kind"])
        try:
            outcome = self._act(command, fields, **how)
        except LinkNeeded:
            outcome = self._act_with_a_link(command, fields, **how)
        if command == "declare_chain_lost":
            self.chains.forget(fields["kind"])
        return outcome

    def _act_with_a_link(self, command: str, fields: Mapping[str, Any], **how: Any) -> Outcome:
        command_id = how.pop("command_id", None) or secrets.token_hex(8)
        with self.chains.sending(command_id, command, fields) as sending:
            return self._act(command, fields, **how, command_id=sending.command_id, link=sending.link)

    def _act(self, command: str, fields: Mapping[str, Any], **how: Any) -> Outcome:
        outcome = self.host.act(self.table, self.seat, (command, fields), **how)
        if outcome.receipt:
            keep(self.table, outcome.receipt)
        return outcome


@contextmanager
def opened_store(house: House, where: Where) -> Iterator[Store]:
    house.add(where.game_file)
    store = house.store(where.db)
    try:
        yield store
    finally:
        store.close()


@contextmanager
def taken(house: House, where: Where, table: str, seat: str | None = None) -> Iterator[Place]:
    """Sit down at a table: at a named seat, or at the game master's."""
    with opened_store(house, where) as store:
        with watched("Reading the table"):
            place = sit_down(house, store, table, seat)
        yield place


def sit_down(house: House, store: Store, table: str, seat: str | None) -> Place:
    """The seat of a person at a table; a game's file stands for the newest table of that game, or for a first one."""
    title = table_of_file(house, store, table) if table.endswith(GAME_FILE) else find_table(store, table)
    if title.problem:
        raise Declined(f"Table {title.id} can't be read: {title.problem}.")
    ruleset = house.game(title.ruleset)
    host = house.host(store, (ruleset,))
    return Place(host, title.id, find_seat(host.seats(title.id), seat).id, ruleset.id)


def table_of_file(house: House, store: Store, file: str) -> Title:
    from astragal.table.starter import begin

    game = house.game(file)
    known = [one for one in titles(store) if one.ruleset == game.id]
    if not known:
        host = house.host(store, (game,))
        opened = host.open(game.id, name=game.name, game_master="Game master")
        begin(host, opened.table, opened.seat)
        known = [one for one in titles(store) if one.ruleset == game.id]
    return known[-1]


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


def find_seat(seats: Mapping[str, Seat], said: str | None) -> Seat:
    from astragal.table.state.seats import Role

    if said is None:
        return next(seat for seat in seats.values() if seat.role is Role.GAME_MASTER)
    if said in seats:
        return seats[said]
    found = [seat for seat in seats.values() if seat.name.casefold() == said.casefold()]
    if len(found) != 1:
        raise BadCall(f"Nobody called {said!r} sits here; {', '.join(one.name for one in seats.values())} do.")
    return found[0]
