"""What went into a roll, in the words of Sinew & Steel and of its skins."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.chance import Notable, Question
from astragal.game.rolls import Footing
from astragal.rulesets.sinew_steel.contests import opposed_test
from astragal.rulesets.sinew_steel.display import breakdown, offer_words
from astragal.rulesets.sinew_steel.fights import Aim, attack, side_order
from astragal.rulesets.sinew_steel.harm import Blow
from astragal.rulesets.sinew_steel.luck import blessing, luck_test, nudged_test
from astragal.rulesets.sinew_steel.options import LuckTarget
from astragal.rulesets.sinew_steel.pressure import crisis, rising
from astragal.rulesets.sinew_steel.rolls import Stand
from astragal.rulesets.sinew_steel.state import TERMS
from astragal.rulesets.sinew_steel.trials import FailurePrice, tampering
from astragal.rulesets.sinew_steel.wealth import purchase
from astragal.table.authoring.log_lines import Teller
from tests.rulesets.sinew_steel.conftest import Open
from tests.rulesets.sinew_steel.playing import Playing

HELPED, HINDERED = Stand(Footing.ADVANTAGE), Stand(Footing.DISADVANTAGE)
LUCKY = Stand(luck=8)
DEAR = Stand(luck=1, surcharge=1, favours=2)

Told = dict[str, str]


def told(playing: Playing, question: Question[Any], **terms: str) -> Told:
    return dict(breakdown(question, Teller(playing.look("Ada"), {**TERMS, **terms})))


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (nudged_test(12), {"Score": "12"}),
        (nudged_test(12, HELPED), {"Score": "12", "Dice": "the lower of two (advantage)"}),
        (nudged_test(12, HINDERED), {"Score": "12", "Dice": "the higher of two (disadvantage)"}),
        (nudged_test(12, LUCKY, lethal=True), {"Score": "12", "Luck": "8 tokens", "Stakes": "lethal"}),
        (nudged_test(12, Stand(always_asked=True, closed=True)), {"Score": "12"}),
        (
            nudged_test(12, DEAR),
            {"Score": "12", "Luck": "1 token and 2 from the ally; to spend costs 1 more for Pressure"},
        ),
        (nudged_test(12, Stand(surcharge=1)), {"Score": "12"}),
        (luck_test(8, surcharge=1, favours=2), {"Score": "8 (tokens held)"}),
        (
            luck_test(8, Footing.ADVANTAGE, LuckTarget.FROZEN, lethal=True, favours=2),
            {
                "Score": "8 (tokens held)",
                "Dice": "the lower of two (advantage)",
                "Luck": "8 tokens and 2 from the ally",
                "Stakes": "lethal",
            },
        ),
        (luck_test(0, target=LuckTarget.FROZEN), {"Score": "0 (tokens held)"}),
        (side_order(), {}),
    ],
)
def test_a_test_is_explained_as_players_say_it(playing: Playing, question: Question[Any], parts: Told) -> None:
    """SS-01, SS-04, SS-20, SS-24, SS-41, SS-53, SS-67: score, dice, Luck at hand; Luck that can't be spent is not."""
    assert told(playing, question) == parts


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (opposed_test(12, 10), {"The attacker’s score": "12", "The defender’s score": "10"}),
        (
            opposed_test(12, 10, LUCKY, HINDERED),
            {
                "The attacker’s score": "12",
                "The attacker’s Luck": "8 tokens",
                "The defender’s score": "10",
                "The defender’s dice": "the higher of two (disadvantage)",
            },
        ),
        (attack(14, 10), {"The attacker’s score": "14", "The defender’s score": "10"}),
        (
            attack(14, 0, HELPED, None, Blow(edge=2, soak=1)),
            {
                "The attacker’s score": "14",
                "The attacker’s dice": "the lower of two (advantage)",
                "Defence": "none",
                "Edge": "2",
                "Soak": "1",
            },
        ),
        (
            attack(14, 10, aim=Blow(1, 3, pierces=True, bonus_margin=11, fatal=4)),
            {
                "The attacker’s score": "14",
                "The defender’s score": "10",
                "Edge": "1",
                "Soak": "3, of which the weapon ignores 1",
                "1 more damage": "from a margin of 11",
                "A fatal weapon": "takes all 4 Stamina",
            },
        ),
        (
            attack(14, 10, aim=Aim.CONSEQUENCE),
            {"The attacker’s score": "14", "The defender’s score": "10", "A hit brings": "what was agreed on"},
        ),
        (
            attack(14, 10, aim=Aim.FATE),
            {"The attacker’s score": "14", "The defender’s score": "10", "Stakes": "lethal"},
        ),
    ],
)
def test_two_sides_are_explained_each_with_its_own(playing: Playing, question: Question[Any], parts: Told) -> None:
    """SS-07, SS-33 to SS-37, SS-39, SS-41, SS+04"""
    assert told(playing, question) == parts


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (tampering(12, carried=("rope",)), {"Score": "12"}),
        (tampering(12, price=FailurePrice(stamina=2)), {"Score": "12", "A failure costs": "2 Stamina"}),
        (
            tampering(12, before=3, price=FailurePrice(pressure=2)),
            {"Score": "12", "A failure costs": "2 Pressure", "Pressure": "3", "A failure": "brings a crisis"},
        ),
        (tampering(12, LUCKY, before=3, carried=("rope",)), {"Score": "12", "Luck": "8 tokens", "Pressure": "3"}),
        (
            tampering(12, before=4, carried=("rope", "lamp")),
            {
                "Score": "12",
                "Pressure": "4",
                "A failure": "brings a crisis",
                f"{TERMS['crisis_2']} could take": "rope, lamp",
            },
        ),
        (rising(0, 0), {}),
        (rising(0, 1, ("rope",)), {"Pressure": "from 0 to 1"}),
        (rising(3, 5, ("rope",)), {"Pressure": "from 3 to 5", f"{TERMS['crisis_2']} could take": "rope"}),
        (crisis(), {}),
        (crisis(("rope", "lamp")), {f"{TERMS['crisis_2']} could take": "rope, lamp"}),
        (purchase(3, 2, tokens=8, before=4), {"Wealth": "3 (flush)", "Cost": "2"}),
        (
            purchase(1, 2, tokens=8, before=3),
            {"Wealth": "1 (poor)", "Cost": "2", "Score": "8 (tokens held)", "Pressure": "3"},
        ),
        (purchase(2, 2, large=True), {"Wealth": "2 (steady)", "Cost": "2", "A large purchase": "costs 1 Wealth"}),
        (
            purchase(1, 3, large=True, tokens=8, stance=Footing.DISADVANTAGE, before=4, carried=("rope",)),
            {
                "Wealth": "1 (poor)",
                "Cost": "3",
                "Score": "8 (tokens held)",
                "Dice": "the higher of two (disadvantage)",
                "Pressure": "4",
                "To pay with Pressure": "brings a crisis",
                f"{TERMS['crisis_2']} could take": "rope",
            },
        ),
    ],
)
def test_what_could_break_is_explained_where_it_could(playing: Playing, question: Question[Any], parts: Told) -> None:
    """SS-51, SS-54, SS-55, SS+02: the track, and what a crisis could take where one could come of it."""
    assert told(playing, question) == parts


