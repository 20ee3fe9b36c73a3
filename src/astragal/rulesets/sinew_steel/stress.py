"""A further track with a name and a crisis of its own: fear, corruption, frost. SS-67."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from astragal.table.chapters.conditions import new_condition
from astragal.table.refusals import Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening
from astragal.table.things.conditions import Until

from . import words_toolkit as words
from .asked_toolkit import EaseStress, RaiseStress
from .game import Table
from .happened_toolkit import StressBroke, StressMoved
from .options import Plugin
from .pressure import FULL, Scope, step_after
from .toolkit import check_on
from .tracks import TrackOf, hero


def _track(call: Call, who: str | None) -> TrackOf:
    """Where Pressure is shared this track is too; otherwise each hero has one."""
    if call.state.options.pressure is Scope.SHARED:
        return None
    if who is None:
        raise Refusal("Each hero has a track of their own here: say whose.", code="nobody")
    return hero(call.state, who).id


def _stress(state: Table, track: TrackOf) -> int:
    return state.game.stress if track is None else state.characters[track].sheet.stress


def _raise(call: Call, asked: RaiseStress, _: None) -> list[Any]:
    check_on(call, Plugin.STRESS)
    track = _track(call, asked.who)
    before = _stress(call.state, track)
    moved = StressMoved(track_of=track, before=before, after=step_after(before, asked.rise), why=asked.why)
    return [moved, *_broken(call, track, asked.who)] if moved.after == FULL else [moved]


def _broken(call: Call, track: TrackOf, who: str | None) -> list[Any]:
    """SS-67: its own crisis is the skin's to tell, and holds until the custodian ends it."""
    if who is None:
        raise Refusal("A crisis would come of this: say whom it strikes.", code="strikes_nobody")
    struck, state = hero(call.state, who), call.state
    holds = new_condition(
        state,
        f"{call.fresh}-stress",
        state.terms["stress"],
        who=struck.id,
        until=Until.TOLD,
        effect=state.terms["stress_crisis"],
        numbers={Plugin.STRESS.value: 1},
    )
    return [StressBroke(track_of=track, who=struck.id, reset=state.options.crisis_reset), holds]


def _ease(call: Call, asked: EaseStress, _: None) -> list[StressMoved]:
    check_on(call, Plugin.STRESS)
    track = _track(call, asked.who)
    before = _stress(call.state, track)
    if not before:
        raise Refusal(f"{call.state.terms['stress']} is at 0 already.", code="no_change")
    return [StressMoved(track_of=track, before=before, after=max(0, before - asked.fall), why=asked.why)]


def _set(state: Table, track: TrackOf, now: int) -> Table:
    if track is None:
        return replace(state, game=replace(state.game, stress=now))
    return state.with_sheet(track, replace(state.characters[track].sheet, stress=now))


STRESS = Chapter(
    actions=(Action(RaiseStress, _raise), Action(EaseStress, _ease)),
    happenings=(
        Happening(StressMoved, words.stress_moved, lambda state, moved: _set(state, moved.track_of, moved.after)),
        Happening(StressBroke, words.stress_broke, lambda state, broke: _set(state, broke.track_of, broke.reset)),
    ),
)
