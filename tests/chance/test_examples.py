"""The worked examples speak their books: each clause that concerns dice, with its vectors."""

from fractions import Fraction

import pytest

from astragal.chance import EnteredDice, Offer, Rule, Settled, Waiting, odds, play
from astragal.chance.contract import rules_in
from examples import narraject, new_shoes, sinew_and_steel, six_pool
from examples.narraject import Hand, least_focus, roll_hand
from examples.new_shoes import Explode, Result, approach, opposed_approach
from examples.sinew_and_steel import Clash, Footing, Roll, Side, lucky_opposed_test, lucky_test, simple_test
from examples.six_pool import Check, Degree, chances_by_points, check, contest, least_points

EXAMPLES = [rule for module in (sinew_and_steel, narraject, new_shoes, six_pool) for rule in rules_in(module)]


def tenths(chance: Fraction) -> float:
    """In percent, with one decimal, as the ledgers print it."""
    return float(round(chance * 100, 1))


@pytest.mark.parametrize("rule", EXAMPLES, ids=lambda rule: rule.name)
def test_every_rule_begins_with_its_clause(rule: Rule[..., object]) -> None:
    book = {"sinew_and_steel": "SS", "narraject": "NJ", "new_shoes": "NS", "six_pool": "SP"}
    assert (rule.__doc__ or "").startswith(f"{book[rule.__module__.split('.')[-1]]}-")


# ---------------------------------------------------------------- Sinew & Steel


@pytest.mark.parametrize(
    ("score", "straight", "advantage", "disadvantage"),
    [
        (0, Fraction(1, 20), Fraction(39, 400), Fraction(1, 400)),
        (20, Fraction(19, 20), Fraction(399, 400), Fraction(361, 400)),
        *[
            (score, Fraction(score, 20), 1 - Fraction(20 - score, 20) ** 2, Fraction(score, 20) ** 2)
            for score in range(1, 20)
        ],
    ],
)
def test_a_test_succeeds_by_the_formula(
    score: int, straight: Fraction, advantage: Fraction, disadvantage: Fraction
) -> None:
    """SS-01, SS-02, SS-04: naturals decide at the ends, two dice on advantage and disadvantage."""
    for footing, chance in zip(
        (Footing.LEVEL, Footing.ADVANTAGE, Footing.DISADVANTAGE), (straight, advantage, disadvantage), strict=True
    ):
        assert odds(simple_test(score, footing)).chance(lambda roll: roll.success) == chance


def test_the_margin_is_told_for_successes_and_failures() -> None:
    """SS-03: score less die, after any nudge."""
    assert [Roll(12, natural).margin for natural in (5, 12, 15)] == [7, 0, -3]
    assert Roll(12, 15, nudge=-4).margin == 1


def test_both_dice_are_shown_on_advantage() -> None:
    """SS-04, SS-06: the kept die decides whether it is natural."""
    played = play(simple_test(10, Footing.ADVANTAGE), EnteredDice([20, 4]))
    assert isinstance(played, Settled)
    assert played.value == Roll(10, 4)
    assert [die.face for die in played.record.rolled] == [20, 4]
    assert not played.value.is_locked


@pytest.mark.parametrize(
    ("attack", "defence", "winner"),
    [
        (Roll(12, 5), Roll(10, 11), Side.ATTACKER),
        (Roll(12, 13), Roll(10, 4), Side.DEFENDER),
        (Roll(12, 13), Roll(10, 11), Side.DEFENDER),
        (Roll(12, 5), Roll(10, 4), Side.ATTACKER),
        (Roll(12, 6), Roll(10, 4), Side.DEFENDER),
        (Roll(6, 1), Roll(16, 2), Side.DEFENDER),
        (Roll(6, 1), Roll(16, 20), Side.ATTACKER),
        (Roll(20, 20), Roll(6, 20), Side.DEFENDER),
    ],
)
def test_who_wins_an_opposed_test(attack: Roll, defence: Roll, winner: Side) -> None:
    """SS-07, SS-08: success, then margin, then the defender; a natural 1 has its ordinary margin."""
    assert Clash(attack, defence).winner is winner


def test_a_failure_is_offered_its_price() -> None:
    """SS-21, SS-25: failed by 5 with 8 tokens: five make it a success, six a margin of one."""
    waiting = play(lucky_test(10, 8), EnteredDice([15]))
    assert isinstance(waiting, Waiting)
    assert isinstance(waiting.need, Offer)
    (mended,) = waiting.need.notable
    assert (mended.price, mended.result) == (5, Roll(10, 15, nudge=-5))
    assert sorted(waiting.need.options) == [*range(-8, 6)]
    assert waiting.need.default == 0
    assert Roll(10, 15, nudge=-6).margin == 1


@pytest.mark.parametrize(("score", "tokens", "face"), [(10, 20, 20), (10, 4, 15), (10, 8, 10), (10, 8, 1), (0, 20, 5)])
def test_nothing_is_offered_where_nothing_would_change(score: int, tokens: int, face: int) -> None:
    """SS-21, SS-25: naturals are locked, successes need nothing, what is out of reach has no price."""
    assert isinstance(play(lucky_test(score, tokens), EnteredDice([face])), Settled)


