"""Evenings, encounters, rests and days, and what hangs on them."""

from __future__ import annotations

import pytest

from astragal.table.refusals import Refusal
from tests.table.seated import Seated


def test_evenings_are_counted(seated: Seated) -> None:
    for evening in (1, 2):
        seated.act("Ada", "begin_evening")
        assert seated.look("Di").calendar.evening == evening
        assert seated.look("Di").calendar.sitting
        seated.act("Ada", "end_evening")
        assert not seated.look("Di").calendar.sitting


def test_an_evening_begins_and_ends_once(seated: Seated) -> None:
    assert seated.refused("Ada", "end_evening") == "not_begun"
    seated.act("Ada", "begin_evening")
    with pytest.raises(Refusal, match="Evening 1 has not ended yet"):
        seated.act("Ada", "begin_evening")


def test_an_encounter_begins_and_ends_once(seated: Seated) -> None:
    assert seated.refused("Ada", "end_encounter") == "not_begun"
    seated.act("Ada", "begin_encounter", name="The bridge")
    assert seated.look("Bo").calendar.encounter == "The bridge"
    with pytest.raises(Refusal, match="“The bridge” has not ended yet"):
        seated.act("Ada", "begin_encounter")
    seated.act("Ada", "end_encounter")
    assert seated.look("Bo").calendar.encounter is None


def test_an_encounter_ends_with_its_scene(seated: Seated) -> None:
    seated.act("Ada", "improvise_scene", title="The gorge")
    seated.act("Ada", "begin_encounter", name="The bridge")
    ended = seated.act("Ada", "end_scene")
    assert [event.name for event in ended.events] == ["scene_ended", "encounter_ended"]
    assert seated.look("Bo").calendar.encounter is None


def test_an_encounter_outlasts_its_evening(seated: Seated) -> None:
    seated.act("Ada", "begin_evening")
    seated.act("Ada", "begin_encounter", name="The bridge")
    seated.act("Ada", "end_evening")
    assert seated.look("Bo").calendar.encounter == "The bridge"


def test_days_are_counted_from_one(seated: Seated) -> None:
    assert seated.look("Bo").calendar.day == 1
    passed = seated.act("Ada", "pass_day")
    assert passed.events[0].fields == {"day": 1}
    assert seated.look("Bo").calendar.day == 2


def test_every_players_character_rests_unless_some_are_named(seated: Seated) -> None:
    seated.act("Ada", "join", name="The innkeeper")
    kira, lund = list(seated.look("Ada").characters)[:2]
    assert seated.act("Ada", "rest").events[0].fields == {"kind": "short", "who": [kira, lund]}
    rested = seated.act("Ada", "rest", kind="care", who=[lund, lund])
    assert rested.events[0].fields == {"kind": "care", "who": [lund]}
    assert rested.events[0].words == "thorough care for Lund"


def test_nobody_unknown_can_rest(seated: Seated) -> None:
    assert seated.refused("Ada", "rest", who=["nobody"]) == "no_such_thing"
    for character in seated.look("Ada").characters:
        seated.act("Ada", "give_character", character=character)
    assert seated.refused("Ada", "rest") == "nobody"


def test_a_rewind_goes_back_to_the_evening_and_the_day(seated: Seated) -> None:
    seated.act("Ada", "begin_evening")
    node = str(seated.act("Ada", "mark_save_node", label="before").events[0].fields["node"])
    seated.act("Ada", "pass_day")
    seated.act("Ada", "end_evening")
    seated.act("Ada", "begin_evening")
    seated.act("Ada", "rewind", node=node, price="nerve")
    calendar = seated.look("Bo").calendar
    assert (calendar.evening, calendar.sitting, calendar.day) == (1, True, 1)
