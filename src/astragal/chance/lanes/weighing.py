"""Odds in lanes: a rule runs once for each way that its `if`s can go, with all dice that go that way at once."""

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from math import prod
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import numpy as np

from astragal.chance.errors import TooManyPaths
from astragal.chance.lanes.forms import Draw, builder, has_lanes, split
from astragal.chance.lanes.lane import Apart, Crowded, Lane, NotInLanes, Space
from astragal.chance.lanes.runs import IN_PLACE, MOST_AXES, Axes, Layout, Run, Start, lanes_of
from astragal.chance.lanes.seen import Ends, Found, Settled, answer_per_lane
from astragal.chance.odds import Odds
from astragal.chance.play import LONGEST_PATH
from astragal.chance.steps import Offer, Question, Rolls, Step, Together, is_last_step
from astragal.chance.weigh import Policy, Weigher, answered, decline

# ---------------------------------------------------------------- the last few lanes, faster one by one

FEW_LANES = 15
"""A run costs about as much as this many single paths."""
MOST_PATHS = 24
"""If more paths than this come of them, because further dice follow, they continue as lanes."""
WIDEST = 2**14
"""Largest number of lanes, in or out, among which the remaining lanes are searched."""


Waiting = tuple[list[Any], int, int]
"""A path not walked yet: the values that lead to it, its weight so far, and its total."""


class PathWalker:
    """Walks the last lanes of a question one by one."""

    def __init__(self, question: Question[Any], weigh: Callable[[Step[Any]], Odds[Any]], policy: Policy) -> None:
        self._question, self._weigh, self._policy = question, weigh, policy
        self._patience = 3

    def walked(self, start: Start) -> list[Found] | None:
        """Results of the run's lanes, path by path; None if it is faster to continue with lanes."""
        if start.story and start.story[-1][0] is None:  # within a draw, of which this run has only one form
            return None
        if not start.parts or lanes_of(start) > FEW_LANES or start.ground.axes.lanes > WIDEST or not self._patience:
            return None
        axes, lanes = start.ground.axes, start.parts[0].lanes
        if lanes.size < axes.lanes:
            lanes = np.ones([axes.groups[place].size for place in reversed(range(len(axes.groups)))], dtype=bool)
            for part in start.parts:
                lanes &= part.lanes
        waiting = [_route(start, lane) for lane in np.argwhere(lanes).tolist()]
        found: list[Found] = []
        while waiting:
            if len(found) + len(waiting) > MOST_PATHS:
                self._patience -= 1
                return None
            found.append(self._path(waiting))
        return found

    def _path(self, waiting: list[Waiting]) -> Found:
        """Walk the next waiting path, and queue those that branch off from it."""
        route, weight, total = waiting.pop()
        told = iter(tuple(route))
        steps, value = steps_in_place(self._question.begin()), None
        while True:
            try:
                step = steps.send(value)
            except StopIteration as done:
                return total, weight, done.value
            if isinstance(step, (Offer, Together)):
                value = answered(step, self._policy)
                continue
            value = next(told, told)
            if value is told:
                draw = self._weigh(step)
                total *= draw.total
                outcomes = iter(draw.weights.items())
                value, share = next(outcomes)
                waiting += [([*route, other], weight * many, total) for other, many in outcomes]
                route.append(value)
                weight *= share


def _route(start: Start, lane: Sequence[int]) -> Waiting:
    """The values that lead to a lane, in order, looked up by its outcome along each axis, the newest axis first."""
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


T = TypeVar("T")
S = TypeVar("S", bound="Survey")

log = logging.getLogger("astragal.chance.lanes")

DEEPEST = 200
"""Nested questions that all have lanes for arguments."""
FEW_DICE = 6
"""Dice for which room is reserved, below the arguments of a grid; if there are more, restart with more room."""
FEW_PATHS = 64
"""A nested question with no more paths is walked, which is faster than laying it out in lanes."""
MOST_RUNS = 50_000
SOON, PATHS_PER_RUN = 8, 10
"""After this many runs, check whether lanes are worth it; one run costs about as much as this many single paths."""


