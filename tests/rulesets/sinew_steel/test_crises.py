"""Crises at the table: whom they strike, what they do, and when that ends."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from astragal.rulesets.sinew_steel import SINEW_STEEL
from astragal.table.log.repository import Outcome
from tests.rulesets.sinew_steel.conftest import Open
from tests.rulesets.sinew_steel.playing import Playing
from tests.rulesets.sinew_steel.test_fuse import party, raised


@pytest.fixture
def brink(open_table: Open) -> Playing:
    """Shared Pressure at 4; Kira carries a lamp and a rope."""
    return at_the_brink(open_table)


def at_the_brink(open_table: Open, **options: Any) -> Playing:
    playing = party(open_table, **options)
    playing.act("Ada", "begin_evening")
    playing.act("Ada", "improvise_scene", title="The weir")
    for item in ("lamp", "rope"):
        playing.act("Bo", "carry", who="Kira", item={"name": item})
    raised(playing, 4, **({"who": "Kira"} if options.get("pressure") == "personal" else {}))
    return playing


def crisis(playing: Playing, pick: int, *faces: int, **fields: Any) -> Outcome:
    """Kira fills the track, and the custodian picks or (with 0) rolls."""
    waits = playing.act("Ada", "raise_pressure", **{"who": "Kira", **fields})
    playing.roll(*faces)
    return playing.answer("Ada", waits, pick)


@pytest.mark.parametrize("reset", [0, 1])
def test_reaching_five_brings_a_crisis_and_resets_the_track(open_table: Open, reset: int) -> None:
    """SS-54"""
    playing = at_the_brink(open_table, crisis_reset=reset)
    outcome = crisis(playing, 0, 4, rise=3)
    assert playing.told(outcome, "pressure_rose")["after"] == 5
    assert playing.told(outcome, "crisis_broke")["results"] == [4]
    assert playing.look("Bo").game.pressure == reset


def test_a_crisis_that_is_thrown_by_hand_asks_for_the_hands_dice_after_the_choice(tmp_path: Path) -> None:
    """SS-55: the offer comes before the first die, and the server draws none of them."""
    playing = Playing.opened(tmp_path, SINEW_STEEL, "The Weir", house={"hand_dice": True})
    playing.act("Bo", "make_hero", name="Kira")
    playing.act("Ada", "begin_evening")
    raised(playing, 4)
    ada = playing.seats["Ada"]
    waits = playing.host.act(playing.table, ada, ("raise_pressure", {"who": "Kira"}), by_hand=True)
    asked = playing.act("Ada", "answer", act=waits.act, answer=0)
    assert asked.waits_for == ("dice",)
    playing.act("Ada", "answer", act=waits.act, answer=[6])
    outcome = playing.act("Ada", "answer", act=waits.act, answer=[6, 2, 2, 4])
    assert playing.told(outcome, "crisis_broke")["results"] == [2, 4]
    assert {die["source"] for die in playing.told(outcome, "rolled")["dice"]} == {"entered"}


def test_the_custodian_chooses_among_the_skins_crises(brink: Playing) -> None:
    """SS-55: each row with its name and text; the first answer rolls."""
    brink.act("Ada", "raise_pressure", who="Kira")
    (decision,) = brink.host.decisions(brink.table, brink.seats["Ada"])
    assert [choice.answer for choice in decision.choices] == [0, 1, 2, 3, 4, 5, 6]
    assert decision.choices[1].words.startswith("Out of your hands: Something else moves you")


def test_a_crisis_strikes_whoever_filled_the_track_or_whom_the_custodian_names(brink: Playing) -> None:
    """SS-55"""
    assert brink.refused("Ada", "raise_pressure") == "strikes_nobody"
    outcome = crisis(brink, 3, who=None, strikes="Lund")
    assert brink.told(outcome, "crisis_struck")["who"] == [brink.who("Lund").id]
    raised(brink, 4)
    outcome = crisis(brink, 3, strikes="Lund")
    assert brink.told(outcome, "crisis_struck")["who"] == [brink.who("Kira").id]


def test_displacement_strikes_all(brink: Playing) -> None:
    """SS-55: result 4."""
    struck = brink.told(crisis(brink, 4), "crisis_struck")["who"]
    assert struck == [brink.who("Kira").id, brink.who("Lund").id]


def test_a_failed_tampering_brings_it_in_the_same_deed(brink: Playing) -> None:
    """SS-51, SS-54, SS-55"""
    brink.roll(20)
    waits = brink.act("Bo", "tamper", who="Kira", attribute="INT", stakes="the seal")
    assert waits.waits_for == ("custodian",)
    brink.roll(6, 3, 3, 4)
    outcome = brink.answer("Ada", waits, 0)
    assert brink.names(outcome)[:4] == ["decided", "rolled", "tried", "pressure_rose"]
    assert brink.told(outcome, "crisis_broke")["results"] == [3, 4]


def test_loss_of_control_lasts_for_a_scene(brink: Playing) -> None:
    """SS-55: result 1: the custodian plays the hero, decisions included."""
    crisis(brink, 1)
    assert brink.refused("Bo", "test", who="Kira", attribute="REF", stakes="the rope") == "not_allowed"
    brink.roll(11)
    waits = brink.test("Ada", "Kira", "REF")
    assert brink.refused("Bo", "answer", act=waits.act, answer=-1) == "not_yours"
    brink.answer("Ada", waits, 0)
    brink.act("Ada", "end_scene")
    brink.roll(5)
    brink.test("Bo", "Kira", "REF")


def test_without_a_scene_loss_of_control_lasts_for_the_evening(open_table: Open) -> None:
    """SS-55: and not for the next one too."""
    playing = party(open_table)
    playing.act("Ada", "begin_evening")
    raised(playing, 4)
    crisis(playing, 1)
    assert playing.refused("Bo", "test", who="Kira", attribute="REF", stakes="the rope") == "not_allowed"
    playing.act("Ada", "end_evening")
    playing.roll(4)
    playing.test("Bo", "Kira", "REF")


def test_withering_takes_stamina_and_a_key_item(brink: Playing) -> None:
    """SS-54, SS-55: result 2; the player says which."""
    waits = crisis(brink, 2)
    assert waits.waits_for == ("struck",)
    brink.answer("Bo", waits, "rope")
    kira = brink.sheet("Kira")
    assert (kira.stamina, [item.name for item in kira.gear]) == (4, ["lamp"])


def test_what_weighs_something_is_lost_first(brink: Playing) -> None:
    """SS-55: trinkets come last, and otherwise what was carried first; Stamina goes before the item."""
    brink.act("Bo", "drop", who="Kira", item="lamp")
    brink.act("Bo", "drop", who="Kira", item="rope")
    for name, substantial in (("ring", False), ("spade", True), ("coin", False), ("axe", True)):
        brink.act("Bo", "carry", who="Kira", item={"name": name, "substantial": substantial})
    waits = crisis(brink, 2)
    (decision,) = brink.host.decisions(brink.table, brink.seats["Bo"])
    assert [choice.answer for choice in decision.choices] == ["spade", "axe", "ring", "coin"]
    outcome = brink.answer("Bo", waits, "ring")
    assert brink.names(outcome)[-3:] == ["crisis_struck", "lost", "item_lost"]


def test_disadvantage_on_all_rolls_of_the_next_session(brink: Playing) -> None:
    """SS-55: result 3: not for the rest of this one, and not after the next."""
    crisis(brink, 3)
    brink.roll(5)
    assert footing(brink) == "level"
    brink.act("Ada", "end_evening")
    brink.act("Ada", "begin_evening")
    brink.roll(5, 6)
    assert footing(brink) == "disadvantage"
    brink.act("Ada", "end_evening")
    brink.act("Ada", "begin_evening")
    brink.roll(5)
    assert footing(brink) == "level"


def footing(playing: Playing) -> Any:
    return playing.told(playing.test("Bo", "Kira", "REF"), "tried")["roll"]["footing"]


def test_foes_have_advantage_on_their_next_roll(brink: Playing) -> None:
    """SS-55: result 5: the heroes don't, and the roll after it is level again."""
    crisis(brink, 5)
    brink.roll(5)
    assert footing(brink) == "level"
    brink.roll(5, 18)
    roll = brink.told(brink.test("Ada", "Guard", "REF"), "tried")["roll"]
    assert (roll["footing"], roll["because"]) == ("advantage", ["The cat is out"])
    brink.roll(5)
    assert brink.told(brink.test("Ada", "Guard", "REF"), "tried")["roll"]["footing"] == "level"


