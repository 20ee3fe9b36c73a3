"""Tables that were restored, carried elsewhere, or changed by another process: nothing of before is left in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from astragal.storage import open_store
from astragal.table.declarations import Sight
from astragal.table.host import Host
from astragal.table.log.repository import Outcome
from tests.table.fair_tables import FairTable, fair_host
from tests.table.seated import LaidOnce, ScriptedDice, Seated, everyone, new_host

FIRST_COMMANDS: dict[str, Callable[[FairTable], Outcome]] = {
    "words": lambda table: table.act(table.cy, "say", words="Where were we?"),
    "a change": lambda table: table.act(table.ada, "start_clock", name="Doom", size=4),
    "a roll": lambda table: table.dare(table.bo),
}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[FairTable]:
    with closing(open_store(f"sqlite:///{tmp_path}/tables.db")) as store:
        yield FairTable(store)


@pytest.mark.parametrize("first", FIRST_COMMANDS)
@pytest.mark.parametrize("looked", [True, False], ids=["in memory", "not in memory"])
def test_the_first_command_after_a_restore_declares_the_gap(
    table: FairTable, tmp_path: Path, first: str, looked: bool
) -> None:
    """Whoever restored the tables died before they could declare it, so it is for whoever goes on first."""
    table.dare(table.bo)
    table.host.archive.backup(tmp_path / "backup.db")
    table.dare(table.bo)
    restoring = table.host._repository  # noqa: SLF001 - the archive declares the gap itself
    with closing(open_store(f"sqlite:///{tmp_path}/tables.db")) as store:
        table.host = fair_host(store)
        if looked:
            table.host.look(table.table, table.bo)
        restoring.store.restore(tmp_path / "backup.db", restoring.restored)
        before = len(table.ledger())
        assert table.lines("gap") == []
        FIRST_COMMANDS[first](table)
        assert [line["why"] for line in table.lines("gap")] == ["restored from a backup"]
        assert b'"gap"' in table.ledger()[before]
        table.dare(table.bo)
        assert len(table.lines("gap")) == 1


def test_words_are_not_forgotten_before_the_gap_is_declared(table: FairTable, tmp_path: Path) -> None:
    said = table.act(table.bo, "say", words="a canary")
    table.host.archive.backup(tmp_path / "backup.db")
    repository = table.host._repository  # noqa: SLF001 - as above
    repository.store.restore(tmp_path / "backup.db", repository.restored)
    table.host.archive.forget_words(table.table, table.bo, said.act)
    assert len(table.lines("gap")) == 1
    assert "a canary" not in str(table.host.follow(table.table, table.cy))


@pytest.mark.parametrize("first", FIRST_COMMANDS)
def test_the_first_command_of_a_table_from_elsewhere_declares_the_gap(
    table: FairTable, tmp_path: Path, first: str
) -> None:
    table.dare(table.bo)
    with closing(open_store(f"sqlite:///{tmp_path}/elsewhere.db")) as store:
        elsewhere = fair_host(store)
        elsewhere.archive.import_table(table.export())
        table.host = elsewhere
        FIRST_COMMANDS[first](table)
        FIRST_COMMANDS["a roll"](table)
        assert len(table.lines("gap")) == 1


def test_a_process_that_knew_more_than_the_backup_forgets_it(table: FairTable, tmp_path: Path) -> None:
    with closing(open_store(f"sqlite:///{tmp_path}/tables.db")) as store:
        other = fair_host(store)
        table.host.archive.backup(tmp_path / "backup.db")
        table.act(table.ada, "start_clock", name="Doom", size=4)
        table.act(table.bo, "say", words="a canary")
        assert "a canary" in str(other.follow(table.table, table.cy))
        assert other.look(table.table, table.cy).clocks
        table.host.archive.restore(tmp_path / "backup.db")
        assert "a canary" not in str(other.follow(table.table, table.cy))
        assert not other.look(table.table, table.cy).clocks
        assert other.told(table.table, table.cy, ["said"]) == ()
        other.act(table.table, table.bo, ("say", {"words": "Again?"}))
        assert [event.words for event in table.host.told(table.table, table.cy, ["said"])] == ["Bo: Again?"]


# ---------------------------------------------------------------- words that were forgotten elsewhere


@pytest.fixture
def seated(laid_once: LaidOnce) -> Seated:
    return laid_once(everyone)


@pytest.fixture
def other(seated: Seated, tmp_path: Path) -> Iterator[Host]:  # noqa: ARG001 - the table has to be there
    """Another process that serves the same table."""
    with closing(open_store(f"sqlite:///{tmp_path}/tables.db")) as store:
        yield new_host(store, ScriptedDice())


def everything(seated: Seated, host: Host) -> str:
    """All that Cy can read by way of a process."""
    cy = seated.seats["Cy"]
    pages = [host.follow(seated.table, cy), host.latest(seated.table, cy), host.told(seated.table, cy, ["said"])]
    return str([*pages, host.look(seated.table, cy), host.archive.transcript(seated.table, cy)])


@pytest.mark.parametrize("later", [0, 1, 3])
def test_words_said_are_forgotten_by_a_process_that_has_told_them(seated: Seated, other: Host, later: int) -> None:
    """However much was said since: what stands after the forgotten words is read on in one go."""
    said = seated.act("Bo", "say", words="12 Elm Street")
    assert "Elm Street" in everything(seated, other)
    for number in range(later):
        seated.act("Bo", "say", words=f"word {number}")
    seated.host.archive.forget_words(seated.table, seated.seats["Bo"], said.act)
    assert "Elm Street" not in everything(seated, other)
    assert "Elm Street" not in everything(seated, seated.host)
    assert "Elm Street" not in str(other.events_of(seated.table, seated.seats["Cy"], said.act))
    assert len(other.events_of(seated.table, seated.seats["Cy"], said.act)) == 1


def test_what_another_process_did_is_seen_at_once_by_all_that_look(seated: Seated, other: Host) -> None:
    cy = seated.seats["Cy"]
    assert other.look(seated.table, cy) == seated.look("Cy")
    seated.act("Ada", "start_clock", name="Doom", size=4)
    assert other.look(seated.table, cy) == seated.look("Cy")
    other.act(seated.table, seated.seats["Bo"], ("say", {"words": "Doom!"}))
    assert seated.host.follow(seated.table, cy) == other.follow(seated.table, cy)
    assert seated.words("Cy")[-1] == "Bo: Doom!"
    seated.act("Ada", "give_character", character="Kira", seat="Cy")
    kira = next(who for who, one in seated.look("Ada").characters.items() if one.name == "Kira")
    assert other.look(seated.table, cy).characters[kira].sheet.fear == "deep water"
    assert repr(other.look(seated.table, seated.seats["Bo"]).characters[kira].sheet.fear) == "hidden"


def test_a_reveal_by_another_process_turns_the_card_that_was_shown(seated: Seated, other: Host) -> None:
    cy = seated.seats["Cy"]
    seated.dice.faces = [5]
    hidden = seated.hidden("dare", Sight.HIDDEN, who="Kira", danger=4)
    for host in (seated.host, other):
        assert [event.closed for event in host.events_of(seated.table, cy, hidden.act)] == [True]
    seated.act("Ada", "reveal", act=hidden.act)
    for host in (seated.host, other):
        assert [event.closed for event in host.events_of(seated.table, cy, hidden.act)] == [False, False]