def try_in_lanes(question: object, read: Callable[[], T]) -> T | None:
    """Try a reading in lanes. Returns None if the question has to be read path by path."""
    try:
        return read()
    except NotInLanes as not_in_lanes:
        log.debug("%s is weighed path by path: %s", question, not_in_lanes)
    except Exception as broken:  # noqa: BLE001 - the other reading will raise it again, with the right message
        log.debug("%s is weighed path by path, since in lanes it raised %r", question, broken)
    return None


def steps_in_place(call: Rolls[Any]) -> Rolls[Any]:
    """Yield the steps of a rule, in order. A question answered with IN_PLACE is inlined: its own steps come next."""
    calls: list[Rolls[Any]] = []
    value: Any = None
    steps = 0
    while True:
        try:
            step = call.send(value)
        except StopIteration as done:
            if not calls:
                return done.value
            call, value = calls.pop(), done.value
            continue
        steps += 1
        if steps > LONGEST_PATH:
            raise NotInLanes(f"more than {LONGEST_PATH:,} steps follow each other")
        value = yield step
        if value is IN_PLACE and isinstance(step, Question):
            if len(calls) == DEEPEST:
                raise NotInLanes(f"it asks questions inside questions, {DEEPEST} deep")
            calls.append(call)
            call, value = step.begin(), None


class LeadsOn(NamedTuple):
    """End of a run at a question whose verdict is then the verdict."""

    question: Question[Any]


class LaneWeigher(Weigher):
    """Weighs questions in lanes, under one policy. Nested questions are walked if they are small, or have to be.

    `known` are odds that were found before, under the same policy.
    """

    def __init__(self, policy: Policy = decline, known: Mapping[Step[Any], Odds[Any]] = MappingProxyType({})) -> None:
        super().__init__(policy)
        self.known.update(known)
        self._draws: dict[Step[Any], Draw] = {}

    def in_lanes(self, question: Question[T], paths: int | None = None) -> Odds[T]:
        """The odds of a question; `paths` is an estimate of their number, if there is one.

        Raises NotInLanes, which is not an Exception, if the question can't be read in lanes.
        """
        stragglers = PathWalker(question, self.weigh, self._policy)
        return Odds.mixture(self.settle(lambda run: self.follow(run, question), (), stragglers, paths))

    def settle(
        self,
        follow: Callable[[Run], Any],
        shape: tuple[int, ...],
        stragglers: PathWalker | None = None,
        paths: int | None = None,
    ) -> Settled:
        """The results of a question, or of a grid of this shape; `follow` takes a run to its result."""
        room = FEW_DICE if shape else MOST_AXES
        return self.surveyed(follow, lambda space: Survey(space, shape, stragglers), room, paths).ends.settled()

    def surveyed(
        self,
        follow: Callable[[Run], Any],
        new_survey: Callable[[Space], S],
        room_for_dice: int = MOST_AXES,
        paths: int | None = None,
    ) -> S:
        """Complete all runs of a survey; begin anew if dice have to be laid out otherwise."""
        space = Space(room_for_dice)
        while True:
            survey = new_survey(space)
            try:
                survey.complete(follow)
            except Apart as apart:
                space.deal_out(apart.support)
                apart_on_its_way = [it[0].size for it in space.run.ground.route if it and it[0] in space.one_by_one]
                if paths is not None and paths < PATHS_PER_RUN * prod(apart_on_its_way):
                    raise NotInLanes("nearly each of its paths uses another number as a key") from None
            except Crowded:
                if space.room_for_dice == MOST_AXES:
                    raise NotInLanes(f"it has more than {MOST_AXES} dice on one path") from None
                space = Space(min(4 * space.room_for_dice, MOST_AXES))
            else:
                return survey

    def follow(self, run: Run, question: Question[Any], *, to_next_question: bool = False) -> Any:
        """Run the rule to its verdict. Questions with lanes for arguments are inlined.

        With `to_next_question`, it may also end with a question that the rule asks as its last step.
        """
        body = question.begin()
        steps, value = steps_in_place(body), None
        while True:
            try:
                step = steps.send(value)
            except StopIteration as done:
                return done.value
            if to_next_question and isinstance(step, Question) and is_last_step(body):
                return LeadsOn(step)
            is_new = run.place == run.told
            met = run.noted(self._met, step) if is_new else run.recall()
            if type(met) is Draw:
                value = run.draw(met)
            elif met is IN_PLACE:
                if is_new:
                    run.meet(None)
                value = IN_PLACE
            elif isinstance(step, (Offer, Together)):
                value = answer_per_lane(run, step, self._decided)
            else:
                value = run.draw(self.draw(plain(run, step)))

    def _met(self, step: Step[Any]) -> Draw | object:
        """Decide how to handle a step, equally in all runs that get there: draw, run it in place, or look inside."""
        if isinstance(step, (Offer, Together)):
            return None
        if has_lanes(step.arguments if isinstance(step, Question) else step):
            return IN_PLACE if isinstance(step, Question) and not step.rule.asks_itself else None
        return self.draw(step)

    def _decided(self, step: Offer[Any] | Together) -> Any:
        """Answer an offer that was made of lanes."""
        for offer in step.offers:
            offer.__post_init__()  # check the options again; with lanes inside, they could not be compared
        return answered(step, self._policy)

    def draw(self, step: Step[Any]) -> Draw:
        found = self._draws.get(step)
        if found is None:
            odds = self.weigh(step)
            found = self._draws[step] = Draw(odds.weights, odds.weights.values(), odds.total)
        return found

    def _weigh_question(self, question: Question[Any]) -> Odds[Any]:
        self._begin(question)
        try:
            with suppress(TooManyPaths):
                return Weigher(self._policy, FEW_PATHS).weigh(question)
            if not question.rule.asks_itself:
                return self.in_lanes(question)
        except NotInLanes as not_in_lanes:
            log.debug("%s is weighed path by path: %s", question, not_in_lanes)
        finally:
            del self._being_weighed[question]
        return Weigher(self._policy).weigh(question)