def test_a_die_nudged_to_twenty_is_not_natural() -> None:
    """SS-22: it is judged by the score alone."""
    assert Roll(20, 19, nudge=1).success
    assert not Roll(20, 20).success


def test_the_attacker_decides_before_the_defence_answers() -> None:
    """SS-23: one decision each, both dice seen, tokens gone even if they are undone."""
    question = lucky_opposed_test(10, 4, 12, 3)
    first = play(question, EnteredDice([11, 10]))
    assert isinstance(first, Waiting)
    assert isinstance(first.need, Offer)
    assert (first.need.side, first.need.notable[0].price) == ("attacker", 4)
    second = first.resume(EnteredDice(), -4)
    assert isinstance(second, Waiting)
    assert isinstance(second.need, Offer)
    assert (second.need.side, second.need.notable[0].price) == ("defender", 1)
    assert second.need.about == Clash(Roll(10, 11, nudge=-4), Roll(12, 10))
    last = second.resume(EnteredDice(), -1)
    assert isinstance(last, Settled)
    assert last.value.winner is Side.DEFENDER
    assert last.value.attack.nudge == -4


def test_a_winner_whom_nobody_can_answer_is_not_asked() -> None:
    """SS-25: an offer that would change nothing is not made."""
    assert isinstance(play(lucky_opposed_test(10, 5, 8, 0), EnteredDice([3, 12])), Settled)


# ---------------------------------------------------------------- Narraject

KIRA = Hand(rating=3, focus=2, anchors=2, assets=2, aspects=1)


def test_kira_rolls_ten_dice_and_makes_it() -> None:
    """NJ-05, NJ-10: four successes against a difficulty of four."""
    played = play(roll_hand(KIRA, 4), EnteredDice([6, 5, 4, 3, 2, 1, 6, 5, 2, 3]))
    assert isinstance(played, Settled)
    assert (played.value.successes, played.value.success, played.value.excess) == (4, True, 0)
    assert KIRA.terms == {"rating": 3, "focus": 2, "anchors": 2, "assets": 2, "aspects": 1}
    assert odds(roll_hand(KIRA, 4)).chance(lambda outcome: outcome.success) == Fraction(8675, 19683)


@pytest.mark.parametrize(
    ("dice", "printed"),
    [(3, [70.4, 25.9, 3.7]), (6, [91.2, 64.9, 32.0, 10.0, 1.8, 0.1]), (10, [98.3, 89.6, 70.1, 44.1, 21.3, 7.7])],
)
def test_chances_of_so_many_successes(dice: int, printed: list[float]) -> None:
    """NJ-05."""
    found = [
        tenths(odds(roll_hand(Hand(rating=dice), needed)).chance(lambda outcome: outcome.success))
        for needed in range(1, len(printed) + 1)
    ]
    assert found == printed


def test_burdens_never_cut_into_the_rating() -> None:
    """NJ-10, NJ-20."""
    assert Hand(rating=3, anchors=1, burdens=2).dice == 3
    assert Hand(rating=3, anchors=3, burdens=2).dice == 4
    assert Hand(rating=3, burdens=2).terms == {"rating": 3, "burdens": -2}


def test_the_fewest_points_of_focus_that_reach_a_chance() -> None:
    """NJ-24: within the cap of rating + 2 and what the reserve still holds."""
    hand = Hand(rating=3, anchors=2)
    assert least_focus(hand, 2, left=9, wanted=Fraction(0)) == 0
    assert least_focus(hand, 2, left=9, wanted=Fraction(7, 10)) == 2
    assert least_focus(hand, 2, left=1, wanted=Fraction(7, 10)) is None
    assert least_focus(hand, 9, left=9, wanted=Fraction(1, 2)) is None


# ---------------------------------------------------------------- New Shoes


@pytest.mark.parametrize(
    ("dice", "target", "explode", "beats", "ties"),
    [
        (1, 4, Explode.CHAIN, 33.3, 16.7),
        (1, 12, Explode.CHAIN, 2.8, 0.0),
        (2, 8, Explode.CHAIN, 38.0, 9.3),
        (3, 12, Explode.CHAIN, 42.1, 6.9),
        (3, 16, Explode.CHAIN, 21.0, 4.4),
        (4, 20, Explode.CHAIN, 24.4, 4.3),
        (5, 20, Explode.CHAIN, 46.4, 5.7),
        (6, 20, Explode.CHAIN, 69.1, 5.3),
        (3, 16, Explode.ONCE, 19.8, 5.0),
        (3, 20, Explode.ONCE, 6.2, 2.2),
    ],
)
def test_an_approach_beats_or_meets_its_target(
    dice: int, target: int, explode: Explode, beats: float, ties: float
) -> None:
    """NS-03, NS-05, NS-17."""
    found = odds(approach(dice, target, explode=explode))
    assert (tenths(found.chance(Result.SUCCESS)), tenths(found.chance(Result.PARTIAL))) == (beats, ties)


