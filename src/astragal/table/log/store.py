"""Store protocol: logs, passes and jobs of tables. `astragal.storage` has the real ones: SQLite and PostgreSQL.

A store keeps, for each table, a log of numbered entries and what belongs to it. It knows no event and no rule: it
keeps bytes, in order, and never half of what it was given. Correctness rests on one unique key, *(table, number)*:
of two who append after the same entry, one succeeds and the other gets `Conflict` and decides anew.

Passes, presence and jobs lie beside the logs. None of them is part of a table's story: they are in no log, no export
and no backup.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import field
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeAlias

import msgspec

from astragal.table.declarations import decoder
from astragal.values import frozen

LONGEST_NAME = 200


def is_name(name: str) -> bool:
    """Whether this can be the name of a table, a command, a digest or a private value. What can't is not there."""
    return 0 < len(name) <= LONGEST_NAME and name.isprintable()


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


class BadStoreUrl(StoreError, ValueError):
    """The words that should say where the tables are kept do not."""


class NotAStore(StoreError):
    """The file is no database of this program."""


class Damaged(StoreError):
    """The database can't be read, or what it holds beside the log is not what was written."""


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


# ---------------------------------------------------------------- passes and presence

AtTable: TypeAlias = tuple[str, str]
"""A table and a seat at it."""


class PassKind(Enum):
    OWNER_LINK = "owner link"
    """A link that makes a browser the owner's."""
    OWNER = "owner"
    """A browser of whoever runs the tables of this store."""
    INVITATION = "invitation"
    """A link that seats whoever follows it first; without a seat, one by which all who follow it choose a free one."""
    SEAT = "seat"
    """A browser that sits at a seat."""
    TOKEN = "token"  # noqa: S105 - a kind of pass, not a secret
    """A program that sits at a seat."""


@frozen(kw_only=True)
class Pass:
    """A way in, known by the digest of a secret that only its holder has: a reader of the store can let nobody in.

    Times are milliseconds since 1970.
    """

    digest: str
    """Of the secret; the pass's own name, which opens nothing."""
    kind: PassKind
    table: str | None = None
    """None for the owner's, which are for no table in particular."""
    seat: str | None = None
    made: int
    until: int
    used: int | None = None
    revoked: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    """Plain values: what a program was allowed beside its seat."""

    def is_good(self, now: int) -> bool:
        return self.used is None and self.revoked is None and now < self.until


class Passes(Protocol):
    """Safe to call from several threads, and beside other processes on the same database."""

    def issue(self, one: Pass) -> None:
        """Keep a new pass. Raises `NoSuchTable` where its table is not there."""

    def find(self, digest: str) -> Pass | None:
        """The pass of this digest, whether it is still good or not."""

    def take(self, digest: str, now: int, into: Callable[[Pass], Pass]) -> Pass | None:
        """Use a pass up and keep the one that it turns into, in one transaction: of many who try, one gets it.

        None where it is not there, or no longer good.
        """

    def revoke(self, digest: str, now: int) -> None: ...

    def revoke_seat(self, table: str, seat: str, now: int, kinds: Collection[PassKind] = tuple(PassKind)) -> None:
        """All passes to a seat, or those of some kinds."""

    def revoke_table(self, table: str, now: int) -> None: ...

    def of_table(self, table: str) -> list[Pass]:
        """Every pass to a table, oldest first."""

    def note_present(self, process: str, came: Iterable[AtTable], went: Iterable[AtTable], until: int, now: int) -> int:
        """Say who came to a process and who went, and that until then the rest of its seats are with it as before.

        Returns how many seats are noted; fewer than there are, if some were lost, with their table or in a restore.
        """

    def present(self, table: str, now: int) -> set[str]:
        """The seats of a table that some process has said are with it."""

    def elsewhere(self, process: str, now: int) -> set[AtTable]:
        """Tables and seats that other processes have said are with them."""


# ---------------------------------------------------------------- jobs


@frozen(kw_only=True)
class Job:
    """Work that one of many processes does for a table, such as an AI's seat or a webhook.

    Whoever does it holds its lease and prolongs it; one that has run out is anybody's to claim, so the job outlives the
    process. Times are milliseconds since 1970.
    """

    id: str
    kind: str
    table: str
    data: Mapping[str, Any]
    """Plain values."""
    holder: str = ""
    """The process that does it, until then."""
    until: int = 0


class Jobs(Protocol):
    """Safe to call from several threads, and beside other processes on the same database."""

    def keep(self, job: Job) -> None:
        """Keep a job, in the place of one of the same id. Raises `NoSuchTable` where its table is not there."""

    def edit(self, job: str, change: Callable[[Job], Job], *, wakes: bool = True) -> Job | None:
        """Change a job in one transaction, and wake those who watch its table. None where it is gone."""

    def forget(self, job: str) -> None: ...

    def of(self, kind: str) -> list[Job]:
        """Every job of a kind, by id."""

    def claim(self, job: str, holder: str, until: int, now: int) -> bool:
        """Take or prolong a lease; of many who try, one gets it."""

    def release(self, holder: str) -> None:
        """End every lease of a process; others may go on with its jobs."""


@frozen
class Leases:
    """The leases of one process."""

    jobs: Jobs
    holder: str
    clock: Callable[[], int]
    length: int
    """Milliseconds for which nobody else takes a job whose process does not answer."""

    def hold(self, job: Job) -> bool:
        """Whether this process does the job: it does already, or nobody does. Writes only when half of it is gone."""
        now = self.clock()
        if job.holder == self.holder and job.until > now + self.length // 2:
            return True
        if job.holder not in ("", self.holder) and job.until > now:
            return False
        return self.jobs.claim(job.id, self.holder, now + self.length, now)


# ---------------------------------------------------------------- titles


@frozen
class Title:
    """Title of a table, from its first entry."""

    id: str
    name: str
    ruleset: str
    problem: str = ""
    """Why it can't be read; then its name is its id, and its game is not known."""


class _Opening(msgspec.Struct):
    name: str
    ruleset: str


class _First(msgspec.Struct):
    event: _Opening


_FIRST = decoder(_First)


def titles(store: Store) -> Iterator[Title]:
    """Every table of a store, oldest first."""
    return (title_of(store, table) for table in store.tables())


def title_of(store: Log, table: str) -> Title:
    """Title of a table. Raises `NoSuchTable`."""
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
