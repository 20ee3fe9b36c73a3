"""Finding the approaches that are under way, and who may act at all. NS-02, NS-08, NS-12."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from astragal.table.chapters.requests import RequestWithdrawn
from astragal.table.refusals import NoSuchThing, Refusal
from astragal.table.state import Character, State

from .game import Approach
from .happened import ApproachDropped
from .sheet import Sheet, find


def is_undescribed(approach: Approach) -> bool:
    return not approach.words


def is_described(approach: Approach) -> bool:
    return bool(approach.words)


def is_asked_for(approach: Approach) -> bool:
    """Is its roll asked for? Whoever opposes throws with the one who acts."""
    return approach.called is not None and approach.called.request is not None


def has_to_react(state: State, who: str) -> bool:
    """NS-08: does something come at them that they have not answered?"""
    return any(one.who == who and is_undescribed(one) for one in state.game.approaches.values())


def find_approach(
    state: State, who: str, which: str | None, is_meant: Callable[[Approach], bool], lacking: str
) -> Approach:
    """The approach of this id, or the only one of somebody's that can be meant."""
    if which is not None:
        found: Approach | None = state.game.approaches.get(which)
        if found is None or found.who != who:
            raise NoSuchThing("There is no such approach: it was rolled or dropped.")
        return found
    approaches: Iterable[Approach] = state.game.approaches.values()
    meant = [one for one in approaches if one.who == who and is_meant(one)]
    if len(meant) != 1:
        name = find(state, who).name
        each = ", ".join(f"“{one.title[:60]}” ({one.id})" for one in meant)
        many = f"{name} has {len(meant)} approaches under way: say which, {each}."
        raise Refusal(many if meant else f"{name} {lacking}.", code="which_approach" if meant else "no_approach")
    return meant[0]


def find_able(state: State, who: str) -> Character[Sheet]:
    """NS-12: somebody who is not knocked out."""
    character = find(state, who)
    if character.sheet.knocked_out:
        raise Refusal(f"{character.name} is knocked out, and can’t act in this scene.", code="knocked_out")
    return character


def find_roller(state: State, who: str) -> Character[Sheet]:
    """NS-08: a hero who can act. Nobody else ever rolls."""
    character = find_able(state, who)
    if not character.sheet.is_hero:
        raise Refusal(f"{character.name} never rolls: prompt those whom it concerns to react.", code="never_rolls")
    return character


def opposite(state: State, approach: Approach) -> Approach | None:
    """NS-06: the approach on the other side."""
    if approach.called is None or approach.called.opposing is None:
        return None
    found: Approach | None = state.game.approaches.get(approach.called.opposing)
    return found


def dropping(state: State, approach: Approach) -> list[Any]:
    """What it takes to let an approach go: with its request, if there is one, and with what opposes it."""
    other = opposite(state, approach)
    for one in (approach, other):
        if one is not None and one.called is not None and one.called.request is not None:
            return [RequestWithdrawn(request=one.called.request, who=one.who)]
    return [ApproachDropped(approach=approach.id, who=approach.who)]
