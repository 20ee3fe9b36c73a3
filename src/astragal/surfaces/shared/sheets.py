"""Sheets, boards and the story of a table as lines of text: furniture, scenes and ways on, clocks, conditions, notes.

Things that commands take by name are listed by that name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from astragal.table.authoring.display import Choices, DiceRow, Hand, Piece, Pips, Score, Tags, Track
from astragal.table.refusals import Refusal
from astragal.table.state.things import Audience, Clock, Condition, Face, Note, Way
from astragal.table.visibility.redact import WITHHELD

if TYPE_CHECKING:
    from astragal.surfaces.shared.context import SeatView
    from astragal.table.authoring.log_lines import Teller
    from astragal.table.state.table import Character

MOST_PIPS = 20
WIDTH = 80
LONGEST_NAME = 60
UNBROKEN = 10_000
"""Width of lines that are not wrapped for a terminal."""
GAP = "   "
"""Between two scores."""
UNKNOWN = "little is known"


def pieces_of(view: SeatView, character: Character[Any]) -> list[Piece] | None:
    """Return the furniture of a character's sheet, after their fate; None if it depends on what this seat can't see."""
    fate: list[Piece] = [Tags("Fate", (character.fate.value,))] if character.fate else []
    try:
        return [*fate, *view.ruleset.furniture(character, view.state)]
    except (Refusal, TypeError):
        return None


def board_of(view: SeatView) -> list[Piece] | None:
    """Return the furniture of the board that all share; None if it depends on what this seat can't see."""
    try:
        return view.ruleset.board(view.state)
    except Refusal:
        return None


def fillings(view: SeatView, characters: Iterable[Character[Any]]) -> Iterator[tuple[str, str, Any]]:
    """Yield what a click on a piece of these sheets fills in: its label, a field, and a value that is no character."""
    for character in characters:
        for piece in pieces_of(view, character) or ():
            for name, value in getattr(piece, "fields", ()):
                if value not in view.state.characters:
                    yield str(getattr(piece, "label", value)), name, value


def seat_for(hero: str) -> str:
    """Name a seat whose hero is known but whose player is not."""
    return f"{hero}’s player"[:LONGEST_NAME]


def player_of(view: SeatView, character: Character[Any]) -> str:
    return view.teller.name(character.seat) if character.seat else "game master"


def named_player(view: SeatView, character: Character[Any]) -> str:
    """Return the player's own name; empty if there is none, or if the seat is just named after its hero."""
    seat = view.state.seats.get(character.seat or "")
    return seat.name if seat and seat.name != seat_for(character.name) else ""


def tone_for_players(view: SeatView, who: str | None, tone: str) -> str:
    """Return the tone of what somebody did or lost, or "" for a foe, whose failure is good for the heroes.

    If no character has a player, a game master is alone with their heroes, and every character keeps its tone.
    """
    cast = view.state.cast
    somebody = cast.get(who or "")
    is_foe = somebody is not None and somebody.seat is None and any(character.seat for character in cast.values())
    return "" if is_foe else tone


def sheet_lines(view: SeatView, character: Character[Any], width: int = UNBROKEN, *, pips: bool = True) -> list[str]:
    """Return a character's sheet as the seat sees it, without choices. For people, pips are drawn."""
    pieces = pieces_of(view, character)
    return [UNKNOWN] if pieces is None else list(lines_of(pieces, view.teller, width, brief=True, pips=pips))


def choice_lines(view: SeatView, character: Character[Any]) -> list[str]:
    """Return the choices on a character's sheet, for programs."""
    choices = [piece for piece in pieces_of(view, character) or () if isinstance(piece, Choices)]
    return list(lines_of(choices, view.teller, UNBROKEN, pips=False))


def board_lines(view: SeatView, width: int = UNBROKEN, *, pips: bool = True) -> list[str]:
    return list(lines_of(board_of(view) or (), view.teller, width, pips=pips))


