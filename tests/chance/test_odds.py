"""Exact odds: integer weights over one total, and the figures people ask for."""

from enum import Enum
from fractions import Fraction

import pytest

from astragal.chance import Odds, OpenEnded, d6, exploding, percent


class Size(Enum):
    LARGE = "large"
    SMALL = "small"


DIE = d6.odds()
TAIL = exploding(1, d6, ceiling=8).odds()


def test_odds_are_equal_if_every_chance_is_whatever_the_totals() -> None:
    assert Odds({1: 1, 2: 1}, 2) == Odds({2: 3, 1: 3}, 6)
    assert hash(Odds({1: 1, 2: 1}, 2)) == hash(Odds({2: 3, 1: 3}, 6))
    assert Odds({1: 1, 2: 1}, 2) != Odds({1: 1, 2: 2}, 3)
    assert Odds({1: 1}, 1) != 1


def test_a_chance_is_asked_by_outcome_or_by_what_holds() -> None:
    assert DIE.chance(3) == Fraction(1, 6)
    assert DIE.chance(7) == 0
    assert DIE.chance(lambda face: face >= 5) == DIE.at_least(5) == Fraction(1, 3)
    assert DIE.chances()[6] == Fraction(1, 6)


def test_mean_variance_and_quantiles() -> None:
    assert DIE.mean() == Fraction(7, 2)
    assert DIE.variance() == Fraction(35, 12)
    assert [DIE.quantile(share) for share in (0, Fraction(1, 6), Fraction(1, 2), 0.9, 1)] == [1, 1, 3, 6, 6]
    with pytest.raises(ValueError, match="between 0 and 1"):
        DIE.quantile(2)


def test_outcomes_come_in_their_own_order() -> None:
    assert [outcome for outcome, _ in Odds({3: 1, 1: 1, 2: 1}, 3)] == [1, 2, 3]
    assert [outcome for outcome, _ in Odds({Size.SMALL: 1, Size.LARGE: 1}, 2)] == [Size.LARGE, Size.SMALL]


@pytest.mark.parametrize(
    ("chance", "digits", "rounded"),
    [
        (Fraction(1, 8), 0, 12),
        (Fraction(3, 8), 0, 38),
        (Fraction(1, 200), 0, 0),
        (Fraction(3, 200), 0, 2),
        (Fraction(1, 3), 1, Fraction(333, 10)),
        (Fraction(1, 800), 2, Fraction(12, 100)),
    ],
)
def test_percent_rounds_half_to_even(chance: Fraction, digits: int, rounded: int | Fraction) -> None:
    assert percent(chance, digits) == rounded
    odds = Odds.of_fractions({"yes": chance, "no": 1 - chance})
    assert odds.percent("yes", digits) == rounded


def test_meaning_joins_outcomes() -> None:
    assert DIE.map(lambda face: face % 2 == 0) == Odds({True: 1, False: 1}, 2)


def test_what_is_known_narrows_the_odds() -> None:
    assert DIE.given(lambda face: face > 4) == Odds({5: 1, 6: 1}, 2)
    with pytest.raises(ValueError, match="nothing is left"):
        DIE.given(lambda face: face > 6)


def test_two_at_once_are_independent() -> None:
    assert DIE.joined(DIE, lambda mine, theirs: mine + theirs).chance(7) == Fraction(1, 6)
    assert DIE.against(DIE) == Odds({1: 15, 0: 6, -1: 15}, 36)


def test_ways_of_making_odds_agree() -> None:
    assert Odds.certain(4) == Odds({4: 1}, 1)
    assert Odds.uniform([1, 1, 2]) == Odds({1: 2, 2: 1}, 3)
    assert Odds.of_fractions({1: Fraction(1, 6), 2: Fraction(5, 6), 3: Fraction(0)}) == Odds({1: 1, 2: 5}, 6)
    assert Odds.mixture({2: {"a": 1}, 3: {"a": 1, "b": 1}, 6: {}}).weights == {"a": 5, "b": 2}


def test_the_number_of_outcomes_is_their_length() -> None:
    assert len(DIE) == 6


@pytest.mark.parametrize("figure", ["mean", "variance"])
def test_a_figure_that_an_open_end_hides_is_refused(figure: str) -> None:
    with pytest.raises(OpenEnded, match="8 or more is one outcome"):
        getattr(TAIL, figure)()


def test_an_open_end_answers_up_to_itself() -> None:
    assert TAIL.at_least(8) == Fraction(5, 36)
    with pytest.raises(OpenEnded):
        TAIL.at_least(9)
    assert TAIL.quantile(Fraction(1, 2)) == 3
    with pytest.raises(OpenEnded):
        TAIL.quantile(1)


def test_an_open_end_is_compared_with_what_stays_under_it() -> None:
    assert TAIL.against(DIE).chance(1) == Fraction(10 + 6, 36)
    with pytest.raises(OpenEnded):
        TAIL.against(Odds.certain(8))
    with pytest.raises(OpenEnded, match="both have an open end"):
        TAIL.against(TAIL)


def test_narrowing_keeps_an_open_end_only_while_it_is_in() -> None:
    assert TAIL.given(lambda total: total > 5).open_end == 8
    assert TAIL.given(lambda total: total < 5).mean() == Fraction(5, 2)
