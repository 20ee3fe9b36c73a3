"""Clocks: named meters that tick towards something, fire when full, and do not reset by themselves.

Everyone sees a public clock. Players see the name of a known clock but never its hands: not how far it is, nor that it
moved, nor that it fired. They don't see a hidden clock at all. `show_clock` makes either public, for good.
A ruleset ticks a clock with `ticked`; a full clock fires by itself.
"""

from typing import Annotated

from annotated_types import Ge, Le, MaxLen
from typing_extensions import Doc

from astragal.table.authoring.chapter import Call, Chapter, Command, Event
from astragal.table.authoring.kept import Kept
from astragal.table.authoring.log_lines import Teller
from astragal.table.declarations import GAME_MASTER_ONLY, Nature, Seen, Viewer, replace
from astragal.table.fields.definitions import Label, Name, Names
from astragal.table.refusals import Refusal
from astragal.table.state.table import State
from astragal.table.state.things import Clock, Face, Hands
from astragal.table.visibility.redact import WITHHELD

__all__ = ["KEPT_CLOCKS", "ClockFired", "ClockId", "ClockStarted", "ClockTicked", "new_clock", "ticked"]

CLOCKS = Chapter(seen=Seen.ALL)

ClockId = Annotated[str, MaxLen(40), Names("clock")]
FEWEST_TICKS = 2
MOST_TICKS = 12
Ticks = Annotated[int, Ge(1), Le(MOST_TICKS)]


KEPT_CLOCKS = Kept(CLOCKS, Clock, "clocks", "clock", shared=True)


# ---------------------------------------------------------------- set


@KEPT_CLOCKS.put("clock_started")
class ClockStarted(Event):
    """A clock was set."""

    clock: Clock

    def says(self, _: Teller) -> str:
        hands = "" if self.clock.hands is WITHHELD else f" (0 of {self.clock.hands.size})"
        return f"a clock: {self.clock.name}{hands}"


def new_clock(clock: str, name: str, size: int, face: Face = Face.PUBLIC) -> ClockStarted:
    """Return the event that sets a clock. `clock` is its id: `call.fresh`, or something made from it."""
    hands = Hands(ticks=0, size=size, public=face is Face.PUBLIC)
    return ClockStarted(clock=Clock(id=clock, name=name, face=face, hands=hands))


@CLOCKS.command("start_clock", title="Start a clock", may=GAME_MASTER_ONLY)
class StartClock(Command):
    """Start a clock that players can see, or a hidden one."""

    name: Annotated[Name, Doc("what the clock counts towards")]
    size: Annotated[
        int, Ge(FEWEST_TICKS), Le(MOST_TICKS), Label("ticks"), Doc("how many ticks fill it; 4 to 8 are usual")
    ] = 6
    face: Annotated[
        Face, Label("what players see"), Doc("whether players see it, know only its name, or don't know of it")
    ] = Face.PUBLIC

    def does(self, call: Call) -> list[ClockStarted]:
        return [new_clock(call.fresh, self.name, self.size, self.face)]


# ---------------------------------------------------------------- ticked, until it fires


@KEPT_CLOCKS.put("clock_ticked", says="{clock.name}: {before} → {clock.hands.ticks} of {clock.hands.size}")
class ClockTicked(Event):
    """A clock moved, on or back."""

    clock: Clock
    before: int

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or self.clock.face is Face.PUBLIC


def ticked(clock: Clock, ticks: int) -> ClockTicked:
    """Return the event that moves a clock by `ticks`, never past either end."""
    ticks_before = clock.hands.ticks
    ticks_after = min(max(ticks_before + ticks, 0), clock.hands.size)
    hands = replace(clock.hands, ticks=ticks_after)
    return ClockTicked(clock=replace(clock, hands=hands), before=ticks_before)


@CLOCKS.command("tick_clock", may=GAME_MASTER_ONLY)
class TickClock(Command):
    """Move a clock on. When it is full it fires."""

    clock: Annotated[ClockId, Doc("the clock")]
    ticks: Annotated[Ticks, Doc("by how much")] = 1

    def does(self, call: Call) -> list[ClockTicked]:
        clock = KEPT_CLOCKS.find(call, self.clock)
        if clock.hands.is_full:
            raise Refusal(f"{clock.name} is full: {clock.hands.size} of {clock.hands.size}.", code="full")
        return [ticked(clock, self.ticks)]


@CLOCKS.command("untick_clock", may=GAME_MASTER_ONLY)
class UntickClock(Command):
    """Move a clock back."""

    clock: Annotated[ClockId, Doc("the clock")]
    ticks: Annotated[Ticks, Doc("by how much")] = 1

    def does(self, call: Call) -> list[ClockTicked]:
        clock = KEPT_CLOCKS.find(call, self.clock)
        if clock.hands.ticks == 0:
            raise Refusal(f"{clock.name} has not ticked yet.", code="empty")
        return [ticked(clock, -self.ticks)]


@CLOCKS.event("clock_fired", says="{clock.name} is full")
class ClockFired(Event):
    """A clock is full: what it counted towards is here."""

    clock: Clock

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or self.clock.face is Face.PUBLIC


@CLOCKS.after(ClockTicked)
def full_clock_fires(_: State, moved: ClockTicked) -> list[ClockFired]:
    is_filled = moved.before < moved.clock.hands.ticks == moved.clock.hands.size
    return [ClockFired(clock=moved.clock)] if is_filled else []


# ---------------------------------------------------------------- shown, and taken away


@CLOCKS.event(
    "clock_shown",
    nature=Nature.LASTING,
    says="a clock: {clock.name} ({clock.hands.ticks} of {clock.hands.size})",
)
class ClockShown(Event):
    """A clock is public from now on."""

    clock: Clock

    def fold(self, state: State) -> State:
        """Make the clock public, as it is now: a rewind may have removed it or moved it back."""
        clock = state.clocks.get(self.clock.id)
        return state if clock is None else KEPT_CLOCKS.put_on(state, shown(clock))


def shown(clock: Clock) -> Clock:
    return replace(clock, face=Face.PUBLIC, hands=replace(clock.hands, public=True))


@CLOCKS.command("show_clock", may=GAME_MASTER_ONLY)
class ShowClock(Command):
    """Make a clock public, for good."""

    clock: Annotated[ClockId, Doc("the clock")]

    def does(self, call: Call) -> list[ClockShown]:
        clock = KEPT_CLOCKS.find(call, self.clock)
        if clock.face is Face.PUBLIC:
            raise Refusal(f"{clock.name} is public already.", code="no_change")
        return [ClockShown(clock=shown(clock))]


@KEPT_CLOCKS.taken("clock_removed", says="the clock {clock.name} is gone")
class ClockRemoved(Event):
    """A clock was taken off the table."""

    clock: Clock


@CLOCKS.command("remove_clock", may=GAME_MASTER_ONLY, grave=True)
class RemoveClock(Command):
    """Take a clock off the table."""

    clock: Annotated[ClockId, Doc("the clock")]

    def does(self, call: Call) -> list[ClockRemoved]:
        return [ClockRemoved(clock=KEPT_CLOCKS.find(call, self.clock))]
