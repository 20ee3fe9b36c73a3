"""Conditions: on a character or on the whole table, in words and small numbers, until something ends them.

A ruleset begins one with `new_condition`, reads them with `conditions_on` and `modifier`, and ends one with `end_of`.
"""

from collections.abc import Callable, Mapping
from typing import Annotated

from annotated_types import Ge, Le, MaxLen
from msgspec import field
from typing_extensions import Doc

from astragal.table.authoring.chapter import Call, Chapter, Command, Event
from astragal.table.authoring.kept import Kept
from astragal.table.authoring.log_lines import Teller
from astragal.table.chapters.calendar import DayPassed, EveningEnded, Rested, ends_with
from astragal.table.declarations import GAME_MASTER_ONLY, Seen
from astragal.table.fields.definitions import CharacterId, Label, Name, Names, Words
from astragal.table.refusals import Refusal
from astragal.table.state.table import State
from astragal.table.state.things import Condition, Rest, Until

__all__ = ["ConditionBegan", "ConditionEnded", "conditions_on", "end_of", "modifier", "new_condition"]

CONDITIONS = Chapter(seen=Seen.ALL)

ConditionId = Annotated[str, MaxLen(40), Names("condition")]
SmallNumber = Annotated[int, Ge(-99), Le(99)]
LONGEST_KEY = 40

KEPT_CONDITIONS = Kept(CONDITIONS, Condition, "conditions", "condition", shared=True)


def conditions_on(state: State, who: str) -> tuple[Condition, ...]:
    """A character's own conditions and those of the whole table, oldest first."""
    return tuple(condition for condition in state.conditions.values() if condition.who in (who, None))


def modifier(state: State, who: str, key: str) -> int:
    """Sum of what the conditions on a character add to one number of the game, by its key."""
    return sum(condition.numbers.get(key, 0) for condition in conditions_on(state, who))


def _whom(who: str | None, teller: Teller) -> str:
    return "everyone" if who is None else teller.name(who)


# ---------------------------------------------------------------- begun


@KEPT_CONDITIONS.put("condition_began")
class ConditionBegan(Event):
    """A condition began."""

    condition: Condition

    def says(self, teller: Teller) -> str:
        condition = self.condition
        return f"{_whom(condition.who, teller)}: {teller.term(condition.name)}, until {condition.until.value}"


def new_condition(
    state: State,
    condition: str,
    name: str,
    *,
    who: str | None,
    until: Until,
    effect: str = "",
    numbers: Mapping[str, int] | None = None,
    hidden: bool = False,
) -> ConditionBegan:
    """Return the event of a new condition. `condition` is its id: `call.fresh`, or something made from it."""
    began = Condition(
        id=condition,
        who=who,
        name=name,
        effect=effect,
        numbers=numbers or {},
        until=until,
        hidden=hidden,
        since_evening=state.calendar.evening,
    )
    return ConditionBegan(condition=began)


@CONDITIONS.command("begin_condition", may=GAME_MASTER_ONLY)
class BeginCondition(Command):
    """Put a condition on a character, or on everyone."""

    name: Annotated[Name, Doc("what the condition is called")]
    who: Annotated[CharacterId | None, Doc("whom it is on; nobody named means the whole table")] = None
    effect: Annotated[Words, Doc("what it does, in words")] = ""
    numbers: Annotated[Mapping[str, SmallNumber], Doc("what it does to the game's numbers, by their key")] = field(
        default_factory=dict
    )
    until: Annotated[Until, Doc("when it ends by itself")] = Until.SCENE_ENDS
    hidden: Annotated[bool, Doc("whether only the game master knows of it")] = False

    def does(self, call: Call) -> list[ConditionBegan]:
        if self.who is not None:
            call.state.find(self.who)
        for key in self.numbers:
            if not key.isidentifier() or len(key) > LONGEST_KEY:
                raise Refusal("The key of a number is one word of letters, digits and underscores.", code="bad_key")
        began = KEPT_CONDITIONS.new(call, self, since_evening=call.state.calendar.evening)
        return [ConditionBegan(condition=began)]


# ---------------------------------------------------------------- ended


@KEPT_CONDITIONS.taken("condition_ended")
class ConditionEnded(Event):
    """A condition ended."""

    condition: Condition
    why: Until
    """The moment that ended it."""
    words: Words

    def says(self, teller: Teller) -> str:
        bearer = _whom(self.condition.who, teller)
        reason = self.words or self.why.value
        return f"{bearer}: {teller.term(self.condition.name)} is over ({reason})"


def end_of(condition: Condition, why: Until = Until.TOLD, words: str = "") -> ConditionEnded:
    """Return the event that ends a condition."""
    return ConditionEnded(condition=condition, why=why, words=words)


@CONDITIONS.command("end_condition", may=GAME_MASTER_ONLY)
class EndCondition(Command):
    """End a condition before its time, or one that ends only when told."""

    condition: Annotated[ConditionId, Doc("the condition")]
    words: Annotated[Words, Label("why")] = ""

    def does(self, call: Call) -> list[ConditionEnded]:
        return [end_of(KEPT_CONDITIONS.find(call, self.condition), words=self.words)]


# ---------------------------------------------------------------- what ends by itself


def _ended(
    state: State, why: Until, is_over: Callable[[Condition], bool] = lambda condition: True
) -> list[ConditionEnded]:
    ended = []
    for condition in state.conditions.values():
        if condition.until is why and is_over(condition):
            ended.append(end_of(condition, why))
    return ended


@CONDITIONS.after(EveningEnded)
def with_the_evening(state: State, evening_ended: EveningEnded) -> list[ConditionEnded]:
    """End conditions with the evening. The “next” evening is the first that begins after the condition did."""
    return [
        *_ended(state, Until.EVENING_ENDS),
        *_ended(state, Until.NEXT_EVENING_ENDS, lambda condition: condition.since_evening < evening_ended.evening),
    ]


@ends_with(CONDITIONS, "scene")
def with_the_scene(state: State, why: str) -> list[ConditionEnded]:
    return [
        end_of(condition, Until.SCENE_ENDS, why)
        for condition in state.conditions.values()
        if condition.until is Until.SCENE_ENDS
    ]


@ends_with(CONDITIONS, "encounter")
def with_the_encounter(state: State, why: str) -> list[ConditionEnded]:
    conditions = state.conditions.values()
    return [
        end_of(condition, Until.ENCOUNTER_ENDS, why)
        for condition in conditions
        if condition.until is Until.ENCOUNTER_ENDS
    ]


@CONDITIONS.after(DayPassed)
def with_the_day(state: State, _: DayPassed) -> list[ConditionEnded]:
    return _ended(state, Until.DAY_ENDS)


@CONDITIONS.after(Rested)
def with_a_rest(state: State, rested: Rested) -> list[ConditionEnded]:
    """End conditions after a rest. Every rest counts as a short one, too.

    Conditions on the whole table end when anyone rests.
    """

    def is_rested(condition: Condition) -> bool:
        return condition.who is None or condition.who in rested.who

    ended = _ended(state, Until.SHORT_REST, is_rested)
    return [*ended, *_ended(state, Until.LONG_REST, is_rested)] if rested.kind is Rest.LONG else ended
