"""Combinatorics for pools: the number of ways in which dice give a result, in exact integers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise, repeat
from math import comb, erfc, exp, pi, sqrt
from operator import add, sub
from typing import Any

from .errors import TooMuchWork

MANY = 100
"""Above this many dice, the recurrence is faster than the product."""
FAR_APART = 64
"""Values with more than this many gaps for each value are added one by one."""
FEW = 8
"""Two dice with at most this many values each are also added one by one."""
MOST_SUMS = 200_000
WHOLE = {bool, int}
MANY_PAIRS = 1_000
WIDE = 2
"""Two values are added by one product if there are more than this many pairs for each whole number in their spans."""


def power(ways: Sequence[int], exponent: int) -> list[int]:
    """Raise a polynomial to a power. Its coefficients are the ways that lead to 0, 1, 2, …; the first is not zero.

    Uses Kronecker's substitution: the coefficients are packed into one large number, far enough apart not to overlap.
    For high powers, Miller's recurrence is faster: each coefficient follows from the ones before it.
    """
    first, degree = ways[0], len(ways) - 1
    if exponent <= MANY:
        width = (sum(ways) ** exponent).bit_length() // 8 + 1
        return _unpacked(_packed(ways, width) ** exponent, width, exponent * degree + 1)
    raised = [first**exponent]
    for k in range(1, exponent * degree + 1):
        found = sum((i * (exponent + 1) - k) * ways[i] * raised[k - i] for i in range(1, min(k, degree) + 1))
        raised.append(found // (k * first))
    return raised


def _packed(ways: Iterable[int], width: int) -> int:
    return int.from_bytes(b"".join([way.to_bytes(width, "little") for way in ways]), "little")


def _unpacked(packed: int, width: int, length: int) -> list[int]:
    laid_out = packed.to_bytes(width * length, "little")
    return [int.from_bytes(laid_out[at : at + width], "little") for at in range(0, width * length, width)]


def sums(weights: Mapping[int, int], count: int) -> dict[int, int]:
    """The number of ways in which `count` equal, independent values give each sum."""
    if count == 0 or not weights:
        return {} if count else {0: 1}
    if count == 1:
        return dict(weights)
    least, most = min(weights), max(weights)
    is_few = count == 2 and len(weights) <= FEW
    if not is_few and set(map(type, weights)) <= WHOLE and most - least <= FAR_APART * len(weights):
        laid = power([weights.get(value, 0) for value in range(least, most + 1)], count)
        return {count * least + extra: n for extra, n in enumerate(laid) if n}
    found = {0: 1}  # value by value, if they are few, far apart, or not whole numbers
    for _ in range(count):
        joined: dict[int, int] = {}
        for before, ways in found.items():
            for value, weight in weights.items():
                joined[before + value] = joined.get(before + value, 0) + ways * weight
        found = joined
        if len(found) > MOST_SUMS:
            raise TooMuchWork(f"{count} such dice come to more than {MOST_SUMS:,} different sums")
    return found


def joined(ones: Mapping[Any, int], others: Mapping[Any, int], meaning: Any) -> dict[Any, int] | None:
    """Join many pairs of whole numbers at once, if `meaning` is `add`, `sub`, `max` or `min`; None otherwise."""
    if len(ones) * len(others) < MANY_PAIRS or meaning not in (add, sub, max, min):
        return None
    if not {*map(type, ones), *map(type, others)} <= WHOLE:
        return None
    if meaning in (add, sub):
        return _added(ones, others if meaning is add else _negated(others))
    if meaning is max:
        return _higher(ones, others)
    return _negated(_higher(_negated(ones), _negated(others)))


def _added(ones: Mapping[int, int], others: Mapping[int, int]) -> dict[int, int] | None:
    """The number of ways in which two values give each sum; None if adding them pair by pair is as fast."""
    spans = [range(min(weights), max(weights) + 1) for weights in (ones, others)]
    if len(ones) * len(others) <= WIDE * sum(map(len, spans)):
        return None
    width = (sum(ones.values()) * sum(others.values())).bit_length() // 8 + 1
    one = _packed(map(ones.get, spans[0], repeat(0)), width)
    other = _packed(map(others.get, spans[1], repeat(0)), width)
    found = _unpacked(one * other, width, sum(map(len, spans)) - 1)
    return {least: ways for least, ways in enumerate(found, spans[0].start + spans[1].start) if ways}


def _higher(ones: Mapping[int, int], others: Mapping[int, int]) -> dict[int, int]:
    """The number of ways in which each value is the higher of two: both at most that value, minus both below it."""
    found: dict[int, int] = {}
    up_to = other_up_to = ways = 0
    for value in sorted({*ones, *others}):
        up_to += ones.get(value, 0)
        other_up_to += others.get(value, 0)
        ways, before = up_to * other_up_to, ways
        if ways > before:
            found[value] = ways - before
    return found


def _negated(weights: Mapping[int, int]) -> dict[int, int]:
    return {-value: ways for value, ways in weights.items()}


def binomial(count: int, hit: int, miss: int) -> dict[int, int]:
    """The number of ways to have 0, 1, … hits among `count` dice with `hit` faces that hit and `miss` that don't."""
    if not hit or not miss:
        return {count if hit else 0: (hit or miss) ** count}
    ways = miss**count
    found = [ways]
    for more, fewer in zip(range(count * hit, 0, -hit), range(miss, count * miss + 1, miss), strict=True):
        ways = ways * more // fewer
        found.append(ways)
    return dict(enumerate(found))


