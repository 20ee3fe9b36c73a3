"""What a hit comes to, and attacks in all their forms."""

from __future__ import annotations

from fractions import Fraction

import pytest

from astragal.chance import EnteredDice, Offer, Question, Settled, Waiting, odds, play
from astragal.game.rolls import Footing
from astragal.rulesets.sinew_steel.contests import opposed_test
from astragal.rulesets.sinew_steel.display import offer_words
from astragal.rulesets.sinew_steel.fights import Aim, Effect, Exchange, attack
from astragal.rulesets.sinew_steel.harm import Blow
from astragal.rulesets.sinew_steel.luck import Prospect, spend_to_succeed
from astragal.rulesets.sinew_steel.rolls import Roll, Stand, simple_test
from astragal.rulesets.sinew_steel.state import TERMS
from astragal.table.authoring.log_lines import Teller

SWORD_ON_MAIL = Blow(edge=1, soak=2)


def played(asked: Question[Exchange], *faces: int, answers: tuple[int, ...] = ()) -> Exchange:
    result = play(asked, EnteredDice(faces), answers)
    assert isinstance(result, Settled)
    return result.value


def offered(asked: Question[Exchange], *faces: int) -> Offer[int]:
    result = play(asked, EnteredDice(faces))
    assert isinstance(result, Waiting)
    assert isinstance(result.need, Offer)
    return result.need


# ---------------------------------------------------------------- a hit


@pytest.mark.parametrize(("margin", "damage"), [(3, 0), (4, 1), (8, 2), (10, 3), (12, 3), (0, 0), (7, 1), (9, 2)])
def test_damage_is_one_and_edge_and_bonus_less_soak(margin: int, damage: int) -> None:
    """SS-34, SS-35, SS-36: the vectors of edge 1 against soak 2."""
    assert SWORD_ON_MAIL.damage(margin) == damage


@pytest.mark.parametrize("soak", range(4))
@pytest.mark.parametrize("score", [0, 8, 16])
def test_a_natural_one_ignores_all_soak(soak: int, score: int) -> None:
    """SS-36: 3 whatever the soak, with edge 1."""
    assert Blow(1, soak).damage(Roll(1, score).depth) == 3


@pytest.mark.parametrize(("edge", "damage"), [(0, 1), (1, 2), (2, 3)])
def test_light_standard_and_brutal_weapons(edge: int, damage: int) -> None:
    """SS-34"""
    assert Blow(edge).damage(0) == damage


def test_damage_is_never_below_nothing() -> None:
    """SS-34"""
    assert Blow(0, 3).damage(0) == 0


def test_the_bonus_comes_once() -> None:
    """SS-35: a natural 1 with a great margin gives 1, not 2."""
    assert Blow(0).damage(Roll(1, 16).depth) == 2


@pytest.mark.parametrize(
    ("soak", "margin", "left"), [(2, 9, 0), (3, 4, 2), (2, 3, 2), (3, 11, 1), (3, 12, 0), (1, 16, 0)]
)
def test_every_full_four_of_the_margin_wear_off_a_point_of_soak(soak: int, margin: int, left: int) -> None:
    """SS-36: margin 9 against soak 2 is full damage."""
    assert Blow(1, soak).soak_left(margin) == left


def test_a_hit_gets_deeper_at_every_four_and_at_the_bonus() -> None:
    """SS-25, SS-38: as far as there is soak to wear off."""
    assert Blow(1, 3).turns == (4, 8, 12, 10)
    assert Blow(1, 1).turns == (4, 10)


def test_what_pierces_ignores_a_point_before_the_margin_counts() -> None:
    """SS-37"""
    assert Blow(1, 2, pierces=True).soak_left(0) == 1
    assert Blow(1, 2, pierces=True).soak_left(4) == 0
    assert Blow(1, 0, pierces=True).soak_left(0) == 0


@pytest.mark.parametrize(("bonus_margin", "shares"), [(10, (10, 20, 30)), (11, (5, 15, 25))])
def test_chance_of_the_bonus(bonus_margin: int, shares: tuple[int, ...]) -> None:
    """SS-35: on a straight roll at 12, 14 and 16."""
    blow = Blow(bonus_margin=bonus_margin)  # type: ignore[arg-type]
    for score, share in zip((12, 14, 16), shares, strict=True):
        assert odds(simple_test(score)).percent(lambda roll: blow.bonus(roll.depth) == 1) == share


# ---------------------------------------------------------------- attacks


def test_an_attack_is_an_opposed_test() -> None:
    """SS-32"""
    for one, other in ((12, 8), (10, 10), (7, 15)):
        assert odds(attack(one, other)).chance(lambda it: it.hit) == odds(opposed_test(one, other)).chance(
            lambda it: it.won
        )


def test_each_side_of_an_attack_has_its_own_footing() -> None:
    """SS-32"""
    asked = attack(12, 10, Stand(Footing.ADVANTAGE), Stand(Footing.DISADVANTAGE))
    result = played(asked, 19, 5, 2, 17)
    assert (result.attack, result.defence, result.hit) == (Roll(5, 12), Roll(17, 10), True)


def test_without_a_defence_the_attack_needs_only_its_own_success() -> None:
    """SS-33: one die falls."""
    assert odds(attack(12, 0, defending=None)).chance(lambda it: it.hit) == Fraction(12, 20)
    assert played(attack(12, 0, defending=None), 12).effect == Effect(hit=True, damage=1)


