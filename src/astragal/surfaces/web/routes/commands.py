"""Commands: their forms, odds while a form is filled in, submitting, answering pending decisions."""

from contextlib import suppress
from dataclasses import replace
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, Response

from astragal.surfaces.web.forms.form import form_of, read_form
from astragal.surfaces.web.forms.ready import is_roll, ready_of, worded
from astragal.surfaces.web.rendering import alone_or_part, is_part, page
from astragal.surfaces.web.session import (
    LINK,
    REFUSAL,
    AtTable,
    SeatSession,
    Sent,
    act_at_once,
    command_id,
    explained_link,
    go_to,
    link_in,
    own_inputs,
    status_of,
    with_receipt,
)
from astragal.table.declarations import Sight
from astragal.table.fields.validation import read_json
from astragal.table.refusals import NoSuchThing, Refusal

router = APIRouter(prefix="/t/{table}")

OPENED = ("form/", "asking", "overriding", "undoing", "notes/", "pictures/for/")
"""The forms that buttons open."""
NEW, LONGEST_KEY, LONGEST_CHANCE = "new", 60, 12
"""The card of a roll that nobody asked for; how long the name of another may be, and a chance as it is typed."""


@router.get("/form/{command}")
def show_form(request: Request, at: AtTable, command: str) -> HTMLResponse:
    """A command's form, with what the query says filled in."""
    given = read_form(at.book.command(command), request.query_params.multi_items())
    if is_roll(at, command):
        ready = ready_of(at, command, given)
        return alone_or_part(request, "forms/ready_card.html", ready.title, at=at, ready=ready)
    form = form_of(at, command, given)
    return alone_or_part(request, "forms/form.html", form.title, at=at, form=form, said="")


@router.get("/open")
def open_form(request: Request, at: AtTable, address: Annotated[str, Query(alias=".open", max_length=500)]) -> Response:
    """Redirect to the form of a button, for a browser without scripts."""
    opened, _, query = address.partition("?")
    if not opened.startswith(OPENED) or ".." in opened or "\\" in opened:
        raise NoSuchThing("There is no such form.")
    where = f"/t/{at.table}/{quote(opened)}"
    return go_to(request, f"{where}?{quote(query, safe='=&%+')}" if query else where)


@router.post("/odds/{command}")
def show_odds(request: Request, at: AtTable, command: str, sent: Sent) -> HTMLResponse:
    """Odds of a roll as its card is filled in now."""
    if not is_roll(at, command):
        raise NoSuchThing("Nothing is rolled for that.")
    own = own_inputs(sent)
    fields = read_form(at.book.command(command), sent)
    sight = _sight(own.get(".sight", ""))
    ready = ready_of(at, command, fields, key=_key(own), sight=sight, wanted=own.get(".reach", "")[:LONGEST_CHANCE])
    return page(request, "forms/ready_odds.html", at=at, ready=ready)


def _key(own: dict[str, str]) -> str:
    """The card that a form belongs to."""
    key = own.get(".key", NEW)
    return key if key.replace("-", "").isalnum() and key.isascii() and len(key) <= LONGEST_KEY else NEW


@router.post("/do/{command}")
def do(request: Request, at: AtTable, command: str, sent: Sent) -> Response:
    """Give a command. The card comes by the live stream; the form comes back empty, or with what is wrong."""
    own = own_inputs(sent)
    fields = read_form(at.book.command(command), sent)
    sight, by_hand = _sight(own.get(".sight", "")), own.get(".by_hand") == "yes"
    link = link_in(own.get(LINK, ""))
    rolls = is_roll(at, command)
    try:
        outcome = at.act(
            command,
            worded(at, at.book.action(command), fields, sight)[0] if rolls else fields,
            command_id=command_id(sent),
            sight=sight,
            by_hand=by_hand,
            shown=own.get(".shown") or None,
            link=link,
        )
    except Refusal as refusal:
        told = explained_link(refusal, link)
        part, status = is_part(request), status_of(request, told) if is_part(request) else 400
        if not rolls:
            form = form_of(at, command, fields).refused_with(told, at.in_skin)
            answer = alone_or_part(request, "forms/form.html", form.title, status, at=at, form=form, said="")
        else:
            ready = ready_of(at, command, fields, key=_key(own), sight=sight)
            ready = replace(ready, form=replace(ready.form, thrown=by_hand)).refused_with(told, at.in_skin)
            template = "forms/ready_form.html" if part else "forms/ready_card.html"
            answer = alone_or_part(request, template, ready.title, status, at=at, ready=ready)
        answer.headers[REFUSAL] = told.code
        return answer
    if not is_part(request):
        return go_to(request, f"/t/{at.table}")
    if rolls:
        return with_receipt(HTMLResponse(""), at, outcome)
    fresh = SeatSession(at.context, at.table, at.seat)
    words = (event.words.strip() for event in outcome.events)
    said = " ".join(text if text.endswith((".", "!", "?", "…")) else f"{text}." for text in words)
    answer = page(request, "forms/form.html", at=fresh, form=form_of(fresh, command, {}), said=said)
    return with_receipt(answer, at, outcome)


@router.post("/answer/{act}")
def answer(request: Request, at: AtTable, act: str, sent: Sent) -> Response:
    """Answer a pending decision: one of its options, or the faces of dice that were thrown by hand."""
    faces = [text for name, text in sent if name == "face"]
    chosen: Any = next((text for name, text in sent if name == "answer"), "null")
    with suppress(ValueError, RecursionError):  # what is no JSON is a text
        chosen = read_json(chosen)
    given = [
        int(face) if face.strip().isascii() and face.strip().isdigit() and len(face) <= 9 else face for face in faces
    ]
    own, fields = own_inputs(sent), {"act": act, "answer": given or chosen}
    return act_at_once(request, at, "answer", fields, link=own.get(LINK, ""), command_id=command_id(sent))


def _sight(text: str) -> Sight:
    return next((one for one in Sight if one.value == text), Sight.OPEN)
