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
    if somebody is None or somebody.seat is not None:
        return tone
    has_players = any(character.seat for character in cast.values())
    return "" if has_players else tone


def sheet_lines(view: SeatView, character: Character[Any], width: int = UNBROKEN, *, pips: bool = True) -> list[str]:
    """Return a character's sheet as the seat sees it, without choices. For people, pips are drawn."""
    pieces = pieces_of(view, character)
    if pieces is None:
        return [UNKNOWN]
    return list(lines_of(pieces, view.teller, width, brief=True, pips=pips))


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
    if pips:
        yield from _side_by_side(scores, width)
    elif scores:
        yield ", ".join(scores)
    for piece in pieces:
        if isinstance(piece, Score) or (brief and isinstance(piece, Choices)):
            continue
        for line in _lines(piece, teller, pips=pips):
            indent = " " * (len(line) - len(line.lstrip()))
            yield from wrap(line.strip(), width, initial_indent=indent, subsequent_indent=f"{indent}  ")


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
    """Format a piece of furniture: its label, and what is in it."""
    match piece:
        case Pips(label, full, most, doc):
            line = f"{teller.label(label)} {_pips(full, most, with_pips=pips)}"
            yield f"{line} ({teller.label(doc)})" if doc else line
        case Track(label, step, steps):
            line = f"{teller.label(label)} {_pips(step, len(steps) - 1, with_pips=pips)}"
            yield f"{line}: {steps[step]}" if 0 <= step < len(steps) else line
        case DiceRow(label, dice, sides, most):
            line = f"{teller.label(label)} {dice}d{sides}"
            yield line if most is None else f"{line} of {most}"
        case Tags(label, words):
            listed = ", ".join(map(teller.term, words)) or "none"
            yield f"{teller.label(label)}: {listed}"
        case Hand(label, parts):
            total = sum(count for _, count in parts)
            counted = " ".join(f"{count:+d} {teller.term(name)}" for name, count in parts)
            yield f"{teller.label(label)} {total}: {counted}"
        case Choices(label, rows) if not pips:
            choices = [f"{name} ({about})" if about else name for name, about in rows]
            yield f"{teller.label(label)}: {'; '.join(choices)}"
        case Choices(label, rows):
            yield f"{teller.label(label)}:"
            for name, about in rows:
                yield f"  {name}: {about}" if about else f"  {name}"
        case _:
            yield str(piece)


def _pips(full: Any, most: Any, *, with_pips: bool) -> str:
    """Draw a count as pips with its numbers, or only as numbers; a seat may not know them."""
    if not (isinstance(full, int) and isinstance(most, int)):
        return "unknown"
    numbers = f"{full}/{most}"
    if not with_pips or not 0 <= full <= most <= MOST_PIPS:
        return numbers
    return f"{'●' * full}{'○' * (most - full)} {numbers}"


# ---------------------------------------------------------------- the story


def story_lines(view: SeatView, *, ids: bool = False) -> Iterator[str]:
    """Describe the story as the seat sees it; with `ids`, for a program, also the ids of things."""
    state = view.state
    calendar = state.calendar

    @cache  # saves naming all things of a kind for each of them; it ends with these lines
    def labels(kind: str) -> dict[str, str]:
        return view.things(kind) or {}

    def thing_line(kind: str, key: str, details: str = "") -> str:
        line = f"{kind}: {labels(kind).get(key, 'something')}{details}"
        return f"{line} [{key}]" if ids else line

    evening = "no evening yet"
    if calendar.evening:
        evening = f"evening {calendar.evening}" if calendar.sitting else f"evening {calendar.evening} (over)"
    yield f"{evening}, day {calendar.day}"
    if scene := state.scenes.get(calendar.scene or ""):
        yield thing_line("scene", scene.id)
        for option in scene.options:
            line = f"  {option.number}. {option.words}"
            yield line if option.way is Way.OPEN else f"{line} ({option.way.value})"
    for scene in state.scenes.values():
        if not scene.entered:
            yield thing_line("scene", scene.id, ", to come")
    if calendar.encounter:
        yield f"encounter: {calendar.encounter}"
    for clock in state.clocks.values():
        yield thing_line("clock", clock.id, _hands(clock))
    for condition in state.conditions.values():
        whom = view.teller.name(condition.who) if condition.who else "everyone"
        yield thing_line("condition", condition.id, f", on {whom}{_effect(condition)}")
    for node in state.nodes:
        yield thing_line("save node", node)
    for kind in ("closed roll", "sealed roll"):
        for act in labels(kind):
            yield thing_line(kind, act)
    for note in state.notes.values():
        yield thing_line("note", note.id, _readers(view, note))
    for boundary in state.safety.boundaries:
        yield f"{boundary.kind.value}: {boundary.words}"
    if state.safety.stopped:
        yield "The scene is stopped: the people go on when they are ready."


def _hands(clock: Clock) -> str:
    if clock.hands is WITHHELD:
        return ""
    unseen = {Face.PUBLIC: "", Face.KNOWN: " (players know only its name)", Face.HIDDEN: " (hidden)"}
    return f", {clock.hands.ticks} of {clock.hands.size}{unseen[clock.face]}"


def _effect(condition: Condition) -> str:
    """Describe what a condition does, and how long."""
    numbers = ", ".join(f"{key} {number:+d}".replace("-", "−") for key, number in condition.numbers.items())
    effect = "".join(f" ({part})" for part in (condition.effect, numbers) if part)
    duration = f"{effect}, until {condition.until.value}"
    return f"{duration} (hidden)" if condition.hidden is True else duration


def _readers(view: SeatView, note: Note) -> str:
    if note.audience is Audience.ALL:
        return ""
    reader = view.teller.name(note.seat) if note.audience is Audience.SEAT else note.audience.value
    return f" (for {reader} alone)"
