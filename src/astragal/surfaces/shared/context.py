"""Application context: the host, its store and its games; look-up of tables and seats by name.

`SeatView` is a seat's view of its table at one moment: everything that a surface shows to a seat comes through it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, overload

from astragal.table.declarations import Role, Scope, Sight, kind_of_command
from astragal.table.fields import definitions, lookup
from astragal.table.log.group_commit import Steps, run_alone
from astragal.table.log.store import NoSuchTable, StoreError, Title, title_of, titles
from astragal.table.refusals import NoRoom, NoSuchThing, ReadOnly, Refusal

if TYPE_CHECKING:
    from astragal.table.authoring.display import Proposal
    from astragal.table.authoring.log_lines import Teller
    from astragal.table.authoring.ruleset import Ruleset
    from astragal.table.declarations import Seat, Viewer
    from astragal.table.host import Host
    from astragal.table.log.repository import Outcome
    from astragal.table.log.store import Store
    from astragal.table.pending import OpenDecision
    from astragal.table.preview import Preview
    from astragal.table.registry import Book
    from astragal.table.state.table import State
    from astragal.table.visibility.cursor import Page

T = TypeVar("T")

AT_ONCE = 500
"""Events on a page."""
STORE_AWAY = "The tables can't be reached just now. Nothing is lost; try again in a moment."


def store_away(fault: StoreError) -> NoRoom:
    """Return the refusal for a store that can't be used. The cause is logged, and not shown to players."""
    import logging

    logging.getLogger(__name__).warning("the store could not be used: %s", fault)
    return NoRoom(STORE_AWAY)


class AppContext:
    """The tables of a store and the games that are played there. A surface gets it when it is started."""

    def __init__(self, host: Host, store: Store) -> None:
        self.host = host
        self.store = store

    @property
    def books(self) -> Mapping[str, Book]:
        return self.host.books

    def book(self, game: str) -> Book:
        """Find a game by id, by name, or by a part of its name if only one fits."""
        names = {key: book.ruleset.name for key, book in self.books.items()}
        fitting = [game] if game in self.books else lookup.matching(names, game)
        if len(fitting) != 1:
            raise NoSuchThing(f"There is no game {game[:40]!r} here; there are {', '.join(self.books)}.")
        return self.books[fitting[0]]

    def find_table(self, text: str) -> Title:
        return find_table(self.store, text)

    def seats_at(self, title: Title) -> Mapping[str, Seat]:
        """Return the seats of a table. This needs no pass: anyone with the store may know them."""
        if title.problem:
            raise ReadOnly(f"This table can't be read: {title.problem}.")
        if title.ruleset not in self.books:
            raise Refusal(f"{title.name} is a table of {title.ruleset}, which is not installed.", code="no_game")
        return self.host.seats(title.id)


NO_TABLE = "no_such_table"


def find_table(store: Store, text: str) -> Title:
    """Find a table by id, by name, or by a part of its name or the beginning of its id if only one fits."""
    with suppress(NoSuchTable):
        return title_of(store, text)
    title_by_id = {title.id: title for title in titles(store)}
    start = text.strip().casefold()
    names = {key: title.name for key, title in title_by_id.items()}
    ids = lookup.matching(names, text) or [key for key in title_by_id if start and key.startswith(start)]
    if len(ids) == 1:
        return title_by_id[ids[0]]
    if ids:
        listed = _listed(title_by_id[key] for key in ids)
        raise NoSuchThing(f"{text[:60]!r} could be any of {listed}; say its id.", code=NO_TABLE)
    listing = f"There are {_listed(title_by_id.values())}." if title_by_id else "There is none yet."
    raise NoSuchThing(f"There is no table {text[:60]!r}. {listing}", code=NO_TABLE)


def _listed(tables: Iterable[Title]) -> str:
    return ", ".join(f"{title.name} ({title.id})" for title in tables)


def find_seat(seats: Mapping[str, Seat], text: str | None) -> Seat:
    """Find a seat by id, by name, or by a part of its name if only one fits; by default the game master's."""
    if text is None:
        return next(seat for seat in seats.values() if seat.role is Role.GAME_MASTER)
    ids = lookup.matching({key: seat.name for key, seat in seats.items()}, text)
    if len(ids) != 1:
        listed = ", ".join(f"{seat.name} ({seat.role.value})" for seat in seats.values())
        who = "More than one" if ids else "Nobody"
        raise NoSuchThing(f"{who} called {text[:60]!r} sits here. Seats: {listed}.")
    return seats[ids[0]]


# ---------------------------------------------------------------- a seat


