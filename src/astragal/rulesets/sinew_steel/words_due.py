"""What is due in this game, in words: milestones, crises, moves of Pressure, and those who are down. SS-60, SS-66."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.table.ruleset import Teller

from .game import Table
from .milestones import BEATS
from .pressure import COSTLY
from .pressure_moves import moves_at
from .tracks import heroes, step, tracks
from .words_story import STATES

MOST_LUCK_TESTS = 2


def milestones(state: Table, _: Teller) -> Iterator[str]:
    """SS-60: due after 3 beats, overdue after 4; the beat before it is told of, too."""
    beats = state.game.beats
    if beats >= BEATS:
        yield f"{beats} perilous beats: a milestone is {'overdue' if beats > BEATS else 'due'} (milestone)."
    elif beats == BEATS - 1:
        yield "With the next perilous beat (mark_beat) a milestone is due."


def advancement(state: Table, teller: Teller) -> Iterator[str]:
    """SS-61: the pool is filled once a milestone was used."""
    for one in heroes(state):
        if one.sheet.milestone_open:
            yield f"{teller.name(one.id)} has a milestone to use (advance)."


def crises(state: Table, teller: Teller) -> Iterator[str]:
    """SS-54, SS-65: a crisis that a rewind has brought comes next."""
    for one in state.game.crises_due:
        whose = teller.name(one.track_of) if one.track_of else "the table"
        yield f"{teller.term('pressure')} of {whose} is full: a crisis is due (face_crisis)."


def pressure(state: Table, teller: Teller) -> Iterator[str]:
    """SS-52, SS-53: the moves of the present step, which are the custodian's to take."""
    for track in tracks(state):
        at = step(state, track)
        moves = moves_at(at, state.options.step4_surcharge)
        if moves:
            name = teller.term("pressure") if track is None else f"{teller.name(track)}’s {teller.term('pressure')}"
            brink = " One more brings the crisis." if at == COSTLY else ""
            taken = ", ".join(one.value for one in moves)
            yield f"{name} stands at {at} ({STATES[at]}): you may take {taken} (pressure_move).{brink}"


def luck_tests(state: Table, teller: Teller) -> Iterator[str]:
    """SS-29: after the second in a session the custodian is told."""
    if state.game.luck_tests >= MOST_LUCK_TESTS:
        yield f"{state.game.luck_tests} tests of {teller.term('luck')} this evening: let an attribute carry the next."


def fallen(state: Table, teller: Teller) -> Iterator[str]:
    """SS-30: what a collapse means is for the table to say."""
    for one in heroes(state):
        if one.sheet.is_collapsed and one.sheet.fate is None:
            yield f"{teller.name(one.id)} is down: say what that means (record_fate), or let somebody help (heal)."


DUE = (crises, milestones, advancement, pressure, luck_tests, fallen)
STALLED = "deal_move"
"""SS-66: the command that deals a move."""
