"""The newest of what a seat may see, and what came before it, without reading everything."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from astragal.storage import open_store
from astragal.storage.sqlite import SqliteStore
from astragal.table.declarations import Sight
from astragal.table.log import session
from astragal.table.log.store import Entry
from astragal.table.log.table_log import MOST_REMEMBERED
from tests.table.seated import LaidOnce, Seated, everyone, new_host, seat_everyone


def talkative(folder: Path) -> Seated:
    found = everyone(folder)
    for number in range(25):
        found.act("Bo", "say", words=f"number {number}")
    return found


@pytest.fixture
def seated(laid_once: LaidOnce) -> Seated:
    return laid_once(talkative)


def latest(seated: Seated, seat: str, before: str = "", most: int = 10) -> tuple[list[str], str, str]:
    page = seated.host.latest(seated.table, seated.seats[seat], before, most)
    return [event.words for event in page.events], page.start, page.cursor


def test_the_newest_come_first_and_the_rest_page_by_page(seated: Seated) -> None:
    newest, start, cursor = latest(seated, "Cy")
    assert newest == [f"Bo: number {number}" for number in range(15, 25)]
    assert seated.host.follow(seated.table, seated.seats["Cy"], cursor).events == ()
    before, _, end = latest(seated, "Cy", start)
    assert before == [f"Bo: number {number}" for number in range(5, 15)]
    assert end == start


def test_all_pages_together_are_all_there_is(seated: Seated) -> None:
    pages: list[list[str]] = []
    start = ""
    while True:
        words, start, _ = latest(seated, "Di", start, most=7)
        pages.insert(0, words)
        if not start:
            break
    assert [one for page in pages for one in page] == seated.words("Di")


def test_a_cursor_from_elsewhere_gives_the_newest(seated: Seated) -> None:
    for strange in ("game_master-3", "player-9999", "nonsense"):
        assert latest(seated, "Cy", strange)[0][-1] == "Bo: number 24"


def test_events_of_some_names_are_found_from_the_beginning_on_as_a_seat_may_see_them(seated: Seated) -> None:
    seated.act("Bo", "whisper", to=[seated.seats["Cy"]], words="a secret")
    for name, count in (("Bo", 26), ("Cy", 26), ("Di", 25)):
        seat, names = seated.seats[name], {"said", "whispered"}
        found = seated.host.told(seated.table, seat, sorted(names))
        every = seated.host.follow(seated.table, seat).events
        assert found == tuple(one for one in every if one.name in names)
        assert len(found) == count


def test_where_nothing_was_before_there_is_no_start(seated: Seated) -> None:
    assert latest(seated, "Cy", most=200)[1] == ""


@pytest.mark.parametrize("hashed", [hash, lambda _: 0], ids=["deeds with hashes of their own", "all with the same"])
def test_each_deed_is_found_with_all_of_its_events_and_no_other(
    seated: Seated, monkeypatch: pytest.MonkeyPatch, hashed: Callable[[str], int]
) -> None:
    monkeypatch.setattr(session, "hash", hashed, raising=False)
    for _ in range(2):
        for seat in seated.seats.values():
            every = seated.host.follow(seated.table, seat).events
            for act in {one.act for one in every}:
                assert seated.host.events_of(seated.table, seat, act) == tuple(one for one in every if one.act == act)
        seated.dice.faces += [3]
        waits = seated.act("Bo", "dare", who="Kira", danger=4).act
        seated.act("Cy", "say", words="meanwhile")
        seated.act("Bo", "answer", act=waits, answer=1)


@pytest.mark.slow
def test_a_long_log_read_at_once_holds_what_was_seen_as_it_happened(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path}/tables.db")
    seated = seat_everyone(store)
    seen: dict[str, list[str]] = {name: seated.words(name) for name in seated.seats}
    cursors = {name: seated.host.follow(seated.table, seat).cursor for name, seat in seated.seats.items()}
    for number in range(MOST_REMEMBERED // 8):
        seated.act("Bo", "whisper", to=["Cy"], words=f"psst {number}")
        seated.act("Cy", "say", words=f"number {number}")
        seated.dice.faces += [3, 4]
        seated.hidden("dare", who="Kira", danger=1)
        seated.hidden("dare", Sight.SECRET, who="Lund", danger=1)
        for name, seat in seated.seats.items():
            page = seated.host.follow(seated.table, seat, cursors[name])
            cursors[name] = page.cursor
            seen[name] += [event.words for event in page.events]
    assert len({len(words) for words in seen.values()}) > 1
    assert store.last(seated.table) > MOST_REMEMBERED
    later = replace(seated, host=new_host(store, seated.dice))
    assert {name: later.words(name) for name in later.seats} == seen


@pytest.mark.slow
def test_a_long_log_is_read_once_for_all_seats(tmp_path: Path) -> None:
    with closing(open_store(f"sqlite:///{tmp_path}/tables.db")) as store:
        seated = seat_everyone(store)
        for number in range(MOST_REMEMBERED):
            seated.act("Bo", "say", words=f"number {number}")
    with closing(CountingStore(tmp_path / "tables.db")) as counting:
        host = new_host(counting, seated.dice)
        host.look(seated.table, seated.seats["Ada"])
        counting.long_reads = 0
        for seat in seated.seats.values():
            assert host.latest(seated.table, seat, most=1).events[0].words == f"Bo: number {MOST_REMEMBERED - 1}"
        assert counting.long_reads == 1


class CountingStore(SqliteStore):
    """Counts how often more of a log is read than stays decoded."""

    long_reads = 0

    def read(self, table: str, after: int = 0, up_to: int | None = None) -> Iterator[Entry]:
        self.long_reads += up_to is not None and up_to - after > MOST_REMEMBERED
        return super().read(table, after, up_to)
