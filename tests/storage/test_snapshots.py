"""Snapshots are caches: the newest that holds, or none."""

from astragal.table.log.store import Snapshot, Store
from tests.storage.batches import entries
from tests.storage.places import Place


def test_the_newest_snapshot_is_kept(store: Store) -> None:
    store.create("table", entries(1, 30))
    assert store.snapshot("table") is None
    for number in (10, 20):
        store.keep_snapshot("table", Snapshot(number, b"state " * number))
    assert store.snapshot("table") == Snapshot(20, b"state " * 20)
    store.keep_snapshot("table", Snapshot(20, b"better"))
    assert store.snapshot("table") == Snapshot(20, b"better")


def test_a_late_older_snapshot_does_not_take_the_place_of_a_newer(store: Store) -> None:
    store.create("table", entries(1, 30))
    store.keep_snapshot("table", Snapshot(20, b"newer"))
    store.keep_snapshot("table", Snapshot(10, b"older"))
    assert store.snapshot("table") == Snapshot(20, b"newer")


def test_older_snapshots_are_dropped(store: Store, place: Place) -> None:
    store.create("table", entries(1, 30))
    for number in range(10, 20):
        store.keep_snapshot("table", Snapshot(number, b"state"))
    assert place.run("SELECT count(*) FROM snapshots") == [(1,)]


def test_a_damaged_snapshot_is_passed_over(store: Store, place: Place) -> None:
    store.create("table", entries(1, 30))
    store.keep_snapshot("table", Snapshot(20, b"newer"))
    store.keep_snapshot("table", Snapshot(10, b"older"))
    place.run("UPDATE snapshots SET number = 21 WHERE number = 20")
    assert store.snapshot("table") == Snapshot(10, b"older")
    assert store.last("table") == 30


def test_deleted_snapshots_are_not_missed(store: Store, place: Place) -> None:
    store.create("table", entries(1, 30))
    store.keep_snapshot("table", Snapshot(20, b"state"))
    place.run("DELETE FROM snapshots")
    assert store.snapshot("table") is None
    assert len(list(store.read("table"))) == 30
    store.keep_snapshot("table", Snapshot(30, b"state"))
    assert store.snapshot("table") == Snapshot(30, b"state")


def test_to_fail_to_keep_a_snapshot_is_no_failure(store: Store, place: Place) -> None:
    store.keep_snapshot("nowhere", Snapshot(1, b"state"))
    store.keep_snapshot("\0", Snapshot(1, b"state"))
    assert place.run("SELECT count(*) FROM snapshots") == [(0,)]
    store.close()
    store.keep_snapshot("table", Snapshot(1, b"state"))
