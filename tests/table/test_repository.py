"""What is acknowledged is stored: once, with its answer, and without what the table has given up."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from astragal.storage import open_store
from astragal.storage.sqlite import SqliteStore
from astragal.table.host import Host
from astragal.table.log import repository
from astragal.table.log.repository import Outcome
from astragal.table.log.store import Batch, StoreFull, StoreUnavailable
from astragal.table.refusals import IdReused, NoRoom, NoSuchTable
from tests.table.seated import LaidOnce, ScriptedDice, Seated, everyone, new_host


@pytest.fixture
def seated(laid_once: LaidOnce) -> Seated:
    return laid_once(everyone)


@pytest.fixture
def other(seated: Seated, tmp_path: Path) -> Iterator[Host]:  # noqa: ARG001 - the table has to be there
    """Another process that serves the same table."""
    with closing(open_store(f"sqlite:///{tmp_path}/tables.db")) as store:
        yield new_host(store, ScriptedDice())


def give(host: Host, seated: Seated, command: str, /, command_id: str, **fields: Any) -> Outcome:
    return host.act(seated.table, seated.seats["Bo"], (command, fields), command_id=command_id)


# ---------------------------------------------------------------- once


def test_a_command_that_is_sent_again_is_answered_as_before_by_every_process(seated: Seated, other: Host) -> None:
    other.look(seated.table, seated.seats["Bo"])  # it has read the log up to here
    first = give(seated.host, seated, "say", "id-1", words="Hello!")
    for host in (other, seated.host, other):
        again = give(host, seated, "say", "id-1", words="Hello!")
        assert (again.act, again.receipt, again.waits_for) == (first.act, first.receipt, first.waits_for)
        assert [event.words for event in again.events] == ["Bo: Hello!"]
    assert seated.words("Cy").count("Bo: Hello!") == 1


def test_the_id_of_one_command_is_none_of_another(seated: Seated, other: Host) -> None:
    give(seated.host, seated, "say", "id-1", words="Hello!")
    for host in (seated.host, other):
        with pytest.raises(IdReused):
            give(host, seated, "say", "id-1", words="Good-bye!")
        with pytest.raises(IdReused):
            host.act(seated.table, seated.seats["Cy"], ("say", {"words": "Hello!"}), command_id="id-1")


def test_an_outcome_says_who_has_to_decide_first(seated: Seated) -> None:
    seated.dice.faces = [2, 5]
    waiting = give(seated.host, seated, "dare", "id-1", who="Kira", danger=4)
    assert waiting.waits_for == ("who",)
    assert give(seated.host, seated, "dare", "id-1", who="Kira", danger=4).waits_for == ("who",)
    settled = seated.act("Bo", "answer", act=waiting.act, answer=0)
    assert settled.waits_for == ()
    assert settled.act == waiting.act


def test_words_that_were_forgotten_are_in_no_answer_that_is_given_again(seated: Seated, other: Host) -> None:
    said = give(seated.host, seated, "say", "id-1", words="12 Elm Street")
    seated.host.archive.forget_words(seated.table, seated.seats["Bo"], said.act)
    for host in (seated.host, other):
        again = give(host, seated, "say", "id-1", words="12 Elm Street")
        assert again.act == said.act
        assert "Elm Street" not in str(again.events)


# ---------------------------------------------------------------- stored, or not done


class FailingStore(SqliteStore):
    """A database that refuses to write for a while."""

    fault: Exception | None = None

    def append(self, table: str, after: int, batch: Batch, tail: bytes | None = None) -> None:
        if self.fault:
            raise self.fault
        super().append(table, after, batch, tail)


@pytest.mark.parametrize("fault", [StoreFull("full"), StoreUnavailable("away")], ids=["full", "away"])
def test_what_could_not_be_stored_was_not_done_and_can_be_sent_again(
    seated: Seated, tmp_path: Path, fault: Exception
) -> None:
    with closing(FailingStore(tmp_path / "tables.db")) as store:
        host = new_host(store, ScriptedDice())
        before = host.look(seated.table, seated.seats["Bo"])
        store.fault = fault
        with pytest.raises(NoRoom, match="Nothing was lost; try again"):
            give(host, seated, "join", "id-1", name="Mote")
        assert host.look(seated.table, seated.seats["Bo"]) == before
        store.fault = None
        give(host, seated, "join", "id-1", name="Mote")
        assert len(host.look(seated.table, seated.seats["Bo"]).characters) == len(before.characters) + 1
        assert seated.look("Bo") == host.look(seated.table, seated.seats["Bo"])


def test_a_snapshot_is_kept_now_and_then(seated: Seated, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repository, "SNAPSHOT_EVERY", 10)
    store = seated.host._repository.store  # noqa: SLF001 - nothing else shows it
    places = set()
    for number in range(12):
        seated.act("Bo", "say", words=f"word {number}")
        snapshot = store.snapshot(seated.table)
        places.add(snapshot.number if snapshot else 0)
    assert len(places) in (3, 4)


def test_a_table_that_is_not_there_is_not_made_by_asking(seated: Seated) -> None:
    with pytest.raises(NoSuchTable, match="no such table, or you don't sit at it"):
        seated.host.look("nowhere", seated.seats["Bo"])
    assert seated.host._repository.store.tables() == [seated.table]  # noqa: SLF001 - nothing else shows it


# ---------------------------------------------------------------- what the table has given up


def test_a_picture_that_the_table_gives_up_is_in_the_store_no_more_and_others_stay(seated: Seated) -> None:
    store = seated.host._repository.store  # noqa: SLF001 - nobody is shown it any more
    ids = {}
    for name in ("map", "face"):
        content = b"RIFF\0\0\0\0WEBP" + name.encode()
        told = seated.host.album.add(seated.table, seated.seats["Bo"], content, title=name, alt=name)
        ids[name] = told.events[0].fields["picture"]
    assert set(store.pictures(seated.table)) == {picture["digest"] for picture in ids.values()}
    seated.act("Bo", "say", words="Look!")
    assert store.picture(seated.table, ids["map"]["digest"])
    seated.act("Bo", "remove_picture", picture=ids["map"]["id"])
    assert store.pictures(seated.table) == [ids["face"]["digest"]]
