"""NJ+06: Narrative Points, earned and spent."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rulesets.narraject.conftest import Open
from tests.rulesets.narraject.playing import Playing

NEW: dict[str, Any] = {"who": "Kira", "name": "Climber", "new_burden": "Reckless"}


def points(playing: Playing, held: int) -> None:
    playing.act("Ada", "override", who="Kira", what="narrative_points", value=held)


def test_at_most_two_points_are_earned_in_a_session(playing: Playing) -> None:
    """NJ+06: a new evening begins the count anew; what would be more is lost."""
    playing.act("Ada", "begin_evening")
    playing.act("Ada", "award_points", who=["Kira"], points=2)
    assert playing.refused("Ada", "award_points", who=["Kira"]) == "full"
    playing.act("Ada", "end_evening")
    playing.act("Ada", "begin_evening")
    playing.act("Ada", "award_points", who=["Kira"])
    outcome = playing.act("Ada", "award_points", who=["Kira"], points=2)
    assert playing.told(outcome, "points_earned")["points"] == 1
    assert playing.sheet("Kira").points == 4
    assert playing.refused("Bo", "award_points", who=["Kira"]) == "not_allowed"


def test_at_most_five_points_are_held(playing: Playing) -> None:
    """NJ+06: what would be more is lost."""
    points(playing, 4)
    outcome = playing.act("Ada", "award_points", who=["Kira"], points=2)
    assert playing.told(outcome, "points_earned")["points"] == 1
    assert playing.sheet("Kira").points == 5
    assert playing.refused("Ada", "award_points", who=["Kira"]) == "full"


def test_points_are_awarded_to_all_heroes_at_once(playing: Playing) -> None:
    """NJ+06: nobody named means every living hero; whoever can earn no more is left out, unless they are named."""
    playing.act("Ada", "award_points", who=["Kira", "Kira"])
    assert playing.sheet("Kira").points == 1
    playing.act("Ada", "award_points", points=2)
    assert [playing.sheet(one).points for one in ("Kira", "Lund")] == [2, 2]
    playing.act("Ada", "override", who="Lund", what="narrative_points", value=1)
    assert playing.refused("Ada", "award_points") == "full"
    playing.act("Ada", "begin_evening")
    playing.act("Ada", "award_points", who=["Kira"], points=2)
    assert playing.refused("Ada", "award_points", who=["Kira", "Lund"]) == "full"
    assert playing.sheet("Lund").points == 1
    playing.act("Ada", "award_points")
    assert [playing.sheet(one).points for one in ("Kira", "Lund")] == [4, 2]
    playing.act("Ada", "record_fate", who="Lund", fate="dead")
    assert playing.refused("Ada", "award_points") == "full"


@pytest.mark.parametrize(
    ("command", "fields", "price"),
    [
        ("buy_anchor", NEW, 2),
        ("buy_anchor", {**NEW, "grade": "moderate"}, 4),
        ("raise_anchor", {"who": "Kira", "anchor": "Rooftops"}, 2),
        ("raise_anchor", {"who": "Kira", "anchor": "Expert Marksman"}, 3),
        ("ease_burden", {"who": "Kira", "burden": "Hunted"}, 3),
        ("raise_stat", {"who": "Kira", "stat": "might"}, 3),
    ],
)
def test_each_advance_has_its_price(playing: Playing, command: str, fields: dict[str, Any], price: int) -> None:
    """NJ+06: paid in full, and refused for a point less."""
    points(playing, price - 1)
    assert playing.refused("Bo", command, **fields) == "not_for_sale"
    playing.act("Ada", "override", who="Kira", what="narrative_points", value=5)
    playing.act("Bo", command, **fields)
    assert playing.sheet("Kira").points == 5 - price
    assert playing.refused("Cy", command, **fields) == "not_yours"


def test_a_new_anchor_brings_a_burden(playing: Playing) -> None:
    """NJ+06, NJ-16: so the balance holds."""
    points(playing, 5)
    playing.act("Bo", "buy_anchor", **NEW, grade="moderate", scope="specific", burden_grade="moderate")
    sheet = playing.sheet("Kira")
    assert (len(sheet.anchors), len(sheet.burdens)) == (4, 4)
    assert ("anchor", "Climber", 2) in playing.hand(anchors=["Climber"])
    assert ("burden", "Reckless", -2) in playing.hand(burdens=["Reckless"], focus=2)


def test_a_new_anchor_is_minor_or_moderate_and_has_a_name_of_its_own(playing: Playing) -> None:
    """NJ+06: major ones are raised, step by step."""
    points(playing, 5)
    assert playing.refused("Bo", "buy_anchor", **NEW, grade="major") == "not_for_sale"
    assert playing.refused("Bo", "buy_anchor", **{**NEW, "name": "rifle"}) == "name_taken"
    assert playing.refused("Bo", "buy_anchor", **{**NEW, "new_burden": "climber"}) == "name_taken"
    assert playing.refused("Bo", "buy_anchor", **{**NEW, "new_burden": "rifle"}) == "name_taken"


def test_an_anchor_is_raised_step_by_step(playing: Playing) -> None:
    """NJ+06, NJ-14: minor, moderate, major, and the others stay as they are."""
    points(playing, 5)
    playing.act("Bo", "raise_anchor", who="Kira", anchor="Rooftops")
    assert [one.grade.dice for one in playing.sheet("Kira").anchors] == [2, 2, 3]
    playing.act("Bo", "raise_anchor", who="Kira", anchor="Rooftops")
    assert [one.grade.dice for one in playing.sheet("Kira").anchors] == [2, 3, 3]
    assert playing.refused("Bo", "raise_anchor", who="Kira", anchor="Rooftops") == "not_for_sale"


def test_a_burden_is_lowered_by_a_grade(playing: Playing) -> None:
    """NJ+06: major to moderate; a lowered Burden still balances an Anchor."""
    points(playing, 5)
    playing.act("Bo", "ease_burden", who="Kira", burden="Afraid of Fire")
    assert ("burden", "Afraid of Fire", -2) in playing.hand(burdens=["Afraid of Fire"], focus=2)


@pytest.mark.parametrize("fields", [{"burden": "Old Wound"}, {"burden": "Hunted", "remove": True}])
def test_a_burden_is_not_removed_where_the_balance_would_break(playing: Playing, fields: dict[str, Any]) -> None:
    """NJ+06, NJ-16: three Anchors need three Burdens."""
    points(playing, 5)
    assert playing.sentence("Bo", "ease_burden", who="Kira", **fields) == (
        "Kira has 3 Anchors and 3 Burdens, and the Rule of Balance asks for as many Burdens as Anchors."
    )
    assert playing.sheet("Kira").points == 5


def test_a_burden_too_many_can_be_removed_and_presses_no_more(playing: Playing) -> None:
    """NJ+06: whatever its grade."""
    node = playing.told(playing.act("Ada", "mark_save_node", label="here"), "save_node_marked")["node"]
    playing.act("Ada", "rewind", node=node, price="burden")
    playing.act("Ada", "press_burden", who="Kira", burden="Afraid of Fire")
    points(playing, 3)
    playing.act("Bo", "ease_burden", who="Kira", burden="Afraid of Fire", remove=True)
    assert playing.hand() == [("rating", "agility", 3)]
    assert len(playing.sheet("Kira").burdens) == 3


def test_a_stat_rises_to_five_and_its_reserve_with_it(playing: Playing) -> None:
    """NJ+06, NJ-12: points buy no more than 5."""
    points(playing, 5)
    playing.act("Ada", "override", who="Kira", what="agility_reserve", value=4)
    playing.act("Bo", "raise_stat", who="Kira", stat="agility")
    assert (playing.sheet("Kira").ratings.agility, playing.sheet("Kira").reserves.agility) == (4, 6)
    points(playing, 5)
    playing.act("Bo", "raise_stat", who="Kira", stat="agility")
    points(playing, 5)
    assert playing.refused("Bo", "raise_stat", who="Kira", stat="agility") == "not_for_sale"


def test_a_table_may_play_without_advancement(open_table: Open) -> None:
    """NJ+06: switched off."""
    playing = open_table(advancement=False)
    assert playing.refused("Ada", "award_points", who=["Kira"]) == "switched_off"
    assert playing.refused("Bo", "buy_anchor", **NEW) == "switched_off"
