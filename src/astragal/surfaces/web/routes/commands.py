"""Commands: their forms, odds while a form is filled in, submitting, answering pending decisions."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from typing import Annotated, Any, TypeVar
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, Response

from astragal.surfaces.web.errors import REFUSED, problem
from astragal.surfaces.web.forms.form import Form, form_of
from astragal.surfaces.web.forms.odds import picture
from astragal.surfaces.web.forms.read import read_form
from astragal.surfaces.web.rendering import page
from astragal.surfaces.web.requests import Sent, command_id, go_to, is_part, own_inputs
from astragal.surfaces.web.session import AtTable, SeatSession
from astragal.surfaces.web.table.chains import CHAIN, LINK, in_words, link_in, told_to_scripts
from astragal.table.authoring.declarations import Sight
from astragal.table.fairness.dice import LinkNeeded
from astragal.table.fields.definitions import fields_of
from astragal.table.log.repository import Outcome
from astragal.table.preview import Preview
from astragal.table.refusals import BadFields, NoSuchThing, Refusal

router = APIRouter(prefix="/t/{table}")

OPENED = ("form/", "asking", "overriding", "undoing", "notes/")
"""The forms that buttons open."""
R = TypeVar("R", bound=Response)


@router.get("/form/{command}")
def show_form(request: Request, at: AtTable, command: str) -> HTMLResponse:
    """A command's form, with what the query says filled in."""
    given = read_form(at.book.command(command), request.query_params.multi_items())
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
    """Odds of the command as the form is filled in now."""
    fields = read_form(at.book.command(command), sent)
    spend = form_of(at, command, fields).spend
    action = at.book.actions.get(command)
    own = own_inputs(sent)
    try:
        preview = _preview(at, command, fields, _sight(own.get(".sight", "")))
    except Refusal as refusal:
        # a form may just not be filled in yet
        why = "" if isinstance(refusal, BadFields) else refusal.sentence
        return page(request, "forms/odds.html", at=at, picture=None, spend=spend, why=why)
    if preview is None or action is None or not preview.cases:
        return page(request, "forms/odds.html", at=at, picture=None, spend=spend, why="")
    spent = fields.get(action.spend.field, 0) if action.spend else None
    shown = picture(preview, spent, own.get(".reach", ""))
    return page(request, "forms/odds.html", at=at, picture=shown, spend=spend, why="")


def _preview(at: SeatSession, command: str, fields: dict[str, Any], sight: Sight) -> Preview | None:
    """Preview a command; free text that is still missing is filled in, since it doesn't change the odds."""
    try:
        return at.preview(command, fields, sight)
    except Refusal:
        unwritten = [one.name for one in fields_of(at.book.command(command)) if one.is_free_text]
        with_words = dict.fromkeys(unwritten, "…") | fields
        if with_words == fields:
            raise
        with suppress(Refusal):
            return at.preview(command, with_words, sight)
        raise


@router.post("/do/{command}")
def do(request: Request, at: AtTable, command: str, sent: Sent) -> Response:
    """Give a command. The card comes by the live stream; the form comes back empty, or with what is wrong."""
    own = own_inputs(sent)
    fields = read_form(at.book.command(command), sent)
    sight, by_hand = _sight(own.get(".sight", "")), own.get(".by_hand") == "yes"
    link = link_in(own.get(LINK, ""))
    try:
        outcome = at.act(
            command,
            fields,
            command_id=command_id(sent),
            sight=sight,
            by_hand=by_hand,
            shown=own.get(".shown") or None,
            link=link,
        )
    except Refusal as refusal:
        form = replace(form_of(at, command, fields), sight=sight, thrown=by_hand)
        return _refused(request, at, form, in_words(refusal, link))
    if not is_part(request):
        return go_to(request, f"/t/{at.table}")
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
        return refused_in_a_sentence(request, in_words(refusal, link))
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
    answer = alone_or_part(request, "forms/form.html", form.title, status, **shown)
    answer.headers.update(told_to_scripts(refusal))
    return answer


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
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
