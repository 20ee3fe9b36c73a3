"""Table page, chat and log."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, PlainTextResponse, Response

from astragal.surfaces.web.forms.ask import rolls_to_ask_for
from astragal.surfaces.web.live.panels import digest_of
from astragal.surfaces.web.rendering import page
from astragal.surfaces.web.requests import file_name, go_to, is_part
from astragal.surfaces.web.routes.commands import refused_in_a_sentence
from astragal.surfaces.web.session import AtTable
from astragal.surfaces.web.story.cards import cards_of, folded, unfolded
from astragal.surfaces.web.story.log_page import FILTERS, Journal, journal
from astragal.surfaces.web.story.transcript import as_markdown
from astragal.surfaces.web.table.chains import LINK, link_in
from astragal.surfaces.web.table.chains import in_words as chains_in_words
from astragal.surfaces.web.table.dice_tray import DICE
from astragal.surfaces.web.table.panels import PANELS, SCREEN
from astragal.surfaces.web.table.sheet import tables_of
from astragal.surfaces.web.table.speech import speech, voices
from astragal.surfaces.web.table.starter import skin_name
from astragal.table.refusals import Refusal

router = APIRouter(prefix="/t/{table}")

NEWEST = 80
"""Events on a fresh page; what came before is in the log."""
SHORTCUTS = (
    ("Ctrl K", "do or find anything"),
    ("/", "the same"),
    ("?", "this help"),
    ("T", "say or tell something"),
    ("D", "dice tray"),
    ("J K", "next person, the one before"),
    ("Enter", "choose the person, and what to do with them"),
    ("Esc", "close what is open"),
    ("A", "ask for a roll"),
)
"""Keys on the table's page; the last is the game master's."""


@router.get("")
def table(request: Request, at: AtTable) -> HTMLResponse:
    """The table's page; its live stream resumes from here."""
    newest = at.host.latest(at.table, at.seat, most=NEWEST)
    cards = cards_of(at, newest.events)
    panels = {panel.name: panel.drawn(request.app.state.templates, at) for panel in PANELS}
    return page(
        request,
        "table/table.html",
        at=at,
        role=at.viewer.role.value.replace(" ", "-"),
        skin=skin_name(at.ruleset, at.state.skin),
        entries=folded(cards),
        unfolded=unfolded(cards),
        cursor=newest.cursor,
        earlier=newest.start,
        panels=panels,
        screen=SCREEN,
        drawn=digest_of(panels),
        voices=voices(at),
        dice=DICE,
        asks=at.is_game_master and bool(rolls_to_ask_for(at)),
        shortcuts=SHORTCUTS if at.is_game_master else SHORTCUTS[:-1],
    )


@router.get("/log/newest")
def newest(request: Request, at: AtTable) -> HTMLResponse:
    """The newest cards again, for a page on which something was undone or revealed."""
    found = at.host.latest(at.table, at.seat, most=NEWEST)
    cards = cards_of(at, found.events)
    return page(request, "story/newest.html", entries=folded(cards), unfolded=unfolded(cards))


@router.get("/lookup/{character}")
def lookup(request: Request, at: AtTable, character: str) -> HTMLResponse:
    """The tables on a character's sheet."""
    found = at.state.characters.get(character)
    return page(request, "table/lookup.html", tables=tables_of(at, found) if found else [])


@router.post("/speak")
def speak(
    request: Request,
    at: AtTable,
    words: Annotated[str, Form(max_length=4000)],
    to: Annotated[str, Form(max_length=60)] = "",
    link: Annotated[str, Form(alias=LINK, max_length=64)] = "",
) -> Response:
    """Say something: to all, as a character, to one seat, or as the narrator; or roll dice, after a slash."""
    own_link = link_in(link)
    try:
        meant = speech(at, to, words.strip())
        at.act(meant.command, meant.fields, sight=meant.sight, link=own_link)
    except Refusal as refusal:
        return refused_in_a_sentence(request, chains_in_words(refusal, own_link))
    if not is_part(request):
        return go_to(request, f"/t/{at.table}")
    return Response(status_code=204)


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
