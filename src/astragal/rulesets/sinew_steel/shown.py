"""A roll as events tell it: the die to all, the numbers behind it to those who may know them."""

from __future__ import annotations

from typing import Annotated

from astragal.table.seen import Seen
from astragal.table.state import Character
from astragal.values import frozen

from .circumstances import Ground, is_closed
from .rolling import Degree, Footing, Roll
from .sheet import Sheet


@frozen(kw_only=True)
class Numbers:
    """What the die was held against, and what that left."""

    score: Annotated[int, Seen.ALL]
    margin: Annotated[int, Seen.ALL]
    soak_left: Annotated[int | None, Seen.ALL] = None
    bonus: Annotated[int | None, Seen.ALL] = None


@frozen(kw_only=True)
class ShownRoll:
    """SS-03, SS-04, SS-68: a roll with its nudge. Numbers are open, or closed to all but the roller's own player."""

    who: Annotated[str, Seen.ALL]
    attribute: Annotated[str, Seen.ALL]
    footing: Annotated[Footing, Seen.ALL]
    because: Annotated[tuple[str, ...], Seen.ALL]
    natural: Annotated[int, Seen.ALL]
    nudge: Annotated[int, Seen.ALL]
    degree: Annotated[Degree, Seen.ALL]
    open: Annotated[Numbers | None, Seen.ALL] = None
    closed: Annotated[Numbers | None, Seen.OWNER] = None

    @property
    def owner(self) -> str:
        return self.who

    @property
    def numbers(self) -> Numbers:
        """In the view of someone who may not know, this is withheld."""
        numbers = self.open if self.open is not None else self.closed
        assert numbers is not None  # noqa: S101 - one of the two is always given
        return numbers


@frozen
class Worn:
    """SS-35, SS-36: what a hit's margin did."""

    soak_left: int
    bonus: int


def shown(who: Character[Sheet], key: str, standing: Ground, roll: Roll, worn: Worn | None = None) -> ShownRoll:
    """The roll as it is told."""
    closed = is_closed(who)
    numbers = Numbers(
        score=roll.score,
        margin=roll.margin,
        soak_left=worn.soak_left if worn else None,
        bonus=worn.bonus if worn else None,
    )
    return ShownRoll(
        who=who.id,
        attribute=key,
        footing=standing.footing,
        because=standing.because,
        natural=roll.natural,
        nudge=roll.nudge,
        degree=roll.degree,
        open=None if closed else numbers,
        closed=numbers if closed else None,
    )
