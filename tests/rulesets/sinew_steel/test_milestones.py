"""Beats and milestones at the table."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.game.display import Pips
from astragal.rulesets.sinew_steel.story import perilous_beats
from astragal.table.refusals import Refusal
from tests.rulesets.sinew_steel.conftest import Open
from tests.rulesets.sinew_steel.playing import Playing
from tests.rulesets.sinew_steel.test_fortune import with_tokens_spent


def reached(open_table: Open, **options: Any) -> Playing:
    """Kira (MGT 8, INT 12, Luck 10) has spent four tokens and come to a milestone."""
    playing = open_table(**options)
    playing.act("Bo", "make_hero", name="Kira", scores={"MGT": 8, "INT": 12})
    playing.act("Ada", "raise_pressure", rise=2)
    for _ in range(3):
        playing.act("Ada", "mark_beat")
    with_tokens_spent(playing, 4)
    playing.act("Ada", "milestone", boon="The ferryman owes you.")
    return playing


def test_a_milestone_is_somebodys(open_table: Open) -> None:
    """SS-61: where there is no hero, there is nobody to give it to."""
    assert open_table().refused("Ada", "milestone", boon="A favour.") == "nobody"


def test_beats_lie_on_the_table_out_of_three_or_as_many_as_there_are(open_table: Open) -> None:
    """SS-27, SS-60"""
    playing, shown = open_table(), []
    for _ in range(5):
        shown.append([(one.now, one.most) for one in perilous_beats(playing.look("Bo")) if isinstance(one, Pips)])
        playing.act("Ada", "mark_beat")
    assert shown == [[], [(1, 3)], [(2, 3)], [(3, 3)], [(4, 4)]]


def test_beats_call_for_a_milestone(open_table: Open) -> None:
    """SS-60: due after three, overdue after four."""
    playing = open_table()
    playing.act("Bo", "make_hero", name="Kira")
    told = [playing.act("Ada", "mark_beat", what="the weir").events[-1].words for _ in range(4)]
    assert told == [
        "a perilous beat, number 1: the weir",
        "a perilous beat, number 2: the weir",
        "3 beats: a milestone is due",
        "4 beats: a milestone is overdue",
    ]


def test_a_milestone_gives_points_a_boon_and_a_full_pool(open_table: Open) -> None:
    """SS-27, SS-61: the refill follows the purchases; Pressure stays; beats are counted anew."""
    playing = reached(open_table)
    kira = playing.sheet("Kira")
    assert (kira.points, kira.boons, kira.luck, kira.milestone_open) == (2, ("The ferryman owes you.",), 6, True)
    assert (playing.look("Bo").game.beats, playing.look("Bo").game.pressure) == (0, 2)
    playing.act("Bo", "advance", who="Kira", rises={"LCK": 1})
    kira = playing.sheet("Kira")
    assert (kira.luck_most, kira.luck, kira.points, kira.milestone_open) == (11, 11, 0, False)


def test_a_milestone_takes_no_tokens_back(open_table: Open) -> None:
    """SS-27: those past the pool's size, held by an override, stay."""
    playing = reached(open_table)
    playing.act("Ada", "override", who="Kira", what="luck", value=13)
    outcome = playing.act("Bo", "advance", who="Kira", rises={"LCK": 1})
    assert "gained" not in playing.names(outcome)
    assert (playing.sheet("Kira").luck, playing.sheet("Kira").luck_most) == (13, 11)


def test_a_milestone_fills_the_pool_of_those_who_reached_it(open_table: Open) -> None:
    """SS-27: whatever else rises, and nobody else's."""
    playing = reached(open_table)
    playing.act("Cy", "make_hero", name="Lund")
    playing.act("Ada", "override", who="Lund", what="luck", value=2)
    playing.act("Bo", "advance", who="Kira", rises={"MGT": 1})
    assert (playing.sheet("Kira").luck, playing.sheet("Lund").luck) == (10, 2)


