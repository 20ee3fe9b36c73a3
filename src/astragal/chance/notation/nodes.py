"""Nodes of a notation's tree: numbers and pools of dice, added, multiplied, kept in sets and compared with targets.

Each pool is one step of `pools`, so the same value is rolled, weighed and explained.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from math import inf, isinf
from typing import Any, ClassVar, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from astragal.chance.chances import Chance, Mapped, Total
from astragal.chance.dice import Tray
from astragal.chance.pools import Die, Exploding, Hits, Keep, Kept, Rerolled, keep_best

Bound = int | float
"""A whole number, or infinity of either sign."""


class Span(NamedTuple):
    """Range from the least to the greatest value; both are reached, unless they are infinite."""

    low: Bound
    high: Bound

    def plus(self, other: "Span") -> "Span":
        return Span(self.low + other.low, self.high + other.high)

    def negated(self) -> "Span":
        return Span(-self.high, -self.low)

    def times(self, other: "Span") -> "Span":
        return _spanning([mine * theirs if mine and theirs else 0 for mine in self for theirs in other])

    def over(self, other: "Span") -> "Span":
        """Divided and rounded down. The divisor's range must lie wholly above or below zero."""
        return _spanning([_quotient(mine, theirs) for mine in self for theirs in other])

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
"""dF: a plus, a minus, or a blank."""


class Again(Struct, frozen=True):
    """Faces on which a die is thrown again, `once` or until another shows: added if it explodes, else in its place."""

    faces: range
    once: bool
    added: bool
    spelled: str


