"""The six pools: what may be spent on a roll, and what a point is worth. SP-02 to SP-04, SP-20."""

from __future__ import annotations

from enum import Enum, StrEnum

HIGHEST_LEVEL = 20
MOST_EFFORT = 9
MOST_EDGE = 3


class Pool(StrEnum):
    """SP-02: six pools, in the book's order."""

    STR = "STR"
    DEX = "DEX"
    CON = "CON"
    INT = "INT"
    WIS = "WIS"
    CHA = "CHA"


def pool_called(name: str) -> Pool | None:
    """The pool of this name, however it is written."""
    return next((pool for pool in Pool if pool.value == name.strip().upper()), None)


class EdgeRule(Enum):
    """SP-20: what Edge does. One of the two for a whole campaign."""

    BONUS = "bonus"
    """It is added to every roll with its pool, for free."""
    EFFICIENCY = "efficiency"
    """The first points spent on a roll count double."""


def effort_limit(level: int, *, primary: bool) -> int:
    """SP-04: 3 points a roll, one more at 5, 9, 13 and 17, and 2 more in the primary pool."""
    return 3 + steps_by(level) + (2 if primary else 0)


def steps_by(level: int) -> int:
    """How many of the levels 5, 9, 13 and 17 are reached."""
    return (level - 1) // 4


def edge_bonus(edge: int, edge_rule: EdgeRule) -> int:
    """SP-20: Edge is added to the roll, or saves points instead."""
    return edge if edge_rule is EdgeRule.BONUS else 0


def doubled_points(edge: int, edge_rule: EdgeRule) -> int:
    """SP-20: how many of the points spent on a roll count double; at Edge 0 none."""
    return edge + 1 if edge_rule is EdgeRule.EFFICIENCY and edge else 0


def worth(points: int, doubled: int) -> int:
    """SP-03, SP-20: a point is +1, and one that counts double +2."""
    return points + min(points, doubled)