class Survey:
    """All runs of one question, and their results."""

    def __init__(self, space: Space, shape: tuple[int, ...], stragglers: PathWalker | None = None) -> None:
        self._space, self._shape, self._stragglers = space, shape, stragglers
        self.ends = Ends(space, shape)
        self._runs, self._lanes, self._next_look = 0, 0, SOON

    def complete(self, follow: Callable[[Run], Any]) -> None:
        self._space.waiting = [Start(Layout(Axes(self._space.room_for_dice)))]
        while self._space.waiting:
            start = self._space.waiting.pop()
            walked = self._stragglers.walked(start) if self._stragglers else None
            if walked is None:
                run = self._space.run = Run(self._space, start)
                self.finish(run, follow(run))
            else:
                self.ends.add(walked)

    def finish(self, run: Run, verdict: Any) -> None:
        if run.stopped:  # the rule caught it and went on
            raise run.stopped
        run.is_going = False
        self.settle(run, verdict)
        # If nearly every path goes its own way, path by path is faster.
        self._runs += 1
        self._lanes += lanes_of(run)
        if self._runs == MOST_RUNS:
            raise self._space.stop(f"its ways part more than {MOST_RUNS:,} times")
        if self._runs == self._next_look:
            self._next_look *= 2
            if self._lanes < self._runs * PATHS_PER_RUN:
                raise self._space.stop(f"after {self._runs} runs nearly every path goes its own way")

    def settle(self, run: Run, verdict: Any) -> None:
        self.ends.settle(run, verdict)


def plain(run: Run, step: Step[Any]) -> Step[Any]:
    """The step with one number in place of each lane; later runs take the other numbers."""
    if not has_lanes(step):
        return step
    lanes: list[Lane] = []
    build = builder(split(step, Lane, lanes))
    made: Step[Any] = build(run.pick(lane) for lane in lanes)
    return made
