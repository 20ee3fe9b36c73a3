"""Held against others: the tables the books print, and two packages that count in ways of their own."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import icepool
import pytest
from dyce import H, P, expand, explode_n

from astragal.chance import (
    Odds,
    d6,
    d20,
    exploding,
    exploding_difference,
    highest,
    hits,
    odds,
    percent,
    total,
)
from examples.new_shoes import Result, approach, opposed_approach
from examples.sinew_and_steel import Footing, Side, lucky_test, opposed_test, simple_test
from examples.six_pool import Footing as SixPoolFooting
from examples.six_pool import Side as SixPoolSide
from examples.six_pool import check, contest

pytestmark = pytest.mark.filterwarnings("ignore:.*is experimental")

SCORES = range(6, 17)
EVEN_SCORES = range(6, 17, 2)


def of_icepool(die: Any) -> Odds[Any]:
    return Odds(dict(die.items()), die.denominator())


def of_dyce(histogram: H[Any]) -> Odds[Any]:
    return Odds(dict(histogram.items()), histogram.total)


# ---------------------------------------------------------------- what the books of Sinew & Steel print

SUCCESS = {
    Footing.LEVEL: [30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80],
    Footing.ADVANTAGE: [51, 58, 64, 70, 75, 80, 84, 88, 91, 94, 96],
    Footing.DISADVANTAGE: [9, 12, 16, 20, 25, 30, 36, 42, 49, 56, 64],
}
OPPOSED = {
    6: [25, 23, 22, 20, 19, 17, 16, 14, 13, 11, 10],
    7: [30, 28, 26, 24, 23, 21, 19, 18, 16, 14, 12],
    8: [35, 33, 31, 29, 27, 25, 23, 21, 19, 17, 15],
    9: [40, 38, 36, 34, 32, 29, 27, 25, 22, 20, 18],
    10: [45, 43, 41, 39, 36, 34, 31, 29, 26, 24, 21],
    11: [50, 48, 46, 44, 41, 38, 36, 33, 30, 28, 25],
    12: [55, 53, 51, 49, 46, 44, 40, 38, 34, 32, 28],
    13: [60, 58, 56, 54, 51, 48, 46, 42, 39, 36, 32],
    14: [65, 63, 61, 59, 56, 54, 50, 47, 44, 40, 37],
    15: [70, 68, 66, 64, 61, 58, 56, 52, 49, 45, 41],
    16: [75, 73, 71, 69, 66, 64, 60, 57, 54, 50, 46],
}
SHORT_SUCCESS = {
    Footing.LEVEL: [30, 40, 50, 60, 70, 80],
    Footing.ADVANTAGE: [51, 64, 75, 84, 91, 96],
    Footing.DISADVANTAGE: [9, 16, 25, 36, 49, 64],
}
SHORT_OPPOSED = {
    6: [25, 22, 19, 16, 13, 10],
    8: [35, 31, 27, 23, 19, 15],
    10: [45, 41, 36, 31, 26, 21],
    12: [55, 51, 46, 40, 34, 28],
    14: [65, 61, 56, 50, 44, 37],
    16: [75, 71, 66, 60, 54, 46],
}


def success(score: int, footing: Footing) -> Fraction:
    return percent(odds(simple_test(score, footing)).chance(lambda roll: roll.success))


def attacker_wins(attacker: int, defender: int) -> Fraction:
    return odds(opposed_test(attacker, defender)).chance(Side.ATTACKER)


@pytest.mark.parametrize("footing", Footing)
def test_the_tables_of_success(footing: Footing) -> None:
    """SS-01, SS-04: the engine's 33 cells and the manual's 18, rounded half to even."""
    assert [success(score, footing) for score in SCORES] == SUCCESS[footing]
    assert [success(score, footing) for score in EVEN_SCORES] == SHORT_SUCCESS[footing]


@pytest.mark.parametrize("attacker", SCORES)
def test_the_table_of_opposed_tests(attacker: int) -> None:
    """SS-07, SS-08: the engine's 121 cells."""
    assert [percent(attacker_wins(attacker, defender)) for defender in SCORES] == OPPOSED[attacker]


