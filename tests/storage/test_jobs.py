"""Jobs are done by one process at a time, and go on with another when it is gone."""

from functools import partial
from pathlib import Path
from queue import Queue

import pytest
from msgspec.structs import replace

from astragal.storage import open_store
from astragal.table.log.store import Job, Leases, NoSuchTable, Store
from tests.patience import LONG
from tests.storage.batches import entries
from tests.storage.test_races import at_once

JOB = Job(id="a", kind="webhook", table="table", data={"cursor": "", "tries": [1, 2.5, None]})


@pytest.fixture
def jobs(store: Store) -> Store:
    store.create("table", entries(1))
    store.jobs.keep(JOB)
    return store


def test_a_job_is_found_changed_and_forgotten_by_whichever_process(jobs: Store, other_store: Store) -> None:
    assert other_store.jobs.of("webhook") == [JOB]
    assert other_store.jobs.of("ai") == []
    changed = other_store.jobs.edit("a", lambda job: replace(job, data={"cursor": "9"}))
    assert jobs.jobs.of("webhook") == [changed]
    other_store.jobs.forget("a")
    assert jobs.jobs.edit("a", lambda job: job) is None
    with pytest.raises(NoSuchTable):
        jobs.jobs.keep(replace(JOB, table="nowhere"))


def test_a_job_goes_with_its_table(jobs: Store) -> None:
    jobs.delete("table")
    assert jobs.jobs.of("webhook") == []


def test_of_many_who_claim_a_job_at_once_one_gets_it(jobs: Store, other_store: Store) -> None:
    def claim(store: Store, holder: str) -> bool:
        return store.jobs.claim("a", holder, 1_000, 0)

    stores = (jobs, other_store) * 3
    found = at_once(*(partial(claim, store, f"process {n}") for n, store in enumerate(stores)))
    assert (found.count(True), found.count(False)) == (1, 5)


def test_changes_side_by_side_are_all_kept(jobs: Store, other_store: Store) -> None:
    def add(store: Store, word: str) -> Job | None:
        return store.jobs.edit("a", lambda job: replace(job, data={**job.data, word: True}))

    at_once(*(partial(add, store, f"word {n}") for n, store in enumerate((jobs, other_store) * 3)))
    assert {f"word {n}" for n in range(6)} <= set(jobs.jobs.of("webhook")[0].data)


def test_a_lease_is_prolonged_by_its_holder_and_taken_when_it_has_run_out(jobs: Store, other_store: Store) -> None:
    now = 0
    ours = Leases(jobs.jobs, "ours", lambda: now, 1_000)
    theirs = Leases(other_store.jobs, "theirs", lambda: now, 1_000)

    def job() -> Job:
        return jobs.jobs.of("webhook")[0]

    assert ours.hold(job())
    assert not theirs.hold(job())
    now = 600
    assert ours.hold(job())
    assert job().until == 1_600
    now = 1_600
    assert theirs.hold(job())
    assert not ours.hold(job())
    other_store.jobs.release("theirs")
    assert ours.hold(job())


def test_whoever_watches_a_table_hears_of_its_jobs(jobs: Store, other_store: Store) -> None:
    heard: Queue[str | None] = Queue()
    other_store.watch(heard.put)
    heard.get(timeout=LONG)  # the first is for whatever was before
    jobs.jobs.edit("a", lambda job: replace(job, data={}))
    while heard.get(timeout=LONG) not in (None, "table"):
        pass


def test_a_restore_keeps_jobs_and_a_backup_has_none(jobs: Store, tmp_path: Path) -> None:
    jobs.backup(tmp_path / "copy.db")
    jobs.restore(tmp_path / "copy.db")
    assert jobs.jobs.of("webhook") == [JOB]
    copy = open_store(f"sqlite:///{tmp_path}/copy.db")
    assert copy.jobs.of("webhook") == []
    copy.close()
