"""Panels of a table's page, in the order in which they are rendered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from astragal.surfaces.shared.ai_seats import AiRole, Doing
from astragal.surfaces.web.forms.ask import rolls_to_ask_for
from astragal.surfaces.web.live.panels import Panel
from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.story.cards import Card, Kind, cards_of
from astragal.surfaces.web.table.gm_screen import (
    bring_in,
    clocks_of,
    notes_of,
    screen_clocks,
    screen_due,
    screen_notes,
    screen_tools,
)
from astragal.surfaces.web.table.palette import OnCard, on_card
from astragal.surfaces.web.table.pending import open_cards, waits_of
from astragal.surfaces.web.table.pictures import Face, faces_of, handouts_of, picture_of_scene
from astragal.surfaces.web.table.sheet import Laid, Sheet, board_of, sheet_of
from astragal.table.pending import BROUGHT_LATER
from astragal.table.state.seats import Role
from astragal.table.state.table import Character
from astragal.table.state.things import Way

Context = Mapping[str, Any] | None

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

    @property
    def initials(self) -> str:
        parts = self.name.split()
        return "".join(part[:1] for part in parts[:2]).upper() if len(parts) > 1 else self.name[:2].title()


@dataclass(frozen=True)
class WayOn:
    number: int
    words: str
    way: str


def _people(session: SeatSession) -> Context:
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


def _chains(session: SeatSession) -> Context:
    """Hidden rolls that wait for this seat's link as a witness."""
    return {"asked": session.chains.asked} if session.chains.asked else None


