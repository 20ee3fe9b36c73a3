"""Stress: harm fills boxes, and what does not fit stays as a Condition. NJ+03."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from astragal.table.chapters.calendar import Rested
from astragal.table.chapters.scenes import SceneEnded
from astragal.table.refusals import Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening, Reaction
from astragal.table.state import Character, State

from . import words
from .asked import BringBack, TakeStress
from .happened import BroughtBack, ConditionTaken, StressCleared, StressTaken, TakenOut
from .harm import Condition, Track, suffer
from .options import StressClears
from .sheet import Sheet, find

# ---------------------------------------------------------------- deciding


def _take(call: Call, asked: TakeStress, _: None) -> list[Any]:
    if not call.state.options.stress:
        raise Refusal("This table plays without stress.", code="switched_off")
    who = find(call.state, asked.who)
    if who.sheet.taken_out:
        raise Refusal(f"{who.name} is taken out already.", code="taken_out")
    return harmed(who, asked.track, asked.damage, condition=asked.condition, armour=asked.armour)


def harmed(
    who: Character[Sheet], track: Track, damage: int, *, condition: str | None = None, armour: bool = True
) -> list[Any]:
    """NJ+03: armour takes its part of a physical hit; the rest fills boxes, and a slot if they do not hold it."""
    sheet = who.sheet
    taken_off = min(sheet.armour, damage) if armour and track is Track.PHYSICAL else 0
    suffered = suffer(sheet.stress(track), sheet.taken_slots(track), damage - taken_off)
    told: list[Any] = [
        StressTaken(who=who.id, track=track, damage=damage, armour=taken_off, boxes=suffered.boxes),
    ]
    if suffered.condition is not None:
        held = Condition(track=track, grade=suffered.condition, name=condition)
        told.append(ConditionTaken(who=who.id, condition=held))
    if suffered.taken_out:
        told.append(TakenOut(who=who.id))
    return told


def _bring_back(call: Call, asked: BringBack, _: None) -> list[BroughtBack]:
    who = find(call.state, asked.who)
    if not who.sheet.taken_out:
        raise Refusal(f"{who.name} is not taken out.", code="no_change")
    return [BroughtBack(who=who.id)]


def _after_rest(state: State, rested: Rested) -> list[StressCleared]:
    return _cleared(state, rested.who) if state.options.stress_clears is StressClears.REST else []


def _after_scene(state: State, _: SceneEnded) -> list[StressCleared]:
    return _cleared(state, tuple(state.characters)) if state.options.stress_clears is StressClears.SCENE else []


def _cleared(state: State, whom: tuple[str, ...]) -> list[StressCleared]:
    sheets = {who: state.characters[who].sheet for who in whom}
    return [StressCleared(who=who) for who, sheet in sheets.items() if sheet.physical or sheet.mental]


# ---------------------------------------------------------------- folds


def _fill(state: State, taken: StressTaken) -> State:
    sheet = state.characters[taken.who].sheet
    return state.with_sheet(taken.who, sheet.with_stress(taken.track, taken.boxes))


def _hold(state: State, taken: ConditionTaken) -> State:
    sheet = state.characters[taken.who].sheet
    return state.with_sheet(taken.who, replace(sheet, conditions=(*sheet.conditions, taken.condition)))


def _take_out(state: State, told: TakenOut) -> State:
    return state.with_sheet(told.who, replace(state.characters[told.who].sheet, taken_out=True))


def _return(state: State, told: BroughtBack) -> State:
    return state.with_sheet(told.who, replace(state.characters[told.who].sheet, taken_out=False))


def _clear(state: State, cleared: StressCleared) -> State:
    return state.with_sheet(cleared.who, replace(state.characters[cleared.who].sheet, physical=0, mental=0))


STRESS = Chapter(
    actions=(Action(TakeStress, _take), Action(BringBack, _bring_back)),
    happenings=(
        Happening(StressTaken, words.stress_taken, _fill),
        Happening(ConditionTaken, words.condition_taken, _hold),
        Happening(TakenOut, words.taken_out, _take_out),
        Happening(BroughtBack, words.brought_back, _return),
        Happening(StressCleared, words.stress_cleared, _clear),
    ),
    reactions=(Reaction(Rested, _after_rest), Reaction(SceneEnded, _after_scene)),
)
