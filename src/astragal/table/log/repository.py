"""Repository of tables: caches them in memory while they are played, and acknowledges nothing before it is stored."""

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from threading import Lock
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from astragal.fair import FairError, Receipt, lines
from astragal.table import dice, ledger_writer, refusals, registry
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.commands import builtin, execute, handlers
from astragal.table.declarations import Role, Viewer, decoder
from astragal.table.fields.parse import name_checked
from astragal.table.log import codec, export, history, session
from astragal.table.log.group_commit import Steps, run_alone
from astragal.table.log.store import (
    Answer,
    Append,
    Batch,
    Conflict,
    Entry,
    Snapshot,
    Store,
    StoreFull,
    StoreUnavailable,
)
from astragal.table.log.store import NoSuchTable as NotInStore
from astragal.table.state.table import State
from astragal.table.visibility.events import SeenEvent
from astragal.table.visibility.redact import plain

MOST_TRIES = 50
"""Attempts at a command while other processes keep adding to the log before it."""
MOST_IDLE = 64
"""Number of tables that stay in memory while nobody follows them."""
SNAPSHOT_EVERY = 2000
CROWDED = "Too many people act at this table at once; try again."
T = TypeVar("T")
NOTHING: Mapping[str, bytes] = MappingProxyType({})


class Outcome(Struct, frozen=True):
    """Outcome of a command, as its seat sees it."""

    act: str
    events: tuple[SeenEvent, ...]
    waits_for: tuple[str, ...] = ()
    """The sides that have to decide before the command is settled."""
    receipt: Receipt | None = None
    """The ledger's last line and head at that time. A client that keeps it can prove that the ledger was rewritten."""


class Identity(NamedTuple):
    """A command's id and a digest of its arguments: the same id can't be used for another command."""

    command: str
    asked: bytes


class _Kept(msgspec.Struct, frozen=True):
    """Stored answer to a command: the place of its outcome in the log, and its receipt."""

    act: str
    first: int
    last: int
    waits_for: tuple[str, ...]
    receipt: Receipt


_KEPT = decoder(_Kept)


