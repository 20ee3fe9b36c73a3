"""Forms of the game master's screen: ask for a roll, set a number by hand, undo, edit a note."""

import secrets
from collections.abc import Callable, Mapping
from math import ceil
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, Response

from astragal.surfaces.web import errors, rendering, session
from astragal.surfaces.web.forms.ask import asking_of, overriding_of, read_ask, rolls_against, rolls_to_ask_for
from astragal.surfaces.web.forms.form import form_of, read_form
from astragal.surfaces.web.live.updates import nudge
from astragal.surfaces.web.story.log import last_told
from astragal.surfaces.web.table import panels, sheet
from astragal.table.declarations import Role
from astragal.table.refusals import NoSuchThing, NotAllowed, Refusal
from astragal.table.state.things import Audience
from astragal.table.visibility.redact import plain

router = APIRouter(prefix="/t/{table}")

LONGEST_NUMBER = 9
NEW = "new"

Fields = Mapping[str, Any]
OUTCOME = {"faults": (), "said": ""}
"""What a form tells below its inputs, by the names that its template uses: nothing yet."""
ShowForm = Callable[..., Response]
"""Renders one of these forms again, with what was filled in."""


AtScreen = Annotated[session.SeatSession, session.by_game_master("Only the game master can do that.")]


@router.post("/quick/{command}")
def do_at_once(request: Request, at: session.AtTable, command: str, sent: session.Sent) -> Response:
    """Give a command that needs no form; a refusal is one sentence."""
    fields = read_form(at.book.command(command), sent)
    link = session.own_inputs(sent).get(session.LINK, "")
    return session.act_at_once(request, at, command, fields, link=link, command_id=session.command_id(sent))


@router.post("/nudge")
def nudge_seat(request: Request, at: AtScreen, seat: Annotated[str, Form(max_length=60)]) -> Response:
    """Remind someone of their turn: their windows show it and make a sound. Nothing is recorded."""
    name = at.teller.name(seat)
    seats_waited_for = {person.seat for person in panels.waited_for(at) if person.seat}
    if seat not in seats_waited_for:
        raise NoSuchThing("Nobody waits for them.")
    if seconds := at.context.nudges.wait((at.table, seat)):
        raise Refusal(f"{name} was reminded a moment ago; you can again in {ceil(seconds)} s.", code="too_soon")
    if not at.context.hub.send(at.table, seat, nudge()):
        raise Refusal(f"{name}’s window is not open here, so nothing was sent.", code="away")
    return session.done(request, at)


@router.post("/pips")
def set_number(
    request: Request,
    at: session.AtTable,
    who: Annotated[str, Form(max_length=60)],
    what: Annotated[str, Form(max_length=60)],
    value: Annotated[int, Form(ge=-999, le=999)],
) -> Response:
    """Set a number of a sheet, by a click on a pip. Setting the number from before takes it back."""
    return session.act_at_once(request, at, *sheet.adjustment(at, who, what, value))


@router.get("/asking")
def show_asking(request: Request, at: AtScreen) -> Response:
    """Form to ask someone for a roll."""
    fields = read_form(at.book.command("request_roll"), request.query_params.multi_items())
    return _asking(request, at, fields)


@router.post("/asking")
def ask(request: Request, at: AtScreen, sent: session.Sent) -> Response:
    """Ask someone for a roll, as the form says or as one of its ready requests does."""
    fields = read_form(at.book.command("request_roll"), sent)
    own_inputs = session.own_inputs(sent)
    if ready_request := own_inputs.get(".ask"):
        typed = {name: fields[name] for name in ("what_for", "difficulty", "hidden") if name in fields}
        fields = typed | read_ask(at, ready_request)
    if difficulty := own_inputs.get(".difficulty", "").strip():
        fields["difficulty"] = _number_or_text(difficulty)
    if fields.get("command") not in rolls_against(at):
        fields.pop("difficulty", None)
    roll_fields = fields.get("fields") or {}
    fields["fields"] = {name: value for name, value in roll_fields.items() if value != ""}
    return _act(request, at, ("request_roll", fields), session.command_id(sent), _asking)


def _number_or_text(text: str) -> int | str:
    """Read a number; anything else stays as it was typed, for the command to refuse."""
    if text.lstrip("-").isdecimal() and len(text) < LONGEST_NUMBER:
        return int(text)
    return text


