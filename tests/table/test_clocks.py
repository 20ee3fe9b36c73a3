"""Clocks: they tick, fire when full, and show players no more than their face does."""

from __future__ import annotations

import pytest

from astragal.table.chapters.clocks import ticked
from astragal.table.refusals import Refusal
from tests.table.canaries import assert_unknown
from tests.table.seated import Seated

CANARY = "the-duke-wakes"


def start(seated: Seated, name: str = "The flood", size: int = 4, face: str = "public") -> str:
    return str(seated.act("Ada", "start_clock", name=name, size=size, face=face).events[0].fields["clock"]["id"])


def hands(seated: Seated, clock: str, seat: str = "Ada") -> tuple[int, int]:
    found = seated.look(seat).clocks[clock].hands
    return found.ticks, found.size


def test_a_clock_ticks_on_and_back_within_its_ends(seated: Seated) -> None:
    clock = start(seated)
    seated.act("Ada", "tick_clock", clock=clock, ticks=3)
    assert seated.words("Di")[-1] == "The flood: 0 → 3 of 4"
    seated.act("Ada", "untick_clock", clock=clock)
    assert hands(seated, clock, "Bo") == (2, 4)
    seated.act("Ada", "untick_clock", clock=clock, ticks=12)
    assert hands(seated, clock) == (0, 4)
    assert seated.refused("Ada", "untick_clock", clock=clock) == "empty"


def test_a_full_clock_fires_once_and_stays_full(seated: Seated) -> None:
    clock = start(seated)
    fired = seated.act("Ada", "tick_clock", clock=clock, ticks=9)
    assert [event.name for event in fired.events] == ["clock_ticked", "clock_fired"]
    assert hands(seated, clock) == (4, 4)
    with pytest.raises(Refusal, match="The flood is full: 4 of 4"):
        seated.act("Ada", "tick_clock", clock=clock)


def test_a_clock_that_was_moved_back_can_fire_again(seated: Seated) -> None:
    clock = start(seated)
    seated.act("Ada", "tick_clock", clock=clock, ticks=4)
    seated.act("Ada", "untick_clock", clock=clock)
    again = seated.act("Ada", "tick_clock", clock=clock)
    assert again.events[-1].name == "clock_fired"


@pytest.mark.parametrize("size", [1, 13])
def test_a_clock_has_two_to_twelve_ticks(seated: Seated, size: int) -> None:
    assert seated.refused("Ada", "start_clock", name="Odd", size=size) == "bad_fields"


def test_a_removed_clock_is_gone(seated: Seated) -> None:
    clock = start(seated)
    seated.act("Ada", "remove_clock", clock=clock)
    for command in ("tick_clock", "untick_clock", "show_clock", "remove_clock"):
        assert seated.refused("Ada", command, clock=clock) == "no_such_thing"


def test_players_do_not_know_that_a_hidden_clock_is_there(seated: Seated) -> None:
    before = seated.host.follow(seated.table, seated.seats["Bo"])
    clock = start(seated, CANARY, face="hidden")
    seated.act("Ada", "tick_clock", clock=clock, ticks=4)
    assert seated.words("Ada")[-1] == f"{CANARY} is full"
    other = start(seated, CANARY, face="hidden")
    seated.act("Ada", "remove_clock", clock=other)
    assert seated.host.follow(seated.table, seated.seats["Bo"]) == before
    assert_unknown(seated, ("Bo", "Cy", "Di"), CANARY, clock)


def test_of_a_known_clock_players_know_the_name_and_never_the_hands(seated: Seated) -> None:
    clock = start(seated, "The duke", size=7, face="known")
    before = seated.host.follow(seated.table, seated.seats["Bo"])
    assert before.events[-1].words == "a clock: The duke"
    assert dict(before.events[-1].fields) == {"clock": {"id": clock, "name": "The duke", "face": "known"}}
    seated.act("Ada", "tick_clock", clock=clock, ticks=7)
    assert seated.host.follow(seated.table, seated.seats["Bo"]) == before
    assert seated.look("Bo").clocks[clock].name == "The duke"
    assert repr(seated.look("Bo").clocks[clock].hands) == "hidden"


@pytest.mark.parametrize("face", ["known", "hidden"])
def test_a_clock_that_is_shown_stays_public_through_rewinds(seated: Seated, face: str) -> None:
    clock = start(seated, face=face)
    node = str(seated.act("Ada", "mark_save_node", label="before").events[0].fields["node"])
    seated.act("Ada", "tick_clock", clock=clock)
    seated.act("Ada", "show_clock", clock=clock)
    assert seated.words("Di")[-1] == "a clock: The flood (1 of 4)"
    assert seated.refused("Ada", "show_clock", clock=clock) == "no_change"
    seated.act("Ada", "rewind", node=node, price="nerve")
    assert hands(seated, clock, "Bo") == (0, 4)


def test_a_rewind_to_before_a_clock_takes_it_away(seated: Seated) -> None:
    node = str(seated.act("Ada", "mark_save_node", label="before").events[0].fields["node"])
    clock = start(seated, face="hidden")
    seated.act("Ada", "show_clock", clock=clock)
    seated.act("Ada", "rewind", node=node, price="nerve")
    assert seated.look("Ada").clocks == {}


def test_a_ruleset_ticks_with_the_same_event(seated: Seated) -> None:
    flood = start(seated)
    clock = seated.look("Ada").clocks[flood]
    on, back = ticked(clock, 9), ticked(clock, -1)
    assert (on.before, on.clock.hands.ticks, back.clock.hands.ticks) == (0, 4, 0)