class Keeps(Struct, frozen=True, eq=False):
    """Keep only the highest or lowest `many`, whether the text says what is kept or what is dropped."""

    which: Keep
    many: int
    dropped: int | None = None
    """The number that the text says is dropped. It makes no difference to what is kept, nor to what is equal."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Keeps):
            return NotImplemented
        return self.which is other.which and self.many == other.many

    __ne__ = object.__ne__  # a Struct has one of its own, which asks no __eq__

    def __hash__(self) -> int:
        return hash((self.which, self.many))

    def __str__(self) -> str:
        if self.dropped is None:
            return f"k{self.which.value[0]}{self.many}"
        return f"d{'l' if self.which is Keep.HIGHEST else 'h'}{self.dropped}"


class Counts(Struct, frozen=True):
    """Count the dice that are at least `at_least`, at most `at_most`, or, if both are equal, exactly that number."""

    at_least: int | None = None
    at_most: int | None = None

    def __str__(self) -> str:
        return "{}{}".format(*self.compared)

    @property
    def compared(self) -> tuple[str, int | None]:
        """The sign of the comparison, and its number."""
        if self.at_least == self.at_most:
            return "=", self.at_least
        return ("<=", self.at_most) if self.at_least is None else (">=", self.at_least)

    def holds(self, value: int) -> bool:
        return (self.at_least is None or value >= self.at_least) and (self.at_most is None or value <= self.at_most)

    @property
    def end(self) -> int:
        """All values from here on count alike."""
        return (self.at_least or 0) if self.at_most is None else self.at_most + 1

    def span(self, each: Span) -> Span:
        """Range of the result for one value, 0 or 1, as far as it is known beforehand."""
        low, high = self.at_least, self.at_most
        sure = (low is None or each.low >= low) and (high is None or each.high <= high)
        possible = (low is None or each.high >= low) and (high is None or each.low <= high)
        return Span(int(sure), int(possible))


class Bounds(Struct, frozen=True):
    """Clamp a die: it counts as `low` if it shows less, and as `high` if it shows more."""

    low: int | None = None
    high: int | None = None

    def __str__(self) -> str:
        low = "" if self.low is None else f"mi{self.low}"
        return low if self.high is None else f"{low}ma{self.high}"

    def clamp(self, value: int) -> int:
        value = value if self.low is None else max(value, self.low)
        return value if self.high is None else min(value, self.high)


class Number(Struct, frozen=True):
    value: int
    parts: ClassVar[tuple["Node", ...]] = ()

    @property
    def span(self) -> Span:
        return Span(self.value, self.value)

    def throw(self, tray: Tray) -> int:  # noqa: ARG002  same signature as the other nodes
        return self.value


class Pool(Struct, frozen=True, dict=True):
    """Equal dice, what happens to each of them, and how they are combined."""

    parts: ClassVar[tuple["Node", ...]] = ()
    count: int
    die: Die
    again: Again | None = None
    gather: Keeps | Counts | None = None
    bounds: Bounds | None = None

    def __post_init__(self) -> None:
        _ = self.step  # one that there can't be is refused here

    @cached_property
    def step(self) -> Chance[int]:
        if isinstance(self.gather, Counts):
            return Hits(self.count, self._each(self.gather.end), self.gather.at_least, self.gather.at_most)
        if kept := self.keeps_some:
            return Kept(self.count, self._each(), kept.many, kept.which)
        if self.again and self.again.added:
            return Exploding(self.count, self.die, self.again.once)
        return self._each() if self.count == 1 else Total(self.count, self._each())

    def __str__(self) -> str:
        sides = "F" if self.die == FATE else self.die.sides
        return f"{self.count}d{sides}{self.again.spelled if self.again else ''}{self.bounds or ''}{self.gather or ''}"

    @property
    def endless(self) -> bool:
        """True if a die can bring another again and again."""
        return self.again is not None and not self.again.once

    @property
    def explodes_on(self) -> bool:
        """True if a die explodes again and again."""
        return self.again is not None and self.again.added and not self.again.once

    @property
    def keeps_some(self) -> Keeps | None:
        """The dice to keep, if any are dropped."""
        return self.gather if isinstance(self.gather, Keeps) and self.gather.many < self.count else None

    @property
    def each_span(self) -> Span:
        """Range of one die, including the dice that it brings."""
        sides = self.die.sides
        if self.bounds:
            return Span(*(self.bounds.clamp(int(it)) for it in Pool(1, self.die, self.again).each_span))
        if self.die.weighted:
            return Span(min(self.die.odds().weights), max(self.die.odds().weights))
        if self.again is None or (self.again.once and not self.again.added):
            return Span(1, sides)
        if self.again.added:
            return Span(1, 2 * sides if self.again.once else inf)
        unwanted = self.again.faces
        return Span(unwanted.stop if 1 in unwanted else 1, unwanted.start - 1 if sides in unwanted else sides)

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
        """Average number of dice thrown, including those that others bring."""
        sides = self.die.sides
        if self.again is None:
            return self.count
        bringing = len(self.again.faces)
        return self.count * (1 + bringing / sides if self.again.once else sides / (sides - bringing))

    def throw(self, tray: Tray) -> int:
        return self.step.throw(tray)

    def _each(self, ceiling: int | None = None) -> Chance[int]:
        """One die as a step. A count of hits tells no values apart from its threshold on: the ceiling is there."""
        if self.bounds:
            return Mapped(Pool(1, self.die, self.again).step, self.bounds.clamp)
        if self.again is None:
            return self.die
        once = self.again.once
        if self.again.added:
            return Exploding(1, self.die, once, None if once else ceiling)
        return Rerolled(self.die, tuple(self.again.faces), once)


class Sum(Struct, frozen=True, dict=True):
    """Terms, each with its sign, 1 or -1."""

    parts: tuple["Node", ...]
    signs: tuple[int, ...]

    @cached_property
    def constant(self) -> int:
        return sum(sign * part.value for sign, part in self.terms if isinstance(part, Number))

    @cached_property
    def thrown(self) -> tuple[tuple[int, Callable[[Tray], int]], ...]:
        return tuple((sign, thrower(part)) for sign, part in self.terms if not isinstance(part, Number))

    @property
    def terms(self) -> Iterator[tuple[int, "Node"]]:
        return zip(self.signs, self.parts, strict=True)

    @property
    def span(self) -> Span:
        span = Span(0, 0)
        for sign, part in self.terms:
            span = span.plus(part.span if sign > 0 else part.span.negated())
        return span

    def throw(self, tray: Tray) -> int:
        total = self.constant
        for sign, throw in self.thrown:
            total += sign * throw(tray)
        return total


class Product(Struct, frozen=True):
    """Factors from left to right, each with its sign: `*`, or `/` if it divides. Division rounds down."""

    parts: tuple["Node", ...]
    signs: str

    @property
    def factors(self) -> Iterator[tuple[str, "Node"]]:
        return zip(self.signs, self.parts, strict=True)

    @property
    def span(self) -> Span:
        span = Span(1, 1)
        for sign, part in self.factors:
            span = span.times(part.span) if sign == "*" else span.over(part.span)
        return span

    def throw(self, tray: Tray) -> int:
        value = 1
        for sign, part in self.factors:
            operand = part.throw(tray)
            value = value * operand if sign == "*" else value // operand
        return value


class Best(Struct, frozen=True):
    """The sum of the highest or lowest `many` of several values; the other values and their dice are dropped."""

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
        return keep_best(tray, thrown, self.many, self.which)


class Target(Struct, frozen=True):
    """1 if a value reaches the target, else 0."""

    parts: tuple["Node"]
    wanted: Counts

    @property
    def span(self) -> Span:
        return self.wanted.span(self.parts[0].span)

    def throw(self, tray: Tray) -> int:
        return int(self.wanted.holds(self.parts[0].throw(tray)))


class Labelled(Struct, frozen=True):
    """A part with a label for people: `2d6 [fire]`."""

    parts: tuple["Node"]
    label: str

    @property
    def span(self) -> Span:
        return self.parts[0].span

    def throw(self, tray: Tray) -> int:
        return self.parts[0].throw(tray)


Node: TypeAlias = Number | Pool | Sum | Product | Best | Target | Labelled


def pools(node: Node) -> list[Pool]:
    """The pools, in the order in which they are thrown."""
    return [node] if isinstance(node, Pool) else [pool for part in node.parts for pool in pools(part)]


def with_pools(node: Node, change: Callable[[Pool], Node]) -> Node:
    """The same expression with its pools replaced."""
    if isinstance(node, Pool):
        return change(node)
    changed: Any = tuple(with_pools(part, change) for part in node.parts)
    return node if isinstance(node, Number) else replace(node, parts=changed)


def thrower(node: Node) -> Callable[[Tray], int]:
    """Function that throws a node; for a pool, that of its step, to save a call."""
    return node.step.throw if isinstance(node, Pool) else node.throw


# ---------------------------------------------------------------- writing


class Style(NamedTuple):
    """A way to write an expression: how to write each kind of node, given its parts as text."""

    pool: Callable[[Pool], str]
    terms: Mapping[int, str]
    minus: str
    factors: Mapping[str, str]
    best: Callable[[Best, list[str]], str]
    target: Callable[[Target, str], str]


def written(node: Node, style: Style, *, bracketed: bool = False) -> str:
    """Write the expression as text, in brackets where it would be read differently without them."""
    text = ""
    match node:
        case Number(value):
            return str(value)
        case Pool():
            return style.pool(node)
        case Best(parts):
            return style.best(node, [written(part, style) for part in parts])
        case Labelled(parts, label):
            return f"{written(parts[0], style, bracketed=True)} [{label}]"
        case Sum(parts, signs):
            text = style.minus if signs[0] < 0 else ""
            for place, (sign, part) in enumerate(node.terms):
                # A leading minus applies to the whole product: 7 / 2 is rounded down, then negated.
                is_inner = isinstance(part, Sum | Target) or (not place and sign < 0 and isinstance(part, Product))
                text += (style.terms[sign] if place else "") + written(part, style, bracketed=is_inner)
        case Product():
            each = [(sign, written(part, style, bracketed=True)) for sign, part in node.factors]
            text = each[0][1] + "".join(style.factors[sign].format(part) for sign, part in each[1:])
        case Target(parts):
            text = style.target(node, written(parts[0], style))
    return f"({text})" if bracketed else text


def spell(node: Node, pool_words: Callable[[Pool], str] = str) -> str:
    """The expression as notation; `pool_words` can write pools in another way."""
    return written(node, NOTATION._replace(pool=pool_words))


def _spelled_target(node: Target, of: str) -> str:
    """Bracket where needed: right after dice a comparison would count them; after a target it would be a second one."""
    (inner,), (compares, number) = node.parts, node.wanted.compared
    is_alone = isinstance(inner, Target) or (isinstance(inner, Pool) and inner.gather is None)
    return f"({of}) {compares} {number}" if is_alone else f"{of} {compares} {number}"


NOTATION = Style(
    pool=str,
    terms={1: " + ", -1: " - "},
    minus="-",
    factors={"*": " * {}", "/": " / {}"},
    best=lambda node, parts: f"{{{', '.join(parts)}}}k{node.which.value[0]}{node.many}",
    target=_spelled_target,
)
