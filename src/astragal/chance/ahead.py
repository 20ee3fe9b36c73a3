"""Reading a question for what comes after it: how best to spread a purse over many tests of one kind.

The question is walked once for each content that its purse can have, with all its decisions. What is left of it is
a small table: verdicts by what they are worth and what they leave. All tests to come are calculated from that table,
backwards, in whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import lcm
from typing import Generic, TypeAlias, TypeVar

from .advice import Aim, Others, Sides
from .errors import BadStep
from .paths import Path, Tree, Verdict
from .steps import Offer, Question, Together
from .weigh import MOST_PATHS, Policy, decline

T = TypeVar("T")


Pick: TypeAlias = Callable[[list[int]], int]
"""`sum` for chance, `max` for a decision, `min` for one of whoever opposes."""
Node: TypeAlias = "int | tuple[Pick, tuple[tuple[int, Node], ...]]"
"""What follows from somewhere on: the number of an end, or nodes to pick from, each taken so many times."""
Over: TypeAlias = tuple[int, Node]
"""What follows, and out of how many it is calculated."""


class Ahead(Generic[T]):
    """The best that can be done over all tests to come, in expectation."""

    def __init__(
        self,
        times: int,
        purse: int,
        trees: Callable[[int], Tree[T]],
        scoring: tuple[Aim, Callable[[T], int]],
        sides: Sides,
    ) -> None:
        self.times, self.purse = times, purse
        self._aim, self._price = scoring
        self._sides = sides
        self._ends: dict[tuple[int | Fraction, int], int] = {}
        """What verdicts are worth and what they leave, with their numbers."""
        self._roots: dict[int, Over] = {}
        """The question with each content that the purse can come to."""
        waiting = [purse]
        while waiting:
            held = waiting.pop()
            if held not in self._roots:
                tree = trees(held)
                try:
                    self._roots[held] = self._node(tree, (), held)
                except RecursionError:
                    raise tree.no_end() from None
                waiting += {left for _, left in self._ends} - self._roots.keys()
        self._scale = lcm(*(Fraction(worth).denominator for worth, _ in self._ends))
        self._total = lcm(*(over for over, _ in self._roots.values()))
        self._worths = [dict.fromkeys(self._roots, 0)]

    @property
    def value(self) -> Fraction:
        """Value of all tests together, with the whole purse."""
        return self.worth(self.times, self.purse)

    def worth(self, times: int, purse: int) -> Fraction:
        """Value of so many tests with so much in the purse."""
        while (done := len(self._worths)) <= times:  # one test more, before those that come after
            after, before = self._worths[-1], self._total ** (done - 1)
            ends = [int(worth * self._scale) * before + after[left] for worth, left in self._ends]
            self._worths.append(
                {held: self._total // over * _worth(node, ends) for held, (over, node) in self._roots.items()}
            )
        return Fraction(self._worths[times][purse], self._scale * self._total**times)

    def aim(self, verdict: T) -> Fraction:
        """Worth of a verdict of the first test with all that follows: an aim for `advise`."""
        return self._aim(verdict) + self.worth(self.times - 1, self.purse - self._price(verdict))

    def _node(self, tree: Tree[T], path: Path, held: int) -> Over:
        stop = tree.follow(path)
        if isinstance(stop, Verdict):
            paid = self._price(stop.value)
            if not 0 <= paid <= held:
                raise BadStep(f"{stop.value!r} takes {paid} from a purse of {held}")
            return 1, self._ends.setdefault((self._aim(stop.value), held - paid), len(self._ends))
        if isinstance(stop, Offer):
            options = [self._node(tree, (*path, answer), held) for answer in self._sides.answers(stop)]
            return _picked(max if self._sides.owns(stop) else min, options)
        if isinstance(stop, Together):  # one's own answer first: the others, if they oppose, find the worst against it
            each = ([self._node(tree, (*path, it), held) for it in replies] for replies in self._sides.replies(stop))
            return _picked(max, [_picked(min, worths) for worths in each])
        draw = tree.draws(stop)
        shares = [(weight, *self._node(tree, (*path, it), held)) for it, weight in draw.weights.items()]
        over = lcm(*(divisor for _, divisor, _ in shares))
        joined: dict[Node, int] = {}  # equal ones are taken together
        for weight, divisor, node in shares:
            joined[node] = joined.get(node, 0) + weight * (over // divisor)
        return draw.total * over, (sum, tuple((share, node) for node, share in joined.items()))


def _worth(node: Node, ends: list[int]) -> int:
    if isinstance(node, int):
        return ends[node]
    pick, parts = node
    return pick([share * _worth(part, ends) for share, part in parts])


def _picked(pick: Pick, options: list[Over]) -> Over:
    if len(options) == 1:
        return options[0]
    over = lcm(*(divisor for divisor, _ in options))
    return over, (pick, tuple((over // divisor, node) for divisor, node in options))


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
    return Ahead(times, purse, lambda held: Tree(test(held), most_paths), (aim, price), Sides(side, others))
