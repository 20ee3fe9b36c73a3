"""Log of one table as this process has read it: its entries decoded, found by number, by command and by name.

The log knows no rules and keeps no state of the table: `History` folds the entries, `SeatViews` shows them to seats.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from astragal.table.commands.builtin import Happened
from astragal.table.ledger_writer import LEDGER_LINE, ledger_line
from astragal.table.log.codec import Codec
from astragal.table.log.store import Corrupted, Entry, Log

READ_AT_ONCE = 1000
MOST_REMEMBERED = 256
"""Size of the cache of decoded entries: several seats read the same new ones as soon as they are there."""
NUMBER = "I"
"""Type code of arrays of entry numbers, which keep the indexes of a long log small."""


class LogReplaced(Exception):
    """The store holds another log of this table than the one that was read: a backup was restored."""


class TableLog:
    """The entries of one table, up to the last one that was applied."""

    def __init__(self, table: str, store: Log, codec: Codec) -> None:
        self.table = table
        self.number = 0
        """Number of the last entry that was applied. What the store has after it is not there yet."""
        self.tail = b""
        """Data of that entry, to notice when the log was replaced."""
        self._store = store
        self._codec = codec
        self._recent: OrderedDict[int, Happened] = OrderedDict()
        """Cache of the newest decoded entries by number, which every seat reads; age ends it."""
        self._commands = CommandIndex()
        self._names = NameIndex()

    # ------------------------------------------------------------ reading on

    def new_entries(self) -> Iterator[list[Entry]]:
        """Yield the entries after the last one that was applied, in batches. Raises `LogReplaced`."""
        entries = self._store.read(self.table, self.number - 1)
        last = next(entries, None)
        if last is None or last.data != self.tail:
            raise LogReplaced
        yield from batched(entries, READ_AT_ONCE)

    def applied(self, entry: Entry) -> None:
        """Note that the log was applied up to and including this entry."""
        self.number = entry.number
        self.tail = entry.data

    def remember(self, happened: Happened) -> None:
        """Cache a decoded entry, in place of the one that was cached first."""
        self._recent[happened.number] = happened
        if len(self._recent) > MOST_REMEMBERED:
            self._recent.popitem(last=False)

    def is_old(self, happened: Happened) -> bool:
        """Return whether newer entries have pushed this one out of the caches of recent entries."""
        return happened.number <= self.number - MOST_REMEMBERED

    # ------------------------------------------------------------ entries by number

    def entries(self, after: int = 0, up_to: int | None = None) -> Iterator[Entry]:
        """Return an iterator over entries as they are stored."""
        return self._store.read(self.table, after, self._last(up_to))

    def happened(self, after: int = 0, up_to: int | None = None) -> Iterator[Happened]:
        """Return an iterator over decoded entries."""
        numbers = range(after + 1, self._last(up_to) + 1)
        if all(number in self._recent for number in numbers):
            return iter([self._recent[number] for number in numbers])
        decoded = self._decoded_in_batches(self.entries(after, up_to))
        return self._remembering(decoded) if len(numbers) <= MOST_REMEMBERED else decoded

    def decoded(self, entries: Sequence[Entry]) -> Iterator[Happened]:
        """Decode entries with their free texts, which are read from the store all at once."""
        digests: list[str] = []
        for entry in entries:
            digests += self._codec.text_digests(entry)
        texts = self._store.texts(self.table, digests) if digests else {}
        return (self._codec.decode(entry, texts) for entry in entries)

    def _last(self, up_to: int | None) -> int:
        return self.number if up_to is None else min(self.number, up_to)

    def _decoded_in_batches(self, entries: Iterable[Entry]) -> Iterator[Happened]:
        for batch in batched(entries, READ_AT_ONCE):
            yield from self.decoded(batch)

    def _remembering(self, decoded: Iterable[Happened]) -> Iterator[Happened]:
        for happened in decoded:
            self.remember(happened)
            yield happened

    # ------------------------------------------------------------ entries of a command

    def entries_of(self, act: str) -> list[Happened]:
        """Return all entries of one command."""
        entries: list[Happened] = []
        for number in self._numbers_of(act):
            recent = self._recent.get(number)
            entries += self.happened(number - 1, number) if recent is None else [recent]
        return [happened for happened in entries if happened.act == act]

    def text_digests(self, act: str) -> list[str]:
        """Return the digests of one command's free texts."""
        digests: list[str] = []
        for happened in self.entries_of(act):
            for entry in self.entries(happened.number - 1, happened.number):
                digests += self._codec.text_digests(entry)
        return digests

    def _numbers_of(self, act: str) -> list[int]:
        """Return the numbers of a command's entries, and maybe of another's. The index reads on first."""
        if self._commands.read_to < self.number:
            self._commands.read_on(self.happened(self._commands.read_to))
        return self._commands.numbers_of(act)

    # ------------------------------------------------------------ entries by name

    def numbers_named(self, name: str) -> Sequence[int]:
        """Return the numbers of the entries of this name, from an index that is built once for all names."""
        if self._names.read_to < self.number:
            self._names.read_on(self.entries(self._names.read_to), self.number)
        return self._names.numbers_of(name)

    def ledger(self, after: int = 0) -> Iterator[bytes]:
        """Return an iterator over the lines of the public ledger, from line `after` on."""
        numbers = self.numbers_named(LEDGER_LINE)[after:]
        if not numbers:
            return iter(())
        entries = self.entries(numbers[0] - 1, numbers[-1])
        return (ledger_line(entry.data) for entry in entries if entry.name == LEDGER_LINE)


