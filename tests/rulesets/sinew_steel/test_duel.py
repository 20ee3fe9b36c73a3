"""Duels: the numbers that somebody brings, what a turn asks and takes, and the spends that are worth considering."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.chance import EnteredDice, Offer, Question, Waiting, play
from astragal.game.rolls import Footing
from astragal.rulesets.sinew_steel.contests import opposed_test
from astragal.rulesets.sinew_steel.duel import DUEL, Fighter
from astragal.rulesets.sinew_steel.fights import Exchange, attack
from astragal.rulesets.sinew_steel.harm import Blow
from astragal.rulesets.sinew_steel.options import Companion, Item, Options
from astragal.rulesets.sinew_steel.rolls import Roll, Stand
from astragal.rulesets.sinew_steel.state import Kind, Scores, Sheet
from astragal.table.authoring.duels import Takes

MONSTER = Fighter(attack=12, edge=2, pierces=True, fatal=True)
GUARD = Fighter(defence=9, soak=3)
HAMPERED = Options(companions=(Companion.CIRCUMSTANCES,))


def turn(options: Options, acting: Fighter, other: Fighter, mine: int = 5, theirs: int = 4) -> dict[str, Any]:
    """What is asked where they have so much Stamina, and three and two tokens."""
    return dict(DUEL.turn(options, acting, other, (mine, 3), (theirs, 2)).named)


def test_a_turn_is_an_attack_with_what_both_bring() -> None:
    """SS-32, SS-34, SS-37, SS+04: score against score, edge against soak; what the table does not play counts not."""
    asked = turn(Options(piercing=True), MONSTER, GUARD)
    assert (asked["attacker"], asked["defender"]) == (12, 9)
    assert (asked["attacking"], asked["defending"]) == (Stand(luck=3), Stand(luck=2))
    assert asked["aim"] == Blow(2, 3, pierces=True, fatal=4)
    assert turn(Options(companions=(), bonus_margin=11), MONSTER, GUARD)["aim"] == Blow(2, 3, bonus_margin=11)
    assert turn(Options(piercing=True), Fighter(), GUARD)["aim"] == Blow(0, 3)


@pytest.mark.parametrize(
    ("options", "is_physical", "stamina", "footing"),
    [
        (HAMPERED, True, 2, Footing.DISADVANTAGE),
        (HAMPERED, True, 3, Footing.LEVEL),
        (HAMPERED, False, 1, Footing.LEVEL),
        (Options(), True, 1, Footing.LEVEL),
    ],
)
def test_little_stamina_hampers_a_fighter_of_the_body(
    options: Options, is_physical: bool, stamina: int, footing: Footing
) -> None:
    """SS+05: on both sides, where the table plays so."""
    fighter = Fighter(physical=is_physical)
    asked = turn(options, fighter, fighter, stamina, stamina)
    assert (asked["attacking"].footing, asked["defending"].footing) == (footing, footing)


def test_a_turn_takes_tokens_of_both_and_the_defenders_stamina() -> None:
    """SS-21, SS-30"""
    hit = Exchange(Roll(10, 12, -3), Roll(10, 10, -2), Blow(edge=1))
    assert DUEL.takes(hit) == Takes((0, 3), (2, 2))


def offered(asked: Question[Any], *faces: int, answers: tuple[int, ...] = ()) -> Offer[int]:
    stopped = play(asked, EnteredDice(faces), answers)
    assert isinstance(stopped, Waiting)
    assert isinstance(stopped.need, Offer)
    return stopped.need


def test_spends_worth_considering() -> None:
    """SS-21, SS-23, SS-25: those that change something; where the defence can answer, every token that makes it dearer,
    down to the one after which it can't.
    """
    unanswered = offered(attack(14, 10, Stand(luck=13), Stand(), Blow(1, 2)), 15, 18)
    assert list(DUEL.considers(unanswered)) == [0, -1, -5, -9, -11]
    within_reach = opposed_test(10, 10, Stand(luck=9), Stand(luck=3))
    assert list(DUEL.considers(offered(within_reach, 12, 8))) == list(range(0, -9, -1))
    assert list(DUEL.considers(offered(within_reach, 12, 8, answers=(-5,)))) == [0, -1]
    longer_breath = opposed_test(10, 10, Stand(luck=9), Stand(luck=9))
    assert list(DUEL.considers(offered(longer_breath, 12, 8))) == list(range(0, -10, -1))
    nothing_noted = opposed_test(10, 10, Stand(luck=1), Stand(luck=9))
    assert list(DUEL.considers(offered(nothing_noted, 4, 6))) == [0, -1]


def sheet(stamina: int = 5, gear: tuple[Item, ...] = (), **scores: int) -> Sheet:
    usual = {"MGT": 10, "REF": 11, "INT": 9, "EMP": 8, "LCK": 15}
    held = Scores(open={**usual, **scores})
    return Sheet(kind=Kind.HERO, scores=held, luck=4, luck_key="LCK", stamina=stamina, stamina_most=5, gear=gear)


def test_a_hero_fights_with_the_best_score_but_luck_and_the_sharpest_weapon() -> None:
    """SS-43, SS-34: with the Stamina and the tokens now held; whoever is down would begin with 1."""
    arms = (Item(name="knife", edge=1), Item(name="lance", edge=2, tags=("Plasma", "Fatal")), Item(name="mail", soak=2))
    armed = DUEL.of(sheet(gear=arms), Options())
    assert armed == Fighter(attack=11, defence=11, stamina=5, luck=4, edge=2, soak=2, pierces=True, fatal=True)
    bare = DUEL.of(sheet(stamina=0), Options())
    assert bare == Fighter(attack=11, defence=11, stamina=1, luck=4)


def test_force_and_agility_are_of_the_body() -> None:
    """SS-43, SS+05: wherever the skin has them."""
    for score, is_physical in (("MGT", True), ("REF", True), ("INT", False), ("EMP", False)):
        assert DUEL.of(sheet(5, (), **{score: 16}), Options()).physical is is_physical
    assert DUEL.of(sheet(EMP=16), Options(usual_attack={"heavy": "EMP"})).physical
