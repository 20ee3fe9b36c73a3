"""Conditions: on a character or on the whole table, in words and small numbers, until something ends them.

A ruleset begins one with `new_condition`, asks with `conditions_on` and `modifier`, and ends one with `end_of`. Where a
hidden condition counts in a roll, the numbers of the roll would tell of it: `is_secretly_modified` is for `hides`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import Annotated

from annotated_types import Ge, Le, MaxLen
from typing_extensions import Doc

from astragal.table.chapters.calendar import DayPassed, EncounterEnded, EveningEnded, Rested
from astragal.table.chapters.scenes import SceneEnded
from astragal.table.declarations import command, event
from astragal.table.fields import CharacterId, Name, Names, Words
from astragal.table.refusals import NoSuchThing, Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening, Reaction, Teller
from astragal.table.seats import GAME_MASTER_ONLY, Viewer
from astragal.table.seen import Seen
from astragal.table.state import State
from astragal.table.things.calendar import Rest
from astragal.table.things.conditions import Condition, Until

ConditionId = Annotated[str, MaxLen(40), Names("condition")]
SmallNumber = Annotated[int, Ge(-99), Le(99)]
LONGEST_KEY = 40

# ---------------------------------------------------------------- what is asked


@command("begin_condition", may=GAME_MASTER_ONLY)
class BeginCondition:
    """Say that something holds for a character, or for everyone."""

    name: Annotated[Name, Doc("what the condition is called")]
    who: Annotated[CharacterId | None, Doc("whom it is on; nobody named means the whole table")] = None
    effect: Annotated[Words, Doc("what it does, in words")] = ""
    numbers: Annotated[Mapping[str, SmallNumber], Doc("what it does to the game's numbers, by their key")] = field(
        default_factory=dict
    )
    until: Annotated[Until, Doc("when it ends by itself")] = Until.SCENE_ENDS
    hidden: Annotated[bool, Doc("whether only the game master knows of it")] = False


@command("end_condition", may=GAME_MASTER_ONLY)
class EndCondition:
    """End a condition before its time, or one that ends only when told."""

    condition: Annotated[ConditionId, Doc("the condition")]
    words: Annotated[Words, Doc("why it ends")] = ""


# ---------------------------------------------------------------- what happened


@event("condition_began")
class ConditionBegan:
    """Something holds from now on."""

    condition: Annotated[str, Seen.ALL]
    who: Annotated[str | None, Seen.ALL]
    name: Annotated[str, Seen.ALL]
    effect: Annotated[Words, Seen.ALL]
    numbers: Annotated[Mapping[str, int], Seen.ALL]
    until: Annotated[Until, Seen.ALL]
    hidden: Annotated[bool, Seen.GAME_MASTER]
    since_evening: Annotated[int, Seen.GAME_MASTER]

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or not self.hidden


@event("condition_ended")
class ConditionEnded:
    """Something holds no longer."""

    condition: Annotated[str, Seen.ALL]
    who: Annotated[str | None, Seen.ALL]
    name: Annotated[str, Seen.ALL]
    why: Annotated[Until, Seen.ALL]
    """What ended it."""
    words: Annotated[Words, Seen.ALL]
    hidden: Annotated[bool, Seen.GAME_MASTER]

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or not self.hidden


# ---------------------------------------------------------------- for rulesets


def conditions_on(state: State, who: str) -> tuple[Condition, ...]:
    """What holds for a character: its own conditions and those of the whole table, oldest first."""
    return tuple(one for one in state.conditions.values() if one.who in (who, None))


def modifier(state: State, who: str, key: str) -> int:
    """What the conditions on a character come to for one number of the game."""
    return sum(one.numbers.get(key, 0) for one in conditions_on(state, who))


def is_secretly_modified(state: State, who: str, key: str) -> bool:
    """Does a hidden condition bear on this number? Then a roll with it must hide its numbers (`Action.hides`)."""
    return any(one.hidden for one in conditions_on(state, who) if one.numbers.get(key, 0))


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
    """A condition that begins now. `condition` is its id: `call.fresh`, or something made from it."""
    return ConditionBegan(
        condition=condition,
        who=who,
        name=name,
        effect=effect,
        numbers=numbers or {},
        until=until,
        hidden=hidden,
        since_evening=state.calendar.evening,
    )


def end_of(condition: Condition, why: Until = Until.TOLD, words: str = "") -> ConditionEnded:
    """The end of a condition that holds."""
    return ConditionEnded(
        condition=condition.id,
        who=condition.who,
        name=condition.name,
        why=why,
        words=words,
        hidden=condition.hidden,
    )


# ---------------------------------------------------------------- deciding


def _begin(call: Call, asked: BeginCondition, _: None) -> list[ConditionBegan]:
    if asked.who is not None and asked.who not in call.state.characters:
        raise NoSuchThing(f"There is no character {asked.who!r} at this table.")
    for key in asked.numbers:
        if not key.isidentifier() or len(key) > LONGEST_KEY:
            raise Refusal("The key of a number is one word of letters, digits and underscores.", code="bad_key")
    began = new_condition(
        call.state,
        call.fresh,
        asked.name,
        who=asked.who,
        until=asked.until,
        effect=asked.effect,
        numbers=asked.numbers,
        hidden=asked.hidden,
    )
    return [began]


def _end(call: Call, asked: EndCondition, _: None) -> list[ConditionEnded]:
    condition = call.state.conditions.get(asked.condition)
    if condition is None:
        raise NoSuchThing("There is no such condition, or it has ended.")
    return [end_of(condition, words=asked.words)]


# ---------------------------------------------------------------- what ends by itself


def _ended(
    state: State, why: Until, is_over: Callable[[Condition], bool] = lambda condition: True
) -> list[ConditionEnded]:
    return [end_of(one, why) for one in state.conditions.values() if one.until is why and is_over(one)]


def _with_the_scene(state: State, _: SceneEnded) -> list[ConditionEnded]:
    return _ended(state, Until.SCENE_ENDS)


def _with_the_encounter(state: State, _: EncounterEnded) -> list[ConditionEnded]:
    return _ended(state, Until.ENCOUNTER_ENDS)


def _with_the_day(state: State, _: DayPassed) -> list[ConditionEnded]:
    return _ended(state, Until.DAY_ENDS)


def _with_the_evening(state: State, over: EveningEnded) -> list[ConditionEnded]:
    """The next evening is the first that begins after the condition did."""
    return [
        *_ended(state, Until.EVENING_ENDS),
        *_ended(state, Until.NEXT_EVENING_ENDS, lambda one: one.since_evening < over.evening),
    ]


def _with_a_rest(state: State, rested: Rested) -> list[ConditionEnded]:
    """Every rest is at least a short one. What is on the whole table ends when anyone rests."""

    def is_rested(condition: Condition) -> bool:
        return condition.who is None or condition.who in rested.who

    ended = _ended(state, Until.SHORT_REST, is_rested)
    return [*ended, *_ended(state, Until.LONG_REST, is_rested)] if rested.kind is Rest.LONG else ended


# ---------------------------------------------------------------- folds and words


def _hold(state: State, began: ConditionBegan) -> State:
    condition = Condition(
        id=began.condition,
        who=began.who,
        name=began.name,
        effect=began.effect,
        numbers=began.numbers,
        until=began.until,
        hidden=began.hidden,
        since_evening=began.since_evening,
    )
    return replace(state, conditions={**state.conditions, condition.id: condition})


def _let_go(state: State, ended: ConditionEnded) -> State:
    return replace(state, conditions={key: one for key, one in state.conditions.items() if key != ended.condition})


def _whom(who: str | None, teller: Teller) -> str:
    return "everyone" if who is None else teller.name(who)


def _say_began(began: ConditionBegan, teller: Teller) -> str:
    return f"{_whom(began.who, teller)}: {teller.term(began.name)}, until {began.until.value}"


def _say_ended(ended: ConditionEnded, teller: Teller) -> str:
    reason = ended.words or ended.why.value
    return f"{_whom(ended.who, teller)}: {teller.term(ended.name)} is over ({reason})"


CONDITIONS = Chapter(
    actions=(Action(BeginCondition, _begin), Action(EndCondition, _end)),
    happenings=(Happening(ConditionBegan, _say_began, _hold), Happening(ConditionEnded, _say_ended, _let_go)),
    reactions=(
        Reaction(SceneEnded, _with_the_scene),
        Reaction(EncounterEnded, _with_the_encounter),
        Reaction(EveningEnded, _with_the_evening),
        Reaction(DayPassed, _with_the_day),
        Reaction(Rested, _with_a_rest),
    ),
)
