"""Nodes of a notation's tree: numbers and pools of dice, added, multiplied, kept in sets and compared with targets.

Each pool is one step of `pools`, so the same value is thrown, weighed and put into words.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from math import inf, isinf
from typing import NamedTuple, TypeAlias

from astragal.chance.chances import Chance, Total
from astragal.chance.dice import Tray
from astragal.chance.odds import Odds
from astragal.chance.pools import Die, Exploding, Hits, Keep, Kept, Rerolled
from astragal.values import frozen

Bound = int | float
"""A whole number, or infinity either way."""


class Span(NamedTuple):
    """The least and the greatest value; both are reached, unless they are infinite."""

    low: Bound
    high: Bound

    def plus(self, other: "Span") -> "Span":
        return Span(self.low + other.low, self.high + other.high)

    def negated(self) -> "Span":
        return Span(-self.high, -self.low)

    def times(self, other: "Span") -> "Span":
        return _spanning([mine * theirs if mine and theirs else 0 for mine in self for theirs in other])

    def over(self, other: "Span") -> "Span":
        """Divided and rounded down; the other must lie wholly above or below zero."""
        return _spanning([_quotient(mine, theirs) for mine in self for theirs in other])

    @property
    def holds_zero(self) -> bool:
        return self.low <= 0 <= self.high

    @property
    def is_open(self) -> bool:
        return isinf(self.low) or isinf(self.high)


def _spanning(corners: list[Bound]) -> Span:
    return Span(min(corners), max(corners))


def _quotient(dividend: Bound, divisor: Bound) -> Bound:
    if isinf(dividend):
        return dividend if divisor > 0 else -dividend
    if isinf(divisor):
        return 0 if not dividend or (dividend > 0) == (divisor > 0) else -1
    return dividend // divisor


FATE = Die([-1, 0, 1])
"""dF: a plus, a minus, or nothing."""


@frozen(slots=True)
class Clamped(Chance[int]):
    """One that counts as `low` where it is lower, and as `high` where it is higher."""

    each: Chance[int]
    low: int | None = None
    high: int | None = None

    def throw(self, tray: Tray) -> int:
        return self.clamp(self.each.throw(tray))

    def throw_several(self, tray: Tray, count: int) -> list[tuple[int, Sequence[int]]]:
        return [(self.clamp(value), places) for value, places in self.each.throw_several(tray, count)]

    def clamp(self, value: int) -> int:
        value = value if self.low is None else max(value, self.low)
        return value if self.high is None else min(value, self.high)

    def odds(self) -> Odds[int]:
        return self.each.odds().map(self.clamp)

    @property
    def made_of(self) -> tuple[Chance[int]]:
        return (self.each,)

    def needs_several(self, count: int) -> tuple[int, ...]:
        return self.each.needs_several(count)


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
    """Not the sum, but how many dice come to `at_least` a number, or `at_most` one; to both, to just that one."""

    at_least: int | None = None
    at_most: int | None = None

    def __str__(self) -> str:
        return "{}{}".format(*self.compared)

    @property
    def compared(self) -> tuple[str, int | None]:
        """The sign of the comparison, and the number behind it."""
        if self.at_least == self.at_most:
            return "=", self.at_least
        return ("<=", self.at_most) if self.at_least is None else (">=", self.at_least)

    def holds(self, value: int) -> bool:
        return (self.at_least is None or value >= self.at_least) and (self.at_most is None or value <= self.at_most)

    @property
    def end(self) -> int:
        """From here on, all values are alike."""
        return (self.at_least or 0) if self.at_most is None else self.at_most + 1

    def span(self, each: Span) -> Span:
        """0 or 1, as far as it is known beforehand."""
        low, high = self.at_least, self.at_most
        sure = (low is None or each.low >= low) and (high is None or each.high <= high)
        possible = (low is None or each.high >= low) and (high is None or each.low <= high)
        return Span(int(sure), int(possible))


@frozen(slots=True)
class Bounds:
    """A die counts as `low` where it shows less, and as `high` where it shows more."""

    low: int | None = None
    high: int | None = None

    def __str__(self) -> str:
        low = "" if self.low is None else f"mi{self.low}"
        return low if self.high is None else f"{low}ma{self.high}"


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
    bounds: Bounds | None = None
    step: Chance[int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "step", self._step())

    def __str__(self) -> str:
        sides = "F" if self.die == FATE else self.die.sides
        return f"{self.count}d{sides}{self.again or ''}{self.bounds or ''}{self.gather or ''}"

    @property
    def endless(self) -> bool:
        """Can a die bring another again and again?"""
        return self.again is not None and not self.again.once

    @property
    def keeps_some(self) -> Keeps | None:
        """The kept dice, if any are dropped."""
        return self.gather if isinstance(self.gather, Keeps) and self.gather.many < self.count else None

    @property
    def each_span(self) -> Span:
        """Range of one die, with all that it brings."""
        sides = self.die.sides
        if self.bounds:
            plain = Pool(1, self.die, self.again).each_span
            return Span(*(Clamped(self.die, self.bounds.low, self.bounds.high).clamp(int(it)) for it in plain))
        if self.die.weighted:
            return Span(min(self.die.odds().weights), max(self.die.odds().weights))
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
            hit = self.gather.span(each)
            return Span(self.count * hit.low, self.count * hit.high)
        many = self.gather.many if self.gather else self.count
        return Span(many * each.low, many * each.high)

    @property
    def mean_draws(self) -> float:
        """Average number of dice thrown, with those that others bring."""
        sides = self.die.sides
        if self.again is None:
            return self.count
        bringing = 1 if isinstance(self.again, Explodes) else self.again.high - self.again.low + 1
        return self.count * (1 + bringing / sides if self.again.once else sides / (sides - bringing))

    def throw(self, tray: Tray) -> int:
        return self.step.throw(tray)

    def _step(self) -> Chance[int]:
        if isinstance(self.gather, Counts):
            return Hits(self.count, self._each(self.gather.end), self.gather.at_least, self.gather.at_most)
        if kept := self.keeps_some:
            return Kept(self.count, self._each(), kept.many, kept.which)
        if isinstance(self.again, Explodes):
            return Exploding(self.count, self.die, self.again.once)
        return self._each() if self.count == 1 else Total(self.count, self._each())

    def _each(self, ceiling: int | None = None) -> Chance[int]:
        """One die as a step. A count of hits tells nothing apart from its threshold on: there is the ceiling."""
        if self.bounds:
            return Clamped(Pool(1, self.die, self.again).step, self.bounds.low, self.bounds.high)
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


@frozen(slots=True)
class Best:
    """The sum of the highest or lowest `many` of several values; what is not kept is dropped with its dice."""

    parts: tuple["Node", ...]
    which: Keep
    many: int

    @property
    def span(self) -> Span:
        lows, highs = ([part.span[end] for part in self.parts] for end in (0, 1))
        return Span(sum(self.best(lows)), sum(self.best(highs)))

    def best(self, values: Iterable[Bound]) -> list[Bound]:
        return sorted(values, reverse=self.which is Keep.HIGHEST)[: self.many]

    def throw(self, tray: Tray) -> int:
        thrown: list[tuple[int, range]] = []
        for part in self.parts:
            start = len(tray.rolled)
            value = part.throw(tray)
            thrown.append((value, range(start, len(tray.rolled))))
        thrown.sort(key=lambda one: one[0], reverse=self.which is Keep.HIGHEST)
        for _, places in thrown[self.many :]:
            tray.drop(places)
        return sum(value for value, _ in thrown[: self.many])


@frozen(slots=True)
class Target:
    """1 where a value reaches what is asked for, else 0."""

    inner: "Node"
    wanted: Counts

    @property
    def span(self) -> Span:
        return self.wanted.span(self.inner.span)

    def throw(self, tray: Tray) -> int:
        return int(self.wanted.holds(self.inner.throw(tray)))


@frozen(slots=True)
class Labelled:
    """A part with a word for people: `2d6 [fire]`."""

    inner: "Node"
    label: str

    @property
    def span(self) -> Span:
        return self.inner.span

    def throw(self, tray: Tray) -> int:
        return self.inner.throw(tray)


Node: TypeAlias = Number | Pool | Sum | Product | Best | Target | Labelled


def parts_of(node: Node) -> list[Node]:
    """The nodes that it is made of, in the order in which they are thrown."""
    match node:
        case Sum(parts):
            return [part for _, part in parts]
        case Product(first, others):
            return [first, *(other for _, other in others)]
        case Best(parts):
            return list(parts)
        case Target(inner) | Labelled(inner):
            return [inner]
    return []


def pools(node: Node) -> list[Pool]:
    """The pools in the order in which they are thrown."""
    return [node] if isinstance(node, Pool) else [pool for part in parts_of(node) for pool in pools(part)]


def with_pools(node: Node, change: Callable[[Pool], Node]) -> Node:
    """The same expression with other dice."""
    match node:
        case Number():
            return node
        case Pool():
            return change(node)
        case Sum(parts):
            return Sum(tuple((sign, with_pools(part, change)) for sign, part in parts))
        case Product(first, others):
            changed = tuple((sign, with_pools(other, change)) for sign, other in others)
            return Product(with_pools(first, change), changed)
        case Best(inner, which, many):
            return Best(tuple(with_pools(part, change) for part in inner), which, many)
        case Target(inside, wanted):
            return Target(with_pools(inside, change), wanted)
        case Labelled(inside, label):
            return Labelled(with_pools(inside, change), label)


def thrower(node: Node) -> Callable[[Tray], int]:
    """Function that throws a node: a pool as its step, with no call between."""
    return node.step.throw if isinstance(node, Pool) else node.throw


def spell(node: Node, pool_words: Callable[[Pool], str] = str, *, bracketed: bool = False) -> str:
    """The expression as notation; pools can be said in another way."""
    match node:
        case Number(value):
            return str(value)
        case Pool():
            return pool_words(node)
        case Sum(parts):
            (first_sign, first), *rest = parts
            text = ("-" if first_sign < 0 else "") + spell(
                first, pool_words, bracketed=needs_brackets(first, first_sign)
            )
            for sign, part in rest:
                text += (" + " if sign > 0 else " - ") + spell(
                    part, pool_words, bracketed=isinstance(part, Sum | Target)
                )
            return f"({text})" if bracketed else text
        case Product(first, others):
            text = spell(first, pool_words, bracketed=True)
            text += "".join(f" {sign} {spell(other, pool_words, bracketed=True)}" for sign, other in others)
            return f"({text})" if bracketed else text
        case Best(inner, which, many):
            return f"{{{', '.join(spell(part, pool_words) for part in inner)}}}k{which.value[0]}{many}"
        case Target(inside, wanted):
            of, (compares, number) = spell(inside, pool_words), wanted.compared
            # Behind dice alone, a comparison would count them; behind another one, it would be a second.
            alone = isinstance(inside, Target) or (isinstance(inside, Pool) and inside.gather is None)
            text = f"({of}) {compares} {number}" if alone else f"{of} {compares} {number}"
            return f"({text})" if bracketed else text
        case Labelled(inside, label):
            return f"{spell(inside, pool_words, bracketed=True)} [{label}]"


def needs_brackets(first: Node, sign: int) -> bool:
    """A minus in front stands before all of a product: what is rounded down is -(7 / 2), not -7."""
    return isinstance(first, Sum | Target) or (sign < 0 and isinstance(first, Product))
