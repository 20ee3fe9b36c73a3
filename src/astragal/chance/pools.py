"""Pools: many dice as one step, thrown and recorded die by die, weighed in closed form.

Weights are found by counting, never by trying. A count of hits is binomial, a total is a power of a polynomial, the
highest k of n are counted by the lowest die among them, and explosions have a geometric tail that is summed exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from math import ceil, log, prod, sqrt
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, cast, overload

from msgspec import Struct

from .algebra import makers
from .chances import ChainedChance, Chance, Repeated, Total, as_chance, check_hashable, check_pool
from .counting import (
    binomial,
    exploding_differences,
    exploding_totals,
    highest_kept,
    is_compact,
    kept_between,
    sums,
)
from .dice import Fate, Tray
from .errors import BadStep, NoEnd
from .odds import Odds, in_order
from .steps import MOST_SIDES, Step

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    F = TypeVar("F", default=int)
else:
    from typing import TypeVar

    F = TypeVar("F")
T = TypeVar("T")

DEVIATIONS = 4
"""Standard deviations from the mean at which a sum of many dice is far out …"""
ONE_IN = 1_000_000
"""… and a single die gets there by explosions at most once in this many throws."""
OFTEN = 1_000
"""After this many throws, check whether the wanted result is possible at all."""


class Die(Chance[F]):
    """One die: with a number of sides, or with custom faces, as a list or with weights.

    >>> from astragal import Die, odds
    >>> Die(6), Die([-1, 0, 1]), Die({"hit": 2, "miss": 4})
    (d6, Die([-1, 0, 1]), Die({'hit': 2, 'miss': 4}))
    >>> odds(4 @ Die([-1, 0, 1])).at_least(2)
    Fraction(5, 27)
    >>> odds(Die({"hit": 2, "miss": 4})).chance("hit")
    Fraction(1, 3)
    """

    __slots__ = ("sides", "weighted")

    @overload
    def __init__(self: Die[int], faces: int) -> None: ...
    @overload
    def __init__(self, faces: Mapping[F, int] | Iterable[F]) -> None: ...
    def __init__(self, faces: int | Mapping[F, int] | Iterable[F]) -> None:
        weighted = () if isinstance(faces, int) else weighed(faces, "a die")
        sides = faces if isinstance(faces, int) else sum(weight for _, weight in weighted)
        if not 2 <= sides <= MOST_SIDES:
            raise BadStep(f"a die has 2 to {MOST_SIDES:,} sides, not {sides:,}")
        self.sides: Final[int] = sides
        self.weighted: Final[tuple[tuple[F, int], ...]] = weighted

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Die):
            return NotImplemented
        return self.sides == other.sides and self.weighted == other.weighted

    def __hash__(self) -> int:
        return hash((self.sides, self.weighted))

    def __repr__(self) -> str:
        if not self.weighted:
            return f"d{self.sides}"
        listed = [face for face, weight in self.weighted if weight == 1]
        return f"Die({listed if len(listed) == self.sides else dict(self.weighted)})"

    def shown(self, place: int) -> F:
        """The face for a place from 1 to `sides`, as it was thrown."""
        if not self.weighted:
            return cast("F", place)
        for face, weight in self.weighted:  # noqa: B007 - the last face is the result
            place -= weight
            if place <= 0:
                break
        return face

    def places(self, faces: Container[F]) -> Container[int]:
        """The places of these faces on the die."""
        if not self.weighted:
            return cast("Container[int]", faces)
        return {place for place in range(1, self.sides + 1) if self.shown(place) in faces}

    def throw(self, tray: Tray) -> F:
        face = tray.draw(self.sides)
        return self.shown(face) if self.weighted else face  # type: ignore[return-value] # a number, as its faces are

    def throw_several(self, tray: Tray, count: int) -> list[tuple[F, Sequence[int]]]:
        start = len(tray.rolled)
        thrown = enumerate(tray.draw_all(count, self.sides), start)
        if self.weighted:
            return [(self.shown(face), (place,)) for place, face in thrown]
        return cast("list[tuple[F, Sequence[int]]]", [(face, (place,)) for place, face in thrown])

    def odds(self) -> Odds[F]:
        return Odds(dict(self.weighted), self.sides) if self.weighted else cast("Odds[F]", _plain(self.sides))

    def needs(self) -> tuple[int, ...]:
        return (self.sides,)


class Rerolled(ChainedChance[F], Struct, frozen=True):
    """A die whose unwanted faces are thrown again, `once` or until another face shows."""

    die: Die[F]
    faces: tuple[F, ...]
    once: bool = False

    def __post_init__(self) -> None:
        on_it = self.die.odds().weights
        if not self.faces or any(face not in on_it for face in self.faces):
            raise BadStep(f"the faces to reroll must be on the {self.die!r}")
        if len(set(self.faces)) == len(on_it) and not self.once:
            raise BadStep(f"no face of the {self.die!r} would ever stay")

    def throw_several(self, tray: Tray, count: int) -> list[tuple[F, Sequence[int]]]:
        unwanted = self.die.places(self.faces)
        thrown = _rounds(tray, count, self.die.sides, unwanted, Fate.REROLLED, once=self.once)
        return [(self.die.shown(tray.rolled[places[-1]].face), places) for places in thrown]

    def odds(self) -> Odds[F]:
        die = self.die.odds()
        if not self.once:
            return die.given(lambda face: face not in self.faces)
        unwanted = sum(die.weights[face] for face in set(self.faces))
        weights = {
            face: weight * (unwanted + (0 if face in self.faces else die.total)) for face, weight in die.weights.items()
        }
        return Odds(weights, die.total**2)

    def needs(self) -> tuple[int, ...]:
        return (self.die.sides,)


class Until(Chance[T], Struct, frozen=True):
    """Dice that are all thrown again until their result is wanted."""

    each: Chance[T]
    wanted: Callable[[T], bool]

    def throw(self, tray: Tray) -> T:
        tried = 0
        while True:
            start = len(tray.rolled)
            value = self.each.throw(tray)
            if self.wanted(value):
                return value
            tray.drop(range(start, len(tray.rolled)), Fate.REROLLED)
            tried += 1
            if tried == OFTEN:
                self.odds()  # raises NoEnd if nothing wanted is possible

    def odds(self) -> Odds[T]:
        try:
            return self.each.odds().given(self.wanted)
        except ValueError:
            raise NoEnd(f"nothing that {self.each!r} can come to is wanted, so it would be thrown for ever") from None

    @property
    def made_of(self) -> tuple[Chance[T]]:
        return (self.each,)

    @property
    def may_throw_more(self) -> bool:
        return True


class Exploding(ChainedChance[int], Struct, frozen=True):
    """The total of `count` dice; a die on its highest face is thrown again and added, `once` or without end.

    A `ceiling` merges all totals from there on into one outcome, in play as in the odds. The record keeps the true
    dice.
    """

    count: int
    die: Die[int]
    once: bool = False
    ceiling: int | None = None

    def __post_init__(self) -> None:
        check_pool(self.count, self.die)
        if self.die.weighted:
            raise BadStep(f"{self.die!r} has no highest face to explode on; a die of so many sides has")

    def throw_several(self, tray: Tray, count: int) -> list[tuple[int, Sequence[int]]]:
        sides, many = self.die.sides, self.count
        thrown = _rounds(tray, count * many, sides, (sides,), Fate.EXPLODED, once=self.once)
        pools = [[place for one in thrown[at * many : (at + 1) * many] for place in one] for at in range(count)]
        totals = [sum(tray.rolled[place].face for place in places) for places in pools]
        if self.ceiling is not None:
            totals = [min(total, self.ceiling) for total in totals]
        return list(zip(totals, pools, strict=True))

    @property
    def endless(self) -> bool:
        return not self.once and self.ceiling is None

    def odds_to(self, end: int) -> Odds[int]:
        return Exploding(self.count, self.die, self.once, end).odds() if self.endless else self.odds()

    def far_out(self) -> int:
        sides = self.die.sides
        if not self.endless:
            return self.ceiling if self.ceiling is not None else 2 * sides * self.count
        usual = float(self.mean()) + DEVIATIONS * sqrt(self.variance())
        return ceil(usual) + sides * ceil(log(ONE_IN) / log(sides))

    def odds(self) -> Odds[int]:
        if not self.once:
            if self.ceiling is None:
                raise NoEnd(f"{self.count} exploding d{self.die.sides} have no greatest total: give a ceiling")
            weights, out_of = exploding_totals(self.count, self.die.sides, self.ceiling)
            return Odds(weights, out_of, open_end=self.ceiling if self.ceiling in weights else None)
        sides = self.die.sides
        single = dict.fromkeys(range(1, sides), sides) | dict.fromkeys(range(sides + 1, 2 * sides + 1), 1)
        total = Odds(sums(single, self.count), sides ** (2 * self.count))
        return total if self.ceiling is None else total.open_from(self.ceiling)

    def mean(self) -> Fraction:
        """The mean total, ignoring the ceiling: each die brings another with chance 1 in `sides`."""
        sides = self.die.sides
        single = Fraction(sides + 1, 2)
        return self.count * single * (1 + Fraction(1, sides) if self.once else Fraction(sides, sides - 1))

    def variance(self) -> Fraction:
        """The variance of the total without a ceiling: that of the explosions, which are geometric, and of the rest."""
        if self.once:
            return Exploding(self.count, self.die, once=True).odds().variance()
        sides = self.die.sides
        return self.count * (Fraction(sides**3, (sides - 1) ** 2) + Fraction(sides * (sides - 2), 12))

    def needs(self) -> tuple[int, ...]:
        return (self.die.sides,) * self.count


class ExplodingDifference(ChainedChance[int], Struct, frozen=True):
    """My exploding total minus theirs. Everything from `high` up is one outcome, and everything from `low` down."""

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
            sides = self.mine.die.sides
            return Odds.of_fractions(
                exploding_differences(self.mine.count, self.theirs.count, sides, self.low, self.high)
            )
        return self.mine.odds().joined(
            self.theirs.odds(), lambda mine, theirs: max(self.low, min(self.high, mine - theirs))
        )

    def needs(self) -> tuple[int, ...]:
        return self.mine.needs() + self.theirs.needs()


class Hits(Repeated, Struct, frozen=True):
    """The number of `count` equal steps with at least `at_least`, at most `at_most`, or a face in `on`."""

    count: int
    each: Chance[Any]
    at_least: int | None = None
    at_most: int | None = None
    on: tuple[Any, ...] | None = None

    def __post_init__(self) -> None:
        Repeated.__post_init__(self)
        if (self.at_least, self.at_most, self.on) == (None, None, None):
            raise BadStep("say what is a hit: at_least=5, at_most=2, or on={6, 1}")

    def throw(self, tray: Tray) -> int:
        return sum(self._is_hit(value) for value, _ in self.each.throw_several(tray, self.count))

    def _is_hit(self, value: Any) -> bool:
        if self.on is not None and value not in self.on:
            return False
        return (self.at_least is None or value >= self.at_least) and (self.at_most is None or value <= self.at_most)

    def odds(self) -> Odds[int]:
        each = self.each.odds()
        hit = sum([weight for value, weight in each.weights.items() if self._is_hit(value)])
        return Odds(binomial(self.count, hit, each.total - hit), each.total**self.count)


class Keep(Enum):
    LOWEST = "lowest"
    HIGHEST = "highest"


class Kept(Repeated, Struct, frozen=True):
    """The sum of the lowest or highest `keep` of `count` equal steps; the others are dropped."""

    count: int
    each: Chance[int]
    keep: int
    which: Keep

    def __post_init__(self) -> None:
        Repeated.__post_init__(self)
        if not 1 <= self.keep <= self.count:
            raise BadStep(f"of {self.count} dice you can keep 1 to {self.count}, not {self.keep}")

    def throw(self, tray: Tray) -> int:
        return keep_best(tray, self.each.throw_several(tray, self.count), self.keep, self.which)

    def odds(self) -> Odds[int]:
        dropped = self.count - self.keep
        lowest, highest = (dropped, 0) if self.which is Keep.HIGHEST else (0, dropped)
        return KeptOfSeveral(((self.count, self.each),), lowest, highest).odds()


class KeptOfSeveral(Chance[int], Struct, frozen=True):
    """The sum of dice, which may differ, without so many of the lowest and of the highest."""

    parts: tuple[tuple[int, Chance[Any]], ...]
    lowest: int
    highest: int

    def __post_init__(self) -> None:
        size = sum([count for count, _ in self.parts])
        keep = size - self.lowest - self.highest
        if not 1 <= keep <= size or min(self.lowest, self.highest) < 0:
            raise BadStep(f"of {size} dice you can keep 1 to {size}, not {keep}")

    def throw(self, tray: Tray) -> int:
        thrown = [one for count, each in self.parts for one in each.throw_several(tray, count)]
        thrown.sort(key=itemgetter(0))
        last = len(thrown) - self.highest
        for _, places in thrown[: self.lowest] + thrown[last:]:
            tray.drop(places)
        return sum([value for value, _ in thrown[self.lowest : last]])

    @property
    def made_of(self) -> list[Chance[Any]]:
        return [Total(count, each) for count, each in self.parts]

    def odds(self) -> Odds[int]:
        each_odds = [(each.odds(), count) for count, each in self.parts if count]
        groups = [(each.weights, count) for each, count in each_odds]
        total = prod([each.total**count for each, count in each_odds])
        size = sum([count for _, count in groups])
        keep = size - self.lowest - self.highest
        can_be_packed = keep == 1 or is_compact({value for weights, _ in groups for value in weights})
        if can_be_packed and not self.highest:
            return Odds(highest_kept(groups, keep), total)
        if can_be_packed and not self.lowest:
            mirrored = [({-value: weight for value, weight in weights.items()}, count) for weights, count in groups]
            return Odds({-value: weight for value, weight in highest_kept(mirrored, keep).items()}, total)
        return Odds(kept_between(groups, self.lowest, size - self.highest), total)


def keep_best(tray: Tray, thrown: Iterable[tuple[int, Sequence[int]]], keep: int, which: Keep) -> int:
    """Sum the highest or lowest `keep` values; the dice of the others are dropped."""
    ordered = sorted(thrown, key=lambda one: one[0], reverse=which is Keep.HIGHEST)
    for _, places in ordered[keep:]:
        tray.drop(places)
    return sum(value for value, _ in ordered[:keep])


makers.die = Die
d4, d6, d8, d10, d12, d20, d100 = (Die(sides) for sides in (4, 6, 8, 10, 12, 20, 100))


def total(count: int, each: Step[Any]) -> Chance[int]:
    """The sum of `count` dice.

    >>> from astragal import d6, odds, total
    >>> odds(total(3, d6)).chance(18)
    Fraction(1, 216)
    """
    return Total(count, as_chance(each))


def hits(
    count: int,
    each: Step[Any],
    *,
    at_least: int | None = None,
    at_most: int | None = None,
    on: Iterable[Any] | None = None,
) -> Chance[int]:
    """The number of dice that reach a number, or show one of the listed faces.

    >>> from astragal import Die, d6, hits, odds
    >>> odds(hits(10, d6, at_least=5)).mean()
    Fraction(10, 3)
    >>> odds(hits(2, Die(["sword", "shield", "blank"]), on={"sword"})).at_least(1)
    Fraction(5, 9)
    """
    return Hits(count, as_chance(each), at_least, at_most, None if on is None else tuple(dict.fromkeys(on)))


@overload
def lowest(count: int, each: Step[int] | Odds[int], /, *, keep: int = ...) -> Chance[int]: ...
@overload
def lowest(first: Step[int] | Odds[int], /, *others: Step[int] | Odds[int], keep: int = ...) -> Chance[int]: ...
def lowest(first: int | Step[int] | Odds[int], /, *others: Step[int] | Odds[int], keep: int = 1) -> Chance[int]:
    """The sum of the lowest `keep` of `count` dice, or of the dice listed; the others are dropped.

    >>> from astragal import d6, d20, lowest, odds
    >>> odds(lowest(2, d20)).at_least(15)
    Fraction(9, 100)
    >>> odds(lowest(d20, d6)).mean()
    Fraction(77, 24)
    """
    return _kept(first, others, keep, Keep.LOWEST)


@overload
def highest(count: int, each: Step[int] | Odds[int], /, *, keep: int = ...) -> Chance[int]: ...
@overload
def highest(first: Step[int] | Odds[int], /, *others: Step[int] | Odds[int], keep: int = ...) -> Chance[int]: ...
def highest(first: int | Step[int] | Odds[int], /, *others: Step[int] | Odds[int], keep: int = 1) -> Chance[int]:
    """The sum of the highest `keep` of `count` dice, or of the dice listed; the others are dropped.

    >>> from astragal import d6, d8, highest, odds
    >>> odds(highest(4, d6, keep=3)).mean()
    Fraction(15869, 1296)
    >>> odds(highest(d8, d6)).chance(8)
    Fraction(1, 8)
    """
    return _kept(first, others, keep, Keep.HIGHEST)


def _kept(
    first: int | Step[int] | Odds[int], others: tuple[Step[int] | Odds[int], ...], keep: int, which: Keep
) -> Chance[int]:
    if isinstance(first, int):
        if len(others) != 1:
            raise BadStep(f"{which.value} takes a number and a die, {which.value}(4, d6, keep=3), or dice alone")
        return Kept(first, as_chance(others[0]), keep, which)
    counts: dict[Chance[int], int] = {}
    for die in (first, *others):
        chance = as_chance(die)
        counts[chance] = counts.get(chance, 0) + 1
    dropped = len(others) + 1 - keep
    lowest, highest = (dropped, 0) if which is Keep.HIGHEST else (0, dropped)
    return KeptOfSeveral(tuple([(count, die) for die, count in counts.items()]), lowest, highest)


def exploding(count: int, die: Die[int], *, once: bool = False, ceiling: int | None = None) -> Exploding:
    """The sum of dice whose highest face is thrown again and added, without end or `once`.

    >>> from astragal import d6, exploding, odds
    >>> odds(exploding(5, d6) >= 20).chance(True)
    Fraction(48601, 93312)
    >>> odds(exploding(1, d6)).chance(7)
    Fraction(1, 36)
    >>> exploding(5, d6).mean()
    Fraction(21, 1)
    """
    return Exploding(count, die, once, ceiling)


def rerolled(die: Die[F], faces: Iterable[F], *, once: bool = False) -> Rerolled[F]:
    """One die whose unwanted faces are thrown again, `once` or until another face shows.

    >>> from astragal import d6, odds, rerolled
    >>> odds(rerolled(d6, {1, 2}, once=True)).mean()
    Fraction(25, 6)
    """
    return Rerolled(die, tuple(in_order(set(faces))), once)


def until(each: Step[T], wanted: Callable[[T], bool]) -> Until[T]:
    """Dice thrown again and again until their result is wanted. The odds are exact, though there is no last throw.

    >>> from astragal import d6, odds, until
    >>> odds(until(d6, lambda face: face > 3)).chance(6)
    Fraction(1, 3)
    >>> odds(until(2 @ d6, lambda sum: sum != 7)).mean()
    Fraction(7, 1)
    """
    if not callable(wanted):
        raise BadStep(f"say what is wanted as a function of the value, such as lambda face: face > 3, not {wanted!r}")
    return Until(as_chance(each), wanted)


def exploding_difference(mine: Exploding, theirs: Exploding, *, low: int, high: int) -> ExplodingDifference:
    """My exploding total minus theirs, exactly; `low` stands for itself and less, `high` for itself and more.

    >>> from astragal import d6, exploding, exploding_difference, odds
    >>> odds(exploding_difference(exploding(1, d6), exploding(1, d6), low=-1, high=1)).chance(1)
    Fraction(3, 7)
    """
    return ExplodingDifference(mine, theirs, low, high)


def weighed(faces: Mapping[F, int] | Iterable[F], what: str) -> tuple[tuple[F, int], ...]:
    """Faces or cards with their weights, in the order in which they were first named."""
    if not isinstance(faces, (list, range)) and (isinstance(faces, str) or not isinstance(faces, Iterable)):
        raise BadStep(f"{what} is made of a list, or of a dict with weights, not of {faces!r}")
    if not isinstance(faces, (list, range)) and isinstance(faces, Mapping):
        for face, weight in faces.items():
            if not isinstance(weight, int) or weight < 0:
                raise BadStep(f"weights are whole numbers, 0 or more; that of {face!r} is {weight!r}")
        return tuple((face, weight) for face, weight in faces.items() if weight)
    listed = list(faces)
    weights: dict[F, int] = {}
    try:
        for face in listed:
            weights[face] = weights.get(face, 0) + 1
        return tuple(weights.items())
    except TypeError:
        for face in listed:
            check_hashable(face, f"a face of {what}")
        raise


def _rounds(tray: Tray, count: int, sides: int, again: Container[int], fate: Fate, *, once: bool) -> list[list[int]]:
    """Throw dice together, then those that they bring, and so on. Return the places of each and of those it brought."""
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


@lru_cache(maxsize=64)
def _plain(sides: int) -> Odds[int]:
    return Odds.uniform(range(1, sides + 1))
