"""Combinatorics for pools: the number of ways in which dice give a result, in exact integers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise, product, repeat
from math import comb, erfc, exp, pi, prod, sqrt
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
    first = ways[0]
    degree = len(ways) - 1
    if min(ways) == max(ways):
        return _even_power(len(ways), exponent, first)
    if exponent <= MANY:
        width = (sum(ways) ** exponent).bit_length() // 8 + 1
        return _unpacked(_packed(ways, width) ** exponent, width, exponent * degree + 1)
    raised = [first**exponent]
    for k in range(1, exponent * degree + 1):
        scaled = 0
        for i in range(1, min(k, degree) + 1):
            scaled += (i * (exponent + 1) - k) * ways[i] * raised[k - i]
        raised.append(scaled // (k * first))
    return raised


def _even_power(sides: int, exponent: int, weight: int) -> list[int]:
    """Raise 1 + x + … + x^(sides - 1), times a weight, to a power: the sums of dice.

    The power P of (1 - x^s) / (1 - x) satisfies (1 - x)(1 - x^s) P' = n (1 - x^s - s x^(s-1) (1 - x)) P, so that each
    coefficient follows from three before it. The second half mirrors the first.
    """
    last = exponent * (sides - 1)
    raised = [1]
    get = raised.__getitem__
    for k in range(1, last // 2 + 1):
        scaled = (k - 1 + exponent) * get(k - 1)
        if k >= sides:
            scaled += (k - sides - exponent * sides) * get(k - sides)
        if k > sides:
            scaled -= (k - sides - 1 - exponent * (sides - 1)) * get(k - sides - 1)
        raised.append(scaled // k)
    if weight != 1:
        factor = weight**exponent
        raised = [factor * number for number in raised]
    return raised + raised[: last + 1 - len(raised)][::-1]


def _packed(ways: Iterable[int], width: int) -> int:
    return int.from_bytes(b"".join([way.to_bytes(width, "little") for way in ways]), "little")


def _unpacked(packed: int, width: int, length: int) -> list[int]:
    laid_out = packed.to_bytes(width * length, "little")
    return [int.from_bytes(laid_out[at : at + width], "little") for at in range(0, width * length, width)]


def sums(weights: Mapping[int, int], count: int) -> dict[int, int]:
    """The number of ways in which `count` equal, independent values give each sum."""
    if count == 0:
        return {0: 1}
    if count == 1 or not weights:
        return dict(weights)
    least = min(weights)
    most = max(weights)
    is_few = count == 2 and len(weights) <= FEW
    if not is_few and set(map(type, weights)) <= WHOLE and most - least <= FAR_APART * len(weights):
        raised = power([weights.get(value, 0) for value in range(least, most + 1)], count)
        return {summed: ways for summed, ways in enumerate(raised, count * least) if ways}
    ways_by_sum = {0: 1}  # value by value, if they are few, far apart, or not whole numbers
    for _ in range(count):
        ways_by_next_sum: dict[int, int] = {}
        for summed, ways in ways_by_sum.items():
            for value, weight in weights.items():
                next_sum = summed + value
                ways_by_next_sum[next_sum] = ways_by_next_sum.get(next_sum, 0) + ways * weight
        ways_by_sum = ways_by_next_sum
        if len(ways_by_sum) > MOST_SUMS:
            raise TooMuchWork(f"{count} such dice come to more than {MOST_SUMS:,} different sums")
    return ways_by_sum


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
    span = range(min(ones), max(ones) + 1)
    other_span = range(min(others), max(others) + 1)
    if len(ones) * len(others) <= WIDE * (len(span) + len(other_span)):
        return None
    width = (sum(ones.values()) * sum(others.values())).bit_length() // 8 + 1
    packed = _packed(map(ones.get, span, repeat(0)), width)
    other_packed = _packed(map(others.get, other_span, repeat(0)), width)
    ways_in_order = _unpacked(packed * other_packed, width, len(span) + len(other_span) - 1)
    least = span.start + other_span.start
    return {summed: ways for summed, ways in enumerate(ways_in_order, least) if ways}


def _higher(ones: Mapping[int, int], others: Mapping[int, int]) -> dict[int, int]:
    """The number of ways in which each value is the higher of two: both at most that value, minus both below it."""
    ways_by_value: dict[int, int] = {}
    up_to = 0
    other_up_to = 0
    ways_below = 0
    for value in sorted({*ones, *others}):
        up_to += ones.get(value, 0)
        other_up_to += others.get(value, 0)
        ways = up_to * other_up_to
        if ways > ways_below:
            ways_by_value[value] = ways - ways_below
        ways_below = ways
    return ways_by_value


def _negated(weights: Mapping[int, int]) -> dict[int, int]:
    return {-value: ways for value, ways in weights.items()}


def binomial(count: int, hit: int, miss: int) -> dict[int, int]:
    """The number of ways to have 0, 1, … hits among `count` dice with `hit` faces that hit and `miss` that don't."""
    if not hit or not miss:
        return {count if hit else 0: (hit or miss) ** count}
    ways = miss**count
    ways_by_hits = {0: ways}
    for hits in range(1, count + 1):
        ways = ways * ((count - hits + 1) * hit) // (hits * miss)
        ways_by_hits[hits] = ways
    return ways_by_hits


