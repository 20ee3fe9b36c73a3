"""Burdens that press: the game master says when one gets in the way of everything. NJ-15."""

from __future__ import annotations

from dataclasses import replace

from astragal.table.chapters.scenes import SceneEnded
from astragal.table.refusals import Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening, Reaction
from astragal.table.state import State

from . import words
from .asked import LiftBurden, PressBurden
from .happened import BurdenLifted, BurdenPressed
from .sheet import find, find_named


def _press(call: Call, asked: PressBurden, _: None) -> list[BurdenPressed]:
    who = find(call.state, asked.who)
    burden = find_named(who, who.sheet.burdens, asked.burden, "Burden")
    if who.sheet.is_pressed_by(burden):
        raise Refusal(f"“{burden.name}” presses on {who.name} already.", code="no_change")
    return [BurdenPressed(who=who.id, burden=burden.name)]


def _lift(call: Call, asked: LiftBurden, _: None) -> list[BurdenLifted]:
    who = find(call.state, asked.who)
    burden = find_named(who, who.sheet.burdens, asked.burden, "Burden")
    if not who.sheet.is_pressed_by(burden):
        raise Refusal(f"“{burden.name}” does not press on {who.name}.", code="no_change")
    return [BurdenLifted(who=who.id, burden=burden.name)]


def _after_scene(state: State, _: SceneEnded) -> list[BurdenLifted]:
    return [
        BurdenLifted(who=one.id, burden=burden) for one in state.characters.values() for burden in one.sheet.pressing
    ]


def _weigh(state: State, pressed: BurdenPressed) -> State:
    sheet = state.characters[pressed.who].sheet
    return state.with_sheet(pressed.who, replace(sheet, pressing=(*sheet.pressing, pressed.burden)))


def _ease(state: State, lifted: BurdenLifted) -> State:
    sheet = state.characters[lifted.who].sheet
    pressing = tuple(name for name in sheet.pressing if name != lifted.burden)
    return state.with_sheet(lifted.who, replace(sheet, pressing=pressing))


BURDENS = Chapter(
    actions=(Action(PressBurden, _press), Action(LiftBurden, _lift)),
    happenings=(
        Happening(BurdenPressed, words.burden_pressed, _weigh),
        Happening(BurdenLifted, words.burden_lifted, _ease),
    ),
    reactions=(Reaction(SceneEnded, _after_scene),),
)
