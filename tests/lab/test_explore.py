"""Exploring: exact odds, curves, heat maps, two games on one chart; the same whichever reading finds them."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from xml.etree import ElementTree as ET

import pytest

from astragal.chance import odds
from astragal.lab.explore import Explorer, explore, setting
from astragal.lab.rolls import BadQuestion, Setting, rolls_of
from astragal.rulesets.narraject import NARRAJECT
from astragal.rulesets.new_shoes import NEW_SHOES
from astragal.rulesets.sinew_steel import SINEW_STEEL
from astragal.rulesets.six_pool import SIX_POOL
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.refusals import BadFields

GAMES = (SINEW_STEEL, NARRAJECT, NEW_SHOES, SIX_POOL)
CHECK = setting(SIX_POOL, "check", dc=15, bonus=5)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_every_rule_of_every_game_can_be_asked_as_it_stands(game: Ruleset) -> None:
    for roll in rolls_of(game).values():
        found = explore(Setting(game, roll))
        assert sum(one["percent"] for one in found.records()) == pytest.approx(100)


def test_a_whole_grid_at_once_is_what_each_point_is_alone() -> None:
    duel = setting(SINEW_STEEL, "opposed_test").over(attacker=range(0, 21, 5), defender=(4, 11))
    found = explore(duel).found[0]
    for (attacker, defender), chance in ((point, found.value(point)) for point in found.points):
        question = duel.roll.ask(attacker, defender)
        assert chance == odds(question).chance(lambda contest: contest.won)


def test_a_part_of_a_parameter_varies_and_best_play_uses_it() -> None:
    """SS-13: a token turns the die by one."""
    luck = setting(SINEW_STEEL, "nudged_test", score=10, policy="best").over({"stand.luck": range(4)})
    found = explore(luck).found[0]
    assert [found.value((tokens,)) for tokens in range(4)] == [Fraction(10 + n, 20) for n in range(4)]


def test_a_number_that_may_be_missing_counts_as_none_in_the_mean() -> None:
    found = explore(setting(SIX_POOL, "attack", ac=15, bonus=5, damage="2d6", of="damage").over(bonus=(5,))).found[0]
    assert found.drawn == "mean damage"
    assert found.value((5,)) == Fraction(10, 20) * 7 + Fraction(1, 20) * 14


def test_two_games_each_go_over_their_own_numbers_on_one_chart() -> None:
    found = explore(CHECK.over(bonus=range(6)), setting(SINEW_STEEL, "simple_test").over(score=(6, 16)))
    drawn = ET.fromstring(found.svg())  # noqa: S314 - our own
    lines = [one for one in drawn.iter() if one.tag.endswith("polyline")]
    assert [len(one.attrib["points"].split()) for one in lines] == [6, 2]
    assert found.png().startswith(b"\x89PNG")
    assert "Sinew & Steel, simple test" in found.text()


def test_files_have_every_outcome_with_its_exact_chance() -> None:
    found = explore(CHECK.over(bonus=(4, 5)))
    rows = list(csv.DictReader(io.StringIO(found.csv())))
    assert [(row["bonus"], row["outcome"], row["exactly"]) for row in rows[2:]] == [
        ("5", "no", "9/20"),
        ("5", "yes", "11/20"),
    ]
    assert json.loads(found.json())["settings"] == [{"game": "six_pool", "rule": "check", "counted": "success"}]
    assert found.rows()[1] == ["4", "50.0%", "no 50.0%, yes 50.0%"]


def test_once_it_is_enough_both_ends_are_there_and_the_rest_is_found_when_asked_again() -> None:
    explorer = Explorer()
    contest = setting(SIX_POOL, "contest").over({"actor.bonus": range(5)})
    early = explorer.answer([contest], lambda: True)
    assert (early.missing, list(early.found[0].points)) == (3, [(0,), (4,)])
    assert early.svg()
    assert explorer.answer([contest]).missing == 0
    assert explorer.answer([contest], lambda: True).missing == 0  # and is remembered
    square = setting(SIX_POOL, "contest").over({"actor.bonus": (3, 4), "holder.bonus": (5, 6)})
    assert explorer.answer([square], lambda: True).svg().count("…") == 2


def test_what_cannot_be_explored_is_refused_with_what_can() -> None:
    with pytest.raises(BadQuestion, match="has no parameter 'cd'; it has dc, bonus"):
        setting(SIX_POOL, "check", cd=15)
    with pytest.raises(BadQuestion, match="no parameter 'cd' here"):
        CHECK.over(cd=range(3))
    with pytest.raises(BadQuestion, match="at most 2,000"):
        CHECK.over(dc=range(1, 41), bonus=range(60))
    with pytest.raises(BadQuestion, match="One or two parameters"):
        CHECK.over(dc=(1,), bonus=(1,), stance=("level",))
    with pytest.raises(BadFields, match="dc must be at most 40"):
        explore(CHECK.over(dc=(15, 99)))
    with pytest.raises(BadQuestion, match="'glory' is no outcome here; no, yes are"):
        explore(setting(SIX_POOL, "check", dc=15, bonus=5, goal="glory", of="success").over(dc=(15,))).svg()
    with pytest.raises(BadQuestion, match="A chance and a mean"):
        explore(CHECK.over(dc=(15,)), setting(SIX_POOL, "short_rest").over(level=(1,))).svg()
    with pytest.raises(BadQuestion, match="as many parameters that vary"):
        explore(CHECK, CHECK.over(dc=(15,)))
