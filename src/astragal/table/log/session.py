"""Session of a table in memory: its state, kept up to date with the store, and caches of what each seat sees."""

import threading
from array import array
from bisect import bisect_left, bisect_right
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple, Self, cast

from msgspec import Struct, field

from astragal.fair import Ledger
from astragal.table.commands.builtin import Happened, Revealed, TextBlanked
from astragal.table.declarations import Viewer, replace
from astragal.table.dice import Chains
from astragal.table.ledger_writer import LEDGER_LINE, LedgerWriter, OutOfOrder, ledger_line
from astragal.table.log.codec import UnknownEvent
from astragal.table.log.history import History, Stale, thaw
from astragal.table.log.store import Corrupted, Entry, Log, Snapshot, title_of
from astragal.table.pending import Offered
from astragal.table.refusals import NoSuchTable, ReadOnly
from astragal.table.registry import Book, TableOpened
from astragal.table.state.table import State
from astragal.table.visibility.events import SeenCache, SeenEvent, is_visible, is_visible_by_kind, seen_event
from astragal.table.visibility.redact import RecordingViewer, RedactionCache

READ_AT_ONCE = 1000
MOST_REMEMBERED = 256
"""Size of the cache of decoded entries: several seats read the same new ones as soon as they are there."""
NUMBER = "I"
"""Type code of arrays of entry numbers, which keep the indexes of a long log small."""


def no_numbers() -> "array[int]":
    return array(NUMBER)


class Journal(Struct):
    """Log positions visible to a seat, counted without gaps so that a cursor leaks nothing."""

    viewer: Viewer
    numbers: "array[int]" = field(default_factory=no_numbers)
    read_to: int = 0

    @property
    def prefix(self) -> str:
        """Prefix of every cursor. It names the role, since another role counts other entries."""
        return f"{self.viewer.role.name.lower()}-"


class ShownEntry(NamedTuple):
    """An entry as viewers see it in the present state: by the viewers, and by what redaction leaves of it."""

    by_viewer: list[tuple[RecordingViewer, SeenEvent | None]]
    by_redacted: SeenCache


class CommandIndex:
    """Index of entries by command id: sorted hashes, each with the first and last number of a run of entries.

    Several commands may have the same hash, so callers have to filter the entries that they find.
    """

    def __init__(self) -> None:
        self._hashes, self._first, self._last = array("q"), no_numbers(), no_numbers()
        self.read_to = 0

    def read_on(self, entries: Iterable[Happened]) -> None:
        """Add the next entries. They are sorted first, so that those of a long log are appended, not inserted."""
        numbers = ((hash(act), [one.number for one in some]) for act, some in groupby(entries, attrgetter("act")))
        for entries_of, first, last in sorted((entries_of, run[0], run[-1]) for entries_of, run in numbers):
            place = bisect_right(self._hashes, entries_of)
            self._hashes.insert(place, entries_of)
            self._first.insert(place, first)
            self._last.insert(place, last)
            self.read_to = max(self.read_to, last)

    def places_of(self, act: str) -> list[int]:
        start, end = bisect_left(self._hashes, hash(act)), bisect_right(self._hashes, hash(act))
        runs = zip(self._first[start:end], self._last[start:end], strict=True)
        return [number for first, last in runs for number in range(first, last + 1)]


