"""NJ-18, NJ-23, NJ-25: aspects of scene and story, and the help of others."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rulesets.narraject.conftest import Open
from tests.rulesets.narraject.playing import KIRA, SHOT, Playing

ROLL = {**SHOT, "difficulty": 1}


@pytest.mark.parametrize(
    ("preset", "said", "dice"),
    [
        ("high ground", None, 1),
        ("good light", None, 1),
        ("surprise", None, 1),
        ("surprise", 2, 2),
        ("perfect conditions", None, 1),
        ("scene injection", None, 1),
        ("major tactical advantage", None, 2),
        (None, None, 1),
        (None, 2, 2),
    ],
)
def test_aspects_lend_one_die_or_two(playing: Playing, preset: str | None, said: int | None, dice: int) -> None:
    """NJ-18: the game master grants them; the book has presets."""
    playing.act("Ada", "grant_aspect", name="Above them", preset=preset, dice=said)
    assert playing.hand(aspects=["Above them"])[1:] == [("aspect", "Above them", dice)]


@pytest.mark.parametrize(("preset", "dice"), [("high ground", 2), ("major tactical advantage", 1)])
def test_a_preset_knows_its_dice(playing: Playing, preset: str, dice: int) -> None:
    """NJ-18: high ground gives 1, a major tactical advantage 2."""
    assert playing.refused("Ada", "grant_aspect", name="Roof", preset=preset, dice=dice) == "preset"


@pytest.mark.parametrize("dice", [-1, 0, 3])
def test_aspects_never_subtract(playing: Playing, dice: int) -> None:
    """NJ-25, NJ-18: 1 or 2, and what hinders raises the difficulty instead."""
    assert playing.refused("Ada", "grant_aspect", name="Fog", dice=dice) == "bad_fields"


def test_only_the_game_master_grants(playing: Playing) -> None:
    """NJ-18: players make aspects by actions and injections."""
    assert playing.refused("Bo", "grant_aspect", name="Roof") == "not_allowed"


def test_scene_aspects_go_with_the_scene_and_story_aspects_stay(playing: Playing) -> None:
    """NJ-18, NJ-23: both are listed at the table while they hold."""
    playing.act("Ada", "improvise_scene", title="The roof")
    playing.act("Ada", "grant_aspect", name="Smoke")
    playing.act("Ada", "grant_aspect", name="Looming dark", span="story")
    assert playing.aspects("Di") == ["Smoke", "Looming dark"]
    outcome = playing.act("Ada", "improvise_scene", title="The street")
    assert "“Smoke” is over (the scene ends)" in [event.words for event in outcome.events]
    assert playing.aspects() == ["Looming dark"]
    playing.act("Ada", "end_aspect", aspect="looming dark")
    assert playing.aspects() == []
    assert playing.refused("Ada", "end_aspect", aspect="Looming dark") == "no_such_thing"


def test_anyone_may_invoke_what_the_game_master_allows(playing: Playing) -> None:
    """NJ-23: to everyone, to some, to nobody."""
    playing.act("Ada", "grant_aspect", name="Cover", open_to=["Lund"])
    assert playing.refused("Bo", "attempt", **ROLL, aspects=["Cover"]) == "not_open"
    playing.act("Ada", "allow_aspect", aspect="Cover")
    assert playing.hand(aspects=["Cover"])[1:] == [("aspect", "Cover", 1)]
    assert playing.refused("Ada", "allow_aspect", aspect="Cover") == "no_change"
    playing.act("Ada", "allow_aspect", aspect="Cover", open_to=[])
    assert playing.words("Bo")[-1] == "“Cover” is open to nobody"
    assert playing.refused("Bo", "attempt", **ROLL, aspects=["Cover"]) == "not_open"
    assert playing.refused("Ada", "allow_aspect", aspect="Cover", open_to=["Nobody"]) == "no_such_thing"


def test_an_action_makes_a_scene_aspect(playing: Playing) -> None:
    """NJ-23: a success leaves it on the table, a failure does not; NJ-18: it lends 1 die."""
    playing.shoot(1, 1, 1, makes_aspect="Smoke")
    assert playing.aspects() == []
    playing.shoot(5, 1, 1, makes_aspect="Smoke")
    (aspect,) = playing.game("Cy").aspects.values()
    assert (aspect.name, aspect.dice, aspect.span.value) == ("Smoke", 1, "scene")
    assert playing.refused("Bo", "attempt", **ROLL, makes_aspect="smoke") == "name_taken"


def test_what_is_granted_for_one_roll_goes_with_it(playing: Playing) -> None:
    """NJ-18: whatever comes of the roll; a roll that does not invoke it leaves it."""
    playing.act("Ada", "grant_aspect", name="A held breath", once=True)
    playing.shoot(1, 1, 1)
    assert playing.aspects() == ["A held breath"]
    playing.shoot(1, 1, 1, 1, aspects=["A held breath"])
    assert playing.aspects() == []


def test_only_what_is_for_one_roll_goes_and_only_where_it_is_invoked(playing: Playing) -> None:
    """NJ-18: however its name is written, for the scene or for the story."""
    playing.act("Ada", "grant_aspect", name="Roof")
    playing.act("Ada", "grant_aspect", name="A held breath", once=True)
    playing.act("Ada", "grant_aspect", name="A last favour", once=True, span="story")
    outcome = playing.shoot(1, 1, 1, 1, 1, aspects=["roof", " held BREATH "])
    assert len(playing.told(outcome, "attempted")["used_up"]) == 1
    assert playing.aspects() == ["Roof", "A last favour"]
    playing.shoot(1, 1, 1, 1, aspects=["A last favour"])
    assert playing.aspects() == ["Roof"]
    assert playing.refused("Bo", "attempt", **ROLL, aspects=["A last favour"]) == "no_such_thing"


def test_help_is_an_aspect_of_one_die_and_of_two_from_several(playing: Playing) -> None:
    """NJ-25: for the next roll of the one who is helped, and nobody else's."""
    playing.act("Cy", "make_hero", **{**KIRA, "name": "Mira"})
    playing.act("Cy", "make_hero", **{**KIRA, "name": "Nils"})
    playing.act("Cy", "offer_help", who="Lund", whom="Kira")
    assert playing.hand(aspects=["help from Lund"])[1:] == [("aspect", "help from Lund", 1)]
    playing.act("Cy", "offer_help", who="Mira", whom="Kira")
    assert playing.hand(aspects=["help from Lund and Mira"])[1:] == [("aspect", "help from Lund and Mira", 2)]
    playing.act("Cy", "offer_help", who="Nils", whom="Kira")
    (helped,) = playing.game().aspects.values()
    assert helped.dice == 2
    lund = {**ROLL, "who": "Lund"}
    assert playing.refused("Cy", "attempt", **lund, aspects=[helped.name]) == "not_open"
    playing.shoot(1, 1, 1, 1, 1, aspects=[helped.id])
    assert playing.aspects() == []


