"""Store protocol: logs, passes and jobs of tables. `astragal.storage` implements it for SQLite and PostgreSQL.

A store holds, for each table, a log of numbered entries and what belongs to it. It knows no events and no rules: it
stores bytes in order, and a batch completely or not at all. Correctness rests on one unique key, *(table, number)*:
of two callers that append after the same entry, one succeeds; the other gets `Conflict` and has to decide again.

Passes, presence and jobs are stored beside the logs. They are not part of a table's story, so they are in no log, no
export and no backup.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeAlias

import msgspec
from msgspec import Struct, field

from astragal.table.declarations import decoder

LONGEST_NAME = 200


def is_name(name: str) -> bool:
    """Return whether this can name a table, command, digest or private value. Lookups of other names find nothing."""
    return 0 < len(name) <= LONGEST_NAME and name.isprintable()


class Entry(NamedTuple):
    """One event as stored: numbered 1, 2, 3, … within its table, without gaps."""

    number: int
    name: str
    version: int
    at: int
    """Milliseconds since 1970 by the host's clock. No decision depends on it."""
    data: bytes


class Text(NamedTuple):
    """Free text, stored beside the log under its salted digest so that it can be blanked later."""

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


class Snapshot(Struct, frozen=True):
    """A cache of the state after entry `number`. It may be deleted at any time."""

    number: int
    data: bytes


class Batch(Struct, frozen=True):
    """Everything that one command writes, in one transaction."""

    entries: tuple[Entry, ...]
    answer: Answer | None = None
    texts: tuple[Text, ...] = ()
    private: Mapping[str, bytes] = field(default_factory=dict)
    """Private values, new or changed, that are never exported: keys of seats, seeds of chains."""
    pictures: Mapping[str, bytes] = field(default_factory=dict)
    """Pictures by their digest, which entries of the log name."""


class Append(NamedTuple):
    """Entries `after + 1`, … for the log of a table.

    `tail` is the data of entry `after`, as the caller read it. If it differs from the stored data, a restore has
    replaced the log with another of the same length, and the append is a `Conflict`.
    """

    table: str
    after: int
    batch: Batch
    tail: bytes | None = None


class StoreError(Exception):
    """Base class of the errors that a store raises on purpose."""


class Conflict(StoreError):
    """Another caller appended first, or the command's id is already answered: read on and decide again."""


class NoSuchTable(StoreError):
    """There is no table of this id."""


class TableExists(StoreError):
    """There is a table of this id already."""


class Corrupted(StoreError):
    """An entry differs from what was written, or is missing."""

    def __init__(self, table: str, number: int, *, ends_early: bool = False) -> None:
        if ends_early:
            message = f"the log of table {table} is damaged after entry {number - 1}"
            problem = f"it is damaged after entry {number - 1}"
        else:
            message = f"entry {number} of table {table} is damaged"
            problem = f"entry {number} is damaged"
        super().__init__(message)
        self.table = table
        self.number = number
        self.problem = problem
        """The same in words for people at the table."""


class StoreFull(StoreError):
    """There is no space left. Nothing of the batch was stored; it can be retried later."""


class StoreUnavailable(StoreError):
    """The database can't be reached now. Once it can, the stored answer shows whether the batch was written."""


class StoreTooNew(StoreError):
    """The database was written by a newer version of this program."""


class BadStoreUrl(StoreError, ValueError):
    """The URL of a store is invalid."""


class NotAStore(StoreError):
    """The file is not a database of this program."""


class Damaged(StoreError):
    """The database can't be read, or its data beside the log differs from what was written."""


Closing = Callable[[str, int], Entry]
"""Makes the entry that a table's log is to end with, from the table's id and the entry's number."""


class Log(Protocol):
    """Read access to a table's log."""

    def read(self, table: str, after: int = 0, up_to: int | None = None) -> Iterator[Entry]:
        """Return the entries after number `after`, in order. Raises `NoSuchTable`, and `Corrupted` at a damaged one."""

    def changes(self) -> int | None:
        """Return a number that changes with every write by any process; None if there is no quick way to tell."""

    def texts(self, table: str, digests: Collection[str] | None = None) -> dict[str, Text]:
        """Return free texts by digest: these, or all."""

    def private(self, table: str) -> dict[str, bytes]:
        """Return the table's private values."""

    def snapshot(self, table: str) -> Snapshot | None:
        """Return the newest snapshot whose checksum holds, if any."""


