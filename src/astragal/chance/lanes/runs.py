"""One run through a rule: its axes, its lanes, and the decisions on its way."""

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
"""Limits up to which floats count exactly."""
LIMB = 30
"""Larger weights are counted in limbs of this many bits: four million of them still fit a float."""


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
        """The weight of the lanes; for each row, if there are rows."""
        chosen = lanes.astype(self._limbs[0].dtype)  # a product of floats is the fastest sum
        return _whole([chosen @ limb for limb in self._limbs])

    def counted(self, codes: Array, combinations: Array | None, size: int) -> Array:
        """The weight of the combinations with each code; of all combinations, in order, by default."""
        chosen = self._limbs if combinations is None else [limb[combinations] for limb in self._limbs]
        return _whole([np.bincount(codes, limb, size) for limb in chosen])


def _whole(limbs: Sequence[Array]) -> Array:
    """Convert to whole numbers: 64-bit if they fit, else Python integers."""
    if len(limbs) == 1:
        return np.asarray(limbs[0].astype(np.int64))
    counted = np.array([limb.astype(np.int64) for limb in limbs]).astype(object)
    return np.asarray(sum((limb << LIMB * at for at, limb in enumerate(counted)), start=counted[0] * 0))


class Axes:
    """Immutable axes: dice from place 0 on, in the order in which they came; arguments from `room_for_dice` on.

    Because they never change, cached results hold for all runs that got this far. A `support` is a set of places as
    bits.
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
        """These axes and another one."""
        wider = self._wider.get((place, group))
        if wider is None:
            groups, lanes = {**self.groups, place: group}, self.lanes * group.size
            wider = self._wider[place, group] = Axes(self.room_for_dice, groups, lanes)
            wider._known_ways = self._known_ways
        return wider

    def along(self, support: int) -> list[Group]:
        return [group for place, group in self.groups.items() if support >> place & 1]

    def weight_beside(self, support: int) -> int:
        """The weight of all dice except these."""
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
        """Number of values of each argument along these axes, 1 for the other arguments; the newest comes first."""
        found = self._points.get(support)
        if found is None:
            arguments = [(place, group) for place, group in self.groups.items() if place >= self.room_for_dice]
            sizes = [group.size if support >> place & 1 else 1 for place, group in reversed(arguments)]
            found = self._points[support] = tuple(sizes)
        return found

    def _dice(self) -> list[tuple[int, Group]]:
        return [(place, group) for place, group in self.groups.items() if place < self.room_for_dice]


MOST_AXES = 48
"""NumPy supports 64 dimensions; the others are for the arguments of a grid."""


class Part:
    """The lanes that are in, along some of the axes (as bits), and their number. Parts of a run share no axis.

    `weight` is calculated on demand and cached for all runs that have the part.
    """

    __slots__ = ("lanes", "number", "support", "weight")

    def __init__(self, support: int, lanes: Array, number: int) -> None:
        self.support, self.lanes, self.number = support, lanes, number
        self.weight: Any = None


IN_PLACE: Final = object()
"""Marks a question in a route that was run in its place."""

Drawn = tuple[Group, int | None, int]
"""A group and the place of its axis; or, without an axis, the place of a single outcome."""


class Layout(NamedTuple):
    """Axes laid out so far, and the weight of dice that have none.

    `route` is everything that was met, in order; `asked`, over a grid, is the question and how much happened before it.
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
    """A pending run: what happened before it parts from its parent, and the lanes that it takes along."""

    ground: Layout
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
    """One run of a rule. Generators can't be resumed twice from the same point, so each run starts from the beginning.

    Up to where it parts from its parent, results are replayed in order, and nothing is calculated twice: while `place`
    is below `told`, callers must `recall` a result instead of calculating it; afterwards they must `keep` it. The
    `story` is what parted this run from others, each with the way that it went.
    """

    forms: Any = None
    """Stands in the story for a branch between outcomes of several forms."""

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
        """Calculate something once; runs that continue from here recall it."""
        if self.place < self.told:
            return self.recall()
        before = len(self.happened)
        found = find(*given)
        if len(self.happened) != before:
            raise self.space.stop("there are lanes in something that can't be looked into")
        return self.keep(found)

    def branch(self, ways: int, parting: Any = None) -> int:
        """Take the first of several ways; later runs take the others."""
        if self.place < self.told:
            way: int = self.recall()
            return way
        for other in reversed(range(1, ways)):
            self._come_back(other, self.parts, (parting, other))
        self.story.append((parting, 0))
        return self.keep(0)

    def pick(self, lane: Lane) -> int:
        """Go on with the lanes of one value; later runs take the others."""
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
        """Go on with the lanes that agree on the condition, the larger part first; a later run takes the others.

        Returns whether the outcome equals `sense`, here and when it is recalled.
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
        larger = 2 * having >= number  # the larger half first: it soon shows whether lanes are faster
        self._known[condition.key] = not larger
        self._come_back(larger is not sense, (*others, failed if larger else held), (condition, not larger))
        self.story.append((condition, larger))
        self.parts = (*others, held if larger else failed)
        return larger

    def joined(self, support: int) -> tuple[Part | None, tuple[Part, ...]]:
        """Merge the parts that share an axis with `support`; return the merged part, if any, and the others."""
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

    # ---------------------------------------------------------------- draws

    def draw(self, draw: Draw) -> Any:
        """Draw all outcomes of one form at once; later runs draw the other forms."""
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
        """Lay out an argument. Its values are kept apart to the end, and not weighed.

        Its axis lies beyond those of all dice, so that the dice are contiguous in memory.
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
        """The question itself, made from its arguments once for all runs with the same arguments."""
        known = self.ground.asked
        if known is None:
            known = ask(), len(self.happened)
            self.ground = self.ground._replace(asked=known)
        self.place = min(known[1], self.told)
        return known[0]

    def _group(self, draw: Draw) -> Group:
        return draw.groups[0] if len(draw.groups) == 1 else draw.groups[self.branch(len(draw.groups), self.forms)]

    def _single(self, group: Group) -> int | None:
        """Place of the only outcome, if the outcomes of this group are run one by one."""
        if group.size == 1:
            return 0
        return self.branch(group.size, self.forms) if group in self.space.one_by_one else None

    def along(self, group: Group) -> Any:
        """Lay out the group's outcomes along an axis of their own."""
        place = self.ground.next_place
        if place == self.space.room_for_dice:
            raise self.space.stop(Crowded())
        return self._laid_out(place, group, next_place=place + 1)

    def _laid_out(self, place: int, group: Group, **further: Any) -> Any:
        """The group's outcomes as one value, with lanes along this axis for the numbers that differ."""
        self.ground = self.ground._replace(axes=self.ground.axes.having(place, group), **further)
        space = self.space
        found = space.laid_out.get((place, group))
        if found is None:
            # The newest axis is the first dimension, so that older arrays broadcast with newer ones unchanged.
            along = (-1, *(1,) * place)
            lanes = [
                bounds[0] if bounds[0] == bounds[1] else Lane(space, 1 << place, bounds, column.reshape(along))
                for column, bounds in zip(group.columns, group.bounds, strict=True)
            ]
            found = space.laid_out[place, group] = group.filled(lanes)
        return found
