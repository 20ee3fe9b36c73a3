"""Evenings, encounters, rests and days: begun and ended by the game master. What hangs on them ends by itself.

All of it is story: whoever goes back to a save node goes back to the evening and the day in which it was marked.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from typing_extensions import Doc

from astragal.table.chapters.scenes import SceneEnded
from astragal.table.declarations import command, event
from astragal.table.fields import CharacterId, Name
from astragal.table.refusals import NoSuchThing, Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening, Reaction, Teller
from astragal.table.seats import GAME_MASTER_ONLY
from astragal.table.seen import Seen
from astragal.table.state import State
from astragal.table.things.calendar import Rest

# ---------------------------------------------------------------- what is asked


@command("begin_evening", may=GAME_MASTER_ONLY)
class BeginEvening:
    """Begin an evening: one sitting of the people at the table."""


@command("end_evening", may=GAME_MASTER_ONLY)
class EndEvening:
    """End the evening. A scene or an encounter may go on at the next one."""


@command("begin_encounter", may=GAME_MASTER_ONLY)
class BeginEncounter:
    """Begin an encounter: a fight, a chase, whatever is told blow by blow."""

    name: Annotated[Name, Doc("what it is called")] = "Encounter"


@command("end_encounter", may=GAME_MASTER_ONLY)
class EndEncounter:
    """End the encounter. It also ends with its scene."""


@command("rest", may=GAME_MASTER_ONLY)
class TakeRest:
    """Let characters rest; the game says what that gives."""

    kind: Annotated[Rest, Doc("a short rest, a long one, or thorough care")] = Rest.SHORT
    who: Annotated[tuple[CharacterId, ...], Doc("who rests; nobody named means every player's character")] = ()


@command("pass_day", may=GAME_MASTER_ONLY)
class PassDay:
    """Let the day end and the next one begin."""


# ---------------------------------------------------------------- what happened


@event("evening_began")
class EveningBegan:
    """An evening began."""

    evening: Annotated[int, Seen.ALL]


@event("evening_ended")
class EveningEnded:
    """An evening ended."""

    evening: Annotated[int, Seen.ALL]


@event("encounter_began")
class EncounterBegan:
    """An encounter began."""

    name: Annotated[str, Seen.ALL]


@event("encounter_ended")
class EncounterEnded:
    """An encounter ended."""

    name: Annotated[str, Seen.ALL]


@event("rested")
class Rested:
    """Characters rested."""

    kind: Annotated[Rest, Seen.ALL]
    who: Annotated[tuple[str, ...], Seen.ALL]


@event("day_passed")
class DayPassed:
    """A day ended, and the next began."""

    day: Annotated[int, Seen.ALL]
    """The day that ended."""


# ---------------------------------------------------------------- deciding


def _begin_evening(call: Call, _: BeginEvening, __: None) -> list[EveningBegan]:
    calendar = call.state.calendar
    if calendar.sitting:
        raise Refusal(f"Evening {calendar.evening} has not ended yet.", code="already_begun")
    return [EveningBegan(evening=calendar.evening + 1)]


def _end_evening(call: Call, _: EndEvening, __: None) -> list[EveningEnded]:
    calendar = call.state.calendar
    if not calendar.sitting:
        raise Refusal("No evening has begun.", code="not_begun")
    return [EveningEnded(evening=calendar.evening)]


def _begin_encounter(call: Call, asked: BeginEncounter, _: None) -> list[EncounterBegan]:
    if (present := call.state.calendar.encounter) is not None:
        raise Refusal(f"“{present}” has not ended yet.", code="already_begun")
    return [EncounterBegan(name=asked.name)]


def _end_encounter(call: Call, _: EndEncounter, __: None) -> list[EncounterEnded]:
    if (present := call.state.calendar.encounter) is None:
        raise Refusal("No encounter has begun.", code="not_begun")
    return [EncounterEnded(name=present)]


def _rest(call: Call, asked: TakeRest, _: None) -> list[Rested]:
    characters = call.state.characters
    if unknown := [who for who in asked.who if who not in characters]:
        raise NoSuchThing(f"There is no character {unknown[0]!r} at this table.")
    who = tuple(dict.fromkeys(asked.who)) or tuple(one.id for one in characters.values() if one.seat is not None)
    if not who:
        raise Refusal("There is nobody to rest.", code="nobody")
    return [Rested(kind=asked.kind, who=who)]


def _pass_day(call: Call, _: PassDay, __: None) -> list[DayPassed]:
    return [DayPassed(day=call.state.calendar.day)]


def _encounter_ends_with_its_scene(state: State, _: SceneEnded) -> list[EncounterEnded]:
    present = state.calendar.encounter
    return [] if present is None else [EncounterEnded(name=present)]


# ---------------------------------------------------------------- folds


def _dated(state: State, **changes: Any) -> State:
    return replace(state, calendar=replace(state.calendar, **changes))


def _open_evening(state: State, began: EveningBegan) -> State:
    return _dated(state, evening=began.evening, sitting=True)


def _close_evening(state: State, _: EveningEnded) -> State:
    return _dated(state, sitting=False)


def _open_encounter(state: State, began: EncounterBegan) -> State:
    return _dated(state, encounter=began.name)


def _close_encounter(state: State, _: EncounterEnded) -> State:
    return _dated(state, encounter=None)


def _turn_the_page(state: State, passed: DayPassed) -> State:
    return _dated(state, day=passed.day + 1)


# ---------------------------------------------------------------- words

_RESTS = {Rest.SHORT: "a short rest", Rest.LONG: "a long rest", Rest.CARE: "thorough care"}


def _say_rested(rested: Rested, teller: Teller) -> str:
    return f"{_RESTS[rested.kind]} for {', '.join(teller.name(who) for who in rested.who)}"


CALENDAR = Chapter(
    actions=(
        Action(BeginEvening, _begin_evening),
        Action(EndEvening, _end_evening),
        Action(BeginEncounter, _begin_encounter),
        Action(EndEncounter, _end_encounter),
        Action(TakeRest, _rest),
        Action(PassDay, _pass_day),
    ),
    happenings=(
        Happening(EveningBegan, lambda began, teller: f"evening {began.evening} begins", _open_evening),
        Happening(EveningEnded, lambda ended, teller: f"evening {ended.evening} ends", _close_evening),
        Happening(EncounterBegan, lambda began, teller: f"“{began.name}” begins", _open_encounter),
        Happening(EncounterEnded, lambda ended, teller: f"“{ended.name}” ends", _close_encounter),
        Happening(Rested, _say_rested),
        Happening(DayPassed, lambda passed, teller: f"day {passed.day} ends", _turn_the_page),
    ),
    reactions=(Reaction(SceneEnded, _encounter_ends_with_its_scene),),
)
