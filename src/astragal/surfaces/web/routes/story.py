"""Pages to read: the log, the recap of an evening, sheets to print, as Markdown and PDF too; luck and fair dice."""

from fractions import Fraction
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, Response

from astragal.chance.pictures import percent_words
from astragal.surfaces.shared.printing import chronicle_pdf, sheet_pdf
from astragal.surfaces.shared.recap import chronicle_of, table_luck
from astragal.surfaces.web.rendering import page
from astragal.surfaces.web.session import AtTable, file_name, go_to
from astragal.surfaces.web.story.log import FILTERS, Journal, as_markdown, journal, words_to_forget
from astragal.surfaces.web.table.pictures import address_of
from astragal.table.refusals import NoSuchThing

router = APIRouter(prefix="/t/{table}")

MOST_FORGOTTEN = 50
"""Commands of one card whose words can be forgotten at once."""
Evening = Annotated[int | None, Query(ge=0, le=100_000)]
FILES = {"pdf": ("application/pdf", "inline"), "md": ("text/markdown; charset=utf-8", "attachment")}


@router.get("/log")
def log(
    request: Request,
    at: AtTable,
    before: Annotated[str, Query(max_length=60)] = "",
    only: Annotated[str, Query(max_length=20)] = "",
    find: Annotated[str, Query(max_length=100)] = "",
) -> HTMLResponse:
    """The log as this seat has seen it: filtered, searched, page by page."""
    entries: Journal = journal(at, before=before, only=only, find=find)
    return page(request, "story/log.html", at=at, found=entries, filters=FILTERS, only=only, find=find, before=before)


@router.get("/log/forget")
def ask_to_forget(
    request: Request, at: AtTable, act: Annotated[list[str], Query(min_length=1, max_length=MOST_FORGOTTEN)]
) -> HTMLResponse:
    """Show the words of commands, and ask whether they are to be forgotten for good."""
    events_with_words = words_to_forget(at, act)
    if not events_with_words:
        raise NoSuchThing("There are no words of yours there.")
    return page(request, "story/forget.html", at=at, told=events_with_words)


@router.post("/log/forget")
def forget(
    request: Request, at: AtTable, act: Annotated[list[str], Form(min_length=1, max_length=MOST_FORGOTTEN)]
) -> Response:
    """Forget the words of commands for good. That they were given stays, and what came of them."""
    for command_id in dict.fromkeys(act):
        at.host.archive.forget_words(at.table, at.seat, command_id)
    return go_to(request, f"/t/{at.table}/log")


@router.get("/log.md")
def log_as_markdown(at: AtTable) -> Response:
    """The whole log of this seat as Markdown, card by card."""
    return _file(as_markdown(at), at.state.name, "md")


@router.get("/recap")
def recap(request: Request, at: AtTable, evening: Evening = None) -> HTMLResponse:
    """The recap of an evening: its scenes, its turning points, who was lucky."""
    chronicle = chronicle_of(at, evening)
    address = partial(address_of, at.table)
    return page(request, "story/recap.html", at=at, told=chronicle, address=address)


@router.get("/recap.md")
def recap_as_markdown(at: AtTable, evening: Evening = None) -> Response:
    chronicle = chronicle_of(at, evening)
    return _file(chronicle.illustrated, chronicle.title, "md")


@router.get("/recap.pdf")
def recap_as_pdf(at: AtTable, evening: Evening = None) -> Response:
    chronicle = chronicle_of(at, evening)
    return _file(chronicle_pdf(chronicle), chronicle.title, "pdf")


@router.get("/sheet/{character}.pdf")
def sheet(at: AtTable, character: str) -> Response:
    """A character's sheet to print, as far as this seat may see it."""
    person = at.state.characters.get(character)
    if person is None:
        raise NoSuchThing("There is no such character here.")
    return _file(sheet_pdf(at, person), person.name, "pdf")


def _file(content: str | bytes, name: str, kind: str) -> Response:
    media_type, disposition = FILES[kind]
    headers = {"Content-Disposition": f'{disposition}; filename="{file_name(name)}.{kind}"'}
    return Response(content, media_type=media_type, headers=headers)


@router.get("/luck")
def luck(request: Request, at: AtTable) -> HTMLResponse:
    """Everyone's luck against exact expectation, as far as this seat may know."""
    return page(request, "fairness/luck.html", at=at, found=table_luck(at), share=_percent_with_one_digit)


def _percent_with_one_digit(chance: Fraction) -> str:
    return percent_words(chance, 1)


@router.get("/fairness")
def fairness(request: Request, at: AtTable) -> HTMLResponse:
    """Fair dice: explained, verified in the browser, which also keeps a seat's own chains."""
    return page(request, "fairness/fairness.html", at=at)
