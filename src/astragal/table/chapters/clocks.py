"""Clocks: named meters that tick towards something, fire when full, and do not reset by themselves.

A public clock is seen by all. Of a known one players know the name and never the hands: not how far it is, nor that it
moved, nor that it fired. A hidden one they don't know of. `show_clock` makes either public, for good.
A ruleset ticks with `ticked`; the firing follows by itself.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from annotated_types import Ge, Le, MaxLen
from typing_extensions import Doc

from astragal.table.declarations import Nature, command, event
from astragal.table.fields import Name, Names
from astragal.table.refusals import NoSuchThing, Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening, Reaction, Teller
from astragal.table.seats import GAME_MASTER_ONLY, Viewer
from astragal.table.seen import WITHHELD, Seen
from astragal.table.state import State
from astragal.table.things.clocks import Clock, Face, Hands

ClockId = Annotated[str, MaxLen(40), Names("clock")]
FEWEST_TICKS, MOST_TICKS = 2, 12
Ticks = Annotated[int, Ge(1), Le(MOST_TICKS)]

# ---------------------------------------------------------------- what is asked


@command("start_clock", may=GAME_MASTER_ONLY)
class StartClock:
    """Set a clock on the table, or under it."""

    name: Annotated[Name, Doc("what the clock counts towards")]
    size: Annotated[int, Ge(FEWEST_TICKS), Le(MOST_TICKS), Doc("how many ticks fill it; 4 to 8 are usual")] = 6
    face: Annotated[Face, Doc("whether players see it, know only its name, or don't know of it")] = Face.PUBLIC


@command("tick_clock", may=GAME_MASTER_ONLY)
class TickClock:
    """Move a clock on. When it is full it fires."""

    clock: Annotated[ClockId, Doc("the clock")]
    ticks: Annotated[Ticks, Doc("by how much")] = 1


@command("untick_clock", may=GAME_MASTER_ONLY)
class UntickClock:
    """Move a clock back."""

    clock: Annotated[ClockId, Doc("the clock")]
    ticks: Annotated[Ticks, Doc("by how much")] = 1


@command("show_clock", may=GAME_MASTER_ONLY)
class ShowClock:
    """Make a clock public, for good."""

    clock: Annotated[ClockId, Doc("the clock")]


@command("remove_clock", may=GAME_MASTER_ONLY, grave=True)
class RemoveClock:
    """Take a clock off the table."""

    clock: Annotated[ClockId, Doc("the clock")]


# ---------------------------------------------------------------- what happened


@event("clock_started")
class ClockStarted:
    """A clock was set."""

    clock: Annotated[str, Seen.ALL]
    name: Annotated[str, Seen.ALL]
    face: Annotated[Face, Seen.ALL]
    hands: Annotated[Hands, Seen.ALL]

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or self.face is not Face.HIDDEN


@event("clock_ticked")
class ClockTicked:
    """A clock moved, on or back."""

    clock: Annotated[str, Seen.ALL]
    name: Annotated[str, Seen.ALL]
    before: Annotated[int, Seen.ALL]
    after: Annotated[int, Seen.ALL]
    size: Annotated[int, Seen.ALL]
    face: Annotated[Face, Seen.ALL]

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or self.face is Face.PUBLIC


@event("clock_fired")
class ClockFired:
    """A clock is full: what it counted towards is here."""

    clock: Annotated[str, Seen.ALL]
    name: Annotated[str, Seen.ALL]
    size: Annotated[int, Seen.ALL]
    face: Annotated[Face, Seen.ALL]

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or self.face is Face.PUBLIC


@event("clock_shown", nature=Nature.LASTING)
class ClockShown:
    """A clock is public from now on."""

    clock: Annotated[str, Seen.ALL]
    name: Annotated[str, Seen.ALL]
    ticks: Annotated[int, Seen.ALL]
    size: Annotated[int, Seen.ALL]


@event("clock_removed")
class ClockRemoved:
    """A clock was taken off the table."""

    clock: Annotated[str, Seen.ALL]
    name: Annotated[str, Seen.ALL]
    face: Annotated[Face, Seen.ALL]

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or self.face is not Face.HIDDEN


# ---------------------------------------------------------------- for rulesets


def find_clock(state: State, clock: str) -> Clock:
    if clock not in state.clocks:
        raise NoSuchThing("There is no such clock.")
    return state.clocks[clock]


def ticked(clock: Clock, ticks: int) -> ClockTicked:
    """A clock moved by so many ticks, never past either end."""
    before, size = clock.hands.ticks, clock.hands.size
    after = min(max(before + ticks, 0), size)
    return ClockTicked(clock=clock.id, name=clock.name, before=before, after=after, size=size, face=clock.face)


# ---------------------------------------------------------------- deciding


def _start(call: Call, asked: StartClock, _: None) -> list[ClockStarted]:
    hands = Hands(ticks=0, size=asked.size, public=asked.face is Face.PUBLIC)
    return [ClockStarted(clock=call.fresh, name=asked.name, face=asked.face, hands=hands)]


def _tick(call: Call, asked: TickClock, _: None) -> list[ClockTicked]:
    clock = find_clock(call.state, asked.clock)
    if clock.hands.is_full:
        raise Refusal(f"{clock.name} is full: {clock.hands.size} of {clock.hands.size}.", code="full")
    return [ticked(clock, asked.ticks)]


def _untick(call: Call, asked: UntickClock, _: None) -> list[ClockTicked]:
    clock = find_clock(call.state, asked.clock)
    if clock.hands.ticks == 0:
        raise Refusal(f"{clock.name} has not ticked yet.", code="empty")
    return [ticked(clock, -asked.ticks)]


def _show(call: Call, asked: ShowClock, _: None) -> list[ClockShown]:
    clock = find_clock(call.state, asked.clock)
    if clock.face is Face.PUBLIC:
        raise Refusal(f"{clock.name} is public already.", code="no_change")
    return [ClockShown(clock=clock.id, name=clock.name, ticks=clock.hands.ticks, size=clock.hands.size)]


def _remove(call: Call, asked: RemoveClock, _: None) -> list[ClockRemoved]:
    clock = find_clock(call.state, asked.clock)
    return [ClockRemoved(clock=clock.id, name=clock.name, face=clock.face)]


def _fire_when_full(_: State, moved: ClockTicked) -> list[ClockFired]:
    if not moved.before < moved.after == moved.size:
        return []
    return [ClockFired(clock=moved.clock, name=moved.name, size=moved.size, face=moved.face)]


# ---------------------------------------------------------------- folds and words


def _with(state: State, clock: Clock) -> State:
    return replace(state, clocks={**state.clocks, clock.id: clock})


def _set(state: State, started: ClockStarted) -> State:
    return _with(state, Clock(id=started.clock, name=started.name, face=started.face, hands=started.hands))


def _move(state: State, moved: ClockTicked) -> State:
    clock = state.clocks[moved.clock]
    return _with(state, replace(clock, hands=replace(clock.hands, ticks=moved.after)))


def _open(state: State, shown: ClockShown) -> State:
    """A rewind may have gone back to before the clock was set."""
    clock = state.clocks.get(shown.clock)
    if clock is None:
        return state
    return _with(state, replace(clock, face=Face.PUBLIC, hands=replace(clock.hands, public=True)))


def _take_away(state: State, removed: ClockRemoved) -> State:
    return replace(state, clocks={key: one for key, one in state.clocks.items() if key != removed.clock})


def _say_started(started: ClockStarted, _: Teller) -> str:
    hands = "" if started.hands is WITHHELD else f" (0 of {started.hands.size})"
    return f"a clock: {started.name}{hands}"


def _say_ticked(moved: ClockTicked, _: Teller) -> str:
    return f"{moved.name}: {moved.before} → {moved.after} of {moved.size}"


CLOCKS = Chapter(
    actions=(
        Action(StartClock, _start),
        Action(TickClock, _tick),
        Action(UntickClock, _untick),
        Action(ShowClock, _show),
        Action(RemoveClock, _remove),
    ),
    happenings=(
        Happening(ClockStarted, _say_started, _set),
        Happening(ClockTicked, _say_ticked, _move),
        Happening(ClockFired, lambda fired, teller: f"{fired.name} is full"),
        Happening(ClockShown, lambda shown, teller: f"a clock: {shown.name} ({shown.ticks} of {shown.size})", _open),
        Happening(ClockRemoved, lambda removed, teller: f"the clock {removed.name} is gone", _take_away),
    ),
    reactions=(Reaction(ClockTicked, _fire_when_full),),
)
