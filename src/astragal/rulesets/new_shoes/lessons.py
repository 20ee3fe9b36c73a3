"""Lessons from the parent game, as an option: failures give XP, sixes teach specialities. NS+01."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from typing_extensions import Doc

from astragal.chance import d6
from astragal.game import GAME_MASTER_OR_OWNER, Chapter, Command, Event, Gained, Meter, Refusal, Seen, Teller, replace
from astragal.game.fields import CharacterId, Name

from .rolling import ApproachRolled
from .rules import Result
from .state import Call, Chains, State, Status, find

LESSONS = Chapter(seen=Seen.ALL)

SPECIALITY = 1
"""NS+01: what a speciality is worth."""


def sixes_missing(thrown: Chains) -> int:
    """NS+01: how many dice of the first throw were no six; 0 teaches, and XP can stand in for the others."""
    return sum(chain[0] != d6.sides for chain in thrown)


# ---------------------------------------------------------------- after a roll


XP = Meter("xp", most=lambda _: 99, seen=Seen.ALL, loses="spends", gains="earns", override="XP held")
"""NS+01: a failed roll earns 1, which can be used at once."""


@LESSONS.event("lesson_offered", owner="who")
class LessonOffered(Event):
    """NS+01: all dice were sixes, or XP can make them so."""

    who: CharacterId
    price: int

    def says(self, teller: Teller) -> str:
        price = f" for {self.price} {teller.term('xp')}" if self.price else ""
        return f"{teller.name(self.who)} may learn a speciality{price}"

    def fold(self, state: State) -> State:
        return state.changed(self.who, lesson=self.price)


@LESSONS.after(ApproachRolled)
def roll_teaches(state: State, told: ApproachRolled) -> list[Gained | LessonOffered]:
    """NS+01: both sides of an opposed roll can learn from it."""
    thrown = state.game.thrown
    if not state.options.lessons or thrown is None:
        return []
    learned = list(lessons_of(state, told.who, thrown.mine, failed=told.result is Result.FAILURE))
    if told.opponent is not None:
        learned += lessons_of(state, told.opponent, thrown.theirs, failed=told.result is Result.SUCCESS)
    return learned


def lessons_of(state: State, who: str, thrown: Chains, *, failed: bool) -> Iterator[Gained | LessonOffered]:
    learner, missing = state.characters[who], sixes_missing(thrown)
    if failed:
        yield from XP.gained(learner, 1, "a failure")
    if missing <= learner.sheet.xp + failed:
        yield LessonOffered(who=who, price=missing)


# ---------------------------------------------------------------- learning


@LESSONS.event("speciality_learned", owner="who", says="{who} has learned: {status.words}")
class SpecialityLearned(Event):
    """NS+01: somebody is good at something from now on."""

    who: CharacterId
    status: Status

    def fold(self, state: State) -> State:
        sheet = replace(state.characters[self.who].sheet, lesson=None)
        return state.with_sheet(self.who, sheet.with_status(self.status))


@LESSONS.command("learn", may=GAME_MASTER_OR_OWNER, actor="who")
class Learn(Command):
    """Name the speciality that a roll has taught; XP stand in for the dice that were no sixes."""

    who: Annotated[CharacterId, Doc("who learns")]
    speciality: Annotated[Name, Doc("what they are good at from now on")]

    def does(self, call: Call) -> list[Any]:
        who = find(call.state, self.who)
        price = who.sheet.lesson
        if price is None:
            raise Refusal(f"{who.name}’s last roll taught nothing.", code="no_lesson")
        if price > who.sheet.xp:
            raise Refusal(f"{who.name} has {who.sheet.xp} XP, not {price}.", code="no_xp")
        if any(one.name.casefold() == self.speciality.casefold() for one in who.sheet.statuses):
            raise Refusal(f"“{self.speciality}” is true of {who.name} already.", code="name_taken")
        status = Status(id=call.fresh, name=self.speciality, value=SPECIALITY, who=who.id, speciality=True)
        return [*XP.lost(who, price), SpecialityLearned(who=who.id, status=status)]


@LESSONS.due
def lessons_due(state: State, teller: Teller) -> Iterator[str]:
    """NS+01: what a roll has taught is named, or passes."""
    for one in state.characters.values():
        cost = one.sheet.lesson
        if cost is not None and cost <= one.sheet.xp:
            yield f"{teller.name(one.id)} can learn from the last roll, for {cost} XP (learn)."
