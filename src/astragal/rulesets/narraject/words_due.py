"""What is due in this game, in words: intents without a roll, points nobody has earned, those who were taken out."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.table.ruleset import Teller

from .game import Table


def intents(state: Table, teller: Teller) -> Iterator[str]:
    """NJ-01, NJ-02: what was declared is rolled for, or comes true without dice."""
    for who, intent in state.game.intents.items():
        yield f"{teller.name(who)} wants {intent.goal}, by {intent.approach}: call for the roll (attempt), or say_yes."


def points(state: Table, teller: Teller) -> Iterator[str]:
    """NJ+06: one or two in every session."""
    if not (state.options.advancement and state.calendar.sitting):
        return
    evening = state.calendar.evening
    played = [one for one in state.characters.values() if one.seat is not None]
    without = [teller.name(one.id) for one in played if one.sheet.earned_in != evening or not one.sheet.earned]
    if without:
        yield f"Before the evening ends, {' and '.join(without)} should earn a Narrative Point or two (award_points)."


def taken_out(state: Table, teller: Teller) -> Iterator[str]:
    """NJ+03: who was taken out acts again when the game master says so."""
    for one in state.characters.values():
        if one.sheet.taken_out:
            yield f"{teller.name(one.id)} is taken out: tell what that means, or bring_back."


DUE = (intents, points, taken_out)
