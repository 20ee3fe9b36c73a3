"""Help: an action that gives somebody advantage on the next roll. SP-15."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from astragal.table.chapters.conditions import new_condition
from astragal.table.chapters.scenes import SceneEnded
from astragal.table.refusals import NoSuchThing, Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening, Reaction
from astragal.table.state import State
from astragal.table.things.conditions import Until

from . import happened as it
from . import words
from .asked import Help, JudgeHelp
from .circumstances import HELP, NEXT_ROLL, check_able
from .game import HelpOffer, find_skill
from .proficiency import Training
from .sheet import RollKind, find


def _offer(call: Call, asked: Help, _: None) -> list[it.HelpOffered]:
    helper, ally = find(call.state, asked.who), find(call.state, asked.ally)
    if helper.id == ally.id:
        raise Refusal("One helps somebody else.", code="same_side")
    check_able(call.state, helper, RollKind.CHECK)
    skill = "" if asked.skill is None else find_skill(call.state, asked.skill).name
    return [it.HelpOffered(offer=call.fresh, who=helper.id, ally=ally.id, skill=skill, how=asked.how)]


def _judge(call: Call, asked: JudgeHelp, _: None) -> list[Any]:
    """SP-15: help that means something is advantage on the next roll, until the scene ends."""
    offer = call.state.game.help_offered.get(asked.offer)
    if offer is None:
        raise NoSuchThing("No such help is offered.")
    judged = it.HelpJudged(offer=offer.id, who=offer.who, ally=offer.ally, meaningful=asked.meaningful)
    if not asked.meaningful:
        return [judged]
    if not asked.waive_training:
        _check_trained(call.state, offer)
    helping = new_condition(
        call.state,
        f"{offer.id}-help",
        words.helped_by(find(call.state, offer.who).name),
        who=offer.ally,
        until=Until.SCENE_ENDS,
        numbers={HELP: 1, NEXT_ROLL: 1},
    )
    return [judged, helping]


def _check_trained(state: State, offer: HelpOffer) -> None:
    """SP-15: for a skill the helper must be trained, unless the game master waives it."""
    if not offer.skill:
        return
    helper, skill = find(state, offer.who), find_skill(state, offer.skill)
    if helper.sheet.numbers.trained(skill.trained_by) is Training.UNTRAINED:
        raise Refusal(f"{helper.name} is untrained in {skill.name}; waive that, or decline.", code="untrained")


def _lapse(state: State, _: SceneEnded) -> list[it.HelpLapsed]:
    return [it.HelpLapsed(offer=offer) for offer in state.game.help_offered]


def _wait(state: State, told: it.HelpOffered) -> State:
    offer = HelpOffer(id=told.offer, who=told.who, ally=told.ally, skill=told.skill)
    return replace(state, game=replace(state.game, help_offered={**state.game.help_offered, offer.id: offer}))


def _settle(state: State, told: it.HelpJudged | it.HelpLapsed) -> State:
    left = {key: one for key, one in state.game.help_offered.items() if key != told.offer}
    return replace(state, game=replace(state.game, help_offered=left))


HELPING = Chapter(
    actions=(Action(Help, _offer), Action(JudgeHelp, _judge)),
    happenings=(
        Happening(it.HelpOffered, words.help_offered, _wait),
        Happening(it.HelpJudged, words.help_judged, _settle),
        Happening(it.HelpLapsed, words.help_lapsed, _settle),
    ),
    reactions=(Reaction(SceneEnded, _lapse),),
)