def test_a_defence_uses_the_foes_advantage_up_too(brink: Playing) -> None:
    """SS-55"""
    crisis(brink, 5)
    brink.roll(20, 5, 18)
    told = brink.told(brink.act("Bo", "attack", attacker="Kira", defender="Guard"), "attacked")
    assert told["defence"]["footing"] == "advantage"
    assert not brink.look("Ada").conditions


def test_both_results_of_a_six_apply(brink: Playing) -> None:
    """SS-55: a crisis of roll twice, again and again."""
    waits = crisis(brink, 0, 6, 6, 6, 2, 2, 6, 1)
    outcome = brink.answer("Bo", waits, "lamp")
    assert brink.told(outcome, "crisis_broke")["results"] == [2, 1]
    assert brink.sheet("Kira").stamina == 4
    assert brink.refused("Bo", "test", who="Kira", attribute="REF", stakes="the rope") == "not_allowed"


def test_ones_own_track_strikes_oneself(open_table: Open) -> None:
    """SS-50, SS-55"""
    playing = at_the_brink(open_table, pressure="personal")
    crisis(playing, 3)
    assert (playing.sheet("Kira").pressure, playing.sheet("Lund").pressure) == (0, 0)
    (shadow,) = playing.look("Bo").conditions.values()
    assert shadow.who == playing.who("Kira").id


@pytest.mark.parametrize(
    ("picked", "numbers"),
    [
        (1, {"out_of_control": 1}),
        (3, {"disadvantage": 1, "from_evening": 2}),
        (5, {"advantage": 1, "for_foes": 1, "next_roll": 1}),
    ],
)
def test_what_a_crisis_leaves_has_its_numbers(brink: Playing, picked: int, numbers: dict[str, int]) -> None:
    """SS-55: each counts once, and a long shadow from the next session on."""
    crisis(brink, picked)
    (left,) = brink.look("Ada").conditions.values()
    assert dict(left.numbers) == numbers


def test_each_result_is_told_with_whom_it_strikes(brink: Playing) -> None:
    """SS-54, SS-55: displacement strikes all, anything else the one who filled the track."""
    everyone = [one.id for one in brink.look("Ada").characters.values() if one.sheet.is_hero]
    outcome = crisis(brink, 4)
    assert brink.told(outcome, "crisis_struck")["who"] == everyone
    assert not brink.look("Ada").conditions
    raised_again = [brink.act("Ada", "raise_pressure", who="Kira") for _ in range(4)]
    assert raised_again
    outcome = crisis(brink, 3)
    assert brink.told(outcome, "crisis_struck")["who"] == [brink.who("Kira").id]


def test_who_carries_nothing_loses_stamina_alone(brink: Playing) -> None:
    """SS-55: result 2."""
    for item in ("lamp", "rope"):
        brink.act("Bo", "drop", who="Kira", item=item)
    assert brink.names(crisis(brink, 2))[-2:] == ["crisis_struck", "lost"]
