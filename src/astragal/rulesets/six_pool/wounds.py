"""Hit points: harm, healing, down and up. SP+04."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from astragal.chance import BadNotation, Question
from astragal.table.refusals import Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening, Reaction
from astragal.table.state import Character, State

from . import happened as it
from . import words
from .asked import Harm, Heal
from .sheet import Sheet, find
from .trial import attacks as trial


def harmed(state: State, who: Character[Sheet], damage: int, why: str = "") -> list[it.Harmed]:
    """SP+04: damage lowers hit points, never below 0."""
    if damage < 1 or not state.options.hit_points:
        return []
    return [it.Harmed(who=who.id, damage=damage, was_down=who.sheet.numbers.is_down, why=why)]


def healed(state: State, who: Character[Sheet], hit_points: int, why: str = "") -> list[it.Healed]:
    """SP+04: never past the most."""
    given = min(hit_points, who.sheet.numbers.harm)
    if given < 1 or not state.options.hit_points:
        return []
    return [it.Healed(who=who.id, hit_points=given, why=why)]


def check_damage(notation: str) -> None:
    """SP-08: damage is a dice expression; one that can't be read is refused before any die."""
    try:
        trial.check_damage(notation)
    except BadNotation as bad:
        raise Refusal(f"That damage can't be read: {bad.fault}.", code="bad_notation") from bad


# ---------------------------------------------------------------- deciding


def _gather(call: Call, asked: Harm) -> Question[int]:
    _check_kept(call.state)
    check_damage(asked.damage)
    find(call.state, asked.who)
    return trial.damage_roll(asked.damage)


def _harm(call: Call, asked: Harm, damage: int) -> list[Any]:
    return list(harmed(call.state, find(call.state, asked.who), damage, asked.why))


def _heal(call: Call, asked: Heal, _: None) -> list[Any]:
    _check_kept(call.state)
    who = find(call.state, asked.who)
    told = healed(call.state, who, asked.hit_points, asked.why)
    if not told:
        raise Refusal(f"{who.name} has all {who.sheet.numbers.hit_points_most} hit points already.", code="full")
    return list(told)


def _check_kept(state: State) -> None:
    if not state.options.hit_points:
        raise Refusal("This table keeps no hit points.", code="switched_off")


def _after_harm(state: State, told: it.Harmed) -> list[it.WentDown]:
    """SP+04: at 0 one is down. Further harm does not fell the fallen."""
    is_down = find(state, told.who).sheet.numbers.is_down
    return [it.WentDown(who=told.who)] if is_down and not told.was_down else []


def _after_healing(state: State, told: it.Healed) -> list[it.GotUp]:
    """SP+04: the first point brings one up again."""
    numbers = find(state, told.who).sheet.numbers
    return [it.GotUp(who=told.who)] if numbers.hit_points == told.hit_points else []


# ---------------------------------------------------------------- folds


def _lose(state: State, told: it.Harmed) -> State:
    sheet = find(state, told.who).sheet
    harm = min(sheet.numbers.hit_points_most, sheet.numbers.harm + told.damage)
    return state.with_sheet(told.who, sheet.with_numbers(replace(sheet.numbers, harm=harm)))


def _regain(state: State, told: it.Healed) -> State:
    sheet = find(state, told.who).sheet
    harm = max(0, sheet.numbers.harm - told.hit_points)
    return state.with_sheet(told.who, sheet.with_numbers(replace(sheet.numbers, harm=harm)))


WOUNDS = Chapter(
    actions=(Action(Harm, _harm, gather=_gather), Action(Heal, _heal)),
    happenings=(
        Happening(it.Harmed, words.harmed, _lose),
        Happening(it.Healed, words.healed, _regain),
        Happening(it.WentDown, words.went_down),
        Happening(it.GotUp, words.got_up),
    ),
    reactions=(Reaction(it.Harmed, _after_harm), Reaction(it.Healed, _after_healing)),
)
