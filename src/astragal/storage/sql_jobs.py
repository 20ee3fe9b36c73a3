"""Jobs in an SQL database, in named queries."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

import msgspec

from astragal.storage.faults import Damaged
from astragal.storage.queries import Record, Row, Session
from astragal.table.log.decoders import decoder
from astragal.table.log.jobs import Job
from astragal.table.log.store import NoSuchTable

_DATA = decoder(dict[str, object])


@dataclass(frozen=True)
class SqlJobs:
    """Uses the sessions and the watchers of the store that it belongs to."""

    reading: Callable[[], AbstractContextManager[Session]]
    transaction: Callable[[], AbstractContextManager[Session]]
    wake: Callable[[str | None], None]

    def keep(self, job: Job) -> None:
        with self.transaction() as session:
            if not session.change("keep_job", **_record(job)):
                raise NoSuchTable(f"There is no table {job.table[:200]!r}.")
            session.ask("announce", table_id=job.table)
        self.wake(job.table)

    def edit(self, job: str, change: Callable[[Job], Job], *, wakes: bool = True) -> Job | None:
        with self.transaction() as session:
            rows = session.ask("hold_job", id=job)
            if not rows:
                return None
            changed = change(_job_of(rows[0]))
            session.change("keep_job", **_record(changed))
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

    def of(self, kind: str) -> list[Job]:
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


def _record(job: Job) -> Record:
    return {
        "id": job.id,
        "kind": job.kind,
        "table_id": job.table,
        "data": msgspec.json.encode(job.data).decode(),
        "holder": job.holder,
        "until": job.until,
    }


def _job_of(row: Row) -> Job:
    name, kind, table, data, holder, until = row
    try:
        return Job(id=name, kind=kind, table=table, data=_DATA.decode(data), holder=holder, until=until)
    except (ValueError, TypeError) as fault:
        raise Damaged(f"A job of table {table} is damaged.") from fault
