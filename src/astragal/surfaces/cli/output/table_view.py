"""A table as one seat sees it, for the terminal: its people, its story, what waits, what is due.

Whatever is asked of the seat says what to type. The words are those of `astragal do` and of the prompt alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from astragal.surfaces.cli.output.narration import asking_lines
from astragal.surfaces.shared.pending import Asked, consents_of, decisions_of, prompts_of, proposals_of, requests_of
from astragal.surfaces.shared.sheets import board_lines, player_of, sheet_lines
from astragal.surfaces.shared.story import story_lines
from astragal.table.commands.handlers import seat_of
from astragal.table.reminders import due

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
    if waiting := [*asked_lines(view), *decision_lines(view)]:
        yield ""
        yield from waiting
    if view.is_game_master and (reminders := due(view.ruleset, state)):
        yield ""
        yield from (f"due: {line}" for line in reminders)


def character_lines(view: SeatView, character: Character[object]) -> Iterator[str]:
    yield f"{character.name} ({player_of(view, character)})"
    yield from (f"  {line}" for line in sheet_lines(view, character, INDENTED))


# ---------------------------------------------------------------- what waits


def decision_lines(view: SeatView) -> Iterator[str]:
    """Decisions, with their answers for whoever may take them."""
    decisions = decisions_of(view)
    are_several = sum(one.is_open for one in decisions) > 1
    for one in decisions:
        yield from (
            asking_lines(one, named=are_several) if one.is_open else [f"{one.who} decides: {_words(one.command)}"]
        )


def asked_lines(view: SeatView, *, own: bool = False) -> Iterator[str]:
    """Words, rolls and consent that are asked for, and what answers them; all, or those that wait for this seat."""
    prompts, requests, consents = (list(find(view)) for find in (prompts_of, requests_of, consents_of))
    for one in prompts:
        hint = _hint("answer …" if _is_only(prompts) else f'answer_prompt "{one.name}" …', one)
        yield from [f"{one.who} is asked: {one.words}{hint}"] if one.own or not own else ()
    for one in requests:
        alone = _is_only([other for other in requests if other.command == one.command])
        hint = _hint(one.command if alone else f'{one.command} "{one.name}"', one)
        against = f"against {one.against}" if one.against.lstrip("-").isdigit() else ""
        hidden = "against a hidden difficulty" if one.against == "hidden" else ""
        told = ", ".join(part for part in (_words(one.command), one.details, against, hidden) if part)
        yield from [f"{one.who} is asked to {told}: {one.name}{hint}"] if one.own or not own else ()
    for one in consents:
        said = "" if _is_only(consents) else f' "{one.name}"'
        other = "".join(f", or agree{said} --changes {label}=…" for label in one.labels.values())
        hint = f" (agree{said}, or decline{said}{other})" if one.own else " (somebody else says yes or no)"
        yield from [f"{one.who} proposes: {one.words}{hint}"] if one.own or not own else ()
    for proposal in proposals_of(view):
        if proposal.who is not None and (not own or seat_of(view.state, proposal.who) == view.seat):
            yield f"{view.teller.name(proposal.who)}: {proposal.about} ({proposal.command} …)"


def _hint(typed: str, one: Asked) -> str:
    return f" ({typed})" if one.own else ""


def _is_only(asked: list[Asked]) -> bool:
    """Whether nothing else could be meant by this seat."""
    return sum(one.own for one in asked) <= 1


def _words(command: str) -> str:
    return command.replace("_", " ")
