"""Panels of a table's page. Of a long list a panel shows the newest; older ones have a page of their own."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from astragal.surfaces.shared.ai_seats import AiRole, Doing
from astragal.surfaces.web.forms.ask import rolls_to_ask_for
from astragal.surfaces.web.live.panels import Panel
from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.story.cards import Kind, cards_of
from astragal.surfaces.web.table.gm_screen import (
    bring_in,
    clocks_of,
    notes_of,
    screen_due,
    screen_tools,
)
from astragal.surfaces.web.table.palette import OnCard, on_card
from astragal.surfaces.web.table.pending import open_cards, waits_of
from astragal.surfaces.web.table.pictures import Face, faces_of, handouts_of, picture_of_scene
from astragal.surfaces.web.table.sheet import Laid, Sheet, board_of, sheet_of
from astragal.table.declarations import Role
from astragal.table.pending import BROUGHT_LATER
from astragal.table.state.things import Way

Context = Mapping[str, Any] | None

LISTED = 20
"""Entries of a list on the table's page."""
MOST_DRAFTS = 4
"""Scenes to go on with, where no way leads on from the present one."""
LOOKED_AT = 60
"""Of the newest events, those among which the last roll and the last words are."""
MOST_HEROES, MOST_PIECES, MOST_CLOCKS, MOST_WAITS = 6, 2, 3, 2


@dataclass(frozen=True)
class Person:
    """Somebody at the table."""

    id: str
    name: str
    role: str
    here: bool
    me: bool
    ai: bool
    plays: str
    face: Face | None = None


@dataclass(frozen=True)
class WayOn:
    number: int
    words: str
    way: str


PANELS: list[Panel] = []
T = TypeVar("T")
Shows = TypeVar("Shows", bound=Callable[..., Context])


def panel(shows: Shows) -> Shows:
    """A panel of the page, named as its function and its template are."""
    PANELS.append(Panel(shows.__name__, shows))
    return shows


def newest(things: Iterable[T], after: int) -> tuple[tuple[T, ...], int]:
    """The newest, after so many, in their order; and after how many there are older ones."""
    listed = list(things)
    first, last = max(len(listed) - after - LISTED, 0), max(len(listed) - after, 0)
    return tuple(listed[first:last]), after + LISTED if first else 0


@panel
def people(session: SeatSession) -> Context:
    state, present = session.state, session.present
    heroes: dict[str, list[Face]] = {}
    faces = faces_of(state)
    for character in state.characters.values():
        if character.seat:
            heroes.setdefault(character.seat, []).append(faces[character.id])
    return {
        "people": tuple(
            Person(
                seat.id,
                seat.name,
                seat.role.value,
                seat.id in present or seat.id == session.seat,
                seat.id == session.seat,
                seat.ai,
                ", ".join(face.name for face in heroes.get(seat.id, ())),
                next(iter(heroes.get(seat.id, ())), None),
            )
            for seat in state.seats.values()
        )
    }


@panel
def stopped(session: SeatSession) -> Context:
    if not session.state.safety.stopped:
        return None
    return {"role": session.viewer.role.value}


@panel
def ai(session: SeatSession) -> Context:
    """AIs that think, write, propose or are gone. One that waits for people is not in their way."""
    shown = tuple(
        (session.state.seats[one.seat].name if one.seat in session.state.seats else "", one)
        for one in session.ai
        if one.role is AiRole.HELPER or one.doing not in (Doing.WAITING, Doing.STOPPED)
    )
    return {"shown": shown, "speaks": session.viewer.role is not Role.SPECTATOR} if shown else None


@panel
def welcome(session: SeatSession) -> Context:
    """First steps, in the first evening. As soon as somebody has rolled or spoken, styles hide them."""
    state = session.state
    if state.calendar.evening > 1:
        return None
    players = {seat.id for seat in state.seats.values() if seat.role is Role.PLAYER}
    steps = (
        ("people", bool(players & session.present)),
        ("heroes", any(one.seat for one in state.characters.values())),
        ("evening", state.calendar.evening > 0),
        ("scene", bool(state.calendar.scene) or any(scene.entered for scene in state.scenes.values())),
    )
    own = [one.name for one in state.characters.values() if one.id in session.viewer.characters]
    return {
        "steps": steps,
        "is_ready": all(done for name, done in steps if name != "people"),
        "role": session.viewer.role.value,
        "heroes": ", ".join(own),
        "asks": bool(state.characters and rolls_to_ask_for(session)),
    }