def highest_kept(weights: Mapping[int, int], count: int, keep: int) -> dict[int, int]:
    """The number of ways in which the highest `keep` of `count` values give each sum.

    Counted by the lowest value among those kept: some dice lie above it, enough dice to complete the kept ones show it,
    and the rest lie at or below it.
    """
    found: dict[int, int] = {}
    if keep == 1:  # all at or below a value, minus all below it
        up_to = ways = 0
        for value in sorted(weights):
            up_to += weights[value]
            ways, before = up_to**count, ways
            found[value] = ways - before
        return found
    above: dict[int, int] = {}
    below = sum(weights.values())
    for lowest in sorted(weights, reverse=True):
        same = weights[lowest]
        below -= same
        for higher in range(keep):
            missing, rest = keep - higher, count - higher
            filled = comb(count, higher) * sum(
                comb(rest, equal) * same**equal * below ** (rest - equal) for equal in range(missing, rest + 1)
            )
            if filled:
                for above_sum, ways in sums(above, higher).items():
                    value = above_sum + missing * lowest
                    found[value] = found.get(value, 0) + ways * filled
        above[lowest] = same
    return found


def chi_square_tail(value: float, freedom: int) -> float:
    """The probability that a chi-square value is at least this large, by its finite series."""
    half = value / 2
    if freedom % 2 == 0:
        term, total = 1.0, 1.0
        for number in range(1, freedom // 2):
            term *= half / number
            total += term
        return exp(-half) * total
    total = 0.0
    term = sqrt(half) * 2 / sqrt(pi)
    for number in range(1, (freedom + 1) // 2):
        total += term
        term *= half / (number + 0.5)
    return erfc(sqrt(half)) + exp(-half) * total


# ---------------------------------------------------------------- dice that explode again and again
#
# A die of s sides that explodes on its highest face shows s·G + U, where G, the number of explosions, is geometric,
# P(G = g) = (1 − 1/s)·s⁻ᵍ, and U is uniform over 1 … s − 1. So n dice show s·G + U with G negative binomial and U the
# sum of n dice of s − 1 sides, independent of each other. Nothing is truncated.


def exploding_totals(count: int, sides: int, ceiling: int) -> tuple[dict[int, int], int]:
    """The number of ways in which `count` dice give each total, and their sum; `ceiling` stands for itself and more."""
    if ceiling <= count or not count:
        return {min(count, ceiling): 1}, 1
    most = (ceiling - 1 - count) // sides
    weights: dict[int, int] = {}
    for explosions in range(most + 1):
        ways = comb(count + explosions - 1, explosions) * sides ** (most - explosions)
        for rest, rest_ways in _unexploded(sides, count).items():
            value = sides * explosions + rest
            if value < ceiling:
                weights[value] = weights.get(value, 0) + ways * rest_ways
    total = sides ** (count + most)
    weights[ceiling] = total - sum(weights.values())
    return weights, total


def exploding_differences(mine: int, theirs: int, sides: int, low: int, high: int) -> dict[int, Fraction]:
    """Chances of `mine` exploding dice minus `theirs`, from `low` or less to `high` or more."""
    at_least = [_difference_tail(mine, theirs, sides, value) for value in range(low + 1, high + 1)]
    chances = {low: 1 - at_least[0], high: at_least[-1]}
    for value, (this, above) in enumerate(pairwise(at_least), low + 1):
        chances[value] = this - above
    return chances


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
    """The number of ways in which the last dice of `count` chains give each sum; none of them shows its top face."""
    return sums(dict.fromkeys(range(1, sides), 1), count)


@lru_cache(maxsize=4096)
def _more_explosions(mine: int, theirs: int, sides: int, by: int) -> Fraction:
    """P(my explosions − theirs ≥ by).

    For by > 0 it is Σⱼ P(theirs = j)·P(mine ≥ by + j). Each term is a polynomial in j times s⁻²ʲ, and the sum of such
    products over all j is finite in the polynomial's forward differences Δ: Σⱼ P(j)·xʲ = Σₑ ΔᵉP(0)·xᵉ/(1−x)ᵉ⁺¹.
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