@pytest.mark.parametrize("defence", range(0, 17, 4))
def test_damage_odds_agree_with_counting_by_hand(defence: int) -> None:
    """SS-32, SS-34, SS-36: all 400 pairs of faces, by the book's sentences."""
    weights: dict[Effect, int] = {}
    for mine in range(1, 21):
        for theirs in range(1, 21):
            mine_succeeds = mine == 1 or (mine != 20 and mine <= 13)
            theirs_succeeds = theirs == 1 or (theirs != 20 and theirs <= defence)
            hit = mine_succeeds and (not theirs_succeeds or 13 - mine > defence - theirs)
            soak = 0 if mine == 1 else max(0, 3 - (13 - mine) // 4)
            bonus = 1 if mine == 1 or 13 - mine >= 10 else 0
            effect = Effect(hit, max(0, 1 + 2 + bonus - soak) if hit else None)
            weights[effect] = weights.get(effect, 0) + 1
    weighed = odds(attack(13, defence, aim=Blow(2, 3))).map(lambda it: it.effect)
    assert weighed.chances() == {effect: Fraction(weight, 400) for effect, weight in weights.items()}


def test_luck_turns_a_miss_into_a_hit_and_deepens_it() -> None:
    """SS-25, SS-32, SS-38: against a failed defence, edge 1 and soak 2: hit, each point of soak, then the bonus."""
    offer = offered(attack(14, 10, Stand(luck=13), Stand(), SWORD_ON_MAIL), 15, 18)
    assert [(one.answer, one.result) for one in offer.notable] == [
        (-1, Prospect(True, 0, True, soak_left=2, damage=0)),
        (-5, Prospect(True, 4, True, soak_left=1, damage=1)),
        (-9, Prospect(True, 8, True, soak_left=0, damage=2)),
        (-11, Prospect(True, 10, True, soak_left=0, damage=3)),
    ]


def test_a_blow_at_armour_that_one_may_not_know_is_weighed_as_one_of_bare_hands() -> None:
    """SS-25, SS-32, SS-33: the bonus can be reached at least."""
    stands = Stand(luck=13), Stand()
    assert [one.answer for one in offered(attack(14, 10, *stands, Aim.HARM), 10, 18).notable] == [-6]
    assert [one.answer for one in offered(attack(14, 10, *stands, Blow()), 10, 18).notable] == [-6]
    assert played(attack(14, 10, *stands, Aim.CONSEQUENCE), 10, 18).hit


def test_offers_say_what_a_hit_would_do() -> None:
    """SS-25, SS-38: it does so where it wins for sure; against a score that is hidden, if it hits."""

    def gains(defence: Stand, face: int = 8) -> list[str]:
        offer = offered(attack(14, 10, Stand(luck=5), defence, SWORD_ON_MAIL), 15, face)
        return [offer_words(one, Teller(state=None, terms=TERMS)).gets for one in offer.notable]  # type: ignore[arg-type]

    assert gains(Stand()) == ["wins, damage 0, margin +3", "wins, damage 1, margin +4"]
    assert gains(Stand(closed=True)) == [
        "success, damage 0 if it hits, margin +1, wins if the defence has 8 or less",
        "success, damage 1 if it hits, margin +4, wins if the defence has 11 or less",
    ]
    assert gains(Stand(closed=True), 18) == ["wins, damage 0, margin 0", "wins, damage 1, margin +4"]


def test_luck_after_a_hit_wears_down_soak() -> None:
    """SS-38"""
    asked = attack(14, 10, Stand(luck=3), Stand(), SWORD_ON_MAIL)
    offer = offered(asked, 11, 18)
    assert [one.answer for one in offer.notable] == [-1]
    result = played(asked, 11, 18, answers=(-1,))
    assert (result.attack.margin, result.damage) == (4, 1)


def test_soak_that_goes_without_more_damage_is_not_offered() -> None:
    """SS-25: bare hands on plate do nothing with soak 3 or 2."""
    assert played(attack(14, 10, Stand(luck=3), Stand(), Blow(0, 3)), 12, 18).damage == 0


def test_the_defender_answers_after_the_attackers_luck() -> None:
    """SS-23, SS-38"""
    asked = attack(14, 10, Stand(luck=9), Stand(luck=9), SWORD_ON_MAIL)
    result = played(asked, 11, 12, answers=(-1, -6))
    assert (result.attack.margin, result.defence, result.hit) == (4, Roll(12, 10, -6), False)


def test_an_aim_other_than_harm_does_no_damage_and_offers_no_soak() -> None:
    """SS-39"""
    asked = attack(14, 10, Stand(luck=9), Stand(), Aim.CONSEQUENCE)
    assert played(asked, 5, 18).effect == Effect(hit=True, damage=None)
    assert [one.result for one in offered(asked, 15, 18).notable] == [Prospect(True, 0, wins=True)]


def test_lethal_stakes_are_announced_to_the_defender_before_any_die() -> None:
    """SS-41"""
    asked = attack(14, 10, aim=Aim.FATE)
    waiting = play(asked, EnteredDice())
    assert isinstance(waiting, Waiting)
    assert isinstance(waiting.need, Offer)
    assert (waiting.need.side, waiting.record.rolled) == ("defender", ())


def test_odds_of_hit_and_damage_with_luck() -> None:
    """SS-25: more is hit with Luck than without."""
    asked = attack(12, 10, Stand(luck=4), Stand(), SWORD_ON_MAIL)
    without, with_luck = odds(asked), odds(asked, spend_to_succeed)
    assert without.chance(lambda it: it.hit) < with_luck.chance(lambda it: it.hit)
    assert with_luck.chance(lambda it: it.attack.spent > 4) == 0
