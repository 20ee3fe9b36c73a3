"""Exact odds of an expression: the odds of its pools, joined along the tree, unless that is too much work.

The work is planned first, with its cost, and then done or refused.

An explosion that goes on and on has infinitely many totals. From a point far out in the whole expression, all of them
are merged into one outcome with its exact weight: the open end. It is carried through sums, and through products with
and quotients by positive values; anywhere else it would not remain a single upper end, and is refused.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import ceil, exp, log, log2, sqrt
from operator import add, floordiv, mul, sub
from typing import Any

from msgspec import Struct

from astragal.chance.counting import MANY, highest_exploding
from astragal.chance.errors import OpenEnded, TooMuchWork
from astragal.chance.notation.nodes import (
    Best,
    Counts,
    Keeps,
    Labelled,
    Node,
    Number,
    Pool,
    Product,
    Span,
    Sum,
    Target,
    spell,
)
from astragal.chance.odds import Odds
from astragal.chance.pools import DEVIATIONS, Exploding, Keep, Kept


def far_out(node: Node) -> int:
    """A value that the node hardly ever reaches."""
    match node:
        case Number(value):
            return value
        case Pool():
            return _far_out_pool(node)
        case Sum():
            return sum(far_out(part) if sign > 0 else -int(part.span.low) for sign, part in node.terms)
        case Product():
            value = 1
            for sign, part in node.factors:
                value = value * far_out(part) if sign == "*" else ceil(value / part.span.low) + 1
            return value
        case Best(parts, _, many):
            return sum(sorted(map(far_out, parts), reverse=True)[:many])
        case Labelled((inner,)):
            return far_out(inner)
        case Target():
            return 1


def check(node: Node) -> None:
    """Raise `OpenEnded` if an open end would not remain a single upper end."""
    misplaced: Iterable[Node] = ()
    match node:
        case Sum():
            misplaced = [part for sign, part in node.terms if sign < 0]
        case Product(parts):
            can_be_nothing = any(part.span.low < 1 for part in parts)
            misplaced = [part for sign, part in node.factors if sign == "/" or can_be_nothing]
        case Best(parts, which, many) if which is Keep.LOWEST or many > 1:
            misplaced = parts
    if bad := [part for part in misplaced if part.span.is_open]:
        raise OpenEnded(
            f"{spell(bad[0])} explodes without end, so there are no exact odds where it is subtracted, divides, "
            "is multiplied by what can be 0 or less, or is kept among others"
        )
    for part in node.parts:
        check(part)


def _far_out_pool(pool: Pool) -> int:
    count, sides, high = pool.count, pool.die.sides, pool.span.high
    if isinstance(high, float):
        return Exploding(count, pool.die).far_out()
    if pool.again or pool.bounds or pool.die.weighted:
        return high
    return min(high, ceil(count * (sides + 1) / 2 + DEVIATIONS * sqrt(count * (sides * sides - 1) / 12)))


MOST_WORK = 20_000_000
"""Budget in small steps; a usual machine does this many in about a second."""
PAIR = 10
"""Steps to join one outcome with another."""
LIMBS_ADDED = 30
"""Limbs of long numbers that are shifted and added in a step."""
SORTED = 20
"""Steps to sort a few values."""


def moments(node: Node) -> tuple[Fraction, Fraction]:
    """The mean and the variance, exact even if an explosion leaves the odds without an end."""
    match node:
        case Sum():
            found = [(sign, *moments(part)) for sign, part in node.terms]
            return sum((sign * mean for sign, mean, _ in found), Fraction()), sum((it[2] for it in found), Fraction())
        case Labelled((inner,)):
            return moments(inner)
        case Product(parts, signs) if node.span.is_open and "/" not in signs:
            mean, variance = Fraction(1), Fraction(0)
            for by, spread in map(moments, parts):
                variance = variance * spread + variance * by**2 + spread * mean**2
                mean *= by
            return mean, variance
        case Pool(gather=None) if node.explodes_on:
            pool = Exploding(node.count, node.die)
            return pool.mean(), pool.variance()
    found_odds = weigh(node)
    return found_odds.mean(), found_odds.variance()


def weigh(root: Node, end: int | None = None) -> Odds[int]:
    """The exact odds. Raises `Unweighable` before the work begins, not in the middle of it.

    If they are endless, everything from `end` on is one outcome; by default, from a point far out.
    """
    check(root)
    plan = _plan(root, (far_out(root) if end is None else end) if root.span.is_open else 0)
    if plan.work > MOST_WORK:
        raise TooMuchWork(
            f"the exact odds of {spell(root)} would take about {plan.work:.1e} steps; {MOST_WORK:.1e} are allowed"
        )
    return plan.find()


class Plan(Struct, frozen=True):
    """Plan for calculating odds, and upper bounds of its cost: steps, outcomes, and the bits of the weights."""

    find: Callable[[], Odds[Any]]
    work: float
    outcomes: float
    bits: float

    def joined(self, other: "Plan", meaning: Callable[[Any, Any], Any], outcomes: float, steps: float) -> "Plan":
        bits = self.bits + other.bits
        work = self.work + other.work + steps * _longer(bits)
        return Plan(lambda: self.find().joined_to_the_end(other.find(), meaning), work, outcomes, bits)

    def mapped(self, meaning: Callable[[Any], Any], outcomes: float, more: float = 0) -> "Plan":
        return Plan(lambda: self.find().map(meaning), self.work + more, outcomes, self.bits)


NOTHING = Plan(lambda: Odds.certain(0), 1, 1, 1)


def _plan(node: Node, end: int) -> Plan:
    """Plan a node. All outcomes from `end` on may become one; only endless explosions make use of that."""
    match node:
        case Number(value):
            return Plan(lambda: Odds.certain(value), 1, 1, 1)
        case Pool():
            return _pool_plan(node, end)
        case Sum():
            return _sum_plan(node, end)
        case Product():
            return _product_plan(node, end)
        case Best():
            return _best_plan(node, end)
        case Labelled((inner,)):
            return _plan(inner, end)
        case Target((inner,), wanted):
            return _plan(inner, wanted.end).mapped(lambda value: int(wanted.holds(value)), 2)


def _best_plan(node: Best, end: int) -> Plan:
    """To keep one, take the higher or lower of two repeatedly; to keep several, carry all that are kept so far."""
    first, *others = (_plan(part, end) for part in node.parts)
    if node.many == 1:
        for plan in others:
            many = first.outcomes + plan.outcomes
            first = first.joined(plan, max if node.which is Keep.HIGHEST else min, many, PAIR * many)
        return first
    kept, sorting = first.mapped(lambda value: (value,), first.outcomes), 0.0
    for plan in others:
        pairs = kept.outcomes * plan.outcomes
        outcomes = min(pairs, max(kept.outcomes, plan.outcomes) ** node.many)
        kept = kept.joined(plan, lambda before, value: tuple(node.best((*before, value))), outcomes, PAIR * pairs)
        sorting += pairs * SORTED
    return kept.mapped(sum, kept.outcomes, sorting)


def _sum_plan(node: Sum, end: int) -> Plan:
    """Plan the added terms first, so that no subtraction starts from zero unless it must."""
    least, span = node.span.low, Span(0, 0)
    found: Plan | None = None
    for sign, part in sorted(node.terms, key=lambda one: -one[0]):
        own = part.span if sign > 0 else part.span.negated()
        plan = _plan(part, end - int(least - own.low) if own.is_open else 0)
        span = span.plus(own)
        if found is None and sign > 0:
            found = plan
            continue
        found = found or NOTHING
        width = (end if span.is_open else span.high) - span.low + 1
        pairs = found.outcomes * plan.outcomes
        steps = min(PAIR * pairs, _product_work(width, min(found.outcomes, plan.outcomes), found.bits + plan.bits))
        found = found.joined(plan, add if sign > 0 else sub, min(pairs, width), steps)
    return found or NOTHING


def _product_plan(node: Product, end: int) -> Plan:
    """Split at the last sign, which binds loosest: everything before it is the left side."""
    *before, right = node.parts
    left, sign = Product(tuple(before), node.signs[:-1]) if before[1:] else before[0], node.signs[-1]
    left_low, low, high = left.span.low, right.span.low, right.span.high
    left_end = right_end = 0
    if left.span.is_open:
        left_end = -int(-end // low) if sign == "*" else end * int(high)
    if right.span.is_open:
        right_end = -int(-end // left_low)
    one, other = _plan(left, left_end), _plan(right, right_end)
    pairs = one.outcomes * other.outcomes
    return one.joined(other, mul if sign == "*" else floordiv, pairs, PAIR * pairs)


def _pool_plan(pool: Pool, end: int) -> Plan:
    kept = pool.keeps_some
    if isinstance(pool.gather, Counts):
        count, bits = pool.count, _bits(pool, pool.gather.end)
        work = 5 * _values(pool, pool.gather.end) * _longer(bits) + 5 * count * _longer(count * bits) ** 2
        return Plan(pool.step.odds, work, count + 1, count * bits)
    if kept:
        return _kept_plan(pool, kept, end)
    if pool.explodes_on:
        count, sides = pool.count, pool.die.sides
        bits = (count + end / sides) * log2(sides)
        work = _power_work(sides, count, log2(sides)) + end * max(count, PAIR) * _longer(bits)
        return Plan(Exploding(count, pool.die, ceiling=end).odds, work, end, bits)
    values, bits = _values(pool, end), _bits(pool, end)
    is_even = pool.again is None and pool.bounds is None and not pool.die.weighted
    work = _even_power_work(values, pool.count, bits) if is_even else _power_work(values, pool.count, bits)
    return Plan(pool.step.odds, work, pool.count * values, pool.count * bits)


def _kept_plan(pool: Pool, kept: Keeps, end: int) -> Plan:
    """Plan a pool that keeps some dice.

    A kept die past its own end reaches `end` together with the least that the other kept dice show.
    """
    count, each_end = pool.count, end - (kept.many - 1)
    values, bits = _values(pool, each_end), _bits(pool, each_end)
    limbs = kept.many * values * count * bits / 30
    work = values * (kept.many**2 / 2 + PAIR) * (PAIR + limbs / LIMBS_ADDED)
    find = pool.step.odds
    if pool.explodes_on and kept.which is Keep.HIGHEST:
        work = count * kept.many * values * PAIR * _longer(count * bits)
        find = lambda: _highest_exploding(pool, kept.many, end)  # noqa: E731  shorter than a function
    elif pool.explodes_on:
        step = Kept(count, Exploding(1, pool.die, ceiling=each_end), kept.many, kept.which)
        find = lambda: step.odds().open_from(end)  # noqa: E731  shorter than a function
    return Plan(find, work, kept.many * values, count * bits)


def _highest_exploding(pool: Pool, keep: int, end: int) -> Odds[int]:
    weights, total = highest_exploding(pool.count, pool.die.sides, keep, end)
    return Odds(weights, total, open_end=end)


def _values(pool: Pool, end: int) -> int:
    """Number of different values of one die."""
    if pool.explodes_on:
        return max(1, end)
    return pool.die.sides * (2 if pool.again and pool.again.added else 1)


def _bits(pool: Pool, end: int) -> float:
    """The bits of one die's weights, for all the throws that it can take."""
    throws = 1 + end // pool.die.sides if pool.explodes_on else 1 if pool.again is None else 2
    return throws * log2(pool.die.sides)


def _power_work(values: float, count: int, bits: float) -> float:
    """Work of the sum of `count` equal values: one product of very long numbers, or a recurrence, as in `counting`."""
    if count <= 1:
        return 5 * values * count
    if count > MANY:
        return count * values * values * _longer(count * bits)
    limbs = values * count * (count * bits + 8) / 30
    return values * count + exp(1.585 * log(limbs)) / 30


def _even_power_work(values: float, count: int, bits: float) -> float:
    """Work of the sum of plain dice: each of the first half of the ways follows from three others."""
    return count * values * PAIR * _longer(count * bits)


def _product_work(width: float, fewer: float, bits: float) -> float:
    """Work of the sums of two values that span `width`: pair by pair if there are few, else one long product."""
    limbs = (bits + 8) / 30
    return PAIR * width + width * limbs * exp(0.585 * log(fewer * limbs)) / 12


def _longer(bits: float) -> float:
    """Factor by which a step takes longer with numbers of `bits` bits."""
    return 1 + bits / 500
