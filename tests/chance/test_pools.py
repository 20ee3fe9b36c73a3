"""Pools: what is thrown die by die has the odds that are found by counting."""

from collections import Counter
from collections.abc import Iterable
from itertools import product

import pytest

from astragal.chance import (
    BadStep,
    Chance,
    Die,
    EnteredDice,
    Fate,
    NoEnd,
    Odds,
    Pause,
    Tray,
    d6,
    d20,
    exploding,
    exploding_difference,
    highest,
    hits,
    lowest,
    rerolled,
    total,
)
from astragal.chance.counting import power, sums

D3, D4 = Die(3), Die(4)
BOUNDED: list[Chance[int]] = [
    D4,
    total(3, D4),
    hits(3, D4, at_least=3),
    hits(4, D3, at_least=5),
    hits(4, D3, at_least=1),
    highest(4, D3, keep=2),
    lowest(4, D3, keep=3),
    lowest(2, D4),
    highest(3, D4, keep=3),
    exploding(2, D3, once=True),
    exploding(2, D3, once=True, ceiling=7),
    rerolled(D4, [1, 2], once=True),
    total(2, rerolled(D4, [1], once=True)),
    highest(2, rerolled(D3, [1], once=True)),
    hits(2, exploding(1, D3, once=True), at_least=4),
    exploding_difference(exploding(1, D3, once=True), exploding(2, D3, once=True), low=-4, high=2),
    total(0, D4),
    hits(0, D4, at_least=2),
]


def thrown(step: Chance[int], faces: Iterable[int]) -> tuple[int, Tray]:
    tray = Tray(EnteredDice(list(faces)), "a rule")
    return step.throw(tray), tray


def by_trying(step: Chance[int], sides: int, longest: int) -> Odds[int]:
    """Every way in which at most `longest` dice can fall, each weighed by how many dice it took."""
    weights: Counter[int] = Counter()
    started: list[tuple[int, ...]] = [()]
    while started:
        faces = started.pop()
        try:
            value, _ = thrown(step, faces)
        except Pause:
            assert len(faces) < longest
            started += [(*faces, face) for face in range(1, sides + 1)]
        else:
            weights[value] += sides ** (longest - len(faces))
    return Odds(weights, sides**longest)


@pytest.mark.parametrize("step", BOUNDED, ids=repr)
def test_counting_agrees_with_trying_every_throw(step: Chance[int]) -> None:
    sides = 3 if "d3" in repr(step) else 4
    assert step.odds() == by_trying(step, sides, longest=6)


@pytest.mark.parametrize("step", BOUNDED, ids=repr)
def test_weights_add_up_to_the_total(step: Chance[int]) -> None:
    assert sum(step.odds().weights.values()) == step.odds().total


@pytest.mark.parametrize("step", BOUNDED, ids=repr)
def test_a_step_says_what_it_needs_in_any_case(step: Chance[int]) -> None:
    _, tray = thrown(step, [1] * len(step.needs()) * 2)
    assert [die.sides for die in tray.rolled][: len(step.needs())] == list(step.needs())


def test_rerolling_until_another_shows_leaves_the_other_faces_even() -> None:
    assert rerolled(d6, [1, 2]).odds() == Odds.uniform([3, 4, 5, 6])
    value, tray = thrown(rerolled(d6, [1, 2]), [1, 2, 1, 5])
    assert value == 5
    assert [die.fate for die in tray.rolled] == [Fate.REROLLED] * 3 + [Fate.KEPT]


def test_dropped_dice_are_kept_in_the_record_and_marked() -> None:
    value, tray = thrown(highest(4, d6, keep=3), [3, 1, 6, 1])
    assert value == 10
    assert [die.fate for die in tray.rolled] == [Fate.KEPT, Fate.KEPT, Fate.KEPT, Fate.DROPPED]


