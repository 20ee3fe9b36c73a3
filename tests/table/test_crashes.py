"""Nobody can fish for a better die: not by a crash, a retry, a race, a rewind or a restore. With real kills."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from astragal.fair import verify
from astragal.storage import open_store
from astragal.table.declarations import Sight
from astragal.table.host import Host
from astragal.table.log.repository import Outcome
from astragal.table.log.store import Answer
from tests.forks import together
from tests.storage.places import Place, SqlitePlace, finished, started
from tests.table.fair_tables import FairTable, faces, fair_host

PROGRAMS = "tests.table.programs"
KILLED = -signal.SIGKILL


@pytest.fixture
def table(place: Place) -> Iterator[FairTable]:
    store = open_store(place.url)
    yield FairTable(store)
    store.close()


@pytest.fixture
def bystander(place: Place) -> Iterator[Host]:
    """Another process would have a host of its own on the same store."""
    store = open_store(place.url)
    yield fair_host(store)
    store.close()


def killed(*arguments: str) -> list[int]:
    """What a program had drawn when it died."""
    code, said = finished(*arguments, of=PROGRAMS)
    assert code == KILLED, said
    drew: list[int] = json.loads(said.removeprefix("drew "))
    return drew


def dare(table: FairTable, seat: str, **more: Any) -> dict[str, Any]:
    return {"table": table.table, "seat": seat, "command": "dare", "fields": {"who": "Kira", "danger": 9}, **more}


def assert_honest(table: FairTable) -> None:
    """The ledger is sound, with all receipts, and no link was spent twice."""
    report = verify(table.ledger(), table.receipts)
    assert report.sound, report.sentences()
    links = [link for line in table.lines("roll") for _, link in line["links"]]
    assert len(links) == len(set(links))


# ---------------------------------------------------------------- a crash, and a retry


@pytest.mark.parametrize("moment", ["before", "after"])
def test_killed_around_the_commit_of_a_roll_the_same_die_falls(table: FairTable, place: Place, moment: str) -> None:
    table.dare(table.bo)
    drew = killed("give", place.url, json.dumps(dare(table, table.bo, id="once")), "append", "1", moment)
    assert len(drew) == 1
    assert len(table.lines("roll")) == (2 if moment == "after" else 1)
    assert faces(table.dare(table.bo, command_id="once")) == drew
    assert len(table.lines("roll")) == 2
    assert_honest(table)


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["before", "after"])
def test_killed_at_the_first_roll_of_a_seat_the_same_die_falls(table: FairTable, place: Place, moment: str) -> None:
    """Its chain was promised when the seat was taken, so the first roll is one commit like every other."""
    tips = table.lines("tip")
    drew = killed("give", place.url, json.dumps(dare(table, table.bo, id="once")), "append", "1", moment)
    assert faces(table.dare(table.bo, command_id="once")) == drew
    assert table.lines("tip")[: len(tips)] == tips
    assert len(table.lines("roll")) == 1
    assert_honest(table)


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["before", "after"])
def test_killed_at_a_hidden_roll_the_same_die_falls(table: FairTable, place: Place, moment: str) -> None:
    asked = json.dumps(dare(table, table.ada, id="once", sight="hidden"))
    drew = killed("give", place.url, asked, "append", "1", moment)
    hidden = table.dare(table.ada, command_id="once", sight=Sight.HIDDEN)
    assert faces(hidden) == drew
    table.act(table.ada, "reveal", act=hidden.act)
    assert len(table.lines("ask")) == len(table.lines("open")) == 1
    assert_honest(table)


@pytest.mark.slow
def test_a_command_killed_again_and_again_gives_the_same_die(table: FairTable, place: Place) -> None:
    table.dare(table.bo)
    asked = json.dumps(dare(table, table.bo, id="fished for"))
    drew = [killed("give", place.url, asked, "append", "1", "before") for _ in range(3)]
    assert drew == [drew[0]] * 3
    other = killed("give", place.url, json.dumps(dare(table, table.bo, id="another")), "append", "1", "before")
    assert other == drew[0]
    assert faces(table.dare(table.bo)) == drew[0]
    assert_honest(table)


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_rewind_killed_around_its_commit_is_one_rewind(table: FairTable, place: Place, moment: str) -> None:
    node = table.act(table.ada, "mark_save_node", label="the edge").events[0].fields["node"]
    table.dare(table.bo)
    asked = {"command": "rewind", "fields": {"node": node, "price": "nerve"}, "id": "back"}
    given = json.dumps({"table": table.table, "seat": table.ada, **asked})
    killed("give", place.url, given, "append", "1", moment)
    table.give(table.ada, "rewind", {"node": node, "price": "nerve"}, command_id="back")
    table.dare(table.bo)
    assert [line["n"] for line in table.lines("rewind")] == [1]
    assert len(table.lines("roll")) == 2
    assert_honest(table)


# ---------------------------------------------------------------- two at once


def test_a_chain_that_another_process_promised_is_gone_on_with(table: FairTable, bystander: Host) -> None:
    bystander.look(table.table, table.bo)
    for _ in range(3):
        table.dare(table.bo)
        bystander.act(table.table, table.bo, ("dare", {"who": "Kira", "danger": 9}))
        bystander.act(table.table, table.ada, ("dare", {"who": "Kira", "danger": 9}), sight=Sight.HIDDEN)
        table.dare(table.ada, sight=Sight.HIDDEN)
    assert len(table.lines("roll")) == len(table.lines("ask")) == 6
    assert_honest(table)


@pytest.mark.slow
def test_processes_that_roll_against_each_other_spend_every_link_once(table: FairTable, place: Place) -> None:
    names, count = ("one", "other"), 25
    with ExitStack() as stack:
        processes = [
            stack.enter_context(started("dares", place.url, table.table, table.bo, name, str(count), of=PROGRAMS))
            for name in names
        ]
        said = [line for lines in together(*processes) for line in lines.splitlines()]
    fell = dict(line.rsplit("=", 1) for line in said)
    assert len(fell) == len(names) * count == len(table.lines("roll"))
    for command, shown in fell.items():
        assert str(faces(table.dare(table.bo, command_id=command))) == shown
    assert_honest(table)


@pytest.mark.slow
def test_one_command_given_by_two_processes_at_once_is_one_roll(table: FairTable, place: Place) -> None:
    with ExitStack() as stack:
        processes = [
            stack.enter_context(started("dares", place.url, table.table, table.bo, "same", "10", of=PROGRAMS))
            for _ in range(2)
        ]
        one, other = together(*processes)
    assert one == other
    assert len(table.lines("roll")) == 10
    assert_honest(table)


def test_a_command_that_another_process_stored_in_the_meantime_has_its_dice(
    table: FairTable, bystander: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This process has just read on when the other one stores the same command."""
    asked, done, find_answer = ("dare", {"who": "Kira", "danger": 9}), list[Outcome](), table.store.answer

    def answer_once_the_other_has_stored_it(where: str, command: str) -> Answer | None:
        done.append(bystander.act(table.table, table.bo, asked, command_id=command))
        return find_answer(where, command)

    monkeypatch.setattr(table.store, "answer", answer_once_the_other_has_stored_it)
    table.host.look(table.table, table.bo)
    bystander.act(table.table, table.bo, asked)  # so that the first attempt here is refused
    assert table.dare(table.bo, command_id="same") == done[0]
    assert faces(done[0])