def test_points_buy_cheaply_below_baseline_and_are_kept(open_table: Open) -> None:
    """SS-61: 1 below it, 2 at or above it."""
    playing = reached(open_table)
    playing.act("Bo", "advance", who="Kira", rises={"MGT": 1})
    assert (playing.sheet("Kira").scores["MGT"], playing.sheet("Kira").points) == (9, 1)
    with pytest.raises(Refusal, match=r"INT \+1 costs 2 and 1 are held"):
        playing.act("Bo", "advance", who="Kira", rises={"INT": 1})
    playing.act("Bo", "advance", who="Kira", rises={"MGT": 1})
    assert (playing.sheet("Kira").scores["MGT"], playing.sheet("Kira").points) == (10, 0)


def test_a_later_purchase_of_luck_raises_the_size_only_and_stamina_the_present_too(open_table: Open) -> None:
    """SS-61"""
    playing = reached(open_table)
    playing.act("Ada", "harm", who="Kira", points=2)
    playing.act("Bo", "advance", who="Kira")
    playing.act("Ada", "override", who="Kira", what="points", value=4)
    playing.act("Bo", "advance", who="Kira", rises={"LCK": 1, "STM": 1})
    kira = playing.sheet("Kira")
    assert (kira.luck, kira.luck_most, kira.stamina, kira.stamina_most) == (10, 11, 4, 6)


def test_of_a_pair_nothing_is_kept(open_table: Open) -> None:
    """SS-61: option paired: two up below baseline, one above it."""
    playing = reached(open_table, milestone="paired")
    with pytest.raises(Refusal, match="at once"):
        playing.act("Bo", "advance", who="Kira", rises={"INT": 2})
    playing.act("Bo", "advance", who="Kira", rises={"MGT": 2})
    assert (playing.sheet("Kira").scores["MGT"], playing.sheet("Kira").points) == (10, 0)
    playing.act("Ada", "milestone", boon="A scar.")
    playing.act("Bo", "advance", who="Kira")
    assert playing.sheet("Kira").points == 0


def test_a_flat_milestone_is_one_rise(open_table: Open) -> None:
    """SS-61: option flat: one attribute or Stamina, wherever it stands."""
    playing = reached(open_table, milestone="flat")
    playing.act("Bo", "advance", who="Kira", rises={"INT": 1})
    assert (playing.sheet("Kira").scores["INT"], playing.sheet("Kira").points) == (13, 0)


def test_ceilings_hold(open_table: Open) -> None:
    """SS-62"""
    playing = reached(open_table)
    playing.act("Ada", "override", who="Kira", what="points", value=99)
    with pytest.raises(Refusal, match="17 would be past its ceiling of 16"):
        playing.act("Bo", "advance", who="Kira", rises={"INT": 5})
    with pytest.raises(Refusal, match="past its ceiling of 9"):
        playing.act("Bo", "advance", who="Kira", rises={"STM": 5})


def test_one_milestone_after_the_other(open_table: Open) -> None:
    """SS-61"""
    playing = reached(open_table)
    assert playing.refused("Ada", "milestone", boon="Another.") == "milestone_open"
    playing.act("Bo", "advance", who="Kira")
    assert playing.refused("Bo", "advance", who="Kira") == "no_change"
    assert playing.sheet("Kira").points == 2


def test_an_unknown_score_does_not_rise(open_table: Open) -> None:
    assert reached(open_table).refused("Bo", "advance", who="Kira", rises={"CHA": 1}) == "no_attribute"


def test_the_log_says_what_has_risen_and_what_is_left(open_table: Open) -> None:
    """SS-27, SS-61"""
    playing = reached(open_table)
    told = playing.act("Bo", "advance", who="Kira", rises={"MGT": 1})
    assert [one.words for one in told.events if one.name == "advanced"] == ["Kira advances: Might 9; 1 left"]
    playing.act("Ada", "milestone", boon="A scar.")
    told = playing.act("Bo", "advance", who="Kira")
    assert [one.words for one in told.events if one.name == "advanced"] == ["Kira advances: keeps the points; 3 left"]


def test_a_beat_may_go_without_words(open_table: Open) -> None:
    """SS-60"""
    playing = open_table()
    playing.act("Ada", "mark_beat")
    assert playing.words("Bo")[-1] == "a perilous beat, number 1"