def _hero(session: SeatSession) -> Context:
    own = [one for one in session.state.characters.values() if one.id in session.viewer.characters]
    may_make = session.viewer.role is Role.PLAYER and session.ruleset.heroes is not None
    return {
        "sheets": tuple((sheet_of(session, one), on_card(session, one)) for one in own),
        "role": session.viewer.role.value,
        "may_make": may_make,
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


def _party(session: SeatSession) -> Context:
    """Everybody else in the story: heroes first, then whom the game master plays."""
    others = [one for one in session.state.characters.values() if one.id not in session.viewer.characters]
    if not others and not session.is_game_master:
        return None
    runs = session.is_game_master
    heroes = [_person(session, one) for one in others if one.seat]
    rest = [_person(session, one) for one in others if not one.seat]
    if runs and heroes:
        heroes[0] = replace(heroes[0], chosen=True)
    return {
        "heroes": tuple(heroes),
        "others": tuple(rest),
        "runs": runs,
        "spread": session.viewer.role is Role.SPECTATOR,
        "asks": runs and bool(heroes and rolls_to_ask_for(session)),
        "brings": bring_in(session) if runs else (),
    }


def _person(session: SeatSession, character: Character[Any]) -> PersonCard:
    return PersonCard(sheet_of(session, character), on_card(session, character))


def _pending(session: SeatSession) -> Context:
    waits = waits_of(session)
    if waits.is_empty:
        return None
    return {"waits": waits, "brought_later": BROUGHT_LATER, "paired": session.is_paired}


def _actions(session: SeatSession) -> Context:
    """The scores of one's hero, and what else is usual, below the log: a phone has no room there for the sheet."""
    own = [one for one in session.state.characters.values() if one.id in session.viewer.characters]
    if session.viewer.role is not Role.PLAYER or not own:
        return None
    scores = tuple(one for one in sheet_of(session, own[0]).scores if one.asks)
    tapped = {one.asks.partition("?")[0] for one in scores}
    others = (one for one in on_card(session, own[0]) if one.command not in tapped)
    return {"scores": scores, "usual": tuple(others)}


def _scene(session: SeatSession) -> Context:
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


def _board(session: SeatSession) -> Context:
    board = board_of(session)
    conditions = tuple(
        (one.name, one.effect, session.teller.name(one.who) if one.who else "everyone", one.until.value)
        for one in session.state.conditions.values()
    )
    return None if board.is_empty and not conditions else {"board": board, "conditions": conditions}


def _clocks(session: SeatSession) -> Context:
    clocks = clocks_of(session)
    return {"clocks": clocks} if clocks and not session.is_game_master else None


def _notes(session: SeatSession) -> Context:
    if session.is_game_master:  # they have them on their screen
        return None
    return {"notes": notes_of(session), "writes": session.viewer.role is not Role.SPECTATOR}


def _handouts(session: SeatSession) -> Context:
    """What can be shown, or has been, and the way to bring a picture."""
    handouts = handouts_of(session)
    if not handouts and not session.is_game_master:
        return None
    return {"handouts": handouts, "shows": session.is_game_master}


def _safety(session: SeatSession) -> Context:
    safety = session.state.safety
    return {
        "boundaries": tuple((one.kind.value, one.words) for one in safety.boundaries),
        "speaks": session.viewer.role is not Role.SPECTATOR,
    }


def _stopped(session: SeatSession) -> Context:
    if not session.state.safety.stopped:
        return None
    return {"role": session.viewer.role.value}


def _ai(session: SeatSession) -> Context:
    """AIs that think, write, propose or are gone. One that waits for people is not in their way."""
    shown = tuple(
        (session.state.seats[one.seat].name if one.seat in session.state.seats else "", one)
        for one in session.ai
        if one.role is AiRole.HELPER or one.doing not in (Doing.WAITING, Doing.STOPPED)
    )
    return {"shown": shown, "speaks": session.viewer.role is not Role.SPECTATOR} if shown else None


def _welcome(session: SeatSession) -> Context:
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


def _television(session: SeatSession) -> Mapping[str, Any] | None:
    """The table across a room, on one screen that nobody has to scroll: for whoever looks on."""
    if session.viewer.role is not Role.SPECTATOR:
        return None
    state = session.state
    newest = session.host.latest(session.table, session.seat, most=LOOKED_AT).events
    cards = [card for card in cards_of(session, newest) if not card.abandoned]
    scene = state.scenes.get(state.calendar.scene or "")
    heroes = [sheet_of(session, one) for one in state.characters.values() if one.seat]
    return {
        "picture": picture_of_scene(state, scene) if scene else None,
        "title": scene.title if scene else state.name,
        "when": f"Evening {state.calendar.evening}" if state.calendar.evening else "",
        "words": next(_last_told(cards), scene.hook if scene else ""),
        "roll": next((card for card in reversed(cards) if card.kind is Kind.ROLL or card.closed), None),
        "waits": tuple(_waits(session)),
        "heroes": tuple((one.face, _held(one)) for one in heroes[:MOST_HEROES]),
        "board": _held(board_of(session)),
        "clocks": tuple(clocks_of(session))[:MOST_CLOCKS],
    }


def _last_told(cards: Sequence[Card]) -> Iterator[str]:
    for card in reversed(cards):
        if card.told and card.kind is Kind.STORY and card.told.passages:
            yield card.told.passages[0 if card.told.title else -1]


def _held(sheet: Sheet) -> tuple[Any, ...]:
    return tuple(one for one in sheet.summary if one.most)[:MOST_PIECES]


def _waits(session: SeatSession) -> Iterator[tuple[str, str]]:
    """Who is waited for, and for what."""
    for card in open_cards(session)[:MOST_WAITS]:
        deciding, asked = [one.who for one in card.decisions], [one.who for one in card.asked]
        does = "decides" if deciding else "is asked"
        what = card.stakes or ", ".join(card.notes) or card.title
        yield " and ".join(dict.fromkeys(deciding + asked)), f"{does}: {what}"


def _for_game_master(panel: Callable[[SeatSession], Context]) -> Callable[[SeatSession], Context]:
    """The screen is shown to nobody else."""
    return lambda session: panel(session) if session.is_game_master else None


PANELS: tuple[Panel, ...] = (
    Panel("people", _people),
    Panel("stopped", _stopped),
    Panel("ai", _ai),
    Panel("welcome", _welcome),
    Panel("pending", _pending),
    Panel("chains", _chains),
    Panel("hero", _hero),
    Panel("party", _party),
    Panel("actions", _actions),
    Panel("scene", _scene),
    Panel("board", _board),
    Panel("clocks", _clocks),
    Panel("notes", _notes),
    Panel("handouts", _handouts),
    Panel("seats", _people),
    Panel("safety", _safety),
    Panel("television", _television),
    Panel("screen_due", _for_game_master(screen_due)),
    Panel("screen_tools", _for_game_master(screen_tools)),
    Panel("screen_clocks", _for_game_master(screen_clocks)),
    Panel("screen_notes", _for_game_master(screen_notes)),
)

SCREEN: tuple[str, ...] = ("screen_due", "screen_tools")
"""Of these, the panels of the game master's screen."""
