"""Steps answered by dice, combined with operators: `2 @ d6 + 3 >= 10`.

Each mention of a die is a separate throw: `d6 + d6` is two dice. `2 * d6` doubles one die, as it does in the notation
and in other libraries; `2 @ d6` throws two.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, NoReturn, TypeVar, cast

from msgspec import Struct

from .algebra import Algebra, check_operand, makers
from .counting import sums
from .dice import Tray
from .errors import BadStep, NotAStep, OpenEnded
from .odds import Odds
from .steps import Question, Step

T = TypeVar("T")
U = TypeVar("U")


class Chance(Algebra["Chance[int]", "Chance[bool]"], Step[T]):
    """A step answered by dice: it plays out as single dice, and its exact odds can be calculated at once."""

    __slots__ = ()

    def throw(self, tray: Tray) -> T:
        """Draw the dice from the tray, one by one, and return their result."""
        raise NotImplementedError

    def throw_several(self, tray: Tray, count: int) -> list[tuple[T, Sequence[int]]]:
        """Throw it `count` times; return each result with the places of its dice in the tray.

        Dice that bring others are thrown together first, then, round by round, the dice that they bring.
        """
        thrown: list[tuple[T, Sequence[int]]] = []
        for _ in range(count):
            start = len(tray.rolled)
            value = self.throw(tray)
            thrown.append((value, range(start, len(tray.rolled))))
        return thrown

    def odds(self) -> Odds[T]:
        """The exact odds, without throwing anything."""
        raise NotImplementedError

    def odds_to(self, end: int) -> Odds[T]:  # noqa: ARG002 - used by endless steps only
        """The exact odds, in which everything from `end` on may be one outcome."""
        return self.odds()

    @property
    def endless(self) -> bool:
        """True if it has no greatest value, so that its odds need an end."""
        return False

    def far_out(self) -> int:
        """A value that it hardly ever exceeds: where odds of an endless step end, if nobody says where."""
        weights: Mapping[Any, int] = self.odds().weights
        return int(max(weights))

    @property
    def made_of(self) -> Sequence[Chance[Any]]:
        """The steps that it consists of, in the order in which they are thrown."""
        return ()

    def needs(self) -> tuple[int, ...]:
        """The sides of the dice that are thrown first, whatever they show, in order."""
        sides: list[int] = []
        for step in self.made_of:
            sides += step.needs()
            if step.may_throw_more:  # what comes next depends on the dice
                break
        return tuple(sides)

    def needs_several(self, count: int) -> tuple[int, ...]:
        """The same as `needs`, for `count` throws."""
        return self.needs() * (min(count, 1) if self.may_throw_more else count)

    @property
    def may_throw_more(self) -> bool:
        """True if it may throw further dice, depending on what the needed ones show."""
        return any(step.may_throw_more for step in self.made_of)

    def map(self, meaning: Callable[[T], U]) -> Chance[U]:
        """Map the value with a pure function.

        >>> from astragal import d6, odds
        >>> odds(d6.map(lambda face: "hit" if face > 4 else "miss")).chance("hit")
        Fraction(1, 3)
        """
        return Mapped(self, meaning)

    def __bool__(self) -> NoReturn:
        raise NotAStep(
            f"{self!r} has no value before it is thrown: write (yield from …). The higher and the lower of two are "
            "highest(one, other) and lowest(one, other), not max and min; of two conditions, both is &, either is |"
        )


OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "and": lambda left, right: bool(left and right),
    "or": lambda left, right: bool(left or right),
}
COMPARISONS = frozenset({"<", "<=", ">", ">="})


class Computed(Chance[T], Struct, frozen=True):
    """The result of an operator on two values; each is a step or a plain number."""

    sign: str
    left: Any
    right: Any

    def __repr__(self) -> str:
        return f"({self.left!r} {self.sign} {self.right!r})"

    def throw(self, tray: Tray) -> T:
        left, right = (part.throw(tray) if isinstance(part, Chance) else part for part in (self.left, self.right))
        found: T = OPERATIONS[self.sign](left, right)
        return found

    @property
    def endless(self) -> bool:
        return self.sign not in COMPARISONS and (is_endless(self.left) or is_endless(self.right))

    def odds(self) -> Odds[T]:
        if self.sign in COMPARISONS:
            return self._odds_of_comparison()
        return self._joined(_odds(self.left), _odds(self.right))

    def odds_to(self, end: int) -> Odds[T]:
        """The exact odds; an endless operand is followed as far as the operator needs it."""
        if self.sign in ("+", "*") and is_endless(self.right) and not is_endless(self.left):
            return Computed[T](self.sign, self.right, self.left).odds_to(end)
        if self.sign in COMPARISONS or not isinstance(self.left, Chance):
            return self.odds()
        right = _odds(self.right)
        low, high = min(right.weights), max(right.weights)
        reach = {"+": end - low, "-": end + high, "*": -(-end // low) if low > 0 else end, "//": end * high}
        return self._joined(self.left.odds_to(reach.get(self.sign, end)), right)

    def far_out(self) -> int:
        left, right = [part.far_out() if isinstance(part, Chance) else part for part in (self.left, self.right)]
        if self.sign in ("-", "//"):  # by the least of the other
            least = min(_odds(self.right).weights)
            return int(left - least if self.sign == "-" else left // max(1, least) + 1)
        return int(OPERATIONS[self.sign](left, right))

    @property
    def made_of(self) -> list[Chance[Any]]:
        return [part for part in (self.left, self.right) if isinstance(part, Chance)]

    def _odds_of_comparison(self) -> Odds[T]:
        """Compare two values, of which one may be endless: it is followed past everything that the other can be."""
        sign, one, two = self.sign, self.left, self.right
        if is_endless(two):
            sign, one, two = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}[sign], two, one
        other = _odds(two)
        end = max(other.weights) + (sign in ("<=", ">"))
        mine = one.odds_to(end) if isinstance(one, Chance) else Odds.certain(one)
        if other.open_end is not None or (mine.open_end is not None and mine.open_end < end):
            raise OpenEnded(f"{self!r} compares what lies past an open end")
        return mine.joined(other, OPERATIONS[sign])

    def _joined(self, left: Odds[Any], right: Odds[Any]) -> Odds[T]:
        if left.open_end is None and right.open_end is None:
            return left.joined(right, OPERATIONS[self.sign])
        stays_above = self.sign == "+" or (right.open_end is None and self.sign == "-")
        scales = (self.sign == "*" or (right.open_end is None and self.sign == "//")) and (
            min(left.weights) > 0 < min(right.weights)
        )
        if not (stays_above or scales):
            raise OpenEnded(f"{self!r}: an open end would not stay a single upper end")
        return left.joined_to_the_end(right, OPERATIONS[self.sign])


class Mapped(Chance[T], Struct, frozen=True):
    """A step whose value is mapped by a function."""

    step: Chance[Any]
    meaning: Callable[[Any], T]

    def throw(self, tray: Tray) -> T:
        return self.meaning(self.step.throw(tray))

    def throw_several(self, tray: Tray, count: int) -> list[tuple[T, Sequence[int]]]:
        return [(self.meaning(value), places) for value, places in self.step.throw_several(tray, count)]

    def needs_several(self, count: int) -> tuple[int, ...]:
        return self.step.needs_several(count)

    def odds(self) -> Odds[T]:
        return self.step.odds().map(self.meaning)

    @property
    def made_of(self) -> tuple[Chance[Any]]:
        return (self.step,)


class Repeated(Chance[int]):
    """A step thrown `count` times."""

    __slots__ = ()
    count: int
    each: Chance[Any]

    def __post_init__(self) -> None:
        check_pool(self.count, self.each)

    @property
    def made_of(self) -> tuple[Chance[Any]]:
        return (self.each,)

    def needs(self) -> tuple[int, ...]:
        return self.each.needs_several(self.count)


class Total(Repeated, Struct, frozen=True):
    """The sum of `count` equal steps."""

    count: int
    each: Chance[Any]

    def throw(self, tray: Tray) -> int:
        return sum(value for value, _ in self.each.throw_several(tray, self.count))

    def odds(self) -> Odds[int]:
        each = self.each.odds()
        return Odds(sums(each.weights, self.count), each.total**self.count)


class ChainedChance(Chance[T]):
    """A step whose dice can bring others. Thrown several times, its own dice come first, then those that they bring."""

    __slots__ = ()

    def throw(self, tray: Tray) -> T:
        return self.throw_several(tray, 1)[0][0]

    def needs_several(self, count: int) -> tuple[int, ...]:
        return self.needs() * count

    @property
    def may_throw_more(self) -> bool:
        return True


def check_pool(count: int, each: object) -> None:
    """Refuse a bad number of dice, or something that is not dice, with a sentence."""
    as_chance(each)
    if not isinstance(count, int):
        raise BadStep(f"a pool has a whole number of dice, not {count!r}")
    if count < 0:
        raise BadStep(f"a pool has 0 dice or more, not {count}")


def check_hashable(value: Hashable, what: str) -> None:
    """Refuse an unhashable value, such as a list, a dict or a set, and say what to use instead."""
    try:
        hash(value)
    except TypeError as fault:
        raise BadStep(f"{what} must be hashable, a tuple in place of a list: {value!r} is not ({fault})") from None


def computed(sign: str, left: object, right: object) -> Chance[Any]:
    """Combine two operands into one step: dice, questions, or whole numbers.

    Odds combine themselves with others, into odds.
    """
    if isinstance(left, Odds) or isinstance(right, Odds):
        return cast("Chance[Any]", NotImplemented)
    check_operand(sign, left)
    check_operand(sign, right)
    if sign == "@":
        return Total(cast("int", left), as_chance(right))
    return Computed(sign, _operand(left), _operand(right))


def _operand(value: Any) -> Any:
    return makers.asked(value) if isinstance(value, Question) else value


def as_chance(value: object) -> Chance[Any]:
    """Return a value as a step that dice answer: it already is one, or it is a question in which nobody decides.

    Odds are a die of their own, with as many sides as they have ways.
    """
    if isinstance(value, Chance):
        return value
    if isinstance(value, Question):
        asked: Chance[Any] = makers.asked(value)
        return asked
    if isinstance(value, Odds):
        die: Chance[Any] = makers.die(value.in_lowest_terms()[1])
        return die
    raise BadStep(f"a pool is made of dice, such as d6 or Die(7), not of {value!r}")


def combined_odds(sign: str, left: object, right: object) -> Odds[Any]:
    """Calculate with two operands of which one at least is odds: the result is odds."""
    if sign == "@":
        return Total(cast("int", left), as_chance(right)).odds()
    operands: list[Odds[Any]] = []
    for operand in (left, right):
        check_operand(sign, operand)
        if isinstance(operand, Odds):
            operands.append(operand)
        elif isinstance(operand, Algebra):
            operands.append(as_chance(operand).odds())
        else:
            operands.append(Odds.certain(operand))
    if any(operand.open_end is not None for operand in operands):
        if sign != "+":
            raise OpenEnded("of odds with an open end, only sums are known; calculate with the dice themselves")
        return operands[0].joined_to_the_end(operands[1], OPERATIONS[sign])
    return operands[0].joined(operands[1], OPERATIONS[sign])


makers.combined = computed
makers.combined_odds = combined_odds


def _odds(part: Any) -> Odds[Any]:
    return part.odds() if isinstance(part, Chance) else Odds.certain(part)


def is_endless(part: Any) -> bool:
    """Return whether it is a step without a greatest value."""
    return isinstance(part, Chance) and part.endless
