"""Moves for when the players stall, dealt by a die, and the size of clocks. SS-63, SS-64, SS-66, SS+01.

The rest of the story's form is what every table does, in `astragal.table.chapters.scenes` and `drafts`. SS-63: scenes
are a directed graph; each has two to four numbered ways on, one of them risky or hidden, and an ending has none.
Players see no hidden way, and no gap in the numbers. SS-64: a scene is told in hook, action and consequence, 200 to 500
words in all; another length is remarked on and accepted.
"""

from __future__ import annotations

from enum import Enum
from typing import Annotated

from astragal.chance import Rolls, d4, rule
from astragal.game import GAME_MASTER_ONLY, Chapter, Command, Doing, Event, Seen, Teller, Viewer
from astragal.game.display import RollCard
from astragal.game.fields import Doc
from astragal.game.shared import KEPT_CLOCKS, Clock, ClockId, ClockStarted, ticked
from astragal.rulesets.sinew_steel.options import Companion
from astragal.rulesets.sinew_steel.state import Call, State

STALLING = Chapter(seen=Seen.GAME_MASTER)

STALLED = "deal_move"
"""SS-66: the command that deals a move."""
FEWEST_TICKS, MOST_TICKS = 4, 8


class CustodianMove(Enum):
    ESCALATE = "escalate a clock"
    OMEN = "reveal an omen"
    TERRAIN = "shift the terrain"
    BARGAIN = "offer a harsh bargain"


@rule
def custodian_move() -> Rolls[CustodianMove]:
    """SS-66: one of four, each as likely as the others."""
    face = yield from d4
    return tuple(CustodianMove)[face - 1]


@STALLING.event("custodian_move_dealt")
class CustodianMoveDealt(Event):
    """The custodian was dealt a move."""

    move: CustodianMove

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master

    def says(self, _: Teller) -> str:
        return f"your move: {self.move.value}"


@STALLING.command(
    STALLED, may=GAME_MASTER_ONLY, card=RollCard(title="Your move", short="Your move", verb="Deal a move")
)
class DealMove(Command):
    """Have a move dealt when the players stall."""

    clock: Annotated[ClockId | None, Doc("the clock to escalate; none named takes the one nearest to full")] = None

    def does(self, call: Call) -> Doing[CustodianMove]:
        """SS-66: a clock moves where there is one; omens, terrain and bargains are told."""
        if self.clock is not None:
            KEPT_CLOCKS.find(call, self.clock)
        move = yield custodian_move()
        dealt = CustodianMoveDealt(move=move)
        if move is not CustodianMove.ESCALATE or not call.state.options.plays(Companion.CLOCKS):
            return [dealt]
        clocks = call.state.clocks.values()
        running = [one for one in clocks if not one.hands.is_full and self.clock in (None, one.id)]
        nearest = min(running, key=lambda one: one.hands.size - one.hands.ticks, default=None)
        return [dealt] if nearest is None else [dealt, ticked(nearest, 1)]


@STALLING.event("clock_measured", says="the clock {clock.name} has {clock.hands.size} ticks; 4 to 8 are this game’s")
class ClockMeasured(Event):
    """A clock is smaller or larger than this game's are."""

    clock: Clock

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master


@STALLING.after(ClockStarted)
def measure_clock(state: State, started: ClockStarted) -> list[ClockMeasured]:
    """SS+01: clocks of this game have 4 to 8 ticks; others are told of, and run."""
    if FEWEST_TICKS <= started.clock.hands.size <= MOST_TICKS or not state.options.plays(Companion.CLOCKS):
        return []
    return [ClockMeasured(clock=started.clock)]
