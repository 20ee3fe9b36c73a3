"""Arithmetic on lanes, with the range that each operation can reach: no number overflows 64 bits unnoticed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Bounds = tuple[int, int]


def _bounds_of_product(a: Bounds, b: Bounds) -> Bounds:
    corners = [x * y for x in a for y in b]
    return min(corners), max(corners)


def _bounds_of_quotient(a: Bounds, b: Bounds) -> Bounds:
    most = max(abs(a[0]), abs(a[1]))
    return (0 if a[0] >= 0 and b[0] > 0 else -most), most


def _bounds_of_rest(_a: Bounds, b: Bounds) -> Bounds:
    return min(b[0] + 1, 0), max(b[1] - 1, 0)


def _bounds_of_distance(a: Bounds) -> Bounds:
    return max(a[0], -a[1], 0), max(-a[0], a[1])


def _divided(a: Array | int, b: Array | int) -> Array:
    """Division; lanes with divisor 0 have raised already, so nobody looks at them."""
    return np.floor_divide(a, np.where(np.equal(b, 0), 1, b))


def _rest(a: Array | int, b: Array | int) -> Array:
    return np.remainder(a, np.where(np.equal(b, 0), 1, b))


OPERATIONS: dict[str, tuple[Callable[..., Array], Callable[..., Bounds]]] = {
    "add": (np.add, lambda a, b: (a[0] + b[0], a[1] + b[1])),
    "sub": (np.subtract, lambda a, b: (a[0] - b[1], a[1] - b[0])),
    "mul": (np.multiply, _bounds_of_product),
    "floordiv": (_divided, _bounds_of_quotient),
    "mod": (_rest, _bounds_of_rest),
    "neg": (np.negative, lambda a: (-a[1], -a[0])),
    "abs": (np.absolute, _bounds_of_distance),
}
