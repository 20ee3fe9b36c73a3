"""Commands: their forms, odds while a form is filled in, submitting, answering pending decisions."""

from contextlib import suppress
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, Response
from msgspec.structs import replace

from astragal.surfaces.web import rendering, session
from astragal.surfaces.web.forms.form import form_of, read_form
from astragal.surfaces.web.forms.ready import is_roll, ready_of, worded
from astragal.table.declarations import Sight
from astragal.table.fields.validation import read_json
from astragal.table.refusals import NoSuchThing, Refusal

router = APIRouter(prefix="/t/{table}")

OPENED = ("form/", "asking", "overriding", "undoing", "notes/", "pictures/for/")
"""The forms that buttons open."""
NEW, LONGEST_KEY, LONGEST_CHANCE = "new", 60, 12
"""Key of the card for a roll that nobody asked for; the longest key of another card; the longest typed chance."""


@router.get("/form/{command}")
def show_form(request: Request, at: session.AtTable, command: str) -> HTMLResponse:
    """A command's form, with what the query says filled in."""
    given = read_form(at.book.command(command), request.query_params.multi_items())
    if is_roll(at, command):
        with at.calculating():
            ready = ready_of(at, command, given)
        return rendering.alone_or_part(request, "forms/ready_card.html", ready.title, at=at, ready=ready)
    form = form_of(at, command, given, opened=True)
    return rendering.alone_or_part(request, "forms/form.html", form.title, at=at, form=form, said="")


@router.get("/open")
def open_form(
    request: Request, at: session.AtTable, address: Annotated[str, Query(alias=".open", max_length=500)]
) -> Response:
    """Redirect to the form of a button, for a browser without scripts."""
    opened, _, query = address.partition("?")
    if not opened.startswith(OPENED) or ".." in opened or "\\" in opened:
        raise NoSuchThing("There is no such form.")
    where = f"/t/{at.table}/{quote(opened)}"
    return session.go_to(request, f"{where}?{quote(query, safe='=&%+')}" if query else where)


@router.post("/odds/{command}")
def show_odds(request: Request, at: session.AtTable, command: str, sent: session.Sent) -> HTMLResponse:
    """Odds of a roll as its card is filled in now."""
    if not is_roll(at, command):
        raise NoSuchThing("Nothing is rolled for that.")
    own = session.own_inputs(sent)
    fields = read_form(at.book.command(command), sent)
    sight = _sight(own.get(".sight", ""))
    wanted = own.get(".reach", "")[:LONGEST_CHANCE]
    with at.calculating():
        ready = ready_of(at, command, fields, key=_key(own), sight=sight, wanted=wanted)
    return rendering.page(request, "forms/ready_odds.html", at=at, ready=ready)


def _key(own: dict[str, str]) -> str:
    """Key of the card that a form belongs to."""
    key = own.get(".key", NEW)
    return key if key.replace("-", "").isalnum() and key.isascii() and len(key) <= LONGEST_KEY else NEW


@router.post("/do/{command}")
def do(request: Request, at: session.AtTable, command: str, sent: session.Sent) -> Response:
    """Give a command. The card comes by the live stream; the form comes back empty, or with what is wrong."""
    own = session.own_inputs(sent)
    fields = read_form(at.book.command(command), sent)
    sight, by_hand = _sight(own.get(".sight", "")), own.get(".by_hand") == "yes"
    link = session.link_in(own.get(session.LINK, ""))
    rolls = is_roll(at, command)
    given = fields
    if rolls:
        with at.calculating():
            given, _, _ = worded(at, at.book.action(command), fields, sight)
    try:
        outcome = at.act(
            command,
            given,
            command_id=session.command_id(sent),
            sight=sight,
            by_hand=by_hand,
            shown=own.get(".shown") or None,
            link=link,
        )
    except Refusal as refusal:
        told = session.explained_link(refusal, link)
        part = rendering.is_part(request)
        status = session.status_of(request, told) if part else 400
        if not rolls:
            form = form_of(at, command, fields).refused_with(told, at.in_skin)
            answer = rendering.alone_or_part(request, "forms/form.html", form.title, status, at=at, form=form, said="")
        else:
            ready = ready_of(at, command, fields, key=_key(own), sight=sight)
            ready = replace(ready, form=replace(ready.form, thrown=by_hand)).refused_with(told, at.in_skin)
            template = "forms/ready_form.html" if part else "forms/ready_card.html"
            answer = rendering.alone_or_part(request, template, ready.title, status, at=at, ready=ready)
        answer.headers[session.REFUSAL] = told.code
        return answer
    if not rendering.is_part(request):
        return session.go_to(request, f"/t/{at.table}")
    if rolls:
        return session.with_receipt(HTMLResponse(""), at, outcome)
    fresh = session.SeatSession(at.context, at.table, at.seat)
    words = (event.words.strip() for event in outcome.events)
    said = " ".join(text if text.endswith((".", "!", "?", "…")) else f"{text}." for text in words)
    answer = rendering.page(request, "forms/form.html", at=fresh, form=form_of(fresh, command, {}), said=said)
    return session.with_receipt(answer, at, outcome)


@router.post("/answer/{act}")
def answer(request: Request, at: session.AtTable, act: str, sent: session.Sent) -> Response:
    """Answer a pending decision: one of its options, or the faces of dice that were thrown by hand."""
    faces = [text for name, text in sent if name == "face"]
    chosen: Any = next((text for name, text in sent if name == "answer"), "null")
    with suppress(ValueError, RecursionError):  # what isn't JSON is a text
        chosen = read_json(chosen)
    given = [
        int(face) if face.strip().isascii() and face.strip().isdigit() and len(face) <= 9 else face for face in faces
    ]
    own, fields = session.own_inputs(sent), {"act": act, "answer": given or chosen}
    return session.act_at_once(
        request, at, "answer", fields, link=own.get(session.LINK, ""), command_id=session.command_id(sent)
    )


def _sight(text: str) -> Sight:
    return next((one for one in Sight if one.value == text), Sight.OPEN)
