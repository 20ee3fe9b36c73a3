"""A table as one seat sees it, for the terminal: its people, its story, what waits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from astragal.surfaces.cli.output.narration import asking_lines
from astragal.surfaces.shared.pending import asked_of, consents_of, prompts_of, requests_of
from astragal.surfaces.shared.sheets import board_lines, player_of, sheet_lines
from astragal.surfaces.shared.story import story_lines

if TYPE_CHECKING:
    from astragal.surfaces.shared.seat_view import SeatView
    from astragal.table.state.table import Character

INDENTED = 78


def lines_on(view: SeatView) -> Iterator[str]:
    """The whole table, for a person."""
    state = view.state
    yield f"{state.name} ({view.ruleset.name}{f', {state.skin}' if state.skin else ''})"
    yield f"table {state.id}"
    yield from story_lines(view)
    yield from board_lines(view, INDENTED)
    yield ""
    for seat in state.seats.values():
        stand_in = f", {view.teller.name(seat.stand_in)} decides meanwhile" if seat.stand_in else ""
        yield f"{seat.name}: {seat.role.value}{', a program' if seat.ai else ''}{stand_in}"
    for character in state.characters.values():
        yield ""
        yield from character_lines(view, character)
    for prompt in prompts_of(view):
        yield f"\n{prompt.who} is asked ({prompt.id}): {prompt.words}"
    for request in requests_of(view):
        what_for = f": {request.words}" if request.words else ""
        yield f"\n{request.who} is asked to {request.command.replace('_', ' ')} ({request.id}){what_for}"
    yield from (f"\n{line}" for line in proposal_lines(view))
    for asking in asked_of(view):
        yield ""
        yield from asking_lines(asking)


def character_lines(view: SeatView, character: Character[object]) -> Iterator[str]:
    yield f"{character.name} ({player_of(view, character)})"
    yield from (f"  {line}" for line in sheet_lines(view, character, INDENTED))


def proposal_lines(view: SeatView) -> Iterator[str]:
    """Proposals of programs, and how whoever may say yes or no says it."""
    for one in consents_of(view):
        how = f"agree {one.id}, or decline {one.id}" if one.own else "somebody else says yes or no"
        yield f"{one.who} proposes: {one.words} ({how})"