@pytest.mark.parametrize(("total", "result"), [(9, Result.SUCCESS), (8, Result.PARTIAL), (7, Result.FAILURE)])
def test_over_on_or_under_the_target(total: int, result: Result) -> None:
    """NS-05, with a status of two that counts."""
    played = play(approach(2, 10, 2), EnteredDice([5, total - 5]))
    assert isinstance(played, Settled)
    assert played.value is result


def test_however_far_the_sixes_carry_every_die_is_shown() -> None:
    """NS-03, NS-17: the total stops past the target, the record does not."""
    played = play(approach(1, 4), EnteredDice([6, 6, 6, 2]))
    assert isinstance(played, Settled)
    assert played.value is Result.SUCCESS
    assert [die.face for die in played.record.rolled] == [6, 6, 6, 2]


@pytest.mark.parametrize(
    ("mine", "theirs", "beats"),
    [(1, 1, Fraction(3, 7)), (2, 1, Fraction(193, 245)), (1, 2, Fraction(38, 245)), (2, 2, Fraction(3949, 8575))],
)
def test_an_opposed_approach_has_a_closed_form(mine: int, theirs: int, beats: Fraction) -> None:
    """NS-06, NS-17."""
    assert odds(opposed_approach(mine, theirs)).chance(Result.SUCCESS) == beats


def test_a_tie_is_partial_and_statuses_count_on_their_own_side() -> None:
    """NS-06."""
    assert odds(opposed_approach(1, 1)).chance(Result.PARTIAL) == Fraction(1, 7)
    assert odds(opposed_approach(2, 3, 4, 1)) == odds(opposed_approach(2, 3, 3, 0))
    played = play(opposed_approach(1, 1, 1, 0), EnteredDice([3, 4]))
    assert isinstance(played, Settled)
    assert played.value is Result.PARTIAL


# ---------------------------------------------------------------- Six-Pool


def succeeds(bonus: int, dc: int, points: int = 0, footing: six_pool.Footing = six_pool.Footing.LEVEL) -> Fraction:
    return odds(check(bonus, dc, points, footing)).chance(lambda rolled: rolled.success)


@pytest.mark.parametrize(
    ("bonus", "dc", "points", "chance"),
    [
        (5, 18, 3, Fraction(55, 100)),
        (4, 16, 2, Fraction(55, 100)),
        (1, 15, 4, Fraction(55, 100)),
        (0, 10, 0, Fraction(55, 100)),
        (0, 5, 0, Fraction(80, 100)),
        (0, 30, 0, Fraction(5, 100)),
        (20, 1, 0, Fraction(95, 100)),
    ],
)
def test_the_chance_of_a_check(bonus: int, dc: int, points: int, chance: Fraction) -> None:
    """SP-01, SP-11, SP-21: naturals leave a twentieth at either end."""
    assert succeeds(bonus, dc, points) == chance


def test_advantage_and_disadvantage() -> None:
    """SP-10: for a check that needs a ten."""
    assert succeeds(5, 18, 3, six_pool.Footing.ADVANTAGE) == Fraction(7975, 10000)
    assert succeeds(5, 18, 3, six_pool.Footing.DISADVANTAGE) == Fraction(3025, 10000)


@pytest.mark.parametrize(
    ("natural", "margin", "degree"),
    [
        (10, 10, Degree.CRITICAL_SUCCESS),
        (10, 9, Degree.STRONG_SUCCESS),
        (10, 5, Degree.STRONG_SUCCESS),
        (10, 4, Degree.SUCCESS),
        (10, 0, Degree.SUCCESS),
        (10, -1, Degree.FAILURE),
        (10, -4, Degree.FAILURE),
        (10, -5, Degree.BAD_FAILURE),
        (10, -9, Degree.BAD_FAILURE),
        (10, -10, Degree.CRITICAL_FAILURE),
        (20, -10, Degree.CRITICAL_SUCCESS),
        (1, 12, Degree.CRITICAL_FAILURE),
    ],
)
def test_degrees_come_in_bands_of_five(natural: int, margin: int, degree: Degree) -> None:
    """SP-11, SP-12."""
    assert Check(natural, margin).degree is degree
    assert Check(natural, margin).success is (list(Degree).index(degree) < 3)


def test_the_bard_against_the_noble() -> None:
    """SP-13: +5 against +3, a tie to the noble."""
    found = odds(contest(5, 3))
    assert found.chance(lambda contest: contest.winner is six_pool.Side.ACTOR) == Fraction(5725, 10000)
    assert found.chance(lambda contest: contest.margin == 0) == Fraction(45, 1000)
    held = odds(contest(5, 3, tie_holder=six_pool.Side.ACTOR))
    assert held.chance(lambda contest: contest.winner is six_pool.Side.ACTOR) == Fraction(6175, 10000)


def test_every_legal_spend_and_the_smallest_that_suffices() -> None:
    """SP-21."""
    assert list(chances_by_points(5, 18, 3)) == [Fraction(8 + points, 20) for points in range(4)]
    assert least_points(5, 18, 3, Fraction(1, 2)) == 2
    assert least_points(5, 18, 3, Fraction(9, 10)) is None
