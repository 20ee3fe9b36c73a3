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
TOLD = {"faults": (), "said": ""}
Shown = Callable[..., Response]
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
    if seat not in {one.seat for one in panels.waited_for(at) if one.seat}:
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
    given = read_form(at.book.command("request_roll"), request.query_params.multi_items())
    return _asking(request, at, given)


@router.post("/asking")
def ask(request: Request, at: AtScreen, sent: session.Sent) -> Response:
    own = session.own_inputs(sent)
    given = read_form(at.book.command("request_roll"), sent)
    if ask := own.get(".ask"):
        said = {name: given[name] for name in ("what_for", "difficulty", "hidden") if name in given}
        given = said | read_ask(at, ask)
    if number := own.get(".difficulty", "").strip():
        given["difficulty"] = int(number) if number.lstrip("-").isdecimal() and len(number) < LONGEST_NUMBER else number
    if given.get("command") not in rolls_against(at):
        given.pop("difficulty", None)
    fields = {name: value for name, value in (given.get("fields") or {}).items() if value != ""}
    return _act(request, at, ("request_roll", {**given, "fields": fields}), session.command_id(sent), _asking)


def _asking(request: Request, at: session.SeatSession, given: Fields, status: int = 200, **said: Any) -> Response:
    if not rolls_to_ask_for(at):
        raise NoSuchThing("This game asks for rolls with its own commands: see its tools.")
    shown = {**TOLD, **said, "asking": asking_of(at, given), "chosen": "command" in given, "id": secrets.token_hex(8)}
    return rendering.alone_or_part(request, "forms/ask_for_roll.html", "Ask for a roll", status, at=at, **shown)


@router.get("/overriding")
def show_overriding(request: Request, at: AtScreen) -> Response:
    """Form to set a number by hand."""
    return _overriding(request, at, dict(request.query_params))


@router.post("/overriding")
def override(request: Request, at: AtScreen, sent: session.Sent) -> Response:
    given = read_form(at.book.command("override"), sent)
    return _act(request, at, ("override", given), session.command_id(sent), _overriding)


def _overriding(request: Request, at: session.SeatSession, given: Fields, status: int = 200, **said: Any) -> Response:
    shown = {**TOLD, **said, "form": overriding_of(at, given), "id": secrets.token_hex(8)}
    return rendering.alone_or_part(request, "forms/set_number.html", "Set a number by hand", status, at=at, **shown)


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
    found = at.state.notes.get(note)
    if found is None:
        raise NoSuchThing("There is no such note.")
    return _note(request, at, plain(found) | {"note": note})


@router.post("/notes")
def write_note(request: Request, at: session.AtTable, sent: session.Sent) -> Response:
    """Write or edit a note. Its reader is an audience or a seat."""
    given = read_form(at.book.command("write_note"), sent)
    if reader := session.own_inputs(sent).get(".reader"):
        is_seat = reader in at.state.seats
        given |= {"audience": Audience.SEAT.value if is_seat else reader, "seat": reader if is_seat else None}
    return _act(request, at, ("write_note", given), session.command_id(sent), _note)


def _note(request: Request, at: session.SeatSession, given: Fields, status: int = 200, **said: Any) -> Response:
    if at.viewer.role is Role.SPECTATOR:
        raise NotAllowed("A spectator only watches.")
    readers = {Audience.ALL.value: "Everybody"}
    if at.is_game_master:
        others = {one.id: f"{one.name} and me" for one in at.state.seats.values() if one.id != at.seat}
        readers = {Audience.GAME_MASTER.value: "Only me", **readers, **others}
    else:
        readers[at.seat] = "Me and the game master"
    given = {"note": "", "title": "", "words": "", **given}
    old = at.state.notes.get(given["note"] or "")
    audience = given.get("audience")
    shown = {
        "readers": {} if old and old.audience is Audience.ALL else readers,  # a note for all stays one
        "reader": given.get("seat") if audience == Audience.SEAT.value else audience or next(iter(readers)),
        "id": secrets.token_hex(8),
    }
    title = "Edit the note" if old else "Write a note"
    told = {**TOLD, **said, **shown}
    return rendering.alone_or_part(request, "forms/note.html", title, status, at=at, given=given, **told)


def _act(
    request: Request, at: session.SeatSession, command: tuple[str, Fields], id_: str | None, show: Shown
) -> Response:
    """Give the command of one of these forms; faults are shown in the form."""
    part = rendering.is_part(request)
    try:
        at.act(*command, command_id=id_)
    except Refusal as refusal:
        return show(request, at, command[1], status=errors.REFUSED if part else 400, faults=refusal.problems)
    return show(request, at.refreshed(), {}, said="Done.") if part else session.go_to(request, f"/t/{at.table}")
