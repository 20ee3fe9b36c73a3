"""Jobs: work that one of many processes does for a table, such as an AI's seat or a webhook. A store keeps them.

Whoever does a job holds its lease and prolongs it; one that has run out is anybody's to claim, so the job outlives the
process. None of this is part of a table's story: it is in no log, no export and no backup.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from astragal.values import frozen


@frozen(kw_only=True)
class Job:
    """A job of a kind, for a table. Times are milliseconds since 1970."""

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
