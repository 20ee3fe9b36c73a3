"""Where tracks of Pressure stand: the table's own, and each hero's. SS-50, SS-52, SS-53."""

from __future__ import annotations

from dataclasses import replace

from astragal.table.refusals import Refusal
from astragal.table.state import Character

from .game import Table
from .pressure import COSTLY, Scope, Toll
from .sheet import Sheet, find

TrackOf = str | None
"""The hero whose own track it is; None is the table's."""


def track_of(state: Table, who: str | None, *, shared: bool = False) -> TrackOf:
    """SS-50: which track rises by what somebody does. Of both it is one's own, unless all had a hand in it."""
    match state.options.pressure:
        case Scope.SHARED:
            return None
        case Scope.BOTH if shared or who is None:
            return None
    if who is None:
        raise Refusal("Each hero has a track of their own here: say whose.", code="nobody")
    return hero(state, who).id


def hero(state: Table, who: str) -> Character[Sheet]:
    found = find(state, who)
    if not found.sheet.is_hero:
        raise Refusal(f"{found.name} is no hero.", code="no_hero")
    return found


def heroes(state: Table) -> list[Character[Sheet]]:
    return [one for one in state.characters.values() if one.sheet.is_hero]


def tracks(state: Table) -> list[TrackOf]:
    """All tracks that this table plays with."""
    scope = state.options.pressure
    own = [] if scope is Scope.SHARED else [one.id for one in heroes(state)]
    return list(own) if scope is Scope.PERSONAL else [None, *own]


def step(state: Table, track: TrackOf) -> int:
    return state.game.pressure if track is None else state.characters[track].sheet.pressure


def steps_for(state: Table, who: str) -> dict[TrackOf, int]:
    """The steps of all tracks that bear on somebody."""
    return {track: step(state, track) for track in tracks(state) if track in (None, who)}


def surcharge(state: Table, who: Character[Sheet]) -> int:
    """SS-53: at step 4 a decision to spend costs 1 more: by itself, or where the custodian has said so. Never 2."""
    if not who.sheet.is_hero:
        return 0
    return int(any(_is_costly(state, track) for track in steps_for(state, who.id)))


def _is_costly(state: Table, track: TrackOf) -> bool:
    if step(state, track) != COSTLY:
        return False
    if state.options.step4_surcharge is Toll.AUTOMATIC:
        return True
    return state.game.surcharged if track is None else state.characters[track].sheet.surcharged


def with_step(state: Table, track: TrackOf, now: int) -> Table:
    """SS-53: a surcharge ends when the track leaves step 4."""
    if track is None:
        stays = state.game.surcharged and now == COSTLY
        return replace(state, game=replace(state.game, pressure=now, surcharged=stays))
    if track not in state.characters:
        return state
    sheet = state.characters[track].sheet
    return state.with_sheet(track, replace(sheet, pressure=now, surcharged=sheet.surcharged and now == COSTLY))


def with_surcharge(state: Table, track: TrackOf) -> Table:
    if track is None:
        return replace(state, game=replace(state.game, surcharged=True))
    return state.with_sheet(track, replace(state.characters[track].sheet, surcharged=True))