class Store(Log, Protocol):
    """Store of tables. Safe to call from several threads, and beside other processes on the same database."""

    def create(self, table: str, batch: Batch) -> None:
        """Create a table with its first entries. Raises `TableExists`."""

    def append(self, table: str, after: int, batch: Batch, tail: bytes | None = None) -> None:
        """Append to a table's log in one durable transaction. Raises `Conflict` if others appended first."""

    def append_all(self, appends: Sequence[Append]) -> None:
        """Append to the logs of several tables in one durable transaction.

        Raises `Conflict`, and appends nothing, if others appended first to any of them.
        """

    def last(self, table: str) -> int:
        """Return the number of the last entry. Raises `NoSuchTable`."""

    def answer(self, table: str, command: str) -> Answer | None:
        """Return the stored answer to this command, if there is one."""

    def blank(self, table: str, digest: str) -> None:
        """Delete the words of a text for good; its digest stays."""

    def pictures(self, table: str) -> list[str]:
        """Return the digests of the table's pictures."""

    def picture(self, table: str, digest: str) -> bytes | None:
        """Return a picture of the table; None if it is missing or its bytes don't match the digest."""

    def drop_picture(self, table: str, digest: str) -> None:
        """Delete a picture for good."""

    def keep_snapshot(self, table: str, snapshot: Snapshot) -> None:
        """Store this snapshot and drop older ones. It is a cache, so a failure to store it is no error."""

    def tables(self) -> list[str]:
        """Return the ids of all tables, oldest first."""

    def delete(self, table: str) -> None:
        """Delete a table with everything that belongs to it."""

    @property
    def passes(self) -> Passes:
        """Passes and presence."""

    @property
    def jobs(self) -> Jobs:
        """Work that one of many processes does for a table."""

    def watch(self, wake: Callable[[str | None], None]) -> Callable[[], None]:
        """Call `wake(table)` whenever a table may have new entries, `wake(None)` if any table may have.

        `wake` is called from another thread and must be quick. Returns a function that ends the watch. Wake-ups may be
        duplicate or spurious, but are never missed for long: the watcher reads on from its last position.
        """

    def backup(self, path: Path) -> None:
        """Write all tables, as of one moment, to a new SQLite file, while others go on. Raises `FileExistsError`."""

    def restore(self, path: Path, closing: Closing | None = None) -> None:
        """Replace all tables with those of a backup, in one transaction.

        If `closing` is given, each log ends with its entry, so that it can't be mistaken for the original log.
        """

    def close(self) -> None: ...


# ---------------------------------------------------------------- passes and presence

AtTable: TypeAlias = tuple[str, str]
"""A table and a seat at it."""


class PassKind(Enum):
    OWNER_LINK = "owner link"
    """A link that gives a browser the owner's pass."""
    DEVICE = "device"
    """A browser, whatever it may enter. It opens nothing by itself: passes to seats, and the owner's, belong to it."""
    OWNER = "owner"
    """A browser of the person who runs the tables of this store."""
    INVITATION = "invitation"
    """A link that seats the first person who follows it. Without a seat, everyone who follows it chooses a free one."""
    SEAT = "seat"
    """A browser that sits at a seat."""
    TOKEN = "token"  # noqa: S105 - a kind of pass, not a secret
    """A program that sits at a seat."""


class Pass(Struct, frozen=True, kw_only=True):
    """Credential, stored as the digest of a secret that only its holder has: reading the store lets nobody in.

    Times are milliseconds since 1970.
    """

    digest: str
    """Digest of the secret. It identifies the pass and opens nothing."""
    kind: PassKind
    table: str | None = None
    """None for the owner's passes, which are for no table in particular."""
    seat: str | None = None
    made: int
    until: int
    used: int | None = None
    revoked: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    """Plain values: permissions that a program has beside its seat."""
    device: str | None = None
    """The device that this pass belongs to, by its digest. For a device: the one that it was merged into."""

    def is_good(self, now: int) -> bool:
        return self.used is None and self.revoked is None and now < self.until


