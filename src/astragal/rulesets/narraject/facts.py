"""Facts: what a success, a yes or a player's Narrative Injection has made true. NJ-03, NJ-22."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from astragal.game import (
    GAME_MASTER_ONLY,
    Chapter,
    Command,
    Event,
    Kept,
    Nature,
    Refusal,
    Role,
    Scope,
    Seen,
    Teller,
)
from astragal.game.fields import Doc, MaxLen, Name, Names, Words
from astragal.game.shared import MoveKind, Revealed

from .aspects import KEPT_ASPECTS, AspectEnded, AspectMade
from .state import Aspect, Call, Fact, Injection, Span, State

FACTS = Chapter(seen=Seen.ALL)

NEWEST_FACTS = 8
"""As many of them are on the board: a story has many."""

PLAYERS_ONLY = {Role.PLAYER: Scope.ANY}

InjectionId: TypeAlias = Annotated[str, MaxLen(40), Names("injection")]


KEPT_FACTS = Kept(
    FACTS,
    Fact,
    "facts",
    "fact",
    name="words",
    board="Come true",
    row=("{words}", "{by}"),
    newest=NEWEST_FACTS,
    moves={
        MoveKind.OMEN: "show a side of it that nobody thought of: “{words}”",
        MoveKind.BARGAIN: "offer what they want, if this stops being true: “{words}”",
    },
)
"""NJ-03: what is true now, whole."""
KEPT_INJECTIONS = Kept(FACTS, Injection, "injections", "injection", name="fact")


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
        return KEPT_ASPECTS.changed(KEPT_FACTS.changed(state, self.fact, hidden=False), self.fact, hidden=False)


@FACTS.after(Revealed)
def revealing_tells_what_is_true(state: State, revealed: Revealed) -> list[CameToLight]:
    """NJ-03: with the difficulty everyone learns what has become true."""
    fact, aspect = state.game.facts.get(revealed.act), state.game.aspects.get(revealed.act)
    if fact is None or not fact.hidden:
        return []
    return [CameToLight(fact=fact.id, words=fact.words, aspect=aspect.name if aspect and aspect.hidden else "")]


# ---------------------------------------------------------------- Narrative Injection


@KEPT_INJECTIONS.put("injected", says="{injection.seat} injects: {injection.fact}")
class Injected(Event):
    """NJ-22: a player put a fact into the story."""

    injection: Injection

    def fold(self, state: State) -> State:
        one = self.injection
        return KEPT_FACTS.put_on(state, Fact(id=one.id, by=one.seat, words=one.fact))


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
            raise Refusal("Say what is true from now on.", code="no_fact", field="fact")
        if any(one.seat == seat and one.evening == evening for one in call.state.game.injections.values()):
            raise Refusal("You have made your Narrative Injection of this session.", code="injected")
        injected = Injected(injection=Injection(id=call.fresh, seat=seat, fact=self.fact, evening=evening))
        if self.aspect is None:
            return [injected]
        KEPT_ASPECTS.check_free(call, self.aspect)
        return [injected, AspectMade(aspect=Aspect(id=call.fresh, name=self.aspect, dice=1, span=self.span))]


@KEPT_INJECTIONS.taken("injection_vetoed")
class InjectionVetoed(Event):
    """NJ-22: the game master took an injection back out; it can be made again."""

    injection: Injection
    why: Words

    def says(self, teller: Teller) -> str:
        why = f" ({self.why})" if self.why else ""
        return f"the injection is vetoed{why}; {teller.name(self.injection.seat)} may make another"

    def fold(self, state: State) -> State:
        return KEPT_FACTS.take_off(state, self.injection.id)


@FACTS.command("veto_injection", may=GAME_MASTER_ONLY)
class VetoInjection(Command):
    """Take an injection back out of the story. Its player may inject again."""

    injection: Annotated[InjectionId, Doc("the injection")]
    why: Annotated[Words, Doc("why it can't be")] = ""

    def does(self, call: Call) -> list[Any]:
        """NJ-22, ruling: a veto takes fact and aspect out, and gives the injection back."""
        injection = KEPT_INJECTIONS.find(call, self.injection)
        aspect = KEPT_ASPECTS.get(call.state, injection.id)
        vetoed = InjectionVetoed(injection=injection, why=self.why)
        return [vetoed, AspectEnded(aspect=aspect)] if aspect else [vetoed]
