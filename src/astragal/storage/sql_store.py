"""SQL store: implements the protocol of `astragal.table.log.store` in named queries, for both databases."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from operator import attrgetter
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from astragal.storage import queries, records, watchers
from astragal.table.declarations import decoder
from astragal.table.log import store

PAGE = 500
HIGHEST = 2**63 - 1


class SqlStore(ABC):
    """Store in an SQL database. Subclasses differ in how they open sessions, and in backup and restore."""

    _watchers: watchers.Watchers

    @abstractmethod
    def _reading(self) -> AbstractContextManager[queries.Session]:
        """Open a session for reading."""

    @abstractmethod
    def _transaction(self) -> AbstractContextManager[queries.Session]:
        """Open a session that commits at the end of the block, or rolls back if the block raises."""

    @abstractmethod
    def _write(self, steps: Sequence[queries.Step]) -> None:
        """Run all steps, or none if one of `MUST_CHANGE` changes nothing. Raises `Unchanged` then."""

    @abstractmethod
    def backup(self, path: Path) -> None: ...

    @abstractmethod
    def restore(self, path: Path, closing: store.Closing | None = None) -> None: ...

    @abstractmethod
    def close(self) -> None: ...

    def create(self, table: str, batch: store.Batch) -> None:
        _check(table, 0, batch)
        try:
            self._write([("add_table", {"table_id": table, "length": len(batch.entries)}), *_steps(table, batch)])
        except queries.Unchanged:
            raise store.TableExists(f"There is a table {table} already.") from None
        self._watchers.wake(table)

    def append(self, table: str, after: int, batch: store.Batch, tail: bytes | None = None) -> None:
        try:
            self._write(_append_steps(store.Append(table, after, batch, tail)))
        except queries.Unchanged as fault:
            if fault.query == "add_answer" and batch.answer:
                raise store.Conflict(f"Command {batch.answer.command} of table {table} is answered already.") from None
            raise self._conflict(table, after) from None
        self._watchers.wake(table)

    def append_all(self, appends: Sequence[store.Append]) -> None:
        # By table, in the same order in every process: otherwise two of them could each wait for the other's lock.
        steps: list[queries.Step] = []
        for append in sorted(appends, key=attrgetter("table")):
            steps += _append_steps(append)
        try:
            self._write(steps)
        except queries.Unchanged:
            raise store.Conflict("One of these tables is not as it was read.") from None
        for append in appends:
            self._watchers.wake(append.table)

    def _conflict(self, table: str, after: int) -> store.Conflict:
        """Explain why nothing could be appended. Raises `NoSuchTable`."""
        last = self.last(table)
        if last != after:
            return store.Conflict(f"Table {table} is at entry {last}, not {after}.")
        return store.Conflict(f"Table {table} has another entry {last} than the one that was read.")

    def last(self, table: str) -> int:
        return _number(self._ask("last_entry", table), table)

    def read(self, table: str, after: int = 0, up_to: int | None = None) -> Iterator[store.Entry]:
        end = HIGHEST if up_to is None else min(up_to, HIGHEST)
        page = self._page(table, after, end)
        if not page:
            self._check_end(table, after, end)
        return self._entries(table, after, end, page)

    def changes(self) -> int | None:
        return None

    def answer(self, table: str, command: str) -> store.Answer | None:
        if not store.is_name(command):
            return None
        rows = self._ask("find_answer", table, command=command)
        return records.answer_of(rows[0], table, command) if rows else None

    def texts(self, table: str, digests: Collection[str] | None = None) -> dict[str, store.Text]:
        if digests is None:
            rows = self._ask("all_texts", table)
        else:
            possible_digests = [digest for digest in digests if store.is_name(digest)]
            rows = self._ask("find_texts", table, digests=json.dumps(possible_digests))
        return {text.digest: text for text in map(records.text_of, rows)}

    def blank(self, table: str, digest: str) -> None:
        if store.is_name(table) and store.is_name(digest):
            with self._transaction() as session:
                session.change("blank_text", table_id=table, digest=digest, no_salt=b"")

    def pictures(self, table: str) -> list[str]:
        return [digest for (digest,) in self._ask("list_pictures", table)]

    def picture(self, table: str, digest: str) -> bytes | None:
        if not store.is_name(digest):
            return None
        rows = self._ask("find_picture", table, digest=digest)
        return records.picture_of(rows[0], digest) if rows else None

    def drop_picture(self, table: str, digest: str) -> None:
        if store.is_name(table) and store.is_name(digest):
            with self._transaction() as session:
                session.change("drop_picture", table_id=table, digest=digest)

    def private(self, table: str) -> dict[str, bytes]:
        return dict(records.private_of(row, table) for row in self._ask("find_private", table))

    def snapshot(self, table: str) -> store.Snapshot | None:
        for row in self._ask("find_snapshots", table):
            snapshot = records.snapshot_of(row, table)
            if snapshot is not None:
                return snapshot
        return None

    def keep_snapshot(self, table: str, snapshot: store.Snapshot) -> None:
        if not store.is_name(table):
            return
        with suppress(store.StoreError), self._transaction() as session:  # only a cache: the log has everything
            session.change("add_snapshot", **records.snapshot_record(table, snapshot))
            session.change("drop_older_snapshots", table_id=table, number=snapshot.number)

    def tables(self) -> list[str]:
        with self._reading() as session:
            return [table for (table,) in session.ask("list_tables")]

    def delete(self, table: str) -> None:
        if not store.is_name(table):
            raise _no_table(table)
        with self._changing(table) as session:
            if not session.change("delete_table", table_id=table):
                raise _no_table(table)

    @property
    def passes(self) -> SqlPasses:
        return SqlPasses(self._reading, self._transaction)

    @property
    def jobs(self) -> SqlJobs:
        return SqlJobs(self._reading, self._transaction, self._watchers.wake)

    def watch(self, wake: watchers.Wake) -> Callable[[], None]:
        return self._watchers.add(wake)

    @contextmanager
    def _changing(self, table: str) -> Iterator[queries.Session]:
        with self._transaction() as session:
            yield session
        self._watchers.wake(table)

    def _ask(self, query: str, table: str, **values: queries.Value) -> list[queries.Row]:
        """Run a query on one table and return its rows."""
        if not store.is_name(table):
            return []
        with self._reading() as session:
            return session.ask(query, table_id=table, **values)

    def _page(self, table: str, after: int, up_to: int) -> list[queries.Row]:
        return self._ask("read_entries", table, after=min(after, HIGHEST), up_to=up_to, page=PAGE)

    def _entries(self, table: str, after: int, up_to: int, page: list[queries.Row]) -> Iterator[store.Entry]:
        """Read page by page, so that no session stays open while the caller works on an entry."""
        while page:
            for due, row in enumerate(page, start=after + 1):
                yield records.entry_of(row, table, due)
            after += len(page)
            length = page[-1][-1]
            page = self._page(table, after, up_to) if len(page) == PAGE else []
            if not page and after < min(length, up_to):
                raise store.Corrupted(table, after + 1, ends_early=True)

    def _check_end(self, table: str, after: int, up_to: int) -> None:
        """Raise `Corrupted` if a log with nothing past this entry should have more. Raises `NoSuchTable`, too."""
        rows = self._ask("last_entry", table)
        if _number(rows, table) <= after < min(rows[0][1], up_to):
            raise store.Corrupted(table, after + 1, ends_early=True)


def _check(table: str, after: int, batch: store.Batch) -> None:
    """Check a batch for mistakes of the caller, which no database should have to find."""
    numbers = [entry.number for entry in batch.entries]
    if numbers != list(range(after + 1, after + 1 + len(numbers))):
        raise ValueError(f"Entries after {after} are numbered from {after + 1} on, not {numbers}.")
    names = [table, *(entry.name for entry in batch.entries), *(text.digest for text in batch.texts)]
    names += [*batch.private, *batch.pictures]
    if batch.answer:
        names.append(batch.answer.command)
    for name in names:
        if not store.is_name(name):
            raise ValueError(
                f"{name[: store.LONGEST_NAME]!r} is no name: 1 to {store.LONGEST_NAME} printable characters are."
            )


def _append_steps(append: store.Append) -> list[queries.Step]:
    """Return the steps that append to one table, beginning with the one that claims its log."""
    _check(append.table, append.after, append.batch)
    hold = _hold(append.table, append.after, len(append.batch.entries), append.tail)
    return [hold, *_steps(append.table, append.batch)]


def _hold(table: str, after: int, more: int, tail: bytes | None = None) -> queries.Step:
    """Make the step that claims a log as it was read, to which `more` entries will be appended."""
    return "hold_table", {"table_id": table, "after": after, "length": after + more, "tail": tail}


def _steps(table: str, batch: store.Batch) -> Iterator[queries.Step]:
    for entry in batch.entries:
        yield "add_entry", records.entry_record(table, entry)
    if batch.answer:
        yield "add_answer", records.answer_record(table, batch.answer)
    for text in batch.texts:
        yield "add_text", records.text_record(table, text)
    for name, data in batch.private.items():
        yield "set_private", records.private_record(table, name, data)
    for digest, data in batch.pictures.items():
        yield "add_picture", {"table_id": table, "digest": digest, "data": data}


def close_each_log(session: queries.Session, closing: store.Closing) -> None:
    for (table,) in session.ask("list_tables"):
        last = _number(session.ask("last_entry", table_id=table), table)
        query, values = _hold(table, last, 1)
        session.change(query, **values)
        session.change("put_entry", **records.entry_record(table, closing(table, last + 1)))


def _number(rows: list[queries.Row], table: str) -> int:
    if not rows:
        raise _no_table(table)
    return int(rows[0][0])


def _no_table(table: str) -> store.NoSuchTable:
    return store.NoSuchTable(f"There is no table {table[: store.LONGEST_NAME]}.")


# ---------------------------------------------------------------- passes and presence

_PLAIN = decoder(dict[str, object])


class SqlPasses(Struct, frozen=True):
    """Uses the sessions of the store that it belongs to."""

    reading: Callable[[], AbstractContextManager[queries.Session]]
    transaction: Callable[[], AbstractContextManager[queries.Session]]

    def issue(self, new: store.Pass) -> None:
        with self.transaction() as session:
            session.change("drop_past_passes", now=new.made)
            _add_pass(session, new)

    def issue_if_free(self, new: store.Pass) -> bool:
        with self.transaction() as session:
            session.ask("hold_seats", table_id=new.table)
            if session.ask("find_valid_pass_to_seat", table_id=new.table, seat=new.seat, now=new.made):
                return False
            _add_pass(session, new)
            return True

    def find(self, digest: str) -> store.Pass | None:
        if not _is_digest(digest):
            return None
        with self.reading() as session:
            rows = session.ask("find_pass", digest=digest)
        return _pass_of(rows[0]) if rows else None

    def find_all(self, digests: Collection[str]) -> dict[str, store.Pass]:
        possible_digests = [digest for digest in digests if _is_digest(digest)]
        with self.reading() as session:
            rows = session.ask("find_passes", digests=json.dumps(possible_digests))
        passes = [_pass_of(row) for row in rows]
        return {stored.digest: stored for stored in passes}

    def of_device(self, device: str) -> list[store.Pass]:
        with self.reading() as session:
            return [_pass_of(row) for row in session.ask("passes_of_device", device=device)]

    def newest_of_device(self, device: str, kind: store.PassKind, table: str | None = None) -> store.Pass | None:
        if table is not None and not store.is_name(table):
            return None
        with self.reading() as session:
            rows = session.ask("newest_pass_of_device", device=device, kind=kind.value, table_id=table)
        return _pass_of(rows[0]) if rows else None

    def merge(self, device: str, digests: Collection[str], now: int, until: int) -> None:
        with self.transaction() as session:
            into = _hold_devices(session, device, digests, now, until)
            session.change("merge_passes", device=into, digests=json.dumps(list(digests)))
            session.change("prolong_pass", digest=into, until=until)

    def revoke_device(self, device: str, now: int) -> None:
        with self.transaction() as session:
            session.change("revoke_device", device=device, now=now)

    def take(self, digest: str, now: int, into: Callable[[store.Pass], store.Pass]) -> store.Pass | None:
        if not _is_digest(digest):
            return None
        with self.transaction() as session:
            if not session.change("use_pass", digest=digest, now=now):
                return None
            used = _pass_of(session.ask("find_pass", digest=digest)[0])
            successor = into(used)
            _add_pass(session, successor)
            return successor

    def revoke(self, digest: str, now: int) -> None:
        if _is_digest(digest):
            with self.transaction() as session:
                session.change("revoke_pass", digest=digest, now=now)

    def revoke_seat(
        self, table: str, seat: str, now: int, kinds: Collection[store.PassKind] = tuple(store.PassKind)
    ) -> None:
        with self.transaction() as session:
            for kind in kinds:
                session.change("revoke_passes_of_seat", table_id=table, seat=seat, kind=kind.value, now=now)

    def revoke_table(self, table: str, now: int) -> None:
        with self.transaction() as session:
            session.change("revoke_passes_of_table", table_id=table, now=now)

    def of_table(self, table: str) -> list[store.Pass]:
        with self.reading() as session:
            return [_pass_of(row) for row in session.ask("passes_of_table", table_id=table)]

    def note_present(
        self, process: str, came: Iterable[store.AtTable], went: Iterable[store.AtTable], until: int, now: int
    ) -> int:
        with self.transaction() as session:
            session.change_all("drop_presence", [_at(table, seat, process) for table, seat in sorted(set(went))])
            session.change("drop_past_presence", now=now)
            stayed = session.change("prolong_presence", process=process, until=until)
            new = [{**_at(table, seat, process), "until": until} for table, seat in sorted(set(came))]
            return stayed + session.change_all("note_presence", new)

    def present(self, table: str, now: int) -> set[str]:
        with self.reading() as session:
            return {seat for (seat,) in session.ask("find_presence", table_id=table, now=now)}

    def elsewhere(self, process: str, now: int) -> set[store.AtTable]:
        with self.reading() as session:
            return {(table, seat) for table, seat in session.ask("find_presence_elsewhere", process=process, now=now)}


def _at(table: str, seat: str, process: str) -> dict[str, queries.Value]:
    return {"table_id": table, "seat": seat, "process": process}


def _is_digest(digest: str) -> bool:
    """Return whether this can be the digest of a secret. If not, no store has it."""
    return len(digest) == 64 and digest.isascii() and digest.isalnum()


def _add_pass(session: queries.Session, new: store.Pass) -> None:
    """Store a new pass. One that belongs to a device takes the place of the device's earlier one, and prolongs it."""
    if new.device is None:
        _insert_pass(session, new)
        return
    device = _hold_devices(session, new.device, (), new.made, new.until)
    _insert_pass(session, replace(new, device=device))
    session.change(
        "revoke_earlier_passes_of_device",
        device=device,
        kind=new.kind.value,
        table_id=new.table,
        digest=new.digest,
        now=new.made,
    )
    session.change("prolong_pass", digest=device, until=new.until)