class Passes(Protocol):
    """Store of passes and presence. Safe to call from several threads, and beside other processes on one database."""

    def issue(self, new: Pass) -> None:
        """Store a new pass. Raises `NoSuchTable` if its table does not exist.

        A device comes into being with the first pass that belongs to it, and lasts as long as the last. The new pass
        takes the place of an earlier one that the device has to the same table.
        """

    def issue_if_free(self, new: Pass) -> bool:
        """Store a new pass to a seat unless there is a valid one to it: of many callers, one succeeds.

        Returns whether it was stored. Raises `NoSuchTable` if its table does not exist.
        """

    def find(self, digest: str) -> Pass | None:
        """Return the pass with this digest, whether it is still valid or not."""

    def find_all(self, digests: Collection[str]) -> dict[str, Pass]:
        """Return the passes that have one of these digests, whether they are still valid or not."""

    def of_device(self, device: str) -> list[Pass]:
        """Return every pass that belongs to a device, oldest first."""

    def newest_of_device(self, device: str, kind: PassKind, table: str | None = None) -> Pass | None:
        """Return the newest pass that a device has to a table, or to none in particular, unless it was revoked."""

    def merge(self, device: str, digests: Collection[str], now: int, until: int) -> None:
        """Let these passes belong to a device, with all that belongs to them, in one transaction.

        The device is made if it is not there, and is valid until `until` at least.
        """

    def revoke_device(self, device: str, now: int) -> None:
        """Revoke a device and every pass that belongs to it."""

    def take(self, digest: str, now: int, into: Callable[[Pass], Pass]) -> Pass | None:
        """Use a pass up and store the pass that `into` makes of it, in one transaction: of many callers, one gets it.

        Returns None if the pass does not exist or is no longer valid.
        """

    def revoke(self, digest: str, now: int) -> None: ...

    def revoke_seat(self, table: str, seat: str, now: int, kinds: Collection[PassKind] = tuple(PassKind)) -> None:
        """Revoke all passes to a seat, or those of some kinds."""

    def revoke_table(self, table: str, now: int) -> None: ...

    def of_table(self, table: str) -> list[Pass]:
        """Return every pass to a table, oldest first."""

    def note_present(self, process: str, came: Iterable[AtTable], went: Iterable[AtTable], until: int, now: int) -> int:
        """Record which seats came to a process and which left, and extend the presence of all its seats to `until`.

        Returns the number of seats recorded for it. That is too low if some were lost with their table or in a restore.
        """

    def present(self, table: str, now: int) -> set[str]:
        """Return the seats of a table that any process has recorded as present."""

    def elsewhere(self, process: str, now: int) -> set[AtTable]:
        """Return the tables and seats that other processes have recorded as present."""


# ---------------------------------------------------------------- jobs


class Job(Struct, frozen=True, kw_only=True):
    """Work that one of many processes does for a table, such as an AI's seat or a webhook.

    The process that does it holds a lease and renews it. Any process can claim an expired lease, so the job outlives
    its process. Times are milliseconds since 1970.
    """

    id: str
    kind: str
    table: str
    data: Mapping[str, Any]
    """Plain values."""
    holder: str = ""
    """The process that holds the lease, up to the time `until`."""
    until: int = 0


class Jobs(Protocol):
    """Store of jobs. Safe to call from several threads, and beside other processes on the same database."""

    def keep(self, job: Job) -> None:
        """Store a job, replacing one of the same id. Raises `NoSuchTable` if its table does not exist."""

    def edit(self, job: str, change: Callable[[Job], Job], *, wakes: bool = True) -> Job | None:
        """Change a job in one transaction and, with `wakes`, wake its table's watchers. None if the job is gone."""

    def forget(self, job: str) -> None: ...

    def of(self, kind: str) -> list[Job]:
        """Return every job of a kind, ordered by id."""

    def claim(self, job: str, holder: str, until: int, now: int) -> bool:
        """Claim or renew a lease and return whether that succeeded: of several callers, one gets it."""

    def release(self, holder: str) -> None:
        """End every lease of a process, so that others can claim its jobs."""


class Leases(Struct, frozen=True):
    """The leases of one process."""

    jobs: Jobs
    holder: str
    clock: Callable[[], int]
    length: int
    """Length of a lease in milliseconds: for so long nobody else claims the job of a process that hangs."""

    def hold(self, job: Job) -> bool:
        """Hold the lease of a job, and return whether this process has it. Writes only if half of the lease is over."""
        now = self.clock()
        if job.holder == self.holder and job.until > now + self.length // 2:
            return True
        if job.holder not in ("", self.holder) and job.until > now:
            return False
        return self.jobs.claim(job.id, self.holder, now + self.length, now)


# ---------------------------------------------------------------- titles


class Title(Struct, frozen=True):
    """Title of a table, from its first entry."""

    id: str
    name: str
    ruleset: str
    problem: str = ""
    """The reason why it can't be read; then its name is its id, and its game is unknown."""


class _Opening(msgspec.Struct):
    name: str
    ruleset: str


class _First(msgspec.Struct):
    event: _Opening


_FIRST = decoder(_First)


def titles(store: Store) -> Iterator[Title]:
    """Return the titles of all tables of a store, oldest first."""
    return (title_of(store, table) for table in store.tables())


def title_of(store: Log, table: str) -> Title:
    """Return the title of a table. Raises `NoSuchTable`."""
    try:
        first = next(iter(store.read(table, 0, 1)))
        opening = _FIRST.decode(first.data).event
    except Corrupted as fault:
        return Title(table, table, "", fault.problem)
    except StopIteration:
        return Title(table, table, "", "it has no entries")
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as fault:
        return Title(table, table, "", f"entry 1 is no opening of a table ({fault})")
    return Title(table, opening.name, opening.ruleset)
