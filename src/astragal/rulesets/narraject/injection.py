"""Narrative Injection: once a session a player puts a fact into the story. NJ-22."""

from __future__ import annotations

from typing import Any

from astragal.table.refusals import NoSuchThing, Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening
from astragal.table.state import State

from . import words
from .asked import Inject, VetoInjection
from .aspects import check_free, ended
from .game import Fact, Game, Injection, with_game
from .happened import AspectMade, Injected, InjectionVetoed


def has_injected(state: State, seat: str) -> bool:
    """NJ-22: once per session and player. A veto gives it back, and so does a new evening."""
    evening = state.calendar.evening
    return any(one.seat == seat and one.evening == evening for one in state.game.injections.values())


def _inject(call: Call, asked: Inject, _: None) -> list[Any]:
    if not asked.fact.strip():
        raise Refusal("Say what is true from now on.", code="no_fact")
    if has_injected(call.state, call.viewer.seat):
        raise Refusal("You have made your Narrative Injection of this session.", code="injected")
    told: list[Any] = [
        Injected(
            injection=call.fresh,
            seat=call.viewer.seat,
            fact=asked.fact,
            evening=call.state.calendar.evening,
        )
    ]
    if asked.aspect is not None:
        check_free(call.state, asked.aspect)
        told.append(AspectMade(aspect=call.fresh, name=asked.aspect, dice=1, span=asked.span))
    return told


def _veto(call: Call, asked: VetoInjection, _: None) -> list[Any]:
    """NJ-22, ruling: a veto takes fact and aspect out, and gives the injection back."""
    game: Game = call.state.game
    injection = game.injections.get(asked.injection)
    if injection is None:
        raise NoSuchThing("There is no such injection, or it was vetoed.")
    aspect = game.aspects.get(injection.id)
    vetoed = InjectionVetoed(injection=injection.id, seat=injection.seat, why=asked.why)
    return [vetoed, *([ended(aspect)] if aspect else [])]


# ---------------------------------------------------------------- folds


def _establish(state: State, told: Injected) -> State:
    fact = Fact(id=told.injection, by=told.seat, words=told.fact)
    injection = Injection(id=told.injection, seat=told.seat, evening=told.evening)
    return with_game(
        state,
        facts={**state.game.facts, fact.id: fact},
        injections={**state.game.injections, injection.id: injection},
    )


def _take_back(state: State, vetoed: InjectionVetoed) -> State:
    facts, injections = dict(state.game.facts), dict(state.game.injections)
    facts.pop(vetoed.injection, None)
    injections.pop(vetoed.injection, None)
    return with_game(state, facts=facts, injections=injections)


INJECTION = Chapter(
    actions=(Action(Inject, _inject), Action(VetoInjection, _veto)),
    happenings=(
        Happening(Injected, words.injected, _establish),
        Happening(InjectionVetoed, words.injection_vetoed, _take_back),
    ),
)
