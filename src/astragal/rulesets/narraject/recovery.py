"""Recovery: what rests and new sessions give back, and how Conditions are eased. NJ+02, NJ+05."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

from astragal.game import (
    GAME_MASTER_OR_OWNER,
    Chapter,
    Character,
    Doing,
    Event,
    Gained,
    Meter,
    Refusal,
    Seen,
    Teller,
    gained,
    replace,
)
from astragal.game.display import RollCard
from astragal.game.fields import CharacterId, Doc, Ge, Le, Whose
from astragal.game.shared import EveningBegan, Rest, Rested

from .gathering import ROLLS_A_HAND, Gathered
from .hand import LEAST_FACE, Outcome, roll_hand
from .harm import BringBack
from .intent import HowItIsDone, attempted, check_said
from .sheet import MOST_RATING, Condition, Grade, Sheet, Stat, Track, reserve_capacity
from .state import Call, Intent, State, find

RECOVERY = Chapter(seen=Seen.ALL)

# ---------------------------------------------------------------- Reserve


def reserve_of(stat: Stat) -> Meter:
    """NJ-12, NJ+02: the points left in a stat, never more than its capacity. They are spent as Focus."""

    def restored(state: State, who: Character[Sheet], rest: Rest) -> int:
        """NJ+02: a short rest gives 1 point to each stat, a long one and thorough care give all."""
        if not state.options.recovery:
            return 0
        return 1 if rest is Rest.SHORT else reserve_capacity(who.sheet.ratings[stat])

    return Meter(
        f"{stat.value}_reserve",
        most=lambda sheet: reserve_capacity(sheet.ratings[stat]),
        seen=Seen.ALL,
        read=lambda sheet: sheet.reserves[stat],
        write=lambda sheet, left: sheet.with_reserve(stat, left),
        gains="regains",
        rest=restored,
        override=f"points left in {stat.title}",
        limit=reserve_capacity(MOST_RATING),
    )


RESERVES = {stat: reserve_of(stat) for stat in Stat}


@RECOVERY.after(EveningBegan)
def sessions_begin_with_full_reserves(state: State, _: EveningBegan) -> list[Gained]:
    """NJ+02: for everyone."""
    if not state.options.recovery:
        return []
    everyone = state.characters.values()
    return [told for one in everyone for told in gained(one, {meter: meter.room(one) for meter in RESERVES.values()})]


# ---------------------------------------------------------------- Conditions


@RECOVERY.event("condition_eased", owner="who")
class ConditionEased(Event):
    """NJ+05: a Condition is lower than it was, or gone."""

    who: CharacterId
    before: Condition
    after: Condition | None

    def says(self, teller: Teller) -> str:
        now = "is healed" if self.after is None else f"is {self.after.grade.value} now"
        return f"{teller.name(self.who)}: {self.before.words} {now}"

    def fold(self, state: State) -> State:
        others = [one for one in state.characters[self.who].sheet.conditions if one != self.before]
        return state.changed(self.who, conditions=(*others, self.after) if self.after else tuple(others))


def eased(condition: Condition, conditions: Iterable[Condition]) -> Condition | None:
    """NJ+05: one grade lower; past slots that are taken, and None where it is healed."""
    taken = {one.grade for one in conditions if one.track is condition.track}
    grade = condition.grade.lower
    while grade in taken:
        grade = grade.lower
    return None if grade is None else replace(condition, grade=grade)


def gravest(conditions: Iterable[Condition]) -> Condition | None:
    """The worst of them; of equals, the oldest."""
    return max(conditions, key=lambda one: one.grade.dice, default=None)


@RECOVERY.after(Rested)
def long_rests_ease_conditions(state: State, rested: Rested) -> list[Any]:
    """NJ+05: a long rest lowers the gravest Condition, thorough care clears it; both bring back who was taken out."""
    if rested.kind is Rest.SHORT or not state.options.treatment:
        return []
    resting = [find(state, who) for who in rested.who]
    told: list[Any] = [BringBack(who=one.id) for one in resting if one.sheet.taken_out]
    for one in resting:
        worst = gravest(one.sheet.conditions)
        if worst is not None:
            after = None if rested.kind is Rest.CARE else eased(worst, one.sheet.conditions)
            told.append(ConditionEased(who=one.id, before=worst, after=after))
    return told


@RECOVERY.command(
    "treat",
    may=GAME_MASTER_OR_OWNER,
    actor="who",
    **ROLLS_A_HAND,
    card=RollCard(
        title="{who} treats {whom}",
        short="{who} treats somebody",
        notes=("by {approach}",),
        hopes="to ease it",
        verb="Treat",
        choose=("whom", "track", "grade"),
        words=(("approach", "what is at hand"),),
        counts=LEAST_FACE,
        spends="focus",
    ),
)
class Treat(Gathered):
    """Roll Intellect to ease a Condition: one grade lower, and a minor one is gone."""

    whom: Annotated[CharacterId, Doc("who is treated")]
    track: Annotated[Track, Doc("whether the Condition is of the body or the mind")]
    grade: Annotated[Grade, Doc("its grade")]
    approach: HowItIsDone
    difficulty: Annotated[
        int | None,
        Ge(2),
        Le(4),
        Doc("NJ+05: 2 to 4; left out, 2 for minor, 3 for moderate, 4 for major"),
        Whose.PROPOSAL,
    ] = None

    @property
    def stat(self) -> Stat:
        return Stat.INTELLECT

    def does(self, call: Call) -> Doing[Outcome]:
        """NJ+05: 2 for a minor Condition, 3 for a moderate, 4 for a major one, unless another difficulty is named."""
        check_said(self.approach)
        if not call.state.options.treatment:
            raise Refusal("This table plays without treatment.", code="switched_off")
        whom = find(call.state, self.whom)
        fitting = [one for one in whom.sheet.conditions if (one.track, one.grade) == (self.track, self.grade)]
        if not fitting:
            raise Refusal(f"{whom.name} has no {self.grade.value} {self.track.value} condition.", code="no_condition")
        outcome = yield roll_hand(self.hand(call, self.stat), self.difficulty or self.grade.dice + 1)
        goal = f"{whom.name}’s {self.grade.value} {self.track.value} condition eased"
        told = attempted(call, self, self.stat, Intent(who=self.who, goal=goal, approach=self.approach), outcome)
        if not outcome.success:
            return [told]
        before = fitting[0]
        return [told, ConditionEased(who=whom.id, before=before, after=eased(before, whom.sheet.conditions))]
