"""A view that is put together from an earlier one is the view that is cut from the whole."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Iterator

import pytest

from astragal.table.declarations import Viewer
from astragal.table.log.session import LiveTable
from astragal.table.log.table_log import MOST_REMEMBERED
from astragal.table.state.table import State
from astragal.table.visibility.redact import redact
from astragal.table.visibility.view_cache import RedactionCache
from tests.table.seated import Seated


def live_table(seated: Seated) -> LiveTable:
    return seated.host._repository.at(seated.table)  # noqa: SLF001 - the whole state is nobody's to see


def states(seated: Seated) -> Iterator[State]:
    """The table after each of many things that change what somebody may see."""
    live = live_table(seated)

    def after(by: str, command: str, /, **fields: object) -> State:
        seated.act(by, command, **fields)
        return live.state

    yield live.state
    yield after("Ada", "write_note", title="For all", words="open")
    yield after("Ada", "write_note", title="Hidden", words="a canary", audience="game master")
    yield after("Bo", "write_note", title="Mine", words="my own", audience="seat", seat="Bo")
    yield after("Ada", "start_clock", name="Doom", size=6, face="hidden")
    yield after("Ada", "start_clock", name="Fuse", size=4)
    seated.dice.faces += [2]
    yield after("Bo", "dare", who="Kira", danger=4)
    yield after("Ada", "say", words="nothing changes")
    yield after("Bo", "answer", act=next(iter(live.state.decisions)), answer=2)
    hidden = next(one.id for one in live.state.notes.values() if one.title == "Hidden")
    yield after("Ada", "reveal_note", note=hidden)
    doom = next(one.id for one in live.state.clocks.values() if one.name == "Doom")
    yield after("Ada", "tick_clock", clock=doom)
    yield after("Ada", "show_clock", clock=doom)
    yield after("Ada", "give_character", character="Kira", seat="Cy")
    yield after("Ada", "hand_over", seat="Bo")
    seated.game_master = seated.seats["Bo"]
    yield after("Bo", "remove_clock", clock=doom)
    yield after("Bo", "leave_seat", seat=seated.seats["Di"])


def _id(seated: Seated, name: str) -> str:
    return next(one.id for one in seated.look("Ada").characters.values() if one.name == name)


def viewers(state: State) -> list[Viewer]:
    return [state.viewer(seat) for seat in state.seats]


def test_a_view_made_from_an_earlier_one_is_the_same_as_one_made_from_nothing(seated: Seated) -> None:
    glimpses = RedactionCache()
    seen = 0
    for state in states(seated):
        for viewer in viewers(state):
            assert glimpses.of(state, viewer) == redact(state, viewer)
            seen += 1
    assert seen > 50


def test_what_has_not_changed_is_seen_as_the_same_value(seated: Seated) -> None:
    live, glimpses = live_table(seated), RedactionCache()
    viewer = live.state.viewer(seated.seats["Cy"])
    before = glimpses.of(live.state, viewer)
    seated.act("Ada", "say", words="nothing changes")
    assert glimpses.of(live.state, viewer) is before
    seated.act("Ada", "write_note", title="For all", words="open")
    after = glimpses.of(live.state, viewer)
    assert after is not before
    assert after.characters is before.characters


def test_one_seat_is_never_shown_what_another_saw(seated: Seated) -> None:
    live, glimpses = live_table(seated), RedactionCache()
    for seat in live.state.seats:
        glimpses.of(live.state, live.state.viewer(seat))
    kira = _id(seated, "Kira")
    fears = {
        name: repr(glimpses.of(live.state, live.state.viewer(seat)).characters[kira].sheet.fear)
        for name, seat in seated.seats.items()
    }
    assert fears == {"Ada": "'deep water'", "Bo": "'deep water'", "Cy": "hidden", "Di": "hidden"}


# ---------------------------------------------------------------- caches have bounds


def test_a_removed_seat_leaves_no_view_behind(seated: Seated) -> None:
    """Its last view would keep the table's state of that time in memory."""
    live = live_table(seated)
    for number in range(5):
        taken = seated.host.act(seated.table, seated.game_master, ("take_seat", {"name": f"Guest {number}"}))
        guest = str(taken.events[0].fields["seat"]["id"])
        seated.host.latest(seated.table, guest)
        seated.host.look(seated.table, guest)
        seated.host.act(seated.table, seated.game_master, ("leave_seat", {"seat": guest}))
        for seat in live.state.seats:
            seated.host.look(seated.table, seat)
            seated.host.latest(seated.table, seat)
    assert live.views._states._views.keys() <= live.state.seats.keys()  # noqa: SLF001 - no seat can ask for it
    assert len(live.views._journals) <= len(live.state.seats) + 1  # noqa: SLF001


@pytest.mark.slow
def test_talk_which_changes_nothing_at_the_table_does_not_fill_the_memory(seated: Seated) -> None:
    """What each seat has seen of an entry is cached for the newest entries only: more would be kilobytes a line."""
    seats = list(live_table(seated).state.seats)
    cursors = {seat: seated.host.latest(seated.table, seat, most=1).cursor for seat in seats}

    def talk(lines: int) -> None:
        for number in range(lines):
            seated.act("Bo", "say", words=f"line {number}")
            for seat in seats:
                cursors[seat] = seated.host.follow(seated.table, seat, cursors[seat], 10).cursor

    tracemalloc.start()
    try:
        talk(2 * MOST_REMEMBERED)
        gc.collect()
        before, _ = tracemalloc.get_traced_memory()
        talk(2 * MOST_REMEMBERED)
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (after - before) / (2 * MOST_REMEMBERED) < 400
