"""Ten points in three attributes: what is legal, what is wrong, what would be right, and a random one. NS-01."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from astragal.values import frozen

from .sheet import Attribute

POINTS = 10
LEAST, MOST = 1, 8
MOST_REPAIRS = 5
FAR = 99
"""No slip of the pen goes further: up to here points are understood, and what is wrong with them is said."""

Draw = Callable[[int], int]
"""Gives one of range(n), each as likely as any other."""


@frozen
class Spread:
    """How the points are spread."""

    body: int
    mind: int
    will: int

    def __getitem__(self, attribute: Attribute) -> int:
        points: int = getattr(self, attribute.value)
        return points

    @property
    def sum(self) -> int:
        return self.body + self.mind + self.will


LEGAL = tuple(
    spread
    for points in product(range(LEAST, MOST + 1), repeat=len(Attribute))
    if (spread := Spread(*points)).sum == POINTS
)
"""Every legal spread there is."""

# ---------------------------------------------------------------- what is wrong


@frozen
class OutOfBounds:
    """NS-01: each attribute has at least 1 point and at most 8."""

    attribute: Attribute
    points: int


@frozen
class WrongSum:
    """NS-01: there are 10 points, no more and no fewer."""

    points: int

    @property
    def difference(self) -> int:
        """Points too many; below 0, points too few."""
        return self.points - POINTS


Reason = OutOfBounds | WrongSum


def why_illegal(spread: Spread) -> tuple[Reason, ...]:
    """NS-01: everything that is wrong with a spread, at once; nothing for a legal one."""
    return tuple(_reasons(spread))


def _reasons(spread: Spread) -> Iterator[Reason]:
    for attribute in Attribute:
        if not LEAST <= spread[attribute] <= MOST:
            yield OutOfBounds(attribute, spread[attribute])
    if spread.sum != POINTS:
        yield WrongSum(spread.sum)


# ---------------------------------------------------------------- what would be right


@frozen
class Change:
    attribute: Attribute
    before: int
    after: int


@frozen
class Repair:
    """A legal spread, and what was changed to come to it."""

    spread: Spread
    changes: tuple[Change, ...]

    @property
    def moved(self) -> int:
        """Points moved, up or down."""
        return sum(abs(change.after - change.before) for change in self.changes)


def nearest_legal(spread: Spread, most: int = MOST_REPAIRS) -> tuple[Repair, ...]:
    """NS-01: the legal spreads with the fewest points moved, those that touch the fewest attributes first."""
    repairs = [Repair(legal, _changes(spread, legal)) for legal in LEGAL]
    fewest = min(repair.moved for repair in repairs)
    nearest = [repair for repair in repairs if repair.moved == fewest]
    return tuple(sorted(nearest, key=lambda repair: len(repair.changes))[:most])


def _changes(before: Spread, after: Spread) -> tuple[Change, ...]:
    return tuple(Change(one, before[one], after[one]) for one in Attribute if before[one] != after[one])


def random_spread(draw: Draw) -> Spread:
    """NS-01: any legal spread, each as likely as any other."""
    return LEGAL[draw(len(LEGAL))]