class TableRepository:
    """The tables of a store, cached as sessions in memory."""

    def __init__(
        self,
        store: Store,
        rulesets: Iterable[Ruleset],
        *,
        clock: Callable[[], int],
        entropy: Callable[[int], bytes],
        rehearses: bool,
    ) -> None:
        self.store, self.rehearses = store, rehearses
        self._rulesets, self._books, self._loading = rulesets, dict[str, registry.Book](), Lock()
        self._clock, self._entropy = clock, entropy
        self._live: OrderedDict[str, session.LiveTable] = OrderedDict()
        self._followed: Counter[str] = Counter()
        self._opening: dict[str, Lock] = {}
        self._lock = Lock()

    @property
    def books(self) -> dict[str, registry.Book]:
        """The games by their ids, loaded when they are first needed."""
        if not self._books:
            with self._loading:
                self._books = self._books or {ruleset.id: registry.Book.of(ruleset) for ruleset in self._rulesets}
        return self._books

    def newest_book(self, ruleset: str) -> registry.Book:
        """Return the book for a new table. A game in a file is loaded again if the file has changed."""
        renewed = self.books[ruleset].ruleset.renewed
        if renewed and (newer := renewed()):
            self.books[newer.id] = registry.Book.of(newer)
        return self.books[ruleset]

    def at(self, table: str) -> session.LiveTable:
        """Return the session of a table, from memory or the store. While one thread opens it, other callers wait."""
        if (live := self._cached(table)) is not None:
            return live
        with self._lock:
            opening = self._opening.setdefault(table, Lock())
        with opening:
            try:
                return self._cached(table) or self._opened(table)
            finally:
                with self._lock:
                    self._opening.pop(table, None)

    def opening(self, table: str) -> Steps[session.LiveTable]:
        """Return the session of a table in steps, as it takes a while to read a long log."""
        if (live := self._cached(table)) is None:
            yield None
            live = self.at(table)
        return live

    def _cached(self, table: str) -> session.LiveTable | None:
        with self._lock:
            if table in self._live:
                self._live.move_to_end(table)
            return self._live.get(table)

    def _opened(self, table: str) -> session.LiveTable:
        """Open a table from the store, and evict the least recently used of those that nobody follows."""
        try:
            opened = session.open_live(table, self.books, self.store, self._entropy)
        except NotInStore:
            raise refusals.NoSuchTable("There is no such table, or you don't sit at it.") from None
        with self._lock:
            live = self._live.setdefault(table, opened)
            idle = [one for one in self._live if one not in self._followed]
            for one in idle[: max(len(idle) - MOST_IDLE, 0)]:
                del self._live[one]
        return live

    def follow(self, table: str) -> None:
        """Keep a table in memory, for as long as somebody follows it."""
        with self._lock:
            self._followed[table] += 1

    def unfollow(self, table: str) -> None:
        with self._lock:
            self._followed[table] -= 1
            if not self._followed[table]:
                del self._followed[table]

    def read_through(self, carried: export.ImportedTable) -> None:
        """Validate an imported log before it is stored: fold it, and redact it for its seats. Raises `BadExport`."""
        try:
            live = session.open_live(carried.table, self.books, carried, self._entropy, from_snapshot=False)
            live.check_playable()
        except refusals.ReadOnly as fault:
            raise export.BadExport(fault.sentence) from fault
        if live.state.id != carried.table:
            raise export.BadExport(
                f"The log in this export is that of table {live.state.id[:60]!r}, not of {carried.table!r}."
            )
        if not any(seat.role is Role.GAME_MASTER for seat in live.state.seats.values()):
            raise export.BadExport("Nobody is game master in this export.")
        try:
            name_checked(live.state.name)
            for seat in live.state.seats:
                plain(live.view(seat))
            master = live.viewer(live.state.game_master)
            for happened in live.happened():
                live.shown(happened, master)
            history.freeze(live.history, live.ledger_writer.ledger, live.book.stamp)
        except Exception as fault:  # words and views are the ruleset's code, and may fail in any way on a forgery
            raise export.BadExport(
                f"The table in this export can't be shown ({type(fault).__name__}: {fault})."
            ) from fault

    def forget(self, table: str | None = None) -> None:
        """Drop a table, or all, from memory; the store has them."""
        with self._lock:
            if table is None:
                self._live.clear()
            else:
                self._live.pop(table, None)

    def begin(self, book: registry.Book, table: str, seat: str, told: handlers.CommandResult) -> None:
        """Store the first entries of a new table: its opening, its game master, and the first lines of its ledger."""
        seeded = told.events[0].house.seeded or self.rehearses
        now = self._clock()
        happened = _numbered(now, seat, 0, told, told.events)
        encoded = [book.codec.encode(one, self._salt) for one in happened]
        proof = ledger_writer.first_lines(table, [one.entry for one in encoded], self._entropy, seeded=seeded)
        proving = _numbered(now, seat, len(happened), told, proof)
        self.store.create(table, _batch([*encoded, *(book.codec.encode(one, self._salt) for one in proving)]))

    def retry(self, live: session.LiveTable, attempt: Callable[[], T]) -> T:
        """Return what an attempt returns. It is made on the newest log, and again after each `Conflict`."""
        for _ in range(MOST_TRIES):
            with live.lock, suppress(Conflict):
                live.catch_up()
                return attempt()
        raise refusals.NoRoom(CROWDED)

    def keep(self, live: session.LiveTable, seat: str, told: handlers.CommandResult) -> Outcome:
        """Commit a command by itself. See `keeping`."""
        return run_alone(self.store, self.keeping(live, seat, told))

    def keeping(
        self, live: session.LiveTable, seat: str, told: handlers.CommandResult, identity: Identity | None = None
    ) -> Steps[Outcome]:
        """Commit a command: fold its events, prove them in the ledger, store both, and only then show the outcome.

        Raises `Conflict` if others appended first.
        """
        before, number = live.state, live.history.number
        states, events = execute.settle(live.book, live.history, told.events)
        after = states[-1] if states else before
        has_dice = any(isinstance(event, (builtin.Rolled, builtin.Decided)) for event in events)
        if not has_dice:  # nothing is refused once its dice have fallen
            execute.check_undisturbed(live.book, before, after)
            if after is not before and seat in before.seats:
                execute.check_room(before, after, before.viewer(seat))
        now = self._clock()
        happened = _numbered(now, seat, number, told, events)
        encoded = [live.book.codec.encode(one, self._salt) for one in happened]
        proof = _proof(live, seat, after, told, events=events, entries=[one.entry for one in encoded])
        proving = _numbered(now, seat, number + len(happened), told, proof.lines)
        encoded += [live.book.codec.encode(one, self._salt) for one in proving]
        outcome = _outcome(live, after, seat, told.act, happened, receipt=proof.receipt)
        kept = _Kept(told.act, number + 1, number + len(happened), outcome.waits_for, proof.receipt)
        answer = Answer(identity.command, identity.asked, msgspec.json.encode(kept)) if identity else None
        batch = _batch(encoded, answer, {**told.seeds, **proof.seeds}, told.pictures)
        try:
            yield Append(live.table, number, batch, live.tail)
        except (StoreFull, StoreUnavailable) as fault:
            raise refusals.NoRoom("The table can't be written to now. Nothing was lost; try again.") from fault
        if identity:
            live.answered.append(identity.command)
        live.go_on(zip(happened, states, strict=True), proving, encoded[-1].entry, proof.ledger)
        if before.pictures is not after.pictures:
            self._forget_pictures(live.table, before, after)
        if number // SNAPSHOT_EVERY != live.history.number // SNAPSHOT_EVERY:
            self.snap(live)
        return outcome

    def _forget_pictures(self, table: str, before: State, after: State) -> None:
        """Delete the bytes of pictures that the table no longer has. If that fails, they are still shown to nobody."""
        there = {one.digest for one in after.pictures.values()}
        for digest in {one.digest for one in before.pictures.values()} - there:
            with suppress(StoreUnavailable):
                self.store.drop_picture(table, digest)

    def promise(self, live: session.LiveTable, seat: str, promise: dice.Promise) -> None:
        """Publish the tips of chains in the ledger, and store their seeds with them."""
        self.keep(live, seat, handlers.CommandResult([], self.fresh(), declared=promise.tips, seeds=promise.seeds))

    def restored(self, _: str, number: int) -> Entry:
        """Return the entry that ends a log which was restored from a backup or imported."""
        happened = builtin.Happened(number, self._clock(), "", self.fresh(), builtin.Restored(known_to=number - 1))
        return codec.entry_of(happened, happened.event)

    def close_gap(self, live: session.LiveTable) -> None:
        """Declare the gap of a table that was restored or imported: it continues with new chains, for all to see."""
        if live.ledger_writer.gap_is_due:
            self.declare_gap(live, "restored from a backup")

    def declare_gap(self, live: session.LiveTable, why: str) -> None:
        """Declare in the ledger that earlier promises of chains no longer hold."""
        self.keep(live, live.state.game_master, handlers.CommandResult([], self.fresh(), declared=[lines.gap(why)]))

    def answered(self, live: session.LiveTable, viewer: Viewer, identity: Identity) -> Outcome | None:
        """Return the outcome of a repeated command from the log, with blanked text still blank; None if it is new."""
        stored = self.store.answer(live.table, identity.command)
        if stored is None:
            return None
        if stored.asked != identity.asked:
            raise refusals.IdReused("This command id was already used for another command.")
        kept: _Kept = _KEPT.decode(stored.data)
        if kept.last > live.history.number:  # another process has stored it since this one read on
            live.catch_up()
        shown = (live.shown(one, viewer) for one in live.happened(kept.first - 1, kept.last))
        return Outcome(kept.act, tuple(one for one in shown if one), kept.waits_for, kept.receipt)

    def snap(self, live: session.LiveTable) -> None:
        """Store a snapshot of the current state."""
        self.store.keep_snapshot(
            live.table,
            Snapshot(live.history.number, history.freeze(live.history, live.ledger_writer.ledger, live.book.stamp)),
        )

    def fresh(self) -> str:
        """Return a new unique id."""
        return self._entropy(8).hex()

    def _salt(self) -> bytes:
        return self._entropy(16)


