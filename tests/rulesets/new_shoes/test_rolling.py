"""The roll itself: dice, results, exact odds."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.chance import Odds, Question, SeededDice, Settled, d6, exploding, odds, percent, play
from astragal.rulesets.new_shoes.rules import Reached, Result, Step, approach, beats, is_usual, opposed_approach
from astragal.rulesets.new_shoes.state import Explode
from tests.rulesets.new_shoes.prospects import chances_of
from tests.table.seated import ScriptedDice

CHAINED = [
    (1, 4, "33.3", "16.7"),
    (1, 12, "2.8", "0"),
    (2, 8, "38.0", "9.3"),
    (3, 12, "42.1", "6.9"),
    (3, 16, "21.0", "4.4"),
    (4, 20, "24.4", "4.3"),
    (5, 20, "46.4", "5.7"),
    (6, 20, "69.1", "5.3"),
]
ONCE = [(3, 16, "19.8", "5.0"), (3, 20, "6.2", "2.2")]


def rolled(question: Question[Reached], *faces: int) -> Reached:
    played = play(question, ScriptedDice(faces))
    assert isinstance(played, Settled)
    return played.value


def by_hand(dice: int, up_to: int) -> dict[int, Fraction]:
    """The chance of each total up to a number, added up die by die: nothing above it can come back under it."""
    single = {
        6 * sixes + last: Fraction(1, 6 ** (sixes + 1)) for sixes in range(up_to // 6 + 1) for last in range(1, 6)
    }
    totals = {0: Fraction(1)}
    for _ in range(dice):
        summed: dict[int, Fraction] = {}
        for (total, chance), (value, share) in product(totals.items(), single.items()):
            if total + value <= up_to:
                summed[total + value] = summed.get(total + value, Fraction(0)) + chance * share
        totals = summed
    return totals


# ---------------------------------------------------------------- dice


def test_every_six_is_rolled_again_and_again_and_added() -> None:
    """NS-03: 6, 6, 2 and 4 are two dice, and come to 18."""
    assert rolled(approach(2, 17), 6, 6, 2, 4).result is Result.SUCCESS
    assert rolled(approach(2, 18), 6, 6, 2, 4).result is Result.PARTIAL
    assert rolled(approach(2, 19), 6, 6, 2, 4).result is Result.FAILURE
    assert set(odds(approach(2, 19)).weights) == {Reached(-1), Reached(0), Reached(1)}


def test_a_table_may_let_each_six_explode_once() -> None:
    """NS-03, option explode=once: the second 6 of a die is added, and brings no third."""
    once = approach(2, 16, explode=Explode.ONCE)
    assert rolled(once, 6, 4, 6).result is Result.PARTIAL
    assert rolled(approach(2, 15, explode=Explode.ONCE), 6, 4, 6).result is Result.SUCCESS


def test_the_mean_of_a_die() -> None:
    """NS-03: 4.2 chained, 49/12 once."""
    assert exploding(1, d6).mean() == Fraction(42, 10)
    assert exploding(1, d6, once=True).mean() == Fraction(49, 12)


@pytest.mark.parametrize("total", [6, 12, 18])
def test_a_chained_die_never_ends_on_a_multiple_of_six(total: int) -> None:
    """NS-03: a 6 always brings another; where it does so only once, 12 has 1 in 36."""
    assert chances_of(approach(1, total)).meet == 0
    assert chances_of(approach(1, total, explode=Explode.ONCE)).meet == (Fraction(1, 36) if total == 12 else 0)


def test_dice_are_the_attribute_and_nothing_else() -> None:
    """NS-03: statuses add to the total, and never a die."""
    dice = ScriptedDice([1, 1, 1])
    play(approach(3, 4, 8), dice)
    assert not dice.faces


# ---------------------------------------------------------------- statuses and results


def test_statuses_are_added_to_the_total() -> None:
    """NS-04: signed."""
    assert rolled(approach(2, 8, 2), 3, 4).result is Result.SUCCESS
    assert rolled(approach(2, 8, 1), 3, 4).result is Result.PARTIAL
    assert rolled(approach(2, 8, -2), 5, 5).result is Result.PARTIAL


@pytest.mark.parametrize(
    ("margin", "result"), [(1, Result.SUCCESS), (0, Result.PARTIAL), (-1, Result.FAILURE), (40, Result.SUCCESS)]
)
def test_over_on_and_under_the_target(margin: int, result: Result) -> None:
    """NS-05: meeting the target is not enough for a whole success."""
    assert Reached(margin).result is result
    assert beats(Reached(margin)) is (margin > 0)


def test_only_a_success_is_the_players_to_tell() -> None:
    """NS-05: of a partial success and a failure the game master tells."""
    assert [result for result in Result if result.player_narrates] == [Result.SUCCESS]


def test_the_named_targets() -> None:
    """NS-02: 4 easy, 8 fair, 12 hard, 16 very hard, 20 nearly impossible."""
    assert {step.value: step.target for step in Step} == {
        "easy": 4,
        "fair": 8,
        "hard": 12,
        "very hard": 16,
        "nearly impossible": 20,
    }
    assert [number for number in range(30) if is_usual(number)] == list(range(4, 21))


# ---------------------------------------------------------------- exact odds


@pytest.mark.parametrize(("dice", "target", "beat", "tie"), CHAINED)
def test_the_vectors_of_chained_dice(dice: int, target: int, beat: str, tie: str) -> None:
    """NS-17: the ledger's percentages."""
    chances = chances_of(approach(dice, target))
    assert (percent(chances.beat, 1), percent(chances.meet, 1)) == (Fraction(beat), Fraction(tie))
    assert chances.beat + chances.meet + chances.miss == 1


