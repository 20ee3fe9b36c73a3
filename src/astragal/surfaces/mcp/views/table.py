"""The table as a model is shown it: its people, its story, what waits, what is new."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from astragal.surfaces.mcp.session import Desk
from astragal.surfaces.mcp.tools.results import Event, Person, Standing, Waits, event_of
from astragal.surfaces.mcp.views.reminders import due_now
from astragal.surfaces.mcp.views.secrets import handles
from astragal.surfaces.mcp.views.untrusted_text import clean
from astragal.table.authoring.chapter import Teller
from astragal.table.authoring.declarations import Sight
from astragal.table.authoring.display import Choices, DiceRow, Hand, Piece, Pips, Score, Tags, Track
from astragal.table.pending import OpenDecision
from astragal.table.refusals import DependsOnHidden, Refusal
from astragal.table.state.notes import Audience
from astragal.table.state.scenes import Way
from astragal.table.state.table import Character, State
from astragal.table.visibility.events import SeenEvent
from astragal.table.visibility.redact import WITHHELD

MOST_NEWS = 30
MOST_PEOPLE = 24
YOURS, THE_PERSONS, SOMEBODY_ELSES = "yours", "the person's", "somebody else's"


def standing(desk: Desk, what: str = "all", who: str = "") -> Standing:
    """What stands now; `what` picks a part of it."""
    state = desk.shown()
    shown = Standing(
        table=f"{clean(state.name, 60)} [{state.id}]", game=desk.book.ruleset.name, you=you(desk), waits=waits(desk)
    )
    if what in ("all", "story"):
        shown.story = [*story(state), *board(desk, state)]
    if what in ("all", "people"):
        shown.people = people(desk, state, who)
    if what in ("all", "news"):
        shown.news = news(desk)
    if what in ("all", "story"):
        shown.due = due_now(desk)
    if what == "all":
        shown.handles = handles(desk)
    return shown


def you(desk: Desk) -> str:
    state = desk.look()
    name = clean(state.seats[desk.here.seat].name, 60)
    person = desk.here.person
    beside = f", beside {clean(state.seats[person].name, 60)}" if person and person in state.seats else ""
    return f"{name} ({desk.role()}{beside})"


def news(desk: Desk) -> list[Event]:
    """What the model has not been shown yet, the newest of it."""
    events = desk.journal(desk.window).events
    fresh, desk.told = events[desk.told :], len(events)
    return told(desk, fresh[-MOST_NEWS:])


def told(desk: Desk, events: Sequence[SeenEvent]) -> list[Event]:
    seats = desk.look().seats
    return [event_of(event, seats[event.by].name if event.by in seats else "") for event in events]


# ---------------------------------------------------------------- people and story


def people(desk: Desk, state: State, who: str = "") -> list[Person]:
    wanted = [one for one in state.characters.values() if not who or who.casefold() in (one.id, one.name.casefold())]
    return [person(desk, state, one) for one in wanted[:MOST_PEOPLE]]


def person(desk: Desk, state: State, character: Character[Any]) -> Person:
    teller = Teller(state, state.terms)
    played_by = teller.name(character.seat) if character.seat else "game master"
    try:
        sheet = [clean(line, 300) for line in sheet_lines(desk.book.ruleset.furniture(character), teller)]
    except (Refusal, TypeError):  # it depends on what this seat may not know
        sheet = ["little is known"]
    return Person(name=clean(character.name, 60), played_by=clean(played_by, 60), sheet=sheet)


def sheet_lines(pieces: Sequence[Piece], teller: Teller) -> Iterator[str]:
    scores = [f"{teller.term(piece.label)} {piece.value}" for piece in pieces if isinstance(piece, Score)]
    if scores:
        yield ", ".join(scores)
    for piece in pieces:
        if not isinstance(piece, Score):
            yield f"{teller.term(piece.label)}: {_piece(piece, teller)}"


def _piece(piece: Piece, teller: Teller) -> str:
    match piece:
        case Pips(_, now, most, _):
            return f"{now}/{most}"
        case Track(_, now, steps):
            at = f", {steps[now]}" if 0 <= now < len(steps) else ""
            return f"{now}/{len(steps) - 1}{at}"
        case DiceRow(_, dice, sides, most):
            return f"{dice}d{sides}{'' if most is None else f' of {most}'}"
        case Tags(_, words):
            return ", ".join(teller.term(word) for word in words) or "none"
        case Hand(_, terms):
            return ", ".join(f"{count:+d} {name}" for name, count in terms)
        case Choices(_, rows):
            return "; ".join(f"{name} ({words})" for name, words in rows)
        case _:
            return str(piece)


def story(state: State) -> Iterator[str]:
    """Where the story is, in lines."""
    calendar = state.calendar
    yield f"evening {calendar.evening}{'' if calendar.sitting else ' (not begun)'}, day {calendar.day}"
    scene = state.scenes.get(calendar.scene or "")
    if scene:
        yield f"scene {scene.title} [{scene.id}]"
        for option in scene.options:
            yield f"option {option.number}: {option.words}{'' if option.way is Way.OPEN else f' ({option.way.value})'}"
    if calendar.encounter:
        yield f"encounter: {calendar.encounter}"
    yield from _open_matters(state)
    yield from (f"save node {label} [{node}]" for node, label in state.nodes.items())
    yield from (f"note {one.title} [{one.id}]" for one in state.notes.values() if one.audience is Audience.ALL)
    yield from (f"{one.kind.value}: {one.words}" for one in state.safety.boundaries)
    if state.safety.stopped:
        yield "The scene is stopped: the people go on when they are ready."


def board(desk: Desk, state: State) -> list[str]:
    """What the game has lying on the table for all."""
    laid = desk.book.ruleset.board
    try:
        return list(sheet_lines(laid(state), Teller(state, state.terms))) if laid else []
    except DependsOnHidden:  # it is not for all, then
        return []


def _open_matters(state: State) -> Iterator[str]:
    """Clocks, conditions, and rolls that were asked for."""
    teller = Teller(state, state.terms)
    for clock in state.clocks.values():
        at = "" if clock.hands is WITHHELD else f" {clock.hands.ticks}/{clock.hands.size}"
        yield f"clock {clock.name}{at} [{clock.id}]"
    for condition in state.conditions.values():
        whom = teller.name(condition.who) if condition.who else "everyone"
        yield f"{whom}: {condition.name} until {condition.until.value} [{condition.id}]"
    for request in state.requests.values():
        yield f"{teller.name(request.who)} is asked to {request.command}: {request.what_for} [{request.id}]"


# ---------------------------------------------------------------- what waits


def waits(desk: Desk) -> list[Waits]:
    """Decisions, prompts and proposals that are open, with whose they are."""
    state = desk.look()
    decisions = _decisions(desk, state) if state.decisions else ()
    return desk.once("waits", lambda: [*decisions, *_prompts(desk, state), *_consents(state)])


def _decisions(desk: Desk, state: State) -> Iterator[Waits]:
    """One entry for each that has to decide: where several decide together, the model's own side comes first."""
    here = desk.here
    person = here.person if here.person and here.person in state.seats else here.seat
    seen = {seat: _seen_by(desk, seat) for seat in dict.fromkeys((here.seat, person))}
    for act, one in seen[here.seat].items():
        decision = state.decisions[act]
        if decision.sight is not Sight.OPEN and desk.spoiler_safe:  # what an answer means would tell the dice
            one = replace(one, choices=tuple(replace(choice, words="") for choice in one.choices))  # noqa: PLW2901
        sides = [decision.sides[side] for side in decision.awaited]
        own = [side for side in sides if desk.is_own(side) and not desk.is_persons(side)]
        persons = [side for side in sides if desk.is_persons(side)]
        if own:
            yield _wait(state, one, own, YOURS)
        if persons:
            yield _wait(state, seen[person].get(act, one), persons, THE_PERSONS)
        if not own and not persons:
            yield _wait(state, replace(one, choices=()), sides, SOMEBODY_ELSES)


