"""Pressure at the table: tampering, bargains, the custodian's moves, and crises that are due. SS-50 to SS-55, SS-65."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from astragal.chance import Question
from astragal.table.refusals import Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening, Price, Reaction

from . import words_story as words
from .able import check_no_crisis, decider
from .asked import Trial
from .asked_story import FaceCrisis, RaisePressure, Tamper
from .crises import broken, check_free, is_filled, losable, struck, told_rise
from .fortune import WITH_LUCK
from .game import CrisisDue, Table
from .happened_story import CrisisBroke, CrisisLoomed, CrisisStruck, ItemLost, PressurePaid, PressureRose
from .luck import degree, is_hoped_for
from .pressure import FULL, Crisis, Scope, Tampering, crisis, rising, step_after, tampering
from .tracks import TrackOf, hero, heroes, step, track_of, with_step
from .trials import numbers_are_closed, sides, tested, told_test

# ---------------------------------------------------------------- tampering


def ask_tampering(call: Call, asked: Trial) -> Question[Tampering]:
    """SS-51: the test, with where the track stands, in case it fails."""
    who = hero(call.state, asked.who)
    track = track_of(call.state, who.id)
    check_free(call, track)
    return tampering(*tested(call, asked), step(call.state, track), losable(who))


def tell_tampering(call: Call, asked: Trial, came: Tampering) -> list[Any]:
    tried = told_test(call, asked, came.roll)
    if came.roll.success:
        return tried
    who = hero(call.state, asked.who)
    return [*tried, *told_rise(call, track_of(call.state, who.id), who, came.crisis)]


# ---------------------------------------------------------------- outright


def _ask_rise(call: Call, asked: RaisePressure) -> Question[Crisis | None]:
    check_no_crisis(call.state)
    track = _track(call, asked)
    check_free(call, track)
    carried: tuple[str, ...] = ()
    if is_filled(call.state, track, asked.rise):
        carried = losable(struck(call.state, track, asked.who, asked.strikes))
    return rising(step(call.state, track), asked.rise, carried)


def _track(call: Call, asked: RaisePressure) -> TrackOf:
    return track_of(call.state, asked.who, shared=asked.shared)


def _tell_rise(call: Call, asked: RaisePressure, broke: Crisis | None) -> list[Any]:
    track = _track(call, asked)
    is_struck = is_filled(call.state, track, asked.rise)
    whose = hero(call.state, asked.who) if asked.who else None
    who = struck(call.state, track, asked.who, asked.strikes) if is_struck else whose
    return told_rise(call, track, who, broke, rise=asked.rise, why=asked.why)


def _sides_of_rise(call: Call, asked: RaisePressure | FaceCrisis) -> Mapping[str, str]:
    by = asked.who if isinstance(asked, RaisePressure) else None
    track = _track(call, asked) if isinstance(asked, RaisePressure) else _due(call)
    who = struck(call.state, track, by, asked.strikes)
    return {"custodian": call.state.game_master, "struck": decider(call.state, who.id)}


# ---------------------------------------------------------------- crises that are due


def _due(call: Call) -> TrackOf:
    if not call.state.game.crises_due:
        raise Refusal("No crisis is due.", code="no_crisis")
    due: CrisisDue = call.state.game.crises_due[0]
    return due.track_of


def _ask_crisis(call: Call, asked: FaceCrisis) -> Question[Crisis]:
    return crisis(losable(struck(call.state, _due(call), None, asked.strikes)))


def _tell_crisis(call: Call, asked: FaceCrisis, broke: Crisis) -> list[Any]:
    track = _due(call)
    return broken(call, track, struck(call.state, track, None, asked.strikes), broke)


def _pay(state: Table, pressure: int) -> list[PressurePaid]:
    """SS-65: 1 on the table's track, or on that of each hero where there is none."""
    if pressure != 1:
        raise Refusal(f"A rewind costs 1 {state.terms['pressure']}, not {pressure}.", code="price")
    tracks: list[TrackOf] = [None]
    if state.options.pressure is Scope.PERSONAL:
        tracks = [one.id for one in heroes(state)]
    if not tracks:
        raise Refusal("There is no hero to pay for this.", code="price")
    return [PressurePaid(track_of=track) for track in tracks]


PRESSURE_PRICE = Price("1 Pressure, for each hero where they have tracks of their own", _pay)


def _loom(state: Table, paid: PressurePaid) -> list[CrisisLoomed]:
    """SS-65: the crisis comes after the rewind."""
    is_due = CrisisDue(track_of=paid.track_of) in state.game.crises_due
    return [CrisisLoomed(track_of=paid.track_of)] if is_due else []


# ---------------------------------------------------------------- folds


def _rise(state: Table, rose: PressureRose) -> Table:
    return with_step(state, rose.track_of, rose.after)


def _raise_for_good(state: Table, paid: PressurePaid) -> Table:
    """A rewind may have gone back to before the hero was there."""
    if paid.track_of is not None and paid.track_of not in state.characters:
        return state
    now = step_after(step(state, paid.track_of), 1)
    if now < FULL:
        return with_step(state, paid.track_of, now)
    due = (*state.game.crises_due, CrisisDue(track_of=paid.track_of))
    state = with_step(state, paid.track_of, state.options.crisis_reset)
    return replace(state, game=replace(state.game, crises_due=due))


def _reset(state: Table, broke: CrisisBroke) -> Table:
    due = tuple(one for one in state.game.crises_due if one.track_of != broke.track_of)
    state = with_step(state, broke.track_of, broke.reset)
    return replace(state, game=replace(state.game, crises_due=due))


def _take_away(state: Table, lost: ItemLost) -> Table:
    sheet = state.characters[lost.who].sheet
    gear = tuple(item for item in sheet.gear if item.name != lost.item)
    return state.with_sheet(lost.who, replace(sheet, gear=gear))


FUSE = Chapter(
    actions=(
        Action(
            Tamper,
            tell_tampering,
            gather=ask_tampering,
            sides=sides,
            outcome=lambda came: degree(came.roll),
            hopes=is_hoped_for,
            policies=WITH_LUCK,
            hides=numbers_are_closed,
        ),
        Action(RaisePressure, _tell_rise, gather=_ask_rise, sides=_sides_of_rise),
        Action(FaceCrisis, _tell_crisis, gather=_ask_crisis, sides=_sides_of_rise),
    ),
    happenings=(
        Happening(PressureRose, words.pressure_rose, _rise),
        Happening(PressurePaid, words.pressure_paid, _raise_for_good),
        Happening(CrisisLoomed, words.crisis_loomed),
        Happening(CrisisBroke, words.crisis_broke, _reset),
        Happening(CrisisStruck, words.crisis_struck),
        Happening(ItemLost, words.item_lost, _take_away),
    ),
    reactions=(Reaction(PressurePaid, _loom),),
)
