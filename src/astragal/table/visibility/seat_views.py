"""Views of a table by seat: its state and its events as each seat may see them, and which entries it may read.

Everything that a seat is shown of a table in memory comes from here. What is cached ends with the state that it shows.
"""

from array import array
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import NamedTuple, cast

from msgspec import Struct, field

from astragal.table.commands.builtin import Happened, Revealed
from astragal.table.declarations import Viewer, replace
from astragal.table.log.codec import Codec
from astragal.table.log.history import History
from astragal.table.log.store import Entry
from astragal.table.log.table_log import MOST_REMEMBERED, TableLog, no_numbers
from astragal.table.pending import Offered
from astragal.table.refusals import NoSuchTable
from astragal.table.registry import Book
from astragal.table.state.table import State
from astragal.table.visibility.events import SeenCache, SeenEvent, is_visible, is_visible_by_kind, seen_event
from astragal.table.visibility.view_cache import RecordingViewer, RedactionCache


class Journal(Struct):
    """Log positions visible to a seat, counted without gaps so that a cursor leaks nothing."""

    viewer: Viewer
    numbers: "array[int]" = field(default_factory=no_numbers)
    read_to: int = 0

    @property
    def prefix(self) -> str:
        """Prefix of every cursor. It names the role, since another role counts other entries."""
        return f"{self.viewer.role.name.lower()}-"


class EventForViewers(NamedTuple):
    """An event as viewers with the same rights see it; None if it is not for them."""

    rights: RecordingViewer
    event: SeenEvent | None


class EntryViews(NamedTuple):
    """An entry as viewers see it in the present state: by the viewers, and by what redaction leaves of it."""

    by_viewer: list[EventForViewers]
    by_redacted: SeenCache


class StateCaches:
    """Caches for one state of the table, dropped as soon as there is another."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.viewers: dict[str, Viewer] = {}
        self.offered: Offered = {}
        """Pending decisions as each side sees them: a decision's options take exact odds."""
        self.entries: OrderedDict[int, EntryViews] = OrderedDict()
        """The newest entries as viewers see them, by number: redaction and words are done once for all seats that see
        the same. Age ends an entry here, too, as talk doesn't change the state."""

    def entry(self, number: int) -> EntryViews:
        """Return the cache of one entry's views, which may push out the oldest entry."""
        if number not in self.entries:
            self.entries[number] = EntryViews([], [])
            if len(self.entries) > MOST_REMEMBERED:
                self.entries.popitem(last=False)
        return self.entries[number]