@pytest.mark.slow
def test_a_process_killed_at_any_moment_leaves_what_it_said_and_nothing_half(table: FairTable, place: Place) -> None:
    for turn, lines in enumerate((2, 5, 11)):
        with started("dares", place.url, table.table, table.bo, f"turn {turn}", "100000", of=PROGRAMS) as process:
            process.say("go")
            said = [process.stdout.readline() for _ in range(lines)]
            process.process.kill()
            said += process.stdout.readlines()
        for line in said[1:]:
            command, _, shown = line.strip().rpartition("=")
            if line.endswith("\n"):
                assert str(faces(table.dare(table.bo, command_id=command))) == shown
        table.dare(table.bo)
        assert_honest(table)


# ---------------------------------------------------------------- a restore, and a move


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_restore_killed_around_its_commit_repeats_no_link(
    table: FairTable, place: Place, bystander: Host, tmp_path: Path, moment: str
) -> None:
    """Whoever goes on first declares the gap, though the one who restored died before it could."""
    table.dare(table.bo)
    bystander.look(table.table, table.bo)
    table.host.archive.backup(tmp_path / "backup.db")
    for _ in range(3):
        table.dare(table.bo)
    seen = table.lines("roll")
    killed("restore", place.url, str(tmp_path / "backup.db"), moment)
    table.host = bystander
    if moment == "after":
        table.receipts.clear()  # of what is lost
    table.dare(table.bo)
    assert [len(table.lines(kind)) for kind in ("gap", "roll")] == ([1, 2] if moment == "after" else [0, 5])
    assert table.lines("roll")[-1]["links"] not in [line["links"] for line in seen]
    assert_honest(table)


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_process_that_was_ahead_of_the_restored_log_goes_on_with_it(
    table: FairTable, place: Place, tmp_path: Path, moment: str
) -> None:
    table.dare(table.bo)
    table.host.archive.backup(tmp_path / "backup.db")
    for _ in range(5):
        table.dare(table.bo)
    killed("restore", place.url, str(tmp_path / "backup.db"), moment)
    if moment == "after":
        table.receipts.clear()
    table.dare(table.bo)
    assert_honest(table)


def test_a_second_restore_repeats_nothing_of_the_first(table: FairTable, tmp_path: Path) -> None:
    table.dare(table.bo)
    table.host.archive.backup(tmp_path / "backup.db")
    shown = []
    for _ in range(3):
        table.host.archive.restore(tmp_path / "backup.db")
        table.receipts.clear()
        table.dare(table.bo)
        shown.append(table.lines("roll")[-1]["links"][0][1])
        assert_honest(table)
    assert len(set(shown)) == 3


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_table_taken_in_by_one_who_died_goes_on_with_new_chains(
    table: FairTable, tmp_path: Path, moment: str
) -> None:
    table.dare(table.bo)
    table.dare(table.ada, sight=Sight.HIDDEN)
    file = tmp_path / "export.jsonl"
    file.write_bytes(b"".join(table.export()))
    elsewhere = SqlitePlace(tmp_path / "elsewhere.db")
    killed("import_table", elsewhere.url, str(file), moment)
    table.host = fair_host(open_store(elsewhere.url))
    if moment == "before":
        table.host.archive.import_table(file.read_bytes().splitlines(keepends=True))
    table.dare(table.bo)
    renewed = [(line["src"], line["renew"]) for line in table.lines("tip") if "renew" in line]
    assert renewed
    assert len(set(renewed)) == len(renewed)
    assert {number for _, number in renewed} == {1}
    assert len(table.lines("gap")) == 1
    assert_honest(table)
