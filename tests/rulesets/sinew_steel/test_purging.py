"""Shedding Pressure: by sacrifice, by a rite, by a quest."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.table.refusals import Refusal
from tests.rulesets.sinew_steel.conftest import Open
from tests.rulesets.sinew_steel.playing import Playing
from tests.rulesets.sinew_steel.test_fortune import node_at
from tests.rulesets.sinew_steel.test_fuse import party, raised


@pytest.fixture
def haunted(open_table: Open) -> Playing:
    """Shared Pressure at 3, and the evening has begun."""
    return at_three(open_table)


def at_three(open_table: Open, **options: Any) -> Playing:
    playing = open_table(build_points=16, **options)
    playing.act("Bo", "make_hero", name="Kira", scores={"INT": 12, "STM": 3}, gear=[{"name": "idol"}])
    playing.act("Ada", "begin_evening")
    raised(playing, 3, **({"who": "Kira"} if options else {}))
    return playing


def pressure(playing: Playing) -> int:
    return int(playing.look("Di").game.pressure)


def test_a_treasured_item_takes_one_off(haunted: Playing) -> None:
    """SS-56"""
    haunted.act("Bo", "sacrifice", who="Kira", item="Idol")
    assert (pressure(haunted), haunted.sheet("Kira").gear) == (2, ())
    assert haunted.refused("Bo", "sacrifice", who="Kira", item="idol") == "not_carried"


@pytest.mark.parametrize(("score", "left", "points"), [("INT", 11, 1), ("MGT", 9, 0)])
def test_a_point_of_a_score_takes_one_off(haunted: Playing, score: str, left: int, points: int) -> None:
    """SS-56: above baseline a build point comes back, below it nothing."""
    haunted.act("Bo", "sacrifice", who="Kira", score=score)
    kira = haunted.sheet("Kira")
    assert (pressure(haunted), kira.scores[score], kira.points) == (2, left, points)


def test_a_sacrifice_stays_within_the_rails_and_caps_what_is_held(haunted: Playing) -> None:
    """SS-56, SS-11: Stamina can't go below 3; ten tokens do not fit a pool of nine."""
    with pytest.raises(Refusal, match="can't drop below 3"):
        haunted.act("Bo", "sacrifice", who="Kira", score="STM")
    haunted.act("Bo", "sacrifice", who="Kira", score="lck")
    kira = haunted.sheet("Kira")
    assert (kira.luck_most, kira.luck) == (9, 9)
    haunted.act("Cy", "make_hero", name="Lund")
    haunted.act("Cy", "sacrifice", who="Lund", score="Stamina")
    lund = haunted.sheet("Lund")
    assert (lund.stamina_most, lund.stamina, dict(lund.scores.open)["MGT"]) == (4, 4, 10)


def test_one_thing_is_given_up_and_only_for_something(haunted: Playing) -> None:
    """SS-56"""
    assert haunted.refused("Bo", "sacrifice", who="Kira") == "sacrifice"
    assert haunted.refused("Bo", "sacrifice", who="Kira", item="idol", score="INT") == "sacrifice"
    assert haunted.refused("Bo", "sacrifice", who="Kira", score="0123456789abcdef") == "no_attribute"
    haunted.act("Ada", "begin_encounter")
    assert haunted.refused("Bo", "sacrifice", who="Kira", item="idol") == "no_downtime"
    haunted.act("Ada", "end_encounter")
    haunted.act("Ada", "harm", who="Kira", points=3)
    assert haunted.refused("Bo", "sacrifice", who="Kira", item="idol") == "collapsed"


def test_no_rite_begins_while_somebody_decides(haunted: Playing) -> None:
    """SS-54, SS-56: on the track that both would move."""
    haunted.act("Cy", "make_hero", name="Lund")
    haunted.roll(13)
    waits = haunted.test("Bo", "Kira", "INT")
    assert haunted.refused("Cy", "rite", who="Lund", attribute="INT", stakes="calm") == "still_deciding"
    haunted.answer("Bo", waits, 0)
    haunted.roll(3)
    haunted.act("Cy", "rite", who="Lund", attribute="INT", stakes="calm")
    assert [dict(one.numbers) for one in haunted.look("Bo").conditions.values()] == [{"in_a_rite": 1}]


