"""Aspects of scene and story: granted, allowed, ended, and the help of others. NJ-18, NJ-23, NJ-25."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Annotated, TypeAlias

from astragal.game import (
    GAME_MASTER_ONLY,
    GAME_MASTER_OR_OWNER,
    Chapter,
    Command,
    Event,
    Kept,
    Named,
    Refusal,
    Seen,
    Teller,
    replace,
)
from astragal.game.fields import CharacterId, Doc, Ge, Le, MaxLen, Name, Names
from astragal.game.shared import MoveKind, ends_with

from .hand import dice_words
from .state import Aspect, Call, Span, State, find, find_able

ASPECTS = Chapter(seen=Seen.ALL)

AspectId: TypeAlias = Annotated[str, MaxLen(60), Names("aspect")]
Invoked: TypeAlias = Annotated[str, MaxLen(60), Names("aspect to invoke")]
"""The name of an aspect. NJ-19: what stands on a sheet may be named in its place."""


KEPT_ASPECTS = Kept(
    ASPECTS,
    Aspect,
    "aspects",
    "aspect",
    # NJ-23: one that a hidden difficulty conceals is for nobody yet
    listed=lambda aspect: aspect.hidden is not True,
    board="Aspects",
    row=("{name}", lambda one, _: f"{one.dice:+d}{' for the story' if one.span is Span.STORY else ''}"),
    moves={MoveKind.TERRAIN: "turn it against the heroes, or take it away: “{name}”"},
)
"""NJ-23: all that are known are listed at the table, with their dice, and invoked by name: there is one of each."""


@ASPECTS.names("aspect to invoke")
def what_can_be_invoked(state: State) -> Iterator[Named]:
    traits = (trait.name for one in state.characters.values() for trait in one.sheet.traits)
    names = {name.casefold(): name for name in (*(one.name for one in KEPT_ASPECTS.known(state).values()), *traits)}
    return (Named(name, name) for name in names.values())


# ---------------------------------------------------------------- granting


@KEPT_ASPECTS.put("aspect_made")
class AspectMade(Event):
    """NJ-18, NJ-23: something lends dice from now on."""

    aspect: Aspect

    def says(self, teller: Teller) -> str:
        one = self.aspect
        whom = "" if one.open_to is None else f" to {', '.join(map(teller.name, one.open_to))}"
        once = " for one roll" if one.once else ""
        lasting = " for the story" if one.span is Span.STORY else ""
        return f"“{one.name}” lends {dice_words(one.dice)}{whom}{once}{lasting}"


class Preset(Enum):
    """NJ-18, NJ-25: aspects that the book has dice for."""

    HIGH_GROUND = "high ground"
    GOOD_LIGHT = "good light"
    SURPRISE = "surprise"
    PERFECT_CONDITIONS = "perfect conditions"
    SCENE_INJECTION = "scene injection"
    MAJOR_TACTICAL_ADVANTAGE = "major tactical advantage"


PRESET_DICE = {
    Preset.HIGH_GROUND: (1,),
    Preset.GOOD_LIGHT: (1,),
    Preset.SURPRISE: (1, 2),
    Preset.PERFECT_CONDITIONS: (1,),
    Preset.SCENE_INJECTION: (1,),
    Preset.MAJOR_TACTICAL_ADVANTAGE: (2,),
}
"""NJ-18: the dice that the book gives; where it leaves a choice, the first is the default."""


def people(state: State, who: Iterable[str] | None) -> tuple[str, ...] | None:
    """Characters, each once; None stands for everyone."""
    return None if who is None else tuple(dict.fromkeys(find(state, one).id for one in who))


@ASPECTS.command("grant_aspect", may=GAME_MASTER_ONLY)
class GrantAspect(Command):
    """Say that something of the scene or the story lends dice."""

    name: Annotated[Name, Doc("what it is called")]
    dice: Annotated[int | None, Ge(1), Le(2), Doc("1 or 2; left out, as the preset says, or 1")] = None
    preset: Annotated[Preset | None, Doc("NJ-18: one of the book's, which knows its dice")] = None
    span: Annotated[Span, Doc("whether it goes with the scene or lasts through the story")] = Span.SCENE
    open_to: Annotated[tuple[CharacterId, ...] | None, Doc("who may invoke it; left out, everyone")] = None
    once: Annotated[bool, Doc("whether it goes with the first roll that invokes it")] = False

    def does(self, call: Call) -> list[AspectMade]:
        """NJ-18: 1 or 2 dice, within what the preset allows."""
        KEPT_ASPECTS.check_free(call, self.name)
        allowed = PRESET_DICE[self.preset] if self.preset else (1,)
        if self.preset and self.dice not in (None, *allowed):
            said = " or ".join(map(str, allowed))
            raise Refusal(f"“{self.preset.value}” gives {said}, not {self.dice}.", code="preset")
        made = KEPT_ASPECTS.new(call, self, dice=self.dice or allowed[0], open_to=people(call.state, self.open_to))
        return [AspectMade(aspect=made)]


# ---------------------------------------------------------------- allowing and ending


@KEPT_ASPECTS.put("aspect_allowed")
class AspectAllowed(Event):
    """NJ-23: others than before may invoke an aspect."""

    aspect: Aspect

    def says(self, teller: Teller) -> str:
        open_to = self.aspect.open_to
        whom = "everyone" if open_to is None else ", ".join(map(teller.name, open_to)) or "nobody"
        return f"“{self.aspect.name}” is open to {whom}"


@ASPECTS.command("allow_aspect", may=GAME_MASTER_ONLY)
class AllowAspect(Command):
    """Say who may invoke an aspect."""

    aspect: Annotated[AspectId, Doc("the aspect, by its name")]
    open_to: Annotated[tuple[CharacterId, ...] | None, Doc("who may; left out, everyone")] = None

    def does(self, call: Call) -> list[AspectAllowed]:
        aspect, open_to = KEPT_ASPECTS.find(call, self.aspect), people(call.state, self.open_to)
        if open_to == aspect.open_to:
            raise Refusal(f"“{aspect.name}” is open to them already.", code="no_change")
        return [AspectAllowed(aspect=replace(aspect, open_to=open_to))]


@KEPT_ASPECTS.taken("aspect_ended")
class AspectEnded(Event):
    """NJ-23: an aspect holds no longer."""

    aspect: Aspect
    why: str = ""

    def says(self, _: Teller) -> str:
        return f"“{self.aspect.name}” is over{f' ({self.why})' if self.why else ''}"


@ASPECTS.command("end_aspect", may=GAME_MASTER_ONLY)
class EndAspect(Command):
    """Say that an aspect no longer holds."""

    aspect: Annotated[AspectId, Doc("the aspect, by its name")]

    def does(self, call: Call) -> list[AspectEnded]:
        return [AspectEnded(aspect=KEPT_ASPECTS.find(call, self.aspect))]


@ends_with(ASPECTS, "scene")
def aspects_end_with_their_scene(state: State, why: str) -> list[AspectEnded]:
    """NJ-18, NJ-23: what was of the scene goes with it."""
    of_scene = [one for one in state.game.aspects.values() if one.span is Span.SCENE]
    return [AspectEnded(aspect=one, why=why) for one in of_scene]


# ---------------------------------------------------------------- help


@ASPECTS.command("offer_help", may=GAME_MASTER_OR_OWNER, actor="who")
class OfferHelp(Command):
    """Help somebody with their next roll: an aspect of 1 die, of 2 where several help."""

    who: Annotated[CharacterId, Doc("who helps")]
    whom: Annotated[CharacterId, Doc("who is helped")]

    def does(self, call: Call) -> list[AspectMade]:
        """NJ-25: help is an aspect for the next roll: 1 die, or 2 from several."""
        state, helper, helped = call.state, find_able(call.state, self.who), find(call.state, self.whom)
        if helper.id == helped.id:
            raise Refusal(f"{helper.name} can't help with their own roll.", code="own_help")
        before = state.game.aspects.get(f"help-{helped.id}")
        helpers = before.helpers if before else ()
        if helper.id in helpers:
            raise Refusal(f"{helper.name} helps {helped.name} already.", code="no_change")
        helpers = (*helpers, helper.id)
        names = [state.characters[who].name for who in helpers if who in state.characters]
        made = Aspect(
            id=f"help-{helped.id}",
            name=f"help from {' and '.join(names)}",
            dice=min(2, len(helpers)),
            span=Span.SCENE,
            open_to=(helped.id,),
            helpers=helpers,
            once=True,
        )
        return [AspectMade(aspect=made)]
