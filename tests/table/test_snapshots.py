"""Snapshots are caches: they change nothing, and whatever is wrong with one is put right by the log."""

from __future__ import annotations

from pathlib import Path
from secrets import token_bytes

import pytest

from astragal.storage import open_store
from astragal.table.log import repository
from astragal.table.log.session import open_live
from astragal.table.log.snapshots import Stale, freeze, thaw
from astragal.table.log.store import Snapshot
from tests.table.seated import ScriptedDice, Seated, new_host, seat_everyone


@pytest.fixture
def seated(tmp_path: Path) -> Seated:
    seated = seat_everyone(open_store(f"sqlite:///{tmp_path}/tables.db"))
    seated.act("Ada", "mark_save_node", label="the edge")
    seated.dice.faces = [2]
    seated.act("Bo", "dare", who="Kira", danger=4)
    return seated


def test_a_thawed_course_is_the_course(seated: Seated) -> None:
    live = seated.host._repository.at(seated.table)  # noqa: SLF001 - the course is not for surfaces
    frozen = freeze(live.history, live.ledger_writer.ledger, live.book.stamp)
    again = open_live(seated.table, seated.host._repository.books, seated.host._repository.store, token_bytes)  # noqa: SLF001
    thaw(frozen, live.book.stamp, again.history)
    assert vars(again.history).keys() == vars(live.history).keys()
    for name in ("state", "number", "act", "saved", "recent", "lasting", "abandoned"):
        assert getattr(again.history, name) == getattr(live.history, name)


def test_a_table_opens_from_its_snapshot_and_goes_on(seated: Seated, tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path}/tables.db")
    live = seated.host._repository.at(seated.table)  # noqa: SLF001
    seated.host._repository.snap(live)  # noqa: SLF001
    seated.act("Bo", "answer", act=next(iter(live.state.decisions)), answer=2)
    later = new_host(store, ScriptedDice())
    assert later.look(seated.table, seated.game_master) == seated.look("Ada")
    later.act(seated.table, seated.game_master, ("undo", {}))
    assert later.look(seated.table, seated.game_master) == seated.look("Ada")


@pytest.mark.parametrize(
    "data",
    [b"", b"[]", b"nonsense", b'["another stamp", [], []]', b'["1/dare/1", [["os", "system", []]], []]'],
)
def test_a_faulty_snapshot_is_ignored(seated: Seated, tmp_path: Path, data: bytes) -> None:
    store = open_store(f"sqlite:///{tmp_path}/tables.db")
    store.keep_snapshot(seated.table, Snapshot(3, data))
    later = new_host(store, ScriptedDice())
    assert later.look(seated.table, seated.game_master) == seated.look("Ada")


def test_a_snapshot_of_another_version_is_stale(seated: Seated) -> None:
    live = seated.host._repository.at(seated.table)  # noqa: SLF001
    with pytest.raises(Stale):
        thaw(freeze(live.history, live.ledger_writer.ledger, "1/dare/0"), live.book.stamp, live.history)


def test_a_snapshot_is_kept_every_so_often(seated: Seated, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repository, "SNAPSHOT_EVERY", 50)
    seated.act("Ada", "undo")
    for _ in range(30):
        seated.dice.faces = [6]
        seated.act("Bo", "dare", who="Kira", danger=1)
    snapshot = open_store(f"sqlite:///{tmp_path}/tables.db").snapshot(seated.table)
    assert snapshot is not None
    assert snapshot.number >= 50