@panel
def pending(session: SeatSession) -> Context:
    waits = waits_of(session)
    if waits.is_empty:
        return None
    return {"waits": waits, "brought_later": BROUGHT_LATER, "paired": session.is_paired}


@panel
def chains(session: SeatSession) -> Context:
    """Hidden rolls that wait for this seat's link as a witness."""
    return {"asked": session.chains.asked} if session.chains.asked else None


@panel
def hero(session: SeatSession, after: int = 0) -> Context:
    own = [one for one in session.state.characters.values() if one.id in session.viewer.characters]
    shown, more = newest(own, after)
    return {
        "sheets": tuple((sheet_of(session, one), on_card(session, one)) for one in shown),
        "role": session.viewer.role.value,
        "may_make": session.viewer.role is Role.PLAYER and session.ruleset.heroes is not None,
        "more": more,
    }


@dataclass(frozen=True)
class PersonCard:
    """Somebody in the story: what is held at a glance, what can be done with them, and their sheet."""

    sheet: Sheet
    actions: tuple[OnCard, ...]
    chosen: bool = False

    @property
    def note(self) -> str:
        """The best of their scores, for whoever looks at the card."""
        best = max(self.sheet.scores, key=lambda one: one.now, default=None)
        return f"{best.label} {best.now}" if best else ""

    @property
    def held(self) -> tuple[Laid, ...]:
        return self.sheet.adjusted or self.sheet.summary


@panel
def party(session: SeatSession, after: int = 0) -> Context:
    """Everybody else in the story: heroes first, then whom the game master plays."""
    others = [one for one in session.state.characters.values() if one.id not in session.viewer.characters]
    runs = session.is_game_master
    if not others and not runs:
        return None
    played, more = newest((one for one in others if one.seat), after)
    rest, more_rest = newest((one for one in others if not one.seat), after)
    people = {one.id: PersonCard(sheet_of(session, one), on_card(session, one)) for one in (*played, *rest)}
    heroes = [people[one.id] for one in played]
    if runs and heroes:
        heroes[0] = replace(heroes[0], chosen=True)
    return {
        "heroes": tuple(heroes),
        "others": tuple(people[one.id] for one in rest),
        "runs": runs,
        "spread": session.viewer.role is Role.SPECTATOR,
        "asks": runs and bool(heroes and rolls_to_ask_for(session)),
        "brings": bring_in(session) if runs else (),
        "more": more or more_rest,
    }


@panel
def actions(session: SeatSession) -> Context:
    """The scores of one's hero, and what else is usual, below the log: a phone has no room there for the sheet."""
    own = [one for one in session.state.characters.values() if one.id in session.viewer.characters]
    if session.viewer.role is not Role.PLAYER or not own:
        return None
    scores = tuple(one for one in sheet_of(session, own[0]).scores if one.asks)
    tapped = {one.asks.partition("?")[0] for one in scores}
    others = (one for one in on_card(session, own[0]) if one.command not in tapped)
    return {"scores": scores, "usual": tuple(others)}


@panel
def scene(session: SeatSession) -> Context:
    state = session.state
    calendar = state.calendar
    scene = state.scenes.get(calendar.scene or "")
    said = [f"Evening {calendar.evening}"] if calendar.evening else []
    said += [f"day {calendar.day}"] if calendar.day > 1 else []
    said += [calendar.encounter] if calendar.encounter else []
    shown: dict[str, Any] = {"when": " · ".join(said), "title": "", "passages": (), "options": (), "drafts": ()}
    shown |= {"id": "", "picture": None}
    if scene is not None:
        shown["title"], shown["id"], shown["picture"] = scene.title, scene.id, picture_of_scene(state, scene)
        shown["passages"] = tuple(part for part in (scene.hook, scene.action, scene.consequence) if part)
        shown["options"] = tuple(WayOn(one.number, one.words, one.way.value) for one in scene.options)
    if session.is_game_master and not shown["options"]:
        written = (one for one in state.scenes.values() if not one.entered)
        shown["drafts"] = tuple((one.id, one.title) for one in written)[:MOST_DRAFTS]
    return {**shown, "walks": session.is_game_master, "risky": Way.RISKY.value, "hidden": Way.HIDDEN.value}


