"""NJ+03: boxes, Conditions, armour, and being taken out."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import pytest

from astragal.rulesets.narraject.harm import Suffered, grade_of, suffer
from astragal.rulesets.narraject.state import Grade, Stat, Track, track_of
from tests.rulesets.narraject.conftest import Open
from tests.rulesets.narraject.playing import SHOT, Playing

MINOR, MODERATE, MAJOR = Grade


@pytest.mark.parametrize(
    ("filled", "damage", "suffered"),
    [
        (0, 3, Suffered(3)),
        (0, 4, Suffered(0, MINOR)),
        (3, 1, Suffered(0, MINOR)),
        (3, 2, Suffered(0, MINOR)),
        (3, 3, Suffered(0, MODERATE)),
        (3, 4, Suffered(0, MODERATE)),
        (3, 5, Suffered(0, MAJOR)),
        (1, 30, Suffered(0, MAJOR)),
        (2, 0, Suffered(2)),
    ],
)
def test_what_does_not_fit_becomes_a_condition_and_the_track_clears(
    filled: int, damage: int, suffered: Suffered
) -> None:
    """NJ+03: 1–2 beyond the boxes minor, 3–4 moderate, 5 and more major."""
    assert suffer(filled, [], damage) == suffered


@pytest.mark.parametrize(
    ("taken", "damage", "suffered"),
    [
        ([MINOR], 4, Suffered(0, MODERATE)),
        ([MINOR, MODERATE], 4, Suffered(0, MAJOR)),
        ([MODERATE], 6, Suffered(0, MAJOR)),
        ([MODERATE], 4, Suffered(0, MINOR)),
        ([MAJOR], 8, Suffered(3, taken_out=True)),
        ([MINOR, MODERATE, MAJOR], 4, Suffered(3, taken_out=True)),
    ],
)
def test_one_slot_for_each_grade_and_then_the_next_higher(taken: list[Grade], damage: int, suffered: Suffered) -> None:
    """NJ+03: with none left one is taken out."""
    assert suffer(0, taken, damage) == suffered


@pytest.mark.parametrize("taken", [some for many in range(len(Grade) + 1) for some in combinations(Grade, many)])
def test_harm_never_does_less_than_its_grade(taken: tuple[Grade, ...]) -> None:
    """NJ+03: a slot that is taken is never taken again, and never a lower one."""
    for filled, damage in product(range(4), range(31)):
        suffered = suffer(filled, set(taken), damage)
        overflow = filled + damage - 3
        assert 0 <= suffered.boxes <= 3
        if suffered.condition:
            assert suffered.condition not in taken
            assert suffered.condition.dice >= grade_of(overflow).dice
        else:
            assert suffered.taken_out is (overflow > 0)


def test_physical_harm_is_of_might_and_agility_and_mental_of_the_others() -> None:
    """NJ+03: whose rolls a Condition counts on."""
    tracks = [track_of(stat) for stat in (Stat.MIGHT, Stat.AGILITY, Stat.INTELLECT, Stat.PERSONA)]
    assert tracks == [Track.PHYSICAL, Track.PHYSICAL, Track.MENTAL, Track.MENTAL]


# ---------------------------------------------------------------- at the table


def hurt(playing: Playing, damage: int, who: str = "Kira", **fields: Any) -> list[str]:
    return playing.names(playing.act("Ada", "take_stress", who=who, damage=damage, **fields))


def test_a_condition_counts_in_the_hand(playing: Playing) -> None:
    """NJ+03, NJ-10: −1, −2, −3 on the stats of its track, by its name."""
    assert hurt(playing, 5, condition="cracked rib") == ["stress_taken", "condition_taken"]
    assert hurt(playing, 7, track="mental") == ["stress_taken", "condition_taken"]
    assert playing.hand(focus=1)[2:] == [("condition", "cracked rib", -1)]
    assert playing.hand(focus=2, stat="intellect")[2:] == [("condition", "moderate mental condition", -2)]
    assert playing.sheet("Kira").physical == 0


def test_a_hit_says_whether_the_boxes_hold_it(playing: Playing) -> None:
    """NJ+03: what does not fit becomes a Condition, and the track clears."""
    words = [playing.act("Ada", "take_stress", who="Kira", damage=damage).events[0].words for damage in (2, 3)]
    assert words == [
        "Kira takes 2 physical stress; 2 of 3 boxes are filled",
        "Kira takes 3 physical stress; more than the boxes hold, and they clear",
    ]


def test_the_three_boxes_fill_first(playing: Playing) -> None:
    """NJ+03: physical and mental apart."""
    assert hurt(playing, 2) == ["stress_taken"]
    assert hurt(playing, 1, track="mental") == ["stress_taken"]
    assert (playing.sheet("Kira").physical, playing.sheet("Kira").mental) == (2, 1)


@pytest.mark.parametrize(("fields", "boxes"), [({}, 1), ({"armour": False}, 3), ({"track": "mental"}, 3)])
def test_armour_takes_its_part_of_a_physical_hit(playing: Playing, fields: dict[str, Any], boxes: int) -> None:
    """NJ+03: Lund's plate takes 2 off, if it can help at all."""
    hurt(playing, 3, who="Lund", **fields)
    sheet = playing.sheet("Lund")
    assert max(sheet.physical, sheet.mental) == boxes


def test_armour_does_not_add_up_and_protects_only_when_worn(playing: Playing) -> None:
    """NJ+03: the best piece counts."""
    playing.act("Ada", "gain_asset", who="Lund", asset={"name": "Shield", "armour": 1})
    hurt(playing, 3, who="Lund")
    assert playing.sheet("Lund").physical == 1
    playing.act("Cy", "carry_asset", who="Lund", asset="Plate", carried=False)
    hurt(playing, 1, who="Lund")
    assert playing.sheet("Lund").physical == 1
    hurt(playing, 2, who="Lund")
    assert playing.sheet("Lund").physical == 2
    playing.act("Bo", "lose_asset", who="Kira", asset="Rifle")
    hurt(playing, 2)
    assert playing.sheet("Kira").physical == 2


