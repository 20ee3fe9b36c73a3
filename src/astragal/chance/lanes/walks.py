"""A run that tells its story: what was thrown, decided and asked on the way, in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .asked import Asked
from .forms import Draw, Group
from .lane import Lane, Void
from .runs import Part, Run
from .worth import Decided, Forms, Placed, Thrown, Total


class Walk(Run):
    """Backward valuation of a story. Axes of options and of results lie among those of dice."""

    def tell(self, event: Any) -> None:
        if self.place == self.told:  # else it is in the story already
            self.story.append((event, None))

    def draw(self, draw: Draw) -> Any:
        self.tell(Total(draw.total))
        group = self._group(draw)
        place = self._single(group)
        if self.place < self.told:
            return self.recall()
        if place is None:
            self.tell(Thrown(group.weights, self.ground.next_place))
            return self.keep(self._along(group))
        self.tell(Thrown(group.weights[place : place + 1]))
        return self.keep(group.outcomes[place])

    def argument(self, values: Draw) -> Any:
        group = self._group(values)
        place = self._single(group)
        if self.place < self.told:
            return self.recall()
        self.ground = self.ground._replace(grid=(*self.ground.grid, (group, place)))
        self.tell(Placed(group.places if place is None else group.places[place : place + 1], values.outcomes))
        return self.keep(self._along(group) if place is None else group.outcomes[place])

    def _group(self, draw: Draw) -> Group:
        return draw.groups[0] if len(draw.groups) == 1 else draw.groups[self.branch(len(draw.groups), Forms())]

    def _single(self, group: Group) -> int | None:
        if group.size == 1:
            return 0
        return self.branch(group.size, Forms()) if group in self.space.dealt_out else None

    # ---------------------------------------------------------------- decisions

    def choose(self, options: Sequence[Any], sign: int) -> Any:
        """Every option: numbers along an axis, others one by one."""
        if len(options) == 1:
            return options[0]
        if any(type(option) is not int and type(option) is not Lane for option in options):
            return options[self.branch(len(options), Decided(sign))]
        return self.noted(self._spread, options, sign)

    def _spread(self, options: Sequence[Lane | int], sign: int) -> Lane:
        """The options along an axis of their own."""
        place = self.ground.next_place
        self.tell(Decided(sign, place))
        self._along(Group.even(len(options)))
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
        """Every result that the question can have, where it can have it."""
        groups = asked.plan.draw.groups
        if len(groups) == 1:
            self.tell(asked)
        group = groups[0] if len(groups) == 1 else groups[self.branch(len(groups), asked)]
        if group in self.space.dealt_out:
            raise self.space.stop("the result of a question in which somebody decides is used as a key")
        if self.place < self.told:
            return self.recall()
        value = group.outcomes[0] if group.size == 1 else self._along(group)
        self._narrow(asked, group)
        return self.keep(value)

    def _narrow(self, asked: Asked, group: Group) -> None:
        """Not every result can come of every question asked at once: the lanes in which one can't are left out."""
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