def test_nobody_helps_themselves_or_twice(playing: Playing) -> None:
    """NJ-25: help comes from another."""
    assert playing.refused("Bo", "offer_help", who="Kira", whom="Kira") == "own_help"
    assert playing.refused("Bo", "offer_help", who="Lund", whom="Kira") == "not_yours"
    playing.act("Cy", "offer_help", who="Lund", whom="Kira")
    assert playing.refused("Cy", "offer_help", who="Lund", whom="Kira") == "no_change"


def test_an_aspect_does_not_vanish_under_a_roll_that_waits(open_table: Open) -> None:
    """NJ-23: nasty: dice by hand are in the air, and what they stand on stays."""
    playing = open_table(house={"hand_dice": True})
    playing.act("Ada", "grant_aspect", name="Roof")
    command: tuple[str, dict[str, Any]] = ("attempt", {**ROLL, "aspects": ["Roof"]})
    waiting = playing.host.act(playing.table, playing.seats["Bo"], command, by_hand=True)
    assert playing.refused("Ada", "end_aspect", aspect="Roof") == "still_deciding"
    outcome = playing.act("Bo", "answer", act=waiting.act, answer=[5, 5, 5, 5])
    assert playing.told(outcome, "attempted")["successes"] == 4
    playing.act("Ada", "end_aspect", aspect="Roof")


def test_of_two_who_wait_with_one_aspect_the_second_lapses(open_table: Open) -> None:
    """NJ-18: nasty: an aspect for one roll, invoked by two whose dice are in the air at once, goes with the first."""
    playing = open_table(house={"hand_dice": True})
    playing.act("Ada", "grant_aspect", name="Roof", once=True)
    first: tuple[str, dict[str, Any]] = ("attempt", {**ROLL, "aspects": ["Roof"]})
    second: tuple[str, dict[str, Any]] = ("attempt", {**ROLL, "who": "Lund", "aspects": ["Roof"]})
    kira = playing.host.act(playing.table, playing.seats["Bo"], first, by_hand=True)
    lund = playing.host.act(playing.table, playing.seats["Cy"], second, by_hand=True)
    playing.act("Bo", "answer", act=kira.act, answer=[5, 5, 5, 5])
    outcome = playing.act("Cy", "answer", act=lund.act, answer=[5])
    assert "no aspect 'Roof' here" in playing.told(outcome, "decision_lapsed")["why"]
    assert playing.aspects() == []


