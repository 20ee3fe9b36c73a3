"""The game master names what is rolled, against what, and what hangs on it. NS-02, NS-06, NS-10, NS-14."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from astragal.table.chapters.requests import RequestWithdrawn, RollRequested
from astragal.table.declarations import kind_of_command
from astragal.table.refusals import Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening
from astragal.table.state import Character, State

from . import words
from .approaches import Step, is_usual
from .asked import CallApproach, CallHealing, CallOpposed, RollApproach
from .game import Approach, Called, Does, Effect, with_approach
from .happened import ApproachCalled, TargetBeyondTheUsual
from .sheet import Attribute, Sheet, find
from .statuses import find_status
from .underway import find_approach, find_roller, is_described, opposite

ROLL = kind_of_command(RollApproach).name
NOTHING_TO_CALL = "has described nothing that could be called"

# ---------------------------------------------------------------- deciding


def _call(call: Call, asked: CallApproach, _: None) -> list[Any]:
    """NS-02: attribute and target, and who stands against it."""
    state, who = call.state, find_roller(call.state, asked.who)
    approach = find_approach(state, who.id, asked.approach, is_described, NOTHING_TO_CALL)
    called = Called(
        request=call.fresh,
        attribute=asked.attribute,
        against=_against(state, approach, asked.against),
        harmed=asked.harmed,
        hurt=asked.hurt,
        statuses=_named(state, asked.statuses),
    )
    _check_harm(approach, called)
    return asking_to_roll(state, approach, called, target_of(asked.target), hidden=asked.hidden)


def _call_opposed(call: Call, asked: CallOpposed, _: None) -> list[Any]:
    """NS-06: two players' approaches, each of which is the other's target."""
    state = call.state
    who, opponent = find_roller(state, asked.who), find_roller(state, asked.opponent)
    acting, opposing = _pitted(state, who, opponent, asked)
    called = Called(
        request=call.fresh,
        attribute=asked.attribute,
        opposing=opposing.id,
        harmed=asked.harmed,
        hurt=asked.hurt,
        statuses=_named(state, asked.statuses),
    )
    answered = Called(
        attribute=asked.opposing_attribute, opposing=acting.id, statuses=_named(state, asked.opposing_statuses)
    )
    told = ApproachCalled(approach=opposing.id, who=opponent.id, called=answered, opponent=who.id)
    return [told, *_superseded(state, opposing), *asking_to_roll(state, acting, called, None, opponent=opponent.id)]


def _pitted(
    state: State, who: Character[Sheet], opponent: Character[Sheet], asked: CallOpposed
) -> tuple[Approach, Approach]:
    if who.id == opponent.id:
        raise Refusal(f"{who.name} can’t be on both sides.", code="one_side")
    acting = find_approach(state, who.id, asked.approach, is_described, NOTHING_TO_CALL)
    opposing = find_approach(state, opponent.id, asked.opposing, is_described, NOTHING_TO_CALL)
    if any(one.threat is not None or not one.words for one in (acting, opposing)):
        raise Refusal("A reaction is rolled against a target, not against another player.", code="reaction")
    return acting, opposing


def _call_healing(call: Call, asked: CallHealing, _: None) -> list[Any]:
    """NS-14: the game master has seen that there are means to do it."""
    state, who = call.state, find_roller(call.state, asked.who)
    patient = find(state, asked.patient)
    _check_wounded(patient, asked.healed, words.term(asked.healed, state.terms))
    approach = find_approach(state, who.id, asked.approach, is_described, NOTHING_TO_CALL)
    called = Called(
        request=call.fresh,
        attribute=asked.attribute,
        healing=Effect(does=Does.HEAL, to=patient.id, attribute=asked.healed),
        statuses=_named(state, asked.statuses),
    )
    return asking_to_roll(state, approach, called, target_of(asked.target), hidden=asked.hidden)


def _check_wounded(patient: Character[Sheet], healed: Attribute, called: str) -> None:
    points = patient.sheet.points(healed)
    if points is None:
        raise Refusal(f"{patient.name} has no {called} that could be healed.", code="nothing_to_heal")
    if not points.missing:
        raise Refusal(f"{patient.name} has all {points.full} points of {called}.", code="nothing_to_heal")


def _check_harm(approach: Approach, called: Called) -> None:
    """NS-10: only an approach that said so harms, and it harms somebody."""
    if approach.harmful and called.against is None:
        raise Refusal("Say against whom it is: it is meant to harm.", code="no_victim")
    if called.harmed is not None and not approach.harmful and approach.words:
        raise Refusal("That approach is not meant to harm.", code="harmless")


def _against(state: State, approach: Approach, said: str | None) -> str | None:
    """Who stands against it: the one named, or whoever is reacted to."""
    if said is None:
        return approach.threat.by if approach.threat else None
    if said == approach.who:
        raise Refusal("Nobody stands against themselves.", code="one_side")
    return find(state, said).id


def _named(state: State, said: tuple[str, ...] | None) -> tuple[str, ...] | None:
    return None if said is None else tuple(dict.fromkeys(find_status(state, one).id for one in said))


# ---------------------------------------------------------------- asking for the roll


def asking_to_roll(
    state: State,
    approach: Approach,
    called: Called,
    target: int | None,
    *,
    hidden: bool = False,
    opponent: str | None = None,
) -> list[Any]:
    """NS-02: what was called, and the table's request for the roll, which keeps the target."""
    requested = RollRequested(
        request=called.request or "",
        who=approach.who,
        command=ROLL,
        fields={"who": approach.who, "approach": approach.id},
        what_for=approach.words or (approach.threat.words if approach.threat else ""),
        hidden=hidden,
        shown_difficulty=None if hidden else target,
        secret_difficulty=target if hidden else None,
    )
    beyond = [] if target is None or is_usual(target) else [TargetBeyondTheUsual(target=target)]
    told = ApproachCalled(approach=approach.id, who=approach.who, called=called, opponent=opponent)
    return [told, *_superseded(state, approach), *beyond, requested]


def target_of(said: int | Step) -> int:
    return said.target if isinstance(said, Step) else said


def _superseded(state: State, approach: Approach) -> list[RequestWithdrawn]:
    """What was called before, this approach or the one against it, is called anew: the older rolls are not wanted."""
    before = [one for one in (approach, opposite(state, approach)) if one is not None]
    return [
        RequestWithdrawn(request=one.called.request, who=one.who)
        for one in before
        if one.called is not None and one.called.request is not None
    ]


def _take_call(state: State, told: ApproachCalled) -> State:
    """Whoever stood on the other side before is free again."""
    approach: Approach = state.game.approaches[told.approach]
    before = opposite(state, approach)
    if before is not None and before.id != told.called.opposing:
        state = with_approach(state, replace(before, called=None))
    return with_approach(state, replace(approach, called=told.called))


CALLING = Chapter(
    actions=(Action(CallApproach, _call), Action(CallOpposed, _call_opposed), Action(CallHealing, _call_healing)),
    happenings=(
        Happening(ApproachCalled, words.approach_called, _take_call),
        Happening(TargetBeyondTheUsual, words.target_beyond_the_usual),
    ),
)
