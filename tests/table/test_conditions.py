"""Conditions: what holds, for whom, and when it ends by itself."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.table.chapters.conditions import conditions_on, modifier, new_condition
from astragal.table.state.things import Until
from tests.table.canaries import assert_unknown, reaches
from tests.table.seated import Seated

CANARY = "the-hag-marked-her"


def begin(seated: Seated, name: str, **fields: Any) -> str:
    return str(seated.act("Ada", "begin_condition", name=name, **fields).events[0].fields["condition"]["id"])


def held(seated: Seated, seat: str = "Bo") -> list[str]:
    return [condition.name for condition in seated.look(seat).conditions.values()]


def kira(seated: Seated) -> str:
    return next(who for who, one in seated.look("Ada").characters.items() if one.name == "Kira")


def test_a_condition_is_on_a_character_or_on_everyone(seated: Seated) -> None:
    begin(seated, "shaken", who=kira(seated), numbers={"nerve": -1})
    begin(seated, "fog", numbers={"nerve": -2, "sight": -1})
    state = seated.look("Bo")
    lund = next(who for who in state.characters if who != kira(seated))
    assert [one.name for one in conditions_on(state, kira(seated))] == ["shaken", "fog"]
    assert [one.name for one in conditions_on(state, lund)] == ["fog"]
    assert modifier(state, kira(seated), "nerve") == -3
    assert modifier(state, lund, "nerve") == -2
    assert modifier(state, lund, "luck") == 0


def test_a_hidden_condition_counts_for_the_game_master_alone(seated: Seated) -> None:
    begin(seated, "shaken", who=kira(seated), numbers={"nerve": -1})
    begin(seated, "cursed", numbers={"nerve": -1, "luck": 0}, hidden=True)
    assert modifier(seated.look("Ada"), kira(seated), "nerve") == -2
    assert modifier(seated.look("Bo"), kira(seated), "nerve") == -1


@pytest.mark.parametrize(
    ("until", "begins", "ends"),
    [
        (Until.SCENE_ENDS, ("improvise_scene", {"title": "A gorge"}), ("end_scene", {})),
        (Until.SCENE_ENDS, ("improvise_scene", {"title": "A gorge"}), ("improvise_scene", {"title": "A cave"})),
        (Until.ENCOUNTER_ENDS, ("begin_encounter", {}), ("end_encounter", {})),
        (Until.EVENING_ENDS, ("begin_evening", {}), ("end_evening", {})),
        (Until.SHORT_REST, ("begin_evening", {}), ("rest", {"kind": "short"})),
        (Until.SHORT_REST, ("begin_evening", {}), ("rest", {"kind": "care"})),
        (Until.SHORT_REST, ("begin_evening", {}), ("rest", {"kind": "long"})),
        (Until.LONG_REST, ("begin_evening", {}), ("rest", {"kind": "long"})),
        (Until.DAY_ENDS, ("begin_evening", {}), ("pass_day", {})),
    ],
)
def test_a_condition_ends_by_itself_and_only_when_its_time_has_come(
    seated: Seated, until: Until, begins: tuple[str, dict[str, Any]], ends: tuple[str, dict[str, Any]]
) -> None:
    seated.act("Ada", begins[0], **begins[1])
    for other in Until:
        begin(seated, other.name, who=kira(seated), until=other.value)
    seated.act("Ada", ends[0], **ends[1])
    assert until.name not in held(seated)
    assert "TOLD" in held(seated)
    assert "NEXT_EVENING_ENDS" in held(seated)


def test_a_short_rest_or_care_does_not_end_what_needs_a_long_one(seated: Seated) -> None:
    begin(seated, "broken leg", who=kira(seated), until="a long rest")
    seated.act("Ada", "rest", kind="short")
    seated.act("Ada", "rest", kind="care")
    assert held(seated) == ["broken leg"]


def test_a_rest_is_for_those_who_take_it(seated: Seated) -> None:
    lund = next(who for who in seated.look("Ada").characters if who != kira(seated))
    begin(seated, "tired", who=kira(seated), until="a rest")
    seated.act("Ada", "rest", who=[lund])
    assert held(seated) == ["tired"]


def test_the_next_evening_is_the_first_that_begins_after_the_condition(seated: Seated) -> None:
    seated.act("Ada", "begin_evening")
    begin(seated, "cursed", until="the next evening ends")
    seated.act("Ada", "end_evening")
    begin(seated, "cursed between", until="the next evening ends")
    seated.act("Ada", "begin_evening")
    assert held(seated) == ["cursed", "cursed between"]
    seated.act("Ada", "end_evening")
    assert held(seated) == []


@pytest.mark.parametrize(
    ("until", "begins", "what"),
    [
        ("the scene ends", ("improvise_scene", {"title": "A gorge"}), "scene"),
        ("the encounter ends", ("begin_encounter", {}), "encounter"),
    ],
)
def test_without_a_scene_the_end_of_the_evening_counts(
    seated: Seated, until: str, begins: tuple[str, dict[str, Any]], what: str
) -> None:
    """Nothing else would ever end it, and the game master is told; what is going on may go on the next evening."""
    seated.act("Ada", "begin_evening")
    begin(seated, "possessed", who=kira(seated), until=until)
    ended = seated.act("Ada", "end_evening").events[-1]
    assert ended.words == f"Kira: possessed is over (the evening ends, and no {what} is going on)"
    seated.act("Ada", "begin_evening")
    seated.act("Ada", begins[0], **begins[1])
    begin(seated, "possessed", who=kira(seated), until=until)
    seated.act("Ada", "end_evening")
    assert held(seated) == ["possessed"]


def test_the_end_says_what_ended_it(seated: Seated) -> None:
    begin(seated, "shaken", who=kira(seated), until="the encounter ends")
    seated.act("Ada", "improvise_scene", title="A gorge")
    seated.act("Ada", "begin_encounter")
    ended = seated.act("Ada", "end_scene").events[-1]
    assert ended.words == "Kira: shaken is over (the encounter ends)"
    assert ended.fields["why"] == "the encounter ends"


def test_the_game_master_can_end_any_condition_once(seated: Seated) -> None:
    shaken = begin(seated, "shaken", until="the scene ends")
    ended = seated.act("Ada", "end_condition", condition=shaken, words="she laughs").events[0]
    assert ended.words == "everyone: shaken is over (she laughs)"
    assert seated.refused("Ada", "end_condition", condition=shaken) == "no_such_thing"


@pytest.mark.parametrize("key", ["", "two words", "a" * 41, "<script>", "\ue000"])
def test_the_key_of_a_number_is_a_word(seated: Seated, key: str) -> None:
    assert seated.refused("Ada", "begin_condition", name="odd", numbers={key: 1}) in ("bad_key", "bad_fields")


def test_a_number_of_a_condition_has_a_limit(seated: Seated) -> None:
    assert seated.refused("Ada", "begin_condition", name="odd", numbers={"nerve": 100}) == "bad_fields"


def test_a_condition_on_nobody_known_is_refused(seated: Seated) -> None:
    assert seated.refused("Ada", "begin_condition", name="odd", who="nobody") == "no_such_thing"


def test_a_rewind_brings_an_ended_condition_back(seated: Seated) -> None:
    shaken = begin(seated, "shaken", until="the game master says so")
    node = str(seated.act("Ada", "mark_save_node", label="before").events[0].fields["node"])
    seated.act("Ada", "end_condition", condition=shaken)
    begin(seated, "bleeding")
    seated.act("Ada", "rewind", node=node, price="nerve")
    assert held(seated) == ["shaken"]


def test_a_hidden_condition_never_reaches_a_player(seated: Seated) -> None:
    before = seated.host.follow(seated.table, seated.seats["Bo"])
    marked = begin(seated, CANARY, who=kira(seated), effect=CANARY, until="the day ends", hidden=True)
    assert CANARY in reaches(seated, "Ada")
    assert seated.host.follow(seated.table, seated.seats["Bo"]) == before
    assert_unknown(seated, ("Bo", "Cy", "Di"), CANARY, marked)
    seated.act("Ada", "pass_day")
    assert CANARY not in held(seated, "Ada")
    assert CANARY not in reaches(seated, "Bo")


def test_a_ruleset_can_begin_a_condition_of_its_own(seated: Seated) -> None:
    began = new_condition(seated.look("Ada"), "c1", "shaken", who=kira(seated), until=Until.LONG_REST).condition
    assert (began.id, began.numbers, began.since_evening, began.hidden) == ("c1", {}, 0, False)
