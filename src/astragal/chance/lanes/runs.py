"""One run through a rule: the lanes that are in it, and what was decided on the way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import numpy as np

from .arithmetic import Array
from .forms import Draw, Group
from .lane import Lane
from .space import Condition, Space

T = TypeVar("T")

MOST_AXES = 48
"""NumPy knows 64 dimensions; the others are for the arguments of a grid."""


class Part(NamedTuple):
    """The lanes that are in, along some of the axes (as bits), and their number. The parts of a run share no axis."""

    support: int
    lanes: Array
    number: int


class Start(NamedTuple):
    """A run still to be made: what happened before it leaves its elder, and the lanes that it takes along."""

    happened: tuple[Any, ...] = ()
    parts: tuple[Part, ...] = ()
    known: Mapping[Condition, bool] = MappingProxyType({})
    story: tuple[Any, ...] = ()


class Run:
    """A rule can't be stopped in the middle and gone on with twice, so each run begins at the beginning.

    Up to where it leaves its elder it is told, in order, what everything comes to, and nothing is computed twice:
    while `place` is under `told`, whoever would compute something is to `recall` it, and to `keep` it later on.
    The `story` is what parted this run from others, each with the way that it went.
    """

    def __init__(self, space: Space, start: Start) -> None:
        self.space = space
        self.parts = start.parts
        self.place, self.told = 0, len(start.happened)
        self.axes: dict[int, Group] = {}
        self.next_place = 0
        self.grid: list[tuple[Group, int | None]] = []
        self.grid_places: list[int] = []
        self.weight = self.total = 1
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
        self.space.waiting.append(Start((*self.happened, answer), parts, self._known.copy(), (*self.story, parted)))

    def from_here(self) -> Start:
        return Start(tuple(self.happened), self.parts, self._known, tuple(self.story))

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

    def decide(self, condition: Condition, sense: bool) -> bool:
        """Go on with the lanes for which it holds, if there are any; others are come back for.

        The answer, here and when it is recalled, is whether the condition is as `sense` has it.
        """
        holds = self._known.get(condition)
        if holds is None:
            holds = self._parted(condition, sense)
            self._known[condition] = holds
        return holds is sense

    def _parted(self, condition: Condition, sense: bool) -> bool:
        joined, others = self.joined(condition.support)
        support, holding = condition.support, condition.array
        number = holding.size
        if joined is not None:
            extra = support & ~joined.support
            number = joined.number * self.space.room_for(extra) if extra else joined.number
            support |= joined.support
            self.space.room_for(support)
            holding = joined.lanes & holding
        having = int(np.count_nonzero(holding))
        if having in (0, number):
            return having > 0
        failing = ~holding if joined is None else joined.lanes ^ holding
        sides = {True: Part(support, holding, having), False: Part(support, failing, number - having)}
        larger = 2 * having >= number  # first, so that it soon shows whether lanes are a gain
        self._known[condition] = not larger
        self._come_back(larger is not sense, (*others, sides[not larger]), (condition, not larger))
        self.story.append((condition, larger))
        self.parts = (*others, sides[larger])
        return larger

    @property
    def lanes(self) -> int:
        """How many are in it."""
        seen, found = 0, 1
        for part in self.parts:
            seen |= part.support
            found *= part.number
        for place, group in self.axes.items():
            if not seen >> place & 1:
                found *= group.size
        return found

    def joined(self, support: int) -> tuple[Part | None, tuple[Part, ...]]:
        """The parts that share an axis with these, as one, and all others."""
        touched = [part for part in self.parts if part.support & support]
        if not touched:
            return None, self.parts
        others = tuple([part for part in self.parts if not part.support & support])
        whole = touched[0]
        for part in touched[1:]:
            both = whole.support | part.support
            self.space.room_for(both)
            whole = Part(both, whole.lanes & part.lanes, whole.number * part.number)
        return whole, others

    # ---------------------------------------------------------------- what is drawn

    def draw(self, draw: Draw) -> Any:
        """All outcomes of one form at once; those of another form are come back for."""
        self.total *= draw.total
        group = self._group(draw)
        place = self._single(group)
        if place is None:
            return self._along(group)
        self.weight *= group.weights[place]
        return group.outcome(place)

    def argument(self, values: Draw) -> Any:
        """The same for an argument: its values are kept apart to the end, and not weighed.

        Its axis lies beyond those of all dice, so that these are next to each other in memory.
        """
        group = self._group(values)
        place = self._single(group)
        self.grid.append((group, place))
        if place is not None:
            return group.outcome(place)
        self.grid_places.append(self.space.room_for_dice + len(self.grid_places))
        return self._laid_out(self.grid_places[-1], group)

    def _group(self, draw: Draw) -> Group:
        return draw.groups[0] if len(draw.groups) == 1 else draw.groups[self.branch(len(draw.groups))]

    def _single(self, group: Group) -> int | None:
        """Which outcome of the group, if it goes by itself."""
        if group.size == 1:
            return 0
        return self.branch(group.size) if group in self.space.dealt_out else None

    def _along(self, group: Group) -> Any:
        place = self.next_place
        if place == self.space.room_for_dice:
            raise self.space.crowded()
        self.next_place += 1
        return self._laid_out(place, group)

    def _laid_out(self, place: int, group: Group) -> Any:
        self.axes[place] = group
        return self.space.laid_out(place, group)
