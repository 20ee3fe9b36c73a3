"""Commands of different tables are stored together, and each of them as if it had been alone."""

from threading import Thread
from typing import Any

import pytest

from astragal.table.host import Host
from astragal.table.log.group_commit import CommandRun, finish_all
from astragal.table.log.repository import Outcome
from astragal.table.log.store import Append, Store, StoreError, StoreFull
from astragal.table.refusals import NoRoom, Refusal
from tests.patience import LONG
from tests.table.fair_tables import fair_host
from tests.table.seated import Seated, seat_everyone

Run = CommandRun[Outcome]


@pytest.fixture
def tables(store: Store) -> list[Seated]:
    return [seat_everyone(store) for _ in range(3)]


@pytest.fixture
def host(store: Store) -> Host:
    return fair_host(store)


def begun(host: Host, table: Seated, command: str, **fields: Any) -> Run:
    steps = host.acting(table.table, table.seats["Bo"], (command, fields), command_id=f"{command} {fields}")
    return CommandRun(steps, lambda call, *arguments: call(*arguments))


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

    def append_all(_: list[Append]) -> list[StoreError | None]:
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
