"""Reading a question in lanes: its rule is run once for each way its `if`s can go, with all dice that go it at once."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from typing import Any, TypeVar

import numpy as np

from astragal.chance.errors import Circular, NotAStep, TooManyPaths
from astragal.chance.odds import Odds
from astragal.chance.play import legal
from astragal.chance.steps import Chance, Offer, Question, Rolls, Step, Together
from astragal.chance.weigh import Policy, Weigher, decline

from .forms import Draw, builder, has_lanes, taken_apart
from .lane import Lane
from .runs import MOST_AXES, Run, Start
from .space import LARGEST, Apart, Crowded, NotInLanes, Space
from .tables import looked_up
from .tally import tallied

T = TypeVar("T")

log = logging.getLogger("astragal.chance.lanes")

DEEPEST = 200
"""Questions inside questions, all of them with lanes for arguments."""
FEW_DICE = 6
"""Room is kept for so many, below the arguments of a grid; more, and it is begun again with more room."""
FEW_PATHS = 64
"""A question inside another that has no more is sooner walked than laid out in lanes."""
MOST_RUNS = 50_000
SOON, DEARER = 8, 10
"""After so many runs it is asked whether lanes are worth it; one run costs about so many single paths."""

Settled = dict[int, dict[Any, Any]]
"""By total and verdict: the weight, at each point of the grid if there is one."""


class _Met(Enum):
    """Steps that are not drawn from at once."""

    IN_PLACE = "a question to be run in its place"
    ANSWERED = "an offer, or dice made of lanes"


class LaneWeigher:
    """Weighs questions in lanes, under one policy. What can't be read so raises NotInLanes, which is no Exception."""

    def __init__(self, policy: Policy = decline) -> None:
        self._policy = policy
        self._draws: dict[Step[Any], Draw] = {}
        self._asked: set[Step[Any]] = set()

    def weigh(self, question: Question[T]) -> Odds[T]:
        return Odds.mixture(self.settle(lambda _run: question, ()))

    def settle(self, ask: Callable[[Run], Question[Any]], shape: tuple[int, ...]) -> Settled:
        """The verdicts of a question, or of a grid of this shape whose arguments the run lays out."""
        space = Space(FEW_DICE if shape else MOST_AXES)
        while True:
            survey = Survey(space, shape)
            try:
                survey.complete(lambda run: self._follow(run, ask(run)))
            except Apart as apart:
                space.deal_out(apart.support)
            except Crowded:
                space = self._roomier(space)
            else:
                return survey.settled

    def _roomier(self, space: Space) -> Space:
        if space.room_for_dice == MOST_AXES:
            raise NotInLanes(f"it has more than {MOST_AXES} dice on one path")
        return Space(min(4 * space.room_for_dice, MOST_AXES))

    def _follow(self, run: Run, question: Question[Any]) -> Any:
        """Run the rule to its verdict. Questions with lanes for arguments are run in their place."""
        calls: list[Rolls[Any]] = [question.begin()]
        value: Any = None
        while calls:
            try:
                step = calls[-1].send(value)
            except StopIteration as done:
                calls.pop()
                value = done.value
                continue
            met = run.noted(self._met, step)
            if met is _Met.IN_PLACE and isinstance(step, Question):
                if len(calls) == DEEPEST:
                    raise run.space.stop(f"it asks questions inside questions, {DEEPEST} deep")
                calls.append(step.begin())
                value = None
            else:
                value = run.draw(met) if type(met) is Draw else self._answer(run, step)
        return value

    def _met(self, step: Step[Any]) -> Draw | _Met:
        """What to do with a step: the same in all runs that come so far."""
        if isinstance(step, (Offer, Together)):
            return _Met.ANSWERED
        if has_lanes(step.arguments if isinstance(step, Question) else step):
            return _Met.IN_PLACE if isinstance(step, Question) else _Met.ANSWERED
        return self.draw(step)

    def _answer(self, run: Run, step: Step[Any]) -> Any:
        if isinstance(step, (Offer, Together)):
            return looked_up(run, step, self._decided)
        return run.draw(self.draw(plain(run, step)))

    def _decided(self, step: Offer[Any] | Together) -> Any:
        if isinstance(step, Offer):
            step.__post_init__()  # with lanes inside, its options could not all be told apart
            return legal(step, self._policy(step))
        return legal(step, tuple(self._decided(offer) for offer in step.offers))

    def draw(self, step: Step[Any]) -> Draw:
        found = self._draws.get(step)
        if found is None:
            odds = self._weighed(step)
            found = self._draws[step] = Draw(odds.weights.items(), odds.total)
        return found

    def _weighed(self, step: Step[Any]) -> Odds[Any]:
        if isinstance(step, Chance):
            return step.odds()
        if not isinstance(step, Question):
            raise NotAStep(f"a rule stopped for {step!r}, which is no step with odds")
        if step in self._asked:
            raise Circular(f"{step} asks itself")
        self._asked.add(step)
        try:
            with suppress(TooManyPaths):
                return Weigher(self._policy, FEW_PATHS).weigh(step)
            return self.weigh(step)
        except NotInLanes as not_in_lanes:
            log.debug("%s is weighed path by path: %s", step, not_in_lanes)
            return Weigher(self._policy).weigh(step)
        finally:
            self._asked.discard(step)


