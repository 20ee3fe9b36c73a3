"""The last few lanes of a question: where a run has only some of them left, they are sooner walked one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from astragal.chance.loops import LONGEST_PATH
from astragal.chance.odds import Odds
from astragal.chance.steps import Offer, Question, Rolls, Step, Together
from astragal.chance.weigh import Policy, answered

from .runs import IN_PLACE, Start, lanes_of

FEW_LANES = 15
"""A run costs about as much as so many single paths."""
MOST_PATHS = 24
"""So many may come of them, if dice follow; more, and they go on as lanes."""
WIDEST = 2**14
"""Lanes, in and out, among which those that are left are looked for."""

Found = tuple[int, int, Any]
"""A total, a weight and a verdict."""


Waiting = tuple[list[Any], int, int]
"""A path not walked yet: what leads to it, its weight so far, and out of how many."""


class Stragglers:
    """Walks what is left of a question."""

    def __init__(self, question: Question[Any], weigh: Callable[[Step[Any]], Odds[Any]], policy: Policy) -> None:
        self._question, self._weigh, self._policy = question, weigh, policy
        self._patience = 3

    def walked(self, start: Start) -> list[Found] | None:
        """Results of this run's lanes, path by path; None if it is better to go on with lanes."""
        if start.story and start.story[-1][0] is None:  # in the midst of a draw, of which it has one form alone
            return None
        if not start.parts or lanes_of(start) > FEW_LANES or start.ground.axes.size(-1) > WIDEST or not self._patience:
            return None
        axes, lanes = start.ground.axes, start.parts[0].lanes
        if lanes.size < axes.size(-1):
            lanes = np.ones([axes.groups[place].size for place in reversed(range(len(axes.groups)))], dtype=bool)
            for part in start.parts:
                lanes &= part.lanes
        waiting = [_route(start, lane) for lane in np.argwhere(lanes).tolist()]
        found: list[Found] = []
        while waiting:
            walked = self._path(waiting) if len(found) + len(waiting) <= MOST_PATHS else None
            if walked is None:
                self._patience -= 1
                return None
            found.append(walked)
        return found

    def _path(self, waiting: list[Waiting]) -> Found | None:
        """Walk the first path that waits; those that part from it wait in their turn. None if it goes on and on."""
        route, weight, total = waiting.pop()
        told = iter(tuple(route))
        calls: list[Rolls[Any]] = []
        call: Rolls[Any] = self._question.begin()
        value: Any = None
        for _ in range(LONGEST_PATH):
            try:
                step = call.send(value)
            except StopIteration as done:
                if not calls:
                    return total, weight, done.value
                call, value = calls.pop(), done.value
                continue
            if isinstance(step, (Offer, Together)):
                value = answered(step, self._policy)
                continue
            value = next(told, told)
            if value is IN_PLACE and isinstance(step, Question):
                calls.append(call)
                call, value = step.begin(), None
            elif value is told:
                draw = self._weigh(step)
                total *= draw.total
                outcomes = iter(draw.weights.items())
                value, share = next(outcomes)
                waiting += [([*route, other], weight * many, total) for other, many in outcomes]
                route.append(value)
                weight *= share
        return None


def _route(start: Start, lane: Sequence[int]) -> Waiting:
    """Steps that a lane met, in order, known by its outcome along each axis, the newest first."""
    weight, route = start.ground.weight, []
    for drawn in start.ground.route:
        if drawn is None:
            route.append(IN_PLACE)
            continue
        group, axis, place = drawn
        if axis is not None:
            place = lane[-1 - axis]
            weight *= group.weights[place]
        route.append(group.outcomes[place])
    return route, weight, start.ground.total
