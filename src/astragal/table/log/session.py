"""Session of a table in memory: its log, its history and its seats' views, kept up to date with the store.

Three parts, each of which can be used without a session: `TableLog` reads the entries, `History` folds them into the
state, `SeatViews` shows both to the seats. The session applies each new entry to all of them, in that order.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Self

from astragal.fair import Ledger
from astragal.table.commands.builtin import Happened, TextBlanked
from astragal.table.declarations import Viewer
from astragal.table.dice import Chains
from astragal.table.ledger_writer import LedgerWriter, OutOfOrder
from astragal.table.log.codec import UnknownEvent
from astragal.table.log.history import History
from astragal.table.log.snapshots import Stale, thaw
from astragal.table.log.store import Corrupted, Entry, Log, Snapshot, title_of
from astragal.table.log.table_log import MOST_REMEMBERED, LogReplaced, TableLog
from astragal.table.refusals import ReadOnly
from astragal.table.registry import Book, TableOpened
from astragal.table.state.table import State
from astragal.table.visibility.seat_views import SeatViews


class LiveTable:
    """Session of one table: its log, read from the store and folded.

    As a context manager (`with live:`) it locks the table for this thread and reads on to the end of the log.
    """

    log: TableLog
    history: History
    views: SeatViews

    def __init__(self, table: str, book: Book, store: Log, ledger_writer: LedgerWriter, first: Entry) -> None:
        self.table = table
        self.book = book
        self.ledger_writer = ledger_writer
        self.lock = threading.RLock()
        self.fault: str | None = None
        """The reason why the table is read-only: the entry at which reading stopped. None if it can be played."""
        self.caught_up_threads: set[int] = set()
        """Ids of the threads that have just read on and skip it for now (`Host.looking`)."""
        self.answered: deque[str] = deque(maxlen=MOST_REMEMBERED)
        """Ids of the newest commands that were committed here: a repeated one is looked up, not decided again."""
        self._store = store
        self._changes_at_end: int | None = None
        """The store's count of changes when the log was last read to its end."""
        self.begin(first)

    def __enter__(self) -> Self:
        self.lock.acquire()
        try:
            self.catch_up()
        except BaseException:
            self.lock.release()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.lock.release()

    @property
    def state(self) -> State:
        return self.history.state

    def viewer(self, seat: str) -> Viewer:
        """Return what a seat is and owns. Raises `NoSuchTable`."""
        return self.views.viewer(seat)

    def view(self, seat: str) -> State:
        """Return the state, redacted for this seat."""
        return self.views.state(seat)

    def check_playable(self) -> None:
        if self.fault is not None:
            raise ReadOnly(f"This table can only be read: {self.fault}.")

    # ------------------------------------------------------------ beginning

    def begin(self, first: Entry) -> None:
        """Reset the session to the table's first entry. All that was cached of the log goes."""
        self.history = _beginning(self.book, first)
        self.log = TableLog(self.table, self._store, self.book.codec)
        self.views = SeatViews(self.log, self.history, self.book)
        self.ledger_writer.begin(Ledger.empty(self.table))
        self._changes_at_end = None
        self._apply([first])

    def begin_from(self, snapshot: Snapshot, first: Entry) -> None:
        """Start from a snapshot or, if it does not fit, from the first entry."""
        try:
            ledger = thaw(snapshot.data, self.book.stamp, self.history)
            self.ledger_writer.begin(ledger)
            last = next(iter(self._store.read(self.table, self.history.number - 1, self.history.number)))
            self.log.applied(last)
        except (Stale, StopIteration, Corrupted):
            self.begin(first)

    def reload(self) -> None:
        """Read the log again from its beginning."""
        self.begin(next(iter(self._store.read(self.table, 0, 1))))
        self.catch_up()

    # ------------------------------------------------------------ going on

    def catch_up(self) -> None:
        """Read on to the end of the log. At an entry that can't be read, the table becomes read-only."""
        if self.fault is not None or threading.get_ident() in self.caught_up_threads:
            return
        changes = self._store.changes()  # before reading: a write in the meantime changes it again
        if changes is not None and changes == self._changes_at_end:
            return
        try:
            self._read_on(changes)
        except (UnknownEvent, OutOfOrder) as fault:
            self.fault = str(fault)
        except Corrupted as fault:
            self.fault = fault.problem

    def _read_on(self, changes: int | None) -> None:
        number_before = self.log.number
        is_blanked = False
        try:
            for entries in self.log.new_entries():
                is_blanked = self._apply(entries) or is_blanked
        except LogReplaced:
            self.reload()
            return
        if is_blanked and number_before > 1:
            self.reload()  # text that another process blanked must leave memory, too
            return
        self._changes_at_end = changes

    def _apply(self, entries: Sequence[Entry]) -> bool:
        """Apply the next entries of the log, as far as they can be read. Returns whether any of them blanked text."""
        applied: list[Happened] = []
        try:
            for entry, happened in zip(entries, self.log.decoded(entries), strict=True):
                self._fold(happened, entry)
                applied.append(happened)
        finally:
            if applied:
                self.log.applied(entries[len(applied) - 1])
                self.ledger_writer.take(applied)
        return any(isinstance(happened.event, TextBlanked) for happened in applied)

    def _fold(self, happened: Happened, entry: Entry) -> None:
        number_before = self.history.number
        try:
            self.history.advance(happened)
        except Exception as fault:  # a fold is the ruleset's code, and may fail in any way on impossible events
            self.history.number = number_before
            why = f"which does not fit what came before it ({type(fault).__name__}: {fault})"
            raise UnknownEvent(entry.number, entry.name, entry.version, why) from fault

    def go_on(
        self,
        happened_with_states: Iterable[tuple[Happened, State]],
        proving: Iterable[Happened],
        last: Entry,
        ledger: Ledger,
    ) -> None:
        """Apply what was just stored: events with the states they lead to, and ledger lines with the new ledger."""
        for happened, state in happened_with_states:
            self.history.advance(happened, state)
            self.log.remember(happened)
        for happened in proving:
            self.history.advance(happened)
            self.log.remember(happened)
        self.log.applied(last)
        self.ledger_writer.ledger = ledger