def test_with_no_slot_left_one_is_taken_out(playing: Playing) -> None:
    """NJ+03: and does not act before being brought back."""
    for _ in range(3):
        hurt(playing, 4)
    assert hurt(playing, 4) == ["stress_taken", "taken_out"]
    assert playing.refused("Bo", "attempt", **SHOT, difficulty=1) == "taken_out"
    assert playing.refused("Ada", "take_stress", who="Kira", damage=1) == "taken_out"
    playing.act("Ada", "bring_back", who="Kira")
    playing.shoot(1, 1, 1)
    assert playing.refused("Ada", "bring_back", who="Kira") == "no_change"


def test_stress_is_shaken_off_by_a_rest_or_where_the_table_says_so_with_the_scene(open_table: Open) -> None:
    """NJ+03, option `stress_clears`: by default any rest."""
    playing = open_table()
    hurt(playing, 2)
    playing.act("Ada", "improvise_scene", title="One")
    playing.act("Ada", "end_scene")
    assert playing.sheet("Kira").physical == 2
    playing.act("Ada", "rest")
    assert playing.sheet("Kira").physical == 0


def test_stress_may_go_with_the_scene(open_table: Open) -> None:
    """NJ+03, option `stress_clears`: scene."""
    playing = open_table(stress_clears="scene")
    hurt(playing, 2)
    playing.act("Ada", "rest")
    assert playing.sheet("Kira").physical == 2
    playing.act("Ada", "improvise_scene", title="One")
    playing.act("Ada", "end_scene")
    assert playing.sheet("Kira").physical == 0


def test_a_table_may_play_without_stress(open_table: Open) -> None:
    """NJ+03: switched off, a failed defence is only told."""
    playing = open_table(stress=False)
    assert playing.refused("Ada", "take_stress", who="Kira", damage=1) == "switched_off"
    playing.act("Ada", "raise_threat", name="Wolf", level=2)
    playing.roll(1, 1, 1)
    outcome = playing.act("Bo", "defend", who="Kira", stat="agility", threat="Wolf", approach="a leap")
    assert playing.names(outcome) == ["rolled", "attempted"]


def test_the_table_s_own_conditions_count_by_stat_or_track(playing: Playing) -> None:
    """NJ-10, NJ-15, NJ+03: what every game shares weighs in too, and never adds."""
    playing.act("Ada", "begin_condition", name="Hoarse", who="Kira", numbers={"persona": -1})
    playing.act("Ada", "begin_condition", name="Poisoned", who="Kira", numbers={"physical": -1, "agility": -1})
    playing.act("Ada", "begin_condition", name="Drunk", who="Kira", numbers={"physical": -1})
    playing.act("Ada", "begin_condition", name="Blessed", who="Kira", numbers={"agility": 3})
    playing.act("Ada", "begin_condition", name="Cursed", who="Kira", numbers={"agility": -1}, hidden=True)
    assert playing.hand(focus=4)[2:] == [("condition", "Poisoned", -2), ("condition", "Drunk", -1)]
    outcome = playing.shoot(1, 1, 1, focus=4)
    named = [term["name"] for term in playing.told(outcome, "attempted")["hand"]["terms"]]
    assert named == ["agility", "agility", "Poisoned", "Drunk", "something unknown"]


def test_where_no_scene_runs_the_evening_clears_stress(open_table: Open) -> None:
    """NJ+03: where boxes become empty with the scene."""
    playing = open_table(stress_clears="scene")
    playing.act("Ada", "begin_evening")
    playing.act("Ada", "take_stress", who="Kira", damage=2)
    playing.act("Ada", "end_evening")
    assert playing.sheet("Kira").physical == 0


def test_the_dead_act_no_more(playing: Playing) -> None:
    """NJ+03: what being taken out means is for the game master to say, death included. Players can't say it."""
    assert playing.refused("Bo", "record_fate", who="Kira", fate="dead") == "not_allowed"
    playing.act("Ada", "mark_save_node", label="The roof")
    playing.act("Ada", "take_stress", who="Kira", damage=1)
    playing.act("Ada", "record_fate", who="Kira", fate="dead", told="The roof gave way.")
    assert playing.words("Cy")[-1] == "Kira is dead: The roof gave way."
    assert playing.sentence("Bo", "attempt", **SHOT, difficulty=1) == "Kira is dead."
    for command in ("bring_back", "take_stress"):
        further = {"damage": 1} if command == "take_stress" else {}
        assert playing.refused("Ada", command, who="Kira", **further) == "dead"
    assert playing.refused("Bo", "offer_help", who="Kira", whom="Lund") == "dead"
    assert playing.refused("Bo", "lose_asset", who="Kira", asset="Rifle") == "dead"
    assert playing.refused("Ada", "request_roll", who="Kira", command="attempt") == "dead"
    assert playing.refused("Bo", "say", words="It was a good roof.", who="Kira") == "done"
    playing.act("Ada", "rest", kind="long")
    assert playing.sheet("Kira").physical == 1


def test_a_rewind_undoes_a_death(playing: Playing) -> None:
    """NJ+03: a death is story, like everything after the node."""
    node = playing.act("Ada", "mark_save_node", label="The roof").act
    playing.act("Ada", "record_fate", who="Kira", fate="dead")
    playing.act("Ada", "rewind", node=node, price="reserve")
    assert not playing.who("Kira").is_dead
    assert playing.refused("Bo", "lose_asset", who="Kira", asset="Rifle") == "done"