class LiveTable:
    """Session of one table: its log, read from the store and folded.

    As a context manager (`with live:`) it locks the table for this thread and reads on to the end of the log.
    """

    def __init__(self, table: str, book: Book, history: History, store: Log, ledger_writer: LedgerWriter) -> None:
        self.table, self.book, self.history, self.ledger_writer = table, book, history, ledger_writer
        self.lock = threading.RLock()
        self.fault: str | None = None
        """The reason why the table is read-only: the entry at which reading stopped. None if it can be played."""
        self.caught_up_threads: set[int] = set()
        """Ids of the threads that have just read on and skip it for now (`Host.looking`)."""
        self.tail = b""
        """Data of the last entry that was read, to notice when the log was replaced."""
        self._store = store
        self._read_at: int | None = None
        """The store's count of changes when the log was last read to its end."""
        self._journals: dict[str, Journal] = {}
        """What each seat at the table may see, four bytes an entry, so that a cursor finds its place. A removed seat's
        is dropped with the next new one, all of them when the log is replaced."""
        self._views = RedactionCache()
        self._shown_in: State | None = None
        self._viewers: dict[str, Viewer] = {}
        self.offered: Offered = {}
        """Caches for the state `_shown_in`, which end with it: viewers, and decisions as each side sees them."""
        self._shown_entries: OrderedDict[int, ShownEntry] = OrderedDict()
        """The newest entries as viewers see them in the state `_shown_in`, by number: redaction and words are done
        once for all seats that see the same. Another state ends it; so does age, as talk doesn't change the state."""
        self.answered: deque[str] = deque(maxlen=MOST_REMEMBERED)
        """Ids of the newest commands that were committed here: a repeated one is looked up, not decided again."""
        self._remembered: OrderedDict[int, Happened] = OrderedDict()
        self._kinds: dict[str, array[int]] = {}
        self._kinds_read_to = 0
        self._by_command = CommandIndex()

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

    def catch_up(self) -> None:
        """Read on to the end of the log. At an entry that can't be read, the table becomes read-only."""
        if self.fault is not None or threading.get_ident() in self.caught_up_threads:
            return
        changes = self._store.changes()  # before reading: a write in the meantime changes it again
        if changes is not None and changes == self._read_at:
            return
        try:
            entries = self._store.read(self.table, self.history.number - 1)
            last = next(entries, None)
            if last is None or last.data != self.tail:  # a restore has replaced the log
                self.reload()
                return
            stood = self.history.number
            blanked = [self._take_in(some) for some in batched(entries, READ_AT_ONCE)]
            if any(blanked) and stood > 1:
                self.reload()  # text that another process blanked must leave memory, too
                return
            self._read_at = changes
        except (UnknownEvent, OutOfOrder) as fault:
            self.fault = str(fault)
        except Corrupted as fault:
            self.fault = fault.problem

    def begin_from(self, snapshot: Snapshot, first: Entry) -> None:
        """Start from a snapshot or, if it does not fit, from the first entry."""
        try:
            self.ledger_writer.begin(thaw(snapshot.data, self.book.stamp, self.history))
            self.tail = next(iter(self._store.read(self.table, self.history.number - 1, self.history.number))).data
        except (Stale, StopIteration, Corrupted):
            self.begin(first)

    def _take_in(self, entries: Sequence[Entry]) -> bool:
        """Apply the next entries of the log, as far as they can be read. Returns whether any of them blanked text."""
        taken: list[Happened] = []
        try:
            for happened in self._decoded(entries):
                self._advance(happened, entries[len(taken)])
                taken.append(happened)
        finally:
            if taken:
                self.tail = entries[len(taken) - 1].data
                self.ledger_writer.take(taken)
        return any(isinstance(happened.event, TextBlanked) for happened in taken)

    def _advance(self, happened: Happened, entry: Entry) -> None:
        stood = self.history.number
        try:
            self.history.advance(happened)
        except Exception as fault:  # a fold is the ruleset's code, and may fail in any way on impossible events
            self.history.number = stood
            why = f"which does not fit what came before it ({type(fault).__name__}: {fault})"
            raise UnknownEvent(entry.number, entry.name, entry.version, why) from fault

    def go_on(
        self, told: Iterable[tuple[Happened, State]], proving: Iterable[Happened], last: Entry, ledger: Ledger
    ) -> None:
        """Apply what was just stored: events with the states they lead to, and ledger lines with the new ledger."""
        for happened, state in told:
            self.history.advance(happened, state)
            self._remember(happened)
        for happened in proving:
            self.history.advance(happened)
            self._remember(happened)
        self.tail = last.data
        self.ledger_writer.ledger = ledger

    def ledger(self, after: int = 0) -> Iterator[bytes]:
        """Return an iterator over the lines of the public ledger, from line `after` on."""
        places = self.places_of_kind(LEDGER_LINE)[after:]
        entries = self._store.read(self.table, places[0] - 1, places[-1]) if places else ()
        return (ledger_line(entry.data) for entry in entries if entry.name == LEDGER_LINE)

    def places_of_kind(self, name: str) -> Sequence[int]:
        """Return the numbers of entries by name, from an index that is built once for all names, then extended."""
        if self._kinds_read_to < self.history.number:
            for entry in self._store.read(self.table, self._kinds_read_to, self.history.number):
                self._kinds.setdefault(entry.name, no_numbers()).append(entry.number)
            self._kinds_read_to = self.history.number
        return self._kinds.get(name, ())

    def _decoded(self, entries: Sequence[Entry]) -> Iterator[Happened]:
        """Decode entries with their free texts."""
        codec = self.book.codec
        digests = [digest for entry in entries for digest in codec.text_digests(entry)]
        texts = self._store.texts(self.table, digests) if digests else {}
        return (codec.decode(entry, texts) for entry in entries)

    def check_playable(self) -> None:
        if self.fault is not None:
            raise ReadOnly(f"This table can only be read: {self.fault}.")

    def viewer(self, seat: str) -> Viewer:
        self._drop_stale_caches()
        if seat not in self._viewers:
            if seat not in self.state.seats:
                raise NoSuchTable("There is no such table, or you don't sit at it.")
            self._viewers[seat] = self.state.viewer(seat)
        return self._viewers[seat]

    def _drop_stale_caches(self) -> None:
        """Clear the caches of an earlier state."""
        if self._shown_in is not self.state:
            self._shown_in = self.state
            self._viewers = {}
            self.offered = {}
            self._shown_entries.clear()

    def view(self, seat: str) -> State:
        """Return the state, redacted for this seat."""
        return self._views.of(self.state, self.viewer(seat))

    def happened(self, after: int = 0, up_to: int | None = None) -> Iterator[Happened]:
        """Return an iterator over decoded entries of the log, as far as they can be read."""
        last = self.history.number if up_to is None else min(self.history.number, up_to)
        numbers = range(after + 1, last + 1)
        if all(number in self._remembered for number in numbers):
            return iter([self._remembered[number] for number in numbers])
        entries = self._store.read(self.table, after, last)
        read = (happened for some in batched(entries, READ_AT_ONCE) for happened in self._decoded(some))
        return self._remembering(read) if len(numbers) <= MOST_REMEMBERED else read

    def _remembering(self, read: Iterator[Happened]) -> Iterator[Happened]:
        for happened in read:
            self._remember(happened)
            yield happened

    def _remember(self, happened: Happened) -> None:
        self._remembered[happened.number] = happened
        if len(self._remembered) > MOST_REMEMBERED:
            self._remembered.popitem(last=False)

    def entries_of(self, act: str) -> list[Happened]:
        """Return all entries of one command."""
        places = self._places_of(act)
        found = [self._remembered[number] for number in places if number in self._remembered]
        if len(found) < len(places):
            found = [happened for number in places for happened in self.happened(number - 1, number)]
        return [happened for happened in found if happened.act == act]

    def text_digests(self, act: str) -> list[str]:
        """Return the digests of one command's free texts."""
        places = (happened.number for happened in self.entries_of(act))
        entries = (one for number in places for one in self._store.read(self.table, number - 1, number))
        return [digest for one in entries for digest in self.book.codec.text_digests(one)]

    def _places_of(self, act: str) -> Sequence[int]:
        """Return the numbers of a command's entries, maybe with another's; the index is built once, then extended."""
        if self._by_command.read_to < self.history.number:
            self._by_command.read_on(self.happened(self._by_command.read_to))
        return self._by_command.places_of(act)

    def reload(self) -> None:
        """Clear all caches and read the log again from its beginning."""
        self.begin(next(iter(self._store.read(self.table, 0, 1))))
        self._journals.clear()
        self._remembered.clear()
        self._kinds.clear()
        self._kinds_read_to = 0
        self._by_command = CommandIndex()
        self._read_at = None
        self.catch_up()

    def begin(self, first: Entry) -> None:
        """Reset the session to the table's first entry."""
        self.history = self.book.history(self.book.codec.decode(first, None).event)
        self.ledger_writer.begin(Ledger.empty(self.table))
        self._take_in([first])

    def shown(self, happened: Happened, viewer: Viewer, state: State | None = None) -> SeenEvent | None:
        """Return the event as this viewer sees it, in the present state or in the one that it led to.

        In the present state it is cached: viewers for whom redaction gets the same answers share one result.
        """
        is_old = happened.number <= self.history.number - MOST_REMEMBERED
        if (state is not None and state is not self.state) or is_old or viewer is not self.viewer(viewer.seat):
            return self._shown(happened, viewer, state)
        shown_entry = self._shown_entry(happened.number)
        for looker, seen in shown_entry.by_viewer:
            if looker.answers_as(viewer):
                return seen
        is_reveal = isinstance(happened.event, Revealed)
        looker = RecordingViewer(viewer, is_named=is_reveal)
        seen = self._shown(happened, viewer if is_reveal else cast("Viewer", looker), None, shown_entry.by_redacted)
        shown_entry.by_viewer.append((looker, seen))
        return seen

    def _shown_entry(self, number: int) -> ShownEntry:
        """Return the cache of one entry's views, which may push out the oldest entry."""
        if number not in self._shown_entries:
            self._shown_entries[number] = ShownEntry([], [])
            if len(self._shown_entries) > MOST_REMEMBERED:
                self._shown_entries.popitem(last=False)
        return self._shown_entries[number]

    def _shown(
        self, happened: Happened, viewer: Viewer, state: State | None, alike: SeenCache | None = None
    ) -> SeenEvent | None:
        telling = self.book.event_specs[type(happened.event)]
        abandoned = self.history.is_abandoned(happened)
        seen = seen_event(happened, viewer, state or self.state, telling, abandoned=abandoned, alike=alike)
        if seen and isinstance(happened.event, Revealed):
            opened = [self.shown(one, viewer, state) for one in self.entries_of(happened.event.act)]
            return replace(seen, opened=tuple(one for one in opened if one))
        return seen

    def journal(self, seat: str) -> Journal:
        """Return the seat's journal, read on to the end of the log. A new role begins a new journal."""
        viewer = self.viewer(seat)
        journal = self._journals.get(seat)
        if journal is None or journal.viewer.role is not viewer.role:
            self._journals = {other: kept for other, kept in self._journals.items() if other in self.state.seats}
            journal = self._journals[seat] = Journal(viewer)
        if self.history.number - journal.read_to > MOST_REMEMBERED:
            self._read_journals(journal.read_to)
        elif journal.read_to < self.history.number:
            journal.numbers.extend(one.number for one in self.happened(journal.read_to) if is_visible(one, viewer))
            journal.read_to = self.history.number
        return journal

    def _read_journals(self, after: int) -> None:
        """Read on in a long log, once for all seats that have read no further, decoding only what has to be decoded."""
        for seat in self.state.seats:
            self._journals.setdefault(seat, Journal(self.viewer(seat)))
        behind = [(one, list[int]()) for one in self._journals.values() if one.read_to == after]
        codec = self.book.codec
        for entry in self._store.read(self.table, after, self.history.number):
            outside, happened = codec.outside(entry), None
            for journal, found in behind:
                sees = is_visible_by_kind(*outside, journal.viewer)
                if sees is None:
                    happened = happened or codec.decode(entry, None)
                    sees = is_visible(happened, journal.viewer)
                if sees:
                    found.append(entry.number)
        for journal, found in behind:
            journal.numbers.extend(found)
            journal.read_to = self.history.number

    def all_shown(self, seat: str) -> Iterator[tuple[int, SeenEvent, list[int]]]:
        """Yield each event that this seat may see, with its number in the log and the numbers that a reveal opened."""
        visible, viewer = set(self.journal(seat).numbers), self.viewer(seat)
        for happened in self.happened():
            if happened.number in visible and (shown := self.shown(happened, viewer)):
                entries_of = self.entries_of(happened.event.act) if isinstance(happened.event, Revealed) else []
                yield happened.number, shown, [one.number for one in entries_of if self.shown(one, viewer)]


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
    try:
        live = _begun(table, books[title.ruleset], store, entropy)
    except (UnknownEvent, OutOfOrder) as fault:
        raise ReadOnly(f"This table can't be read: {fault}.") from fault
    snapshot = store.snapshot(table) if from_snapshot else None
    if snapshot is not None:
        live.begin_from(snapshot, next(iter(store.read(table, 0, 1))))
    live.catch_up()
    if live.fault is not None and not live.state.seats:
        raise ReadOnly(f"This table can't be read: {live.fault}.")
    return live


def _begun(table: str, book: Book, store: Log, entropy: Callable[[int], bytes]) -> LiveTable:
    """Return a session that has read the table's first entry."""
    first = next(iter(store.read(table, 0, 1)))
    opened = book.codec.decode(first, None).event
    if not isinstance(opened, TableOpened):
        raise UnknownEvent(first.number, first.name, first.version, "and a log begins with table_opened")
    chains = Chains(lambda: store.private(table), entropy, seeded_by=table if opened.house.seeded else None)
    try:
        history = book.history(opened)
    except Exception as fault:  # how a game begins is the ruleset's code
        why = f"and no table can begin so ({type(fault).__name__}: {fault})"
        raise UnknownEvent(first.number, first.name, first.version, why) from fault
    live = LiveTable(table, book, history, store, LedgerWriter(table, chains, entropy))
    live.begin(first)
    return live


def batched(entries: Iterable[Entry], size: int) -> Iterator[list[Entry]]:
    """Yield entries in batches. Those before a damaged entry are yielded before `Corrupted` is raised."""
    some: list[Entry] = []
    try:
        for entry in entries:
            some.append(entry)
            if len(some) == size:
                yield some
                some = []
    except Corrupted:
        yield some
        raise
    yield some