@pytest.mark.parametrize("attacker", EVEN_SCORES)
def test_the_short_table_of_opposed_tests(attacker: int) -> None:
    """SS-07: the manual's 36 cells."""
    assert [percent(attacker_wins(attacker, defender)) for defender in EVEN_SCORES] == SHORT_OPPOSED[attacker]


def test_the_exact_figures_of_the_ledger() -> None:
    """SS-07: 10 against 10; and 12 against 8, where the running text of the book errs."""
    assert attacker_wins(10, 10) == Fraction(145, 400)
    assert percent(attacker_wins(12, 8)) == 51


# ---------------------------------------------------------------- what others count


def wins(attacker: int, defender: int, attack: int, defence: int) -> bool:
    attacked = attack == 1 or (attack <= attacker and attack != 20)
    defended = defence == 1 or (defence <= defender and defence != 20)
    return attacked and (not defended or attacker - attack > defender - defence)


@pytest.mark.parametrize("attacker", SCORES)
def test_opposed_tests_agree_with_other_libraries(attacker: int) -> None:
    """SS-07: the same rule, written for each of the others."""
    for defender in SCORES:
        ours = odds(opposed_test(attacker, defender)).map(lambda side: side is Side.ATTACKER)
        theirs = icepool.map(lambda a, d, d_score=defender: wins(attacker, d_score, a, d), icepool.d20, icepool.d20)
        assert ours == of_icepool(theirs)
        other = expand(lambda a, d, s: wins(attacker, s, a.outcome, d.outcome), H(20), H(20), s=defender)
        assert ours == of_dyce(other)


@pytest.mark.parametrize("dice", [*range(1, 61, 6), 40, 60])
def test_counts_of_hits_agree_with_other_libraries(dice: int) -> None:
    """NJ-05: dice of 5 or 6."""
    ours = hits(dice, d6, at_least=5).odds()
    assert ours == of_icepool(dice @ (icepool.d6 >= 5))
    assert ours == of_dyce(dice @ H(6).ge(5))


@pytest.mark.parametrize("dice", range(1, 11))
def test_exploding_totals_agree_up_to_twenty(dice: int) -> None:
    """NS-03, NS-17: three further dice carry past any target, so what the others cut off lies beyond it."""
    ours = exploding(dice, d6, ceiling=21).odds()
    icepools = of_icepool((dice @ icepool.d6.explode(depth=3)).map(lambda total: min(total, 21)))
    dyces = of_dyce(dice @ explode_n(H(6), n=3)).map(lambda total: min(total, 21))
    assert ours == icepools == dyces
    for target in range(4, 21):
        assert odds(approach(dice, target)).chance(Result.SUCCESS) == icepools.at_least(target + 1)


@pytest.mark.parametrize("mine", range(1, 6))
def test_exploding_pools_opposed_lie_where_the_others_cut_them_off(mine: int) -> None:
    """NS-06, NS-17: none of the others has the closed form; theirs is ours less what they leave out."""
    die = icepool.d6.explode(depth=6)
    left_out = 10 * Fraction(1, 6**7)
    for theirs in range(1, 6):
        cut_off = of_icepool((mine @ die) - (theirs @ die)).chance(lambda difference: difference > 0)
        assert abs(odds(opposed_approach(mine, theirs)).chance(Result.SUCCESS) - cut_off) < left_out


def test_an_exploding_pool_against_a_plain_one_agrees() -> None:
    ours = exploding(2, d6, ceiling=19).odds().against(total(3, d6).odds())
    theirs = (2 @ icepool.d6.explode(depth=3)) - (3 @ icepool.d6)
    assert ours == of_icepool(theirs.map(lambda difference: (difference > 0) - (difference < 0)))


