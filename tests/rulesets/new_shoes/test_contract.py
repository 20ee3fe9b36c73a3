"""What every rule and every ruleset must keep."""

from __future__ import annotations

import pytest

from astragal.chance.contract import rules_in
from astragal.rulesets.new_shoes import NEW_SHOES, rules
from astragal.rulesets.new_shoes.heroes import THE_TEN
from astragal.table.authoring.ruleset import HeroBook
from astragal.table.contract import GAME_MASTER, OTHER_PLAYER, PLAYER, Step, faults_at_table
from astragal.table.refusals import NotAnOption

OPPOSED = {"who": "Kira", "attribute": "mind", "opponent": "Lund", "opposing_attribute": "body"}
HEALING = {"who": "Lund", "attribute": "mind", "target": "easy", "patient": "Kira", "healed": "body"}

EVENING = [
    Step(PLAYER, "make_hero", {"name": "Kira", "body": 4, "mind": 3, "will": 3}),
    Step(OTHER_PLAYER, "make_hero", {"name": "Lund", "body": 2, "mind": 5, "will": 3}),
    Step(GAME_MASTER, "make_npc", {"name": "Gate", "thing": True}),
    Step(GAME_MASTER, "make_npc", {"name": "Ogre", "body": 7}),
    Step(PLAYER, "describe", {"who": "Kira", "words": "I hit it.", "harmful": True}),
    Step(GAME_MASTER, "call_approach", {"who": "Kira", "attribute": "body", "target": 25, "against": "Gate"}),
    Step(PLAYER, "roll_approach", {"who": "Kira"}, faces=(6, 6, 6, 6, 5, 5, 5, 5)),
    Step(PLAYER, "learn", {"who": "Kira", "speciality": "Gates"}),
    Step(PLAYER, "describe", {"who": "Kira", "words": "I say yes."}),
    Step(OTHER_PLAYER, "describe", {"who": "Lund", "words": "I say no.", "harmful": True}),
    Step(GAME_MASTER, "support", {"who": "Ogre", "supported": "Kira", "attribute": "body"}),
    Step(GAME_MASTER, "withdraw_support", {"who": "Ogre", "supported": "Kira"}),
    Step(GAME_MASTER, "call_opposed", OPPOSED),
    Step(PLAYER, "roll_approach", {"who": "Kira"}, faces=(1, 1, 1, 6, 5, 5)),
    Step(GAME_MASTER, "keep_down", {"who": "Kira"}),
    Step(GAME_MASTER, "wake", {"who": "Kira"}),
    Step(
        GAME_MASTER, "prompt_reaction", {"who": "Kira", "words": "!", "attribute": "body", "target": 9, "hidden": True}
    ),
    Step(PLAYER, "describe", {"who": "Kira", "words": "I duck.", "approach": "act-17"}),
    Step(PLAYER, "roll_approach", {"who": "Kira"}, faces=(2, 2, 2, 1)),
    Step(OTHER_PLAYER, "describe", {"who": "Lund", "words": "I bind it up."}),
    Step(GAME_MASTER, "call_healing", HEALING),
    Step(OTHER_PLAYER, "roll_approach", {"who": "Lund"}, faces=(2, 2, 2, 2, 2)),
]


def test_every_rule_is_listed() -> None:
    assert rules_in(rules) == list(NEW_SHOES.rules)


@pytest.mark.slow
def test_the_ruleset_keeps_the_contract() -> None:
    assert not faults_at_table(NEW_SHOES, EVENING, options={"lessons": True})


# ---------------------------------------------------------------- heroes on paper


@pytest.fixture
def heroes() -> HeroBook:
    assert NEW_SHOES.heroes is not None
    return NEW_SHOES.heroes


def test_the_ten_points_are_accounted_for(heroes: HeroBook) -> None:
    """NS-01: at every step, and however wrong it is."""
    options = NEW_SHOES.options()
    assert heroes.accounts({}, options) == ["0 of 10 points given, 10 left"]
    assert heroes.accounts({"body": 5, "mind": 8, "will": "x"}, options) == ["13 of 10 points given, 3 too many"]


def test_repairs_are_heroes_again(heroes: HeroBook) -> None:
    """NS-01: with all that was not wrong."""
    moth = {"name": "Moth", "body": 9, "mind": 1, "will": 1}
    (repair,) = heroes.repairs(moth, NEW_SHOES.options())
    assert (repair.words, repair.hero) == ("Body 9 → 8", {**moth, "body": 8})
    assert not heroes.repairs({"name": "Moth"}, NEW_SHOES.options())


def test_a_random_hero_may_be_wished_for(heroes: HeroBook) -> None:
    """NS-01: with an attribute that none exceeds."""
    assert heroes.random is not None
    for number in range(40):
        hero = heroes.random(lambda limit: number % limit, {"best": "Will"}, NEW_SHOES.options())  # noqa: B023
        spread = {key: hero[key] for key in ("body", "mind", "will")}
        assert not THE_TEN.faults(spread)
        assert spread["will"] == max(spread.values())
    with pytest.raises(NotAnOption):
        heroes.random(lambda _: 0, {"best": "luck"}, NEW_SHOES.options())


def test_the_books_tables_have_the_vectors() -> None:
    """NS-17: three dice beat 12 with 42.1 percent, two beat one with 193 in 245."""
    targets, opposed = (table() for table in NEW_SHOES.tables.values())
    assert targets.rows[2][3] == "42.1"
    assert opposed.rows[1][1] == "78.8"
