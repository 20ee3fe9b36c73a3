"""Lay out plans: run a rule as for its odds, but follow every option of each decision."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple, TypeVar

import numpy as np

from astragal.chance.paths import SomebodyDecides, refuse_offers
from astragal.chance.play import legal
from astragal.chance.steps import Offer, Question, Rule, Step, Together
from astragal.chance.weigh import Policy

from .forms import Draw, Group, builder, has_lanes, split
from .lane import Apart, Array, Crowded, Lane, NotInLanes, Space, Void, whole
from .plans import DEEPEST, Asked, Decided, Forms, Placed, Plan, Story, Thrown, Valued
from .runs import IN_PLACE, MOST_AXES, Axes, Drawn, Layout, Part, Run, Start
from .seen import Seen, answer_per_lane, in_a_row, spread, support_of
from .weighing import LaneWeigher, Survey, plain, steps_in_place

T = TypeVar("T")


class Walk(Run):
    """Run that records its story for backward valuation. Axes of options and of results lie among those of dice."""

    def tell(self, event: Any) -> None:
        if self.place == self.told:  # otherwise the story has it already
            self.story.append((event, None))

    forms = Forms()

    def meet(self, met: Drawn | None, total: int = 1, weight: int = 1) -> None:
        if met is not None:
            group, axis, _ = met
            self.tell(Thrown((weight,) if axis is None else group.weights, total, axis))

    def argument(self, values: Draw) -> Any:
        group = self._group(values)
        place = self._single(group)
        if self.place < self.told:
            return self.recall()
        self.ground = self.ground._replace(grid=(*self.ground.grid, (group, place)))
        self.tell(Placed(group.places if place is None else group.places[place : place + 1], values.outcomes))
        return self.keep(self.along(group) if place is None else group.outcomes[place])

    # ---------------------------------------------------------------- decisions

    def choose(self, options: Sequence[Any], sign: int) -> Any:
        """Choose every option: numbers along an axis, others one by one."""
        if len(options) == 1:
            return options[0]
        if any(type(option) is not int and type(option) is not Lane for option in options):
            return options[self.branch(len(options), Decided(sign))]
        return self.noted(self._spread, options, sign)

    def _spread(self, options: Sequence[Lane | int], sign: int) -> Lane:
        """Lay out the options along an axis of their own."""
        place = self.ground.next_place
        self.tell(Decided(sign, place))
        self.along(Group.even(len(options)))
        lanes = [option for option in options if type(option) is Lane]
        support = 1 << place
        for lane in lanes:
            support |= lane.support
        self.space.room_for(support)
        arrays = np.broadcast_arrays(*(it.array if type(it) is Lane else np.array(it) for it in options))
        numbers = np.stack(arrays).reshape(len(options), *(1,) * (place - arrays[0].ndim), *arrays[0].shape)
        return Lane(self.space, support, (int(numbers.min()), int(numbers.max())), numbers)

    # ---------------------------------------------------------------- questions

    def answered(self, asked: Asked) -> Any:
        """Every result that the question can have, in the lanes where it can have it."""
        groups = asked.plan.draw.groups
        if len(groups) == 1:
            self.tell(asked)
        group = groups[0] if len(groups) == 1 else groups[self.branch(len(groups), asked)]
        if group in self.space.one_by_one:
            raise self.space.stop("the result of a question in which somebody decides is used as a key")
        if self.place < self.told:
            return self.recall()
        value = group.outcomes[0] if group.size == 1 else self.along(group)
        self._narrow(asked, group)
        return self.keep(value)

    def _narrow(self, asked: Asked, group: Group) -> None:
        """Drop the lanes in which a result is impossible: not every question asked at once can have every result."""
        possible, support = asked.possible(group)
        if group.size > 1:
            support |= 1 << self.ground.next_place - 1
        if possible.all():
            return
        if not support:
            raise Void
        joined, others = self.joined(support)
        both = support | (joined.support if joined else 0)
        self.space.room_for(both)
        lanes = np.logical_and(possible, joined.lanes) if joined else possible
        count = int(np.count_nonzero(lanes))
        if not count:
            raise Void
        self.parts = (*others, Part(both, lanes, count))


Arguments = tuple[Any, ...]


class Postponed(NamedTuple):
    """A paused run. It waits for a plan of the questions that it asks."""

    rule: Rule[..., Any]
    wanted: _Wanted


Follow = Generator[Postponed, None, tuple[Lane | int, Any]]
"""A run: yields where it has to wait, and returns a verdict and the question that it belongs to."""


class Planner:
    """Lays out plans for one side, against others who follow a policy or, if there is none, oppose."""

    def __init__(self, side: str, policy: Policy | None) -> None:
        self._side, self._policy = side, policy
        self.sides_met: set[str] = set()
        self._chance = LaneWeigher(refuse_offers)
        self._decisive: set[Rule[..., Any]] = set()
        self._laying_out: list[Rule[..., Any]] = []
        self._plans: dict[tuple[Rule[..., Any], Arguments], tuple[Plan, int]] = {}

    def plan(self, rule: Rule[..., Any], asked: Sequence[Arguments], given: Sequence[Any] = ()) -> Plan:
        """The plan of these questions, from the point that the `given` values lead to."""
        space, questions = Space(MOST_AXES), Draw(enumerate(asked))
        self._laying_out.append(rule)
        try:
            while True:
                survey = _PlanSurvey(space, (len(asked),), self)
                try:
                    survey.complete(lambda run: self._follow(run, rule, list(given), *run.argument(questions)))
                except Apart as apart:
                    space.deal_out(apart.support)
                except Crowded:
                    raise NotInLanes(f"more than {MOST_AXES} dice, decisions and questions follow each other") from None
                else:
                    return survey.plan()
        finally:
            self._laying_out.pop()

    def valued(self, question: Question[Any], path: Sequence[Any], aim: Callable[[Any], int | Fraction]) -> Valued:
        return Valued(self.plan(question.rule, [question.arguments], path), aim)

    def learn(self, rule: Rule[..., Any], wanted: Sequence[Arguments]) -> None:
        plan = self.plan(rule, wanted)
        for place, arguments in enumerate(wanted):
            self._plans[rule, arguments] = plan, place

    def _follow(
        self, run: Walk, rule: Rule[..., Any], given: list[Any], which: Lane | int, arguments: Arguments
    ) -> Follow:
        """Run the rule to its verdict, and return which question it was.

        Questions with lanes for arguments are inlined, unless they recur.
        """
        steps, value = steps_in_place(rule.begin(*arguments)), None
        while True:
            try:
                step = steps.send(value)
            except StopIteration as done:
                return which, done.value
            if isinstance(step, Question) and (
                self._decides(step) if given else step.rule not in self._laying_out and has_lanes(step.arguments)
            ):
                value = IN_PLACE
            else:
                value = given.pop(0) if given else self._answer(run, step)
                if type(value) is Postponed:
                    asked = value
                    if run.place == run.told and not self._is_known(*asked):
                        yield asked
                    value = run.answered(run.noted(self._known, run, *asked))

    def _decides(self, question: Question[Any]) -> bool:
        """Return whether anybody decides anything in this question."""
        try:
            self._chance.draw(question)
        except SomebodyDecides:
            return True
        return False

    def _answer(self, run: Walk, step: Step[Any]) -> Any:
        if isinstance(step, Offer):
            return self._decided(run, step)
        if isinstance(step, Together):
            return self._decided_together(run, step)
        if isinstance(step, Question) and (
            step.rule in self._laying_out or step.rule in self._decisive or self._decides(step)
        ):
            self._decisive.add(step.rule)
            return Postponed(step.rule, run.noted(_Wanted, run, step))
        return run.draw(self._chance.draw(plain(run, step)))

    # ---------------------------------------------------------------- decisions

    def _decided(self, run: Walk, offer: Offer[Any]) -> Any:
        policy = self._policy
        self.sides_met.add(offer.side)
        if offer.side != self._side and policy is not None:
            return answer_per_lane(run, offer, lambda plain: _checked(plain) or legal(plain, policy(plain)))
        if not run.noted(_differ, run, offer.options):
            answer_per_lane(run, offer, _checked)
        return run.choose(offer.options, 1 if offer.side == self._side else -1)

    def _decided_together(self, run: Walk, together: Together) -> tuple[Any, ...]:
        """Decide for one's own side first: opponents choose the worst reply to it."""
        self.sides_met.update(offer.side for offer in together.offers)
        own_first = sorted(range(len(together.offers)), key=lambda place: together.offers[place].side != self._side)
        answers = {place: self._decided(run, together.offers[place]) for place in own_first}
        return tuple(answers[place] for place in range(len(answers)))

    # ---------------------------------------------------------------- questions

    def _is_known(self, rule: Rule[..., Any], wanted: _Wanted) -> bool:
        plans = {self._plans.get((rule, arguments), (None,))[0] for arguments in wanted.arguments}
        return len(plans) == 1 and None not in plans

    def _known(self, run: Walk, rule: Rule[..., Any], wanted: _Wanted) -> Asked:
        places = [self._plans[rule, arguments][1] for arguments in wanted.arguments]
        plan = self._plans[rule, wanted.arguments[0]][0]
        return Asked(plan, wanted.by_lane(run, places), run.parts, run.ground.next_place)


