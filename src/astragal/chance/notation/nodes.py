"""Nodes of a notation's tree: numbers and pools of dice, added, subtracted, multiplied and divided.

Each pool is one step of `pools`, so the same value is thrown, weighed and put into words.
"""

from collections.abc import Callable
from dataclasses import field
from math import inf
from typing import TypeAlias

from astragal.chance.chances import Chance, Total
from astragal.chance.dice import Tray
from astragal.chance.notation.spans import Span
from astragal.chance.pools import Die, Exploding, Hits, Keep, Kept, Rerolled
from astragal.values import frozen


@frozen(slots=True)
class Explodes:
    """A die on its highest face is thrown again and added: once, or again and again."""

    once: bool

    def __str__(self) -> str:
        return "!o" if self.once else "!"


@frozen(slots=True)
class Rerolls:
    """The faces from `low` to `high` are thrown again: once, or until another face shows."""

    low: int
    high: int
    once: bool
    spelled: str

    def __str__(self) -> str:
        return f"{'ro' if self.once else 'r'}{self.spelled}"


@frozen(slots=True)
class Keeps:
    """Only the highest or lowest `many` count, whether the text says what is kept or what is dropped."""

    which: Keep
    many: int
    dropped: int | None = field(default=None, compare=False)

    def __str__(self) -> str:
        if self.dropped is None:
            return f"k{self.which.value[0]}{self.many}"
        return f"d{'l' if self.which is Keep.HIGHEST else 'h'}{self.dropped}"


@frozen(slots=True)
class Counts:
    """Not the sum, but how many dice come to `at_least` a number."""

    at_least: int

    def __str__(self) -> str:
        return f">={self.at_least}"


@frozen(slots=True)
class Number:
    value: int

    @property
    def span(self) -> Span:
        return Span(self.value, self.value)

    def throw(self, tray: Tray) -> int:  # noqa: ARG002  a number is thrown like everything else
        return self.value


@frozen(slots=True)
class Pool:
    """Equal dice, what happens to each, and what is made of them all."""

    count: int
    die: Die
    again: Explodes | Rerolls | None = None
    gather: Keeps | Counts | None = None
    step: Chance[int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "step", self._step())

    def __str__(self) -> str:
        return f"{self.count}d{self.die.sides}{self.again or ''}{self.gather or ''}"

    @property
    def endless(self) -> bool:
        """Can a die bring another again and again?"""
        return self.again is not None and not self.again.once

    @property
    def keeps_some(self) -> Keeps | None:
        """What is kept, if anything is dropped at all."""
        return self.gather if isinstance(self.gather, Keeps) and self.gather.many < self.count else None

    @property
    def each_span(self) -> Span:
        """What one die can come to, with all that it brings."""
        sides = self.die.sides
        if isinstance(self.again, Explodes):
            return Span(1, 2 * sides if self.again.once else inf)
        if isinstance(self.again, Rerolls) and not self.again.once:
            return Span(
                self.again.high + 1 if self.again.low == 1 else 1,
                self.again.low - 1 if self.again.high == sides else sides,
            )
        return Span(1, sides)

    @property
    def span(self) -> Span:
        each = self.each_span
        if isinstance(self.gather, Counts):
            sure, possible = (bound >= self.gather.at_least for bound in each)
            return Span(self.count if sure else 0, self.count if possible else 0)
        many = self.gather.many if self.gather else self.count
        return Span(many * each.low, many * each.high)

    @property
    def mean_draws(self) -> float:
        """How many dice are thrown on average, with those that others bring."""
        sides = self.die.sides
        if self.again is None:
            return self.count
        bringing = 1 if isinstance(self.again, Explodes) else self.again.high - self.again.low + 1
        return self.count * (1 + bringing / sides if self.again.once else sides / (sides - bringing))

    def throw(self, tray: Tray) -> int:
        return self.step.throw(tray)

    def _step(self) -> Chance[int]:
        if isinstance(self.gather, Counts):
            return Hits(self.count, self._each(ceiling=self.gather.at_least), self.gather.at_least)
        if kept := self.keeps_some:
            return Kept(self.count, self._each(), kept.many, kept.which)
        if isinstance(self.again, Explodes):
            return Exploding(self.count, self.die, self.again.once)
        return self._each() if self.count == 1 else Total(self.count, self._each())

    def _each(self, ceiling: int | None = None) -> Chance[int]:
        """One die as a step. A count of hits tells nothing apart from its threshold on: there is the ceiling."""
        match self.again:
            case None:
                return self.die
            case Explodes(once):
                return Exploding(1, self.die, once, None if once else ceiling)
            case Rerolls(low, high, once):
                return Rerolled(self.die, tuple(range(low, high + 1)), once)


@frozen(slots=True)
class Sum:
    """Terms with their signs, 1 or -1."""

    parts: tuple[tuple[int, "Node"], ...]
    constant: int = field(init=False, repr=False, compare=False)
    thrown: tuple[tuple[int, Callable[[Tray], int]], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        constant = sum(sign * part.value for sign, part in self.parts if isinstance(part, Number))
        thrown = tuple((sign, thrower(part)) for sign, part in self.parts if not isinstance(part, Number))
        object.__setattr__(self, "constant", constant)
        object.__setattr__(self, "thrown", thrown)

    @property
    def span(self) -> Span:
        span = Span(0, 0)
        for sign, part in self.parts:
            span = span.plus(part.span if sign > 0 else part.span.negated())
        return span

    def throw(self, tray: Tray) -> int:
        total = self.constant
        for sign, throw in self.thrown:
            total += sign * throw(tray)
        return total


@frozen(slots=True)
class Product:
    """A first factor, then others that multiply or divide, from left to right. Division rounds down."""

    first: "Node"
    others: tuple[tuple[str, "Node"], ...]

    @property
    def span(self) -> Span:
        span = self.first.span
        for sign, other in self.others:
            span = span.times(other.span) if sign == "*" else span.over(other.span)
        return span

    def throw(self, tray: Tray) -> int:
        value = self.first.throw(tray)
        for sign, other in self.others:
            operand = other.throw(tray)
            value = value * operand if sign == "*" else value // operand
        return value


Node: TypeAlias = Number | Pool | Sum | Product


def pools(node: Node) -> list[Pool]:
    """The pools in the order in which they are thrown."""
    match node:
        case Number():
            return []
        case Pool():
            return [node]
        case Sum(parts):
            return [pool for _, part in parts for pool in pools(part)]
        case Product(first, others):
            return pools(first) + [pool for _, other in others for pool in pools(other)]


def thrower(node: Node) -> Callable[[Tray], int]:
    """How a node is thrown: a pool as its step, with no call between."""
    return node.step.throw if isinstance(node, Pool) else node.throw
