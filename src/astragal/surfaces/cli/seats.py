"""A seat at a table, found by the names that people use."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

from astragal.surfaces.cli.context import GAME_FILE, Context
from astragal.surfaces.cli.errors import BadCall, Declined
from astragal.surfaces.cli.parser import Where
from astragal.surfaces.cli.terminal import watched
from astragal.surfaces.shared.context import AppContext, find_seat, find_table
from astragal.table.fields.lookup import MOST_LISTED
from astragal.table.log.store import Title, titles
from astragal.table.refusals import BadFields, NoSuchThing
from astragal.values import frozen

if TYPE_CHECKING:
    from astragal.surfaces.cli.fairness import Chains
    from astragal.surfaces.shared.context import SeatView
    from astragal.table.authoring.ruleset import Ruleset
    from astragal.table.host import Host
    from astragal.table.log.repository import Outcome
    from astragal.table.log.store import Store
    from astragal.table.registry import Book
    from astragal.table.state.table import State


@frozen
class Place:
    """A seat at a table that the terminal sits at for a while; `view` and `look` are of the moment they are asked."""

    context: AppContext
    table: str
    seat: str

    @property
    def host(self) -> Host:
        return self.context.host

    @property
    def view(self) -> SeatView:
        from astragal.surfaces.shared.context import SeatView

        return SeatView(self.context, self.table, self.seat)

    @cached_property
    def book(self) -> Book:
        return self.view.book

    @property
    def ruleset(self) -> Ruleset:
        return self.book.ruleset

    def look(self) -> State:
        return self.host.look(self.table, self.seat)

    @cached_property
    def chains(self) -> Chains:
        from astragal.surfaces.cli.fairness import Chains

        return Chains(self.host, self.table, self.seat)

    def act(self, command: str, fields: Mapping[str, Any], **how: Any) -> Outcome:
        """Give a command. Where the seat's rolls are paired, the next link of its chain goes with it."""
        from astragal.table.dice import LinkNeeded

        for kind in self.chains.to_renew():
            self._act("promise_chain", self.chains.promise(kind))
        if command == "promise_chain" and "tip" not in fields and fields.get("kind") in ("paired", "witness"):
            fields = self.chains.promise(fields["kind"])
        try:
            outcome = self._act(command, fields, **how)
        except LinkNeeded:
            command_id = how.pop("command_id", None) or secrets.token_hex(8)
            with self.chains.sending(command_id, command, fields) as sending:
                outcome = self._act(command, fields, **how, command_id=sending.command_id, link=sending.link)
        if command == "declare_chain_lost":
            self.chains.forget(fields["kind"])
        return outcome

    def _act(self, command: str, fields: Mapping[str, Any], **how: Any) -> Outcome:
        try:
            outcome = self.host.act(self.table, self.seat, (command, fields), **how)
        except BadFields as refusal:
            raise self._with_candidates(command, refusal) from None
        if outcome.receipt:
            from astragal.surfaces.cli.fairness import keep

            keep(self.table, outcome.receipt)
        return outcome

    def _with_candidates(self, command: str, refusal: BadFields) -> BadFields:
        """The same refusal, with what there is of the things that were not named, and the rolls that could be meant."""
        from astragal.surfaces.shared.pending import requests_of
        from astragal.table.fields.definitions import fields_of

        view = self.view
        kinds = {f"{field.name} is missing": field.names for field in fields_of(self.book.command(command))}
        said = [_with_candidates(view, problem, kinds.get(problem)) for problem in refusal.problems]
        asked = [one for one in requests_of(view) if one.own and one.command == command]
        rolls = " or ".join(f'{command} "{one.name}"' for one in asked)
        return BadFields([*said, *([f"which roll is meant? {rolls}"] if rolls else [])])


def _with_candidates(view: SeatView, problem: str, kind: str | None) -> str:
    things = view.things(kind) if kind else None
    if things is None:
        return problem
    listed = ", ".join(list(things.values())[:MOST_LISTED])
    return f"which {kind}? {listed}" if listed else f"there is no {kind} here"


@contextmanager
def opened_store(context: Context, where: Where) -> Iterator[Store]:
    context.add(where.game_file)
    store = context.store(where.db)
    try:
        yield store
    finally:
        store.close()


@contextmanager
def taken(context: Context, where: Where, table: str, seat: str | None = None) -> Iterator[Place]:
    """Sit down at a table: at a named seat, or at the game master's."""
    with opened_store(context, where) as store:
        with watched("Reading the table"):
            place = sit_down(context, store, table, seat)
        yield place


def sit_down(context: Context, store: Store, table: str, seat: str | None) -> Place:
    """The seat of a person at a table; a game's file stands for the newest table of that game, or for a first one."""
    title = table_of_file(context, store, table) if table.endswith(GAME_FILE) else table_named(store, table)
    if title.problem:
        raise Declined(f"Table {title.id} can't be read: {title.problem}.")
    host = context.host(store, (context.game(title.ruleset),))
    seats = host.seats(title.id)
    with meant_wrongly():
        found = find_seat(seats, seat)
    return Place(AppContext(host, store), title.id, found.id)


def table_named(store: Store, said: str) -> Title:
    with meant_wrongly():
        return find_table(store, said)


@contextmanager
def meant_wrongly() -> Iterator[None]:
    """A name in the call that means nothing here is a fault of the call."""
    try:
        yield
    except NoSuchThing as fault:
        raise BadCall(fault.sentence) from fault


def table_of_file(context: Context, store: Store, file: str) -> Title:
    from astragal.table.starter import start_table

    game = context.game(file)
    known = [one for one in titles(store) if one.ruleset == game.id]
    if not known:
        host = context.host(store, (game,))
        start_table(host, game, name=game.name, game_master="Game master", begins=True)
        known = [one for one in titles(store) if one.ruleset == game.id]
    return known[-1]
