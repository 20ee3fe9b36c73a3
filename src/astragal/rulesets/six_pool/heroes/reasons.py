"""What is said of a build: each reason why it can't be, with what would settle it, and what a repair changed."""

from __future__ import annotations

from typing import assert_never

from .build import (
    ARRAY,
    BadLevel,
    BelowTheArray,
    EdgeOutOfRange,
    LowPrimary,
    MissingPool,
    NoPrimaryEdge,
    PoolOutOfRange,
    Reason,
    UnknownClass,
    WrongEdgeTotal,
    WrongTotal,
)
from .repairs import Repair


def reason_words(reason: Reason) -> str:
    """One reason, and what would settle it."""
    match reason:
        case UnknownClass(name, known):
            return f"there is no class {name!r}; there are {', '.join(known)}"
        case BadLevel(level):
            return f"levels go from 1 to 20, not to {level}"
        case MissingPool() | PoolOutOfRange() | EdgeOutOfRange():
            return _range_words(reason)
        case LowPrimary() | WrongTotal() | BelowTheArray():
            return _array_words(reason)
        case NoPrimaryEdge(pool):
            return f"the first step of Edge is in {pool}, the primary pool"
        case WrongEdgeTotal(total, wanted):
            return f"{total} steps of Edge: {_off(total - wanted)}"
    assert_never(reason)


def _range_words(reason: MissingPool | PoolOutOfRange | EdgeOutOfRange) -> str:
    match reason:
        case MissingPool(pool):
            return f"{pool} has no number"
        case PoolOutOfRange(pool, points):
            return f"{pool} {points} can't be: a pool has 1 to 99"
        case EdgeOutOfRange(pool, edge):
            return f"an Edge of {edge} in {pool} can't be: it goes from 0 to 3"
    assert_never(reason)


def _array_words(reason: LowPrimary | WrongTotal | BelowTheArray) -> str:
    match reason:
        case LowPrimary(pool, points, least):
            return f"{pool} {points} is the primary pool and must be at least {least}"
        case WrongTotal(total, wanted):
            return f"the pools come to {total}: {_off(total - wanted)} (they must come to {wanted})"
        case BelowTheArray(others):
            numbers = ", ".join(map(str, others))
            return f"the other pools, {numbers}, must reach {', '.join(map(str, ARRAY[1:]))}, highest to highest"
    assert_never(reason)


def repair_words(repair: Repair) -> str:
    """What a repair changed: "DEX 14 → 15, Edge in STR 0 → 1"."""
    return ", ".join(
        f"{'Edge in ' if change.is_edge else ''}{change.pool} {change.before} → {change.after}"
        for change in repair.changes
    )


def _off(by: int) -> str:
    return f"{by} too many" if by > 0 else f"{-by} too few"
