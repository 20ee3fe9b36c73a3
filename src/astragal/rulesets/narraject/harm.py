"""Harm and recovery: stress, Conditions, Reserve, and how rests and treatment restore them. NJ+02 to NJ+05."""

from collections.abc import Iterable, Iterator
from typing import Annotated, Any

from astragal.game import Chapter, Character, Command, Event, Fact, Refusal, Seen, Teller, Value, meters, replace
from astragal.game.fields import CharacterId, Doc, Ge, Label, Le, MaySet, Name, Words
from astragal.game.shared import EveningBegan, Rest, Rested, ends_with

from .gathering import Gathered, HandRoll, rolls_a_hand
from .hand import roll_hand
from .intent import HowItIsDone, attempted, check_said
from .scene import KEPT_THREATS, ThreatId
from .state import BOXES, MOST_RESERVE, Call, Condition, Grade, Intent, Sheet, Stat, State, StressClears, Track, Who

HARM = Chapter(seen=Seen.ALL)

# ---------------------------------------------------------------- what a hit does


class Suffered(Value, kw_only=False):
    """Effect of a hit: boxes filled afterwards, the slot of a new Condition, and whether the character is taken out."""

    boxes: int
    condition: Grade | None = None
    taken_out: bool = False


def grade_of(overflow: int) -> Grade:
    """NJ+03: 1 or 2 beyond the boxes is Minor, 3 or 4 Moderate, anything more Major."""
    if overflow <= 2:
        return Grade.MINOR
    if overflow <= 4:
        return Grade.MODERATE
    return Grade.MAJOR


def suffer(filled: int, occupied_slots: Iterable[Grade], damage: int) -> Suffered:
    """NJ+03: damage fills boxes. Overflow clears them and takes a slot of its grade or higher; with none, out."""
    overflow = filled + damage - BOXES
    if overflow <= 0:
        return Suffered(filled + damage)
    occupied = set(occupied_slots)
    slot: Grade | None = grade_of(overflow)
    while slot in occupied:
        slot = slot.higher
    if slot is None:
        return Suffered(BOXES, taken_out=True)
    return Suffered(0, slot)


# ---------------------------------------------------------------- stress

STRESS = {
    track: meters.Meter(
        f"{track.value}_stress",
        most=lambda _: BOXES,
        seen=Seen.ALL,
        field=track.value,
        loses="shakes off",
        override=f"filled boxes of {track.value} stress",
        limit=BOXES,
    )
    for track in Track
}


@HARM.event(
    "stress_taken", says="{who} takes {damage} {track.value} stress[, of which armour stops {armour}]; {filled}"
)
class StressTaken(Event):
    """NJ+03: someone took stress."""

    who: CharacterId
    track: Track
    damage: int
    armour: int
    """Stress that armour stopped."""
    boxes: int
    """Boxes filled now."""

    def filled(self, _: Teller) -> str:
        overflowed = self.boxes == 0 and self.damage > self.armour
        if overflowed:
            return "more than the boxes hold, and they clear"
        return f"{self.boxes} of {BOXES} boxes are filled"

    def changes(self, sheet: Sheet) -> Sheet:
        return replace(sheet, **{self.track.value: self.boxes})


@HARM.event("condition_taken", says="{who} has a Condition: {condition.words}", adds={"conditions": "condition"})
class ConditionTaken(Event):
    """NJ+03: harm left a Condition."""

    who: CharacterId
    condition: Condition


@HARM.event("taken_out", says="{who} is taken out", sets={"taken_out": True})
class TakenOut(Event):
    """NJ+03: someone was taken out, since no slot was left."""

    who: CharacterId


