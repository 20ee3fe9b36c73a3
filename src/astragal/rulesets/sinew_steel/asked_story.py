"""What people ask for between the rolls: Pressure and its crises, purging, milestones, the custodian's moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated

from annotated_types import Ge, Le, MaxLen
from typing_extensions import Doc

from astragal.table.chapters.clocks import ClockId
from astragal.table.declarations import command
from astragal.table.fields import CharacterId, Name, Names, Words
from astragal.table.seats import GAME_MASTER_ONLY, GAME_MASTER_OR_OWNER

from .asked import Key, Stakes, Trial
from .pressure_moves import PressureMove

QuestId = Annotated[str, MaxLen(40), Names("quest")]
Shared = Annotated[bool, Doc("whether it is the table's track, where heroes have their own too")]

# ---------------------------------------------------------------- Pressure


@command("tamper", may=GAME_MASTER_OR_OWNER, actor="who")
class Tamper(Trial):
    """Meddle with what is better left alone: a test of an attribute whose failure adds 1 Pressure."""


@command("raise_pressure", may=GAME_MASTER_ONLY)
class RaisePressure:
    """Add Pressure for a bargain, a blunder, or time running out. At 5 the crisis comes."""

    who: Annotated[CharacterId | None, Doc("whose doing it is, if anyone's; a crisis strikes them")] = None
    rise: Annotated[int, Ge(1), Le(5), Doc("by how much")] = 1
    why: Annotated[Words, Doc("what raises it")] = ""
    shared: Shared = False
    strikes: Annotated[CharacterId | None, Doc("whom a crisis would strike, where it is nobody's doing")] = None


@command("face_crisis", may=GAME_MASTER_ONLY)
class FaceCrisis:
    """Let a crisis break that the price of a rewind has brought."""

    strikes: Annotated[CharacterId | None, Doc("whom it strikes, where the table's track has filled")] = None


@command("pressure_move", may=GAME_MASTER_ONLY)
class MakePressureMove:
    """Take one of the moves that the present step of Pressure allows."""

    move: Annotated[PressureMove, Doc("the move")]
    who: Annotated[CharacterId | None, Doc("the hero whom it is about")] = None
    words: Annotated[Words, Doc("what happens; for a side effect, nothing asks the hero's player for it")] = ""


# ---------------------------------------------------------------- purging


@command("sacrifice", may=GAME_MASTER_OR_OWNER, actor="who")
class MakeSacrifice:
    """Give up a treasured thing, or a point of a score, for 1 Pressure less. In downtime."""

    who: Annotated[CharacterId, Doc("who gives it up")]
    item: Annotated[Name | None, Doc("the thing, which must be carried")] = None
    score: Annotated[Key | None, Doc("the key of the score, STM for Stamina")] = None
    shared: Shared = False


@command("rite", may=GAME_MASTER_OR_OWNER, actor="who")
class PerformRite(Trial):
    """Spend the session in a cleansing: a test of an attribute, success takes 1 Pressure off. In downtime."""

    shared: Shared = False


@command("set_quest", may=GAME_MASTER_ONLY)
class SetQuest:
    """Name an objective that clears a track when it is met."""

    objective: Annotated[Stakes, Doc("what has to be done")]
    who: Annotated[CharacterId | None, Doc("whose own track it clears; nobody named means the table's")] = None


@command("complete_quest", may=GAME_MASTER_ONLY)
class CompleteQuest:
    """Say that a quest is done. Its track is clear."""

    quest: Annotated[QuestId, Doc("the quest")]


# ---------------------------------------------------------------- milestones


@command("mark_beat", may=GAME_MASTER_ONLY)
class MarkBeat:
    """Mark a perilous beat: peril survived, a revelation earned. Three or four make a milestone."""

    what: Annotated[Words, Doc("what it was")] = ""


@command("milestone", may=GAME_MASTER_ONLY)
class GrantMilestone:
    """Give heroes a milestone: build points, a boon in words, and a full pool once they have chosen."""

    boon: Annotated[Stakes, Doc("the boon: an ally, a relic, a favour, a scar, access")]
    who: Annotated[tuple[CharacterId, ...], Doc("which heroes; nobody named means all")] = ()


@command("advance", may=GAME_MASTER_OR_OWNER, actor="who")
class Advance:
    """Buy what build points buy. At a milestone this also closes it, and the pool is filled."""

    who: Annotated[CharacterId, Doc("whose scores rise")]
    rises: Annotated[
        Mapping[str, Annotated[int, Ge(1), Le(10)]], Doc("how far each score rises, by key; nothing keeps the points")
    ] = field(default_factory=dict)


@command("deal_move", may=GAME_MASTER_ONLY)
class DealMove:
    """Have a move dealt when the players stall."""

    clock: Annotated[ClockId | None, Doc("the clock to escalate; none named takes the one nearest to full")] = None