class Survey:
    """All runs of one question, and what they come to."""

    def __init__(self, space: Space, shape: tuple[int, ...]) -> None:
        self._space, self._shape = space, shape
        self.settled: Settled = {}
        self._spots: dict[tuple[Any, ...], tuple[Any, ...]] = {}
        self._runs, self._lanes, self._next_look = 0, 0, SOON

    def complete(self, follow: Callable[[Run], Any]) -> None:
        self._space.waiting = [Start()]
        while self._space.waiting:
            run = self._space.run = Run(self._space, self._space.waiting.pop())
            self.finish(run, follow(run))

    def finish(self, run: Run, verdict: Any) -> None:
        if run.stopped:  # and the rule went on, whatever it caught
            raise run.stopped
        run.is_going = False
        self.settle(run, verdict)
        self._check_gain(run)

    def settle(self, run: Run, verdict: Any) -> None:
        lanes: list[Lane] = []
        build = builder(taken_apart(verdict, Lane, lanes))
        if any(lane.space is not self._space for lane in lanes):
            raise self._space.stop("its verdict has lanes of another question")
        found = self.settled.setdefault(run.total, {})
        for row, weight in tallied(run, lanes):
            value = build(iter(row))
            if self._shape:
                self._place(run, found, value, weight)
            else:
                found[value] = found.get(value, 0) + weight

    def _place(self, run: Run, found: dict[Any, Any], value: Any, weight: Any) -> None:
        """Add the weight where the run lies in the grid."""
        if value not in found:
            found[value] = np.zeros(self._shape, dtype=np.int64 if run.total < LARGEST else object)
        lying = tuple(run.grid)
        here = self._spots.get(lying)
        if here is None:
            here = self._spots[lying] = _spot(run)
        found[value][here] += weight

    def _check_gain(self, run: Run) -> None:
        """Where nearly every path goes its own way, lanes are no gain, and path by path is told to answer."""
        self._runs += 1
        self._lanes += run.lanes
        if self._runs == MOST_RUNS:
            raise self._space.stop(f"its ways part more than {MOST_RUNS:,} times")
        if self._runs == self._next_look:
            self._next_look *= 2
            if self._lanes < self._runs * DEARER:
                raise self._space.stop(f"after {self._runs} runs nearly every path goes its own way")


def _spot(run: Run) -> tuple[Any, ...]:
    """Where a run lies in the grid, as an index. Arguments were laid out from the last to the first."""
    grid = run.grid[::-1]
    if any(place is None and group.places != tuple(range(group.size)) for group, place in grid):
        along = iter(np.ix_(*(group.places for group, place in grid if place is None)))
        return tuple(next(along) if place is None else group.places[place] for group, place in grid)
    return tuple(slice(group.size) if place is None else group.places[place] for group, place in grid)


def plain(run: Run, step: Step[Any]) -> Step[Any]:
    """The step with one number for each lane in it; the runs for the others come back for theirs."""
    if not has_lanes(step):
        return step
    lanes: list[Lane] = []
    build = builder(taken_apart(step, Lane, lanes))
    made: Step[Any] = build(run.pick(lane) for lane in lanes)
    return made