@pytest.mark.parametrize("dc", [5, 10, 15, 20, 25, 30])
@pytest.mark.parametrize("footing", SixPoolFooting)
def test_checks_agree_with_other_libraries(footing: SixPoolFooting, dc: int) -> None:
    """SP-01, SP-10, SP-11: thirteen modifiers, two dice, naturals."""
    kept: Mapping[SixPoolFooting, tuple[Any, H[Any]]] = {
        SixPoolFooting.LEVEL: (icepool.d20, H(20)),
        SixPoolFooting.ADVANTAGE: (icepool.d20.highest(2), (2 @ P(20)).at(-1)),
        SixPoolFooting.DISADVANTAGE: (icepool.d20.lowest(2), (2 @ P(20)).at(0)),
    }
    die, histogram = kept[footing]
    for bonus in range(13):
        needed = max(2, min(20, dc - bonus))
        ours = odds(check(bonus, dc, 0, footing)).map(lambda rolled: rolled.success)
        assert ours == of_icepool(die >= needed) == of_dyce(histogram.ge(needed))


@pytest.mark.slow
def test_contests_agree_with_other_libraries() -> None:
    """SP-13: thirteen modifiers against thirteen, a tie to the opponent."""
    for bonus in range(13):
        for opposing in range(13):
            ours = odds(contest(bonus, opposing)).map(lambda contest: contest.winner is SixPoolSide.ACTOR)
            assert ours == of_icepool((icepool.d20 + bonus) > (icepool.d20 + opposing))
            assert ours == of_dyce((H(20) + bonus).gt(H(20) + opposing))


def test_the_best_three_of_ten_agree() -> None:
    ours = highest(10, d6, keep=3).odds()
    assert ours == of_icepool(icepool.d6.highest(10, 3)) == of_dyce((10 @ P(6)).at(slice(-3, None)))


def test_forty_dice_agree() -> None:
    assert total(40, d6).odds() == of_icepool(40 @ icepool.d6) == of_dyce(40 @ H(6))
    assert hits(40, d6, at_least=5).odds() == of_icepool(40 @ (icepool.d6 >= 5))


def test_a_difference_of_dice_that_explode_once_agrees() -> None:
    ours = exploding_difference(exploding(2, d6, once=True), exploding(3, d6, once=True), low=-99, high=99).odds()
    die = icepool.d6.explode(depth=1)
    assert ours == of_icepool((2 @ die) - (3 @ die))


# ---------------------------------------------------------------- the best use of Luck

Faces = list[tuple[int, Fraction]]


def best_use(faces: Faces, score: int, tests: int, tokens: int) -> Fraction:
    """How many of the tests are passed, in expectation, when every token is spent where it does most."""

    @cache
    def best(tests: int, tokens: int) -> Fraction:
        if not tests:
            return Fraction(0)
        return sum((chance * after(face, tests - 1, tokens) for face, chance in faces), Fraction(0))

    def after(face: int, tests: int, tokens: int) -> Fraction:
        passed = face == 1 or (face <= score and face != 20)
        keep = passed + best(tests, tokens)
        price = face - score
        return max(keep, 1 + best(tests, tokens - price)) if 0 < price <= tokens and face != 20 else keep

    return best(tests, tokens)


def our_faces() -> Faces:
    naturals = odds(simple_test(10)).map(lambda roll: roll.natural)
    return list(naturals.chances().items())


def icepool_faces() -> Faces:
    return [(face, Fraction(many, icepool.d20.denominator())) for face, many in icepool.d20.items()]


def dyce_faces() -> Faces:
    return [(face, Fraction(many, H(20).total)) for face, many in H(20).items()]


@pytest.mark.parametrize("oracle", [icepool_faces, dyce_faces])
def test_ten_luck_over_ten_tests_agree(oracle: Callable[[], Faces]) -> None:
    """SS-21: the same recursion over our odds and over theirs."""
    ours = best_use(our_faces(), 10, 10, 10)
    assert ours == best_use(oracle(), 10, 10, 10)
    assert 5 < ours < 10


def test_one_test_with_luck_to_mend_it() -> None:
    """SS-21, SS-25: ten tokens mend every failure of a ten but the natural twenty."""
    mended = odds(lucky_test(10, 10), lambda offer: offer.notable[0].answer)
    assert mended.chance(lambda roll: roll.success) == best_use(our_faces(), 10, 1, 10) == Fraction(19, 20)
    assert d20.odds().chance(20) == Fraction(1, 20)
