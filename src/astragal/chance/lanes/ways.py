"""Weights of combinations of dice. Exact at any size."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from .arithmetic import Array

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
