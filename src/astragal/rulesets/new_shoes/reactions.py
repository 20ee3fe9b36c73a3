"""NPCs never roll: when one acts, the player it concerns is prompted to react. NS-08."""

from __future__ import annotations

from typing import Any

from astragal.table.refusals import Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening
from astragal.table.state import State

from . import words
from .asked import PromptReaction
from .calling import asking_to_roll, target_of
from .game import Approach, Called, Threat, with_approach
from .happened import ReactionPrompted
from .underway import find_able, find_roller


def _prompt(call: Call, asked: PromptReaction, _: None) -> list[Any]:
    """NS-08: it waits for the player. NS-12: the knocked-out get no reaction."""
    who = find_roller(call.state, asked.who)
    by = None if asked.by is None else find_able(call.state, asked.by)
    if by is not None and by.sheet.is_hero:
        raise Refusal(f"{by.name} is a hero: set the two approaches against each other.", code="hero")
    prompted = ReactionPrompted(
        approach=call.fresh, who=who.id, words=asked.words, by=by.id if by else None, harmful=asked.harmful
    )
    called = _called(call, asked)
    if called is None or asked.target is None:
        return [prompted]
    waiting = Approach(id=call.fresh, who=who.id, threat=_threat(prompted))
    return [prompted, *asking_to_roll(call.state, waiting, called, target_of(asked.target), hidden=asked.hidden)]


def _called(call: Call, asked: PromptReaction) -> Called | None:
    """Attribute and target, named at once or, together, later."""
    if (asked.attribute is None) != (asked.target is None):
        raise Refusal("Name attribute and target together, or both when they have described it.", code="half_called")
    if asked.attribute is None:
        return None
    return Called(request=call.fresh, attribute=asked.attribute, against=asked.by, hurt=asked.hurt)


def _wait(state: State, told: ReactionPrompted) -> State:
    return with_approach(state, Approach(id=told.approach, who=told.who, threat=_threat(told)))


def _threat(told: ReactionPrompted) -> Threat:
    return Threat(words=told.words, by=told.by, harmful=told.harmful)


REACTIONS = Chapter(
    actions=(Action(PromptReaction, _prompt),),
    happenings=(Happening(ReactionPrompted, words.reaction_prompted, _wait),),
)
