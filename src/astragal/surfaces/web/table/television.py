"""The table across a room: scene, party, clocks and the last roll, on one screen that nobody has to scroll."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.story.cards import Card, Kind, cards_of
from astragal.surfaces.web.table.gm_screen import clocks_of
from astragal.surfaces.web.table.open_cards import open_cards
from astragal.surfaces.web.table.pictures import picture_of_scene
from astragal.surfaces.web.table.sheet import Sheet, board_of, sheet_of
from astragal.table.state.seats import Role

LOOKED_AT = 60
"""Of the newest events, those among which the last roll and the last words are."""
MOST_HEROES, MOST_PIECES, MOST_CLOCKS, MOST_WAITS = 6, 2, 3, 2


def television(session: SeatSession) -> Mapping[str, Any] | None:
    """For whoever looks on; nobody else is sent it."""
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