class _Wanted:
    """The different questions that the lanes of a run ask at once."""

    def __init__(self, run: Walk, question: Question[Any]) -> None:
        lanes: list[Lane] = []
        build = builder(split(question.arguments, Lane, lanes))
        self._seen: Seen | None = None
        self.arguments: list[Arguments] = [question.arguments]
        if lanes:
            self._seen = Seen(run, lanes, run.joined(support_of(lanes))[0])
            rows, self._back = self._seen.different()
            self.arguments = [build(iter(row)) for row in rows]

    def by_lane(self, run: Walk, places: Sequence[int]) -> Lane | int:
        return places[0] if self._seen is None else spread(run, self._seen, np.array(places)[self._back])


def _differ(run: Walk, options: Sequence[Any]) -> bool:
    """Return whether it is certain that no lane lists an option twice. Only plain numbers are easy to compare."""
    lanes = [option for option in options if type(option) is Lane]
    others = [option for option in options if type(option) is not Lane]
    if any(map(has_lanes, others)):
        return False
    pairs = [*combinations(lanes, 2), *((lane, it) for lane in lanes for it in others if whole(it) is not None)]
    for left, right in pairs:
        joined = run.joined(support_of(it for it in (left, right) if type(it) is Lane))[0]
        same = left.array == (right.array if type(right) is Lane else right)
        if np.any(same & joined.lanes if joined else same):
            return False
    return True


