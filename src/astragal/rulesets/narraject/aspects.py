"""Aspects of scene and story: granted, allowed, ended, and the help of others. NJ-18, NJ-23, NJ-25."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from astragal.table.chapters.scenes import SceneEnded
from astragal.table.refusals import NoSuchThing, Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening, Reaction
from astragal.table.state import State

from . import words
from .asked import AllowAspect, EndAspect, GrantAspect, OfferHelp, Preset
from .game import Aspect, Span, with_game
from .gathering import able, find_aspect, open_aspects
from .happened import AspectAllowed, AspectEnded, AspectMade
from .sheet import find

PRESET_DICE = {
    Preset.HIGH_GROUND: (1,),
    Preset.GOOD_LIGHT: (1,),
    Preset.SURPRISE: (1, 2),
    Preset.PERFECT_CONDITIONS: (1,),
    Preset.SCENE_INJECTION: (1,),
    Preset.MAJOR_TACTICAL_ADVANTAGE: (2,),
}
"""NJ-18: the dice that the book gives; where it leaves a choice, the first unless said otherwise."""

# ---------------------------------------------------------------- deciding


def _grant(call: Call, asked: GrantAspect, _: None) -> list[AspectMade]:
    check_free(call.state, asked.name)
    made = AspectMade(
        aspect=call.fresh,
        name=asked.name,
        dice=_dice(asked),
        span=asked.span,
        open_to=_people(call.state, asked.open_to),
        once=asked.once,
    )
    return [made]


def _dice(asked: GrantAspect) -> int:
    """NJ-18: 1 or 2, within what the preset allows."""
    if asked.preset is None:
        return asked.dice or 1
    allowed = PRESET_DICE[asked.preset]
    if asked.dice not in (None, *allowed):
        said = " or ".join(map(str, allowed))
        raise Refusal(f"“{asked.preset.value}” gives {said}, not {asked.dice}.", code="preset")
    return asked.dice or allowed[0]


def check_free(state: State, name: str) -> None:
    """An aspect is invoked by its name, so there is one of each."""
    if any(aspect.name.casefold() == name.casefold() for aspect in open_aspects(state)):
        raise Refusal(f"There is an aspect called “{name}” already.", code="name_taken")


def _people(state: State, said: Iterable[str] | None) -> tuple[str, ...] | None:
    return None if said is None else tuple(dict.fromkeys(_person(state, one) for one in said))


def _person(state: State, said: str) -> str:
    """A character by id or by name."""
    called = [who for who, one in state.characters.items() if said == who or one.name.casefold() == said.casefold()]
    if len(called) != 1:
        raise NoSuchThing(f"There is no character {said[:40]!r} at this table.")
    return called[0]


def _allow(call: Call, asked: AllowAspect, _: None) -> list[AspectAllowed]:
    aspect = find_aspect(call.state, asked.aspect)
    open_to = _people(call.state, asked.open_to)
    if open_to == aspect.open_to:
        raise Refusal(f"“{aspect.name}” is open to them already.", code="no_change")
    return [AspectAllowed(aspect=aspect.id, name=aspect.name, open_to=open_to)]


def _end(call: Call, asked: EndAspect, _: None) -> list[AspectEnded]:
    return [ended(find_aspect(call.state, asked.aspect))]


def ended(aspect: Aspect, *, with_the_scene: bool = False) -> AspectEnded:
    return AspectEnded(aspect=aspect.id, name=aspect.name, with_the_scene=with_the_scene, hidden=aspect.hidden)


def _help(call: Call, asked: OfferHelp, _: None) -> list[AspectMade]:
    """NJ-25: help is an aspect for the next roll: 1 die, or 2 from several."""
    helper, helped = able(call.state, asked.who), find(call.state, asked.whom)
    if helper.id == helped.id:
        raise Refusal(f"{helper.name} can't help with their own roll.", code="own_help")
    aspect_id = f"help-{helped.id}"
    before = call.state.game.aspects.get(aspect_id)
    helpers = before.helpers if before else ()
    if helper.id in helpers:
        raise Refusal(f"{helper.name} helps {helped.name} already.", code="no_change")
    helpers = (*helpers, helper.id)
    names = [find(call.state, who).name for who in helpers if who in call.state.characters]
    made = AspectMade(
        aspect=aspect_id,
        name=words.help_name(names),
        dice=min(2, len(helpers)),
        span=Span.SCENE,
        open_to=(helped.id,),
        helpers=helpers,
        once=True,
    )
    return [made]


def _after_scene(state: State, _: SceneEnded) -> list[AspectEnded]:
    """NJ-18, NJ-23: what was of the scene goes with it."""
    return [ended(one, with_the_scene=True) for one in state.game.aspects.values() if one.span is Span.SCENE]


# ---------------------------------------------------------------- folds


def _hold(state: State, made: AspectMade) -> State:
    aspect = Aspect(
        id=made.aspect,
        name=made.name,
        dice=made.dice,
        span=made.span,
        open_to=made.open_to,
        helpers=made.helpers,
        once=made.once,
        hidden=made.hidden,
    )
    return with_game(state, aspects={**state.game.aspects, aspect.id: aspect})


def _open(state: State, allowed: AspectAllowed) -> State:
    aspect = replace(state.game.aspects[allowed.aspect], open_to=allowed.open_to)
    return with_game(state, aspects={**state.game.aspects, aspect.id: aspect})


def _let_go(state: State, over: AspectEnded) -> State:
    return with_game(state, aspects={key: one for key, one in state.game.aspects.items() if key != over.aspect})


ASPECTS = Chapter(
    actions=(
        Action(GrantAspect, _grant),
        Action(AllowAspect, _allow),
        Action(EndAspect, _end),
        Action(OfferHelp, _help),
    ),
    happenings=(
        Happening(AspectMade, words.aspect_made, _hold),
        Happening(AspectAllowed, words.aspect_allowed, _open),
        Happening(AspectEnded, words.aspect_ended, _let_go),
    ),
    reactions=(Reaction(SceneEnded, _after_scene),),
)
