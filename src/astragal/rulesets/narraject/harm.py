"""What harm does: boxes of stress, and Conditions for what does not fit. NJ+03, NJ+05."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from enum import Enum
from typing import Annotated

from typing_extensions import Doc

from astragal.table.fields import Name
from astragal.table.seen import Seen
from astragal.values import frozen

from .anchors import Grade
from .stats import Stat

BOXES = 3


class Track(Enum):
    """NJ+03: harm to the body, or to the mind."""

    PHYSICAL = "physical"
    MENTAL = "mental"


def track_of(stat: Stat) -> Track:
    """NJ+03: whose Conditions count on a stat."""
    return Track.PHYSICAL if stat in (Stat.MIGHT, Stat.AGILITY) else Track.MENTAL


@frozen(kw_only=True)
class Condition:
    """NJ+03: harm that stays, in one of the slots that each track has: one for each grade."""

    track: Annotated[Track, Seen.ALL]
    grade: Annotated[Grade, Seen.ALL]
    name: Annotated[Name | None, Doc("what it is called, where somebody said so"), Seen.ALL] = None

    @property
    def label(self) -> str:
        return self.name or f"{self.grade.value} {self.track.value} condition"


@frozen
class Suffered:
    """What a hit does: so many boxes are filled afterwards, a slot is taken, or one is taken out."""

    boxes: int
    condition: Grade | None = None
    taken_out: bool = False


def grade_of(overflow: int) -> Grade:
    """NJ+03: 1 or 2 beyond the boxes is Minor, 3 or 4 Moderate, anything more Major."""
    return Grade.MINOR if overflow <= 2 else Grade.MODERATE if overflow <= 4 else Grade.MAJOR


def suffer(filled: int, taken: Iterable[Grade], damage: int) -> Suffered:
    """NJ+03: damage fills boxes. What does not fit takes a slot, the next higher if need be, and the track clears."""
    overflow = filled + damage - BOXES
    if overflow <= 0:
        return Suffered(filled + damage)
    slot = _slot_from(grade_of(overflow), set(taken))
    return Suffered(BOXES, taken_out=True) if slot is None else Suffered(0, slot)


def _slot_from(grade: Grade | None, taken: set[Grade]) -> Grade | None:
    while grade in taken:
        grade = grade.higher
    return grade


def eased(condition: Condition, conditions: Iterable[Condition]) -> Condition | None:
    """NJ+05: one grade lower; past slots that are taken, and None where it is healed."""
    taken = {one.grade for one in conditions if one.track is condition.track}
    grade = condition.grade.lower
    while grade in taken:
        grade = grade.lower
    return None if grade is None else replace(condition, grade=grade)


def gravest(conditions: Iterable[Condition]) -> Condition | None:
    """The worst of them; of equals, the oldest."""
    return max(conditions, key=lambda one: one.grade.dice, default=None)
