"""Many dice as one step: thrown and recorded die by die, weighed in closed form.

Weights are found by counting, never by trying: a count of hits is binomial, a total is a power of a
polynomial, the highest k of n are counted by the lowest die among them, and explosions have a geometric tail
that is summed exactly.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from enum import Enum
from fractions import Fraction
from functools import lru_cache

from astragal.values import frozen

from .counting import binomial, highest_kept, sums
from .dice import Fate, Tray
from .errors import BadStep, NoEnd
from .explosions import chained_difference, chained_total
from .odds import Odds
from .steps import MOST_SIDES, Chance


@frozen(slots=True)
class Die(Chance[int]):
    """One die with faces from 1 to `sides`."""

    sides: int

    def __post_init__(self) -> None:
        if not 2 <= self.sides <= MOST_SIDES:
            raise BadStep(f"a die has 2 to {MOST_SIDES:,} sides, not {self.sides:,}")

    def throw(self, tray: Tray) -> int:
        return tray.draw(self.sides)

    def throw_several(self, tray: Tray, count: int) -> list[tuple[int, Sequence[int]]]:
        start = len(tray.rolled)
        return [(face, (place,)) for place, face in enumerate(tray.draw_all(count, self.sides), start)]

    def odds(self) -> Odds[int]:
        return _plain(self.sides)

    def needs(self) -> tuple[int, ...]:
        return (self.sides,)


@frozen(slots=True)
class Rerolled(Chance[int]):
    """A die whose unwanted faces are thrown again: `once`, or until another shows."""

    die: Die
    faces: tuple[int, ...]
    once: bool = False

    def __post_init__(self) -> None:
        if not self.faces or any(not 1 <= face <= self.die.sides for face in self.faces):
            raise BadStep(f"the faces to reroll must be on the d{self.die.sides}")
        if len(set(self.faces)) == self.die.sides and not self.once:
            raise BadStep(f"no face of the d{self.die.sides} would ever stay")

    def throw(self, tray: Tray) -> int:
        return self.throw_several(tray, 1)[0][0]

    def throw_several(self, tray: Tray, count: int) -> list[tuple[int, Sequence[int]]]:
        thrown = _rounds(tray, count, self.die.sides, self.faces, Fate.REROLLED, once=self.once)
        return [(tray.rolled[places[-1]].face, places) for places in thrown]

    def odds(self) -> Odds[int]:
        sides, unwanted = self.die.sides, len(set(self.faces))
        if not self.once:
            return Odds.uniform(face for face in range(1, sides + 1) if face not in self.faces)
        weights = {face: unwanted + (0 if face in self.faces else sides) for face in range(1, sides + 1)}
        return Odds(weights, sides * sides)

    def needs(self) -> tuple[int, ...]:
        return (self.die.sides,)


@frozen(slots=True)
class Exploding(Chance[int]):
    """The total of `count` dice; a die on its highest face is thrown again and added, `once` or again and again.

    A `ceiling` makes one outcome of all totals from there on, in play as in the odds. The true dice stay in the
    record.
    """

    count: int
    die: Die
    once: bool = False
    ceiling: int | None = None

    def __post_init__(self) -> None:
        _at_least_no_dice(self.count)

    def throw(self, tray: Tray) -> int:
        return self.throw_several(tray, 1)[0][0]

    def throw_several(self, tray: Tray, count: int) -> list[tuple[int, Sequence[int]]]:
        sides, many = self.die.sides, self.count
        thrown = _rounds(tray, count * many, sides, (sides,), Fate.EXPLODED, once=self.once)
        pools = [[place for one in thrown[at * many : (at + 1) * many] for place in one] for at in range(count)]
        return [(self._total(tray, places), places) for places in pools]

    def _total(self, tray: Tray, places: Sequence[int]) -> int:
        total = sum(tray.rolled[place].face for place in places)
        return total if self.ceiling is None else min(total, self.ceiling)

    def odds(self) -> Odds[int]:
        if not self.once:
            if self.ceiling is None:
                raise NoEnd(f"{self.count} exploding d{self.die.sides} have no greatest total: give a ceiling")
            return chained_total(self.count, self.die.sides, self.ceiling)
        sides = self.die.sides
        single = dict.fromkeys(range(1, sides), sides) | dict.fromkeys(range(sides + 1, 2 * sides + 1), 1)
        total = Odds(sums(single, self.count), sides ** (2 * self.count))
        return total if self.ceiling is None else _saturated(total, self.ceiling)

    def mean(self) -> Fraction:
        """The mean total, ceiling or not: each die brings a further one with chance 1 in `sides`."""
        sides = self.die.sides
        single = Fraction(sides + 1, 2)
        return self.count * single * (1 + Fraction(1, sides) if self.once else Fraction(sides, sides - 1))

    def needs(self) -> tuple[int, ...]:
        return (self.die.sides,) * self.count


@frozen(slots=True)
class ExplodingDifference(Chance[int]):
    """My exploding total less theirs. Everything from `high` up is one outcome, and everything from `low` down."""

    mine: Exploding
    theirs: Exploding
    low: int
    high: int

    def __post_init__(self) -> None:
        if (self.mine.die, self.mine.once) != (self.theirs.die, self.theirs.once):
            raise BadStep("the two pools must have the same dice and explode alike")
        if self.mine.ceiling is not None or self.theirs.ceiling is not None:
            raise BadStep("in a difference it is `low` and `high` that make an end, not ceilings")
        if self.low >= self.high:
            raise BadStep(f"low must lie under high, but {self.low} does not lie under {self.high}")

    def throw(self, tray: Tray) -> int:
        mine, single = self.mine.count, Exploding(1, self.mine.die, self.mine.once)
        thrown = [value for value, _ in single.throw_several(tray, mine + self.theirs.count)]
        return max(self.low, min(self.high, sum(thrown[:mine]) - sum(thrown[mine:])))

    def odds(self) -> Odds[int]:
        if not self.mine.once:
            return chained_difference(self.mine.count, self.theirs.count, self.mine.die.sides, self.low, self.high)
        return self.mine.odds().joined(
            self.theirs.odds(), lambda mine, theirs: max(self.low, min(self.high, mine - theirs))
        )

    def needs(self) -> tuple[int, ...]:
        return self.mine.needs() + self.theirs.needs()


@frozen(slots=True)
class Total(Chance[int]):
    """The sum of `count` equal steps."""

    count: int
    each: Chance[int]

    def __post_init__(self) -> None:
        _at_least_no_dice(self.count)

    def throw(self, tray: Tray) -> int:
        return sum(value for value, _ in self.each.throw_several(tray, self.count))

    def odds(self) -> Odds[int]:
        each = self.each.odds()
        return Odds(sums(each.weights, self.count), each.total**self.count)

    def needs(self) -> tuple[int, ...]:
        return self.each.needs() * self.count


@frozen(slots=True)
class Hits(Chance[int]):
    """Pool of `count` equal steps, counted by how many come to `at_least` a number."""

    count: int
    each: Chance[int]
    at_least: int

    def __post_init__(self) -> None:
        _at_least_no_dice(self.count)

    def throw(self, tray: Tray) -> int:
        return sum(value >= self.at_least for value, _ in self.each.throw_several(tray, self.count))

    def odds(self) -> Odds[int]:
        each = self.each.odds()
        hit = sum([weight for value, weight in each.weights.items() if value >= self.at_least])
        return Odds(binomial(self.count, hit, each.total - hit), each.total**self.count)

    def needs(self) -> tuple[int, ...]:
        return self.each.needs() * self.count


class Keep(Enum):
    LOWEST = "lowest"
    HIGHEST = "highest"


@frozen(slots=True)
class Kept(Chance[int]):
    """The sum of the lowest or highest `keep` of `count` equal steps; the others are dropped."""

    count: int
    each: Chance[int]
    keep: int
    which: Keep

    def __post_init__(self) -> None:
        if not 1 <= self.keep <= self.count:
            raise BadStep(f"of {self.count} dice one can keep 1 to {self.count}, not {self.keep}")

    def throw(self, tray: Tray) -> int:
        thrown = self.each.throw_several(tray, self.count)
        thrown.sort(key=lambda one: one[0], reverse=self.which is Keep.HIGHEST)
        for _, places in thrown[self.keep :]:
            tray.drop(places)
        return sum(value for value, _ in thrown[: self.keep])

    def odds(self) -> Odds[int]:
        each = self.each.odds()
        if self.which is Keep.HIGHEST:
            return Odds(highest_kept(each.weights, self.count, self.keep), each.total**self.count)
        mirrored = {-value: weight for value, weight in each.weights.items()}
        weights = highest_kept(mirrored, self.count, self.keep)
        return Odds({-value: weight for value, weight in weights.items()}, each.total**self.count)

    def needs(self) -> tuple[int, ...]:
        return self.each.needs() * self.count


d4, d6, d8, d10, d12, d20, d100 = (Die(sides) for sides in (4, 6, 8, 10, 12, 20, 100))


def total(count: int, each: Chance[int]) -> Chance[int]:
    return Total(count, each)


def hits(count: int, each: Chance[int], *, at_least: int) -> Chance[int]:
    return Hits(count, each, at_least)


def lowest(count: int, each: Chance[int], *, keep: int = 1) -> Chance[int]:
    return Kept(count, each, keep, Keep.LOWEST)


def highest(count: int, each: Chance[int], *, keep: int = 1) -> Chance[int]:
    return Kept(count, each, keep, Keep.HIGHEST)


def exploding(count: int, die: Die, *, once: bool = False, ceiling: int | None = None) -> Exploding:
    return Exploding(count, die, once, ceiling)


def rerolled(die: Die, faces: Iterable[int], *, once: bool = False) -> Rerolled:
    return Rerolled(die, tuple(sorted(set(faces))), once)


def exploding_difference(mine: Exploding, theirs: Exploding, *, low: int, high: int) -> ExplodingDifference:
    return ExplodingDifference(mine, theirs, low, high)


def _rounds(tray: Tray, count: int, sides: int, again: Container[int], fate: Fate, *, once: bool) -> list[list[int]]:
    """Dice thrown together, then those that they bring, then those that these bring. Where each and its own lie."""
    thrown: list[list[int]] = [[] for _ in range(count)]
    going, brings = thrown, again
    while going:
        start = len(tray.rolled)
        faces = tray.draw_all(len(going), sides, brings, fate)
        for place, one in enumerate(going, start):
            one.append(place)
        going = [one for one, face in zip(going, faces, strict=True) if face in brings]
        brings = () if once else again
    return thrown


def _at_least_no_dice(count: int) -> None:
    if count < 0:
        raise BadStep(f"a pool has 0 dice or more, not {count}")


@lru_cache(maxsize=64)
def _plain(sides: int) -> Odds[int]:
    return Odds.uniform(range(1, sides + 1))


def _saturated(odds: Odds[int], ceiling: int) -> Odds[int]:
    return Odds(odds.map(lambda total: min(total, ceiling)).weights, odds.total, open_end=ceiling)