def test_each_die_that_exploded_is_followed_by_the_one_it_brought() -> None:
    value, tray = thrown(exploding(2, d6), [6, 6, 2, 3])
    assert value == 17
    assert [die.fate for die in tray.rolled] == [Fate.EXPLODED, Fate.EXPLODED, Fate.KEPT, Fate.KEPT]


def test_dice_that_mean_something_are_thrown_together_and_then_what_they_bring() -> None:
    value, _ = thrown(highest(2, exploding(1, d6).map(lambda total: total)), [6, 1, 2])
    assert value == 8, "the 2 belongs to the 6"


def test_a_die_that_explodes_once_stays_at_its_second_six() -> None:
    value, tray = thrown(exploding(1, d6, once=True), [6, 6])
    assert value == 12
    assert len(tray.rolled) == 2


def test_a_ceiling_hides_no_die() -> None:
    value, tray = thrown(exploding(1, d6, ceiling=8), [6, 6, 6, 1])
    assert value == 8
    assert len(tray.rolled) == 4


def test_an_endless_explosion_has_no_odds_without_a_ceiling() -> None:
    with pytest.raises(NoEnd, match="3 exploding d6 have no greatest total"):
        exploding(3, d6).odds()


@pytest.mark.parametrize("sides", [-1, 0, 1, 1_000_001])
def test_a_die_has_two_to_a_million_sides(sides: int) -> None:
    with pytest.raises(BadStep, match="2 to 1,000,000 sides"):
        Die(sides)


@pytest.mark.slow
def test_a_million_sides_are_weighed() -> None:
    assert Die(1_000_000).odds().total == 1_000_000


@pytest.mark.parametrize("make", [total, exploding])
def test_a_pool_has_no_negative_number_of_dice(make: type) -> None:
    with pytest.raises(BadStep, match="0 dice or more"):
        make(-1, d6)


@pytest.mark.parametrize("keep", [0, 5])
def test_one_keeps_some_of_the_dice_there_are(keep: int) -> None:
    with pytest.raises(BadStep, match="of 4 dice you can keep 1 to 4"):
        highest(4, d6, keep=keep)


@pytest.mark.parametrize("faces", [[], [7], [0], [1, 2, 3, 4, 5, 6]])
def test_a_reroll_needs_faces_that_can_go_and_one_that_stays(faces: list[int]) -> None:
    with pytest.raises(BadStep):
        rerolled(d6, faces)


def test_a_difference_is_of_two_pools_alike_between_two_ends() -> None:
    with pytest.raises(BadStep, match="same dice"):
        exploding_difference(exploding(1, d6), exploding(1, d20), low=-1, high=1)
    with pytest.raises(BadStep, match="not ceilings"):
        exploding_difference(exploding(1, d6, ceiling=9), exploding(1, d6), low=-1, high=1)
    with pytest.raises(BadStep, match="does not lie under"):
        exploding_difference(exploding(1, d6), exploding(1, d6), low=1, high=1)


@pytest.mark.parametrize("exponent", [1, 2, 7, 100, 101, 130])
def test_both_ways_of_raising_a_polynomial_agree_with_multiplying(exponent: int) -> None:
    raised = [1]
    for _ in range(exponent):
        raised = [
            sum(raised[k - i] * way for i, way in enumerate((2, 0, 3)) if 0 <= k - i < len(raised))
            for k in range(len(raised) + 2)
        ]
    assert power((2, 0, 3), exponent) == raised


def test_sums_of_nothing_and_of_one_value() -> None:
    assert sums({3: 2}, 0) == {0: 1}
    assert sums({3: 2}, 200) == {600: 2**200}
    assert sums({-1: 1, 1: 1}, 2) == {-2: 1, 0: 2, 2: 1}


def test_many_dice_are_weighed_exactly() -> None:
    faces = [sum(pair) for pair in product(range(1, 7), repeat=2)]
    assert total(2, d6).odds() == Odds.uniform(faces)
    assert total(300, d6).odds().mean() == 1050
