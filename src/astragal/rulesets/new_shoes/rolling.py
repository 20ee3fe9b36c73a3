"""The roll itself: what is counted up before, and what is told after. NS-03 to NS-06, NS-10."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from astragal.chance import Question
from astragal.table.chapters.requests import find_request, met
from astragal.table.refusals import Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening
from astragal.table.state import State
from astragal.table.things.requests import Request

from . import effects, words
from .approaches import approach
from .asked import RollApproach
from .counting import added_up, terms_of
from .game import Approach, Called, without_approaches
from .happened import ApproachRolled
from .narration import narrating
from .opposing import opposed_approach
from .results import Reached, Result
from .underway import find_approach, find_roller, is_asked_for, opposite

# ---------------------------------------------------------------- before


def ask(state: State, acting: Approach) -> Question[Reached]:
    """NS-03, NS-11: as many dice as the attribute has now. NS-06: or both sides' dice, where another player opposes."""
    called, opposing = called_of(acting), opposite(state, acting)
    dice = find_roller(state, acting.who).sheet.dice(called.attribute)
    statuses = added_up(terms_of(state, acting))
    won, lost = (effects.most(state, effect(state, acting)) for effect in (effects.won, effects.lost))
    explode = state.options.explode
    if opposing is None:
        target: Any = _request(state, acting).difficulty
        return approach(dice, target, statuses, won=won, lost=lost, explode=explode)
    other_dice = find_roller(state, opposing.who).sheet.dice(called_of(opposing).attribute)
    opposing_statuses = added_up(terms_of(state, opposing))
    return opposed_approach(dice, other_dice, statuses, opposing_statuses, won=won, lost=lost, explode=explode)


def ready(state: State, who: str, which: str | None) -> Approach:
    """NS-02: an approach that is described, and whose roll is asked for."""
    acting = find_approach(state, who, which, is_asked_for, "is asked for no roll")
    if not acting.words:
        raise Refusal("Describe it first.", code="not_described")
    if acting.called is None:
        raise Refusal("The game master has still to name attribute and target.", code="not_called")
    if acting.called.request is None:
        raise Refusal("This opposes somebody, and is thrown together with their roll.", code="opposes")
    return acting


def called_of(acting: Approach) -> Called:
    assert acting.called is not None  # noqa: S101 - only what was called is asked about
    return acting.called


def _request(state: State, acting: Approach) -> Request:
    return find_request(state, called_of(acting).request or "", acting.who)


def _ask(call: Call, asked: RollApproach) -> Question[Reached]:
    return ask(call.state, ready(call.state, asked.who, asked.approach))


def _hides(call: Call, asked: RollApproach) -> bool:
    acting = ready(call.state, asked.who, asked.approach)
    return _request(call.state, acting).hidden


# ---------------------------------------------------------------- after


def _tell(call: Call, asked: RollApproach, reached: Reached) -> list[Any]:
    """NS-05, NS-10: the result, what the difference does, and who tells it."""
    state, acting = call.state, ready(call.state, asked.who, asked.approach)
    request, opposing = _request(state, acting), opposite(state, acting)
    rolled = ApproachRolled(
        approach=acting.id,
        who=acting.who,
        attribute=called_of(acting).attribute,
        terms=terms_of(state, acting),
        target=request.difficulty,
        result=reached.result,
        opposing=opposing.id if opposing else None,
        opponent=opposing.who if opposing else None,
        opposing_attribute=called_of(opposing).attribute if opposing else None,
        opposing_terms=terms_of(state, opposing) if opposing else (),
    )
    telling = narrating(state, acting.id, acting.who, reached.result)
    return [met(request), rolled, *effects.told(state, acting, reached), telling]


def _be_done(state: State, told: ApproachRolled) -> State:
    """Both approaches are done with, and so is what an earlier roll had taught."""
    for who in (told.who, told.opponent):
        if who is not None:
            state = state.with_sheet(who, replace(state.characters[who].sheet, lesson=None))
    return without_approaches(state, told.approach, told.opposing)


ROLLING = Chapter(
    actions=(
        Action(
            RollApproach,
            _tell,
            gather=_ask,
            outcome=lambda reached: reached.result,
            hopes=lambda result: result is not Result.FAILURE,
            hides=_hides,
        ),
    ),
    happenings=(Happening(ApproachRolled, words.approach_rolled, _be_done, words.approach_went),),
)
