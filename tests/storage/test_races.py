"""Several at once: threads, processes, and processes that die."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from itertools import pairwise
from threading import Barrier

import pytest

from astragal.table.log.store import Batch, Conflict, Entry, NoSuchTable, Store, StoreError, TableExists
from tests.forks import together
from tests.patience import LONG
from tests.storage.batches import answered, entries
from tests.storage.places import Place, started


def at_once(*tasks: Callable[[], object]) -> list[object]:
    """What each gave, or the fault it met."""
    start = Barrier(len(tasks))

    def run(task: Callable[[], object]) -> object:
        start.wait(LONG)
        try:
            return task()
        except StoreError as fault:
            return type(fault)

    with ThreadPoolExecutor(len(tasks)) as pool:
        return list(pool.map(run, tasks))


def taken(log: list[Entry]) -> list[int]:
    return [entry.number for entry in log]


def test_of_threads_that_append_after_the_same_entry_one_succeeds(store: Store) -> None:
    store.create("table", entries(1))
    for after in range(1, 11):
        batches = [answered(after + 1, f"{after} by {n}") for n in range(6)]
        results = at_once(*(partial(store.append, "table", after, batch) for batch in batches))
        assert sorted(results, key=str) == [Conflict] * 5 + [None]
        winner = results.index(None)
        answers = [store.answer("table", f"{after} by {n}") is not None for n in range(6)]
        assert answers == [n == winner for n in range(6)]
    assert taken(list(store.read("table"))) == list(range(1, 12))


def test_threads_at_different_tables_do_not_disturb_each_other(store: Store) -> None:
    def play(table: str) -> None:
        store.create(table, entries(1))
        for after in range(1, 30):
            store.append(table, after, answered(after + 1, f"command {after}"))

    assert at_once(*(partial(play, f"table {n}") for n in range(12))) == [None] * 12
    assert all(store.last(f"table {n}") == 30 for n in range(12))


def test_of_two_who_give_the_same_command_at_once_one_is_answered(store: Store, other_store: Store) -> None:
    store.create("table", entries(1))
    for after in range(1, 11):
        batch = answered(after + 1, f"command {after}")
        results = at_once(
            partial(store.append, "table", after, batch),
            partial(other_store.append, "table", after, batch),
        )
        assert sorted(results, key=str) == [Conflict, None]


def test_of_those_who_create_the_same_table_at_once_one_succeeds(store: Store, other_store: Store) -> None:
    for n in range(5):
        tasks = [partial(which.create, f"table {n}", entries(1)) for which in (store, other_store, store)]
        assert sorted(at_once(*tasks), key=str) == [TableExists, TableExists, None]


def test_a_table_deleted_while_others_append_is_gone_whole(store: Store, other_store: Store, place: Place) -> None:
    def append_until_gone() -> None:
        for after in range(1, 10_000):
            store.append("table", after, answered(after + 1, f"command {after}"))

    def delete_soon() -> None:
        while other_store.last("table") < 5:
            pass
        other_store.delete("table")

    store.create("table", entries(1))
    assert at_once(append_until_gone, delete_soon) == [NoSuchTable, None]
    for kind in ("entries", "answers", "texts", "private"):
        assert place.run(f"SELECT count(*) FROM {kind}") == [(0,)]  # noqa: S608, the names stand above


def test_a_failed_call_leaves_the_writer_well(store: Store) -> None:
    store.create("table", entries(1))
    for _ in range(20):  # more than there are connections
        with pytest.raises(Conflict):
            store.append("table", 0, entries(1))
        with pytest.raises((TypeError, StoreError)):
            store.append("table", 1, Batch((Entry(2, "name", 1, 0, "no bytes"),)))  # type: ignore[arg-type]
    store.append("table", 1, entries(2))
    assert store.last("table") == 2


@pytest.mark.slow
def test_of_processes_that_append_after_the_same_entry_one_succeeds(store: Store, place: Place) -> None:
    store.create("table", entries(1))
    with ExitStack() as stack:
        processes = [stack.enter_context(started("append_once", place.url, f"process {n}", "1")) for n in range(3)]
        said = together(*processes)
    assert sorted(said) == ["conflict\n", "conflict\n", "kept\n"]
    assert store.last("table") == 2


@pytest.mark.slow
def test_what_processes_append_against_each_other_is_all_there(store: Store, place: Place) -> None:
    store.create("table", entries(1))
    with started("append", place.url, "a", "40") as one, started("append", place.url, "b", "40") as other:
        said = [lines.splitlines() for lines in together(one, other)]
    kept = [int(line.split()[0]) for lines in said for line in lines]
    assert sorted(kept) == list(range(2, 82))
    assert taken(list(store.read("table"))) == list(range(1, 82))
    for lines in said:
        assert all(int(early.split()[0]) < int(late.split()[0]) for early, late in pairwise(lines))


def killed_after(lines: int, *arguments: str) -> list[str]:
    """What a program had said when it was killed, by `kill -9`, after it had said this many lines."""
    with started(*arguments) as process:
        process.say("go")
        said = [process.stdout.readline() for _ in range(lines)]
        process.process.kill()
        return [line for line in said + process.stdout.readlines() if line.endswith("\n")]


def append_behind(store: Store) -> int:
    """An entry of ours. A transaction that a dead process left at the server has ended when this is kept."""
    while True:
        after = store.last("table")
        try:
            store.append("table", after, entries(after + 1))
        except Conflict:
            continue
        return after + 1


@pytest.mark.parametrize("lines", [2, 30])
def test_what_a_killed_process_was_told_is_kept_and_nothing_is_half_kept(
    store: Store, place: Place, lines: int
) -> None:
    store.create("table", entries(1))
    said = killed_after(lines, "append", place.url, "killed", "100000")
    told = [int(line.split()[0]) for line in said[1:]]
    end = append_behind(store)
    kept = range(2, end)
    assert taken(list(store.read("table"))) == list(range(1, end + 1))
    assert told == list(kept)[: len(told)]
    assert len(kept) - len(told) in {0, 1}  # the last may have been kept and not told
    answers = [store.answer("table", f"killed {turn}") for turn in range(len(kept) + 1)]
    assert [answer is not None for answer in answers] == [True] * len(kept) + [False]
    assert len(store.texts("table")) == len(store.private("table")) == len(kept)
