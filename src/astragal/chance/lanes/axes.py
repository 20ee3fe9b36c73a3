"""Axes of a grid, the outcomes of a die or the values of an argument; weights of combinations, exact at any size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from types import MappingProxyType

import numpy as np

from .forms import Group
from .lane import Array

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
        chosen = lanes.astype(self._limbs[0].dtype)
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

    __slots__ = ("_besides", "_known_ways", "_points", "_sizes", "_ways", "_wider", "groups", "room_for_dice")

    def __init__(self, room_for_dice: int, groups: Mapping[int, Group] = MappingProxyType({})) -> None:
        self.room_for_dice, self.groups = room_for_dice, groups
        self._known_ways: dict[tuple[Group, ...], Ways] = {}
        self._sizes: dict[int, int] = {}
        self._besides: dict[int, int] = {}
        self._points: dict[int, tuple[int, ...]] = {}
        self._ways: dict[int, Ways] = {}
        self._wider: dict[tuple[int, Group], Axes] = {}

    def having(self, place: int, group: Group) -> Axes:
        """These and another one."""
        wider = self._wider.get((place, group))
        if wider is None:
            wider = self._wider[place, group] = Axes(self.room_for_dice, {**self.groups, place: group})
            wider._known_ways = self._known_ways
        return wider

    def along(self, support: int) -> list[Group]:
        return [group for place, group in self.groups.items() if support >> place & 1]

    def size(self, support: int) -> int:
        """Number of lanes along these axes."""
        found = self._sizes.get(support)
        if found is None:
            found = self._sizes[support] = prod([group.size for group in self.along(support)])
        return found

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
