"""Pages to read: the log, the recap of an evening, sheets to print, as Markdown and PDF too; luck and fair dice."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, PlainTextResponse, Response

from astragal.chance.pictures import percent_words
from astragal.surfaces.shared.printing import chronicle_pdf, sheet_pdf
from astragal.surfaces.shared.recap import chronicle_of, table_luck
from astragal.surfaces.web.rendering import page
from astragal.surfaces.web.session import AtTable, file_name
from astragal.surfaces.web.story.log import FILTERS, Journal, as_markdown, journal
from astragal.surfaces.web.table.pictures import address_of
from astragal.table.declarations import Role
from astragal.table.refusals import NoSuchThing

router = APIRouter(prefix="/t/{table}")

Evening = Annotated[int | None, Query(ge=0, le=100_000)]
PDF = "application/pdf"


@router.get("/log")
def log(
    request: Request,
    at: AtTable,
    before: Annotated[str, Query(max_length=60)] = "",
    only: Annotated[str, Query(max_length=20)] = "",
    find: Annotated[str, Query(max_length=100)] = "",
) -> HTMLResponse:
    """The log as this seat has seen it: filtered, searched, page by page."""
    found: Journal = journal(at, before=before, only=only, find=find)
    return page(request, "story/log.html", at=at, found=found, filters=FILTERS, only=only, find=find, before=before)


@router.get("/log.md")
def log_as_markdown(at: AtTable) -> PlainTextResponse:
    """The whole log of this seat as Markdown, card by card."""
    headers = {"Content-Disposition": f'attachment; filename="{file_name(at.state.name)}.md"'}
    return PlainTextResponse(as_markdown(at), media_type="text/markdown; charset=utf-8", headers=headers)


@router.get("/recap")
def recap(request: Request, at: AtTable, evening: Evening = None) -> HTMLResponse:
    """An evening told again: its scenes, its turning points, who was lucky."""
    told, address = chronicle_of(at, evening), partial(address_of, at.table)
    return page(request, "story/recap.html", at=at, told=told, address=address)


@router.get("/recap.md")
def recap_as_markdown(at: AtTable, evening: Evening = None) -> PlainTextResponse:
    told = chronicle_of(at, evening)
    headers = {"Content-Disposition": f'attachment; filename="{file_name(told.title)}.md"'}
    return PlainTextResponse(told.illustrated, media_type="text/markdown; charset=utf-8", headers=headers)


@router.get("/recap.pdf")
def recap_as_pdf(at: AtTable, evening: Evening = None) -> Response:
    told = chronicle_of(at, evening)
    return _pdf(chronicle_pdf(told), told.title)


@router.get("/sheet/{character}.pdf")
def sheet(at: AtTable, character: str) -> Response:
    """A character's sheet to print, as far as this seat may see it."""
    found = at.state.characters.get(character)
    if found is None:
        raise NoSuchThing("There is no such character here.")
    return _pdf(sheet_pdf(at, found), found.name)


def _pdf(made: bytes, name: str) -> Response:
    headers = {"Content-Disposition": f'inline; filename="{file_name(name)}.pdf"'}
    return Response(made, media_type=PDF, headers=headers)


# ---------------------------------------------------------------- luck and fair dice


@dataclass(frozen=True)
class OwnChain:
    """A chain that a seat may keep itself, in words; the page's scripts know more about it."""

    kind: str
    title: str
    state: str
    promised: bool
    promise: str
    give_up: str
    useful: bool = True
    """Is it asked for at this table?"""


@router.get("/fairness")
def fairness(request: Request, at: AtTable) -> HTMLResponse:
    kept = "a chain that a browser or program of yours keeps."
    alone = "Your rolls are drawn from the server’s chain alone."
    paired = OwnChain(
        "paired",
        "Your rolls",
        f"Paired with {kept}" if at.chains.paired else alone,
        at.chains.paired,
        "Pair my rolls",
        "Stop pairing",
    )
    witness = OwnChain(
        "witness",
        "The game master’s hidden rolls",
        f"Hidden rolls wait for {kept}" if at.chains.witness else "You don’t witness hidden rolls.",
        at.chains.witness,
        "Witness hidden rolls",
        "Stop witnessing",
        useful=at.state.house.witnessed,
    )
    kinds = {Role.GAME_MASTER: (paired,), Role.PLAYER: (paired, witness)}.get(at.viewer.role, ())
    return page(request, "fairness/fairness.html", at=at, kinds=kinds)


@router.get("/luck")
def luck(request: Request, at: AtTable) -> HTMLResponse:
    """Everybody's luck against exact expectation, as far as this seat may know."""
    return page(
        request, "fairness/luck.html", at=at, found=table_luck(at), share=lambda chance: percent_words(chance, 1)
    )
