"""Tables in memory: locked while they are read, up to date when they are looked at, and the same as when read anew."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from astragal.storage import open_store
from astragal.storage.sqlite import SqliteStore
from astragal.table.authoring.chapter import Chapter
from astragal.table.declarations import Sight, replace
from astragal.table.host import Host
from astragal.table.log import export, repository, table_log
from astragal.table.log.session import LiveTable, open_live
from astragal.table.log.store import Entry, StoreUnavailable
from astragal.table.log.table_log import MOST_REMEMBERED
from astragal.table.refusals import NoSuchTable, ReadOnly
from astragal.table.state.table import State
from tests.patience import LONG
from tests.table.dare import DARE, Joined
from tests.table.seated import LaidOnce, ScriptedDice, Seated, everyone, new_host


@pytest.fixture
def seated(laid_once: LaidOnce) -> Seated:
    return laid_once(everyone)


@pytest.fixture
def live(seated: Seated) -> LiveTable:
    return seated.host._repository.at(seated.table)  # noqa: SLF001 - the session is what this is about


@pytest.fixture
def other(seated: Seated, tmp_path: Path) -> Iterator[Host]:  # noqa: ARG001 - the table has to be there
    """Another process that serves the same table."""
    with closing(open_store(f"sqlite:///{tmp_path}/tables.db")) as store:
        yield new_host(store, ScriptedDice())


def is_free(lock: Any) -> bool:
    """Whether another thread gets this lock at once."""
    got: list[bool] = []

    def try_it() -> None:
        got.append(lock.acquire(blocking=False))
        if got[0]:
            lock.release()

    thread = threading.Thread(target=try_it)
    thread.start()
    thread.join(LONG)
    return got[0]


class UnsteadyStore(SqliteStore):
    """A database that can be away for a while."""

    is_away = False

    def changes(self) -> int | None:
        if self.is_away:
            raise StoreUnavailable("The database is away.")
        return super().changes()


# ---------------------------------------------------------------- locks


def test_a_table_is_locked_while_it_is_looked_at_and_no_longer(live: LiveTable) -> None:
    with live as opened:
        assert opened is live
        assert not is_free(live.lock)
    assert is_free(live.lock)


def test_a_table_whose_store_is_away_says_so_and_is_not_left_locked(seated: Seated, tmp_path: Path) -> None:
    with closing(UnsteadyStore(tmp_path / "tables.db")) as store:
        host = new_host(store, ScriptedDice())
        live = host._repository.at(seated.table)  # noqa: SLF001 - as above
        store.is_away = True
        with pytest.raises(StoreUnavailable), live:
            pytest.fail("it can't be looked at")
        assert is_free(live.lock)
        store.is_away = False
        assert host.look(seated.table, seated.seats["Bo"]) == seated.look("Bo")


# ---------------------------------------------------------------- reading on


def test_while_a_thread_looks_it_sees_one_moment_of_the_table(seated: Seated, other: Host) -> None:
    cy = seated.seats["Cy"]
    with other.looking(seated.table) as newest:
        before = other.look(seated.table, cy)
        seated.act("Ada", "start_clock", name="Doom", size=4)
        assert other.look(seated.table, cy) == before
        thread_saw: list[int] = []
        thread = threading.Thread(target=lambda: thread_saw.append(len(other.look(seated.table, cy).clocks)))
        thread.start()
        thread.join(LONG)
        assert thread_saw == [1]
    assert other.look(seated.table, cy) == seated.look("Cy") != before
    with other.looking(seated.table) as later:
        assert later > newest


@pytest.mark.parametrize("count", [1, 7, 8, 9, 20])
def test_a_table_that_is_read_in_small_parts_is_the_same(
    seated: Seated, other: Host, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    cy = seated.seats["Cy"]
    other.look(seated.table, cy)
    monkeypatch.setattr(table_log, "READ_AT_ONCE", 8)
    for number in range(count):
        seated.act("Bo", "say", words=f"word {number}")
    assert other.follow(seated.table, cy) == seated.host.follow(seated.table, cy)
    assert other.ledger_state(seated.table, cy) == seated.host.ledger_state(seated.table, cy)
    assert list(other.ledger(seated.table, cy)) == list(seated.host.ledger(seated.table, cy))


def test_a_seat_that_is_not_there_sees_nothing(seated: Seated, live: LiveTable) -> None:
    for read in (live.viewer, live.view, live.views.journal):
        with pytest.raises(NoSuchTable, match="no such table, or you don't sit at it"):
            read("nobody")
    di = seated.seats["Di"]
    assert live.viewer(di) is live.viewer(di)
    seated.act("Di", "leave_seat", seat=di)
    with pytest.raises(NoSuchTable):
        live.view(di)


def test_a_viewer_is_made_anew_when_the_table_has_changed(seated: Seated, live: LiveTable) -> None:
    cy = seated.seats["Cy"]
    before = live.viewer(cy)
    seated.act("Ada", "give_character", character="Kira", seat="Cy")
    assert len(live.viewer(cy).characters) == len(before.characters) + 1


# ---------------------------------------------------------------- what is remembered


@pytest.fixture
def short_memory(monkeypatch: pytest.MonkeyPatch) -> int:
    """As if tables remembered four entries."""
    monkeypatch.setattr(table_log, "MOST_REMEMBERED", 4)
    return 4


def test_what_is_remembered_of_a_long_log_has_a_bound(seated: Seated, live: LiveTable, short_memory: int) -> None:
    for number in range(3 * short_memory):
        seated.act("Bo", "say", words=f"word {number}")
        seated.words("Cy")
        assert len(live.log._recent) <= MOST_REMEMBERED  # noqa: SLF001 - nothing else shows it
    for _ in live.log.happened():
        pass
    assert len(live.log._recent) <= MOST_REMEMBERED  # noqa: SLF001 - as above


@pytest.mark.usefixtures("short_memory")
def test_a_long_log_is_told_in_the_same_way_as_a_short_one(seated: Seated, other: Host) -> None:
    seated.dice.faces = [5, 5]
    hidden = seated.hidden("dare", Sight.HIDDEN, who="Kira", danger=4)
    seated.act("Bo", "dare", who="Kira", danger=4)
    seated.act("Bo", "whisper", to=[seated.seats["Cy"]], words="psst")
    for number in range(6):
        seated.act("Bo", "say", words=f"word {number}")
    seated.act("Ada", "reveal", act=hidden.act)
    for name, seat in seated.seats.items():
        whole = other.follow(seated.table, seat)
        assert whole == seated.host.follow(seated.table, seat), name
        assert [event.words for event in whole.events] == seated.words(name)
        paged, cursor = list(whole.events[:0]), ""
        while True:
            page = seated.host.follow(seated.table, seat, cursor, most=3)
            paged += page.events
            cursor = page.cursor
            if not page.more:
                break
        assert tuple(paged) == whole.events
        assert "psst" in str(whole) or name not in ("Bo", "Cy")
        assert "psst" not in str(whole) or name in ("Bo", "Cy")
        assert other.archive.transcript(seated.table, seat) == seated.host.archive.transcript(seated.table, seat)


def test_entries_are_the_same_from_memory_and_from_the_store(seated: Seated, live: LiveTable) -> None:
    said = [seated.act("Bo", "say", words=f"word {number}").act for number in range(5)]
    total = live.history.number
    remembered = list(live.log.happened())
    live.reload()
    assert list(live.log.happened()) == remembered
    assert [entry.number for entry in remembered] == list(range(1, total + 1))
    for after, up_to in ((0, 3), (total - 3, total), (total - 3, total + 10), (total, None)):
        wanted = [entry for entry in remembered if after < entry.number <= (up_to or total)]
        for _ in range(2):
            assert list(live.log.happened(after, up_to)) == wanted
    for act in said:
        expected = [entry for entry in remembered if entry.act == act]
        assert live.log.entries_of(act) == expected
        assert len(live.log.text_digests(act)) == 1
    assert live.log.entries_of("nothing") == []
    assert live.log.text_digests("nothing") == []


def test_lines_of_the_ledger_are_found_from_any_line_on(seated: Seated, live: LiveTable) -> None:
    lines = list(live.log.ledger())
    assert lines == list(seated.host.ledger(seated.table, seated.seats["Di"]))
    assert list(live.log.ledger(3)) == lines[3:]
    assert list(live.log.ledger(len(lines))) == []
    seated.act("Bo", "say", words="one more")
    assert list(live.log.ledger())[: len(lines)] == lines
    assert len(list(live.log.ledger(len(lines)))) == 1


def test_a_table_that_is_opened_anew_is_the_same_with_or_without_its_snapshot(seated: Seated, live: LiveTable) -> None:
    seated.host._repository.snap(live)  # noqa: SLF001 - as is done every two thousand entries
    seated.act("Ada", "start_clock", name="Doom", size=4)
    books, store = seated.host.books, seated.host._repository.store  # noqa: SLF001 - as above
    for from_snapshot in (True, False):
        opened = open_live(seated.table, books, store, secrets.token_bytes, from_snapshot=from_snapshot)
        assert opened.state == live.state
        assert opened.history.number == live.history.number
        assert opened.ledger_writer.ledger == live.ledger_writer.ledger
        assert opened.log.tail == live.log.tail


class CountingStore(SqliteStore):
    """Counts the entries that are read."""

    count = 0

    def read(self, table: str, after: int = 0, up_to: int | None = None) -> Iterator[Entry]:
        for entry in super().read(table, after, up_to):
            self.count += 1
            yield entry


def test_a_table_with_a_snapshot_is_opened_without_reading_what_came_before(
    seated: Seated, live: LiveTable, tmp_path: Path
) -> None:
    for number in range(20):
        seated.act("Bo", "say", words=f"word {number}")
    seated.host._repository.snap(live)  # noqa: SLF001 - as above
    seated.act("Ada", "start_clock", name="Doom", size=4)
    with closing(CountingStore(tmp_path / "tables.db")) as store:
        opened = open_live(seated.table, seated.host.books, store, secrets.token_bytes)
        assert opened.state == live.state
        assert store.count < 12 < live.history.number


def test_a_table_without_a_count_of_changes_is_read_to_its_end(seated: Seated, live: LiveTable) -> None:
    """As one is that comes in a file, before anything of it is stored."""
    carried = export.read_whole(seated.host.archive.export(seated.table, seated.game_master))
    opened = open_live(seated.table, seated.host.books, carried, secrets.token_bytes)
    assert opened.state == live.state


def test_events_of_a_name_are_found_from_the_first_entry_on(seated: Seated) -> None:
    for names in (["table_opened"], ["joined"], ["table_opened", "joined", "said"]):
        told = seated.host.told(seated.table, seated.seats["Cy"], names)
        every = seated.host.follow(seated.table, seated.seats["Cy"]).events
        assert told == tuple(event for event in every if event.name in names)
        assert told


@pytest.mark.parametrize("behind", [1, 4])
def test_forgotten_words_are_found_among_much_that_is_read_at_once(
    seated: Seated, other: Host, monkeypatch: pytest.MonkeyPatch, behind: int
) -> None:
    said = seated.act("Bo", "say", words="12 Elm Street")
    cy = seated.seats["Cy"]
    assert "Elm Street" in str(other.follow(seated.table, cy))
    seated.host.archive.forget_words(seated.table, seated.seats["Bo"], said.act)
    for number in range(behind):
        seated.act("Bo", "say", words=f"word {number}")
    monkeypatch.setattr(table_log, "READ_AT_ONCE", 2)
    assert "Elm Street" not in str(other.follow(seated.table, cy))


def _fails(_: State, __: Joined) -> State:
    raise KeyError("nerve")


def test_what_the_rules_can_not_follow_makes_a_table_read_only(seated: Seated, tmp_path: Path) -> None:
    """Another version of the game, or another of our own, wrote what this one can't understand."""
    (chapter,) = DARE.chapters
    specs = tuple(replace(spec, fold=_fails) if spec.event is Joined else spec for spec in chapter.event_specs)
    broken = replace(DARE, chapters=(Chapter(actions=tuple(chapter.actions), event_specs=specs),))
    with closing(open_store(f"sqlite:///{tmp_path}/tables.db")) as store:
        host = new_host(store, ScriptedDice(), (broken,))
        live = host._repository.at(seated.table)  # noqa: SLF001 - as above
        for _ in range(2):
            assert not host.look(seated.table, seated.seats["Di"]).characters
            assert "which does not fit what came before it (KeyError: 'nerve')" in str(live.fault)
            with pytest.raises(ReadOnly, match="does not fit what came before it"):
                host.act(seated.table, seated.seats["Bo"], ("say", {"words": "Hello?"}))
            assert len(list(live.log.happened())) == live.history.number
            assert host.follow(seated.table, seated.seats["Di"]).events[-1].name == "seat_taken"


# ---------------------------------------------------------------- tables that stay in memory


def test_tables_that_nobody_follows_leave_memory_the_longest_unused_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repository, "MOST_IDLE", 2)
    with closing(open_store(f"sqlite:///{tmp_path}/many.db")) as store:
        host = new_host(store, ScriptedDice(), (DARE,))
        tables = [host.open("dare", name=f"Table {number}", game_master="Ada") for number in range(4)]
        held = host._repository._live  # noqa: SLF001 - nothing else shows it
        host._repository.forget()  # noqa: SLF001 - as above
        with host.following(tables[0].table):
            for opened in tables:
                host.look(opened.table, opened.seat)
            assert list(held) == [tables[0].table, tables[2].table, tables[3].table]
            host.look(tables[2].table, tables[2].seat)
            host.look(tables[1].table, tables[1].seat)
            assert set(held) == {tables[0].table, tables[2].table, tables[1].table}
        host.look(tables[3].table, tables[3].seat)
        assert set(held) == {tables[1].table, tables[3].table}
        host._repository.forget(tables[1].table)  # noqa: SLF001 - as above
        assert set(held) == {tables[3].table}
        host._repository.forget("not there")  # noqa: SLF001 - as above
