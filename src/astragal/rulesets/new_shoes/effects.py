"""What the difference between total and target does, and how much of it can matter. NS-10, NS-14, NS-17."""

from __future__ import annotations

from typing import Any

from astragal.table.state import State

from .game import Approach, Does, Effect
from .harm import can_take, harmed
from .healing import healed
from .results import Reached
from .sheet import find
from .underway import opposite


def won(state: State, approach: Approach) -> Effect | None:
    """What a success does. Harmed is the attribute named, else the one the victim rolls, else the attacker's."""
    called, other = approach.called, opposite(state, approach)
    if called is None or called.healing is not None or not approach.harmful:
        return called.healing if called else None
    if other is not None and other.called is not None:
        return Effect(does=Does.HARM, to=other.who, attribute=called.harmed or other.called.attribute)
    if called.against is None:
        return None
    return Effect(does=Does.HARM, to=called.against, attribute=called.harmed or called.attribute)


def lost(state: State, approach: Approach) -> Effect | None:
    """What a failure does: a failed defence harms, and so does an opponent whose approach said so."""
    called, other = approach.called, opposite(state, approach)
    is_harmful = approach.threat is not None and approach.threat.harmful
    if called is None or not (is_harmful or (other is not None and other.harmful)):
        return None
    return Effect(does=Does.HARM, to=approach.who, attribute=called.hurt or called.attribute)


def most(state: State, effect: Effect | None) -> int:
    """NS-17: how far past the target the roll can matter: 1 tells success from failure, harm and healing count on."""
    if effect is None:
        return 1
    sheet = find(state, effect.to).sheet
    points = sheet.points(effect.attribute)
    if effect.does is Does.HEAL:
        return max(1, points.missing if points else 0)
    return max(1, can_take(sheet, effect.attribute))


def told(state: State, approach: Approach, reached: Reached) -> list[Any]:
    """NS-10: a tie does nothing to anyone."""
    effect = won(state, approach) if reached.margin > 0 else lost(state, approach)
    if effect is None or not reached.margin:
        return []
    character = find(state, effect.to)
    do = healed if effect.does is Does.HEAL else harmed
    return do(character, effect.attribute, abs(reached.margin))
