"""Commands: their forms, odds while a form is filled in, submitting, answering pending decisions."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, Response
from msgspec.structs import replace

from astragal.surfaces.web import rendering, session
from astragal.surfaces.web.forms.form import Form, form_of, read_form
from astragal.surfaces.web.forms.ready import Ready, is_roll, ready_of, worded
from astragal.table.declarations import Sight
from astragal.table.fields.validation import read_json
from astragal.table.refusals import NoSuchThing, Refusal

router = APIRouter(prefix="/t/{table}")

OPENED = ("form/", "asking", "overriding", "undoing", "notes/", "pictures/for/")
"""The forms that buttons open."""
NEW = "new"
"""Key of the card for a roll that nobody asked for."""
LONGEST_KEY = 60
"""The longest key of another card."""
LONGEST_CHANCE = 12
"""The longest typed chance."""
LONGEST_FACE = 9
"""The most digits of a die's face."""


@router.get("/form/{command}")
def show_form(request: Request, at: session.AtTable, command: str) -> HTMLResponse:
    """A command's form, with what the query says filled in."""
    fields = read_form(at.book.command(command), request.query_params.multi_items())
    if is_roll(at, command):
        with at.calculating():
            ready = ready_of(at, command, fields)
        return rendering.alone_or_part(request, "forms/ready_card.html", ready.title, at=at, ready=ready)
    form = form_of(at, command, fields, opened=True)
    return rendering.alone_or_part(request, "forms/form.html", form.title, at=at, form=form, said="")


@router.get("/open")
def open_form(
    request: Request, at: session.AtTable, address: Annotated[str, Query(alias=".open", max_length=500)]
) -> Response:
    """Redirect to the form of a button, for a browser without scripts."""
    path, _, query = address.partition("?")
    if not path.startswith(OPENED) or ".." in path or "\\" in path:
        raise NoSuchThing("There is no such form.")
    form_address = f"/t/{at.table}/{quote(path)}"
    if query:
        form_address += f"?{quote(query, safe='=&%+')}"
    return session.go_to(request, form_address)


@router.post("/odds/{command}")
def show_odds(request: Request, at: session.AtTable, command: str, sent: session.Sent) -> HTMLResponse:
    """Odds of a roll as its card is filled in now."""
    if not is_roll(at, command):
        raise NoSuchThing("Nothing is rolled for that.")
    own_inputs = session.own_inputs(sent)
    fields = read_form(at.book.command(command), sent)
    sight = _sight(own_inputs.get(".sight", ""))
    wanted_chance = own_inputs.get(".reach", "")[:LONGEST_CHANCE]
    with at.calculating():
        ready = ready_of(at, command, fields, key=_key(own_inputs), sight=sight, wanted=wanted_chance)
    return rendering.page(request, "forms/ready_odds.html", at=at, ready=ready)


def _key(own_inputs: Mapping[str, str]) -> str:
    """Key of the card that a form belongs to."""
    key = own_inputs.get(".key", NEW)
    if len(key) > LONGEST_KEY or not key.isascii() or not key.replace("-", "").isalnum():
        return NEW
    return key


@router.post("/do/{command}")
def do(request: Request, at: session.AtTable, command: str, sent: session.Sent) -> Response:
    """Give a command. The card comes by the live stream; the form comes back empty, or with what is wrong."""
    own_inputs = session.own_inputs(sent)
    form_fields = read_form(at.book.command(command), sent)
    sight = _sight(own_inputs.get(".sight", ""))
    is_by_hand = own_inputs.get(".by_hand") == "yes"
    link = session.link_in(own_inputs.get(session.LINK, ""))
    rolls = is_roll(at, command)
    fields = form_fields
    if rolls:
        with at.calculating():
            fields, _, _ = worded(at, at.book.action(command), form_fields, sight)
    try:
        outcome = at.act(
            command,
            fields,
            command_id=session.command_id(sent),
            sight=sight,
            by_hand=is_by_hand,
            shown=own_inputs.get(".shown") or None,
            link=link,
        )
    except Refusal as refusal:
        explained = session.explained_link(refusal, link)
        if rolls:
            ready = ready_of(at, command, form_fields, key=_key(own_inputs), sight=sight)
            ready = replace(ready, form=replace(ready.form, thrown=is_by_hand))
            return _refused_roll(request, at, ready.refused_with(explained, at.in_skin), explained)
        form = form_of(at, command, form_fields).refused_with(explained, at.in_skin)
        return _refused_form(request, at, form, explained)
    if not rendering.is_part(request):
        return session.go_to(request, f"/t/{at.table}")
    if rolls:
        return session.with_receipt(HTMLResponse(""), at, outcome)
    fresh = session.SeatSession(at.context, at.table, at.seat)
    empty_form = form_of(fresh, command, {})
    report = _as_sentences(event.words for event in outcome.events)
    answer = rendering.page(request, "forms/form.html", at=fresh, form=empty_form, said=report)
    return session.with_receipt(answer, at, outcome)


def _refused_roll(request: Request, at: session.SeatSession, ready: Ready, refusal: Refusal) -> Response:
    """Show the card of a roll again, with what is wrong."""
    template = "forms/ready_form.html" if rendering.is_part(request) else "forms/ready_card.html"
    status = _refused_status(request, refusal)
    answer = rendering.alone_or_part(request, template, ready.title, status, at=at, ready=ready)
    answer.headers[session.REFUSAL] = refusal.code
    return answer


def _refused_form(request: Request, at: session.SeatSession, form: Form, refusal: Refusal) -> Response:
    """Show a form again, with what is wrong."""
    status = _refused_status(request, refusal)
    answer = rendering.alone_or_part(request, "forms/form.html", form.title, status, at=at, form=form, said="")
    answer.headers[session.REFUSAL] = refusal.code
    return answer


def _refused_status(request: Request, refusal: Refusal) -> int:
    return session.status_of(request, refusal) if rendering.is_part(request) else 400


def _as_sentences(texts: Iterable[str]) -> str:
    """Join texts, each as a sentence."""
    sentences = []
    for text in texts:
        stripped = text.strip()
        ends_as_sentence = stripped.endswith((".", "!", "?", "…"))
        sentences.append(stripped if ends_as_sentence else f"{stripped}.")
    return " ".join(sentences)


@router.post("/answer/{act}")
def answer(request: Request, at: session.AtTable, act: str, sent: session.Sent) -> Response:
    """Answer a pending decision: one of its options, or the faces of dice that were thrown by hand."""
    faces = [_face(text) for name, text in sent if name == "face"]
    option: Any = next((text for name, text in sent if name == "answer"), "null")
    with suppress(ValueError, RecursionError):  # what isn't JSON is a text
        option = read_json(option)
    fields = {"act": act, "answer": faces or option}
    link = session.own_inputs(sent).get(session.LINK, "")
    return session.act_at_once(request, at, "answer", fields, link=link, command_id=session.command_id(sent))


def _face(text: str) -> int | str:
    """Read the face of a die; what is no number stays as it was typed, for the command to refuse."""
    digits = text.strip()
    if digits.isascii() and digits.isdigit() and len(text) <= LONGEST_FACE:
        return int(digits)
    return text


def _sight(text: str) -> Sight:
    return next((sight for sight in Sight if sight.value == text), Sight.OPEN)
