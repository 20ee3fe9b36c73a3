"""One run through a rule: the axes it lays out, the lanes that are in it, and what was decided on the way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np

from .forms import Draw, Group
from .lane import Array, Crowded, Lane, Space

T = TypeVar("T")


EXACT: dict[type, int] = {np.float32: 2**24, np.float64: 2**53}
"""So far floats count exactly."""
LIMB = 30
"""Larger weights are counted in limbs of so many bits: four million of them still fit a float."""


class Ways:
    """The weight of each combination of dice, the newest axis first."""

    def __init__(self, dice: Sequence[tuple[int, ...]]) -> None:
        self.is_even = all(sum(weights) == len(weights) for weights in dice)
        total = prod(map(sum, dice))
        kind = next((kind for kind, limit in EXACT.items() if total < limit), object)
        ways: Array = np.array(dice[0] if dice else (1,), dtype=kind)
        for weights in dice[1:]:
            ways = np.multiply.outer(np.array(weights, dtype=kind), ways).ravel()
        self.size = len(ways)
        self._limbs = [ways]
        if kind is object:
            mask, limbs = 2**LIMB - 1, range(0, total.bit_length(), LIMB)
            self._limbs = [(ways >> shift & mask).astype(np.float64) for shift in limbs]

    def summed(self, lanes: Array) -> Array:
        """The weight of the lanes; in each row, if there are rows."""
        chosen = lanes.astype(self._limbs[0].dtype)  # a product of floats is the quickest sum
        return _whole([chosen @ limb for limb in self._limbs])

    def counted(self, codes: Array, combinations: Array | None, size: int) -> Array:
        """The weight of the combinations with each code; of all of them, in order, if not said which."""
        chosen = self._limbs if combinations is None else [limb[combinations] for limb in self._limbs]
        return _whole([np.bincount(codes, limb, size) for limb in chosen])


def _whole(limbs: Sequence[Array]) -> Array:
    """Whole numbers again: of 64 bits where they fit, else Python's own."""
    if len(limbs) == 1:
        return np.asarray(limbs[0].astype(np.int64))
    counted = np.array([limb.astype(np.int64) for limb in limbs]).astype(object)
    return np.asarray(sum((limb << LIMB * at for at, limb in enumerate(counted)), start=counted[0] * 0))


class Axes:
    """Dice from place 0 on, in the order in which they came; arguments from `room_for_dice` on. Never changed.

    So what is found of it once, holds for all runs that came so far. Places are told as the bits of a `support`.
    """

    __slots__ = ("_besides", "_known_ways", "_points", "_ways", "_wider", "groups", "lanes", "room_for_dice")

    def __init__(self, room_for_dice: int, groups: Mapping[int, Group] = MappingProxyType({}), lanes: int = 1) -> None:
        self.room_for_dice, self.groups, self.lanes = room_for_dice, groups, lanes
        self._known_ways: dict[tuple[Group, ...], Ways] = {}
        self._besides: dict[int, int] = {}
        self._points: dict[int, tuple[int, ...]] = {}
        self._ways: dict[int, Ways] = {}
        self._wider: dict[tuple[int, Group], Axes] = {}

    def having(self, place: int, group: Group) -> Axes:
        """These and another one."""
        wider = self._wider.get((place, group))
        if wider is None:
            groups, lanes = {**self.groups, place: group}, self.lanes * group.size
            wider = self._wider[place, group] = Axes(self.room_for_dice, groups, lanes)
            wider._known_ways = self._known_ways
        return wider

    def along(self, support: int) -> list[Group]:
        return [group for place, group in self.groups.items() if support >> place & 1]

    def weight_beside(self, support: int) -> int:
        """The weight of all dice but these."""
        found = self._besides.get(support)
        if found is None:
            found = self._besides[support] = prod([it.weight for place, it in self._dice() if not support >> place & 1])
        return found

    def ways(self, support: int) -> Ways:
        """The weight of each combination of these dice."""
        found = self._ways.get(support)
        if found is None:
            dice = tuple([group for place, group in self._dice() if support >> place & 1])
            found = self._known_ways.get(dice)
            if found is None:
                found = self._known_ways[dice] = Ways([group.weights for group in dice])
            self._ways[support] = found
        return found

    def points(self, support: int) -> tuple[int, ...]:
        """Number of values of each argument along these axes, or 1 if it has none; the last laid out is first."""
        found = self._points.get(support)
        if found is None:
            arguments = [(place, group) for place, group in self.groups.items() if place >= self.room_for_dice]
            sizes = [group.size if support >> place & 1 else 1 for place, group in reversed(arguments)]
            found = self._points[support] = tuple(sizes)
        return found

    def _dice(self) -> list[tuple[int, Group]]:
        return [(place, group) for place, group in self.groups.items() if place < self.room_for_dice]


