"""Grids: the odds at every point, asked at once."""

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any

import pytest

from astragal.chance import BadStep, Offer, Rolls, Rule, d6, d20, exploding, hits, odds, odds_grid, rule
from astragal.chance.lanes import Grid
from astragal.chance.weigh import Policy, Weigher, decline
from examples.narraject import Hand, roll_hand
from examples.new_shoes import Result, opposed_approach
from examples.sinew_and_steel import Footing, Side, lucky_test, opposed_test
from examples.six_pool import check, contest

SCORES = range(6, 17)


def agree(grid: Grid[Any], policy: Policy = decline, **fixed: Any) -> None:
    weigher = Weigher(policy)
    rules: dict[str, Rule[..., Any]] = {
        it.name: it for it in (opposed_test, lucky_test, opposed_approach, check, contest, roll_hand, *MORE)
    }
    for point, found in grid.items():
        asked = rules[grid.rule](**dict(zip(grid.axes, point, strict=True)), **fixed)
        assert found == weigher.weigh(asked), asked


@rule
def keyed(price: int, dice: int) -> Rolls[str]:
    """Uses its arguments as a key, a count and a range."""
    found = yield from hits(dice, d6, at_least=5)
    return {1: "cheap", 2: "fair", 3: "dear"}[price] + "!" * found + "".join(str(n) for n in range(price))


@rule
def refuses(score: int) -> Rolls[int]:
    if score > 3:
        raise ValueError(f"{score} is too high")
    return (yield from d6) + score


@rule
def early(score: int) -> Rolls[int]:
    """Does not roll at every point."""
    if score % 2:
        return score
    return (yield from d6) - score


@rule
def far(pool: int, ceiling: int) -> Rolls[int]:
    found = yield from exploding(pool, d6, ceiling=ceiling)
    others = yield from hits(pool * 8, d6, at_least=5)
    return found - others


@rule
def sundry(mine: int, theirs: int, footing: int) -> Rolls[bool]:
    """Comes to the same along its die alone, along one argument or another, and along all of them."""
    face = yield from (d20 if footing else d6)
    if face == 1:
        return False
    if face == mine:
        return True
    if face == theirs + 1:
        return False
    return face + mine > theirs


MORE = (keyed, refuses, early, far, sundry)


@dataclass(frozen=True)
class Pack:
    weight: int
    kind: Footing


def test_ends_along_some_axes_are_weighed_with_those_along_others() -> None:
    agree(odds_grid(sundry, mine=range(3, 9), theirs=range(2, 12), footing=range(2)))


@pytest.mark.slow
def test_the_table_of_opposed_tests_as_printed() -> None:
    """SS-07: the corners and the middle of the book's table."""
    grid = odds_grid(opposed_test, attacker=SCORES, defender=SCORES)
    agree(grid)
    assert len(grid) == 121
    chances = grid.chances(Side.ATTACKER)
    assert chances[10, 10] == odds(opposed_test(10, 10)).chance(Side.ATTACKER)
    assert grid[6, 16] == grid.at(defender=16, attacker=6) == odds(opposed_test(6, 16))


def test_enums_and_fixed_values_are_arguments_too() -> None:
    agree(odds_grid(opposed_test, attacker=[8, 12], defender=9, attacker_footing=Footing), defender=9)
    agree(odds_grid(check, bonus=range(-2, 11, 3), dc=[10, 15], footing=list(six_footings())))


def six_footings() -> type[Enum]:
    from examples.six_pool import Footing as SixFooting

    return SixFooting


def test_pools_made_of_arguments() -> None:
    agree(odds_grid(opposed_approach, attribute=range(1, 4), opposing=range(1, 4)))
    agree(odds_grid(far, pool=[1, 3, 5], ceiling=[6, 12]))
    agree(odds_grid(roll_hand, hand=[Hand(rating=3), Hand(rating=4, focus=2)], difficulty=range(1, 4)))


def test_arguments_that_are_keys_or_counts() -> None:
    agree(odds_grid(keyed, price=[1, 2, 3], dice=range(4)))
    agree(odds_grid(early, score=range(-2, 5)))


def test_a_policy_answers_at_every_point() -> None:
    def last(offer: Offer[Any]) -> Any:
        return offer.options[-1]

    agree(odds_grid(lucky_test, last, score=[5, 10, 15], tokens=[0, 2]), last)
    agree(odds_grid(contest, last, bonus=range(3), opposing_bonus=range(3), limit=2), last, limit=2)


def test_what_a_rule_refuses_it_refuses_in_a_grid() -> None:
    with pytest.raises(ValueError, match="4 is too high"):
        odds_grid(refuses, score=range(6))
    agree(odds_grid(refuses, score=range(4)))


def test_a_grid_needs_axes() -> None:
    with pytest.raises(BadStep, match="at least one axis"):
        odds_grid(refuses, score=2)
    with pytest.raises(BadStep, match="each of them once"):
        odds_grid(refuses, score=[1, 1])
    with pytest.raises(BadStep, match="one or more"):
        odds_grid(refuses, score=[])
    with pytest.raises(TypeError, match="no argument 'luck'"):
        odds_grid(refuses, score=[1], luck=3)


def test_a_point_that_is_not_there() -> None:
    grid = odds_grid(refuses, score=range(3))
    assert grid[2] == odds(refuses(2))
    for missing in ({"score": 7}, {}, {"score": 1, "luck": 2}):
        with pytest.raises(KeyError, match="no such point"):
            grid.at(**missing)


def test_percentages_by_two_arguments() -> None:
    grid = odds_grid(opposed_test, attacker=[6, 10, 16], defender=[6, 10])
    assert grid.text(Side.ATTACKER).splitlines() == [
        "attacker \\ defender   6  10",
        "                  6  25  19",
        "                 10  45  36",
        "                 16  75  66",
    ]


def test_percentages_for_programs() -> None:
    grid = odds_grid(refuses, score=[0, 3])
    assert grid.csv(lambda total: total > 4) == "0,3\n33.333333,83.333333\n"
    assert grid.markdown(lambda total: total > 4, digits=1) == "| 0 | 3 |\n|---:|---:|\n| 33.3 | 83.3 |"


def test_without_a_wish_every_outcome_is_shown() -> None:
    grid = odds_grid(opposed_approach, attribute=[1, 2], opposing=[1])
    assert grid.rows(digits=1) == [
        ["attribute", "opposing", *(result.value for result in Result)],
        ["1", "1", "42.9", "14.3", "42.9"],
        ["2", "1", "78.8", "5.7", "15.5"],
    ]
    assert str(grid) == grid.text()
    assert grid.chances("no such outcome") == {(1, 1): Fraction(0), (2, 1): Fraction(0)}


@rule
def heavy(pack: Pack, load: int) -> Rolls[bool]:
    face = yield from d20
    return face + load > pack.weight if pack.kind is Footing.LEVEL else face > load


def test_values_with_numbers_inside_are_axes() -> None:
    packs = [Pack(weight, kind) for weight in (5, 9, 14) for kind in Footing]
    grid = odds_grid(heavy, pack=packs, load=range(4))
    assert all(found == Weigher().weigh(heavy(*point)) for point, found in grid.items())
