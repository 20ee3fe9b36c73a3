"""Who somebody is in numbers: heroes, everyone else in the story, and things that can be harmed."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from typing import Annotated

from astragal.table.refusals import NoSuchThing
from astragal.table.seen import Seen
from astragal.table.state import Character, State
from astragal.values import frozen

WORN_OUT = -5
"""NS-15: where harm to something without attributes takes it out of the scene."""


class Attribute(Enum):
    BODY = "body"
    MIND = "mind"
    WILL = "will"


class Kind(Enum):
    HERO = "hero"
    NPC = "npc"
    THING = "thing"


@frozen(kw_only=True)
class Points:
    """NS-11: an attribute as it stands, which is the number of its dice, and as it is when whole."""

    now: Annotated[int, Seen.ALL]
    full: Annotated[int, Seen.ALL]

    @property
    def missing(self) -> int:
        return self.full - self.now


@frozen(kw_only=True)
class Status:
    """NS-09: something that is true of somebody or something, and what it is worth."""

    id: Annotated[str, Seen.ALL]
    name: Annotated[str, Seen.ALL]
    value: Annotated[int, Seen.ALL]
    who: Annotated[str | None, Seen.ALL] = None
    """Whom it is on, where that is somebody in the story."""
    what: Annotated[str, Seen.ALL] = ""
    """What else it is on; neither is the scene itself, which is around everyone."""
    speciality: Annotated[bool, Seen.ALL] = False
    """NS+01: learned, and lasting."""


@frozen(kw_only=True)
class Sheet:
    """NS-15: heroes have all three attributes; others those that the game master gave them."""

    kind: Annotated[Kind, Seen.ALL]
    body: Annotated[Points | None, Seen.ALL] = None
    mind: Annotated[Points | None, Seen.ALL] = None
    will: Annotated[Points | None, Seen.ALL] = None
    statuses: Annotated[tuple[Status, ...], Seen.ALL] = ()
    knocked_out: Annotated[bool, Seen.ALL] = False
    """NS-12: for the scene. Healing does not end it."""
    kept_down: Annotated[bool, Seen.ALL] = False
    """NS-12: the game master says that this one does not wake with the next scene."""
    xp: Annotated[int, Seen.ALL] = 0
    lesson: Annotated[int | None, Seen.ALL] = None
    """NS+01: the XP that the last roll's lesson costs; none where it taught nothing."""
    about: Annotated[str, Seen.ALL] = ""

    @property
    def is_hero(self) -> bool:
        return self.kind is Kind.HERO

    @property
    def worn(self) -> int:
        """NS-15: the one negative status that harm has made."""
        return next((status.value for status in self.statuses if status.id == harm_id(status.who)), 0)

    def points(self, attribute: Attribute) -> Points | None:
        points: Points | None = getattr(self, attribute.value)
        return points

    def dice(self, attribute: Attribute) -> int:
        points = self.points(attribute)
        return 0 if points is None else points.now

    def left_with(self, attribute: Attribute, now: int) -> Sheet:
        points = self.points(attribute)
        changed = Points(now=now, full=now) if points is None else replace(points, now=now)
        return replace(self, **{attribute.value: changed})  # type: ignore[arg-type]

    def with_status(self, status: Status) -> Sheet:
        return replace(self, statuses=with_status(self.statuses, status))


def with_status(statuses: tuple[Status, ...], status: Status) -> tuple[Status, ...]:
    """The statuses with this one among them, in the place of an earlier one of its id."""
    if all(one.id != status.id for one in statuses):
        return (*statuses, status)
    return tuple(status if one.id == status.id else one for one in statuses)


def harm_id(who: str | None) -> str:
    return f"{who}-harm"


def find(state: State, who: str) -> Character[Sheet]:
    """The character of this id."""
    if who not in state.characters:
        raise NoSuchThing(f"There is nobody {who[:40]!r} in this story.")
    return state.characters[who]
