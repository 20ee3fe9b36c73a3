"""Dice that explode again and again: infinite tails in closed form, held against long finite sums."""

from fractions import Fraction

import pytest

from astragal.chance import Die, Odds, d6, exploding, exploding_difference

A_LONG_WAY = 60
"""A total past which what is left weighs less than a hundred-thousandth."""


def chance_of(total: int, sides: int) -> Fraction:
    """One chained die: s·g + u has chance s⁻⁽ᵍ⁺¹⁾; a multiple of s is never shown."""
    explosions, rest = divmod(total, sides)
    return Fraction(1, sides ** (explosions + 1)) if rest else Fraction(0)


def long_total(count: int, sides: int, most: int) -> dict[int, Fraction]:
    """The total of `count` chained dice up to `most`, die by die."""
    so_far = {0: Fraction(1)}
    for _ in range(count):
        after: dict[int, Fraction] = {}
        for before, chance in so_far.items():
            for face in range(1, most - before + 1):
                after[before + face] = after.get(before + face, Fraction(0)) + chance * chance_of(face, sides)
        so_far = after
    return {total: chance for total, chance in so_far.items() if chance}


@pytest.mark.parametrize("sides", [2, 3, 6])
@pytest.mark.parametrize("count", [0, 1, 2, 5])
@pytest.mark.parametrize("ceiling", [-2, 0, 1, 2, 5, 6, 7, 20])
def test_a_total_under_the_ceiling_is_exact_and_the_rest_is_one_outcome(count: int, sides: int, ceiling: int) -> None:
    found = exploding(count, Die(sides), ceiling=ceiling).odds()
    under = {total: chance for total, chance in long_total(count, sides, ceiling).items() if total < ceiling}
    assert {total: chance for total, chance in found.chances().items() if total < ceiling} == under
    assert found.chance(ceiling) == 1 - sum(under.values())


def test_a_single_chained_d6_never_shows_a_multiple_of_six() -> None:
    """NS-17: 6, 12 and 18 are passed over; exploding once, 12 has its place."""
    chained = exploding(1, d6, ceiling=20).odds()
    assert [chained.chance(total) for total in (6, 12, 18)] == [0, 0, 0]
    assert exploding(1, d6, once=True).odds().chance(12) == Fraction(1, 36)


@pytest.mark.parametrize("count", [1, 2, 7])
def test_the_mean_is_known_without_an_end(count: int) -> None:
    """NS-17: 4.2 a die, and 49/12 where it explodes once."""
    assert exploding(count, d6).mean() == count * Fraction(21, 5)
    assert exploding(count, d6, once=True).mean() == exploding(count, d6, once=True).odds().mean()
    assert exploding(1, d6, once=True).mean() == Fraction(49, 12)


@pytest.mark.parametrize(
    ("mine", "theirs", "ahead", "level"),
    [
        (1, 1, Fraction(3, 7), Fraction(1, 7)),
        (2, 1, Fraction(193, 245), None),
        (1, 2, Fraction(38, 245), None),
        (2, 2, Fraction(3949, 8575), None),
    ],
)
def test_two_endless_pools_have_a_closed_form(mine: int, theirs: int, ahead: Fraction, level: Fraction | None) -> None:
    """NS-06, NS-17: the published fractions."""
    found = exploding_difference(exploding(mine, d6), exploding(theirs, d6), low=-1, high=1).odds()
    assert found.chance(1) == ahead
    assert level is None or found.chance(0) == level


@pytest.mark.parametrize("sides", [2, 3, 6])
@pytest.mark.parametrize(("mine", "theirs"), [(1, 1), (1, 3), (3, 2), (2, 0), (0, 2), (0, 0)])
def test_a_difference_agrees_with_a_long_finite_sum(mine: int, theirs: int, sides: int) -> None:
    low, high = -5, 6
    found = exploding_difference(exploding(mine, Die(sides)), exploding(theirs, Die(sides)), low=low, high=high).odds()
    my_totals, their_totals = (long_total(count, sides, A_LONG_WAY) for count in (mine, theirs))
    cut = dict.fromkeys(range(low, high + 1), Fraction(0))
    for my_total, my_chance in my_totals.items():
        for their_total, their_chance in their_totals.items():
            cut[max(low, min(high, my_total - their_total))] += my_chance * their_chance
    missing = 1 - sum(cut.values())
    assert missing < Fraction(1, 10**5)
    assert all(0 <= found.chance(value) - chance <= missing for value, chance in cut.items())


def test_a_difference_mirrors_when_the_sides_change_places() -> None:
    one = exploding_difference(exploding(4, d6), exploding(3, d6), low=-9, high=9).odds()
    other = exploding_difference(exploding(3, d6), exploding(4, d6), low=-9, high=9).odds()
    assert one == other.map(lambda value: -value)


def test_a_wider_window_tells_the_same_story() -> None:
    narrow = exploding_difference(exploding(3, d6), exploding(2, d6), low=-1, high=1).odds()
    wide = exploding_difference(exploding(3, d6), exploding(2, d6), low=-30, high=30).odds()
    assert wide.map(lambda value: max(-1, min(1, value))) == narrow


def test_no_exploding_dice_sum_to_zero() -> None:
    assert exploding(0, d6, ceiling=5).odds() == Odds.certain(0)
