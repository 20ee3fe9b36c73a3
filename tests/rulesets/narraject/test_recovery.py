"""NJ+02, NJ+05: what rests, new sessions and treatment give back."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.rulesets.narraject.harm import eased, gravest
from astragal.rulesets.narraject.state import Condition, Grade, Track
from tests.rulesets.narraject.conftest import Open
from tests.rulesets.narraject.playing import Playing

TREAT: dict[str, Any] = {"who": "Kira", "whom": "Lund", "track": "physical", "approach": "needle and thread"}


def spent(playing: Playing) -> None:
    for stat, left in (("might", 9), ("agility", 4), ("intellect", 8), ("persona", 0)):
        if left != 9:
            playing.act("Ada", "override", who="Kira", what=f"{stat}_reserve", value=left)


def reserves(playing: Playing) -> tuple[int, int, int, int]:
    left = playing.sheet("Kira").reserves
    return left.might, left.agility, left.intellect, left.persona


# ---------------------------------------------------------------- Reserve


@pytest.mark.parametrize(("kind", "left"), [("short", (9, 5, 9, 1)), ("long", (9, 11, 9, 9)), ("care", (9, 11, 9, 9))])
def test_rests_restore_reserve(playing: Playing, kind: str, left: tuple[int, ...]) -> None:
    """NJ+02: a short rest 1 point a stat, a long one all; never past the capacity."""
    spent(playing)
    playing.act("Ada", "rest", kind=kind)
    assert reserves(playing) == left


def test_a_session_begins_with_full_reserves(playing: Playing) -> None:
    """NJ+02: for everyone."""
    spent(playing)
    outcome = playing.act("Ada", "begin_evening")
    assert reserves(playing) == (9, 11, 9, 9)
    assert outcome.events[-1].words == (
        "Kira regains 7 Agility Reserve (11 now), 1 Intellect Reserve (9 now), 9 Persona Reserve (9 now)"
    )


def test_only_those_who_rest_recover(playing: Playing) -> None:
    """NJ+02: and who is full is not told of."""
    spent(playing)
    outcome = playing.act("Ada", "rest", kind="long", who=[playing.who("Lund").id])
    assert playing.names(outcome) == ["rested"]
    assert reserves(playing)[3] == 0


def test_a_reserve_past_its_capacity_stays(playing: Playing) -> None:
    """NJ+02: nasty: an override is not taken away by a rest."""
    playing.act("Ada", "override", who="Kira", what="might_reserve", value=20)
    playing.act("Ada", "rest", kind="long")
    assert reserves(playing)[0] == 20


def test_a_table_may_play_without_recovery(open_table: Open) -> None:
    """NJ+02: switched off."""
    playing = open_table(recovery=False)
    spent(playing)
    playing.act("Ada", "rest", kind="long")
    playing.act("Ada", "begin_evening")
    assert reserves(playing) == (9, 4, 8, 0)


# ---------------------------------------------------------------- Conditions


def condition(grade: Grade, track: Track = Track.PHYSICAL) -> Condition:
    return Condition(track=track, grade=grade, name="broken arm")


def test_easing_lowers_a_condition_past_slots_that_are_taken() -> None:
    """NJ+05, NJ+03: a minor one is gone, and no slot is taken twice."""
    minor, moderate, major = (condition(grade) for grade in Grade)
    assert eased(minor, [minor]) is None
    assert eased(major, [major]) == moderate
    assert eased(major, [moderate, major]) == minor
    assert eased(moderate, [minor, moderate]) is None
    assert eased(moderate, [moderate, condition(Grade.MINOR, Track.MENTAL)]) == minor


def test_the_gravest_is_eased_first() -> None:
    """NJ+05: a rest eases one; of equals the oldest."""
    body, mind = condition(Grade.MAJOR), condition(Grade.MAJOR, Track.MENTAL)
    assert gravest([condition(Grade.MINOR), body, mind]) is body
    assert gravest([]) is None


def grades(playing: Playing, who: str = "Lund") -> list[str]:
    return [one.grade.value for one in playing.sheet(who).conditions]


@pytest.fixture
def hurt(playing: Playing) -> Playing:
    """Lund has a minor and a moderate physical Condition."""
    playing.act("Ada", "take_stress", who="Lund", damage=4, armour=False)
    playing.act("Ada", "take_stress", who="Lund", damage=6, armour=False, condition="broken arm")
    return playing


@pytest.mark.parametrize(("kind", "left"), [("short", ["minor", "moderate"]), ("long", ["minor"]), ("care", ["minor"])])
def test_a_rest_eases_one_condition(hurt: Playing, kind: str, left: list[str]) -> None:
    """NJ+05: a long rest lowers the gravest (here its lower slot is taken, so it heals); care clears it."""
    hurt.act("Ada", "rest", kind=kind)
    assert grades(hurt) == left


def test_care_clears_what_a_long_rest_lowers(playing: Playing) -> None:
    """NJ+05: a major Condition becomes moderate in a long rest, and is gone with thorough care."""
    playing.act("Ada", "take_stress", who="Lund", damage=9, armour=False)
    playing.act("Ada", "rest", kind="long")
    assert grades(playing) == ["moderate"]
    playing.act("Ada", "rest", kind="care")
    assert grades(playing) == []


@pytest.mark.parametrize(("grade", "difficulty"), [("minor", 2), ("moderate", 3)])
def test_treatment_is_an_intellect_roll(hurt: Playing, grade: str, difficulty: int) -> None:
    """NJ+05: difficulty 2 to 4 by the grade; the healer's Anchors count."""
    hurt.roll(5, 5, 5, 1, 1)
    outcome = hurt.act("Bo", "treat", **TREAT, grade=grade, anchors=["Field Medic"])
    told = hurt.told(outcome, "attempted")
    assert (told["stat"], told["difficulty"], told["dice"]) == ("intellect", difficulty, 5)
    assert grade not in grades(hurt)


