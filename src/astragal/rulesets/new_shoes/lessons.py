"""Lessons from the parent game, where the table wants them: failures give XP, sixes teach specialities. NS+01."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from astragal.chance import d6, hits
from astragal.table.refusals import Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening, Reaction
from astragal.table.state import State

from . import words
from .asked import Learn
from .happened import ApproachRolled, LessonOffered, SpecialityLearned, XpEarned
from .results import Result
from .sheet import Status, find
from .throwing import Chains

SPECIALITY = 1
"""NS+01: what a speciality is worth."""

# ---------------------------------------------------------------- the rule


def sixes_missing(thrown: Chains) -> int:
    """NS+01: how many dice of the first throw were no six; 0 teaches, and XP can stand in for the others."""
    return sum(chain[0] != d6.sides for chain in thrown)


def chance_to_learn(dice: int, xp: int = 0) -> Fraction:
    """NS+01: the chance that so many dice teach something, with so many XP to help."""
    return hits(dice, d6, at_least=d6.sides).odds().at_least(max(0, dice - xp))


# ---------------------------------------------------------------- what follows a roll


def _after_roll(state: State, told: ApproachRolled) -> list[Any]:
    if not state.options.lessons or state.game.thrown is None:
        return []
    thrown = state.game.thrown
    learned = list(_learned(state, told.who, thrown.mine, failed=told.result is Result.FAILURE))
    if told.opponent is not None:
        learned += _learned(state, told.opponent, thrown.theirs, failed=told.result is Result.SUCCESS)
    return learned


def _learned(state: State, who: str, thrown: Chains, *, failed: bool) -> Iterator[Any]:
    """NS+01: whose roll failed earns 1 XP, and may use it at once."""
    held = state.characters[who].sheet.xp + failed
    missing = sixes_missing(thrown)
    if failed:
        yield XpEarned(who=who, held=held)
    if missing <= held:
        yield LessonOffered(who=who, price=missing)


# ---------------------------------------------------------------- learning


def _learn(call: Call, asked: Learn, _: None) -> list[SpecialityLearned]:
    who = find(call.state, asked.who)
    price = who.sheet.lesson
    if price is None:
        raise Refusal(f"{who.name}’s last roll taught nothing.", code="no_lesson")
    if price > who.sheet.xp:
        raise Refusal(f"{who.name} has {who.sheet.xp} XP, not {price}.", code="no_xp")
    if any(one.name.casefold() == asked.speciality.casefold() for one in who.sheet.statuses):
        raise Refusal(f"“{asked.speciality}” is true of {who.name} already.", code="name_taken")
    status = Status(id=call.fresh, name=asked.speciality, value=SPECIALITY, who=who.id, speciality=True)
    return [SpecialityLearned(who=who.id, status=status, spent=price)]


def _earn(state: State, told: XpEarned) -> State:
    return state.with_sheet(told.who, replace(state.characters[told.who].sheet, xp=told.held))


def _offer(state: State, told: LessonOffered) -> State:
    return state.with_sheet(told.who, replace(state.characters[told.who].sheet, lesson=told.price))


def _keep(state: State, told: SpecialityLearned) -> State:
    sheet = state.characters[told.who].sheet
    spent = replace(sheet, xp=sheet.xp - told.spent, lesson=None)
    return state.with_sheet(told.who, spent.with_status(told.status))


LESSONS = Chapter(
    actions=(Action(Learn, _learn),),
    happenings=(
        Happening(XpEarned, words.xp_earned, _earn),
        Happening(LessonOffered, words.lesson_offered, _offer),
        Happening(SpecialityLearned, words.speciality_learned, _keep),
    ),
    reactions=(Reaction(ApproachRolled, _after_roll),),
)
