"""Exact finite distributions: integer weights over one total."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from enum import Enum
from fractions import Fraction
from functools import reduce
from itertools import accumulate
from math import gcd, lcm, sqrt
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from msgspec import Struct

from .algebra import Algebra, makers
from .counting import joined
from .errors import BadStep, OpenEnded
from .pictures import Picture, own_parts, percent, verdict_words

if TYPE_CHECKING:
    from .dice import Dice
    from .drawings import Drawing

T = TypeVar("T")
U = TypeVar("U")
V = TypeVar("V")


class Odds(Algebra["Odds[int]", "Odds[bool]"], Picture, Struct, Generic[T], frozen=True, eq=False):
    """Exact odds: the weight of each outcome, out of `total`.

    `open_end`, if set, is the single outcome that stands for itself and everything past it: the tail of an explosion,
    with its exact weight.
    """

    weights: Mapping[T, int]
    total: int
    open_end: T | None = None

    @classmethod
    def certain(cls, outcome: T) -> Odds[T]:
        """Odds of a single certain outcome."""
        return cls({outcome: 1}, 1)

    @classmethod
    def uniform(cls, outcomes: Iterable[T]) -> Odds[T]:
        """Odds in which each outcome counts as often as it is listed."""
        weights: dict[T, int] = {}
        for outcome in outcomes:
            weights[outcome] = weights.get(outcome, 0) + 1
        return cls(weights, sum(weights.values()))

    @classmethod
    def of_fractions(cls, chances: Mapping[T, Fraction]) -> Odds[T]:
        """Odds from chances that sum to 1."""
        total = lcm(*(chance.denominator for chance in chances.values()))
        weights = {
            outcome: chance.numerator * (total // chance.denominator) for outcome, chance in chances.items() if chance
        }
        return cls(weights, total)

    @classmethod
    def mixture(cls, parts: Mapping[int, Mapping[T, int]]) -> Odds[T]:
        """Merge weights collected under several totals into one total."""
        if len(parts) == 1:
            ((total, only),) = parts.items()
            return cls(dict(only), total)
        total = lcm(*parts)
        weights: dict[T, int] = {}
        for part_total, part in parts.items():
            for outcome, weight in part.items():
                weights[outcome] = weights.get(outcome, 0) + weight * (total // part_total)
        return cls(weights, total)

    def __iter__(self) -> Iterator[tuple[T, int]]:
        """Outcomes with their weights; numbers and enums in their own order."""
        return iter(sorted(self.weights.items(), key=lambda pair: order_of(pair[0])))

    def __len__(self) -> int:
        return len(self.weights)

    def __eq__(self, other: object) -> bool:
        """Two odds are equal if every outcome has the same chance, whatever the totals."""
        if not isinstance(other, Odds):
            return NotImplemented
        return self.in_lowest_terms() == other.in_lowest_terms()

    __ne__ = object.__ne__  # a Struct has one of its own, which asks no __eq__

    def __hash__(self) -> int:
        total, weights = self.in_lowest_terms()
        return hash((total, frozenset(weights.items())))

    def _combined(self, sign: str, left: Any, right: Any) -> Odds[Any]:
        """Calculate with odds: `odds(d6) + 1`, `odds(d6) >= odds(d8)`. All operands are independent."""
        found: Odds[Any] = makers.combined_odds(sign, left, right)
        return found

    def __str__(self) -> str:
        from .pictures import bars

        return bars(self)

    def __rich__(self) -> Any:
        from .pictures import rich_table

        return rich_table(self)

    def drawing(self, title: str = "") -> Drawing:
        """Chart with a bar for each outcome, or for bands of outcomes if there are many."""
        from .charts import bars
        from .pictures import gathered

        return bars([(row,) for row in gathered(self)], title)

    def chance(self, wanted: Callable[[T], bool] | T) -> Fraction:
        """The chance of one outcome, or of all outcomes that satisfy a predicate."""
        if callable(wanted):
            return Fraction(sum(weight for outcome, weight in self.weights.items() if wanted(outcome)), self.total)
        return Fraction(self.weights.get(wanted, 0), self.total)

    def chances(self) -> dict[T, Fraction]:
        """Each outcome with its chance, in order."""
        return {outcome: Fraction(weight, self.total) for outcome, weight in self}

    def at_least(self: Odds[int], number: int) -> Fraction:
        """The chance of this number or more."""
        if self.open_end is not None and number > self.open_end:
            raise OpenEnded(f"{self.open_end} or more is one outcome; how much of it is {number} or more is not known")
        return self.chance(lambda outcome: outcome >= number)

    def percent(self, wanted: Callable[[T], bool] | T, digits: int = 0) -> Fraction:
        """The chance in percent, rounded half to even."""
        return percent(self.chance(wanted), digits)

    def at_most(self: Odds[int], number: int) -> Fraction:
        """The chance of this number or less."""
        return 1 - self.at_least(number + 1)

    def deviation(self: Odds[int]) -> float:
        """The standard deviation: how far from the mean a roll usually lies."""
        return sqrt(self.variance())

    def mean(self: Odds[int]) -> Fraction:
        """The mean, exactly."""
        if self.open_end is not None:
            raise OpenEnded(f"{self.open_end} or more is one outcome, so the mean is not in these odds")
        return Fraction(sum(outcome * weight for outcome, weight in self.weights.items()), self.total)

    def variance(self: Odds[int]) -> Fraction:
        """The variance, exactly: the mean square of the distance from the mean."""
        squares = Fraction(sum(outcome * outcome * weight for outcome, weight in self.weights.items()), self.total)
        return squares - self.mean() ** 2

    def median(self: Odds[int]) -> int:
        """The median: the smallest outcome that at least half of all rolls do not exceed."""
        return self.quantile(Fraction(1, 2))

    def mode(self) -> tuple[T, ...]:
        """The likeliest outcomes, most often a single one."""
        most = max(self.weights.values())
        return tuple([outcome for outcome, weight in self if weight == most])

    def items(self) -> list[tuple[T, Fraction]]:
        """Each outcome with its chance, in order, as of a dict."""
        return list(self.chances().items())

    def sample(self, dice: Dice) -> T:
        """One outcome, drawn with dice: `odds(3 @ d6).sample(SystemDice())`."""
        total, weights = self.in_lowest_terms()
        place = dice.face(total) if total > 1 else 1
        for outcome, weight in weights.items():  # noqa: B007 - the last one is the result
            place -= weight
            if place <= 0:
                break
        return outcome

    def quantile(self: Odds[int], share: Fraction | float) -> int:
        """The smallest outcome that at least this share of all rolls do not exceed; 0.5 gives the median."""
        if not 0 <= share <= 1:
            raise ValueError(f"a share lies between 0 and 1, not at {share}")
        found, seen = min(self.weights), 0
        for outcome, weight in self:
            found, seen = outcome, seen + weight
            if seen >= Fraction(share) * self.total:
                break
        if found == self.open_end:
            raise OpenEnded(f"{found} or more is one outcome, and the quantile lies in it")
        return found

    def map(self, meaning: Callable[[T], U]) -> Odds[U]:
        """The odds of `meaning(outcome)`. An open end gets no special treatment: `meaning` has to know it."""
        weights: dict[U, int] = {}
        for outcome, weight in self.weights.items():
            meant = meaning(outcome)
            weights[meant] = weights.get(meant, 0) + weight
        return Odds(weights, self.total)

    def given(self, known: Callable[[T], bool]) -> Odds[T]:
        """The conditional odds: those of the outcomes for which `known` holds."""
        weights = {outcome: weight for outcome, weight in self.weights.items() if known(outcome)}
        if not weights:
            raise ValueError("nothing is left: no outcome agrees with what is given")
        still_open = self.open_end if self.open_end in weights else None
        return Odds(weights, sum(weights.values()), open_end=still_open)

    def joined(self, other: Odds[U], meaning: Callable[[T, U], V]) -> Odds[V]:
        """The odds of `meaning(mine, theirs)` for two independent odds."""
        quickly = joined(self.weights, other.weights, meaning)
        if quickly is not None:
            return Odds(quickly, self.total * other.total)
        weights: dict[V, int] = {}
        for mine, weight in self.weights.items():
            for theirs, other_weight in other.weights.items():
                meant = meaning(mine, theirs)
                weights[meant] = weights.get(meant, 0) + weight * other_weight
        return Odds(weights, self.total * other.total)

    def joined_to_the_end(self: Odds[int], other: Odds[int], meaning: Callable[[int, int], int]) -> Odds[Any]:
        """Join two odds, one or both with an open end. The new open end is the least value that it can lead to."""
        least = [meaning(self.open_end, theirs) for theirs in other.weights] if self.open_end is not None else []
        least += [meaning(mine, other.open_end) for mine in self.weights] if other.open_end is not None else []
        joined = self.joined(other, meaning)
        return joined.open_from(min(least)) if least else joined

    def open_from(self: Odds[int], end: int) -> Odds[int]:
        """The same odds with everything from `end` on merged into one outcome."""
        return Odds(self.map(lambda outcome: min(outcome, end)).weights, self.total, open_end=end)

    def against(self: Odds[int], other: Odds[int]) -> Odds[int]:
        """Which of two is higher: 1 for this one, -1 for the other, 0 for a tie."""
        if self.open_end is not None and other.open_end is not None:
            raise OpenEnded("both have an open end; ask for the difference of the two pools instead")
        for one, two in ((self, other), (other, self)):
            if one.open_end is not None and max(two.weights) >= one.open_end:
                raise OpenEnded(f"{one.open_end} or more is one outcome, and the other reaches {max(two.weights)}")
        return self.joined(other, lambda mine, theirs: (mine > theirs) - (mine < theirs))

    def in_lowest_terms(self) -> tuple[int, dict[T, int]]:
        """The smallest total of which all weights are whole numbers, and these weights."""
        divisor = reduce(gcd, self.weights.values(), self.total)
        weights = {outcome: weight // divisor for outcome, weight in self.weights.items() if weight}
        return self.total // divisor, weights


def backwards(weights: Mapping[T, int]) -> Iterator[tuple[T, int]]:
    """Yield outcomes with their weights lazily, last first."""
    return reversed((weights if isinstance(weights, dict) else dict(weights)).items())


def in_order(outcomes: Iterable[T]) -> list[T]:
    """Sort numbers by size and enums by definition; anything else keeps its order."""
    return sorted(outcomes, key=order_of)


def order_of(outcome: Hashable) -> tuple[int, Any]:
    """Sort key: numbers by size, enums by definition, anything else as it came."""
    if isinstance(outcome, (int, Fraction)):
        return (0, outcome)
    if isinstance(outcome, Enum):
        return (1, list(type(outcome)).index(outcome))
    return (2, 0)


def cumulative(odds: Odds[Any], *, at_least: bool) -> Odds[str]:
    """Cumulative odds: the chance of each number or more, or of each number or less, for drawing."""
    if not all(isinstance(outcome, int) for outcome in odds.weights):
        raise BadStep("only numbers can be at least or at most another")
    sign, steps = ("≥", list(odds)[::-1]) if at_least else ("≤", list(odds))
    added = zip(steps, accumulate([weight for _, weight in steps]), strict=True)
    past_the_end = None if at_least else odds.open_end  # has no upper limit, so no chance of "at most"
    rows = [(f"{sign} {int(it)}", weight) for (it, _), weight in added if it != past_the_end]
    return Odds(dict(rows[::-1] if at_least else rows), odds.total)


def in_words(odds: Odds[Any]) -> Odds[Any]:
    """The same odds with composite outcomes as text, sorted where they have an order."""
    if all(own_parts(outcome) is None for outcome in odds.weights):
        return odds
    ordered = sorted(odds.weights.items(), key=lambda pair: _order(pair[0]))
    return Odds(dict(ordered), odds.total).map(verdict_words)


def _order(verdict: Any) -> tuple[Any, ...]:
    """Sort key by the parts, one after the other: numbers by size, enums by definition."""
    parts = own_parts(verdict)
    if parts is not None:
        return tuple(key for value in parts.values() for key in _order(value))
    kind, place = order_of(verdict)
    return kind, str(verdict) if kind == 2 else place
