"""Harm, collapse, rest and care."""

from __future__ import annotations

import pytest

from astragal.table.refusals import Refusal
from tests.rulesets.sinew_steel.playing import Playing


def test_damage_lowers_stamina_never_below_nothing(playing: Playing) -> None:
    """SS-30"""
    playing.act("Ada", "harm", who="Kira", points=3, why="a fall")
    assert playing.sheet("Kira").stamina == 2
    playing.act("Ada", "harm", who="Kira", points=9)
    assert playing.sheet("Kira").stamina == 0


def test_at_nothing_one_collapses_once(playing: Playing) -> None:
    """SS-30"""
    assert playing.names(playing.act("Ada", "harm", who="Kira", points=5)) == ["lost", "collapsed"]
    assert playing.names(playing.act("Ada", "harm", who="Kira", points=1)) == ["lost"]
    assert playing.sheet("Kira").is_collapsed


def test_the_collapsed_make_luck_tests_only(playing: Playing) -> None:
    """SS-30"""
    playing.act("Ada", "harm", who="Kira", points=5)
    assert playing.refused("Bo", "test", who="Kira", attribute="REF", stakes="the rope") == "collapsed"
    assert playing.refused("Bo", "attack", attacker="Kira", defender="Guard") == "collapsed"
    playing.roll(4)
    assert playing.refused("Bo", "luck_test", who="Kira", why="blind chance", stakes="the patrol") == "done"


def test_the_collapsed_have_no_defence(playing: Playing) -> None:
    """SS-30: one die falls."""
    playing.act("Ada", "harm", who="Kira", points=5)
    playing.roll(9)
    told = playing.told(playing.act("Ada", "attack", attacker="Guard", defender="Kira"), "attacked")
    assert (told["defence"], told["hit"]) == (None, True)


def test_the_collapsed_hold_out_by_luck_where_the_custodian_calls_for_it(playing: Playing) -> None:
    """SS-07, SS-30, SS-43: in an opposed test as in a fight; they want nothing of anybody."""
    playing.act("Ada", "harm", who="Kira", points=5)
    grip = {"attacker": "Lund", "attribute": "MGT", "defender": "Kira", "stakes": "the satchel"}
    assert playing.refused("Ada", "opposed_test", **grip, defence_attribute="MGT") == "collapsed"
    playing.roll(14, 3)
    seen = playing.act("Ada", "opposed_test", **grip, defence_attribute="LCK")
    told = playing.told(playing.answer("Cy", seen, 0), "opposed")
    assert (told["defence"]["open"]["score"], told["winner"]) == (8, "defender")
    pull = {"attacker": "Kira", "attribute": "MGT", "defender": "Lund", "stakes": "the satchel"}
    assert playing.refused("Bo", "opposed_test", **pull) == "collapsed"


def test_the_first_point_brings_one_up_again(playing: Playing) -> None:
    """SS-30"""
    playing.act("Ada", "harm", who="Kira", points=5)
    assert playing.names(playing.act("Ada", "heal", who="Kira")) == ["gained", "got_up"]
    playing.roll(5)
    assert playing.refused("Bo", "test", who="Kira", attribute="REF", stakes="the rope") == "done"


@pytest.mark.parametrize("fate", ["dead", "rescued", "captured"])
def test_the_custodian_may_record_what_became_of_somebody(playing: Playing, fate: str) -> None:
    """SS-30"""
    playing.act("Ada", "harm", who="Kira", points=5)
    playing.act("Ada", "record_fate", who="Kira", fate=fate)
    assert playing.words("Cy")[-1] == f"Kira is {fate}"


def test_the_dead_do_nothing_until_the_custodian_says_otherwise(playing: Playing) -> None:
    """SS-30"""
    playing.act("Ada", "record_fate", who="Kira", fate="dead")
    assert playing.refused("Bo", "luck_test", who="Kira", why="fate", stakes="life") == "dead"
    assert playing.refused("Ada", "heal", who="Kira") == "dead"
    playing.act("Ada", "record_fate", who="Kira", fate=None)
    playing.roll(5)
    assert playing.refused("Bo", "test", who="Kira", attribute="REF", stakes="the rope") == "done"


@pytest.mark.parametrize(("kind", "stamina", "luck"), [("short", 2, 5), ("long", 2, 5), ("care", 3, 4)])
def test_a_short_rest_gives_both_and_care_gives_two_stamina_and_no_token(
    playing: Playing, kind: str, stamina: int, luck: int
) -> None:
    """SS-31: from Stamina 1 and 4 tokens."""
    playing.act("Ada", "harm", who="Kira", points=4)
    playing.roll(10)
    playing.answer("Bo", playing.test("Bo", "Kira", "MGT", ask=True), -4)
    playing.act("Ada", "rest", kind=kind)
    assert (playing.sheet("Kira").stamina, playing.sheet("Kira").luck) == (stamina, luck)


def test_nothing_heals_past_the_most(playing: Playing) -> None:
    """SS-31"""
    playing.act("Ada", "harm", who="Kira")
    playing.act("Ada", "rest", kind="care")
    assert playing.sheet("Kira").stamina == 5
    playing.act("Ada", "harm", who="Kira")
    playing.act("Ada", "heal", who="Kira", points=9)
    assert playing.sheet("Kira").stamina == 5
    with pytest.raises(Refusal, match="Kira has 5 of 5 Stamina already"):
        playing.act("Ada", "heal", who="Kira")


def test_the_dead_get_nothing_from_a_rest_and_nothing_is_asked_of_them(playing: Playing) -> None:
    """SS-30, SS-31: nor is anything that was asked of them before."""
    playing.act("Ada", "harm", who="Kira", points=3)
    playing.act("Ada", "request_roll", who="Kira", command="test", what_for="the rope")
    told = playing.names(playing.act("Ada", "record_fate", who="Kira", fate="dead", told="The rope broke."))
    assert told == ["fate_recorded", "request_withdrawn"]
    assert playing.refused("Ada", "request_roll", who="Kira", command="test") == "dead"
    assert playing.refused("Ada", "rest", who=["Kira"]) == "dead"
    playing.act("Ada", "rest")
    assert playing.sheet("Kira").stamina == 2
    assert playing.refused("Bo", "drop", who="Kira", item="Rope") == "dead"


def test_a_captive_is_asked_and_rests_like_anyone(playing: Playing) -> None:
    """SS-30: only death ends what one can do."""
    playing.act("Ada", "harm", who="Kira", points=3)
    playing.act("Ada", "request_roll", who="Kira", command="test", what_for="the rope")
    assert playing.names(playing.act("Ada", "record_fate", who="Kira", fate="captured")) == ["fate_recorded"]
    assert playing.look("Ada").requests
    playing.act("Ada", "rest")
    assert playing.sheet("Kira").stamina == 3