def _checked(offer: Offer[Any]) -> int:
    """Check the offer's options again; with lanes inside, they could not be compared."""
    offer.__post_init__()
    return 0


class _PlanSurvey(Survey):
    """All runs of a plan. Runs that need another plan wait until everything that they need of it is known."""

    def __init__(self, space: Space, shape: tuple[int, ...], planner: Planner) -> None:
        super().__init__(space, shape)
        self._planner = planner
        self._stories: list[Story] = []
        self._results: dict[Any, int] = {}
        self._reached: list[tuple[Array, Array]] = []

    def complete(self, follow: Callable[[Walk], Follow]) -> Any:
        waiting = self._space.waiting = [Start(Layout(Axes(self._space.room_for_dice)))]
        postponed: list[tuple[Walk, Follow, Postponed]] = []
        ready: list[tuple[Walk, Follow, Postponed]] = []
        while waiting or postponed or ready:
            if not waiting and not ready:
                wanted: dict[Rule[..., Any], dict[Arguments, None]] = {}
                for _, _, later in postponed:
                    wanted.setdefault(later.rule, {}).update(dict.fromkeys(later.wanted.arguments))
                for rule, arguments in wanted.items():
                    self._planner.learn(rule, list(arguments))
                postponed, ready = [], postponed
            run = self._space.run = ready[-1][0] if ready else Walk(self._space, waiting.pop())
            going = ready.pop()[1] if ready else follow(run)
            try:
                postponed.append((run, going, next(going)))
            except StopIteration as done:
                self.finish(run, done.value)
            except Void:
                continue

    def settle(self, run: Run, verdict: Any) -> None:
        if len(run.story) > DEEPEST:
            raise self._space.stop(f"more than {DEEPEST} things happen in it")
        self._stories.append(Story(run.story, self._reached_by(run, *verdict)))

    def _reached_by(self, run: Run, which: Lane | int, verdict: Any) -> Array:
        """The result that each lane of the run comes to."""
        lanes: list[Lane] = []
        build = builder(split(verdict, Lane, lanes))
        asking = [which] if type(which) is Lane else []
        joined = run.joined(support_of((*lanes, *asking)))[0]
        results = np.array(self._result(verdict)) if not lanes else None
        if results is None:
            seen = Seen(run, lanes, joined)
            rows, back = seen.different()
            results = seen.laid(np.array([self._result(build(iter(row))) for row in rows])[back])
        asked = which.array if type(which) is Lane else np.array(which)
        alive = joined.lanes if joined else np.array(True)
        shape = np.broadcast(asked, results, alive).shape
        here = in_a_row(alive, shape)
        self._reached.append((in_a_row(asked, shape)[here], in_a_row(results, shape)[here]))
        return results

    def _result(self, verdict: Any) -> int:
        return self._results.setdefault(verdict, len(self._results))

    def plan(self) -> Plan:
        reach = np.zeros((*self._shape, len(self._results)), dtype=bool)
        for asked, results in self._reached:
            reach[asked, results] = True
        return Plan(list(self._results), reach, self._stories)