def _hold_devices(session: queries.Session, device: str, passes: Collection[str], made: int, until: int) -> str:
    """Make a device unless it is there, and hold it with these passes. Return the device that it is part of.

    From here on, nobody can merge it into another until the transaction ends: what is given to it is not lost.
    """
    session.change("add_device", digest=device, made=made, until=until)
    rows = session.ask("hold_passes", digests=json.dumps([device, *passes]))
    merged_into: dict[str, str | None] = dict(rows)
    return merged_into[device] or device


def _insert_pass(session: queries.Session, new: store.Pass) -> None:
    if new.table is None:
        session.change("add_owner_pass", **_owner_record(new))
    elif not session.change("add_pass", **_owner_record(new), table_id=new.table, seat=new.seat):
        raise store.NoSuchTable(f"There is no table {new.table[:200]!r}.")


def _owner_record(new: store.Pass) -> queries.Record:
    """Return the columns that a pass to a table shares with one of the owner's."""
    return {
        "digest": new.digest,
        "kind": new.kind.value,
        "made": new.made,
        "until": new.until,
        "used": new.used,
        "revoked": new.revoked,
        "options": msgspec.json.encode(new.options).decode(),
        "device": new.device,
    }


def _pass_of(row: queries.Row) -> store.Pass:
    digest, kind, table, seat, made, until, used, revoked, options, device = row
    try:
        return store.Pass(
            digest=digest,
            kind=store.PassKind(kind),
            table=table,
            seat=seat,
            made=made,
            until=until,
            used=used,
            revoked=revoked,
            options=_PLAIN.decode(options),
            device=device,
        )
    except (ValueError, TypeError) as fault:
        raise store.Damaged(f"A pass of table {table} is damaged.") from fault


