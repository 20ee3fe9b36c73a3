"""Whoever watches is woken by what happens in this process and in others."""

import logging
import time
from collections.abc import Iterator
from queue import Empty, Queue
from uuid import uuid4

import pytest

from astragal.storage import open_store
from astragal.table.log.store import Conflict, Store
from tests.patience import LONG
from tests.storage.batches import entries
from tests.storage.places import Place, PostgresPlace, started


class Ear:
    """Hears wake-ups."""

    def __init__(self, store: Store) -> None:
        self.heard: Queue[str | None] = Queue()
        self.end = store.watch(self.heard.put)

    def wait_for(self, *wanted: str | None) -> None:
        deadline = time.monotonic() + LONG
        while self.heard.get(timeout=max(0, deadline - time.monotonic())) not in wanted:
            pass

    def settle(self, seconds: float = 0.3) -> None:
        """Until there is silence."""
        while True:
            try:
                self.heard.get(timeout=seconds)
            except Empty:
                return

    def all_until_now(self, other: Store) -> list[str]:
        """What was heard before something that another store does now: wake-ups keep their order, however late."""
        other.create(sign := uuid4().hex, entries(1))
        before = []
        while (one := self.heard.get(timeout=LONG)) not in (sign, None):
            before.append(one)
        return before


@pytest.fixture
def ear(store: Store) -> Iterator[Ear]:
    ear = Ear(store)
    ear.wait_for(None)  # whoever begins to watch is woken once
    ear.settle()
    yield ear
    ear.end()


def test_the_store_wakes_its_own_watchers_at_once_and_by_table(store: Store, ear: Ear) -> None:
    store.create("table", entries(1))
    assert "table" in ear.heard.queue
    ear.settle()
    store.append("table", 1, entries(2))
    assert "table" in ear.heard.queue


def test_what_this_process_does_wakes_no_other_table(store: Store, ear: Ear, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("astragal.storage.sqlite.LOOK_PATIENCE", LONG)  # a slow disk keeps the look waiting
    store.create("table", entries(1))
    for after in range(1, 11):
        store.append("table", after, entries(after + 1))
        time.sleep(0.06)  # longer than from one look for others to the next
    heard = list(ear.heard.queue)
    assert heard.count("table") >= 11
    assert None not in heard


def test_what_was_refused_wakes_nobody(store: Store, other_store: Store, ear: Ear) -> None:
    store.create("table", entries(1))
    assert "table" in ear.all_until_now(other_store)
    with pytest.raises(Conflict):
        store.append("table", 0, entries(1))
    assert "table" not in ear.all_until_now(other_store)


def test_another_store_of_the_same_place_is_heard(store: Store, other_store: Store, ear: Ear) -> None:
    store.create("table", entries(1))
    ear.settle()
    for after in range(1, 11):
        other_store.append("table", after, entries(after + 1))
        ear.wait_for("table", None)
        assert store.last("table") == after + 1
        ear.settle(0.1)


@pytest.mark.slow
def test_another_process_is_heard(store: Store, ear: Ear, place: Place) -> None:
    store.create("table", entries(1))
    with started("append_once", place.url, "other", "1") as other:
        assert other.stdout.readline() == "ready\n"
        ear.settle()
        other.say("go")
        ear.wait_for("table", None)
    assert store.last("table") == 2


def test_a_watch_ends_when_told(store: Store, ear: Ear) -> None:
    ear.end()
    ear.end()
    store.create("table", entries(1))
    assert "table" not in ear.heard.queue


def test_a_watcher_that_fails_disturbs_neither_the_writer_nor_the_others(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_table: str | None) -> None:
        raise RuntimeError("watcher")

    store.watch(fail)
    ear = Ear(store)
    with caplog.at_level(logging.ERROR):
        store.create("table", entries(1))
        ear.wait_for("table")
    assert store.last("table") == 1
    assert "a watcher failed" in caplog.text


def test_a_store_can_be_closed_while_it_is_watched_and_by_who_is_woken(store: Store, other_store: Store) -> None:
    ear = Ear(store)
    ear.wait_for(None)
    store.close()
    store.watch(ear.heard.put)()
    closed = Ear(other_store)
    other_store.watch(lambda _table: other_store.close())
    closed.wait_for(None)


def test_wake_ups_go_on_after_the_listener_was_lost(postgres_place: PostgresPlace) -> None:
    store, other = open_store(postgres_place.url), open_store(postgres_place.url)
    store.create("table", entries(1))
    ear = Ear(store)
    ear.wait_for(None)
    for after in range(1, 4):
        ear.settle()
        killed = postgres_place.run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE query LIKE 'LISTEN%' AND datname = current_database()"
        )
        assert killed == [(True,)]
        other.append("table", after, entries(after + 1))
        ear.wait_for(None)  # it is back, and says so; what happened meanwhile is read now
        assert store.last("table") == after + 1
    ear.settle()
    other.append("table", 4, entries(5))
    ear.wait_for("table")
    store.close()
    other.close()