def test_the_gravest_condition_is_treated_unless_another_is_named(hurt: Playing) -> None:
    """NJ+05: of both minds and bodies."""
    healer = {name: value for name, value in TREAT.items() if name != "track"}
    hurt.roll(5, 5, 5, 1)
    told = hurt.told(hurt.act("Bo", "treat", **healer, focus=1), "attempted")
    assert (told["difficulty"], told["goal"]) == (3, "Lund’s moderate physical Condition eased")
    assert "moderate" not in grades(hurt)


def test_treatment_that_fails_changes_nothing(hurt: Playing) -> None:
    """NJ+05: and Focus is gone."""
    hurt.roll(1, 1, 1)
    outcome = hurt.act("Bo", "treat", **TREAT, grade="minor", difficulty=4, focus=1)
    assert hurt.told(outcome, "attempted")["difficulty"] == 4
    assert grades(hurt) == ["minor", "moderate"]
    assert hurt.sheet("Kira").reserves.intellect == 8


def test_only_what_is_there_can_be_treated(hurt: Playing) -> None:
    """NJ+05: and only within 2 to 4."""
    assert hurt.sentence("Bo", "treat", **TREAT, grade="major") == "Lund has no major physical Condition."
    assert hurt.refused("Bo", "treat", **TREAT, grade="major") == "no_condition"
    assert hurt.refused("Bo", "treat", **{**TREAT, "track": "mental"}, grade="minor") == "no_condition"
    assert hurt.refused("Bo", "treat", **TREAT, grade="minor", difficulty=1) == "bad_fields"
    assert hurt.refused("Bo", "treat", **{**TREAT, "approach": ""}, grade="minor") == "no_intent"


def test_two_who_treat_one_condition_ease_it_once(open_table: Open) -> None:
    """NJ+05: nasty: the second comes too late, and nothing breaks."""
    playing = open_table(house={"hand_dice": True})
    playing.act("Ada", "take_stress", who="Lund", damage=4, armour=False)
    own: dict[str, Any] = {**TREAT, "who": "Lund", "grade": "minor"}
    waiting = playing.host.act(playing.table, playing.seats["Bo"], ("treat", {**TREAT, "grade": "minor"}), by_hand=True)
    assert playing.refused("Cy", "treat", **own) == "still_deciding"
    playing.act("Bo", "answer", act=waiting.act, answer=[5, 5])
    assert grades(playing) == []
    assert playing.refused("Cy", "treat", **own) == "no_condition"


def test_a_long_rest_brings_back_who_was_taken_out(playing: Playing) -> None:
    """NJ+05, NJ+03: a short one does not."""
    for _ in range(4):
        playing.act("Ada", "take_stress", who="Kira", damage=4)
    playing.act("Ada", "rest")
    assert playing.sheet("Kira").taken_out
    playing.act("Ada", "rest", kind="long")
    assert not playing.sheet("Kira").taken_out
    assert sorted(grades(playing, "Kira")) == ["minor", "moderate"]


def test_a_table_may_play_without_treatment(open_table: Open) -> None:
    """NJ+05: switched off, a rest eases nothing."""
    playing = open_table(treatment=False)
    playing.act("Ada", "take_stress", who="Lund", damage=4, armour=False)
    playing.act("Ada", "rest", kind="long")
    assert grades(playing) == ["minor"]
    assert playing.refused("Bo", "treat", **TREAT, grade="minor") == "switched_off"
