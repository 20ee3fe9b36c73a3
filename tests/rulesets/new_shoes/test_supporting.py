"""Support for another's roll."""

from __future__ import annotations

import pytest

from tests.rulesets.new_shoes.playing import Playing


@pytest.fixture
def under_way(playing: Playing) -> Playing:
    """Kira rolls Body 4 against 12."""
    playing.approach("Kira", "body", 12)
    return playing


def test_support_is_worth_the_supporters_attribute(under_way: Playing) -> None:
    """NS-07: as a status for that roll; Lund has Mind 5."""
    under_way.act("Cy", "support", who="Lund", supported="Kira", attribute="mind")
    outcome = under_way.roll("Kira", 2, 2, 2, 2)
    assert under_way.told(outcome, "dice_thrown")["total"] == 13
    assert under_way.told(outcome, "approach_rolled")["terms"] == [{"name": "support of Lund", "amount": 5}]


def test_support_is_for_one_roll(under_way: Playing) -> None:
    """NS-07: the next one is alone again."""
    under_way.act("Cy", "support", who="Lund", supported="Kira", attribute="mind")
    under_way.roll("Kira", 2, 2, 2, 2)
    under_way.approach("Kira", "body", 12)
    assert under_way.told(under_way.roll("Kira", 2, 2, 2, 2), "dice_thrown")["total"] == 8


def test_the_present_value_counts_without_the_supporters_statuses(under_way: Playing) -> None:
    """NS-07: Lund is inspired, and wounded; only the wound matters."""
    under_way.status("inspired", 4, who="Lund")
    under_way.act("Cy", "support", who="Lund", supported="Kira", attribute="mind")
    under_way.act("Ada", "override", who="Lund", what="mind", value=2)
    assert under_way.told(under_way.roll("Kira", 2, 2, 2, 2), "dice_thrown")["total"] == 10


def test_several_may_support(under_way: Playing) -> None:
    """NS-07: an NPC's hand is as good as any: it rolls nothing."""
    under_way.act("Cy", "support", who="Lund", supported="Kira", attribute="mind")
    under_way.act("Ada", "support", who="Troll", supported="Kira", attribute="body")
    assert under_way.told(under_way.roll("Kira", 2, 2, 2, 2), "dice_thrown")["total"] == 18


def test_the_knocked_out_cannot_support(under_way: Playing) -> None:
    """NS-07, NS-12: neither offer it, nor still give it when the dice fall."""
    under_way.act("Cy", "support", who="Lund", supported="Kira", attribute="mind")
    under_way.act("Ada", "override", who="Lund", what="body", value=0)
    assert under_way.told(under_way.roll("Kira", 2, 2, 2, 2), "dice_thrown")["total"] == 8
    under_way.approach("Kira", "body", 12)
    assert under_way.refused("Cy", "support", who="Lund", supported="Kira", attribute="mind") == "knocked_out"


def test_reactions_may_be_supported(playing: Playing) -> None:
    """NS-07: even before they are described."""
    playing.act("Ada", "prompt_reaction", who="Kira", words="A stone!", attribute="body", target=12)
    playing.act("Cy", "support", who="Lund", supported="Kira", attribute="will")
    (approach,) = playing.look("Bo").game.approaches
    playing.describe("Kira", approach=approach)
    assert playing.told(playing.roll("Kira", 2, 2, 2, 2), "dice_thrown")["total"] == 11


def test_opponents_may_be_supported_but_nobody_helps_both(playing: Playing) -> None:
    """NS-07: the support counts on the opponent's side."""
    playing.describe("Kira")
    playing.describe("Lund")
    fields = {"attribute": "mind", "opponent": "Lund", "opposing_attribute": "body"}
    playing.act("Ada", "call_opposed", who="Kira", **fields)
    playing.act("Ada", "support", who="Troll", supported="Lund", attribute="will")
    assert playing.refused("Ada", "support", who="Troll", supported="Kira", attribute="will") == "one_side"
    assert playing.refused("Cy", "support", who="Lund", supported="Kira", attribute="will") == "one_side"
    assert playing.told(playing.roll("Kira", 2, 2, 2, 1, 1), "dice_thrown")["opposing_total"] == 4


def test_support_can_be_withdrawn(under_way: Playing) -> None:
    under_way.act("Cy", "support", who="Lund", supported="Kira", attribute="mind")
    assert under_way.refused("Cy", "support", who="Lund", supported="Kira", attribute="will") == "no_change"
    under_way.act("Cy", "withdraw_support", who="Lund", supported="Kira")
    assert under_way.refused("Cy", "withdraw_support", who="Lund", supported="Kira") == "no_change"
    assert under_way.told(under_way.roll("Kira", 2, 2, 2, 2), "dice_thrown")["total"] == 8


def test_who_cannot_support(under_way: Playing) -> None:
    """NS-07: not oneself, not without the attribute, not by another's hand."""
    assert under_way.refused("Bo", "support", who="Kira", supported="Kira", attribute="will") == "one_side"
    assert under_way.refused("Ada", "support", who="Troll", supported="Kira", attribute="mind") == "no_attribute"
    assert under_way.refused("Bo", "support", who="Lund", supported="Kira", attribute="mind") == "not_yours"
    assert under_way.refused("Cy", "support", who="Lund", supported="Troll", attribute="mind") == "no_approach"
