"""What can happen with the toolkit, and with the rules beside the book. SS-67, SS+01 to SS+05."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

from astragal.table.declarations import event
from astragal.table.fields import Words
from astragal.table.seats import Viewer
from astragal.table.seen import Seen

from .options import Plugin
from .order import FightingSide
from .purchase import Deal

TrackOf = Annotated[str | None, Seen.ALL]


class WealthChange(Enum):
    SPENT = "spent"
    SET = "set"


@event("plugin_switched")
class PluginSwitched:
    """A part of the toolkit is on, or off."""

    plugin: Annotated[Plugin, Seen.ALL]
    on: Annotated[bool, Seen.ALL]


@event("feat_used", owner="who")
class FeatUsed:
    """A hero's feat was declared and paid for."""

    who: Annotated[str, Seen.ALL]


@event("feats_restored")
class FeatsRestored:
    """A new session: every hero has their feat again."""


@event("favours_granted")
class FavoursGranted:
    """The ally holds more again."""

    tokens: Annotated[int, Seen.ALL]
    held: Annotated[int, Seen.ALL]


@event("stress_moved")
class StressMoved:
    """The further track rose or fell."""

    track_of: TrackOf
    before: Annotated[int, Seen.ALL]
    after: Annotated[int, Seen.ALL]
    why: Annotated[Words, Seen.ALL]


@event("stress_broke")
class StressBroke:
    """The further track was full. It is reset, and its crisis holds until the custodian ends it."""

    track_of: TrackOf
    who: Annotated[str, Seen.ALL]
    reset: Annotated[int, Seen.ALL]


# ---------------------------------------------------------------- beside the book


@event("bought", owner="who")
class Bought:
    """Somebody bought something, or went without."""

    who: Annotated[str, Seen.ALL]
    what: Annotated[Words, Seen.ALL]
    tier: Annotated[int, Seen.ALL]
    deal: Annotated[Deal, Seen.ALL]


@event("wealth_changed", owner="who")
class WealthChanged:
    """Somebody is richer or poorer."""

    who: Annotated[str, Seen.ALL]
    wealth: Annotated[int, Seen.ALL]
    how: Annotated[WealthChange, Seen.ALL]


@event("sides_rolled")
class SidesRolled:
    """It was rolled which side acts first."""

    heroes: Annotated[int, Seen.ALL]
    foes: Annotated[int, Seen.ALL]
    first: Annotated[FightingSide, Seen.ALL]


@event("sides_forgotten")
class SidesForgotten:
    """The encounter is over, and its order with it."""


@event("clock_measured")
class ClockMeasured:
    """A clock is smaller or larger than this game's are."""

    clock: Annotated[str, Seen.GAME_MASTER]
    name: Annotated[str, Seen.GAME_MASTER]
    size: Annotated[int, Seen.GAME_MASTER]

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master
