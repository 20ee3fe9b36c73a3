"""Reading a question for what comes after it: how best to spread a purse over many tests of one kind.

The question is walked once for each content that its purse can have, with all its decisions. What is left of it is
a small table: verdicts by what they are worth and what they leave. All tests to come are calculated from that table,
backwards, in whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, Generic, NamedTuple, TypeVar

from .advice import Aim, Others, Sides
from .errors import BadStep
from .paths import Path, Tree, Verdict
from .steps import Offer, Question, Together
from .weigh import MOST_PATHS, Policy, decline

T = TypeVar("T")


class Scoring(NamedTuple):
    """Worth of a verdict, and its price."""

    aim: Aim
    price: Callable[[Any], int]


class Mean(NamedTuple):
    """Chance: each of these so many times."""

    shares: tuple[tuple[int, Node], ...]

    def worth(self, ends: list[int]) -> int:
        return sum([share * _worth(it, ends) for share, it in self.shares])


class Best(NamedTuple):
    """A decision: the largest of these, or the smallest for whoever opposes; each is to be taken so many times."""

    pick: Callable[[list[int]], int]
    options: tuple[tuple[int, Node], ...]

    def worth(self, ends: list[int]) -> int:
        return self.pick([share * _worth(it, ends) for share, it in self.options])


Node = int | Mean | Best
"""What follows from somewhere on; a number is that of an end."""
Over = tuple[int, Node]
"""What follows, and out of how many it is calculated."""


class Ahead(Generic[T]):
    """The best that can be done over all tests to come, in expectation."""

    def __init__(self, times: int, purse: int, plans: _Plans[T]) -> None:
        self.times, self.purse, self._plans = times, purse, plans
        self._worths: list[dict[int, int]] = [dict.fromkeys(plans.contents, 0)]

    @property
    def value(self) -> Fraction:
        """Value of all tests together, with the whole purse."""
        return self.worth(self.times, self.purse)

    def worth(self, times: int, purse: int) -> Fraction:
        """Value of so many tests with so much in the purse."""
        while len(self._worths) <= times:
            self._worths.append(self._plans.one_test_more(self._worths[-1], len(self._worths) - 1))
        return Fraction(self._worths[times][purse], self._plans.scale * self._plans.total**times)

    def aim(self, verdict: T) -> Fraction:
        """Worth of a verdict of the first test with all that follows: an aim for `advise`."""
        aim, price = self._plans.scoring
        return aim(verdict) + self.worth(self.times - 1, self.purse - price(verdict))


def advise_ahead(
    test: Callable[[int], Question[T]],
    *,
    times: int,
    purse: int,
    aim: Callable[[T], int | Fraction],
    price: Callable[[T], int],
    side: str,
    others: Policy | Others = decline,
    most_paths: int = MOST_PATHS,
) -> Ahead[T]:
    """Find what `times` tests are worth to `side`, which spends from one purse on all of them.

    `test` makes the question that is asked with so much in the purse; `price` says what a verdict took out of it. The
    others decide as they do for `advise`.

    >>> from astragal import Offer, Rolls, advise_ahead, d6, rule
    >>> @rule
    ... def climb(grip: int) -> Rolls[tuple[bool, int]]:
    ...     face = yield from d6
    ...     spent = yield from Offer("hero", "grip", tuple(range(grip + 1)))
    ...     return face + spent >= 5, spent
    >>> ahead = advise_ahead(climb, times=3, purse=2, aim=lambda it: it[0], price=lambda it: it[1], side="hero")
    >>> round(float(ahead.value), 3)
    1.773
    """
    return Ahead(times, purse, _Plans(test, purse, Scoring(aim, price), Sides(side, others), most_paths))


class _Plans(Generic[T]):
    """The question with each content that the purse can come to, as tables."""

    def __init__(
        self,
        test: Callable[[int], Question[T]],
        purse: int,
        scoring: Scoring,
        sides: Sides,
        most_paths: int,
    ) -> None:
        self.scoring, self._sides = scoring, sides
        self._ends: dict[tuple[int | Fraction, int], int] = {}
        self._roots: dict[int, Over] = {}
        waiting = [purse]
        while waiting:
            held = waiting.pop()
            if held not in self._roots:
                tree = Tree(test(held), most_paths)
                try:
                    self._roots[held] = self._node(tree, (), held)
                except RecursionError:
                    raise tree.no_end() from None
                waiting += {left for _, left in self._ends} - self._roots.keys()

    @property
    def contents(self) -> Iterable[int]:
        return self._roots

    @cached_property
    def scale(self) -> int:
        """Factor that makes all worths whole numbers."""
        return lcm(*(Fraction(worth).denominator for worth, _ in self._ends))

    @cached_property
    def total(self) -> int:
        """Out of how many one test is calculated."""
        return lcm(*(over for over, _ in self._roots.values()))

    def one_test_more(self, after: dict[int, int], times: int) -> dict[int, int]:
        """Value, for each content of the purse, of one test before the `times` that come after."""
        before = self.total**times
        ends = [int(worth * self.scale) * before + after[left] for worth, left in self._ends]
        return {held: self.total // over * _worth(node, ends) for held, (over, node) in self._roots.items()}

    def _node(self, tree: Tree[T], path: Path, held: int) -> Over:
        stop = tree.follow(path)
        if isinstance(stop, Verdict):
            paid = self.scoring.price(stop.value)
            if not 0 <= paid <= held:
                raise BadStep(f"{stop.value!r} takes {paid} from a purse of {held}")
            return 1, self._ends.setdefault((self.scoring.aim(stop.value), held - paid), len(self._ends))
        if isinstance(stop, Offer):
            options = [self._node(tree, (*path, answer), held) for answer in self._sides.answers(stop)]
            return _best(max if self._sides.owns(stop) else min, options)
        if isinstance(stop, Together):  # one's own answer first: the others, if they oppose, find the worst against it
            each = ([self._node(tree, (*path, it), held) for it in replies] for replies in self._sides.replies(stop))
            return _best(max, [_best(min, worths) for worths in each])
        draw = tree.draws(stop)
        shares = [(weight, *self._node(tree, (*path, it), held)) for it, weight in draw.weights.items()]
        over = lcm(*(divisor for _, divisor, _ in shares))
        joined: dict[Node, int] = {}  # equal ones are taken together
        for weight, divisor, node in shares:
            joined[node] = joined.get(node, 0) + weight * (over // divisor)
        return draw.total * over, Mean(tuple((share, node) for node, share in joined.items()))


def _worth(node: Node, ends: list[int]) -> int:
    return ends[node] if isinstance(node, int) else node.worth(ends)


def _best(pick: Callable[[list[int]], int], options: list[Over]) -> Over:
    if len(options) == 1:
        return options[0]
    over = lcm(*(divisor for divisor, _ in options))
    return over, Best(pick, tuple((over // divisor, node) for divisor, node in options))
