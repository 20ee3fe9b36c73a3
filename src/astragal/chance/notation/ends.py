"""Cut-off for dice that could explode for ever.

An explosion that goes on and on has infinitely many totals. From a point on, all of them are made one outcome, exactly
weighted: the open end. The point lies far out in the whole expression, and each pool in it is followed as far as that
takes. So an open end is carried through sums, and through products with and quotients by what is over zero; anywhere
else it would not stay a single upper end, and is refused.
"""

from math import ceil, log, sqrt

from astragal.chance.errors import OpenEnded
from astragal.chance.notation.nodes import Best, Explodes, Labelled, Node, Number, Pool, Product, Sum, Target
from astragal.chance.notation.words import spell
from astragal.chance.pools import Exploding, Keep

DEVIATIONS = 4
"""So far from the mean a sum of many dice is out of sight …"""
ONE_IN = 1_000_000
"""… and so seldom a single die may explode often enough to get there."""


def explodes_on(pool: Pool) -> bool:
    """Does it explode again and again?"""
    return isinstance(pool.again, Explodes) and not pool.again.once


def far_out(node: Node) -> int:
    """A value that the node hardly ever reaches."""
    match node:
        case Number(value):
            return value
        case Pool():
            return _far_out_pool(node)
        case Sum(parts):
            return sum(far_out(part) if sign > 0 else -int(part.span.low) for sign, part in parts)
        case Product(first, others):
            value = far_out(first)
            for sign, other in others:
                value = value * far_out(other) if sign == "*" else ceil(value / other.span.low) + 1
            return value
        case Best(parts, _, many):
            return sum(sorted(map(far_out, parts), reverse=True)[:many])
        case Labelled(inner):
            return far_out(inner)
        case Target():
            return 1


def check(node: Node) -> None:
    """An open end must stay one end, and the upper one."""
    match node:
        case Sum(parts):
            inner = [part for _, part in parts]
            bad = [part for sign, part in parts if sign < 0 and part.span.is_open]
        case Product(first, others):
            inner = [first, *(other for _, other in others)]
            can_be_nothing = any(factor.span.low < 1 for factor in inner)
            divisors = [other for sign, other in others if sign == "/"]
            bad = [factor for factor in (inner if can_be_nothing else divisors) if factor.span.is_open]
        case Best(several, which, many):
            inner = list(several)
            bad = [] if which is Keep.HIGHEST and many == 1 else [part for part in inner if part.span.is_open]
        case Target(inside) | Labelled(inside):
            inner, bad = [inside], []
        case _:
            return
    if bad:
        raise OpenEnded(
            f"{spell(bad[0])} explodes without end, so there are no exact odds where it is subtracted, divides, "
            "is multiplied by what can be 0 or less, or is kept among others"
        )
    for part in inner:
        check(part)


def _far_out_pool(pool: Pool) -> int:
    high = pool.span.high
    if isinstance(high, float):
        return _far_out_explosions(pool)
    if pool.again or pool.bounds or pool.die.weighted:
        return high
    sides = pool.die.sides
    usual = pool.count * (sides + 1) / 2 + DEVIATIONS * sqrt(pool.count * (sides * sides - 1) / 12)
    return min(high, ceil(usual))


def _far_out_explosions(pool: Pool) -> int:
    count, sides = pool.count, pool.die.sides
    variance = count * (sides**3 / (sides - 1) ** 2 + sides * (sides - 2) / 12)
    usual = float(Exploding(count, pool.die).mean()) + DEVIATIONS * sqrt(variance)
    return ceil(usual) + sides * ceil(log(ONE_IN) / log(sides))
