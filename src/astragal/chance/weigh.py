"""Exact odds, path by path: read a question every way at once.

A rule is run once for each path through it. Sub-questions count as one draw each, are weighed once and cached. Small
and obvious: the reference for every faster reading.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from itertools import islice
from typing import Any, TypeVar

from astragal.chance.play import DEEP, LONG_PATH, LONGEST_PATH, loops_forever, nested_too_deep, no_end

from .chances import Chance, check_hashable
from .errors import Circular, NotAStep, TooManyPaths
from .odds import Odds, backwards
from .play import legal
from .steps import Offer, Question, Step, Together

T = TypeVar("T")

Policy = Callable[[Offer[Any]], Any]
"""Function that answers offers from what the offer itself says."""

MOST_PATHS = 5_000_000
MOST_OUTCOMES = 1_000_000
"""Different verdicts of one question, each of which is kept in memory."""
MANY_PATHS = 20_000
"""After this many paths, check whether there are far too many …"""
PROBES = 32
"""… with this many paths picked at random."""

INSTEAD = (
    "Many dice are one step: total, highest and hits count them, pool(8, d10).largest_set() and others their sets."
)

_Parting = tuple[int, Iterator[tuple[Any, int]], int, int]
"""Number of steps before a branching point, the other outcomes there, and the weight and total up to there."""


def decline(offer: Offer[Any]) -> Any:
    """The default answer: the first of the options.

    >>> from astragal import Offer, decline
    >>> decline(Offer("hero", "luck", (0, 1, 2)))
    0
    """
    return offer.default


def answered(step: Offer[Any] | Together, policy: Policy) -> Any:
    """The policy's answer, if the offer lists it."""
    if isinstance(step, Offer):
        return legal(step, policy(step))
    return legal(step, tuple(policy(offer) for offer in step.offers))


class Weigher:
    """Weighs each question once, under one policy, and caches its odds."""

    def __init__(self, policy: Policy = decline, most_paths: int = MOST_PATHS) -> None:
        self._policy = policy
        self._paths_left = most_paths
        self.known: dict[Step[Any], Odds[Any]] = {}
        self._asked: set[Step[Any]] = set()

    def weigh(self, step: Step[T]) -> Odds[T]:
        known = self.known.get(step)
        if known is None:
            known = self.known[step] = self._find(step)
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
        except RecursionError:
            if len(self._asked) < DEEP:
                raise
            raise nested_too_deep(step, len(self._asked)) from None
        finally:
            self._asked.discard(step)

    def _walk(self, question: Question[Any]) -> Odds[Any]:
        """Walk each path with a run of its own, deepest first. Of the others only the branching points are stored."""
        begin = question.rule.started(question.arguments)
        settled: dict[int, dict[Any, int]] = {}
        taken: list[Any] = []
        partings: list[_Parting] = []
        weight = total = 1
        long = LONG_PATH
        walked = 0
        while True:
            self._paths_left -= 1
            walked += 1
            if self._paths_left < 0 or (walked == MANY_PATHS and self._looks_too_wide(question)):
                raise TooManyPaths(f"{question} has too many paths to be weighed one by one. {INSTEAD}")
            send = begin().send
            try:
                step = send(None)
                for value in taken:
                    step = send(value)
                while True:
                    if len(taken) >= long:
                        self._look_ahead(question, taken)
                        long = min(2 * long, LONGEST_PATH)
                    if isinstance(step, (Offer, Together)):
                        value = answered(step, self._policy)
                    else:
                        draw = self.weigh(step)
                        total *= draw.total
                        value, share = next(iter(draw.weights.items()))
                        others = islice(backwards(draw.weights), len(draw.weights) - 1)
                        partings.append((len(taken), others, weight, total))
                        weight *= share
                    taken.append(value)
                    step = send(value)
            except StopIteration as done:
                found = settled.setdefault(total, {})
                _add(found, done.value, weight)
                if len(found) > MOST_OUTCOMES:
                    raise TooManyPaths(f"{question} has more than {MOST_OUTCOMES:,} outcomes. {INSTEAD}") from None
            other = _other_way(partings)
            if other is None:
                return Odds.mixture(settled)
            place, _, weight, total = partings[-1]
            taken[place:] = other[:1]
            weight *= other[1]

    def _looks_too_wide(self, question: Question[Any]) -> bool:
        """Return whether there are almost certainly more paths than may be walked.

        If a path is picked at random, the product of its choices is on average the number of paths. If no more paths
        existed than may be walked, a probe would reach twice that number at most every other time, and all of them
        never.
        """
        from random import Random  # slow to import, and seldom needed

        dice, most = Random(PROBES), 2 * self._paths_left  # noqa: S311 - the same answer each time
        probes = (self.one_path(question, dice.randrange) for _ in range(PROBES))
        return all(any(paths > most for _, paths in probe) for probe in probes)

    def one_path(self, question: Question[Any], pick: Callable[[int], int]) -> Iterator[tuple[Step[Any] | None, int]]:
        """Walk one path and yield its steps, then None; `pick` chooses among the outcomes of a draw.

        Each step comes, before it is weighed, with an estimate of the number of paths, judged by this path so far.
        """
        run, paths = question.begin(), 1
        value: Any = None
        for _ in range(LONGEST_PATH):
            try:
                step = run.send(value)
            except StopIteration:
                break
            yield step, paths
            if isinstance(step, (Offer, Together)):
                value = answered(step, self._policy)
            else:
                outcomes = self.weigh(step).weights
                paths *= len(outcomes)
                value = next(islice(outcomes, pick(len(outcomes)), None))
        yield None, paths

    def _look_ahead(self, question: Question[Any], taken: list[Any]) -> None:
        """Raise `NoEnd` for a path that is too long, or that will be."""
        run = question.begin()
        if loops_forever(run, taken, self._possible):
            raise no_end(question, run, LONGEST_PATH)

    def _possible(self, step: Step[Any]) -> Container[Any]:
        return (answered(step, self._policy),) if isinstance(step, (Offer, Together)) else self.weigh(step).weights


def _other_way(partings: list[_Parting]) -> tuple[Any, int] | None:
    """The next alternative at the last branching point."""
    while partings:
        for other in partings[-1][1]:
            return other
        partings.pop()
    return None


def _add(found: dict[Any, int], value: Any, weight: int) -> None:
    """Add a verdict's weight. A new verdict, the usual case, is hashed once: a hash may cost as much as a path."""
    known = len(found)
    try:
        before = found.setdefault(value, weight)
    except TypeError:
        check_hashable(value, "the verdict of a rule")
        raise
    if len(found) == known:
        found[value] = before + weight