# ---------------------------------------------------------------- indexes


def no_numbers() -> "array[int]":
    return array(NUMBER)


class Run(NamedTuple):
    """A run of entries of one command: the hash of its id, and its first and last number."""

    hash: int
    first: int
    last: int


class CommandIndex:
    """Index of entries by command id: sorted hashes, each with the first and last number of a run of entries.

    Several commands may have the same hash, so callers have to filter the entries that they find.
    """

    def __init__(self) -> None:
        self._hashes = array("q")
        self._first = no_numbers()
        self._last = no_numbers()
        self.read_to = 0

    def read_on(self, entries: Iterable[Happened]) -> None:
        """Add the next entries. They are sorted first, so that those of a long log are appended, not inserted."""
        runs = []
        for act, entries_of_act in groupby(entries, attrgetter("act")):
            numbers = [happened.number for happened in entries_of_act]
            runs.append(Run(hash(act), numbers[0], numbers[-1]))
        for run in sorted(runs):
            place = bisect_right(self._hashes, run.hash)
            self._hashes.insert(place, run.hash)
            self._first.insert(place, run.first)
            self._last.insert(place, run.last)
            self.read_to = max(self.read_to, run.last)

    def numbers_of(self, act: str) -> list[int]:
        """Return the numbers of all entries whose command has the same hash."""
        start = bisect_left(self._hashes, hash(act))
        end = bisect_right(self._hashes, hash(act))
        numbers: list[int] = []
        for first, last in zip(self._first[start:end], self._last[start:end], strict=True):
            numbers += range(first, last + 1)
        return numbers


class NameIndex:
    """Index of entries by the name of their event."""

    def __init__(self) -> None:
        self._numbers: dict[str, array[int]] = {}
        self.read_to = 0

    def read_on(self, entries: Iterable[Entry], up_to: int) -> None:
        """Add the next entries, which end with number `up_to`."""
        for entry in entries:
            self._numbers.setdefault(entry.name, no_numbers()).append(entry.number)
        self.read_to = up_to

    def numbers_of(self, name: str) -> Sequence[int]:
        return self._numbers.get(name, ())


def batched(entries: Iterable[Entry], size: int) -> Iterator[list[Entry]]:
    """Yield entries in batches. Those before a damaged entry are yielded before `Corrupted` is raised."""
    batch: list[Entry] = []
    try:
        for entry in entries:
            batch.append(entry)
            if len(batch) == size:
                yield batch
                batch = []
    except Corrupted:
        yield batch
        raise
    yield batch