def harmed(
    who: Character[Sheet], track: Track, damage: int, *, condition: str | None = None, armour: bool = True
) -> list[Any]:
    """NJ+03: armour reduces a physical hit; the rest fills boxes, and overflow takes a slot."""
    sheet = who.sheet
    stopped = stopped_by_armour(sheet, track, damage) if armour else 0
    occupied_slots = [condition.grade for condition in sheet.conditions if condition.track is track]
    suffered = suffer(sheet.stress(track), occupied_slots, damage - stopped)
    events: list[Any] = [StressTaken(who=who.id, track=track, damage=damage, armour=stopped, boxes=suffered.boxes)]
    if suffered.condition is not None:
        new_condition = Condition(track=track, grade=suffered.condition, name=condition)
        events.append(ConditionTaken(who=who.id, condition=new_condition))
    if suffered.taken_out:
        events.append(TakenOut(who=who.id))
    return events


def stopped_by_armour(sheet: Sheet, track: Track, damage: int) -> int:
    """NJ+03: armour stops only harm to the body, and no more than there is."""
    return min(sheet.armour, damage) if track is Track.PHYSICAL else 0


@HARM.command("take_stress")
class TakeStress(Command):
    """Harm somebody: stress fills boxes, and what they don't hold becomes a Condition."""

    who: Who
    damage: Annotated[int, Ge(1), Le(30), Label("stress"), Doc("NJ+03: how much stress")]
    track: Annotated[Track, Label("harms"), Doc("body or mind")] = Track.PHYSICAL
    condition: Annotated[Name | None, Label("if it leaves a Condition"), Doc("what a Condition would be called")] = None
    armour: Annotated[bool, Label("armour helps")] = True

    def does(self, call: Call) -> list[Any]:
        if not call.state.options.stress:
            raise Refusal("This table plays without stress.", code="switched_off")
        who = call.state.find(self.who)
        who.check_lives()
        if who.sheet.taken_out:
            raise Refusal(f"{who.name} is taken out already.", code="taken_out")
        return harmed(who, self.track, self.damage, condition=self.condition, armour=self.armour)


# ---------------------------------------------------------------- defending against a threat


@HARM.command(
    "defend",
    **rolls_a_hand(
        title="{who} wants: {goal}",
        short="{who} defends with {stat}",
        notes=("{approach}", "{stat}"),
        hopes="to stay unhurt",
        verb="Defend",
        choose=("threat", "stat"),
        words=(("approach", "with whatever comes to hand"),),
    ),
)
class Defend(Gathered):
    """Roll a hand against a threat's level. A failure costs stress."""

    stat: Annotated[Stat, Doc("NJ-11: the stat that the defence fits")]
    threat: Annotated[ThreatId, Doc("the threat, by its name")]
    approach: HowItIsDone
    goal: Annotated[Words, Label("what is wanted"), Doc("NJ-01: what is wanted; left out, to stay unhurt")] = ""
    condition: Annotated[Name | None, Label("if it leaves a Condition"), Doc("what a Condition would be called")] = None

    def does(self, call: Call) -> HandRoll:
        """NJ+04: a failed defence costs the threat's level and 1 more, 2 more against a boss."""
        check_said(self.approach)
        hand = self.hand(call)
        threat = KEPT_THREATS.find(call, self.threat)
        outcome = yield roll_hand(hand, threat.level)
        goal = self.goal.strip() or f"no harm from {threat.name}"
        intent = Intent(who=self.who, goal=goal, approach=self.approach)
        defended = attempted(call, self, intent, outcome)
        if outcome.success or not call.state.options.stress:
            return [defended]
        who = call.state.find(self.who)
        return [defended, *harmed(who, threat.track, threat.stress, condition=self.condition)]

    def risks(self, call: Call) -> str:
        """NJ+04: the stress that a failure costs; NJ+03: less what armour stops."""
        if not call.state.options.stress:
            return ""
        threat = KEPT_THREATS.find(call, self.threat)
        sheet = call.state.find(self.who).sheet
        stress = threat.stress - stopped_by_armour(sheet, threat.track, threat.stress)
        return f"{stress} {threat.track.value} stress from {threat.name}"


