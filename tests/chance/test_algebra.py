"""One algebra: dice, questions in which nobody decides, and odds are calculated with, kept, counted and compared."""

import itertools
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from astragal.chance import (
    BadStep,
    ChanceError,
    Die,
    EnteredDice,
    Odds,
    Offer,
    Rolls,
    SeededDice,
    Settled,
    d4,
    d6,
    d8,
    d10,
    d12,
    d20,
    exploding,
    highest,
    hits,
    lowest,
    odds,
    play,
    pool,
    replay,
    rule,
    total,
    until,
)
from astragal.chance.counting import exploding_totals, highest_exploding, highest_kept, sums
from astragal.chance.notation import roll
from astragal.chance.play import next_dice


@rule
def attack(score: int) -> Rolls[int]:
    """A d20 at or under the score hits for a d8."""
    if (yield from d20) <= score:
        return (yield from d8)
    return 0


@rule
def lucky(score: int) -> Rolls[int]:
    return score + (yield from Offer("hero", "luck", (0, 1)))


@rule
def best_blow() -> Rolls[int]:
    return (yield from highest(2, attack(12)) + d4)


def brute(values: Odds[int], times: int, meaning: Callable[[tuple[int, ...]], Any]) -> Odds[Any]:
    weights: Counter[Any] = Counter()
    for thrown in itertools.product(values.weights.items(), repeat=times):
        ways = 1
        for _, weight in thrown:
            ways *= weight
        weights[meaning(tuple(value for value, _ in thrown))] += ways
    return Odds(weights, values.total**times)


# ---------------------------------------------------------------- a question is a die


def test_a_question_is_added_kept_counted_pooled_and_compared_as_a_die_is() -> None:
    blow = odds(attack(12))
    assert odds(2 @ attack(12)) == brute(blow, 2, sum)
    assert odds(total(3, attack(12))) == brute(blow, 3, sum)
    assert odds(highest(3, attack(12), keep=2)) == brute(blow, 3, lambda thrown: sum(thrown) - min(thrown))
    assert odds(hits(3, attack(12), at_least=5)) == brute(blow, 3, lambda thrown: sum(value >= 5 for value in thrown))
    assert odds(pool(3, attack(12)).distinct()) == brute(blow, 3, lambda thrown: len(set(thrown)))
    assert odds(attack(12) + 1) == blow.map(lambda value: value + 1)
    assert odds(attack(12) > attack(8)).chance(True) == odds(attack(12)).against(odds(attack(8))).chance(1)
    assert odds(until(attack(12), lambda value: value > 0)) == odds(d8)
    assert odds(attack(12).map(bool)).chance(True) == Fraction(3, 5)


def test_a_question_among_dice_is_thrown_die_by_die_and_replayed() -> None:
    settled = play(best_blow(), EnteredDice([3, 7, 15, 4]))
    assert isinstance(settled, Settled)
    assert settled.value == 11
    assert [(die.by, die.face, die.fate.value) for die in settled.record.rolled] == [
        ("attack", 3, "kept"),
        ("attack", 7, "kept"),
        ("attack", 15, "dropped"),
        ("best_blow", 4, "kept"),
    ]
    assert replay(best_blow(), settled.record) == 11
    assert next_dice(best_blow()) == (20,)


def test_a_question_in_which_somebody_decides_is_no_die_and_says_why() -> None:
    with pytest.raises(BadStep, match=r"hero decides 'luck' in lucky\(score=3\), so it is no die"):
        odds(2 @ lucky(3))
    with pytest.raises(BadStep, match="hero decides 'luck'"):
        (2 @ lucky(3)).odds()


# ---------------------------------------------------------------- odds are calculated with


def test_odds_are_calculated_with_from_both_sides() -> None:
    assert odds(d6) + 1 == 1 + odds(d6) == odds(d6 + 1)
    assert odds(d6) - d8 == odds(d6 - d8)
    assert d6 - odds(d8) == odds(d6 - d8)
    assert odds(d6) * attack(12) == odds(d6 * attack(12))
    assert 5 // odds(d6) == odds(5 // d6) == Odds({5: 1, 2: 1, 1: 3, 0: 1}, 6)
    assert (odds(d6) >= d8) == odds(d6 >= d8)
    assert (d6 < odds(d8)) == odds(d6 < d8)
    assert 3 @ odds(d6) == odds(3 @ d6)
    assert odds(highest(2, odds(attack(12)))) == odds(highest(2, attack(12)))
    assert -odds(d6) == odds(-d6)
    assert (odds(d6 > 2) & odds(d8 > 2)) == odds((d6 > 2) & (d8 > 2))


def test_odds_have_a_median_a_mode_items_and_samples() -> None:
    assert odds(d6).median() == 3
    assert odds(2 @ d6).mode() == (7,)
    assert odds(d4).mode() == (1, 2, 3, 4)
    assert odds(d4).items() == [(face, Fraction(1, 4)) for face in (1, 2, 3, 4)]
    dice = SeededDice(5)
    drawn = Counter(odds(attack(10)).sample(dice) for _ in range(2_000))
    assert abs(drawn[0] / 2_000 - 0.5) < 0.05
    assert Odds.certain("only").sample(EnteredDice()) == "only"


# ---------------------------------------------------------------- several dice


def test_the_highest_and_lowest_of_different_dice() -> None:
    assert odds(highest(d8, d6)) == odds(d8).joined(odds(d6), max)
    assert odds(lowest(d8, d6)) == odds(d8).joined(odds(d6), min)
    assert odds(highest(d8, d6, d6, keep=3)) == odds(d8 + 2 @ d6)
    assert odds(highest(d6, d6, d6, d6, keep=3)) == odds(highest(4, d6, keep=3))


