"""What can happen between the rolls: Pressure, crises, purging, milestones, the custodian's moves."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Annotated

from astragal.table.declarations import Nature, event
from astragal.table.fields import Words
from astragal.table.seats import Viewer
from astragal.table.seen import Seen

from .custodian_moves import CustodianMove
from .pressure_moves import PressureMove

TrackOf = Annotated[str | None, Seen.ALL]
"""The hero whose own track it is; without one, the table's."""


class Purge(Enum):
    """SS-56: the three ways."""

    SACRIFICE = "sacrifice"
    RITE = "rite"
    QUEST = "quest"


# ---------------------------------------------------------------- Pressure


@event("pressure_rose")
class PressureRose:
    """A track rose."""

    track_of: TrackOf
    by: Annotated[str | None, Seen.ALL]
    before: Annotated[int, Seen.ALL]
    after: Annotated[int, Seen.ALL]
    why: Annotated[Words, Seen.ALL]


@event("pressure_fell")
class PressureFell:
    """A track fell."""

    track_of: TrackOf
    before: Annotated[int, Seen.ALL]
    after: Annotated[int, Seen.ALL]
    how: Annotated[Purge, Seen.ALL]


@event("pressure_paid", nature=Nature.LASTING)
class PressurePaid:
    """The price of a rewind: 1 on a track."""

    track_of: TrackOf


@event("crisis_loomed", nature=Nature.LASTING)
class CrisisLoomed:
    """The price of a rewind filled a track: its crisis comes next."""

    track_of: TrackOf


@event("crisis_broke")
class CrisisBroke:
    """A track was full. What the crisis does follows."""

    track_of: TrackOf
    results: Annotated[tuple[int, ...], Seen.ALL]
    reset: Annotated[int, Seen.ALL]


@event("crisis_struck")
class CrisisStruck:
    """One result of a crisis, and whom it strikes."""

    result: Annotated[int, Seen.ALL]
    who: Annotated[tuple[str, ...], Seen.ALL]


@event("item_lost", owner="who")
class ItemLost:
    """A thing is gone for good: to a crisis, or given up."""

    who: Annotated[str, Seen.ALL]
    item: Annotated[str, Seen.ALL]


@event("moves_proposed")
class MovesProposed:
    """What the custodian may now do with Pressure."""

    track_of: Annotated[str | None, Seen.GAME_MASTER]
    step: Annotated[int, Seen.GAME_MASTER]
    moves: Annotated[tuple[PressureMove, ...], Seen.GAME_MASTER]

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master


@event("surcharge_set")
class SurchargeSet:
    """Decisions to spend cost 1 more while the track is at 4."""

    track_of: TrackOf


# ---------------------------------------------------------------- purging


@event("score_sacrificed", owner="who")
class ScoreSacrificed:
    """A score dropped by 1 for good. What was held of it is capped to its new size."""

    who: Annotated[str, Seen.ALL]
    key: Annotated[str, Seen.ALL]
    score: Annotated[int, Seen.ALL]
    points: Annotated[int, Seen.ALL]
    luck: Annotated[int, Seen.ALL]
    stamina: Annotated[int, Seen.ALL]


@event("quest_set")
class QuestSet:
    """There is something to be done."""

    quest: Annotated[str, Seen.ALL]
    objective: Annotated[Words, Seen.ALL]
    who: Annotated[str | None, Seen.ALL]


@event("quest_done")
class QuestDone:
    """It was done."""

    quest: Annotated[str, Seen.ALL]
    objective: Annotated[Words, Seen.ALL]


# ---------------------------------------------------------------- milestones


@event("beat_marked")
class BeatMarked:
    """A perilous beat was survived."""

    what: Annotated[Words, Seen.ALL]
    beats: Annotated[int, Seen.ALL]


@event("milestone_due")
class MilestoneDue:
    """So many beats call for a milestone."""

    beats: Annotated[int, Seen.ALL]
    overdue: Annotated[bool, Seen.ALL]


@event("milestone_reached")
class MilestoneReached:
    """Heroes have come to a milestone."""

    who: Annotated[tuple[str, ...], Seen.ALL]
    points: Annotated[int, Seen.ALL]
    boon: Annotated[Words, Seen.ALL]


@event("advanced", owner="who")
class Advanced:
    """Build points were spent, or kept."""

    who: Annotated[str, Seen.ALL]
    scores: Annotated[Mapping[str, int], Seen.ALL]
    """What has risen, with the new scores."""
    stamina: Annotated[int, Seen.ALL]
    points: Annotated[int, Seen.ALL]
    """What is left."""
    closes: Annotated[bool, Seen.ALL]
    """Whether a milestone is used up by it, so that the pool is filled."""


@event("custodian_move_dealt")
class CustodianMoveDealt:
    """The custodian was dealt a move."""

    move: Annotated[CustodianMove, Seen.GAME_MASTER]

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master
