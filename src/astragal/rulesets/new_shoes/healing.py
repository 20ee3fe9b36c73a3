"""Healing on purpose, and resting. Neither wakes anyone before the scene ends. NS-13, NS-14."""

from __future__ import annotations

from astragal.table.chapters.calendar import Rested
from astragal.table.ruleset import Chapter, Happening, Reaction
from astragal.table.state import Character, State

from . import words
from .happened import Healed, Recovered
from .sheet import Attribute, Sheet

A_DIE = 1


def healed(who: Character[Sheet], attribute: Attribute, by: int) -> list[Healed]:
    """NS-14: the difference is restored, up to the full value."""
    points = who.sheet.points(attribute)
    gained = min(by, points.missing) if points else 0
    now = who.sheet.dice(attribute) + gained
    return [Healed(who=who.id, attribute=attribute, gained=gained, now=now)] if gained else []


def _after_rest(state: State, rested: Rested) -> list[Recovered]:
    """NS-13: a restful scene gives each attribute a die back, whatever kind of rest it was."""
    recovering = [(who, _wounded(state.characters[who].sheet)) for who in rested.who]
    return [Recovered(who=who, attributes=attributes) for who, attributes in recovering if attributes]


def _wounded(sheet: Sheet) -> tuple[Attribute, ...]:
    return tuple(one for one in Attribute if (points := sheet.points(one)) is not None and points.missing > 0)


def _restore(state: State, told: Healed) -> State:
    return state.with_sheet(told.who, state.characters[told.who].sheet.left_with(told.attribute, told.now))


def _recover(state: State, told: Recovered) -> State:
    sheet = state.characters[told.who].sheet
    for attribute in told.attributes:
        sheet = sheet.left_with(attribute, sheet.dice(attribute) + A_DIE)
    return state.with_sheet(told.who, sheet)


HEALING = Chapter(
    happenings=(Happening(Healed, words.healed, _restore), Happening(Recovered, words.recovered, _recover)),
    reactions=(Reaction(Rested, _after_rest),),
)
