"""What Pressure does on its way: moves that are proposed to the custodian, and applied when one is taken. SS-53."""

from __future__ import annotations

from typing import Any

from astragal.table.chapters.conditions import new_condition
from astragal.table.chapters.prompts import PromptAnswered, new_prompt
from astragal.table.refusals import Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening, Reaction
from astragal.table.things.conditions import Until

from . import words_story as words
from .asked_story import MakePressureMove
from .circumstances import HINDRANCE
from .game import Table
from .happened_story import MovesProposed, PressureRose, SurchargeSet
from .pressure import COSTLY, FULL, Toll
from .pressure_moves import PressureMove, moves_at
from .tracks import TrackOf, hero, steps_for, tracks, with_surcharge
from .tracks import step as step_of

SIDE_EFFECT = "side_effect"
"""By this kind the game knows the prompt for a side effect again."""


def _propose(state: Table, rose: PressureRose) -> list[MovesProposed]:
    """SS-53: the moves of the present step; nothing is applied unasked."""
    moves = moves_at(rose.after, state.options.step4_surcharge)
    if not moves or rose.after == FULL:
        return []
    return [MovesProposed(track_of=rose.track_of, step=rose.after, moves=moves)]


def _make(call: Call, asked: MakePressureMove, _: None) -> list[Any]:
    track = _track_for(call, asked)
    match asked.move:
        case PressureMove.DISADVANTAGE:
            return [_condition(call, _whom(asked), asked.words or call.state.terms["pressure"], **{HINDRANCE: 1})]
        case PressureMove.SIDE_EFFECT:
            return [_side_effect(call, _whom(asked), asked.words)]
        case PressureMove.SURCHARGE:
            return [_surcharge(call, track)]
        case PressureMove.HOSTILITY:
            return [_condition(call, None, asked.words or words.HOSTILITY)]


def _track_for(call: Call, asked: MakePressureMove) -> TrackOf:
    """The track whose step allows the move: the highest that bears on whom it is about."""
    state: Table = call.state
    about = hero(state, asked.who).id if asked.who else None
    bearing = steps_for(state, about) if about else {track: step_of(state, track) for track in tracks(state)}
    highest = max(bearing, key=lambda track: bearing[track], default=None)
    reached = bearing.get(highest, 0)
    if reached < asked.move.least_step:
        least = asked.move.least_step
        raise Refusal(
            f"{state.terms['pressure']} is at {reached}; {asked.move.value} begins at {least}.", code="too_early"
        )
    return highest


def _whom(asked: MakePressureMove) -> str:
    if asked.who is None:
        raise Refusal("Say whom it is about.", code="nobody")
    return asked.who


def _side_effect(call: Call, who: str, said: str) -> Any:
    """SS-53: chosen by the custodian, or by the hero's player where the custodian says nothing."""
    if said:
        return _condition(call, who, said)
    return new_prompt(call.state, call.fresh, who, words.side_effect_asked(call.state), kind=SIDE_EFFECT)


def _surcharge(call: Call, track: TrackOf) -> SurchargeSet:
    state: Table = call.state
    if state.options.step4_surcharge is Toll.AUTOMATIC:
        raise Refusal(f"At {COSTLY} the surcharge comes by itself at this table.", code="no_change")
    if with_surcharge(state, track) == state:
        raise Refusal("Spending costs 1 more already.", code="no_change")
    return SurchargeSet(track_of=track)


def _condition(call: Call, who: str | None, said: str, **numbers: int) -> Any:
    return new_condition(
        call.state, call.fresh, said[:60], who=who, until=Until.SCENE_ENDS, effect=said, numbers=numbers
    )


def _chosen(state: Table, answered: PromptAnswered) -> list[Any]:
    """The side effect that a player has chosen begins."""
    if answered.kind != SIDE_EFFECT or answered.to not in state.characters:
        return []
    name = f"{answered.prompt}-effect"
    began = new_condition(
        state, name, answered.words[:60], who=answered.to, until=Until.SCENE_ENDS, effect=answered.words
    )
    return [began]


OMENS = Chapter(
    actions=(Action(MakePressureMove, _make),),
    happenings=(
        Happening(MovesProposed, words.moves_proposed),
        Happening(SurchargeSet, words.surcharge_set, lambda state, told: with_surcharge(state, told.track_of)),
    ),
    reactions=(Reaction(PressureRose, _propose), Reaction(PromptAnswered, _chosen)),
)
