"""Clocks: named meters that tick towards something, fire when full, and do not reset by themselves.

A public clock is seen by all. Of a known one players know the name and never the hands: not how far it is, nor that it
moved, nor that it fired. A hidden one they don't know of. `show_clock` makes either public, for good.
A ruleset ticks with `ticked`; the firing follows by itself.
"""

from __future__ import annotations

from typing import Annotated

from annotated_types import Ge, Le, MaxLen
from typing_extensions import Doc

from astragal.table.authoring.chapter import Call, Chapter, Command, Event, Teller
from astragal.table.authoring.declarations import Nature
from astragal.table.fields.definitions import Name, Names
from astragal.table.fields.values import replace, without
from astragal.table.refusals import NoSuchThing, Refusal
from astragal.table.state.clocks import Clock, Face, Hands
from astragal.table.state.seats import GAME_MASTER_ONLY, Viewer
from astragal.table.state.table import State
from astragal.table.visibility.marks import Seen
from astragal.table.visibility.redact import WITHHELD

CLOCKS = Chapter(seen=Seen.ALL)

ClockId = Annotated[str, MaxLen(40), Names("clock")]
FEWEST_TICKS, MOST_TICKS = 2, 12
Ticks = Annotated[int, Ge(1), Le(MOST_TICKS)]


def find_clock(state: State, clock: str) -> Clock:
    if clock not in state.clocks:
        raise NoSuchThing("There is no such clock.")
    return state.clocks[clock]


def _with(state: State, clock: Clock) -> State:
    return replace(state, clocks={**state.clocks, clock.id: clock})


# ---------------------------------------------------------------- set


@CLOCKS.event("clock_started")
class ClockStarted(Event):
    """A clock was set."""

    clock: str
    name: str
    face: Face
    hands: Hands

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or self.face is not Face.HIDDEN

    def says(self, _: Teller) -> str:
        hands = "" if self.hands is WITHHELD else f" (0 of {self.hands.size})"
        return f"a clock: {self.name}{hands}"

    def fold(self, state: State) -> State:
        return _with(state, Clock(id=self.clock, name=self.name, face=self.face, hands=self.hands))


@CLOCKS.command("start_clock", may=GAME_MASTER_ONLY)
class StartClock(Command):
    """Set a clock on the table, or under it."""

    name: Annotated[Name, Doc("what the clock counts towards")]
    size: Annotated[int, Ge(FEWEST_TICKS), Le(MOST_TICKS), Doc("how many ticks fill it; 4 to 8 are usual")] = 6
    face: Annotated[Face, Doc("whether players see it, know only its name, or don't know of it")] = Face.PUBLIC

    def does(self, call: Call) -> list[ClockStarted]:
        hands = Hands(ticks=0, size=self.size, public=self.face is Face.PUBLIC)
        return [ClockStarted(clock=call.fresh, name=self.name, face=self.face, hands=hands)]


# ---------------------------------------------------------------- ticked, until it fires


@CLOCKS.event("clock_ticked", says="{name}: {before} → {after} of {size}")
class ClockTicked(Event):
    """A clock moved, on or back."""

    clock: str
    name: str
    before: int
    after: int
    size: int
    face: Face

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or self.face is Face.PUBLIC

    def fold(self, state: State) -> State:
        clock = state.clocks[self.clock]
        return _with(state, replace(clock, hands=replace(clock.hands, ticks=self.after)))


def ticked(clock: Clock, ticks: int) -> ClockTicked:
    """A clock moved by so many ticks, never past either end."""
    before, size = clock.hands.ticks, clock.hands.size
    after = min(max(before + ticks, 0), size)
    return ClockTicked(clock=clock.id, name=clock.name, before=before, after=after, size=size, face=clock.face)


@CLOCKS.command("tick_clock", may=GAME_MASTER_ONLY)
class TickClock(Command):
    """Move a clock on. When it is full it fires."""

    clock: Annotated[ClockId, Doc("the clock")]
    ticks: Annotated[Ticks, Doc("by how much")] = 1

    def does(self, call: Call) -> list[ClockTicked]:
        clock = find_clock(call.state, self.clock)
        if clock.hands.is_full:
            raise Refusal(f"{clock.name} is full: {clock.hands.size} of {clock.hands.size}.", code="full")
        return [ticked(clock, self.ticks)]


@CLOCKS.command("untick_clock", may=GAME_MASTER_ONLY)
class UntickClock(Command):
    """Move a clock back."""

    clock: Annotated[ClockId, Doc("the clock")]
    ticks: Annotated[Ticks, Doc("by how much")] = 1

    def does(self, call: Call) -> list[ClockTicked]:
        clock = find_clock(call.state, self.clock)
        if clock.hands.ticks == 0:
            raise Refusal(f"{clock.name} has not ticked yet.", code="empty")
        return [ticked(clock, -self.ticks)]


@CLOCKS.event("clock_fired", says="{name} is full")
class ClockFired(Event):
    """A clock is full: what it counted towards is here."""

    clock: str
    name: str
    size: int
    face: Face

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or self.face is Face.PUBLIC


@CLOCKS.after(ClockTicked)
def full_clock_fires(_: State, moved: ClockTicked) -> list[ClockFired]:
    if not moved.before < moved.after == moved.size:
        return []
    return [ClockFired(clock=moved.clock, name=moved.name, size=moved.size, face=moved.face)]


# ---------------------------------------------------------------- shown, and taken away


@CLOCKS.event("clock_shown", nature=Nature.LASTING, says="a clock: {name} ({ticks} of {size})")
class ClockShown(Event):
    """A clock is public from now on."""

    clock: str
    name: str
    ticks: int
    size: int

    def fold(self, state: State) -> State:
        """A rewind may have gone back to before the clock was set."""
        clock = state.clocks.get(self.clock)
        if clock is None:
            return state
        return _with(state, replace(clock, face=Face.PUBLIC, hands=replace(clock.hands, public=True)))


@CLOCKS.command("show_clock", may=GAME_MASTER_ONLY)
class ShowClock(Command):
    """Make a clock public, for good."""

    clock: Annotated[ClockId, Doc("the clock")]

    def does(self, call: Call) -> list[ClockShown]:
        clock = find_clock(call.state, self.clock)
        if clock.face is Face.PUBLIC:
            raise Refusal(f"{clock.name} is public already.", code="no_change")
        return [ClockShown(clock=clock.id, name=clock.name, ticks=clock.hands.ticks, size=clock.hands.size)]


@CLOCKS.event("clock_removed", says="the clock {name} is gone")
class ClockRemoved(Event):
    """A clock was taken off the table."""

    clock: str
    name: str
    face: Face

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or self.face is not Face.HIDDEN

    def fold(self, state: State) -> State:
        return replace(state, clocks=without(state.clocks, self.clock))


@CLOCKS.command("remove_clock", may=GAME_MASTER_ONLY, grave=True)
class RemoveClock(Command):
    """Take a clock off the table."""

    clock: Annotated[ClockId, Doc("the clock")]

    def does(self, call: Call) -> list[ClockRemoved]:
        clock = find_clock(call.state, self.clock)
        return [ClockRemoved(clock=clock.id, name=clock.name, face=clock.face)]
