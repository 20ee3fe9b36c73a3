"""Clocks that escalate when the players stall, and the size of clocks. SS-63, SS-64, SS-66, SS+01.

SS-66: a move is dealt at every table alike, in `astragal.table.chapters.moves`.
The rest of the story's form is what every table does, in `astragal.table.chapters.scenes` and `drafts`. SS-63: scenes
are a directed graph; each has two to four numbered ways on, one of them risky or hidden, and an ending has none.
Players see no hidden way, and no gap in the numbers. SS-64: a scene is told in hook, action and consequence, 200 to 500
words in all; another length is remarked on and accepted.
"""

from __future__ import annotations

from astragal.game import Chapter, Event, Seen, Viewer
from astragal.game.shared import Clock, ClockStarted, ClockTicked, MoveDealt, ticked
from astragal.rulesets.sinew_steel.options import Companion
from astragal.rulesets.sinew_steel.state import State

STALLING = Chapter(seen=Seen.GAME_MASTER)

FEWEST_TICKS, MOST_TICKS = 4, 8


@STALLING.after(MoveDealt)
def escalation_ticks_a_clock(state: State, dealt: MoveDealt) -> list[ClockTicked]:
    """SS-66: a clock moves where the move is to advance it; omens, terrain and bargains are told."""
    clock = state.clocks.get(dealt.clock or "")
    return [ticked(clock, 1)] if clock and state.options.plays(Companion.CLOCKS) else []


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