@panel
def board(session: SeatSession) -> Context:
    board = board_of(session)
    conditions = tuple(
        (one.name, one.effect, session.teller.name(one.who) if one.who else "everyone", one.until.value)
        for one in session.state.conditions.values()
    )
    return None if board.is_empty and not conditions else {"board": board, "conditions": conditions}


@panel
def clocks(session: SeatSession, after: int = 0) -> Context:
    shown, more = newest(clocks_of(session), after)
    return {"clocks": shown, "more": more} if shown and not session.is_game_master else None


@panel
def screen_clocks(session: SeatSession, after: int = 0) -> Context:
    shown, more = newest(clocks_of(session), after)
    return {"clocks": shown, "more": more} if session.is_game_master else None


@panel
def notes(session: SeatSession, after: int = 0) -> Context:
    shown, more = newest(notes_of(session), after)
    writes = session.viewer.role is not Role.SPECTATOR
    return None if session.is_game_master else {"notes": shown, "writes": writes, "more": more}


@panel
def screen_notes(session: SeatSession, after: int = 0) -> Context:
    """Secrets first, then what one player reads."""
    shown, more = newest(notes_of(session), after)
    ordered = tuple(sorted(shown, key=lambda one: (not one.secret, not one.reader)))
    return {"notes": ordered, "more": more} if session.is_game_master else None


@panel
def handouts(session: SeatSession, after: int = 0) -> Context:
    """What can be shown, or has been, and the way to bring a picture."""
    shown, more = newest(handouts_of(session), after)
    runs = session.is_game_master
    return {"handouts": shown, "shows": runs, "more": more} if shown or runs else None


@panel
def safety(session: SeatSession) -> Context:
    safety = session.state.safety
    return {
        "boundaries": tuple((one.kind.value, one.words) for one in safety.boundaries),
        "speaks": session.viewer.role is not Role.SPECTATOR,
    }


@panel
def television(session: SeatSession) -> Context:
    """The table across a room, on one screen that nobody has to scroll: for whoever looks on."""
    if session.viewer.role is not Role.SPECTATOR:
        return None
    state = session.state
    events = session.host.latest(session.table, session.seat, most=LOOKED_AT).events
    cards = [card for card in cards_of(session, events) if not card.abandoned]
    scene = state.scenes.get(state.calendar.scene or "")
    heroes = [one for one in state.characters.values() if one.seat][:MOST_HEROES]
    told = (
        card.told.passages[0 if card.told.title else -1]
        for card in reversed(cards)
        if card.told and card.kind is Kind.STORY and card.told.passages
    )
    waits = []
    for card in open_cards(session)[:MOST_WAITS]:
        deciding, asked = [one.who for one in card.decisions], [one.who for one in card.asked]
        what = card.stakes or ", ".join(card.notes) or card.title
        does = "decides" if deciding else "is asked"
        waits.append((" and ".join(dict.fromkeys(deciding + asked)), f"{does}: {what}"))
    return {
        "picture": picture_of_scene(state, scene) if scene else None,
        "title": scene.title if scene else state.name,
        "when": f"Evening {state.calendar.evening}" if state.calendar.evening else "",
        "words": next(told, scene.hook if scene else ""),
        "roll": next((card for card in reversed(cards) if card.kind is Kind.ROLL or card.closed), None),
        "waits": tuple(waits),
        "heroes": tuple((one.face, _held(one)) for one in (sheet_of(session, who) for who in heroes)),
        "board": _held(board_of(session)),
        "clocks": clocks_of(session)[:MOST_CLOCKS],
    }


def _held(sheet: Sheet) -> tuple[Any, ...]:
    return tuple(one for one in sheet.summary if one.most)[:MOST_PIECES]


PANELS += [Panel("seats", people), Panel("screen_due", screen_due), Panel("screen_tools", screen_tools)]
LISTS: Mapping[str, Callable[[SeatSession, int], Context]] = {
    one.__name__: one for one in (hero, party, clocks, notes, handouts, screen_clocks, screen_notes)
}
"""Panels whose lists go on at an address of their own: their entries after so many."""
