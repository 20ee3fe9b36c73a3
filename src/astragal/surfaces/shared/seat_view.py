"""A seat's view of its table at one moment: everything that a surface shows to a seat comes through here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, Self, TypeVar, overload

from astragal.surfaces.shared.context import AppContext, store_away
from astragal.table.authoring.log_lines import Teller
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.declarations import Scope, Seat, Sight, Viewer, kind_of_command
from astragal.table.fields.definitions import fields_of
from astragal.table.fields.lookup import things_of
from astragal.table.host import Host
from astragal.table.log.repository import Outcome
from astragal.table.log.store import StoreError
from astragal.table.pending import OpenDecision
from astragal.table.preview import Preview
from astragal.table.refusals import NoRoom
from astragal.table.registry import Book
from astragal.table.state.table import State
from astragal.table.visibility.cursor import Page

T = TypeVar("T")

AT_ONCE = 500
"""Events on a page."""


class lazily(Generic[T]):  # noqa: N801 - a decorator, named as one
    """A property that is worked out when it is first asked for.

    `functools.cached_property` does the same, but until Python 3.12 under one lock for all objects of its class: here
    that would let every table wait for the slowest.
    """

    def __init__(self, work_out: Callable[[Any], T]) -> None:
        self._work_out, self.__doc__ = work_out, work_out.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, of: None, owner: type) -> lazily[T]: ...
    @overload
    def __get__(self, of: object, owner: type) -> T: ...
    def __get__(self, of: object | None, owner: type) -> lazily[T] | T:
        if of is None:
            return self
        found = of.__dict__[self._name] = self._work_out(of)
        return found


@dataclass(frozen=True, eq=False)
class SeatView:
    """A seat's way to its table. `state` is what the seat may see, as it was when it was first asked for.

    So no two are equal: each has looked at its own moment.
    """

    context: AppContext
    table: str
    seat: str

    @property
    def host(self) -> Host:
        return self.context.host

    @lazily
    def state(self) -> State:
        return self.host.look(self.table, self.seat)

    @property
    def book(self) -> Book:
        return self.context.books[self.state.ruleset]

    @property
    def ruleset(self) -> Ruleset:
        return self.book.ruleset

    @property
    def own(self) -> Seat:
        return self.state.seats[self.seat]

    @lazily
    def viewer(self) -> Viewer:
        return self.state.viewer(self.seat)

    @property
    def is_game_master(self) -> bool:
        return self.viewer.is_game_master

    def is_own(self, *seats: str) -> bool:
        """Is this seat one of these?"""
        return self.seat in seats

    @lazily
    def teller(self) -> Teller:
        return Teller(self.state, self.state.terms)

    def in_skin(self, text: str) -> str:
        """The book's words in the skin's: for texts of the game, never for what people said."""
        return self.state.worded(text)

    @lazily
    def decisions(self) -> tuple[OpenDecision, ...]:
        return self.host.decisions(self.table, self.seat)

    def things(self, kind: str) -> dict[str, str] | None:
        """Labels of the things of a kind that this seat sees, by id; None for an unknown kind."""
        return things_of(self.book.kinds, self.state, kind)

    def is_possible(self, command: type) -> bool:
        """Is there something of every kind that it has to name, and somebody for whom it may be given?

        Whether it may be given now, the game says when it is asked.
        """
        is_for_own = kind_of_command(command).may.get(self.viewer.role) is Scope.OWN
        if is_for_own and not self.viewer.characters:
            return False
        return all(self.things(kind) != {} for kind in needs(command))  # None: nobody knows how to look for it

    def pages(self, cursor: str = "") -> Iterator[Page]:
        """What this seat has seen since, page by page, to the end of the log."""
        more = True
        while more:
            page = self.host.follow(self.table, self.seat, cursor, AT_ONCE)
            cursor, more = page.cursor, page.more
            yield page

    def over(self, state: State) -> Self:
        """The same view of a state that was redacted further."""
        vars(self)["state"] = state
        return self

    def act(self, command: str, fields: Mapping[str, Any], **how: Any) -> Outcome:
        """Give a command; `how` is as `Host.act` has it."""
        try:
            return self.host.act(self.table, self.seat, (command, fields), **how)
        except NoRoom as refusal:
            if isinstance(fault := refusal.__cause__, StoreError):
                raise store_away(fault) from fault
            raise

    def preview(self, command: str, fields: Mapping[str, Any], sight: Sight = Sight.OPEN) -> Preview | None:
        return self.host.preview(self.table, self.seat, (command, fields), sight=sight)


@cache
def needs(command: type) -> frozenset[str]:
    """The kinds of things that a command has to name."""
    return frozenset(field.names for field in fields_of(command) if field.required and field.names)