MOST_AXES = 48
"""NumPy knows 64 dimensions; the others are for the arguments of a grid."""


class Part:
    """The lanes that are in, along some of the axes (as bits), and their number. The parts of a run share no axis.

    `weight`, once somebody wanted to know it, serves all runs that have the part.
    """

    __slots__ = ("lanes", "number", "support", "weight")

    def __init__(self, support: int, lanes: Array, number: int) -> None:
        self.support, self.lanes, self.number = support, lanes, number
        self.weight: Any = None


IN_PLACE: Final = object()
"""Stands in a route where a question was run in its place."""

Drawn = tuple[Group, int | None, int]
"""Outcomes along an axis, told by its place; or a single one, told by its own place."""


class Ground(NamedTuple):
    """Axes laid out so far, and the weight of dice that were not.

    The `route` is what was met, in order; `asked`, over a grid, is the question and how much happened before it.
    """

    axes: Axes
    next_place: int = 0
    grid: tuple[tuple[Group, int | None], ...] = ()
    arguments: int = 0
    weight: int = 1
    total: int = 1
    route: tuple[Drawn | None, ...] = ()
    asked: tuple[Any, int] | None = None


class Start(NamedTuple):
    """A run still to be made: what happened before it leaves its elder, and the lanes that it takes along."""

    ground: Ground
    happened: tuple[Any, ...] = ()
    parts: tuple[Part, ...] = ()
    known: Mapping[object, bool] = MappingProxyType({})
    story: tuple[Any, ...] = ()


def lanes_of(run: Run | Start) -> int:
    """Number of lanes in it."""
    found = run.ground.axes.lanes
    for part in run.parts:
        found = found // part.lanes.size * part.number
    return found