def test_of_two_who_wait_to_make_one_aspect_the_second_lapses(open_table: Open) -> None:
    """NJ-23: nasty: both dice are in the air before the name is taken, and the second is told that it is."""
    playing = open_table(house={"hand_dice": True})
    first: tuple[str, dict[str, Any]] = ("attempt", {**ROLL, "makes_aspect": "Roof"})
    second: tuple[str, dict[str, Any]] = ("attempt", {**ROLL, "who": "Lund", "makes_aspect": "Roof"})
    kira = playing.host.act(playing.table, playing.seats["Bo"], first, by_hand=True)
    lund = playing.host.act(playing.table, playing.seats["Cy"], second, by_hand=True)
    playing.act("Bo", "answer", act=kira.act, answer=[5, 5, 5])
    outcome = playing.act("Cy", "answer", act=lund.act, answer=[5])
    assert "“Roof”" in playing.told(outcome, "decision_lapsed")["why"]
    assert playing.aspects() == ["Roof"]


def test_where_no_scene_runs_the_evening_ends_what_was_the_scenes(playing: Playing) -> None:
    """NJ-18, NJ-23, NJ-15: nothing else would ever end it. What is of the story stays, and the log says why."""
    playing.act("Ada", "begin_evening")
    playing.act("Ada", "grant_aspect", name="Smoke")
    playing.act("Ada", "grant_aspect", name="Looming dark", span="story")
    playing.act("Ada", "press_burden", who="Kira", burden="Hunted")
    told = [event.words for event in playing.act("Ada", "end_evening").events]
    assert "“Smoke” is over (the evening ends, and no scene is going on)" in told
    assert "“Hunted” presses on Kira no longer (the evening ends, and no scene is going on)" in told
    assert playing.aspects() == ["Looming dark"]
    assert playing.sheet("Kira").pressing == ()


def test_a_scene_that_goes_on_keeps_its_aspects_over_the_evening(playing: Playing) -> None:
    """NJ-18, NJ-15: the scene goes on at the next one."""
    playing.act("Ada", "begin_evening")
    playing.act("Ada", "improvise_scene", title="The roof")
    playing.act("Ada", "grant_aspect", name="Smoke")
    playing.act("Ada", "press_burden", who="Kira", burden="Hunted")
    playing.act("Ada", "end_evening")
    assert playing.aspects() == ["Smoke"]
    assert playing.sheet("Kira").pressing == ("Hunted",)
    told = [event.words for event in playing.act("Ada", "end_scene").events]
    assert "“Smoke” is over (the scene ends)" in told
    assert playing.sheet("Kira").pressing == ()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "“Smoke” lends 1 die"),
        ({"dice": 2}, "“Smoke” lends 2 dice"),
        ({"once": True}, "“Smoke” lends 1 die for one roll"),
        ({"span": "story"}, "“Smoke” lends 1 die for the story"),
        ({"open_to": ["Kira"]}, "“Smoke” lends 1 die to Kira"),
        ({"open_to": ["Lund", "kira"], "once": True}, "“Smoke” lends 1 die to Lund, Kira for one roll"),
    ],
)
def test_an_aspect_is_told_with_all_that_holds_of_it(playing: Playing, fields: dict[str, Any], words: str) -> None:
    """NJ-18, NJ-23: how many dice, to whom, for how long."""
    playing.act("Ada", "grant_aspect", name="Smoke", **fields)
    assert playing.words("Bo")[-1] == words


def test_an_aspect_for_one_roll_goes_with_the_first_that_invokes_it(playing: Playing) -> None:
    """NJ-18: with that one and no other; one that is not for one roll stays."""
    playing.act("Ada", "grant_aspect", name="Surprise", dice=2, once=True)
    playing.act("Ada", "grant_aspect", name="High ground")
    playing.shoot(1, 1, 1)
    assert playing.aspects() == ["Surprise", "High ground"]
    playing.shoot(1, 1, 1, 1, 1, 1, aspects=["Surprise", "High ground"])
    assert playing.aspects() == ["High ground"]


def test_two_aspects_of_one_name_are_refused(playing: Playing) -> None:
    """NJ-18, NJ-23: an aspect is invoked by its name."""
    playing.act("Ada", "grant_aspect", name="Smoke")
    assert playing.refused("Ada", "grant_aspect", name="smoke") == "name_taken"


def test_open_to_names_only_those_who_are_there(playing: Playing) -> None:
    """NJ-23, NJ-25: each once, however they are named."""
    said = playing.sentence("Ada", "grant_aspect", name="Smoke", open_to=["Nobody"])
    assert said == "There is no character 'Nobody' here: Kira, Lund."
    playing.act("Ada", "grant_aspect", name="Smoke", open_to=["Kira", "KIRA"])
    assert playing.game().aspects[next(iter(playing.game().aspects))].open_to == (playing.who("Kira").id,)