class cached(Generic[T]):  # noqa: N801 - a decorator, named as one
    """Cached property, calculated on first access.

    `functools.cached_property` does the same, but before Python 3.12 under one lock for all objects of its class, so
    every table would wait for the slowest.
    """

    def __init__(self, work_out: Callable[[Any], T]) -> None:
        self._work_out = work_out
        self.__doc__ = work_out.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, of: None, owner: type) -> cached[T]: ...
    @overload
    def __get__(self, of: object, owner: type) -> T: ...
    def __get__(self, of: object | None, owner: type) -> cached[T] | T:
        if of is None:
            return self
        value = of.__dict__[self._name] = self._work_out(of)
        return value


class SeatView:
    """A seat's view of its table. `state` is what the seat may see, as of its first access."""

    def __init__(self, context: AppContext, table: str, seat: str) -> None:
        self.context = context
        self.table = table
        self.seat = seat

    @property
    def host(self) -> Host:
        return self.context.host

    @cached
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

    @cached
    def viewer(self) -> Viewer:
        return self.state.viewer(self.seat)

    @property
    def is_game_master(self) -> bool:
        return self.viewer.is_game_master

    def is_own(self, *seats: str) -> bool:
        """Return whether this seat is one of these."""
        return self.seat in seats

    @cached
    def teller(self) -> Teller:
        from astragal.table.authoring.log_lines import Teller

        return Teller(self.state, self.state.terms)

    def in_skin(self, text: str) -> str:
        """Translate the book's words into the skin's. For texts of the game, never for what people said."""
        return self.state.worded(text)

    @cached
    def decisions(self) -> tuple[OpenDecision, ...]:
        return self.host.decisions(self.table, self.seat)

    @cached
    def proposals(self) -> list[Proposal]:
        """Proposals of the game, as this seat sees the table."""
        return self.ruleset.proposals(self.state, self.teller)

    @property
    def commands(self) -> Mapping[str, type]:
        """Commands that this seat's role can give, by name."""
        return self.book.commands_for(self.viewer.role)

    def things(self, kind: str) -> dict[str, str] | None:
        """Return labels of the things of a kind that this seat sees, by id; None for an unknown kind."""
        if kind not in self._things:
            self._things[kind] = lookup.things_of(self.book.kinds, self.state, kind)
        return self._things[kind]

    @cached
    def _things(self) -> dict[str, dict[str, str] | None]:
        return {}

    def is_possible(self, command: type) -> bool:
        """Return whether something exists of every kind that the command has to name, and it is of use to this seat.

        A command limited to a seat's own characters needs one. Whether the command is refused now, only the game knows.
        """
        is_for_own = kind_of_command(command).may.get(self.viewer.role) is Scope.OWN
        if (is_for_own and not self.viewer.characters) or not self.is_of_use(command):
            return False
        return all(self.things(kind) != {} for kind in needs(command))  # None: a kind that can't be looked up

    def is_of_use(self, command: type) -> bool:
        """Return what the command's own `is_of_use` says of what this seat sees; True if it has none."""
        is_of_use = getattr(command, "is_of_use", None)
        return is_of_use is None or is_of_use(self.state)

    def pages(self, cursor: str = "") -> Iterator[Page]:
        """Yield the events that this seat has seen since `cursor`, page by page, to the end of the log."""
        more = True
        while more:
            page = self.host.follow(self.table, self.seat, cursor, AT_ONCE)
            cursor = page.cursor
            more = page.more
            yield page

    def over(self, state: State) -> Self:
        """Use a state that was redacted further; returns this view."""
        vars(self).update(state=state, _things={})
        return self

    def act(self, command: str, fields: Mapping[str, Any], **options: Any) -> Outcome:
        """Give a command; `options` are passed on to `Host.act`."""
        return run_alone(self.context.store, self.acting(command, fields, **options))

    def acting(self, command: str, fields: Mapping[str, Any], **options: Any) -> Steps[Outcome]:
        """Give a command in steps, so that it can be stored together with others."""
        try:
            return (yield from self.host.acting(self.table, self.seat, (command, fields), **options))
        except NoRoom as refusal:
            if isinstance(fault := refusal.__cause__, StoreError):
                raise store_away(fault) from fault
            raise

    def preview(self, command: str, fields: Mapping[str, Any], sight: Sight = Sight.OPEN) -> Preview | None:
        return self.host.preview(self.table, self.seat, (command, fields), sight=sight)


@cache
def needs(command: type) -> frozenset[str]:
    """The kinds of things that a command has to name."""
    return frozenset(field.names for field in definitions.fields_of(command) if field.required and field.names)
