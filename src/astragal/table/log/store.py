"""Store protocol. `astragal.storage` has the real ones: SQLite and PostgreSQL.

A store keeps, for each table, a log of numbered entries and what belongs to it. It knows no event and no rule: it
keeps bytes, in order, and never half of what it was given. Correctness rests on one unique key, *(table, number)*:
of two who append after the same entry, one succeeds and the other gets `Conflict` and decides anew.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import NamedTuple, Protocol

from astragal.table.log.jobs import Jobs
from astragal.table.log.passes import Passes
from astragal.values import frozen


class Entry(NamedTuple):
    """One event as it is kept: numbered 1, 2, 3, … within its table, without gaps."""

    number: int
    name: str
    version: int
    at: int
    """Milliseconds since 1970, as the host's clock had it. Nothing is decided by it."""
    data: bytes


class Text(NamedTuple):
    """Free text, kept beside the log under its salted digest so that it can be blanked later."""

    digest: str
    salt: bytes
    words: str | None
    """None once it was blanked."""


class Answer(NamedTuple):
    """Stored answer to a command. The same command again gets the same bytes."""

    command: str
    asked: bytes
    """A digest of the command's arguments: the same id with other arguments is not the same command."""
    data: bytes


@frozen(slots=True)
class Snapshot:
    """A cache of the state after entry `number`. It may be deleted at any time."""

    number: int
    data: bytes


@frozen(slots=True)
class Batch:
    """Everything that one command writes, in one transaction."""

    entries: tuple[Entry, ...]
    answer: Answer | None = None
    texts: tuple[Text, ...] = ()
    private: Mapping[str, bytes] = field(default_factory=dict)
    """Values that never leave the store with an export: keys of seats, seeds of chains. New ones or new values."""
    pictures: Mapping[str, bytes] = field(default_factory=dict)
    """Pictures by their digest, which entries of the log name."""


class StoreError(Exception):
    """The root of what a store raises on purpose."""


class Conflict(StoreError):
    """Somebody else appended first, or the command's id is already answered: read on and decide anew."""


class NoSuchTable(StoreError):
    """There is no table of this id."""


class TableExists(StoreError):
    """There is a table of this id already."""


class Corrupted(StoreError):
    """An entry is not what was written, or is not there though it was."""

    def __init__(self, table: str, number: int, *, ends_early: bool = False) -> None:
        what = f"the log of table {table} is damaged after entry {number - 1}"
        super().__init__(what if ends_early else f"entry {number} of table {table} is damaged")
        self.table, self.number = table, number
        self.problem = f"it is damaged after entry {number - 1}" if ends_early else f"entry {number} is damaged"
        """The same to somebody at the table."""


class StoreFull(StoreError):
    """There is no room left. Nothing of the batch was kept; it can be given again once there is."""


class StoreUnavailable(StoreError):
    """The database can't be reached now. Whether the batch was kept is known by its answer, once it can."""


class StoreTooNew(StoreError):
    """The database was written by a newer version of this program."""


Closing = Callable[[str, int], Entry]
"""The entry that a table's log is to end with: from the table, and the number that it takes."""


class Log(Protocol):
    """Read access to a table's log."""

    def read(self, table: str, after: int = 0, up_to: int | None = None) -> Iterator[Entry]:
        """The entries past `after`, in order. Raises `NoSuchTable`, and `Corrupted` at a damaged one."""

    def changes(self) -> int | None:
        """A number that is another one after anything was written, by whomever. None if that can't be told quickly."""

    def texts(self, table: str, digests: Collection[str] | None = None) -> dict[str, Text]:
        """Free texts by digest: these, or all."""

    def private(self, table: str) -> dict[str, bytes]:
        """The table's private values."""

    def snapshot(self, table: str) -> Snapshot | None:
        """The newest snapshot whose checksum holds, if any."""


class Store(Log, Protocol):
    """Safe to call from several threads, and beside other processes on the same database."""

    def create(self, table: str, batch: Batch) -> None:
        """Begin a table with its first entries. Raises `TableExists`."""

    def append(self, table: str, after: int, batch: Batch, tail: bytes | None = None) -> None:
        """Add entries `after + 1`, … in one durable transaction. Raises `Conflict` if others were there first.

        `tail` is what entry `after` holds, as the caller knows it. Where it holds something else, a restore has put
        another log of the same length in the place of the one that was read: that is a `Conflict` too.
        """

    def last(self, table: str) -> int:
        """The number of the last entry. Raises `NoSuchTable`."""

    def answer(self, table: str, command: str) -> Answer | None:
        """The stored answer to this command, if there is one."""

    def blank(self, table: str, digest: str) -> None:
        """Forget the words of a text for good."""

    def pictures(self, table: str) -> list[str]:
        """The digests of the table's pictures."""

    def picture(self, table: str, digest: str) -> bytes | None:
        """A picture of the table. Nothing where there is none, or its bytes are not those of the digest."""

    def drop_picture(self, table: str, digest: str) -> None:
        """Forget a picture for good."""

    def keep_snapshot(self, table: str, snapshot: Snapshot) -> None:
        """Keep this snapshot and drop older ones. A cache: failure to keep it is no failure."""

    def tables(self) -> list[str]:
        """The ids of all tables, oldest first."""

    def delete(self, table: str) -> None:
        """Forget a table with all that belongs to it."""

    @property
    def passes(self) -> Passes:
        """Passes and presence."""

    @property
    def jobs(self) -> Jobs:
        """Work that one of many processes does for a table."""

    def watch(self, wake: Callable[[str | None], None]) -> Callable[[], None]:
        """Call `wake(table)` whenever a table may have new entries, `wake(None)` if any may have.

        Called from another thread; it must be quick. Returns what ends the watch. A wake-up may come twice or for
        nothing, and is never missed for long: whoever is woken reads on from where it was.
        """

    def backup(self, path: Path) -> None:
        """Write all tables, as of one moment, to a new SQLite file, while others go on. Raises `FileExistsError`."""

    def restore(self, path: Path, closing: Closing | None = None) -> None:
        """Put the tables of a backup in the place of all that is here, in one transaction.

        Where `closing` is given, each log ends with its entry: nobody can take it for the log that it was.
        """

    def close(self) -> None: ...