def test_a_skins_own_terms_are_spoken(playing: Playing) -> None:
    """SS-70"""
    skin = {"luck": "Grit", "token": "chip", "tokens": "chips", "ally": "the crew", "pressure": "the Heat"}
    spoken = told(playing, tampering(12, DEAR, before=4, carried=("van",)), crisis_2="Burned", **skin)
    assert spoken == {
        "Score": "12",
        "Grit": "1 chip and 2 from the crew; to spend costs 1 more for the Heat",
        "The Heat": "4",
        "A failure": "brings a crisis",
        "Burned could take": "van",
    }
    assert told(playing, luck_test(3), **skin) == {"Score": "3 (chips held)"}


# ---------------------------------------------------------------- at the table


def test_a_players_test_is_explained_to_everyone(playing: Playing) -> None:
    playing.roll(5, 11)
    playing.test("Bo", "Kira", "REF", advantage=["flanking"])
    parts = {"Score": "12", "Dice": "the lower of two (advantage)", "Luck": "8 tokens"}
    assert playing.reckoned("Bo") == playing.reckoned("Di") == parts


SIDES = {"attacker": "Kira", "defender": "Guard"}
CONTEST = {"attribute": "REF", "defence_attribute": "MGT", "stakes": "the gate"}


@pytest.mark.parametrize(
    ("seat", "command", "fields", "faces"),
    [
        ("Bo", "attack", SIDES, (20, 2)),
        ("Bo", "opposed_test", SIDES | CONTEST, (20, 2)),
        ("Ada", "test", {"who": "Guard", "attribute": "EMP", "stakes": "the gate"}, (4,)),
    ],
)
def test_a_roll_with_hidden_scores_is_explained_to_the_custodian_alone(
    playing: Playing, seat: str, command: str, fields: dict[str, str], faces: tuple[int, ...]
) -> None:
    """SS-07, SS-09, SS-28, SS-43, SS-68: one side whose scores are hidden is enough."""
    playing.roll(*faces)
    playing.act(seat, command, **fields)
    assert "10" in playing.reckoned("Ada").values()
    assert playing.reckoned("Bo") == playing.reckoned("Di") == {}


def test_a_fight_with_known_scores_is_explained_with_weapon_and_armour(open_table: Open) -> None:
    playing = open_table(build_points=16)
    playing.act("Bo", "make_hero", name="Kira", scores={"MGT": 14}, gear=[{"name": "sword", "edge": 1}])
    playing.act("Ada", "make_npc", name="Guard", score=10, gear=[{"name": "mail", "soak": 2}], shown=True)
    playing.roll(20, 2)
    playing.act("Bo", "attack", attacker="Kira", defender="Guard", weapon="sword")
    assert playing.reckoned("Di") == {
        "The attacker’s score": "14",
        "The attacker’s Luck": "10 tokens",
        "The defender’s score": "10",
        "Edge": "1",
        "Soak": "2",
    }


def test_a_blessing_does_not_tell_how_large_a_hidden_pool_is(playing: Playing) -> None:
    """SS-26, SS-28: the room is the pool's size less the tokens held, which all can see."""
    assert told(playing, blessing(3)) == {}
    playing.roll(2)
    playing.act("Ada", "bless", who="Guard")
    assert playing.reckoned("Bo") == {}


def test_what_is_no_offer_of_this_game_has_no_words(playing: Playing) -> None:
    """SS-25, SS-33, SS-53, SS-55, SS-67: loudly, so that no button stays empty."""
    state = playing.look("Ada")
    with pytest.raises(TypeError, match="nothing that this game offers"):
        offer_words(Notable(1, None, "a wish"), Teller(state, state.terms))
