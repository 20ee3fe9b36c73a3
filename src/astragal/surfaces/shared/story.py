"""The story of a table as lines: when it is, its scene and ways on, clocks, conditions, notes, boundaries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from astragal.table.state.notes import Audience
from astragal.table.state.scenes import Way
from astragal.table.visibility.redact import WITHHELD

if TYPE_CHECKING:
    from astragal.surfaces.shared.seat_view import SeatView


def story_lines(view: SeatView, *, ids: bool = False) -> Iterator[str]:
    """As the seat sees it; with the ids of things, for a program that has to name them."""
    state, calendar = view.state, view.state.calendar

    def tag(one: str) -> str:
        return f" [{one}]" if ids else ""

    evening = f"evening {calendar.evening}" if calendar.evening else "no evening yet"
    yield f"{evening}{'' if calendar.sitting or not calendar.evening else ' (over)'}, day {calendar.day}"
    if scene := state.scenes.get(calendar.scene or ""):
        yield f"scene: {scene.title}{tag(scene.id)}"
        for option in scene.options:
            yield f"  {option.number}. {option.words}{'' if option.way is Way.OPEN else f' ({option.way.value})'}"
    if calendar.encounter:
        yield f"encounter: {calendar.encounter}"
    for clock in state.clocks.values():
        at = "" if clock.hands is WITHHELD else f" {clock.hands.ticks}/{clock.hands.size}"
        yield f"clock: {clock.name}{at}{tag(clock.id)}"
    for condition in state.conditions.values():
        whom = view.teller.name(condition.who) if condition.who else "everyone"
        yield f"{whom}: {condition.name} until {condition.until.value}{tag(condition.id)}"
    yield from (f"save node: {label}{tag(node)}" for node, label in state.nodes.items())
    yield from (f"note: {one.title}{tag(one.id)}" for one in state.notes.values() if one.audience is Audience.ALL)
    yield from (f"{one.kind.value}: {one.words}" for one in state.safety.boundaries)
    if state.safety.stopped:
        yield "The scene is stopped: the people go on when they are ready."