# ---------------------------------------------------------------- back in action


@HARM.fact("bring_back", told="brought_back", says="{who} can act again", sets={"taken_out": False})
class BringBack(Fact):
    """Let somebody who was taken out act again."""

    who: Who

    def check(self, call: Call) -> None:
        who = call.state.find(self.who)
        who.check_lives()
        if not who.sheet.taken_out:
            raise Refusal(f"{who.name} is not taken out.", code="no_change")


@HARM.due
def taken_out_due(state: State, teller: Teller) -> Iterator[str]:
    """NJ+03: remind the game master of characters taken out: they act again when the game master says so."""
    for character in state.characters.values():
        if character.sheet.taken_out and character.fate is None:
            yield f"{teller.name(character.id)} is taken out: tell what that means (record_fate), or bring_back."


# ---------------------------------------------------------------- clearing


def cleared(who: Character[Sheet]) -> list[meters.Lost]:
    return meters.lost(who, {meter: meter.of(who) for meter in STRESS.values()})


@HARM.after(Rested)
def rest_clears_stress(state: State, rested: Rested) -> list[meters.Lost]:
    """NJ+03: clear the stress of everyone who rested, unless the table clears it with the scene."""
    if state.options.stress_clears is not StressClears.REST:
        return []
    events = []
    for who in rested.who:
        events += cleared(state.characters[who])
    return events


@ends_with(HARM, "scene")
def stress_clears_with_the_scene(state: State, _: str) -> list[meters.Lost]:
    """NJ+03: clear everyone's stress when the scene ends, if the table has chosen so."""
    if state.options.stress_clears is not StressClears.SCENE:
        return []
    events = []
    for character in state.characters.values():
        events += cleared(character)
    return events


RECOVERY = Chapter(seen=Seen.ALL)

# ---------------------------------------------------------------- Reserve


def reserve_of(stat: Stat) -> meters.Meter:
    """NJ-12, NJ+02: the points left in a stat, never more than its capacity. They are spent as Focus."""

    def restored(state: State, who: Character[Sheet], rest: Rest) -> int:
        """NJ+02: a short rest gives 1 point to each stat, a long one and thorough care give all."""
        if not state.options.recovery:
            return 0
        return 1 if rest is Rest.SHORT else who.sheet.capacity(stat)

    return meters.Meter(
        f"{stat.value}_reserve",
        most=lambda sheet: sheet.capacity(stat),
        seen=Seen.ALL,
        read=lambda sheet: sheet.reserves[stat],
        write=lambda sheet, points: sheet.with_reserve(stat, points),
        gains="regains",
        rest=restored,
        override=f"points left in {stat.title}",
        limit=MOST_RESERVE,
    )


RESERVES = {stat: reserve_of(stat) for stat in Stat}


@RECOVERY.after(EveningBegan)
def sessions_begin_with_full_reserves(state: State, _: EveningBegan) -> list[meters.Gained]:
    """NJ+02: fill everyone's Reserves when a session begins."""
    if not state.options.recovery:
        return []
    events = []
    for character in state.characters.values():
        missing = {meter: meter.room(character) for meter in RESERVES.values()}
        events += meters.gained(character, missing)
    return events


# ---------------------------------------------------------------- Conditions


@RECOVERY.event("condition_eased", says="{who}: {before.words} {after:is|is healed}[ {after.grade} now]")
class ConditionEased(Event):
    """NJ+05: a Condition is lower than it was, or gone."""

    who: CharacterId
    before: Condition
    after: Condition | None

    def changes(self, sheet: Sheet) -> Sheet:
        conditions = [condition for condition in sheet.conditions if condition != self.before]
        if self.after is not None:
            conditions.append(self.after)
        return replace(sheet, conditions=tuple(conditions))


