"""Exact odds of dice that explode again and again: infinite tails, summed in closed form.

A die of s sides that explodes on its highest face shows s·G + U, where G, the number of explosions, is
geometric, P(G = g) = (1 − 1/s)·s⁻ᵍ, and U is even over 1 … s − 1. So n dice show s·G + U with G negative binomial
and U the sum of n dice of s − 1 sides, each independent of the other. Nothing is cut off anywhere.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import comb

from .counting import sums
from .odds import Odds


def chained_total(count: int, sides: int, ceiling: int) -> Odds[int]:
    """The total of `count` exploding dice; from `ceiling` on, all totals are one outcome."""
    most = (ceiling - 1 - count) // sides if count else 0
    if ceiling <= count:
        return Odds({ceiling: 1}, 1, open_end=ceiling)
    if not count:
        return Odds({0: 1}, 1)
    weights: dict[int, int] = {}
    for explosions in range(most + 1):
        ways = comb(count + explosions - 1, explosions) * sides ** (most - explosions)
        for rest, rest_ways in _unexploded(sides, count).items():
            value = sides * explosions + rest
            if value < ceiling:
                weights[value] = weights.get(value, 0) + ways * rest_ways
    total = sides ** (count + most)
    weights[ceiling] = total - sum(weights.values())
    return Odds(weights, total, open_end=ceiling)


def chained_difference(mine: int, theirs: int, sides: int, low: int, high: int) -> Odds[int]:
    """The total of `mine` exploding dice less that of `theirs`, from `low` or less to `high` or more."""
    at_least = [_difference_tail(mine, theirs, sides, value) for value in range(low + 1, high + 1)]
    chances = {low: 1 - at_least[0], high: at_least[-1]}
    for value, (this, above) in enumerate(pairwise(at_least), low + 1):
        chances[value] = this - above
    return Odds.of_fractions(chances)


def _difference_tail(mine: int, theirs: int, sides: int, least: int) -> Fraction:
    """P(my total − their total ≥ least): the explosions must make up for what the last dice lack."""
    lacking: dict[int, int] = {}
    for my_rest, my_ways in _unexploded(sides, mine).items():
        for their_rest, their_ways in _unexploded(sides, theirs).items():
            explosions = -((my_rest - their_rest - least) // sides)
            lacking[explosions] = lacking.get(explosions, 0) + my_ways * their_ways
    found = sum(ways * _more_explosions(mine, theirs, sides, by) for by, ways in lacking.items())
    return Fraction(found, (sides - 1) ** (mine + theirs))


@lru_cache(maxsize=256)
def _unexploded(sides: int, count: int) -> dict[int, int]:
    """The ways in which the last dice of `count` chains come to each sum: none of them shows its highest face."""
    return sums(dict.fromkeys(range(1, sides), 1), count)


@lru_cache(maxsize=4096)
def _more_explosions(mine: int, theirs: int, sides: int, by: int) -> Fraction:
    """P(my explosions − theirs ≥ by).

    For by > 0 it is Σⱼ P(theirs = j)·P(mine ≥ by + j). Each term is a polynomial in j times s⁻²ʲ, and a sum over
    all j of such a product is finite in the polynomial's forward differences Δ: Σⱼ P(j)·xʲ = Σₑ ΔᵉP(0)·xᵉ/(1−x)ᵉ⁺¹.
    """
    if by <= 0:
        return 1 - _more_explosions(theirs, mine, sides, 1 - by)
    if not theirs:
        return Fraction(
            sum(comb(by + mine - 1, i) * (sides - 1) ** i for i in range(mine)),
            sides ** (by + mine - 1) if mine else 1,
        )
    found = Fraction(0)
    for i in range(mine):
        degree = theirs - 1 + i
        differences = [comb(theirs + j - 1, j) * comb(by + j + mine - 1, i) for j in range(degree + 1)]
        summed = 0
        for order in range(degree + 1):
            summed += differences[0] * (sides**2 - 1) ** (degree - order)
            differences = [after - before for before, after in pairwise(differences)]
        found += Fraction(summed, (sides + 1) ** (theirs + i))
    return found * Fraction(sides) ** (3 - theirs - mine - by)