def open_live(
    table: str,
    books: Mapping[str, Book],
    store: Log,
    entropy: Callable[[int], bytes],
    *,
    from_snapshot: bool = True,
) -> LiveTable:
    """Read a table into memory, from its snapshot if one fits.

    Raises `ReadOnly` if the log is unreadable before anyone has taken a seat.
    """
    title = title_of(store, table)
    if title.problem:
        raise ReadOnly(f"This table can't be read: {title.problem}.")
    if title.ruleset not in books:
        raise ReadOnly(f"This table is of the game {title.ruleset!r}, which is not installed here.")
    first = next(iter(store.read(table, 0, 1)))
    try:
        live = _begun(table, books[title.ruleset], store, entropy, first)
    except (UnknownEvent, OutOfOrder) as fault:
        raise ReadOnly(f"This table can't be read: {fault}.") from fault
    snapshot = store.snapshot(table) if from_snapshot else None
    if snapshot is not None:
        live.begin_from(snapshot, first)
    live.catch_up()
    if live.fault is not None and not live.state.seats:
        raise ReadOnly(f"This table can't be read: {live.fault}.")
    return live


def _begun(table: str, book: Book, store: Log, entropy: Callable[[int], bytes], first: Entry) -> LiveTable:
    """Return a session that has read the table's first entry."""
    is_seeded = _opening_event(book, first).house.seeded
    chains = Chains(lambda: store.private(table), entropy, seeded_by=table if is_seeded else None)
    return LiveTable(table, book, store, LedgerWriter(table, chains, entropy), first)


def _beginning(book: Book, first: Entry) -> History:
    """Return the history that a table's first entry begins."""
    try:
        return book.history(_opening_event(book, first))
    except UnknownEvent:
        raise
    except Exception as fault:  # how a game begins is the ruleset's code
        why = f"and no table can begin so ({type(fault).__name__}: {fault})"
        raise UnknownEvent(first.number, first.name, first.version, why) from fault


def _opening_event(book: Book, first: Entry) -> TableOpened:
    event = book.codec.decode(first, None).event
    if not isinstance(event, TableOpened):
        raise UnknownEvent(first.number, first.name, first.version, "and a log begins with table_opened")
    return event
