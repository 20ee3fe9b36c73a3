"""Command palette, everything that can be done as a plain list, the rules, and the dice tray."""

from __future__ import annotations

from itertools import groupby
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from astragal.surfaces.shared import rulebook
from astragal.surfaces.shared.slash import notation_in
from astragal.surfaces.web.rendering import page
from astragal.surfaces.web.requests import go_to, is_part
from astragal.surfaces.web.routes.commands import refused_in_a_sentence
from astragal.surfaces.web.session import AtTable
from astragal.surfaces.web.table.chains import LINK, in_words, link_in
from astragal.surfaces.web.table.dice_tray import LONGEST, written_odds
from astragal.surfaces.web.table.palette import index_of, with_somebody
from astragal.table.authoring.declarations import Sight
from astragal.table.chapters.free_dice import ROLL_DICE
from astragal.table.refusals import NoSuchThing, Refusal

router = APIRouter(prefix="/t/{table}")


@router.get("/palette.json")
def palette(at: AtTable) -> JSONResponse:
    """All that this seat can do and find, for the palette to search."""
    return JSONResponse([one.plain for one in index_of(at)])


@router.get("/everything")
def everything(request: Request, at: AtTable, who: Annotated[str, Query(max_length=40)] = "") -> HTMLResponse:
    """The same as a list, for a browser without scripts; with `who`, what can be done with somebody."""
    character = at.state.characters.get(who)
    if who and character is None:
        raise NoSuchThing("There is nobody like that here.")
    found = with_somebody(at, character) if character else index_of(at)
    listed = sorted((one for one in found if one.group != "Rules"), key=lambda one: one.group != "Now")
    groups = {group: tuple(some) for group, some in groupby(sorted(listed, key=_place), key=lambda one: one.group)}
    title = f"{character.name}: what can be done" if character else "Everything you can do"
    return page(request, "table/everything.html", at=at, groups=groups, title=title)


GROUPS = ("Now", "Do", "People", "Scenes", "Go to", "Settings")


def _place(entry: object) -> int:
    return GROUPS.index(getattr(entry, "group", ""))


@router.get("/rules")
def rules(request: Request, at: AtTable) -> HTMLResponse:
    """The rules of the game, clause by clause, in the words of what plays them."""
    return page(request, "table/rules.html", at=at, clauses=rulebook.entries(at.book))


@router.get("/dice/odds")
def odds(request: Request, _: AtTable, line: Annotated[str, Query(max_length=4000)] = "") -> HTMLResponse:
    """Odds of a notation, or of a line such as /roll 2d6+3, while it is typed."""
    notation = notation_in(line)
    return page(request, "table/dice_odds.html", odds=written_odds(notation) if notation else None)


@router.post("/dice")
def roll(
    request: Request,
    at: AtTable,
    line: Annotated[str, Form(max_length=LONGEST)],
    sight: Annotated[str, Form(max_length=10)] = Sight.OPEN.value,
    link: Annotated[str, Form(alias=LINK, max_length=64)] = "",
) -> Response:
    """Roll what lies in the tray."""
    own_link = link_in(link)
    notation, _, label = line.partition("#")
    seen = Sight.HIDDEN if sight == Sight.HIDDEN.value else Sight.OPEN
    try:
        at.act(ROLL_DICE, {"notation": notation.strip(), "label": label.strip()}, sight=seen, link=own_link)
    except Refusal as refusal:
        return refused_in_a_sentence(request, in_words(refusal, own_link))
    return Response(status_code=204) if is_part(request) else go_to(request, f"/t/{at.table}")