def eased(condition: Condition, conditions: Iterable[Condition]) -> Condition | None:
    """NJ+05: lower a Condition by one grade, skipping slots that are taken. None means that it is healed."""
    occupied_slots = {each.grade for each in conditions if each.track is condition.track}
    grade = condition.grade.lower
    while grade in occupied_slots:
        grade = grade.lower
    if grade is None:
        return None
    return replace(condition, grade=grade)


def gravest(conditions: Iterable[Condition]) -> Condition | None:
    """Return the worst Condition; of equals, the first."""
    return max(conditions, key=lambda condition: condition.grade.dice, default=None)


@RECOVERY.after(Rested)
def long_rests_ease_conditions(state: State, rested: Rested) -> list[Any]:
    """NJ+05: a long rest lowers the gravest Condition, thorough care clears it; both bring back anyone taken out."""
    if rested.kind is Rest.SHORT or not state.options.treatment:
        return []
    characters = [state.find(who) for who in rested.who]
    events: list[Any] = [BringBack(who=character.id) for character in characters if character.sheet.taken_out]
    for character in characters:
        conditions = character.sheet.conditions
        worst = gravest(conditions)
        if worst is not None:
            after = None if rested.kind is Rest.CARE else eased(worst, conditions)
            events.append(ConditionEased(who=character.id, before=worst, after=after))
    return events


@RECOVERY.command(
    "treat",
    **rolls_a_hand(
        title="{who} treats {whom}",
        short="{who} treats somebody",
        notes=("{approach}",),
        hopes="to ease it",
        verb="Treat",
        choose=("whom",),
        words=(("approach", "with what is at hand"),),
    ),
)
class Treat(Gathered):
    """Roll Intellect to ease a Condition: one grade lower, and a minor one is gone."""

    whom: Annotated[CharacterId, Doc("who is treated")]
    approach: HowItIsDone
    track: Annotated[Track | None, Doc("a Condition of the body or of the mind; left out, the gravest")] = None
    grade: Annotated[Grade | None, Doc("the Condition's grade; left out, the gravest")] = None
    difficulty: Annotated[
        int | None,
        Ge(2),
        Le(4),
        Doc("NJ+05: 2 to 4; left out, 2 for minor, 3 for moderate, 4 for major"),
        MaySet.PROPOSAL,
    ] = None

    @staticmethod
    def is_of_use(state: State) -> bool:
        return any(character.sheet.conditions for character in state.characters.values())

    @property
    def stat(self) -> Stat:
        return Stat.INTELLECT

    def does(self, call: Call) -> HandRoll:
        """NJ+05: 2 for a minor Condition, 3 for a moderate, 4 for a major one, unless another difficulty is named."""
        check_said(self.approach)
        if not call.state.options.treatment:
            raise Refusal("This table plays without treatment.", code="switched_off")
        whom = call.state.find(self.whom)
        condition = self.find_condition(whom)
        outcome = yield roll_hand(self.hand(call), self.difficulty or condition.grade.dice + 1)
        goal = f"{whom.name}’s {condition.grade.value} {condition.track.value} Condition eased"
        intent = Intent(who=self.who, goal=goal, approach=self.approach)
        treated = attempted(call, self, intent, outcome)
        if not outcome.success:
            return [treated]
        after = eased(condition, whom.sheet.conditions)
        return [treated, ConditionEased(who=whom.id, before=condition, after=after)]

    def find_condition(self, whom: Character[Sheet]) -> Condition:
        """Find the gravest Condition of the track and grade that were named, if any were."""
        conditions = [condition for condition in whom.sheet.conditions if self.is_meant(condition)]
        condition = gravest(conditions)
        if condition is None:
            kind = "".join(f"{part.value} " for part in (self.grade, self.track) if part)
            raise Refusal(f"{whom.name} has no {kind}Condition.", code="no_condition")
        return condition

    def is_meant(self, condition: Condition) -> bool:
        return self.track in (None, condition.track) and self.grade in (None, condition.grade)
