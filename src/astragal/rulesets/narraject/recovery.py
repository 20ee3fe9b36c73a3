"""Recovery: what rests and new sessions give back, and how Conditions are eased. NJ+02, NJ+05."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from astragal.chance import Question
from astragal.table.chapters.calendar import EveningBegan, Rested
from astragal.table.refusals import Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening, Reaction, Spend
from astragal.table.state import Character, State
from astragal.table.things.calendar import Rest

from . import words
from .asked import Treat
from .game import Intent
from .gathering import focus_range, gather_hand
from .happened import BroughtBack, ConditionEased, ReserveRestored
from .harm import Condition, eased, gravest
from .intent import attempted, no_intent
from .rolling import Outcome, Result, roll_hand
from .sheet import Sheet, find
from .stats import Stat, by_stat, reserve_capacity

# ---------------------------------------------------------------- Reserve


def restored(who: Character[Sheet], points: int | None = None) -> list[ReserveRestored]:
    """NJ+02: so many points for each stat, or all; never past its capacity."""
    sheet = who.sheet
    room = {stat: max(0, reserve_capacity(sheet.ratings[stat]) - sheet.reserves[stat]) for stat in Stat}
    gained = by_stat({stat: left if points is None else min(points, left) for stat, left in room.items()})
    return [ReserveRestored(who=who.id, gained=gained)] if gained.total else []


def _after_rest(state: State, rested: Rested) -> list[ReserveRestored]:
    """NJ+02: a short rest gives 1 point to each stat, a long one and thorough care give all."""
    if not state.options.recovery:
        return []
    points = 1 if rested.kind is Rest.SHORT else None
    return [told for who in rested.who for told in restored(find(state, who), points)]


def _at_the_start(state: State, _: EveningBegan) -> list[ReserveRestored]:
    """NJ+02: a session begins with full Reserves."""
    if not state.options.recovery:
        return []
    return [told for one in state.characters.values() for told in restored(one)]


def _fill(state: State, told: ReserveRestored) -> State:
    sheet = state.characters[told.who].sheet
    reserves = by_stat({stat: sheet.reserves[stat] + told.gained[stat] for stat in Stat})
    return state.with_sheet(told.who, replace(sheet, reserves=reserves))


# ---------------------------------------------------------------- Conditions


def _after_long_rest(state: State, rested: Rested) -> list[Any]:
    """NJ+05: a long rest lowers the gravest Condition, thorough care clears it; both bring back who was taken out."""
    if rested.kind is Rest.SHORT or not state.options.treatment:
        return []
    resting = [find(state, who) for who in rested.who]
    back = [BroughtBack(who=one.id) for one in resting if one.sheet.taken_out]
    return [*back, *_eased_by_rest(resting, clears=rested.kind is Rest.CARE)]


def _eased_by_rest(resting: Iterable[Character[Sheet]], *, clears: bool) -> list[ConditionEased]:
    worst = [(one, gravest(one.sheet.conditions)) for one in resting]
    return [
        ConditionEased(who=one.id, before=it, after=None if clears else eased(it, one.sheet.conditions))
        for one, it in worst
        if it is not None
    ]


def _treated(call: Call, asked: Treat) -> Condition:
    if not call.state.options.treatment:
        raise Refusal("This table plays without treatment.", code="switched_off")
    whom = find(call.state, asked.whom)
    condition = whom.sheet.condition(asked.track, asked.grade)
    if condition is None:
        raise Refusal(f"{whom.name} has no {asked.grade.value} {asked.track.value} condition.", code="no_condition")
    return condition


def _gather(call: Call, asked: Treat) -> Question[Outcome]:
    """NJ+05: 2 for a minor Condition, 3 for a moderate, 4 for a major one, unless the game master says otherwise."""
    if not asked.approach.strip():
        raise no_intent()
    usual = _treated(call, asked).grade.dice + 1
    return roll_hand(gather_hand(call, asked, Stat.INTELLECT), asked.difficulty or usual)


def _tell(call: Call, asked: Treat, outcome: Outcome) -> list[Any]:
    """NJ+05: a grade lower. Of two who treat one Condition at once, the first has eased it."""
    whom = find(call.state, asked.whom)
    intent = Intent(goal=words.treatment_goal(whom.name, asked.track, asked.grade), approach=asked.approach)
    told = attempted(call, asked, Stat.INTELLECT, intent, outcome)
    condition = whom.sheet.condition(asked.track, asked.grade)
    if condition is None or not outcome.success:
        return [told]
    return [told, ConditionEased(who=whom.id, before=condition, after=eased(condition, whom.sheet.conditions))]


def _ease(state: State, told: ConditionEased) -> State:
    sheet = state.characters[told.who].sheet
    others = tuple(one for one in sheet.conditions if one != told.before)
    after = () if told.after is None else (told.after,)
    return state.with_sheet(told.who, replace(sheet, conditions=(*others, *after)))


RECOVERY = Chapter(
    actions=(
        Action(
            Treat,
            _tell,
            gather=_gather,
            spend=Spend("focus", lambda call, asked: focus_range(call, asked, Stat.INTELLECT)),
            outcome=lambda outcome: outcome.result,
            hopes=lambda result: result is Result.SUCCESS,
        ),
    ),
    happenings=(
        Happening(ReserveRestored, words.reserve_restored, _fill),
        Happening(ConditionEased, words.condition_eased, _ease),
    ),
    reactions=(
        Reaction(Rested, _after_rest),
        Reaction(Rested, _after_long_rest),
        Reaction(EveningBegan, _at_the_start),
    ),
)
