"""Facts: what a success, a yes or a player's Narrative Injection has made true. NJ-03, NJ-22."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, TypeAlias

from astragal.game import (
    GAME_MASTER_ONLY,
    Chapter,
    Command,
    Event,
    Nature,
    NoSuchThing,
    Refusal,
    Role,
    Scope,
    Seen,
    Teller,
    replace,
)
from astragal.game.display import Choices, Piece
from astragal.game.fields import Doc, MaxLen, Name, Names, SeatId, Words
from astragal.game.shared import Revealed

from .aspects import AspectMade, check_free, ended
from .state import Call, Fact, Injection, Span, State

FACTS = Chapter(seen=Seen.ALL)

NEWEST_FACTS = 8
"""As many of them are on the board: a story has many."""

PLAYERS_ONLY = {Role.PLAYER: Scope.ANY}

InjectionId: TypeAlias = Annotated[str, MaxLen(40), Names("injection")]


def establish(state: State, fact: Fact) -> State:
    """NJ-03: it is true now, whole."""
    return state.with_game(facts={**state.game.facts, fact.id: fact})


@FACTS.board
def come_true(state: State) -> Sequence[Piece]:
    names = {who: character.name for who, character in state.characters.items()}
    newest = list(state.game.facts.values())[-NEWEST_FACTS:]
    return [Choices("Come true", tuple((fact.words, names.get(fact.by, "")) for fact in newest))] if newest else []


# ---------------------------------------------------------------- out of hiding


@FACTS.event("came_to_light", nature=Nature.LASTING)
class CameToLight(Event):
    """NJ-03: the difficulty was revealed, and with it what a success had made true."""

    fact: str
    words: Words
    aspect: str
    """The aspect that was made, by name; empty where there is none."""

    def says(self, _: Teller) -> str:
        return f"It came true: {self.words}{f' (“{self.aspect}” lends 1 die)' if self.aspect else ''}"

    def fold(self, state: State) -> State:
        """The fact and the aspect that one roll made have the same id."""
        facts, aspects = dict(state.game.facts), dict(state.game.aspects)
        if self.fact in facts:
            facts[self.fact] = replace(facts[self.fact], hidden=False)
        if self.fact in aspects:
            aspects[self.fact] = replace(aspects[self.fact], hidden=False)
        return state.with_game(facts=facts, aspects=aspects)


@FACTS.after(Revealed)
def revealing_tells_what_is_true(state: State, revealed: Revealed) -> list[CameToLight]:
    """NJ-03: with the difficulty everyone learns what has become true."""
    fact, aspect = state.game.facts.get(revealed.act), state.game.aspects.get(revealed.act)
    if fact is None or not fact.hidden:
        return []
    return [CameToLight(fact=fact.id, words=fact.words, aspect=aspect.name if aspect and aspect.hidden else "")]


# ---------------------------------------------------------------- Narrative Injection


@FACTS.event("injected", owner="seat", says="{seat} injects: {fact}")
class Injected(Event):
    """NJ-22: a player put a fact into the story."""

    injection: str
    seat: SeatId
    fact: Words
    evening: int

    def fold(self, state: State) -> State:
        injection = Injection(id=self.injection, seat=self.seat, evening=self.evening)
        established = establish(state, Fact(id=self.injection, by=self.seat, words=self.fact))
        return established.with_game(injections={**state.game.injections, injection.id: injection})


@FACTS.command("inject", may=PLAYERS_ONLY)
class Inject(Command):
    """Put a fact into the story, once a session, without dice or points."""

    fact: Annotated[Words, Doc("what is true from now on")]
    aspect: Annotated[Name | None, Doc("an aspect that the fact makes")] = None
    span: Annotated[Span, Doc("whether that aspect goes with the scene or lasts")] = Span.SCENE

    def does(self, call: Call) -> list[Any]:
        """NJ-22: once per session and player. A veto gives it back, and so does a new evening."""
        seat, evening = call.viewer.seat, call.state.calendar.evening
        if not self.fact.strip():
            raise Refusal("Say what is true from now on.", code="no_fact")
        if any(one.seat == seat and one.evening == evening for one in call.state.game.injections.values()):
            raise Refusal("You have made your Narrative Injection of this session.", code="injected")
        told: list[Any] = [Injected(injection=call.fresh, seat=seat, fact=self.fact, evening=evening)]
        if self.aspect is not None:
            check_free(call.state, self.aspect)
            told.append(AspectMade(aspect=call.fresh, name=self.aspect, dice=1, span=self.span))
        return told


@FACTS.event("injection_vetoed", owner="seat")
class InjectionVetoed(Event):
    """NJ-22: the game master took an injection back out; it can be made again."""

    injection: str
    seat: SeatId
    why: Words

    def says(self, teller: Teller) -> str:
        why = f" ({self.why})" if self.why else ""
        return f"the injection is vetoed{why}; {teller.name(self.seat)} may make another"

    def fold(self, state: State) -> State:
        facts, injections = dict(state.game.facts), dict(state.game.injections)
        facts.pop(self.injection, None)
        injections.pop(self.injection, None)
        return state.with_game(facts=facts, injections=injections)


@FACTS.command("veto_injection", may=GAME_MASTER_ONLY)
class VetoInjection(Command):
    """Take an injection back out of the story. Its player may inject again."""

    injection: Annotated[InjectionId, Doc("the injection")]
    why: Annotated[Words, Doc("why it can't be")] = ""

    def does(self, call: Call) -> list[Any]:
        """NJ-22, ruling: a veto takes fact and aspect out, and gives the injection back."""
        injection = call.state.game.injections.get(self.injection)
        if injection is None:
            raise NoSuchThing("There is no such injection, or it was vetoed.")
        aspect = call.state.game.aspects.get(injection.id)
        vetoed = InjectionVetoed(injection=injection.id, seat=injection.seat, why=self.why)
        return [vetoed, *([ended(aspect)] if aspect else [])]