def _numbered(
    now: int, seat: str, after: int, told: handlers.CommandResult, events: Iterable[Any]
) -> list[builtin.Happened]:
    """Number events for the log. Events of one commit share one time; anonymous events are stored without an author."""
    authors = ((event, "" if getattr(event, "anonymous", False) else seat) for event in events)
    return [
        builtin.Happened(number, now, author, told.act, event, told.sight, told.hides)
        for number, (event, author) in enumerate(authors, after + 1)
    ]


def _batch(
    encoded: Sequence[codec.Encoded],
    answer: Answer | None = None,
    private: Mapping[str, bytes] = NOTHING,
    pictures: Mapping[str, bytes] = NOTHING,
) -> Batch:
    texts = tuple(text for one in encoded for text in one.texts)
    return Batch(tuple(one.entry for one in encoded), answer, texts, private, pictures)


def _proof(
    live: session.LiveTable,
    seat: str,
    after: State,
    told: handlers.CommandResult,
    *,
    events: Sequence[Any],
    entries: Sequence[Entry],
) -> ledger_writer.Proof:
    by = told.drawing.by if told.drawing else ledger_writer.seat_in_ledger(seat, live.state.game_master)
    record = ledger_writer.CommandRecord(
        told.act, by, told.sight, told.hides, events, entries, told.drawing, after.decisions, told.declared
    )
    try:
        return live.ledger_writer.attest(record, live.entries_of)
    except FairError as fault:
        raise refusals.Refusal(str(fault), code=f"fair_{fault.code.value.replace('-', '_')}") from fault


def _outcome(
    live: session.LiveTable,
    after: State,
    seat: str,
    act: str,
    happened: Iterable[builtin.Happened],
    *,
    receipt: Receipt,
) -> Outcome:
    """Return the outcome of a command, as its seat sees it in the resulting state."""
    viewer = after.viewer(seat) if seat in after.seats else live.viewer(seat)
    shown = (live.shown(one, viewer, after) for one in happened)
    decision = after.decisions.get(act)
    return Outcome(act, tuple(one for one in shown if one), decision.awaited if decision else (), receipt)
