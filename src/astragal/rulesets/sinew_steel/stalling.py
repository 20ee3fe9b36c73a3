"""When the players stall: a move for the custodian, dealt and applied as far as the table has a part for it. SS-66.

The rest of the story's form is what every table does, in `astragal.table.chapters.scenes` and `drafts`. SS-63: scenes
are a directed graph; each has two to four numbered ways on, one of them risky or hidden, and an ending has none.
Players see no hidden way, and no gap in the numbers. SS-64: a scene is told in hook, action and consequence, 200 to 500
words in all; another length is remarked on and accepted.
"""

from __future__ import annotations

from typing import Any

from astragal.chance import Question
from astragal.table.chapters.clocks import ClockStarted, find_clock, ticked
from astragal.table.ruleset import Action, Call, Chapter, Happening, Reaction
from astragal.table.things.clocks import Clock

from . import words_story as words
from . import words_toolkit
from .asked_story import DealMove
from .custodian_moves import CustodianMove, custodian_move
from .game import Table
from .happened_story import CustodianMoveDealt
from .happened_toolkit import ClockMeasured
from .options import Companion

FEWEST_TICKS, MOST_TICKS = 4, 8


def _ask(call: Call, asked: DealMove) -> Question[CustodianMove]:
    if asked.clock is not None:
        find_clock(call.state, asked.clock)
    return custodian_move()


def _tell(call: Call, asked: DealMove, move: CustodianMove) -> list[Any]:
    """SS-66: a clock moves where there is one; omens, terrain and bargains are told."""
    dealt = CustodianMoveDealt(move=move)
    if move is not CustodianMove.ESCALATE or not call.state.options.plays(Companion.CLOCKS):
        return [dealt]
    clock = _clock(call.state, asked.clock)
    return [dealt] if clock is None else [dealt, ticked(clock, 1)]


def _clock(state: Table, named: str | None) -> Clock | None:
    """The clock that was named, else the one that has least to go."""
    running = [one for one in state.clocks.values() if not one.hands.is_full and named in (None, one.id)]
    return min(running, key=lambda one: one.hands.size - one.hands.ticks, default=None)


def _measure(state: Table, started: ClockStarted) -> list[ClockMeasured]:
    """SS+01: clocks of this game have 4 to 8 ticks; others are told of, and run."""
    size = started.hands.size
    if FEWEST_TICKS <= size <= MOST_TICKS or not state.options.plays(Companion.CLOCKS):
        return []
    return [ClockMeasured(clock=started.clock, name=started.name, size=size)]


STALLING = Chapter(
    actions=(Action(DealMove, _tell, gather=_ask),),
    happenings=(
        Happening(CustodianMoveDealt, words.custodian_move_dealt),
        Happening(ClockMeasured, words_toolkit.clock_measured),
    ),
    reactions=(Reaction(ClockStarted, _measure),),
)