class Run:
    """A rule can't be stopped in the middle and gone on with twice, so each run begins at the beginning.

    Up to where it leaves its elder it is told, in order, what everything comes to, and nothing is computed twice:
    while `place` is under `told`, whoever would compute something is to `recall` it, and to `keep` it later on.
    The `story` is what parted this run from others, each with the way that it went.
    """

    forms: Any = None
    """Stands in the story where outcomes of several forms parted."""

    def __init__(self, space: Space, start: Start) -> None:
        self.space = space
        self.ground, self.parts = start.ground, start.parts
        self.place, self.told = 0, len(start.happened)
        self.is_going = True
        self.stopped: BaseException | None = None
        self.happened = list(start.happened)
        self.story = list(start.story)
        self._known = dict(start.known)

    # ---------------------------------------------------------------- what happens, in order

    def recall(self) -> Any:
        self.place += 1
        return self.happened[self.place - 1]

    def keep(self, found: T) -> T:
        self.happened.append(found)
        return found

    def noted(self, find: Callable[..., Any], *given: Any) -> Any:
        """Something found along the way, and not found again in the runs that go on from here."""
        if self.place < self.told:
            return self.recall()
        before = len(self.happened)
        found = find(*given)
        if len(self.happened) != before:
            raise self.space.stop("there are lanes in something that can't be looked into")
        return self.keep(found)

    def branch(self, ways: int, parting: Any = None) -> int:
        """Go one of several ways; the others are come back for."""
        if self.place < self.told:
            way: int = self.recall()
            return way
        for other in reversed(range(1, ways)):
            self._come_back(other, self.parts, (parting, other))
        self.story.append((parting, 0))
        return self.keep(0)

    def pick(self, lane: Lane) -> int:
        """Go on with the lanes of one value; the others are come back for."""
        if self.place < self.told:
            value: int = self.recall()
            return value
        return self.keep(self._picked(lane))

    def _come_back(self, answer: Any, parts: tuple[Part, ...], parted: tuple[Any, Any]) -> None:
        happened, story = (*self.happened, answer), (*self.story, parted)
        self.space.waiting.append(Start(self.ground, happened, parts, self._known.copy(), story))

    def _picked(self, lane: Lane) -> int:
        joined, others = self.joined(lane.support)
        joined = joined or Part(0, np.ones((), dtype=bool), 1)
        support = lane.support | joined.support
        self.space.room_for(support)
        numbers, lanes = np.broadcast_arrays(lane.array, joined.lanes)
        values, counts = np.unique(numbers[lanes], return_counts=True)
        first, *rest = zip(values.tolist(), counts.tolist(), strict=True)

        def having(value: int, count: int) -> tuple[Part, ...]:
            return (*others, Part(support, (numbers == value) & lanes, count))

        for value, count in reversed(rest):
            self._come_back(value, having(value, count), (lane, value))
        if rest:
            self.parts = having(*first)
            self.story.append((lane, first[0]))
        return int(first[0])

    def decide(self, condition: Lane, sense: bool) -> bool:
        """Go on with the lanes for which it holds, if there are any; others are come back for.

        The answer, here and when it is recalled, is whether the condition is as `sense` has it.
        """
        holds = self._known.get(condition.key)
        if holds is None:
            holds = self._parted(condition, sense)
            self._known[condition.key] = holds
        return holds is sense

    def _parted(self, condition: Lane, sense: bool) -> bool:
        support, holding = condition.support, condition.array
        joined, others = self.joined(support)
        number = holding.size
        if joined is not None:
            support |= joined.support
            self.space.room_for(support)
            holding = joined.lanes & holding
            number = holding.size // joined.lanes.size * joined.number
        having = int(np.count_nonzero(holding))
        if having in (0, number):
            return having > 0
        held = Part(support, holding, having)
        failed = Part(support, ~holding if joined is None else joined.lanes ^ holding, number - having)
        larger = 2 * having >= number  # first, so that it soon shows whether lanes are a gain
        self._known[condition.key] = not larger
        self._come_back(larger is not sense, (*others, failed if larger else held), (condition, not larger))
        self.story.append((condition, larger))
        self.parts = (*others, held if larger else failed)
        return larger

    def joined(self, support: int) -> tuple[Part | None, tuple[Part, ...]]:
        """The parts that share an axis with these, as one, and all others."""
        whole: Part | None = None
        others: tuple[Part, ...] = ()
        for part in self.parts:
            if not part.support & support:
                others = (*others, part)
            elif whole is None:
                whole = part
            else:
                both = whole.support | part.support
                self.space.room_for(both)
                whole = Part(both, whole.lanes & part.lanes, whole.number * part.number)
        return whole, others

    # ---------------------------------------------------------------- what is drawn

    def draw(self, draw: Draw) -> Any:
        """All outcomes of one form at once; those of another form are come back for."""
        group = self._group(draw)
        place = self._single(group)
        if self.place < self.told:
            return self.recall()
        if place is None:
            self.meet((group, self.ground.next_place, 0), draw.total)
            return self.keep(self.along(group))
        self.meet((group, None, place), draw.total, group.weights[place])
        return self.keep(group.outcomes[place])

    def meet(self, met: Drawn | None, total: int = 1, weight: int = 1) -> None:
        ground = self.ground
        self.ground = ground._replace(
            route=(*ground.route, met), total=ground.total * total, weight=ground.weight * weight
        )

    def argument(self, values: Draw) -> Any:
        """The same for an argument: its values are kept apart to the end, and not weighed.

        Its axis lies beyond those of all dice, so that these are next to each other in memory.
        """
        group = self._group(values)
        place = self._single(group)
        if self.place < self.told:
            return self.recall()
        before, grid = self.ground.arguments, (*self.ground.grid, (group, place))
        if place is None:
            at = self.space.room_for_dice + before
            return self.keep(self._laid_out(at, group, grid=grid, arguments=before + 1))
        self.ground = self.ground._replace(grid=grid)
        return self.keep(group.outcomes[place])

    def asked(self, ask: Callable[[], Any]) -> Any:
        """The question itself, made of its arguments once for all runs that have the same."""
        known = self.ground.asked
        if known is None:
            known = ask(), len(self.happened)
            self.ground = self.ground._replace(asked=known)
        self.place = min(known[1], self.told)
        return known[0]

    def _group(self, draw: Draw) -> Group:
        return draw.groups[0] if len(draw.groups) == 1 else draw.groups[self.branch(len(draw.groups), self.forms)]

    def _single(self, group: Group) -> int | None:
        """Which outcome of the group, if it goes by itself."""
        if group.size == 1:
            return 0
        return self.branch(group.size, self.forms) if group in self.space.dealt_out else None

    def along(self, group: Group) -> Any:
        """The group's outcomes along an axis of their own."""
        place = self.ground.next_place
        if place == self.space.room_for_dice:
            raise self.space.stop(Crowded())
        return self._laid_out(place, group, next_place=place + 1)

    def _laid_out(self, place: int, group: Group, **further: Any) -> Any:
        """The group's outcomes as one value, with lanes along this axis for what differs."""
        self.ground = self.ground._replace(axes=self.ground.axes.having(place, group), **further)
        space = self.space
        found = space.laid_out.get((place, group))
        if found is None:
            # The newest axis is the first dimension, so that older numbers need no new shape beside newer ones.
            along = (-1, *(1,) * place)
            lanes = [
                bounds[0] if bounds[0] == bounds[1] else Lane(space, 1 << place, bounds, column.reshape(along))
                for column, bounds in zip(group.columns, group.bounds, strict=True)
            ]
            found = space.laid_out[place, group] = group.filled(lanes)
        return found
