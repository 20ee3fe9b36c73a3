"""What is due in this game, in words: approaches under way, lessons, and those who are knocked out."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.table.ruleset import Teller

from .game import Table


def approaches(state: Table, teller: Teller) -> Iterator[str]:
    """NS-02, NS-08: described, then called, then rolled."""
    for one in state.game.approaches.values():
        name = teller.name(one.who)
        if not one.words:
            yield f"{name} has yet to say how they react (describe)."
        elif one.called is None:
            yield f"{name} is about to act ({one.words}): name the attribute and the target (call_approach)."
        elif one.called.request is not None:
            yield f"{name} has yet to roll (roll_approach)."


def lessons(state: Table, teller: Teller) -> Iterator[str]:
    """NS+01: what a roll has taught is named, or passes."""
    for one in state.characters.values():
        cost = one.sheet.lesson
        if cost is not None and cost <= one.sheet.xp:
            yield f"{teller.name(one.id)} can learn from the last roll, for {cost} XP (learn)."


def knocked_out(state: Table, teller: Teller) -> Iterator[str]:
    """NS-12: for the scene, unless the game master says otherwise."""
    for one in state.characters.values():
        if one.sheet.knocked_out and not one.sheet.kept_down:
            yield f"{teller.name(one.id)} is out, and wakes with the next scene unless you say otherwise (keep_down)."


DUE = (approaches, lessons, knocked_out)
