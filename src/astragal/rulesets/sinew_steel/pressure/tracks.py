"""Tracks of Pressure, from 0 to 5: the table's own and each hero's, and what step 4 costs. SS-50, SS-52, SS-53."""

from __future__ import annotations

from astragal.game import Character, Meter, Refusal, Seen, Teller, replace
from astragal.rulesets.sinew_steel.options import Scope, Toll
from astragal.rulesets.sinew_steel.state import Sheet, State, TrackOf, find_hero, heroes

FULL = 5
"""SS-54: where the crisis comes."""
COSTLY = 4
"""SS-52: where power and pools cost more."""

STATES = (
    "nothing",
    "flavour",
    "a minor move: disadvantage for a scene",
    "a serious side effect",
    "power and pools cost 1 more, and people turn hostile",
    "a crisis",
)
"""SS-52: what each step means for the rules."""


PRESSURE = Meter(
    "pressure",
    most=lambda _: FULL,
    seen=Seen.ALL,
    write=lambda part, now: replace(part, pressure=now, surcharged=part.surcharged and now == COSTLY),
    override="a hero’s own Pressure",
    limit=COSTLY,
)
"""SS-50: a track, of the table or of a hero. SS-53: a surcharge ends when it leaves step 4."""


def step_after(before: int, rise: int) -> int:
    """SS-54: what goes past 5 is lost."""
    return min(FULL, before + rise)


def track_of(state: State, who: str | None, *, shared: bool = False) -> TrackOf:
    """SS-50: which track rises by what somebody does. Of both it is one's own, unless all had a hand in it."""
    match state.options.pressure:
        case Scope.SHARED:
            return None
        case Scope.BOTH if shared or who is None:
            return None
    if who is None:
        raise Refusal("Each hero has a track of their own here: say whose.", code="nobody")
    return find_hero(state, who).id


def track_name(track: TrackOf, teller: Teller) -> str:
    name = teller.term("pressure")
    return name if track is None else f"{teller.name(track)}’s {name}"


def tracks(state: State) -> list[TrackOf]:
    """The table's own track, and those of heroes who have one. Where all have theirs, the table's stays at 0."""
    return [None] if state.options.pressure is Scope.SHARED else [None, *(one.id for one in heroes(state))]


def step(state: State, track: TrackOf) -> int:
    return state.game.pressure if track is None else state.characters[track].sheet.pressure


def steps_for(state: State, who: str) -> dict[TrackOf, int]:
    """The steps of all tracks that bear on somebody."""
    return {track: step(state, track) for track in tracks(state) if track in (None, who)}


def surcharge(state: State, who: Character[Sheet]) -> int:
    """SS-53: at step 4 a decision to spend costs 1 more: by itself, or where the custodian has said so. Never 2."""
    if not who.sheet.is_hero:
        return 0
    costly = [track for track, at in steps_for(state, who.id).items() if at == COSTLY]
    if state.options.step4_surcharge is Toll.AUTOMATIC:
        return int(bool(costly))
    return int(any(state.game.surcharged if track is None else who.sheet.surcharged for track in costly))


def with_step(state: State, track: TrackOf, now: int) -> State:
    if track is None:
        return replace(state, game=PRESSURE.put(state.game, now))
    return state.with_sheet(track, PRESSURE.put(state.characters[track].sheet, now))


def with_surcharge(state: State, track: TrackOf) -> State:
    return state.with_game(surcharged=True) if track is None else state.changed(track, surcharged=True)
