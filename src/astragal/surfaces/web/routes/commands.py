"""Commands: their forms, odds while a form is filled in, submitting, answering pending decisions."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Annotated, Any, TypeVar
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, Response

from astragal.surfaces.web.errors import REFUSED, problem
from astragal.surfaces.web.forms.form import Form, form_of
from astragal.surfaces.web.forms.read import read_form
from astragal.surfaces.web.forms.ready import Ready, is_roll, ready_of, worded
from astragal.surfaces.web.rendering import is_part, page
from astragal.surfaces.web.requests import (
    CHAIN,
    LINK,
    Sent,
    command_id,
    explained_link,
    go_to,
    link_in,
    own_inputs,
    told_to_scripts,
)
from astragal.surfaces.web.session import AtTable, SeatSession
from astragal.table.authoring.declarations import Sight
from astragal.table.dice import LinkNeeded
from astragal.table.fields.validation import read_json
from astragal.table.log.repository import Outcome
from astragal.table.refusals import NoSuchThing, Refusal

router = APIRouter(prefix="/t/{table}")

OPENED = ("form/", "asking", "overriding", "undoing", "notes/", "pictures/for/")
"""The forms that buttons open."""
NEW, LONGEST_KEY, LONGEST_CHANCE = "new", 60, 12
"""The card of a roll that nobody asked for; how long the name of another may be, and a chance as it is typed."""
R = TypeVar("R", bound=Response)


@router.get("/form/{command}")
def show_form(request: Request, at: AtTable, command: str) -> HTMLResponse:
    """A command's form, with what the query says filled in."""
    given = read_form(at.book.command(command), request.query_params.multi_items())
    if is_roll(at, command):
        return _ready_card(request, at, ready_of(at, command, given))
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


def _ready_card(request: Request, at: SeatSession, ready: Ready, status: int = 200) -> HTMLResponse:
    return alone_or_part(request, "forms/ready_card.html", ready.title, status, at=at, ready=ready)


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
        if rolls:
            ready = ready_of(at, command, fields, key=_key(own), sight=sight)
            ready = replace(ready, form=replace(ready.form, thrown=by_hand)).refused_with(told, at.in_skin)
            answer = _refused_roll(request, at, ready, told)
        else:
            answer = _refused(request, at, form_of(at, command, fields), told)
        answer.headers.update(told_to_scripts(told))
        return answer
    if not is_part(request):
        return go_to(request, f"/t/{at.table}")
    if rolls:
        return _with_receipt(HTMLResponse(""), at, outcome)
    fresh = SeatSession(at.context, at.table, at.seat)
    answer = page(request, "forms/form.html", at=fresh, form=form_of(fresh, command, {}), said=_said(outcome))
    return _with_receipt(answer, at, outcome)


@router.post("/answer/{act}")
def answer(request: Request, at: AtTable, act: str, sent: Sent) -> Response:
    """Answer a pending decision: one of its options, or the faces of dice that were thrown by hand."""
    faces = [text for name, text in sent if name == "face"]
    chosen = next((text for name, text in sent if name == "answer"), "null")
    given = [_number(face) for face in faces] if faces else _from_json(chosen)
    own = own_inputs(sent)
    link = link_in(own.get(LINK, ""))
    try:
        outcome = at.act("answer", {"act": act, "answer": given}, command_id=command_id(sent), link=link)
    except Refusal as refusal:
        return refused_in_a_sentence(request, explained_link(refusal, link))
    if not is_part(request):
        return go_to(request, f"/t/{at.table}")
    return _with_receipt(Response(status_code=204), at, outcome)


def _with_receipt(response: R, at: SeatSession, outcome: Outcome) -> R:
    """Add the receipt for the browser to keep: it shows whether the ledger is rewritten later."""
    if outcome.receipt:
        kept = {"target": "body", "table": at.table, "line": outcome.receipt.line, "head": outcome.receipt.head}
        response.headers["HX-Trigger"] = json.dumps({"receipt": kept})
    return response


def _refused(request: Request, at: SeatSession, form: Form, refusal: Refusal) -> HTMLResponse:
    status = _status(request, refusal) if is_part(request) else 400
    shown = {"at": at, "form": form.refused_with(refusal, at.in_skin), "said": ""}
    return alone_or_part(request, "forms/form.html", form.title, status, **shown)


def _refused_roll(request: Request, at: SeatSession, ready: Ready, refusal: Refusal) -> HTMLResponse:
    """The card's form again with what is wrong, beside its button."""
    if is_part(request):
        return page(request, "forms/ready_form.html", _status(request, refusal), at=at, ready=ready)
    return _ready_card(request, at, ready, 400)


def refused_in_a_sentence(request: Request, refusal: Refusal) -> Response:
    """Refusal of a button that has no form: beside it, or on a page of its own."""
    status = _status(request, refusal)
    return problem(request, status, refusal.sentence, code=refusal.code, headers=told_to_scripts(refusal))


def _status(request: Request, refusal: Refusal) -> int:
    """Status of a refusal. What the page's script mends by itself is no error, and none in the browser's console."""
    return 200 if isinstance(refusal, LinkNeeded) and request.headers.get(CHAIN) == "here" else REFUSED


def alone_or_part(request: Request, part: str, title: str, status: int = 200, **context: Any) -> HTMLResponse:
    """A form for the page that asked for it; or, without scripts, on a page of its own.

    <noscript> parts are on that page only: in a part, the page's scripts would activate them.
    """
    if is_part(request):
        return page(request, part, status, **context)
    return page(request, "forms/form_page.html", status, part=part, title=title, alone=True, **context)


def _sight(text: str) -> Sight:
    return next((one for one in Sight if one.value == text), Sight.OPEN)


def _said(outcome: Outcome) -> str:
    told = (event.words.strip() for event in outcome.events)
    return " ".join(text if text.endswith((".", "!", "?", "…")) else f"{text}." for text in told)


def _number(text: str) -> int | str:
    return int(text) if text.strip().isascii() and text.strip().isdigit() and len(text) <= 9 else text


def _from_json(text: str) -> Any:
    try:
        return read_json(text)
    except (ValueError, RecursionError):
        return text
