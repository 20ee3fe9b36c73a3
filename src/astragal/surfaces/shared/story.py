"""The story of a table as lines: when it is, its scene and ways on, clocks, conditions, notes, boundaries.

Whatever has a name that commands take stands there by that name.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from astragal.table.state.things import Audience, Clock, Condition, Face, Note, Way
from astragal.table.visibility.redact import WITHHELD

if TYPE_CHECKING:
    from astragal.surfaces.shared.seat_view import SeatView


def story_lines(view: SeatView, *, ids: bool = False) -> Iterator[str]:
    """As the seat sees it; with the ids of things, for a program."""
    state, calendar = view.state, view.state.calendar

    @cache
    def names(kind: str) -> dict[str, str]:
        return view.things(kind) or {}

    def named(kind: str, key: str, further: str = "") -> str:
        return f"{kind}: {names(kind).get(key, 'something')}{further}{f' [{key}]' if ids else ''}"

    evening = f"evening {calendar.evening}" if calendar.evening else "no evening yet"
    yield f"{evening}{'' if calendar.sitting or not calendar.evening else ' (over)'}, day {calendar.day}"
    if scene := state.scenes.get(calendar.scene or ""):
        yield named("scene", scene.id)
        for option in scene.options:
            yield f"  {option.number}. {option.words}{'' if option.way is Way.OPEN else f' ({option.way.value})'}"
    yield from (named("scene", one.id, ", to come") for one in state.scenes.values() if not one.entered)
    if calendar.encounter:
        yield f"encounter: {calendar.encounter}"
    yield from (named("clock", one.id, _hands(one)) for one in state.clocks.values())
    for one in state.conditions.values():
        whom = view.teller.name(one.who) if one.who else "everyone"
        yield named("condition", one.id, f", on {whom}{_effect(one)}")
    yield from (named("save node", node) for node in state.nodes)
    yield from (named(kind, act) for kind in ("closed roll", "sealed roll") for act in names(kind))
    yield from (named("note", note.id, _readers(view, note)) for note in state.notes.values())
    yield from (f"{one.kind.value}: {one.words}" for one in state.safety.boundaries)
    if state.safety.stopped:
        yield "The scene is stopped: the people go on when they are ready."


def _hands(clock: Clock) -> str:
    if clock.hands is WITHHELD:
        return ""
    unseen = {Face.PUBLIC: "", Face.KNOWN: " (players know only its name)", Face.HIDDEN: " (hidden)"}
    return f", {clock.hands.ticks} of {clock.hands.size}{unseen[clock.face]}"


def _effect(condition: Condition) -> str:
    numbers = ", ".join(f"{key} {number:+d}".replace("-", "−") for key, number in condition.numbers.items())
    effect = "".join(f" ({part})" for part in (condition.effect, numbers) if part)
    hidden = " (hidden)" if condition.hidden is True else ""
    return f"{effect}, until {condition.until.value}{hidden}"


def _readers(view: SeatView, note: Note) -> str:
    if note.audience is Audience.ALL:
        return ""
    return f" (for {view.teller.name(note.seat) if note.audience is Audience.SEAT else note.audience.value} alone)"
