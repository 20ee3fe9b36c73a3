"""Pressure: a fuse from 0 to 5, and the crisis at its end. SS-50 to SS-55."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, NamedTuple, TypeAlias

from annotated_types import Ge, Le
from typing_extensions import Doc

from astragal.chance import Notable, Offer, Rolls, d6, rerolled, rule

from .luck import LEVEL, Stand, nudged_test
from .rolling import Roll, Score

FULL = 5
"""SS-54: where the crisis comes."""
COSTLY = 4
"""SS-52: where power and pools cost more."""

Step: TypeAlias = Annotated[int, Ge(0), Le(4), Doc("where the track stands")]
Carried: TypeAlias = Annotated[tuple[str, ...], Doc("what the one who is struck could lose")]


class Scope(Enum):
    """SS-50: whose the track is."""

    SHARED = "shared"
    PERSONAL = "personal"
    BOTH = "both"


class Toll(Enum):
    """SS-53: whether decisions to spend cost more at step 4 by themselves, or once the custodian says so."""

    PROPOSED = "proposed"
    AUTOMATIC = "automatic"


class Result(Enum):
    """SS-55: what a crisis does, by the faces of its die."""

    LOSS_OF_CONTROL = 1
    WITHERING = 2
    LONG_SHADOW = 3
    DISPLACEMENT = 4
    SECRET_OUT = 5


TWICE = 6
ROLL = 0
"""SS-55: the custodian's answer for leaving it to the die; 1 to 6 pick a row."""


class Crisis(NamedTuple):
    """What came, and what was lost to it."""

    results: tuple[Result, ...]
    lost: str | None = None


class Row(NamedTuple):
    """A row of the crisis table, to be picked."""

    face: int


def step_after(before: int, rise: int) -> int:
    """SS-54: what goes past 5 is lost."""
    return min(FULL, before + rise)


@rule
def crisis(carried: Carried = ()) -> Rolls[Crisis]:
    """SS-55: picked or rolled; a 6 brings two, never the same twice and never a further 6. A picked 6 is rolled."""
    rows = tuple(Notable(face, None, Row(face)) for face in range(1, 7))
    face = yield from Offer("custodian", "crisis", (ROLL, *range(1, 7)), rows)
    if face == ROLL:
        face = yield from d6
    results: tuple[Result, ...]
    if face == TWICE:
        first = yield from rerolled(d6, (TWICE,))
        second = yield from rerolled(d6, (TWICE, first))
        results = (Result(first), Result(second))
    else:
        results = (Result(face),)
    lost = carried[0] if carried and Result.WITHERING in results else None
    if lost is not None and len(carried) > 1:
        lost = yield from Offer("struck", "key item", carried)
    return Crisis(results, lost)


@rule
def rising(
    before: Step, rise: Annotated[int, Ge(0), Le(5), Doc("by how much it rises")] = 1, carried: Carried = ()
) -> Rolls[Crisis | None]:
    """SS-54: reaching 5 brings a crisis at once, and one alone."""
    if step_after(before, rise) < FULL:
        return None
    return (yield from crisis(carried))


class Tampering(NamedTuple):
    """A risky test, and the crisis where its failure was one too many."""

    roll: Roll
    crisis: Crisis | None = None


@rule
def tampering(
    score: Score,
    stand: Stand = LEVEL,
    lethal: Annotated[bool, Doc("whether life is at stake, so that the roller is warned first")] = False,
    before: Step = 0,
    carried: Carried = (),
) -> Rolls[Tampering]:
    """SS-51, SS-67: a test of an attribute; failure adds 1 to the track."""
    roll = yield from nudged_test(score, stand, lethal)
    if roll.success:
        return Tampering(roll)
    return Tampering(roll, (yield from rising(before, 1, carried)))
