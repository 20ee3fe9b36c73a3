"""Healing on purpose, and resting."""

from __future__ import annotations

import pytest

from astragal.rulesets.new_shoes.state import Attribute
from tests.rulesets.new_shoes.playing import Playing


@pytest.fixture
def wounded(playing: Playing) -> Playing:
    """Kira is at Body 1 of 4 and Mind 2 of 3."""
    playing.react("Kira", 11, 2, 2, 2, 2)
    playing.react("Kira", 2, 1, hurt="mind")
    return playing


def now(playing: Playing, who: str = "Kira") -> list[int]:
    return [playing.sheet(who).dice(attribute) for attribute in Attribute]


def heal(playing: Playing, target: int, *faces: int, healed: str = "body") -> None:
    """Lund heals Kira with Mind 5."""
    playing.describe("Lund")
    fields = {"attribute": "mind", "target": target, "patient": "Kira", "healed": healed}
    playing.act("Ada", "call_healing", who="Lund", **fields)
    playing.roll("Lund", *faces)


def test_the_wounded_of_these_tests_have_one_two_and_three_dice_left(wounded: Playing) -> None:
    assert now(wounded) == [1, 2, 3]


def test_a_restful_scene_gives_each_attribute_a_die(wounded: Playing) -> None:
    """NS-13: up to its full value, and no further."""
    wounded.act("Ada", "rest")
    assert now(wounded) == [2, 3, 3]
    wounded.act("Ada", "rest", kind="long")
    assert now(wounded) == [3, 3, 3]
    wounded.act("Ada", "rest")
    wounded.act("Ada", "rest")
    assert now(wounded) == [4, 3, 3]


def test_only_those_who_rest_recover(wounded: Playing) -> None:
    """NS-13, NS-11: Lund sleeps while Kira keeps watch; and nobody dreams up an attribute that they never had."""
    wounded.act("Ada", "rest", who=["Lund", "Troll"])
    assert now(wounded) == [1, 2, 3]
    assert wounded.sheet("Troll").mind is None


def test_healing_restores_the_difference(wounded: Playing) -> None:
    """NS-14: 12 against 10 gives 2 back."""
    heal(wounded, 10, 5, 4, 1, 1, 1)
    assert now(wounded) == [3, 2, 3]


def test_healing_ends_at_the_full_value(wounded: Playing) -> None:
    """NS-14: 20 over the target heal no more than was lost."""
    heal(wounded, 4, 5, 5, 5, 5, 4)
    assert now(wounded) == [4, 2, 3]


@pytest.mark.parametrize("faces", [(4, 3, 1, 1, 1), (1, 1, 1, 1, 1)])
def test_a_tie_or_a_failure_heals_nothing(wounded: Playing, faces: tuple[int, ...]) -> None:
    """NS-14: on a success alone."""
    heal(wounded, 10, *faces)
    assert now(wounded) == [1, 2, 3]


def test_the_chosen_attribute_is_healed(wounded: Playing) -> None:
    """NS-14: Mind, this time."""
    heal(wounded, 4, 2, 2, 2, 1, 1, healed="mind")
    assert now(wounded) == [1, 3, 3]


def test_what_is_whole_is_not_healed(wounded: Playing) -> None:
    """NS-11, NS-14: it is refused before the dice fall."""
    wounded.describe("Lund")
    fields = {"attribute": "mind", "target": 8, "patient": "Kira", "healed": "will"}
    assert wounded.sentence("Ada", "call_healing", who="Lund", **fields) == "Kira has all 3 points of Will."
    fields = {**fields, "patient": "Troll", "healed": "mind"}
    assert wounded.refused("Ada", "call_healing", who="Lund", **fields) == "nothing_to_heal"


def test_healing_wakes_nobody_before_the_scene_ends(wounded: Playing) -> None:
    """NS-12, NS-14: three points of Body, and still out; then awake with all of them."""
    wounded.react("Kira", 20, 1)
    heal(wounded, 4, 2, 2, 1, 1, 1)
    assert now(wounded) == [3, 2, 3]
    assert wounded.sheet("Kira").knocked_out
    assert wounded.refused("Bo", "describe", who="Kira", words="I get up.") == "knocked_out"
    wounded.act("Ada", "improvise_scene", title="Later")
    assert not wounded.sheet("Kira").knocked_out
    assert now(wounded) == [3, 2, 3]


def test_one_may_heal_oneself(wounded: Playing) -> None:
    """NS-14: with what is left."""
    wounded.describe("Kira")
    wounded.act("Ada", "call_healing", who="Kira", attribute="will", target=4, patient="Kira", healed="body")
    wounded.roll("Kira", 2, 2, 1)
    assert now(wounded) == [2, 2, 3]
