"""Rolls that games share: footing, circumstances by name, and the conditions that bear on them."""

from __future__ import annotations

import pytest

from astragal.chance import d6, d20, highest, lowest
from astragal.game import Refusal
from astragal.game.rolls import Footing, Ground, circumstance_choices, ended_by_roll
from astragal.table.state.things import Condition, Until

USUAL = {"flanking": Footing.ADVANTAGE, "blind": Footing.DISADVANTAGE}


def condition(name: str, *, hidden: bool = False, **numbers: int) -> Condition:
    return Condition(
        id=name, who=None, name=name, effect="", numbers=numbers, until=Until.TOLD, hidden=hidden, since_evening=0
    )


def test_advantage_keeps_the_good_end_of_any_die() -> None:
    assert Footing.ADVANTAGE.die(d20).odds() == highest(2, d20).odds()
    assert Footing.ADVANTAGE.die(d6, low=True).odds() == lowest(2, d6).odds()
    assert Footing.DISADVANTAGE.die(d20).odds() == lowest(2, d20).odds()
    assert Footing.LEVEL.die(d20) is d20


def test_conditions_help_and_hinder_and_both_cancel() -> None:
    ground = Ground.of([condition("blessed", advantage=1), condition("shaken", disadvantage=2)], ("flanking",))
    assert (ground.helps, ground.hinders) == (("flanking", "blessed"), ("shaken",))
    assert ground.footing is Footing.LEVEL
    assert ground.footing.words(ground.because) == " with one die (flanking, blessed, shaken)"


def test_a_hidden_condition_counts_without_its_name() -> None:
    assert Ground.of([condition("hag-marked", hidden=True, disadvantage=1)]).because == ("unknown",)


def test_what_holds_for_one_roll_ends_with_it_once() -> None:
    feat = condition("feat", advantage=1, next_roll=1)
    assert [ended.condition.name for ended in ended_by_roll([feat, condition("fog", disadvantage=1), feat])] == ["feat"]


def test_a_word_of_the_book_is_refused_on_the_wrong_side() -> None:
    Ground.of((), ("Flanking", "high ground"), ("blind",), USUAL)
    with pytest.raises(Refusal, match="Blind gives disadvantage, not advantage"):
        Ground.of((), ("blind",), (), USUAL)


def test_a_sheet_offers_the_usual_words() -> None:
    assert [(one.label, one.rows) for one in circumstance_choices(USUAL)] == [
        ("Advantage", (("flanking", "helps"),)),
        ("Disadvantage", (("blind", "hinders"),)),
    ]
