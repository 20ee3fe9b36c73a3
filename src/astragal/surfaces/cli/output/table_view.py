"""Where a table stands, as one seat sees it: its people, its story, what waits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from astragal.surfaces.cli.output.layout import lines_of
from astragal.surfaces.cli.output.narration import asking_lines
from astragal.surfaces.cli.play.offers import asked_of
from astragal.table.authoring.chapter import Teller
from astragal.table.commands.consent import who_may_agree
from astragal.table.refusals import Refusal
from astragal.table.visibility.redact import WITHHELD

if TYPE_CHECKING:
    from astragal.surfaces.cli.input.seats import Place
    from astragal.table.state.table import Character, State


def lines_on(place: Place, state: State) -> Iterator[str]:
    """The whole table, for a person."""
    skin, teller = f", {state.skin}" if state.skin else "", Teller(state, state.terms)
    yield f"{state.name} ({place.ruleset.name}{skin})"
    yield f"table {state.id}"
    yield from _story(state)
    yield from _board(place, state)
    yield ""
    for seat in state.seats.values():
        stand_in = f", {teller.name(seat.stand_in)} decides meanwhile" if seat.stand_in else ""
        yield f"{seat.name}: {seat.role.value}{', a program' if seat.ai else ''}{stand_in}"
    for character in state.characters.values():
        yield ""
        yield from character_lines(place, state, character)
    yield from _waiting(place, state)


def character_lines(place: Place, state: State, character: Character[object]) -> Iterator[str]:
    teller = Teller(state, state.terms)
    yield f"{character.name} ({teller.name(character.seat) if character.seat else 'the game master'})"
    try:
        yield from (f"  {line}" for line in lines_of(place.ruleset.furniture(character), teller.term, 78, brief=True))
    except Refusal:  # it depends on what this seat may not know
        yield "  little is known"


def _board(place: Place, state: State) -> Iterator[str]:
    """What lies on the table for all."""
    if place.ruleset.board is None:
        return
    try:
        yield from lines_of(place.ruleset.board(state), Teller(state, state.terms).term, 78)
    except Refusal:  # it depends on what this seat may not know
        return


def _story(state: State) -> Iterator[str]:
    calendar = state.calendar
    evening = f"evening {calendar.evening}" if calendar.evening else "no evening yet"
    yield f"{evening}{'' if calendar.sitting or not calendar.evening else ' (over)'}, day {calendar.day}"
    if calendar.scene and (scene := state.scenes.get(calendar.scene)):
        yield f"scene: {scene.title}"
        yield from (f"  {option.number}. {option.words}" for option in scene.options)
    if calendar.encounter:
        yield f"encounter: {calendar.encounter}"
    for clock in state.clocks.values():
        at = "" if clock.hands is WITHHELD else f" {clock.hands.ticks}/{clock.hands.size}"
        yield f"clock: {clock.name}{at}"
    if state.safety.stopped:
        yield "The scene is stopped."


def proposal_lines(place: Place, state: State) -> Iterator[str]:
    """What programs propose, and how whoever may say yes or no says it."""
    teller = Teller(state, state.terms)
    for consent in state.consents.values():
        may = place.seat in who_may_agree(state, consent, place.book.command(consent.command))
        how = f"agree {consent.id}, or decline {consent.id}" if may else "somebody else says yes or no"
        yield f"{teller.name(consent.by)} proposes: {consent.words} ({how})"


def _waiting(place: Place, state: State) -> Iterator[str]:
    teller = Teller(state, state.terms)
    for prompt in state.prompts.values():
        if prompt.is_open:
            yield f"\n{teller.name(prompt.to)} is asked ({prompt.id}): {prompt.words}"
    for request in state.requests.values():
        what_for = f": {request.what_for}" if request.what_for else ""
        yield f"\n{teller.name(request.who)} is asked to {request.command.replace('_', ' ')} ({request.id}){what_for}"
    yield from (f"\n{line}" for line in proposal_lines(place, state))
    for asking in asked_of(place, state):
        yield ""
        yield from asking_lines(asking)
