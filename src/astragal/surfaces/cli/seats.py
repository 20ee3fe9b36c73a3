"""Find a seat at a table by the names that people use, and give commands for it."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from astragal.surfaces.cli.context import GAME_FILE, Context
from astragal.surfaces.cli.errors import BadCall, Declined
from astragal.surfaces.cli.terminal import watched
from astragal.surfaces.shared.context import AppContext, SeatView, find_seat, find_table
from astragal.table.log.store import Title, title_of, titles
from astragal.table.refusals import BadFields, NoSuchThing

if TYPE_CHECKING:
    from astragal.surfaces.cli.fairness import Chains
    from astragal.table.host import Host
    from astragal.table.log.repository import Outcome
    from astragal.table.log.store import Store
    from astragal.table.registry import Book


class SeatClient(Struct, frozen=True, dict=True):
    """The seat at a table that the terminal uses. Each access to `view` shows the table as it is then."""

    context: AppContext
    table: str
    seat: str

    @property
    def host(self) -> Host:
        return self.context.host

    @property
    def view(self) -> SeatView:
        return SeatView(self.context, self.table, self.seat)

    @cached_property
    def book(self) -> Book:
        return self.view.book

    @cached_property
    def chains(self) -> Chains:
        from astragal.surfaces.cli.fairness import Chains

        return Chains(self.host, self.table, self.seat)

    def act(self, command: str, fields: Mapping[str, Any], **options: Any) -> Outcome:
        """Give a command. If the seat's rolls are paired, send the next link of its chain with it."""
        from astragal.table.dice import LinkNeeded

        for kind in self.chains.to_renew():
            self._act("promise_chain", self.chains.promise(kind))
        if command == "promise_chain" and "tip" not in fields and fields.get("kind") in ("paired", "witness"):
            fields = self.chains.promise(fields["kind"])
        try:
            outcome = self._act(command, fields, **options)
        except LinkNeeded:
            given_id = options.pop("command_id", None) or secrets.token_hex(8)
            with self.chains.sending(given_id, command, fields) as (command_id, link):
                outcome = self._act(command, fields, **options, command_id=command_id, link=link)
        if command == "declare_chain_lost":
            self.chains.forget(fields["kind"])
        return outcome

    def _act(self, command: str, fields: Mapping[str, Any], **options: Any) -> Outcome:
        """Give a command. The receipts of what stood before it and after it are kept."""
        from astragal.surfaces.cli.fairness import keep

        keep(self.table, self.host.ledger_state(self.table, self.seat).receipt)
        try:
            outcome = self.host.act(self.table, self.seat, (command, fields), **options)
        except BadFields as refusal:
            raise self._with_candidates(command, refusal) from None
        if outcome.receipt:
            keep(self.table, outcome.receipt)
        return outcome

    def _with_candidates(self, command: str, refusal: BadFields) -> BadFields:
        """Add suggestions to a refusal: what a missing field could name, and which requested rolls could be meant."""
        from astragal.surfaces.cli.fields import typed
        from astragal.surfaces.shared.pending import requests_of
        from astragal.table.fields.definitions import fields_of

        view = self.view
        kinds: dict[tuple[str | int, ...], str] = {
            (field.name,): field.names for field in fields_of(self.book.command(command)) if field.names
        }
        heroes = self.book.ruleset.heroes
        ways_in = {"character": f": {heroes.make} brings one in"} if heroes else {}
        hints = []
        for problem, path in zip(refusal.problems, refusal.paths, strict=True):
            kind = kinds.get(path, "") if problem.endswith(" is missing") else ""
            labels = view.things(kind) if kind else None
            if labels:
                hints.append(f"{problem}: write {typed(str(path[0]), [*labels.values()])}")
            else:
                hints.append(
                    problem if labels is None else f"{problem}, and there is no {kind} here yet{ways_in.get(kind, '')}"
                )
        requests = [request for request in requests_of(view) if request.own and request.command == command]
        if rolls := " or ".join(f'{command} "{request.name}"' for request in requests):
            hints.append(f"which roll is meant? {rolls}")
        return BadFields(hints)


@contextmanager
def opened_store(context: Context) -> Iterator[Store]:
    context.add(context.game_files)
    with closing(context.store(context.db)) as store:
        yield store


@contextmanager
def open_seat(context: Context, table: str, seat: str | None = None) -> Iterator[SeatClient]:
    """Sit down at a table: at a named seat, or at the game master's."""
    with opened_store(context) as store:
        with watched("Reading the table"):
            try:
                title = table_of_file(context, store, table) if table.endswith(GAME_FILE) else find_table(store, table)
                if title.problem:
                    raise Declined(f"Table {title.id} can't be read: {title.problem}.")
                host = context.host(store, (context.game(title.ruleset),))
                own_seat = find_seat(host.seats(title.id), seat)
            except NoSuchThing as fault:  # the call names a table or a seat that isn't there
                way_on = "" if store.tables() else " astragal table new opens one, astragal games lists the games."
                raise BadCall(fault.sentence + way_on) from fault
        yield SeatClient(AppContext(host, store), title.id, own_seat.id)


def table_of_file(context: Context, store: Store, file: str) -> Title:
    """Find the newest table of the game in a file, or start one."""
    from astragal.table.starter import start_table

    game = context.game(file)
    if tables := [title for title in titles(store) if title.ruleset == game.id]:
        return tables[-1]
    host = context.host(store, (game,))
    opened = start_table(host, game, name=game.name, game_master="Game master", begins=True)
    return title_of(store, opened.table)
