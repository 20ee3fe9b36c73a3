"""Reading a question every way at once, path by path: exact odds.

A rule is run once for each path through it. Sub-questions count as one draw each, weighed once and remembered.
Small and obvious: the reference that every faster reading is held against.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from .errors import Circular, NotAStep, TooManyPaths
from .odds import Odds
from .play import legal
from .steps import Chance, Offer, Question, Step, Together

T = TypeVar("T")

Policy = Callable[[Offer[Any]], Any]
"""How offers are answered: from what the offer itself says."""

MOST_PATHS = 5_000_000


def decline(offer: Offer[Any]) -> Any:
    """The default answer."""
    return offer.default


class Weigher:
    """Weighs each question once, under one policy."""

    def __init__(self, policy: Policy = decline, most_paths: int = MOST_PATHS) -> None:
        self._policy = policy
        self._paths_left = most_paths
        self._known: dict[Step[Any], Odds[Any]] = {}
        self._asked: set[Step[Any]] = set()

    def weigh(self, step: Step[T]) -> Odds[T]:
        known = self._known.get(step)
        if known is None:
            known = self._known[step] = self._find(step)
        return known

    def _find(self, step: Step[Any]) -> Odds[Any]:
        if isinstance(step, Chance):
            return step.odds()
        if not isinstance(step, Question):
            raise NotAStep(f"a rule stopped for {step!r}, which is no step with odds")
        if step in self._asked:
            raise Circular(f"{step} asks itself")
        self._asked.add(step)
        try:
            return self._walk(step)
        finally:
            self._asked.discard(step)

    def _walk(self, question: Question[Any]) -> Odds[Any]:
        """One run for each path. A path not taken yet waits as the values that lead to it."""
        begin, arguments = question.rule.begin, question.arguments
        settled: dict[int, dict[Any, int]] = {}
        waiting: list[tuple[tuple[Any, ...], int, int]] = [((), 1, 1)]
        while waiting:
            taken, weight, total = waiting.pop()
            self._paths_left -= 1
            if self._paths_left < 0:
                raise TooManyPaths(f"{question} has too many paths to be weighed one by one")
            send = begin(*arguments).send
            try:
                step = send(None)
                for value in taken:
                    step = send(value)
                while True:
                    if isinstance(step, (Offer, Together)):
                        value = self._answer(step)
                    else:
                        draw = self.weigh(step)
                        total *= draw.total
                        outcomes = iter(draw.weights.items())
                        value, share = next(outcomes)
                        waiting += [((*taken, other), weight * many, total) for other, many in outcomes]
                        weight *= share
                    taken = (*taken, value)
                    step = send(value)
            except StopIteration as done:
                _add(settled.setdefault(total, {}), done.value, weight)
        return Odds.mixture(settled)

    def _answer(self, step: Offer[Any] | Together) -> Any:
        if isinstance(step, Offer):
            return legal(step, self._policy(step))
        return legal(step, tuple(self._policy(offer) for offer in step.offers))


def _add(found: dict[Any, int], value: Any, weight: int) -> None:
    """A verdict is hashed once where it is new, as most are; to hash one may cost as much as to walk a short path."""
    known = len(found)
    before = found.setdefault(value, weight)
    if len(found) == known:
        found[value] = before + weight
