"""Table page: its live stream, chat, command palette, dice tray, and everything that can be done as a plain list."""

from collections.abc import Iterator
from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from astragal.surfaces.shared import rulebook
from astragal.surfaces.shared.slash import ParsedLine, is_slash, notation_in, slash
from astragal.surfaces.web import errors, rendering
from astragal.surfaces.web.forms import ask, choices
from astragal.surfaces.web.forms.odds import DICE, LONGEST_NOTATION, written_odds
from astragal.surfaces.web.live import hub, sse, updates
from astragal.surfaces.web.live.panels import PanelCache, Place
from astragal.surfaces.web.routes.home import skin_name
from astragal.surfaces.web.session import LINK, AtTable, SeatSession, act_at_once
from astragal.surfaces.web.story.cards import cards_of, folded, unfolded
from astragal.surfaces.web.table.palette import index_of, with_somebody
from astragal.surfaces.web.table.panels import LISTS, PANELS
from astragal.surfaces.web.table.sheet import tables_of
from astragal.table.chapters.chat import ROLL_DICE
from astragal.table.declarations import Role, Sight
from astragal.table.refusals import NoSuchThing

STORY = "story"
ALL = ""


def voices(session: SeatSession) -> Iterator[tuple[str, list[choices.Option]]]:
    """Voices of this seat, in groups with titles: to all, as its characters, in private."""
    out_loud = [choices.Option(ALL, "To all")]
    if session.is_game_master:  # game masters tell more than they chat
        out_loud.insert(0, choices.Option(STORY, "The story"))
    yield "Out loud", out_loud
    characters = [
        character
        for character in session.state.characters.values()
        if session.is_game_master or character.id in session.viewer.characters
    ]
    if characters:
        yield "As a character", [choices.Option(f"as:{hero.id}", f"As {hero.name}") for hero in characters]
        yield "What a character does", [choices.Option(f"does:{hero.id}", f"{hero.name} …") for hero in characters]
    listeners = [
        seat for seat in session.state.seats.values() if seat.id != session.seat and seat.role is not Role.SPECTATOR
    ]
    if listeners and session.viewer.role is not Role.SPECTATOR:
        yield "In private", [choices.Option(f"to:{seat.id}", f"Whisper to {seat.name}") for seat in listeners]


def speech(session: SeatSession, voice: str, words: str) -> ParsedLine:
    """Return the command that says these words in this voice. A line that begins with a slash names its own command."""
    manner, _, whom = voice.partition(":")
    if is_slash(words):
        return slash(session, words, whom if manner in ("as", "does") else "")
    if manner == "to":
        return ParsedLine("whisper", {"to": [whom], "words": words})
    if manner == "does":
        return ParsedLine("emote", {"who": whom, "words": words})
    if manner == "as":
        return ParsedLine("say", {"words": words, "who": whom})
    if voice == STORY:
        return ParsedLine("narrate", {"words": words})
    return ParsedLine("say", {"words": words})


router = APIRouter(prefix="/t/{table}")

NEWEST = 80
"""The number of events on a fresh page. Earlier ones are in the log."""
MOST_AFTER = 100_000
GROUPS = ("Now", "Do", "People", "Scenes", "Go to", "Settings")
"""Groups of the palette's entries that are listed, in this order."""


@router.get("")
def table(request: Request, at: AtTable) -> HTMLResponse:
    """The table's page; its live stream resumes from here."""
    newest = at.host.latest(at.table, at.seat, most=NEWEST)
    stamp = updates.page_digest(at)
    cards = cards_of(at, newest.events)
    panels = PanelCache(request.app.state.templates, at.table).of(PANELS, at)
    return rendering.page(
        request,
        "table/table.html",
        at=at,
        role=at.viewer.role.value.replace(" ", "-"),
        skin=skin_name(at.ruleset, at.state.skin),
        entries=folded(cards),
        unfolded=unfolded(cards),
        mark=updates.mark(newest.cursor, stamp, panels),
        earlier=newest.start,
        panels={name: drawing.text for name, drawing in panels.drawings.items()},
        voices=voices(at),
        dice=DICE,
        asks=at.is_game_master and bool(ask.rolls_to_ask_for(at)),
    )


@router.get("/log/newest")
def newest(request: Request, at: AtTable) -> HTMLResponse:
    """The newest cards again, for a page on which something was undone or revealed."""
    cards = cards_of(at, at.host.latest(at.table, at.seat, most=NEWEST).events)
    return rendering.page(request, "story/newest.html", entries=folded(cards), unfolded=unfolded(cards))


