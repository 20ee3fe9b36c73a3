"""Evenings, encounters, rests and days. The game master begins and ends them; what depends on them ends by itself.

All of it is story: a rewind to a save node goes back to the evening and the day in which the node was marked.
"""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal, TypeVar

from typing_extensions import Doc

from astragal.table.authoring.chapter import Call, Chapter, Command, Event
from astragal.table.authoring.log_lines import Teller
from astragal.table.chapters.scenes import SceneEnded
from astragal.table.declarations import GAME_MASTER_ONLY, Seen, replace
from astragal.table.fields.definitions import CharacterId, Label, Name
from astragal.table.refusals import Refusal
from astragal.table.state.table import State
from astragal.table.state.things import Rest

__all__ = ["DayPassed", "EncounterBegan", "EncounterEnded", "EveningBegan", "EveningEnded", "Rested", "ends_with"]

CALENDAR = Chapter(seen=Seen.ALL)


def _dated(state: State, **changes: Any) -> State:
    return replace(state, calendar=replace(state.calendar, **changes))


# ---------------------------------------------------------------- evenings


@CALENDAR.event("evening_began", says="evening {evening} begins")
class EveningBegan(Event):
    """An evening began."""

    evening: int

    def fold(self, state: State) -> State:
        return _dated(state, evening=self.evening, sitting=True)


@CALENDAR.command("begin_evening", may=GAME_MASTER_ONLY)
class BeginEvening(Command):
    """Begin an evening: one sitting of the people at the table."""

    def does(self, call: Call) -> list[EveningBegan]:
        calendar = call.state.calendar
        if calendar.sitting:
            raise Refusal(f"Evening {calendar.evening} has not ended yet.", code="already_begun")
        return [EveningBegan(evening=calendar.evening + 1)]


@CALENDAR.event("evening_ended", says="evening {evening} ends")
class EveningEnded(Event):
    """An evening ended."""

    evening: int

    def fold(self, state: State) -> State:
        return _dated(state, sitting=False)


@CALENDAR.command("end_evening", may=GAME_MASTER_ONLY)
class EndEvening(Command):
    """End the evening. A scene or an encounter may go on at the next one."""

    def does(self, call: Call) -> list[EveningEnded]:
        calendar = call.state.calendar
        if not calendar.sitting:
            raise Refusal("No evening has begun.", code="not_begun")
        return [EveningEnded(evening=calendar.evening)]


# ---------------------------------------------------------------- encounters


@CALENDAR.event("encounter_began", says="“{name}” begins")
class EncounterBegan(Event):
    """An encounter began."""

    name: str

    def fold(self, state: State) -> State:
        return _dated(state, encounter=self.name)


@CALENDAR.command("begin_encounter", may=GAME_MASTER_ONLY)
class BeginEncounter(Command):
    """Begin an encounter: a fight, a chase, whatever is told blow by blow."""

    name: Annotated[Name, Doc("what it is called")] = "Encounter"

    def does(self, call: Call) -> list[EncounterBegan]:
        if (present := call.state.calendar.encounter) is not None:
            raise Refusal(f"“{present}” has not ended yet.", code="already_begun")
        return [EncounterBegan(name=self.name)]


@CALENDAR.event("encounter_ended", says="“{name}” ends")
class EncounterEnded(Event):
    """An encounter ended."""

    name: str

    def fold(self, state: State) -> State:
        return _dated(state, encounter=None)


@CALENDAR.command("end_encounter", may=GAME_MASTER_ONLY)
class EndEncounter(Command):
    """End the encounter. It also ends with its scene."""

    def does(self, call: Call) -> list[EncounterEnded]:
        if (present := call.state.calendar.encounter) is None:
            raise Refusal("No encounter has begun.", code="not_begun")
        return [EncounterEnded(name=present)]


@CALENDAR.after(SceneEnded)
def encounter_ends_with_its_scene(state: State, _: SceneEnded) -> list[EncounterEnded]:
    present = state.calendar.encounter
    return [] if present is None else [EncounterEnded(name=present)]


# ---------------------------------------------------------------- what ends with a scene or an encounter

Ends = TypeVar("Ends", bound=Callable[[Any, str], Sequence[Any]])


def ends_with(chapter: Chapter, span: Literal["scene", "encounter"]) -> Callable[[Ends], Ends]:
    """Declare a function that ends things when a scene or an encounter ends.

    It also runs at the end of an evening if no scene or encounter is going on, since nothing else would ever end them.
    The function takes the state and the reason in words.
    """

    def declare(function: Ends) -> Ends:
        @chapter.after(SceneEnded if span == "scene" else EncounterEnded)
        def with_it(state: State, _: object) -> Sequence[Any]:
            return function(state, f"the {span} ends")

        @chapter.after(EveningEnded)
        def with_the_evening(state: State, _: EveningEnded) -> Sequence[Any]:
            is_going_on = getattr(state.calendar, span) is not None
            return [] if is_going_on else function(state, f"the evening ends, and no {span} is going on")

        return function

    return declare


# ---------------------------------------------------------------- rests and days

_RESTS = {Rest.SHORT: "a short rest", Rest.LONG: "a long rest", Rest.CARE: "thorough care"}


@CALENDAR.event("rested")
class Rested(Event):
    """Characters rested."""

    kind: Rest
    who: tuple[str, ...]

    def says(self, teller: Teller) -> str:
        return f"{_RESTS[self.kind]} for {', '.join(teller.name(who) for who in self.who)}"


@CALENDAR.command("rest", may=GAME_MASTER_ONLY)
class TakeRest(Command):
    """Let characters rest; the game says what that gives."""

    kind: Annotated[Rest, Label("how long"), Doc("a short rest, a long one, or thorough care")] = Rest.SHORT
    who: Annotated[tuple[CharacterId, ...], Doc("who rests; nobody named means every living hero of a player")] = ()

    def does(self, call: Call) -> list[Rested]:
        for character in [call.state.find(who) for who in self.who]:
            character.check_lives()
        who = tuple(dict.fromkeys(self.who)) or tuple(hero.id for hero in call.state.played)
        if not who:
            raise Refusal("There is nobody to rest.", code="nobody")
        return [Rested(kind=self.kind, who=who)]


@CALENDAR.event("day_passed", says="day {day} ends")
class DayPassed(Event):
    """A day ended, and the next began."""

    day: int
    """The day that ended."""

    def fold(self, state: State) -> State:
        return _dated(state, day=self.day + 1)


@CALENDAR.command("pass_day", title="Let the day end", may=GAME_MASTER_ONLY)
class PassDay(Command):
    """Let the day end and the next one begin."""

    def does(self, call: Call) -> list[DayPassed]:
        return [DayPassed(day=call.state.calendar.day)]