def _asking(request: Request, at: session.SeatSession, fields: Fields, status: int = 200, **outcome: Any) -> Response:
    if not rolls_to_ask_for(at):
        raise NoSuchThing("This game asks for rolls with its own commands: see its tools.")
    context = {
        **OUTCOME,
        **outcome,
        "asking": asking_of(at, fields),
        "chosen": "command" in fields,
        "id": secrets.token_hex(8),
    }
    return rendering.alone_or_part(request, "forms/ask_for_roll.html", "Ask for a roll", status, at=at, **context)


@router.get("/overriding")
def show_overriding(request: Request, at: AtScreen) -> Response:
    """Form to set a number by hand."""
    return _overriding(request, at, dict(request.query_params))


@router.post("/overriding")
def override(request: Request, at: AtScreen, sent: session.Sent) -> Response:
    fields = read_form(at.book.command("override"), sent)
    return _act(request, at, ("override", fields), session.command_id(sent), _overriding)


def _overriding(
    request: Request, at: session.SeatSession, fields: Fields, status: int = 200, **outcome: Any
) -> Response:
    context = {**OUTCOME, **outcome, "form": overriding_of(at, fields), "id": secrets.token_hex(8)}
    return rendering.alone_or_part(request, "forms/set_number.html", "Set a number by hand", status, at=at, **context)


@router.get("/undoing")
def show_undoing(request: Request, at: AtScreen) -> HTMLResponse:
    """Ask before an undo: what the last command was."""
    undo = form_of(at, "undo", {})
    return rendering.alone_or_part(
        request, "forms/undo.html", "Undo the last command", at=at, last=last_told(at), form=undo
    )


@router.get("/notes/{note}")
def show_note(request: Request, at: session.AtTable, note: str) -> Response:
    """Form to write a note, or to edit one."""
    if note == NEW:
        return _note(request, at, {})
    written_note = at.state.notes.get(note)
    if written_note is None:
        raise NoSuchThing("There is no such note.")
    return _note(request, at, plain(written_note) | {"note": note})


@router.post("/notes")
def write_note(request: Request, at: session.AtTable, sent: session.Sent) -> Response:
    """Write or edit a note. Its reader is an audience or a seat."""
    fields = read_form(at.book.command("write_note"), sent)
    if reader := session.own_inputs(sent).get(".reader"):
        if reader in at.state.seats:
            fields |= {"audience": Audience.SEAT.value, "seat": reader}
        else:
            fields |= {"audience": reader, "seat": None}
    return _act(request, at, ("write_note", fields), session.command_id(sent), _note)


def _note(request: Request, at: session.SeatSession, fields: Fields, status: int = 200, **outcome: Any) -> Response:
    if at.viewer.role is Role.SPECTATOR:
        raise NotAllowed("A spectator only watches.")
    fields = {"note": "", "title": "", "words": "", **fields}
    earlier_note = at.state.notes.get(fields["note"] or "")
    readers = _readers(at)
    reader = _reader(fields, usual=next(iter(readers)))
    if earlier_note and earlier_note.audience is Audience.ALL:  # a note for all stays one
        readers = {}
    context = {**OUTCOME, **outcome, "given": fields, "readers": readers, "reader": reader, "id": secrets.token_hex(8)}
    title = "Edit the note" if earlier_note else "Write a note"
    return rendering.alone_or_part(request, "forms/note.html", title, status, at=at, **context)


def _readers(at: session.SeatSession) -> dict[str, str]:
    """Return who a note of this seat can be for: audiences and seats, each with its words, the usual one first."""
    if not at.is_game_master:
        return {Audience.ALL.value: "Everybody", at.seat: "Me and the game master"}
    readers = {Audience.GAME_MASTER.value: "Only me", Audience.ALL.value: "Everybody"}
    for seat in at.state.seats.values():
        if seat.id != at.seat:
            readers[seat.id] = f"{seat.name} and me"
    return readers


def _reader(fields: Fields, usual: str) -> Any:
    """Return the seat or the audience that a note is for, by default the usual one."""
    audience = fields.get("audience")
    if audience == Audience.SEAT.value:
        return fields.get("seat")
    return audience or usual


def _act(
    request: Request, at: session.SeatSession, command: tuple[str, Fields], command_id: str | None, show: ShowForm
) -> Response:
    """Give the command of one of these forms; faults are shown in the form."""
    is_part = rendering.is_part(request)
    try:
        at.act(*command, command_id=command_id)
    except Refusal as refusal:
        status = errors.REFUSED if is_part else 400
        _, fields = command
        return show(request, at, fields, status=status, faults=refusal.problems)
    if is_part:
        return show(request, at.refreshed(), {}, said="Done.")
    return session.go_to(request, f"/t/{at.table}")