def lines_of(
    pieces: Sequence[Piece], teller: Teller, width: int = WIDTH, *, brief: bool = False, pips: bool = True
) -> Iterator[str]:
    """Write scores side by side and everything else on lines of its own. `brief` leaves out choices."""
    scores = [f"{teller.label(piece.label)} {piece.value}" for piece in pieces if isinstance(piece, Score)]
    yield from _side_by_side(scores, width) if pips else [", ".join(scores)] if scores else []
    for piece in pieces:
        if not isinstance(piece, Score) and not (brief and isinstance(piece, Choices)):
            for line in _lines(piece, teller, pips=pips):
                start = len(line) - len(line.lstrip())
                yield from wrap(line.strip(), width, initial_indent=" " * start, subsequent_indent=" " * (start + 2))


def _side_by_side(scores: Sequence[str], width: int) -> Iterator[str]:
    """Put as many scores on a line as fit, without breaking any."""
    line = ""
    for score in scores:
        if line and len(line) + len(GAP) + len(score) > width:
            yield line
            line = ""
        line = f"{line}{GAP}{score}" if line else score
    if line:
        yield line


def _lines(piece: Piece, teller: Teller, *, pips: bool) -> Iterator[str]:
    match piece:
        case Pips(label, now, most, doc):
            yield f"{teller.label(label)} {_pips(now, most, drawn=pips)}{f' ({teller.label(doc)})' if doc else ''}"
        case Track(label, now, steps):
            at = f": {steps[now]}" if 0 <= now < len(steps) else ""
            yield f"{teller.label(label)} {_pips(now, len(steps) - 1, drawn=pips)}{at}"
        case DiceRow(label, dice, sides, most):
            yield f"{teller.label(label)} {dice}d{sides}{'' if most is None else f' of {most}'}"
        case Tags(label, words):
            yield f"{teller.label(label)}: {', '.join(map(teller.term, words)) or 'none'}"
        case Hand(label, parts):
            counted = " ".join(f"{count:+d} {teller.term(name)}" for name, count in parts)
            yield f"{teller.label(label)} {sum(count for _, count in parts)}: {counted}"
        case Choices(label, rows) if not pips:
            yield f"{teller.label(label)}: {'; '.join(f'{name} ({words})' if words else name for name, words in rows)}"
        case Choices(label, rows):
            yield f"{teller.label(label)}:"
            yield from (f"  {name}: {words}" if words else f"  {name}" for name, words in rows)
        case _:
            yield str(piece)


def _pips(count: Any, most: Any, *, drawn: bool) -> str:
    if not (isinstance(count, int) and isinstance(most, int)):
        return "unknown"
    numbers = f"{count}/{most}"
    return (
        f"{'●' * count}{'○' * max(most - count, 0)} {numbers}" if drawn and 0 <= count <= most <= MOST_PIPS else numbers
    )


# ---------------------------------------------------------------- the story


def story_lines(view: SeatView, *, ids: bool = False) -> Iterator[str]:
    """Describe the story as the seat sees it; with `ids`, for a program, also the ids of things."""
    state = view.state
    calendar = view.state.calendar

    @cache
    def names(kind: str) -> dict[str, str]:
        return view.things(kind) or {}

    def named(kind: str, key: str, details: str = "") -> str:
        return f"{kind}: {names(kind).get(key, 'something')}{details}{f' [{key}]' if ids else ''}"

    evening = f"evening {calendar.evening}" if calendar.evening else "no evening yet"
    yield f"{evening}{'' if calendar.sitting or not calendar.evening else ' (over)'}, day {calendar.day}"
    if scene := state.scenes.get(calendar.scene or ""):
        yield named("scene", scene.id)
        for option in scene.options:
            yield f"  {option.number}. {option.words}{'' if option.way is Way.OPEN else f' ({option.way.value})'}"
    yield from (named("scene", scene.id, ", to come") for scene in state.scenes.values() if not scene.entered)
    if calendar.encounter:
        yield f"encounter: {calendar.encounter}"
    yield from (named("clock", clock.id, _hands(clock)) for clock in state.clocks.values())
    for condition in state.conditions.values():
        whom = view.teller.name(condition.who) if condition.who else "everyone"
        yield named("condition", condition.id, f", on {whom}{_effect(condition)}")
    yield from (named("save node", node) for node in state.nodes)
    yield from (named(kind, act) for kind in ("closed roll", "sealed roll") for act in names(kind))
    yield from (named("note", note.id, _readers(view, note)) for note in state.notes.values())
    yield from (f"{boundary.kind.value}: {boundary.words}" for boundary in state.safety.boundaries)
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
