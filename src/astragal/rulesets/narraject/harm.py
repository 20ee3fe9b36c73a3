"""Stress: harm fills boxes, and what does not fit stays as a Condition. NJ+03."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any

from astragal.game import (
    GAME_MASTER_ONLY,
    Chapter,
    Character,
    Command,
    Event,
    Fact,
    Lost,
    Meter,
    Refusal,
    Seen,
    Teller,
    Value,
    lost,
)
from astragal.game.fields import CharacterId, Doc, Ge, Le, Name
from astragal.game.shared import Rested, ends_with

from .sheet import BOXES, Condition, Grade, Sheet, Track
from .state import Call, State, StressClears, Who, find

HARM = Chapter(seen=Seen.ALL)

# ---------------------------------------------------------------- what a hit does


class Suffered(Value, kw_only=False):
    """Effect of a hit: so many boxes are filled afterwards, a slot is taken, or somebody is taken out."""

    boxes: int
    condition: Grade | None = None
    taken_out: bool = False


def grade_of(overflow: int) -> Grade:
    """NJ+03: 1 or 2 beyond the boxes is Minor, 3 or 4 Moderate, anything more Major."""
    return Grade.MINOR if overflow <= 2 else Grade.MODERATE if overflow <= 4 else Grade.MAJOR


def suffer(filled: int, taken: Iterable[Grade], damage: int) -> Suffered:
    """NJ+03: damage fills boxes. What does not fit takes a slot, the next higher if need be, and the track clears."""
    overflow = filled + damage - BOXES
    if overflow <= 0:
        return Suffered(filled + damage)
    occupied = set(taken)
    slot: Grade | None = grade_of(overflow)
    while slot in occupied:
        slot = slot.higher
    return Suffered(BOXES, taken_out=True) if slot is None else Suffered(0, slot)


# ---------------------------------------------------------------- stress

STRESS = {
    track: Meter(
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


@HARM.event("stress_taken", owner="who")
class StressTaken(Event):
    """NJ+03: somebody was harmed; so many boxes are filled now."""

    who: CharacterId
    track: Track
    damage: int
    armour: int
    """What armour took off it."""
    boxes: int

    def says(self, teller: Teller) -> str:
        armour = f", {self.armour} of it taken by armour" if self.armour else ""
        filled = f"{self.boxes} of {BOXES} boxes are filled"
        return f"{teller.name(self.who)} takes {self.damage} {self.track.value} stress{armour}; {filled}"

    def fold(self, state: State) -> State:
        return state.changed(self.who, **{self.track.value: self.boxes})


@HARM.event("condition_taken", owner="who", says="{who} has a Condition: {condition.words}")
class ConditionTaken(Event):
    """NJ+03: harm that stays."""

    who: CharacterId
    condition: Condition

    def fold(self, state: State) -> State:
        return state.changed(self.who, conditions=(*state.characters[self.who].sheet.conditions, self.condition))


@HARM.event("taken_out", owner="who", says="{who} is taken out")
class TakenOut(Event):
    """NJ+03: no slot was left."""

    who: CharacterId

    def fold(self, state: State) -> State:
        return state.changed(self.who, taken_out=True)


def harmed(
    who: Character[Sheet], track: Track, damage: int, *, condition: str | None = None, armour: bool = True
) -> list[Any]:
    """NJ+03: armour takes its part of a physical hit; the rest fills boxes, and a slot if they do not hold it."""
    sheet = who.sheet
    taken_off = min(sheet.armour, damage) if armour and track is Track.PHYSICAL else 0
    slots = [one.grade for one in sheet.conditions if one.track is track]
    suffered = suffer(sheet.stress(track), slots, damage - taken_off)
    told: list[Any] = [
        StressTaken(who=who.id, track=track, damage=damage, armour=taken_off, boxes=suffered.boxes),
    ]
    if suffered.condition is not None:
        held = Condition(track=track, grade=suffered.condition, name=condition)
        told.append(ConditionTaken(who=who.id, condition=held))
    if suffered.taken_out:
        told.append(TakenOut(who=who.id))
    return told


@HARM.command("take_stress", may=GAME_MASTER_ONLY)
class TakeStress(Command):
    """Harm somebody."""

    who: Who
    damage: Annotated[int, Ge(1), Le(30), Doc("NJ+03: boxes to fill")]
    track: Annotated[Track, Doc("body or mind")] = Track.PHYSICAL
    condition: Annotated[Name | None, Doc("what a Condition would be called")] = None
    armour: Annotated[bool, Doc("whether armour helps against it")] = True

    def does(self, call: Call) -> list[Any]:
        if not call.state.options.stress:
            raise Refusal("This table plays without stress.", code="switched_off")
        who = find(call.state, self.who)
        who.check_lives()
        if who.sheet.taken_out:
            raise Refusal(f"{who.name} is taken out already.", code="taken_out")
        return harmed(who, self.track, self.damage, condition=self.condition, armour=self.armour)


# ---------------------------------------------------------------- back in action


@HARM.fact("bring_back", told="brought_back", may=GAME_MASTER_ONLY, owner="who", says="{who} can act again")
class BringBack(Fact):
    """Let somebody who was taken out act again."""

    who: Who

    def check(self, call: Call) -> None:
        who = find(call.state, self.who)
        who.check_lives()
        if not who.sheet.taken_out:
            raise Refusal(f"{who.name} is not taken out.", code="no_change")

    def fold(self, state: State) -> State:
        return state.changed(self.who, taken_out=False)


@HARM.due
def taken_out_due(state: State, teller: Teller) -> Iterator[str]:
    """NJ+03: who was taken out acts again when the game master says so."""
    for one in state.characters.values():
        if one.sheet.taken_out and one.fate is None:
            yield f"{teller.name(one.id)} is taken out: tell what that means (record_fate), or bring_back."


# ---------------------------------------------------------------- clearing


def cleared(who: Character[Sheet]) -> list[Lost]:
    return lost(who, {meter: meter.of(who) for meter in STRESS.values()})


@HARM.after(Rested)
def rest_clears_stress(state: State, rested: Rested) -> list[Lost]:
    """NJ+03: for those who rested, unless the table has chosen the scene."""
    resting = rested.who if state.options.stress_clears is StressClears.REST else ()
    return [told for who in resting for told in cleared(state.characters[who])]


@ends_with(HARM, "scene")
def stress_clears_with_the_scene(state: State, _: str) -> list[Lost]:
    """NJ+03: for everyone, where the table has chosen so."""
    everyone = state.characters.values() if state.options.stress_clears is StressClears.SCENE else ()
    return [told for one in everyone for told in cleared(one)]
