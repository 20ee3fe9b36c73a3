"""The odds of a notation are exact: held against icepool, against every throw, and against play."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from operator import add, sub
from typing import Any

import icepool
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.chance import EnteredDice, Odds, OpenEnded, SeededDice
from astragal.chance.errors import BadNotation, TooMuchWork
from astragal.chance.notation import Expression, odds, parse, roll


def weights(die: Any) -> dict[int, Fraction]:
    return {outcome: Fraction(many, die.denominator()) for outcome, many in die.items()}


D6: Any = icepool.d6
FINITE: dict[str, Callable[[], Any]] = {
    "1d20+7": lambda: icepool.d20 + 7,
    "2d20kl1": lambda: icepool.lowest(icepool.d20, icepool.d20),
    "4d6dl1": lambda: D6.highest(4, 3),
    "10d6kh3": lambda: D6.highest(10, 3),
    "6d8dh2": lambda: icepool.d8.lowest(6, 4),
    "10d6>=5": lambda: 10 @ (D6 >= 5),
    "5d6!o": lambda: 5 @ D6.explode(depth=1),
    "4d6!okh2": lambda: D6.explode(depth=1).highest(4, 2),
    "2d6r1": lambda: 2 @ D6.reroll([1], depth="inf"),
    "2d6ro<=2": lambda: 2 @ D6.reroll([1, 2], depth=1),
    "3d6r>=5kl2": lambda: D6.reroll([5, 6], depth="inf").lowest(3, 2),
    "4d10r1>=7": lambda: 4 @ (icepool.d10.reroll([1], depth="inf") >= 7),
    "(1d4+2)*2": lambda: (icepool.d4 + 2) * 2,
    "1d6-1d8": lambda: D6 - icepool.d8,
    "1d6*1d8-1d4": lambda: D6 * icepool.d8 - icepool.d4,
    "(3d6-10)/2": lambda: (3 @ D6 - 10) // 2,
    "-1d6/4": lambda: -(D6 // 4),
    "20/1d6": lambda: 20 // D6,
    "d%/10": lambda: icepool.d100 // 10,
    "40d6": lambda: 40 @ D6,
    "2d6+3d8kh2-1d4!o": lambda: 2 @ D6 + icepool.d8.highest(3, 2) - icepool.d4.explode(depth=1),
}


@pytest.mark.parametrize("text", FINITE)
def test_finite_odds_are_those_of_icepool(text: str) -> None:
    assert odds(text).chances() == weights(FINITE[text]())


ENDLESS: dict[str, Callable[[Any], Any]] = {
    "1d6!": lambda die: die,
    "3d6!": lambda die: 3 @ die,
    "3d6!kh1": lambda die: die.highest(3, 1),
    "3d6!dl1": lambda die: die.highest(3, 2),
    "3d6!kl2": lambda die: die.lowest(3, 2),
    "2d6!+2d8-3": lambda die: 2 @ die + 2 @ icepool.d8 - 3,
    "(1d6!+1)*2": lambda die: (die + 1) * 2,
    "1d4*1d6!": lambda die: icepool.d4 * die,
    "2d6!/3": lambda die: (2 @ die) // 3,
    "2d6!/1d3": lambda die: (2 @ die) // icepool.d3,
    "1d6!+2d6!": lambda die: 3 @ die,
}


@pytest.mark.parametrize("text", ENDLESS)
def test_endless_explosions_agree_with_long_truncated_ones(text: str) -> None:
    """Icepool cuts explosions off; what lies under eight of them is cut nowhere."""
    found = odds(text)
    assert found.open_end is not None
    assert found.chance(found.open_end) < Fraction(1, 10**5)
    cut = weights(ENDLESS[text](D6.explode(depth=8)))
    for value in range(40 // (3 if "/" in text else 1)):
        if value < found.open_end:
            assert found.chance(value) == cut.get(value, 0)


def test_the_weight_of_an_open_end_is_exact() -> None:
    found = odds("1d6!kh1+0")
    end = found.open_end
    assert end is not None
    explosions, rest = divmod(end - 1, 6)
    assert found.chance(end) == Fraction(1, 6**explosions) * (1 - Fraction(rest, 6) if rest < 5 else Fraction(1, 6))


@pytest.mark.parametrize(("text", "hit"), [("1d6!>=6", (1, 6)), ("1d6!>=7", (1, 6)), ("1d6!>=8", (5, 36))])
def test_hits_over_exploding_dice_need_no_open_end(text: str, hit: tuple[int, int]) -> None:
    found = odds(text)
    assert found.open_end is None
    assert found.chance(1) == Fraction(*hit)


@pytest.mark.parametrize("text", ["5d6!-3d6!", "10-1d6!", "-1d6!", "100/1d6!", "1d6!*0", "1d6!*(1d4-2)", "1d6!/-2"])
def test_an_open_end_that_is_not_the_upper_one_is_refused_by_name(text: str) -> None:
    assert roll(text, SeededDice(1)).rolled
    with pytest.raises(OpenEnded, match="explodes without end"):
        odds(text)


@pytest.mark.parametrize(
    "text", ["1000d1000", "1000d6kh500", "1000d1000000", "1d1000000*1d6", "*".join(["d1000"] * 20)]
)
def test_too_much_work_is_refused_by_name_and_rolled_all_the_same(text: str) -> None:
    assert roll(text, SeededDice(1)).rolled
    with pytest.raises(TooMuchWork, match="steps"):
        odds(text)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "value", "chance"),
    [
        ("{1d400000,1d6}kh1", 6, Fraction(11, 2_400_000)),
        ("{1d400000,1d6}kl1", 6, Fraction(399_995, 2_400_000)),
        ("1d400000+1d6", 2, Fraction(1, 2_400_000)),
        ("1d6-1d400000", 0, Fraction(1, 400_000)),
    ],
)
def test_a_die_of_very_many_sides_is_joined_without_going_through_its_pairs(
    text: str, value: int, chance: Fraction
) -> None:
    found = odds(text)
    assert found.chance(value) == chance
    assert sum(found.weights.values()) == found.total == 2_400_000


WEIGHTS = st.dictionaries(st.integers(-60, 60), st.integers(1, 9), min_size=35)


@pytest.mark.slow
@pytest.mark.parametrize("meaning", [add, sub, max, min])
@settings(max_examples=20)
@given(ones=WEIGHTS, others=WEIGHTS)
def test_many_pairs_joined_at_once_are_those_joined_one_by_one(
    meaning: Callable[[int, int], int], ones: dict[int, int], others: dict[int, int]
) -> None:
    one, other = (Odds(weights, sum(weights.values())) for weights in (ones, others))
    assert one.joined(other, meaning) == one.joined(other, lambda *pair: pair).map(lambda pair: meaning(*pair))


@pytest.mark.parametrize("text", ["2d6!kh1", "{1d6!,1d8}kh1", "1d6!/2"])
def test_where_endless_dice_are_kept_or_divided_the_odds_are_given_and_the_mean_is_not(text: str) -> None:
    assert odds(text).open_end is not None
    with pytest.raises(OpenEnded, match="the mean is not in these odds"):
        parse(text).mean()


DICE = st.builds(
    "{}d{}{}{}".format,
    st.integers(1, 4),
    st.integers(2, 8),
    st.sampled_from(["", "!", "!o", "r1", "ro1", "ro<=2"]),
    st.sampled_from(["", "kh1", "kl1", "d0", ">=2", ">=9"]),
)
TERMS = st.one_of(DICE, st.integers(0, 20).map(str))
SUMS = st.recursive(
    TERMS,
    lambda inner: st.builds("({}{}{})".format, inner, st.sampled_from(["+", "-", "*", "/"]), inner),
    max_leaves=4,
)


@pytest.mark.slow
@settings(max_examples=100)
@given(SUMS, st.integers(0, 2**32))
def test_a_roll_lies_among_the_odds_and_within_the_span(text: str, seed: int) -> None:
    try:
        expression = parse(text)
    except BadNotation:
        return  # a divisor that could be 0
    total = roll(expression, SeededDice(seed)).total
    low, high = expression.root.span
    assert low <= total <= high
    try:
        found = odds(expression)
    except (OpenEnded, TooMuchWork):
        return
    assert sum(found.weights.values()) == found.total
    assert min(found.weights) == low
    assert found.open_end is not None or max(found.weights) == high
    assert found.chance(total if found.open_end is None else min(total, found.open_end)) > 0


@pytest.mark.parametrize(
    ("text", "dice"), [("2d4r1+1d3", (4, 4, 3)), ("3d4kh2*2-1d2", (4, 4, 4, 2)), ("2d3>=2+1d4/2", (3, 3, 4))]
)
def test_odds_are_those_of_trying_every_throw(text: str, dice: tuple[int, ...]) -> None:
    """Rerolls are the one chain here; a face that is rerolled only makes another of the same throws."""
    expression = parse(text)
    seen: Counter[int] = Counter()
    for faces in product(*(range(1, sides + 1) for sides in dice)):
        if "r1" not in text or 1 not in faces[:2]:
            seen[roll(expression, EnteredDice(faces)).total] += 1
    assert odds(expression) == Odds(seen, seen.total())


@pytest.mark.slow
def test_play_and_odds_agree_over_many_rolls() -> None:
    expression: Expression = parse("3d6!dl1+1d4")
    found, dice = odds(expression), SeededDice(11)
    seen = Counter(roll(expression, dice).total for _ in range(20_000))
    for total in range(6, 18):
        assert abs(seen[total] / 20_000 - found.chance(total)) < 0.015
