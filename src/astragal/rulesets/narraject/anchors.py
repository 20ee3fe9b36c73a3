"""Anchors and Burdens: what helps because of who one is, and what gets in the way. NJ-14 to NJ-16."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

from typing_extensions import Doc

from astragal.table.fields import Name
from astragal.table.seen import Seen
from astragal.values import frozen


class Grade(Enum):
    """NJ-14, NJ-15: how many dice an Anchor gives, or a Burden or a Condition takes."""

    MINOR = "minor"
    MODERATE = "moderate"
    MAJOR = "major"

    @property
    def dice(self) -> int:
        return list(Grade).index(self) + 1

    @property
    def higher(self) -> Grade | None:
        return Grade.of(self.dice + 1)

    @property
    def lower(self) -> Grade | None:
        return Grade.of(self.dice - 1)

    @classmethod
    def of(cls, dice: int) -> Grade | None:
        return next((grade for grade in cls if grade.dice == dice), None)


class Scope(Enum):
    """NJ-14: when an Anchor applies, and not how much it gives."""

    BROAD = "broad"
    SPECIFIC = "specific"


@frozen(kw_only=True)
class Anchor:
    """NJ-14: a background, training or skill."""

    name: Annotated[Name, Doc("what it is called"), Seen.ALL]
    grade: Annotated[Grade, Doc("minor 1, moderate 2 or major 3 dice"), Seen.ALL] = Grade.MINOR
    scope: Annotated[Scope, Doc("whether it covers much or little; the dice are the same"), Seen.ALL] = Scope.BROAD


@frozen(kw_only=True)
class Burden:
    """NJ-15: a weakness, fear or limit."""

    name: Annotated[Name, Doc("what it is called"), Seen.ALL]
    grade: Annotated[Grade, Doc("minor 1, moderate 2 or major 3 dice fewer"), Seen.ALL] = Grade.MINOR


def burdens_missing(anchors: int, burdens: int) -> int:
    """NJ-16: the Rule of Balance asks for a Burden for every Anchor; so many are still owed."""
    return max(0, anchors - burdens)
