"""Approaches are described first; whoever described one may also leave it be. NS-02, NS-08."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from astragal.table.chapters.requests import RequestWithdrawn
from astragal.table.refusals import NotAllowed, Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening, Reaction
from astragal.table.state import State

from . import words
from .asked import Describe, DropApproach
from .game import Approach, with_approach, without_approaches
from .happened import ApproachDescribed, ApproachDropped, KnockedOut
from .underway import dropping, find_approach, find_roller, has_to_react, is_undescribed


def _describe(call: Call, asked: Describe, _: None) -> list[ApproachDescribed]:
    """NS-02: a new approach. NS-08: where a reaction waits, whatever is described next is the answer to it."""
    who = find_roller(call.state, asked.who)
    approach = call.fresh
    if asked.approach is not None or has_to_react(call.state, who.id):
        reaction = find_approach(call.state, who.id, asked.approach, is_undescribed, "")
        if reaction.words:
            raise Refusal("That is described already; drop it to go about it otherwise.", code="described")
        approach = reaction.id
    return [ApproachDescribed(approach=approach, who=who.id, words=asked.words, harmful=asked.harmful)]


def _drop(call: Call, asked: DropApproach, _: None) -> list[Any]:
    """NS-08: a reaction stays open until it is answered, or the game master withdraws it."""
    approach = find_approach(call.state, asked.who, asked.approach, lambda _: True, "has nothing under way")
    if approach.threat is not None and not call.viewer.is_game_master:
        raise NotAllowed("Only the game master withdraws what comes at you.")
    return dropping(call.state, approach)


def _after_withdrawal(state: State, withdrawn: RequestWithdrawn) -> list[ApproachDropped]:
    """NS-08: whose roll is no longer asked for goes, with what opposes it."""
    gone = [one for one in state.game.approaches.values() if one.called and one.called.request == withdrawn.request]
    gone += [
        one for one in state.game.approaches.values() if one.called and one.called.opposing in {a.id for a in gone}
    ]
    return [ApproachDropped(approach=one.id, who=one.who) for one in gone]


def _after_knock_out(state: State, told: KnockedOut) -> list[Any]:
    """NS-12: the knocked-out don't act, and get no reaction."""
    own = [one for one in state.game.approaches.values() if one.who == told.who]
    return list(dict.fromkeys(event for one in own for event in dropping(state, one)))


def _put_into_words(state: State, told: ApproachDescribed) -> State:
    waiting: Approach = state.game.approaches.get(told.approach) or Approach(id=told.approach, who=told.who)
    return with_approach(state, replace(waiting, words=told.words, harmful=told.harmful))


DESCRIBING = Chapter(
    actions=(Action(Describe, _describe), Action(DropApproach, _drop)),
    happenings=(
        Happening(ApproachDescribed, words.approach_described, _put_into_words),
        Happening(
            ApproachDropped, words.approach_dropped, lambda state, told: without_approaches(state, told.approach)
        ),
    ),
    reactions=(Reaction(RequestWithdrawn, _after_withdrawal), Reaction(KnockedOut, _after_knock_out)),
)