@pytest.mark.parametrize(("dice", "target", "beat", "tie"), ONCE)
def test_the_vectors_of_dice_that_explode_once(dice: int, target: int, beat: str, tie: str) -> None:
    """NS-03, NS-17: the ledger's percentages with the option."""
    chances = chances_of(approach(dice, target, explode=Explode.ONCE))
    assert (percent(chances.beat, 1), percent(chances.meet, 1)) == (Fraction(beat), Fraction(tie))


@pytest.mark.parametrize(
    ("mine", "theirs", "beat", "tie"),
    [
        (1, 1, Fraction(3, 7), Fraction(1, 7)),
        (2, 1, Fraction(193, 245), None),
        (1, 2, Fraction(38, 245), None),
        (2, 2, Fraction(3949, 8575), None),
    ],
)
def test_the_vectors_of_opposed_dice(mine: int, theirs: int, beat: Fraction, tie: Fraction | None) -> None:
    """NS-06, NS-17: two endless totals against each other, exactly."""
    chances = chances_of(opposed_approach(mine, theirs))
    assert chances.beat == beat
    assert tie is None or chances.meet == tie


@pytest.mark.slow
@given(dice=st.integers(1, 8), target=st.integers(-3, 45), statuses=st.integers(-9, 9))
def test_no_cut_off_changes_a_figure(dice: int, target: int, statuses: int) -> None:
    """NS-17: the chances are those of adding up die by die, and everything above the target is one outcome."""
    meet = target - statuses
    totals = by_hand(dice, max(meet, 0))
    chances = chances_of(approach(dice, target, statuses))
    assert chances.meet == totals.get(meet, 0)
    assert chances.miss == sum(chance for total, chance in totals.items() if total < meet)


@pytest.mark.slow
@given(dice=st.integers(1, 8), target=st.integers(4, 20), won=st.integers(1, 8), lost=st.integers(1, 8))
def test_what_harm_can_take_is_weighed_point_by_point(dice: int, target: int, won: int, lost: int) -> None:
    """NS-17: up to what harm can take every point has its own chance; above it, all totals are one outcome."""
    weighed: Odds[Reached] = odds(approach(dice, target, won=won, lost=lost))
    totals = by_hand(dice, target + won)
    for over in range(-lost + 1, won):
        assert weighed.chance(Reached(over)) == totals.get(target + over, 0)
    assert weighed.chance(Reached(-lost)) == sum(share for total, share in totals.items() if total <= target - lost)
    assert sum(weighed.weights.values()) == weighed.total


@pytest.mark.slow
@given(st.integers(1, 4), st.integers(1, 4), st.integers(-3, 3), st.integers(1, 5), st.integers(1, 5))
def test_opposed_odds_have_two_sides(mine: int, theirs: int, statuses: int, won: int, lost: int) -> None:
    """NS-06, NS-17: what is a margin for one is the same margin against the other."""
    forth = odds(opposed_approach(mine, theirs, statuses, 0, won=won, lost=lost))
    back = odds(opposed_approach(theirs, mine, 0, statuses, won=lost, lost=won))
    assert forth == back.map(lambda reached: Reached(-reached.margin))


def test_opposed_statuses_count_for_their_side() -> None:
    """NS-06: where sixes explode once, nobody makes up for 30."""
    assert chances_of(opposed_approach(1, 1, 30, 0, explode=Explode.ONCE)).beat == 1
    assert chances_of(opposed_approach(1, 1, 0, 30, explode=Explode.ONCE)).miss == 1


@pytest.mark.parametrize("explode", Explode)
def test_opposed_odds_are_what_is_played(explode: Explode) -> None:
    """NS-06: the dice agree with the odds, in either option."""
    question = opposed_approach(2, 3, 1, explode=explode)
    plays = [play(question, SeededDice(seed)) for seed in range(2000)]
    beaten = sum(isinstance(one, Settled) and one.value.margin > 0 for one in plays)
    assert abs(beaten / 2000 - chances_of(question).beat) < Fraction(4, 100)


def test_a_target_out_of_reach_or_under_any_roll() -> None:
    """NS-02, NS-17: any whole number is a target: under the fewest pips all succeeds; far off, a few sixes do."""
    assert chances_of(approach(3, -5)).beat == 1
    assert chances_of(approach(3, 2)).beat == 1
    assert chances_of(approach(3, 3)).meet == Fraction(1, 216)
    assert 0 < chances_of(approach(1, 120)).beat == Fraction(1, 6**20)
    assert rolled(approach(1, 999), *[6] * 200, 1).result is Result.SUCCESS
