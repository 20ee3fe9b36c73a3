"""Commands of different tables are stored together, and each of them as if it had been alone."""

from threading import Barrier, Event, Thread
from typing import Any

import pytest

from astragal.table.host import Host
from astragal.table.log.group_commit import CommandRun, finish, store_together
from astragal.table.log.repository import Outcome
from astragal.table.log.store import Append, Store, StoreFull
from astragal.table.refusals import NoRoom, Refusal
from tests.patience import LONG
from tests.table.fair_tables import fair_host
from tests.table.seated import Seated, seat_everyone

Run = CommandRun[Outcome]


@pytest.fixture
def tables(store: Store) -> list[Seated]:
    return [seat_everyone(store) for _ in range(3)]


@pytest.fixture
def host(store: Store, tables: list[Seated]) -> Host:
    """It has the tables in memory, with their dice promised."""
    host = fair_host(store)
    for table in tables:
        host.act(table.table, table.game_master, ("mark_save_node", {"label": "ready"}))
    return host


def begun(host: Host, table: Seated, command: str, **fields: Any) -> Run:
    steps = host.acting(table.table, table.seats["Bo"], (command, fields), command_id=f"{command} {fields}")
    return CommandRun(steps, lambda call, *arguments: call(*arguments))


def finish_all(store: Store, runs: list[Run]) -> None:
    store_together(store, runs)
    for run in runs:
        finish(store, run)


def said(host: Host, table: Seated) -> list[str]:
    page = host.follow(table.table, table.seats["Bo"])
    return [event.fields["words"] for event in page.events if event.name == "said"]


def in_another_thread(work: Any) -> Thread:
    thread = Thread(target=work, daemon=True)
    thread.start()
    return thread


def test_nothing_is_stored_until_all_of_it_is(store: Store, host: Host, tables: list[Seated]) -> None:
    lengths = [store.last(table.table) for table in tables]
    runs = [begun(host, table, "say", words=f"hello, {number}") for number, table in enumerate(tables)]
    assert [run.is_done for run in runs] == [False] * 3
    assert [store.last(table.table) for table in tables] == lengths
    finish_all(store, runs)
    assert [run.result and run.result.events[0].fields["words"] for run in runs] == ["hello, 0", "hello, 1", "hello, 2"]
    assert [said(host, table) for table in tables] == [["hello, 0"], ["hello, 1"], ["hello, 2"]]


def test_nobody_sees_what_is_not_stored_yet(store: Store, host: Host, tables: list[Seated]) -> None:
    run, seen = begun(host, tables[0], "say", words="hello"), list[int]()
    looks = in_another_thread(lambda: seen.append(len(said(host, tables[0]))))
    looks.join(0.05)  # as long as it would need if it did not wait
    assert not seen
    finish_all(store, [run])
    looks.join(LONG)
    assert seen == [1]


def test_a_command_at_a_table_where_others_acted_first_is_decided_again(
    store: Store, host: Host, tables: list[Seated]
) -> None:
    runs = [begun(host, table, "say", words="hello") for table in tables]
    fair_host(store).act(tables[1].table, tables[1].seats["Cy"], ("say", {"words": "me first"}))
    finish_all(store, runs)
    assert [run.fault for run in runs] == [None] * 3
    assert [said(host, table) for table in tables] == [["hello"], ["me first", "hello"], ["hello"]]


def test_two_commands_of_one_table_are_both_done(store: Store, host: Host, tables: list[Seated]) -> None:
    runs = [begun(host, tables[0], "say", words=words) for words in ("one", "two")]
    finish_all(store, runs)
    assert [run.fault for run in runs] == [None] * 2
    assert said(host, tables[0]) == ["one", "two"]


def test_a_command_at_a_busy_table_keeps_no_other_back(store: Store, host: Host, tables: list[Seated]) -> None:
    is_busy, has_begun, goes_on = Event(), Event(), Event()

    def keep_busy() -> None:
        run = begun(host, tables[0], "say", words="one")
        is_busy.set()
        goes_on.wait(LONG)
        finish_all(store, [run])

    def act() -> None:
        runs = [begun(host, tables[0], "say", words="two"), begun(host, tables[1], "say", words="hello")]
        has_begun.set()
        finish_all(store, runs)

    threads = [in_another_thread(keep_busy)]
    assert is_busy.wait(LONG)
    threads.append(in_another_thread(act))
    assert has_begun.wait(LONG)
    assert said(host, tables[1]) == ["hello"]
    assert said(fair_host(store), tables[0]) == []
    goes_on.set()
    for thread in threads:
        thread.join(LONG)
    assert said(host, tables[0]) == ["one", "two"]


def test_commands_that_want_each_others_tables_do_not_wait_for_each_other(
    store: Store, host: Host, tables: list[Seated]
) -> None:
    halfway = Barrier(2)

    def act(first: Seated, second: Seated, words: str) -> None:
        run = begun(host, first, "say", words=words)
        halfway.wait(LONG)
        finish_all(store, [run, begun(host, second, "say", words=words)])

    one, other, _ = tables
    threads = [in_another_thread(lambda: act(one, other, "a")), in_another_thread(lambda: act(other, one, "b"))]
    for thread in threads:
        thread.join(LONG)
    assert (said(host, one), said(host, other)) == (["a", "b"], ["b", "a"])


@pytest.mark.usefixtures("host")
def test_a_table_that_has_to_be_read_first_keeps_no_other_back(store: Store, tables: list[Seated]) -> None:
    other = fair_host(store)
    other.book_of(tables[1].table)
    runs = [begun(other, tables[0], "say", words="late"), begun(other, tables[1], "say", words="hello")]
    assert [run.append is not None for run in runs] == [False, True]
    finish_all(store, runs)
    assert [said(other, table) for table in tables[:2]] == [["late"], ["hello"]]


def test_a_refused_command_keeps_no_other_back(store: Store, host: Host, tables: list[Seated]) -> None:
    runs = [begun(host, tables[0], "say", words="hello"), begun(host, tables[1], "say", words="")]
    finish_all(store, runs)
    assert runs[0].fault is None
    assert isinstance(runs[1].fault, Refusal)
    assert said(host, tables[0]) == ["hello"]


def test_a_repeated_command_is_answered_as_before(store: Store, host: Host, tables: list[Seated]) -> None:
    first, other = begun(host, tables[0], "say", words="hello"), begun(host, tables[1], "say", words="hello")
    finish_all(store, [first, other])
    again = begun(host, tables[0], "say", words="hello")
    finish_all(store, [again])
    assert again.result == first.result
    assert said(host, tables[0]) == ["hello"]


@pytest.mark.parametrize("fault", [StoreFull("There is no room left."), RuntimeError("a mistake of ours")])
def test_where_nothing_can_be_stored_every_table_stays_as_it_was_and_can_be_played_on(
    store: Store, host: Host, tables: list[Seated], monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    runs = [begun(host, table, "say", words="hello") for table in tables]

    def append_all(_: list[Append]) -> None:
        raise fault

    with monkeypatch.context() as patched:
        patched.setattr(store, "append_all", append_all)
        finish_all(store, runs)
    assert {type(run.fault) for run in runs} == {NoRoom if isinstance(fault, StoreFull) else type(fault)}
    for table in tables:
        goes_on = in_another_thread(
            lambda table=table: host.act(table.table, table.seats["Bo"], ("say", {"words": "x"}))
        )
        goes_on.join(LONG)
    assert [said(host, table) for table in tables] == [["x"]] * 3
