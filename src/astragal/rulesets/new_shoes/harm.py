"""Harm eats dice; at 0 one is out until the next scene. NS-10 to NS-12, NS-15."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from astragal.table.chapters.overrides import Overridden
from astragal.table.chapters.scenes import SceneBegan
from astragal.table.refusals import Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening, Reaction
from astragal.table.state import Character, State

from . import words
from .asked import KeepDown, Wake
from .happened import Harmed, KeptDown, KnockedOut, Woke, WornDown
from .sheet import WORN_OUT, Attribute, Sheet, Status, find, harm_id

# ---------------------------------------------------------------- verbs


def can_take(sheet: Sheet, attribute: Attribute) -> int:
    """NS-10: an attribute never falls below 0. NS-15: without it, harm counts down to −5."""
    points = sheet.points(attribute)
    return sheet.worn - WORN_OUT if points is None else points.now


def harmed(who: Character[Sheet], attribute: Attribute, by: int) -> list[Any]:
    """NS-10: the attribute is lowered by the difference. NS-15: whoever has none of it is worn down instead."""
    lost = min(by, can_take(who.sheet, attribute))
    if who.sheet.points(attribute) is None:
        return [WornDown(who=who.id, before=who.sheet.worn, after=who.sheet.worn - lost)]
    left = who.sheet.dice(attribute) - lost
    return [Harmed(who=who.id, attribute=attribute, lost=lost, left=left)] if lost else []


def woken(who: Character[Sheet]) -> Woke:
    """NS-12: what stands at 0 stands at 1; what rest or healing gave meanwhile stays."""
    at_nothing = [one for one in Attribute if (points := who.sheet.points(one)) is not None and not points.now]
    return Woke(who=who.id, raised=tuple(at_nothing))


# ---------------------------------------------------------------- deciding


def _keep_down(call: Call, asked: KeepDown, _: None) -> list[KeptDown]:
    who = _find_fallen(call.state, asked.who)
    if who.sheet.kept_down:
        raise Refusal(f"{who.name} stays down already.", code="no_change")
    return [KeptDown(who=who.id)]


def _wake(call: Call, asked: Wake, _: None) -> list[Woke]:
    return [woken(_find_fallen(call.state, asked.who))]


def _find_fallen(state: State, who: str) -> Character[Sheet]:
    character = find(state, who)
    if not character.sheet.knocked_out:
        raise Refusal(f"{character.name} is not knocked out.", code="no_change")
    return character


# ---------------------------------------------------------------- what follows


def _after_harm(state: State, told: Harmed) -> list[KnockedOut]:
    """NS-12: at 0 one is knocked out for the scene."""
    return [] if told.left or state.characters[told.who].sheet.knocked_out else [KnockedOut(who=told.who)]


def _after_wear(state: State, told: WornDown) -> list[KnockedOut]:
    """NS-15: at −5 it is out of the scene."""
    is_out = told.after <= WORN_OUT and not state.characters[told.who].sheet.knocked_out
    return [KnockedOut(who=told.who)] if is_out else []


def _after_override(state: State, told: Overridden) -> list[KnockedOut]:
    """NS-12: a 0 that the game master sets is as good as any."""
    sheet = state.characters[told.who].sheet
    is_attribute = told.what in {attribute.value for attribute in Attribute}
    return [KnockedOut(who=told.who)] if is_attribute and not told.after and not sheet.knocked_out else []


def _new_scene(state: State, _: SceneBegan) -> list[Woke]:
    """NS-12: whoever was knocked out wakes, unless the game master says otherwise."""
    fallen = [one for one in state.characters.values() if one.sheet.knocked_out and not one.sheet.kept_down]
    return [woken(one) for one in fallen]


# ---------------------------------------------------------------- folds


def left_with(state: State, who: str, attribute: Attribute, now: int) -> State:
    return state.with_sheet(who, state.characters[who].sheet.left_with(attribute, now))


def _wear(state: State, told: WornDown) -> State:
    status = Status(id=harm_id(told.who), name=words.HARM, value=told.after, who=told.who)
    return state.with_sheet(told.who, state.characters[told.who].sheet.with_status(status))


def _fall(state: State, told: KnockedOut) -> State:
    return state.with_sheet(told.who, replace(state.characters[told.who].sheet, knocked_out=True))


def _stay_down(state: State, told: KeptDown) -> State:
    return state.with_sheet(told.who, replace(state.characters[told.who].sheet, kept_down=True))


def _get_up(state: State, told: Woke) -> State:
    sheet = replace(state.characters[told.who].sheet, knocked_out=False, kept_down=False)
    for attribute in told.raised:
        sheet = sheet.left_with(attribute, 1)
    return state.with_sheet(told.who, sheet)


HARM = Chapter(
    actions=(Action(KeepDown, _keep_down), Action(Wake, _wake)),
    happenings=(
        Happening(Harmed, words.harmed, lambda state, told: left_with(state, told.who, told.attribute, told.left)),
        Happening(WornDown, words.worn_down, _wear),
        Happening(KnockedOut, words.knocked_out, _fall),
        Happening(KeptDown, words.kept_down, _stay_down),
        Happening(Woke, words.woke, _get_up),
    ),
    reactions=(
        Reaction(Harmed, _after_harm),
        Reaction(WornDown, _after_wear),
        Reaction(Overridden, _after_override),
        Reaction(SceneBegan, _new_scene),
    ),
)