def _seen_by(desk: Desk, seat: str) -> dict[str, OpenDecision]:
    return {one.act: one for one in desk.house.host.decisions(desk.here.table, seat)}


def _wait(state: State, one: OpenDecision, sides: Sequence[str], whose: str) -> Waits:
    teller = Teller(state, state.terms)
    options = [{"answer": choice.answer, "means": clean(choice.words, 200)} for choice in one.choices]
    decision = state.decisions[one.act]
    faces = ", ".join(str(die.face) for die in decision.dice) if decision.sight is Sight.OPEN else ""
    what = f"{one.name or 'something'} ({one.command.replace('_', ' ')}{f': {faces}' if faces else ''})"
    who = " and ".join(clean(teller.name(side), 60) for side in sides)
    return Waits(id=one.act, who=who, what=what, whose=whose, options=options)


def _prompts(desk: Desk, state: State) -> Iterator[Waits]:
    teller = Teller(state, state.terms)
    for prompt in state.prompts.values():
        if prompt.is_open:
            who = clean(teller.name(prompt.to), 60)
            yield Waits(id=prompt.id, who=who, what=clean(prompt.words), whose=_whose(desk, prompt.to))


def _consents(state: State) -> Iterator[Waits]:
    """What was proposed: a person answers at the table, and nobody does here."""
    teller = Teller(state, state.terms)
    for consent in state.consents.values():
        who = clean(teller.name(consent.of), 60) if consent.of else "somebody who plays here"
        yield Waits(id=consent.id, who=who, what=f"proposed: {clean(consent.words)}", whose=SOMEBODY_ELSES)


def _whose(desk: Desk, who: str) -> str:
    """Who has to be asked: the person at this client, nobody but the model, or somebody elsewhere."""
    if desk.is_persons(who):
        return THE_PERSONS
    return YOURS if desk.is_own(who) else SOMEBODY_ELSES