def test_nothing_is_purged_at_zero(open_table: Open) -> None:
    """SS-56"""
    playing = party(open_table)
    assert playing.refused("Bo", "sacrifice", who="Kira", score="INT") == "no_pressure"
    assert playing.refused("Bo", "rite", who="Kira", attribute="INT", stakes="calm") == "no_pressure"


@pytest.mark.parametrize(("face", "left"), [(12, 2), (20, 3)])
def test_a_rite_costs_the_session_whatever_comes_of_it(haunted: Playing, face: int, left: int) -> None:
    """SS-56: success takes 1 off, failure nothing."""
    haunted.roll(face)
    haunted.act("Bo", "rite", who="Kira", attribute="INT", stakes="calm")
    assert pressure(haunted) == left
    for command in ("rite", "test"):
        assert haunted.refused("Bo", command, who="Kira", attribute="INT", stakes="calm") == "in_a_rite"
    haunted.act("Ada", "end_evening")
    haunted.act("Ada", "begin_evening")
    haunted.roll(5)
    haunted.test("Bo", "Kira", "INT")


def test_who_is_in_a_rite_can_trust_to_luck_and_do_nothing_else(haunted: Playing) -> None:
    """SS-30, SS-56"""
    haunted.act("Ada", "make_npc", name="Guard", shown=True)
    haunted.roll(12)
    haunted.act("Bo", "rite", who="Kira", attribute="INT", stakes="calm")
    assert haunted.refused("Bo", "sacrifice", who="Kira", item="idol") == "in_a_rite"
    assert haunted.refused("Bo", "attack", attacker="Kira", defender="Guard") == "in_a_rite"
    fields = {"attacker": "Kira", "defender": "Guard", "attribute": "MGT", "stakes": "the door"}
    assert haunted.refused("Bo", "opposed_test", **fields) == "in_a_rite"
    assert (pressure(haunted), [item.name for item in haunted.sheet("Kira").gear]) == (2, ["idol"])
    haunted.roll(9)
    outcome = haunted.act("Bo", "luck_test", who="Kira", why="the weather", stakes="the harvest")
    assert haunted.told(outcome, "luck_tried")["roll"]["degree"] == "success"


def test_who_can_not_act_gives_nothing_up(haunted: Playing) -> None:
    """SS-54 to SS-56: while a crisis is due nobody does, and for the possessed the custodian does."""
    haunted.act("Ada", "begin_condition", name="possessed", who="Kira", numbers={"out_of_control": 1})
    assert haunted.refused("Bo", "sacrifice", who="Kira", item="idol") == "not_allowed"
    haunted.act("Ada", "sacrifice", who="Kira", item="idol")
    assert (pressure(haunted), haunted.sheet("Kira").gear) == (2, ())
    raised(haunted, 2)
    haunted.act("Cy", "make_hero", name="Lund")
    haunted.act("Ada", "rewind", node=node_at(haunted), price="pressure")
    assert haunted.refused("Cy", "sacrifice", who="Lund", score="INT") == "crisis_due"


def test_a_quest_clears_the_track_when_it_is_done(haunted: Playing) -> None:
    """SS-56"""
    haunted.act("Ada", "set_quest", objective="Return the idol to its shrine.")
    (quest,) = haunted.look("Bo").game.quests.values()
    assert quest.objective == "Return the idol to its shrine."
    assert pressure(haunted) == 3
    haunted.act("Ada", "complete_quest", quest=quest.id)
    assert (pressure(haunted), haunted.look("Bo").game.quests) == (0, {})
    assert haunted.refused("Ada", "complete_quest", quest=quest.id) == "no_such_thing"


def test_ones_own_track_is_purged_where_there_is_one(open_table: Open) -> None:
    """SS-50, SS-56"""
    playing = at_three(open_table, pressure="personal")
    playing.act("Bo", "sacrifice", who="Kira", item="idol")
    assert playing.sheet("Kira").pressure == 2
    playing.act("Ada", "set_quest", objective="Sleep.", who="Kira")
    (quest,) = playing.look("Bo").game.quests
    playing.act("Ada", "complete_quest", quest=quest)
    assert playing.sheet("Kira").pressure == 0
