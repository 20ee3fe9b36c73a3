"""Passes and presence in an SQL database, in named queries."""

from collections.abc import Callable, Collection, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass

import msgspec

from astragal.storage.faults import Damaged
from astragal.storage.queries import Record, Row, Session, Value
from astragal.table.log.decoders import decoder
from astragal.table.log.passes import AtTable, Pass, PassKind
from astragal.table.log.store import NoSuchTable

_OPTIONS = decoder(dict[str, object])


@dataclass(frozen=True)
class SqlPasses:
    """Uses the sessions of the store that it belongs to."""

    reading: Callable[[], AbstractContextManager[Session]]
    transaction: Callable[[], AbstractContextManager[Session]]

    def issue(self, one: Pass) -> None:
        with self.transaction() as session:
            session.change("drop_past_passes", now=one.made)
            _keep(session, one)

    def find(self, digest: str) -> Pass | None:
        if not _is_digest(digest):
            return None
        with self.reading() as session:
            rows = session.ask("find_pass", digest=digest)
        return _pass_of(rows[0]) if rows else None

    def take(self, digest: str, now: int, into: Callable[[Pass], Pass]) -> Pass | None:
        if not _is_digest(digest):
            return None
        with self.transaction() as session:
            if not session.change("use_pass", digest=digest, now=now):
                return None
            made = into(_pass_of(session.ask("find_pass", digest=digest)[0]))
            _keep(session, made)
            return made

    def revoke(self, digest: str, now: int) -> None:
        if _is_digest(digest):
            with self.transaction() as session:
                session.change("revoke_pass", digest=digest, now=now)

    def revoke_seat(self, table: str, seat: str, now: int, kinds: Collection[PassKind] = tuple(PassKind)) -> None:
        with self.transaction() as session:
            for kind in kinds:
                session.change("revoke_passes_of_seat", table_id=table, seat=seat, kind=kind.value, now=now)

    def revoke_table(self, table: str, now: int) -> None:
        with self.transaction() as session:
            session.change("revoke_passes_of_table", table_id=table, now=now)

    def of_table(self, table: str) -> list[Pass]:
        with self.reading() as session:
            return [_pass_of(row) for row in session.ask("passes_of_table", table_id=table)]

    def note_present(self, process: str, came: Iterable[AtTable], went: Iterable[AtTable], until: int, now: int) -> int:
        with self.transaction() as session:
            session.change_all("drop_presence", [_at(table, seat, process) for table, seat in sorted(set(went))])
            session.change("drop_past_presence", now=now)
            stayed = session.change("prolong_presence", process=process, until=until)
            new = [{**_at(table, seat, process), "until": until} for table, seat in sorted(set(came))]
            return stayed + session.change_all("note_presence", new)

    def present(self, table: str, now: int) -> set[str]:
        with self.reading() as session:
            return {seat for (seat,) in session.ask("find_presence", table_id=table, now=now)}

    def elsewhere(self, process: str, now: int) -> set[AtTable]:
        with self.reading() as session:
            return {(table, seat) for table, seat in session.ask("find_presence_elsewhere", process=process, now=now)}


def _at(table: str, seat: str, process: str) -> dict[str, Value]:
    return {"table_id": table, "seat": seat, "process": process}


def _is_digest(digest: str) -> bool:
    """Can this be the digest of a secret? If not, it is in no store."""
    return len(digest) == 64 and digest.isascii() and digest.isalnum()


def _keep(session: Session, one: Pass) -> None:
    if one.table is None:
        session.change("add_owner_pass", **_owner_record(one))
    elif not session.change("add_pass", **_owner_record(one), table_id=one.table, seat=one.seat):
        raise NoSuchTable(f"There is no table {one.table[:200]!r}.")


def _owner_record(one: Pass) -> Record:
    return {
        "digest": one.digest,
        "kind": one.kind.value,
        "made": one.made,
        "until": one.until,
        "used": one.used,
        "revoked": one.revoked,
        "options": msgspec.json.encode(one.options).decode(),
    }


def _pass_of(row: Row) -> Pass:
    digest, kind, table, seat, made, until, used, revoked, options = row
    try:
        return Pass(
            digest=digest,
            kind=PassKind(kind),
            table=table,
            seat=seat,
            made=made,
            until=until,
            used=used,
            revoked=revoked,
            options=_OPTIONS.decode(options),
        )
    except (ValueError, TypeError) as fault:
        raise Damaged(f"A pass of table {table} is damaged.") from fault