@router.get("/lookup/{character}")
def lookup(request: Request, at: AtTable, character: str) -> HTMLResponse:
    """The tables on a character's sheet."""
    person = at.state.characters.get(character)
    tables = tables_of(at, person) if person else []
    return rendering.page(request, "table/lookup.html", tables=tables)


@router.post("/speak")
def speak(
    request: Request,
    at: AtTable,
    words: Annotated[str, Form(max_length=4000)],
    to: Annotated[str, Form(max_length=60)] = "",
    link: Annotated[str, Form(alias=LINK, max_length=64)] = "",
) -> Response:
    """Say something: to all, as a character, to one seat, or as the narrator; or roll dice, after a slash."""
    line = speech(at, to, words.strip())
    return act_at_once(request, at, line.command, line.fields, sight=line.sight, link=link)


@router.get("/events")
async def events(request: Request, at: sse.Following, mark: sse.FromCursor) -> sse.Stream:
    """Live stream of the table as this seat sees it: new cards and changed panels.

    `id` marks the state of the page: the seat's own cursor, and a stamp of what the panels were drawn from. A
    connection resumes from `Last-Event-ID`; the first one, from the `after` of the page.
    """

    def follower(cache: hub.RoomCache) -> updates.PageFollower:
        if "page" not in cache:
            cache["page"] = updates.PageCache(request.app.state.templates, at.table, PANELS)
        return updates.PageFollower(at, cache["page"], mark)

    return sse.Stream(request, at, follower)


@router.get("/palette.json")
def palette(at: AtTable) -> JSONResponse:
    """All that this seat can do and find, for the palette to search."""
    return JSONResponse([entry.plain for entry in index_of(at)])


@router.get("/everything")
def everything(request: Request, at: AtTable, who: Annotated[str, Query(max_length=40)] = "") -> HTMLResponse:
    """The palette as a list, for a browser without scripts; with `who`, what can be done with somebody."""
    character = at.state.characters.get(who)
    if who and character is None:
        raise NoSuchThing("There is nobody like that here.")
    if character:
        entries = list(with_somebody(at, character))
        title = f"{character.name}: what can be done"
    else:
        entries = list(index_of(at))
        title = "Everything you can do"
    groups = {}
    for group in GROUPS:
        entries_of_group = [entry for entry in entries if entry.group == group]
        if entries_of_group:
            groups[group] = entries_of_group
    return rendering.page(request, "table/everything.html", at=at, groups=groups, title=title)


@router.get("/older/{name}")
def older(
    request: Request, at: AtTable, name: str, after: Annotated[int, Query(ge=0, le=MOST_AFTER)] = 0
) -> HTMLResponse:
    """Entries of a panel's list that the table's page leaves out: those after the first `after`."""
    context = LISTS[name](at, after) if name in LISTS else None
    if context is None:
        raise HTTPException(404, errors.NOTHING_HERE)
    return rendering.page(request, "table/older.html", at=at, place=Place(at.table), name=name, **context)


@router.get("/rules")
def rules(request: Request, at: AtTable) -> HTMLResponse:
    """The rules of the game, clause by clause, in the words of the functions that apply them."""
    return rendering.page(request, "table/rules.html", at=at, clauses=rulebook.entries(at.book))


@router.get("/dice/odds")
def odds(request: Request, at: AtTable, line: Annotated[str, Query(max_length=4000)] = "") -> HTMLResponse:
    """Odds of a notation, or of a line such as /roll 2d6+3, while it is typed."""
    notation = notation_in(line)
    with at.calculating():
        notation_odds = written_odds(notation) if notation else None
    return rendering.page(request, "table/dice_odds.html", odds=notation_odds)


@router.post("/dice")
def roll(
    request: Request,
    at: AtTable,
    line: Annotated[str, Form(max_length=LONGEST_NOTATION)],
    sight: Annotated[str, Form(max_length=10)] = Sight.OPEN.value,
    link: Annotated[str, Form(alias=LINK, max_length=64)] = "",
) -> Response:
    """Roll what lies in the tray."""
    notation, _, label = line.partition("#")
    roll_sight = Sight.HIDDEN if sight == Sight.HIDDEN.value else Sight.OPEN
    fields = {"notation": notation.strip(), "label": label.strip()}
    return act_at_once(request, at, ROLL_DICE, fields, sight=roll_sight, link=link)