def test_a_pool_keeps_its_highest_lowest_or_middle_and_drops() -> None:
    thrown = odds(d6)
    assert odds(pool(4, d6).highest(3)) == odds(pool(4, d6).drop(lowest=1)) == odds(highest(4, d6, keep=3))
    assert odds(pool(4, d6).lowest(2)) == odds(lowest(4, d6, keep=2))
    assert odds(pool(3, d6).middle()) == brute(thrown, 3, lambda faces: sorted(faces)[1])
    assert odds(pool(4, d6).drop(lowest=1, highest=1)) == brute(thrown, 4, lambda faces: sum(sorted(faces)[1:3]))
    mixed = play(both_ends(), EnteredDice([1, 6, 3, 10]))
    assert isinstance(mixed, Settled)
    assert mixed.value == 9
    assert [die.fate.value for die in mixed.record.rolled] == ["dropped", "kept", "kept", "dropped"]


@rule
def both_ends() -> Rolls[int]:
    return (yield from pool(3, d6).plus(1, d10).drop(lowest=1, highest=1))


def test_values_far_apart_are_kept_too() -> None:
    far = Die([1, 10**9, 10**12])
    assert odds(highest(3, far, keep=2)) == brute(odds(far), 3, lambda faces: sum(faces) - min(faces))


def test_any_groups_of_dice_keep_what_all_their_throws_keep() -> None:
    dice = random.Random(7)
    for _ in range(150):
        groups = []
        for _ in range(dice.randint(1, 3)):
            weights = {dice.randint(-3, 8): dice.randint(1, 4) for _ in range(dice.randint(1, 4))}
            groups.append((weights, dice.randint(1, 2)))
        keep = dice.randint(1, sum(count for _, count in groups))
        expected: Counter[int] = Counter()
        for thrown in itertools.product(*(weights.items() for weights, count in groups for _ in range(count))):
            ways = 1
            for _, weight in thrown:
                ways *= weight
            expected[sum(sorted((value for value, _ in thrown), reverse=True)[:keep])] += ways
        assert highest_kept(groups, keep) == expected, (groups, keep)


@pytest.mark.parametrize(("count", "sides"), [(2, 6), (7, 4), (40, 6), (120, 3), (3, 100)])
def test_a_sum_of_plain_dice_follows_from_its_recurrence(count: int, sides: int) -> None:
    die = dict.fromkeys(range(1, sides + 1), 1)
    expected = {0: 1}
    for _ in range(count):
        expected = dict(Counter(expected))
        added: Counter[int] = Counter()
        for value, ways in expected.items():
            for face in die:
                added[value + face] += ways
        expected = dict(added)
    assert sums(die, count) == expected


@pytest.mark.parametrize(
    ("count", "keep", "sides", "end"), [(3, 2, 4, 20), (4, 1, 6, 30), (4, 3, 6, 40), (3, 3, 6, 30), (5, 2, 3, 15)]
)
def test_the_highest_of_endless_explosions_are_those_of_all_their_throws(
    count: int, keep: int, sides: int, end: int
) -> None:
    weights, ways = highest_exploding(count, sides, keep, end)
    each, each_ways = exploding_totals(1, sides, end)
    expected = Odds(highest_kept([(each, count)], keep), each_ways**count).open_from(end)
    assert Odds(weights, ways, open_end=end) == expected


def test_explosions_without_an_end_are_the_same_in_python_and_in_text() -> None:
    assert odds(exploding(5, d6)) == odds("5d6!")
    assert odds(2 * exploding(3, d6) + 1) == odds("2 * 3d6! + 1")
    assert odds("20d10!kh10").open_end is not None


def test_what_was_refused_has_odds() -> None:
    ten = highest(*[die for die in (d4, d6, d8, d10, d12) for _ in range(2)], keep=3)
    assert sum(odds(ten).chances().values()) == 1
    assert len(odds("1000d100")) == 99_001


# ---------------------------------------------------------------- sentences


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda: max(d6, d8), "highest(one, other)"),
        (lambda: odds(d6, d8), "compare(one, other)"),  # type: ignore[call-overload]
        (lambda: d6 / 2, "divided with //"),
        (lambda: 1 / d6, "divided with //"),
        (lambda: d6**2, "d6.map(lambda value: value**2)"),
        (lambda: 2**d6, "d6.map(lambda value: 2**value)"),
        (lambda: roll("3d6"), "roll('3d6', SystemDice())"),
        (lambda: roll(d6, SeededDice(1)), "a text, such as '3d6'"),  # type: ignore[arg-type]
        (lambda: d6 * 1.5, "3 * d6 // 2"),
        (lambda: d6 + "x", "dice and whole numbers"),
        (lambda: d6 @ d6, "3 @ d6"),
        (lambda: attack({6}), "a tuple in place of a list"),  # type: ignore[arg-type]
        (lambda: highest(3), "highest(4, d6, keep=3)"),  # type: ignore[call-overload]
        (lambda: total(2, 6), "such as d6 or Die(7)"),  # type: ignore[arg-type]
        (lambda: pool(3, d6).highest(4), "of 3 dice you can keep 1 to 3"),
        (lambda: pool(4, d6).middle(), "as many are dropped above as below"),
    ],
)
def test_what_is_no_algebra_says_what_to_write(ask: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ChanceError) as refused:
        ask()
    assert sentence in str(refused.value)


def test_dice_alone_load_no_large_package() -> None:
    code = (
        "import sys, astragal; from astragal import d6, highest, odds; odds(highest(d6, d6)); odds('4d6kh3');"
        "print([name for name in ('numpy', 'apsw', 'rich') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