# ---------------------------------------------------------------- jobs


class SqlJobs(Struct, frozen=True):
    """Uses the sessions and the watchers of the store that it belongs to."""

    reading: Callable[[], AbstractContextManager[queries.Session]]
    transaction: Callable[[], AbstractContextManager[queries.Session]]
    wake: Callable[[str | None], None]

    def keep(self, job: store.Job) -> None:
        with self.transaction() as session:
            if not session.change("keep_job", **_job_record(job)):
                raise store.NoSuchTable(f"There is no table {job.table[:200]!r}.")
            session.ask("announce", table_id=job.table)
        self.wake(job.table)

    def edit(self, job: str, change: Callable[[store.Job], store.Job], *, wakes: bool = True) -> store.Job | None:
        with self.transaction() as session:
            rows = session.ask("hold_job", id=job)
            if not rows:
                return None
            changed = change(_job_of(rows[0]))
            session.change("keep_job", **_job_record(changed))
            if wakes:
                session.ask("announce", table_id=changed.table)
        if wakes:
            self.wake(changed.table)
        return changed

    def forget(self, job: str) -> None:
        with self.transaction() as session:
            session.change("forget_job", id=job)
            session.ask("announce", table_id="")
        self.wake(None)

    def of(self, kind: str) -> list[store.Job]:
        with self.reading() as session:
            return [_job_of(row) for row in session.ask("jobs_of_kind", kind=kind)]

    def claim(self, job: str, holder: str, until: int, now: int) -> bool:
        with self.transaction() as session:
            return bool(session.change("claim_job", id=job, holder=holder, until=until, now=now))

    def release(self, holder: str) -> None:
        with self.transaction() as session:
            session.change("release_jobs", holder=holder)
            session.ask("announce", table_id="")
        self.wake(None)


def _job_record(job: store.Job) -> queries.Record:
    return {
        "id": job.id,
        "kind": job.kind,
        "table_id": job.table,
        "data": msgspec.json.encode(job.data).decode(),
        "holder": job.holder,
        "until": job.until,
    }


def _job_of(row: queries.Row) -> store.Job:
    name, kind, table, data, holder, until = row
    try:
        return store.Job(id=name, kind=kind, table=table, data=_PLAIN.decode(data), holder=holder, until=until)
    except (ValueError, TypeError) as fault:
        raise store.Damaged(f"A job of table {table} is damaged.") from fault