class SeatViews:
    """What each seat sees of a table: of the present state of its history, and of the entries of its log."""

    def __init__(self, log: TableLog, history: History, book: Book) -> None:
        self._log = log
        self._history = history
        self._book = book
        self._states = RedactionCache()
        self._caches = StateCaches(history.state)
        self._journals: dict[str, Journal] = {}
        """What each seat at the table may see, four bytes an entry, so that a cursor finds its place. A removed seat's
        is dropped with the next new one."""

    @property
    def _current(self) -> StateCaches:
        """The caches for the present state."""
        if self._caches.state is not self._history.state:
            self._caches = StateCaches(self._history.state)
        return self._caches

    @property
    def offered(self) -> Offered:
        """Cache of the pending decisions in the present state."""
        return self._current.offered

    # ------------------------------------------------------------ the state

    def viewer(self, seat: str) -> Viewer:
        """Return what a seat is and owns. Raises `NoSuchTable`, so that a stranger can't tell whether it is there."""
        viewers = self._current.viewers
        if seat not in viewers:
            if seat not in self._history.state.seats:
                raise NoSuchTable("There is no such table, or you don't sit at it.")
            viewers[seat] = self._history.state.viewer(seat)
        return viewers[seat]

    def state(self, seat: str) -> State:
        """Return the state, redacted for this seat."""
        return self._states.of(self._history.state, self.viewer(seat))

    # ------------------------------------------------------------ events

    def event(self, happened: Happened, viewer: Viewer, state: State | None = None) -> SeenEvent | None:
        """Return the event as this viewer sees it, in the present state or in the one that it led to.

        In the present state it is cached: viewers for whom redaction gets the same answers share one result.
        """
        is_other_state = state is not None and state is not self._history.state
        if is_other_state or self._log.is_old(happened) or viewer is not self.viewer(viewer.seat):
            return self._redacted(happened, viewer, state)
        views = self._current.entry(happened.number)
        for shared in views.by_viewer:
            if shared.rights.answers_as(viewer):
                return shared.event
        is_reveal = isinstance(happened.event, Revealed)
        rights = RecordingViewer(viewer, is_named=is_reveal)
        event = self._redacted(happened, viewer if is_reveal else cast("Viewer", rights), None, views.by_redacted)
        views.by_viewer.append(EventForViewers(rights, event))
        return event

    def events(self, entries: Iterable[Happened], viewer: Viewer, state: State | None = None) -> Iterator[SeenEvent]:
        """Yield those of these events that are for this viewer, as it sees them."""
        for happened in entries:
            event = self.event(happened, viewer, state)
            if event is not None:
                yield event

    def _redacted(
        self, happened: Happened, viewer: Viewer, state: State | None, alike: SeenCache | None = None
    ) -> SeenEvent | None:
        spec = self._book.event_specs[type(happened.event)]
        is_abandoned = self._history.is_abandoned(happened)
        state_shown = state or self._history.state
        event = seen_event(happened, viewer, state_shown, spec, abandoned=is_abandoned, alike=alike)
        if event is not None and isinstance(happened.event, Revealed):
            revealed = self._log.entries_of(happened.event.act)
            return replace(event, opened=tuple(self.events(revealed, viewer, state)))
        return event

    def all_events(self, seat: str) -> Iterator[SeenEvent]:
        """Yield each event that this seat has seen, as it may see it now."""
        visible = set(self.journal(seat).numbers)
        entries = (happened for happened in self._log.happened() if happened.number in visible)
        yield from self.events(entries, self.viewer(seat))

    def events_by_number(self, seat: str) -> dict[int, SeenEvent]:
        """Return each event that this seat may see now by its number; what was revealed stands where it happened."""
        viewer = self.viewer(seat)
        event_by_number = {}
        for happened in self._log.happened():
            event = self.event(happened, viewer)
            if event is not None:
                event_by_number[happened.number] = event
        return event_by_number

    # ------------------------------------------------------------ the part of the log that a seat may read

    def journal(self, seat: str) -> Journal:
        """Return the seat's journal, read on to the end of the log. A new role begins a new journal."""
        viewer = self.viewer(seat)
        journal = self._journals.get(seat)
        if journal is None or journal.viewer.role is not viewer.role:
            self._forget_removed_seats()
            journal = Journal(viewer)
            self._journals[seat] = journal
        if self._log.number - journal.read_to > MOST_REMEMBERED:
            self._read_journals(journal.read_to)
        elif journal.read_to < self._log.number:
            entries = self._log.happened(journal.read_to)
            journal.numbers.extend(happened.number for happened in entries if is_visible(happened, viewer))
            journal.read_to = self._log.number
        return journal

    def _forget_removed_seats(self) -> None:
        seats = self._history.state.seats
        self._journals = {seat: journal for seat, journal in self._journals.items() if seat in seats}

    def _read_journals(self, after: int) -> None:
        """Read on in a long log, once for all seats that have read no further, decoding only what has to be decoded."""
        for seat in self._history.state.seats:
            self._journals.setdefault(seat, Journal(self.viewer(seat)))
        behind = [journal for journal in self._journals.values() if journal.read_to == after]
        readers = [(journal.viewer, no_numbers()) for journal in behind]
        for entry in self._log.entries(after):
            undecoded = UndecodedEntry(entry, self._book.codec)
            for viewer, numbers in readers:
                if undecoded.is_visible(viewer):
                    numbers.append(entry.number)
        for journal, (_, numbers) in zip(behind, readers, strict=True):  # only now: reading may fail at any entry
            journal.numbers.extend(numbers)
            journal.read_to = self._log.number


class UndecodedEntry:
    """An entry that is decoded only if its name and sight don't tell who may see it."""

    def __init__(self, entry: Entry, codec: Codec) -> None:
        self._entry = entry
        self._codec = codec
        self._kind, self._sight = codec.outside(entry)
        self._happened: Happened | None = None

    def is_visible(self, viewer: Viewer) -> bool:
        """Return whether this viewer learns that the event happened at all."""
        by_kind = is_visible_by_kind(self._kind, self._sight, viewer)
        if by_kind is not None:
            return by_kind
        if self._happened is None:
            self._happened = self._codec.decode(self._entry, None)
        return is_visible(self._happened, viewer)