def is_compact(values: Iterable[Any]) -> bool:
    """Return whether values are whole numbers close enough together to lay out their sums one beside the other."""
    listed = list(values)
    return set(map(type, listed)) <= WHOLE and max(listed) - min(listed) <= FAR_APART * len(listed)


def highest_kept(groups: Sequence[tuple[Mapping[int, int], int]], keep: int) -> dict[int, int]:
    """The number of ways in which the highest `keep` values of all groups give each sum.

    A group is the weights of a die, and how many of these there are. To keep one, values may be anything that has an
    order; to keep more, they must be compact. Counted by the lowest value among those kept: some
    dice lie above it, enough dice to complete the kept ones show it, and the others lie below. The sums of the dice
    above it are polynomials, packed into one number each as in `power`. When the next lower value is looked at, those
    that showed this one lie above, too: that takes no more than shifting and adding.
    """
    values = sorted({value for weights, _ in groups for value in weights}, reverse=True)
    if keep == 1:
        return _highest_value(groups, values[::-1])
    least = values[-1]
    total = prod([sum(weights.values()) ** count for weights, count in groups])
    width = total.bit_length() + 1
    above = [_GroupAbove(weights, count, min(keep - 1, count)) for weights, count in groups]
    packed = 0
    for value in values:
        for group in above:
            group.come_to(value)
        ways_by_counts = {(0, 0): 1}
        for group in above[:-1]:
            ways_by_counts = group.joined(ways_by_counts, keep)
        for higher, ways in above[-1].completing(ways_by_counts, keep).items():
            packed += ways << (keep - higher) * (value - least) * width
        for group in above:
            group.pass_by((value - least) * width)
    size = (values[0] - least) * keep + 1
    mask = (1 << width) - 1
    bits = packed.to_bytes((size * width + 7) // 8, "little")
    ways_by_sum: dict[int, int] = {}
    for place in range(size):
        first = place * width
        part = int.from_bytes(bits[first // 8 : (first + width + 7) // 8], "little")
        ways = part >> first % 8 & mask
        if ways:
            ways_by_sum[keep * least + place] = ways
    return ways_by_sum


def _highest_value(groups: Sequence[tuple[Mapping[int, int], int]], values: Sequence[int]) -> dict[int, int]:
    """The ways in which each value is the highest: those in which all dice show at most it, without all show less."""
    ways_by_value: dict[int, int] = {}
    up_to = [0] * len(groups)
    ways_below = 0
    for value in values:
        for place, (weights, _) in enumerate(groups):
            up_to[place] += weights.get(value, 0)
        ways = prod([one_die**count for one_die, (_, count) in zip(up_to, groups, strict=True)])
        if ways > ways_below:
            ways_by_value[value] = ways - ways_below
        ways_below = ways
    return ways_by_value


def kept_between(groups: Sequence[tuple[Mapping[Any, int], int]], first: int, last: int) -> dict[Any, int]:
    """The number of ways in which the values from one place on to another, in order, give each sum.

    Counted value by value, from the lowest up, by how many dice of each group are still to come.
    """
    size = sum([count for _, count in groups])
    ways_by_left = {tuple([count for _, count in groups]): {0: 1}}
    for value in sorted({value for weights, _ in groups for value in weights}):
        reached: dict[tuple[int, ...], dict[Any, int]] = {}
        for left, ways_by_sum in ways_by_left.items():
            passed = size - sum(left)
            for shown in product(*[range(number + 1) for number in left]):
                ways = 1
                for (weights, _), number, count in zip(groups, left, shown, strict=True):
                    ways *= comb(number, count) * weights.get(value, 0) ** count
                if not ways:
                    continue
                inside = max(0, min(passed + sum(shown), last) - max(passed, first))
                after = reached.setdefault(tuple([n - count for n, count in zip(left, shown, strict=True)]), {})
                for summed, summed_ways in ways_by_sum.items():
                    new = summed + inside * value
                    after[new] = after.get(new, 0) + summed_ways * ways
        ways_by_left = reached
    return ways_by_left[(0,) * len(groups)]


class _GroupAbove:
    """Equal dice, while their values are gone through from the highest down."""

    def __init__(self, weights: Mapping[int, int], count: int, most_above: int) -> None:
        self._weights, self._count = weights, count
        self._below = sum(weights.values())
        self._same = 0
        self._sums = [1, *[0] * most_above]
        """For each number of dice above the present value, the ways in which they come to each sum, packed."""

    def come_to(self, value: int) -> None:
        self._same = self._weights.get(value, 0)
        self._below -= self._same

    def pass_by(self, shift: int) -> None:
        """Count what shows the present value among what lies above, from now on."""
        if not self._same:
            return
        for number in range(len(self._sums) - 1, 0, -1):
            added = 0
            for fewer in range(number):
                new = number - fewer
                added += comb(number, new) * self._same**new * self._sums[fewer] << new * shift
            self._sums[number] += added

    def _ways(self, above: int, same: int) -> int:
        """Ways to choose which dice lie above and which show the value, with the ways of those that show it or less."""
        others = self._count - above - same
        chosen = comb(self._count, above) * comb(self._count - above, same)
        return int(chosen * self._same**same * self._below**others)

    def joined(self, before: Mapping[tuple[int, int], int], keep: int) -> dict[tuple[int, int], int]:
        """Add these dice to others: the ways by how many lie above the value, and how many show it (or `keep`)."""
        joined: dict[tuple[int, int], int] = {}
        for above, sums_above in enumerate(self._sums):
            ways_by_same: dict[int, int] = {}
            for same in range(self._count - above + 1 if sums_above else 0):
                capped = min(same, keep)
                ways_by_same[capped] = ways_by_same.get(capped, 0) + self._ways(above, same)
            for (above_before, same_before), ways in before.items():
                if above + above_before >= keep:
                    continue
                joint_ways = ways * sums_above
                for same, ways_same in ways_by_same.items():
                    if ways_same:
                        key = above + above_before, min(same + same_before, keep)
                        joined[key] = joined.get(key, 0) + joint_ways * ways_same
        return joined

    def completing(self, before: Mapping[tuple[int, int], int], keep: int) -> dict[int, int]:
        """Add these dice as the last ones: the ways by how many lie above, if those that show the value are enough."""
        ways_by_higher: dict[int, int] = {}
        for above, sums_above in enumerate(self._sums):
            if not sums_above:
                continue
            for (above_before, same_before), ways in before.items():
                higher = above + above_before
                missing = max(0, keep - higher - same_before)
                enough = sum([self._ways(above, same) for same in range(missing, self._count - above + 1)])
                if higher < keep and enough:
                    ways_by_higher[higher] = ways_by_higher.get(higher, 0) + ways * sums_above * enough
        return ways_by_higher


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


def _sums_of_both(ones: Mapping[int, int], others: Mapping[int, int]) -> dict[int, int]:
    sums_at_once = joined(ones, others, add)
    if sums_at_once is not None:
        return sums_at_once
    ways_by_sum: dict[int, int] = {}
    for value, ways in ones.items():
        for other_value, other_ways in others.items():
            summed = value + other_value
            ways_by_sum[summed] = ways_by_sum.get(summed, 0) + ways * other_ways
    return ways_by_sum


def highest_exploding(count: int, sides: int, keep: int, ceiling: int) -> tuple[dict[int, int], int]:
    """The number of ways in which the highest `keep` of `count` dice give each sum, and the sum of all ways.

    If at least `keep` dice explode, the kept ones are among these, and each has `sides` already: that is the same
    question about fewer dice. If fewer explode, all of these are kept, with the highest of those that lie still. The
    last sum, `ceiling`, stands for itself and more.
    """
    rounds = ceiling // sides + 2
    size = max(ceiling, keep)
    ways_by_dice: dict[int, list[int]] = {}
    still = dict.fromkeys(range(1, sides), 1)
    for dice in range(keep, count + 1):
        total = sides ** (dice * rounds)
        ways = [0] * size
        for exploded in range(min(keep, dice + 1)):
            chosen = comb(dice, exploded) * sides ** (dice * (rounds - 1))
            kept = highest_kept([(still, dice - exploded)], keep - exploded)
            totals, totals_of = exploding_totals(exploded, sides, ceiling + 1)
            for value, summed in _sums_of_both(totals, kept).items():
                place = value + sides * exploded
                if place < ceiling:
                    ways[place] += chosen * summed // totals_of
        ways_by_dice[dice] = ways
        factors = [0] * keep
        for exploded in range(keep, dice):
            factors.append(comb(dice, exploded) * (sides - 1) ** (dice - exploded) * total)
        for place in range(sides * keep, ceiling):
            lower_place = place - sides * keep
            for exploded in range(keep, dice):
                lower_ways = ways_by_dice[exploded][lower_place]
                ways[place] += factors[exploded] * lower_ways // sides ** (dice + exploded * rounds)
            ways[place] += ways[lower_place] // sides**dice
    ways = ways_by_dice[count]
    total = sides ** (count * rounds)
    weights = {value: number for value, number in enumerate(ways) if number}
    weights[ceiling] = total - sum(weights.values())
    return weights, total


def exploding_differences(mine: int, theirs: int, sides: int, low: int, high: int) -> dict[int, Fraction]:
    """Chances of `mine` exploding dice minus `theirs`, from `low` or less to `high` or more."""
    at_least = [_difference_tail(mine, theirs, sides, value) for value in range(low + 1, high + 1)]
    chances = {low: 1 - at_least[0], high: at_least[-1]}
    for value, (chance, chance_of_more) in enumerate(pairwise(at_least), low + 1):
        chances[value] = chance - chance_of_more
    return chances


def _difference_tail(mine: int, theirs: int, sides: int, least: int) -> Fraction:
    """P(my total − their total ≥ least): the explosions must make up for what the last dice lack."""
    lacking: dict[int, int] = {}
    for my_rest, my_ways in _unexploded(sides, mine).items():
        for their_rest, their_ways in _unexploded(sides, theirs).items():
            explosions = -((my_rest - their_rest - least) // sides)
            lacking[explosions] = lacking.get(explosions, 0) + my_ways * their_ways
    weighted = sum(ways * _more_explosions(mine, theirs, sides, by) for by, ways in lacking.items())
    return Fraction(weighted, (sides - 1) ** (mine + theirs))


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
    chance = Fraction(0)
    for i in range(mine):
        degree = theirs - 1 + i
        differences = [comb(theirs + j - 1, j) * comb(by + j + mine - 1, i) for j in range(degree + 1)]
        summed = 0
        for order in range(degree + 1):
            summed += differences[0] * (sides**2 - 1) ** (degree - order)
            differences = [right - left for left, right in pairwise(differences)]
        chance += Fraction(summed, (sides + 1) ** (theirs + i))
    return chance * Fraction(sides) ** (3 - theirs - mine - by)
