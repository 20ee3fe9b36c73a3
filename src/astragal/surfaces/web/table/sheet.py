"""Layout of sheets and the board: the pieces of a ruleset, with labels in the skin's words and a click's command."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

from msgspec import Struct
from msgspec.structs import replace

from astragal.surfaces.shared import sheets
from astragal.surfaces.shared.sheets import named_player, pieces_of
from astragal.surfaces.web.forms.form import key_in_name
from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.table.pictures import Face, faces_of
from astragal.table.authoring import display, meters
from astragal.table.declarations import kind_of_command
from astragal.table.refusals import NoSuchThing, NotAllowed
from astragal.table.state.table import Character
from astragal.wording import capitalised


def adjustment(session: SeatSession, who: str, what: str, value: int) -> tuple[str, dict[str, Any]]:
    """Return the command, and its fields, that sets a character's number to this value."""
    character, number = session.state.characters.get(who), session.ruleset.overrides.get(what)
    if not session.is_game_master:
        raise NotAllowed("Only the game master can do that.")
    if character is None or number is None:
        raise NoSuchThing("There is no such number on this table.")
    now = number.read(character.sheet)
    own = meters.Lose if value < now else meters.Gain
    for kind in session.book.commands.values():
        if issubclass(kind, own) and kind.meter.name == what and value != now:
            return kind_of_command(kind).name, {"who": who, "points": abs(value - now)}
    return "override", {"who": who, "what": what, "value": value}


MOST_PIPS, MANY_PIPS = 20, 10
"""More than MANY_PIPS are drawn small; more than MOST_PIPS are a number and a bar."""
LONG = 40
"""A single tag with more characters than these is laid out as a text."""
FIRST = "score"


class DrawnPiece(Struct, frozen=True):
    """One piece as it is drawn. `asks` is a command with fields filled in, as the end of its form's address."""

    kind: str
    label: str
    doc: str = ""
    now: int = 0
    most: int = 0
    sides: int = 0
    words: tuple[str, ...] = ()
    rows: tuple[tuple[str, str], ...] = ()
    asks: str = ""
    adjusts: str = ""
    """The number that a click on a pip changes, if this seat may change it."""
    dire: bool = False

    @property
    def is_countable(self) -> bool:
        return 0 <= self.now <= self.most <= MOST_PIPS

    @property
    def is_many(self) -> bool:
        return self.most > MANY_PIPS


class Sheet(Struct, frozen=True):
    """A character's sheet, or the board: scores to act with, and the other pieces."""

    id: str = ""
    name: str = ""
    player: str = ""
    face: Face | None = None
    scores: tuple[DrawnPiece, ...] = ()
    others: tuple[DrawnPiece, ...] = ()
    has_tables: bool = False
    """True if there are tables to look up. They are sent on request."""
    unknown: bool = False
    """True if it depends on something that this seat may not know."""

    @property
    def is_empty(self) -> bool:
        return not (self.scores or self.others)

    @property
    def summary(self) -> tuple[DrawnPiece, ...]:
        """Pips, tracks and dice: what is worth knowing at a glance."""
        return tuple(one for one in self.others if one.kind in ("pips", "track", "dice"))

    @property
    def adjusted(self) -> tuple[DrawnPiece, ...]:
        """Pieces that a click on a pip changes."""
        return tuple(one for one in self.others if one.adjusts)

    @property
    def held(self) -> tuple[DrawnPiece, ...]:
        """Pieces that are always in view on a character's card."""
        return self.adjusted or self.summary

    @property
    def line(self) -> str:
        """The first text on the sheet, which says who they are; else their best score."""
        return next((one.doc for one in self.others if one.kind == "text"), self.best)

    @property
    def best(self) -> str:
        """The highest score, in words."""
        found = max(self.scores, key=lambda one: one.now, default=None)
        return f"{found.label} {found.now}" if found else ""


def sheet_of(session: SeatSession, character: Character[Any]) -> Sheet:
    """Return a character's sheet as this seat sees it. If it may act for them, a click on a score opens its form."""
    return session.part(_sheet, character)


def _sheet(session: SeatSession, character: Character[Any]) -> Sheet:
    mine = session.is_game_master or session.plays(character.id)
    player = named_player(session, character)
    face = faces_of(session.state).get(character.id)
    bare = Sheet(character.id, character.name, player, face)
    return _filled(session, bare, pieces_of(session, character), clicks=mine)


def tables_of(session: SeatSession, character: Character[Any]) -> list[DrawnPiece]:
    """Return the tables of a character's sheet, to look up."""
    listed = [one for one in pieces_of(session, character) or () if isinstance(one, display.Choices)]
    return list(laid_out(session, listed, clicks=False))


def board_of(session: SeatSession) -> Sheet:
    """Return the board: what lies on the table for all."""
    return _filled(session, Sheet(), sheets.board_of(session), clicks=session.is_game_master)


def _filled(session: SeatSession, bare: Sheet, pieces: Iterable[display.Piece] | None, *, clicks: bool) -> Sheet:
    """Fill a sheet with these pieces. A character's tables are left out, to be looked up on request."""
    if pieces is None:
        return replace(bare, unknown=True)
    laid = tuple(laid_out(session, pieces, clicks=clicks, of_character=bool(bare.id)))
    others = tuple(one for one in laid if one.kind != FIRST and not (bare.id and one.kind == "choices"))
    scores = tuple(one for one in laid if one.kind == FIRST)
    return replace(bare, scores=scores, others=others, has_tables=len(scores) + len(others) < len(laid))


def laid_out(
    session: SeatSession, pieces: Iterable[display.Piece], *, clicks: bool, of_character: bool = False
) -> Iterator[DrawnPiece]:
    term, in_skin = session.teller.term, session.in_skin
    instead = dict(session.ruleset.at_hand.instead) if session.is_game_master else {}
    settable = {name.replace("_", " ").casefold(): name for name in session.ruleset.overrides}
    settable = settable if of_character and session.is_game_master else {}
    for piece in pieces:
        named, command = in_skin(term(piece.label)), getattr(piece, "command", None)
        command = instead.get(command or "", command)
        label = capitalised(named)
        adjusts = settable.get(piece.label.replace("_", " ").casefold(), "")
        asks = asking(command, getattr(piece, "fields", ())) if clicks and command else ""
        match piece:
            case display.Score(_, value, doc):
                yield DrawnPiece(FIRST, label, in_skin(doc), now=value, asks=asks)
            case display.Pips(_, now, most, doc):
                yield DrawnPiece("pips", label, in_skin(doc), now, most, asks=asks, adjusts=adjusts)
            case display.DiceRow(_, dice, sides, most, doc):
                yield DrawnPiece(
                    "dice", label, in_skin(doc), dice, max(dice, most or 0), sides, asks=asks, adjusts=adjusts
                )
            case display.Track(_, now, steps, dire):
                at = steps[now] if 0 <= now < len(steps) else ""
                doc = "" if at == str(now) else at
                yield DrawnPiece("track", label, doc, now, len(steps) - 1, adjusts=adjusts, dire=dire)
            case display.Tags(_, (words,)) if len(words) > LONG:
                yield DrawnPiece("text", label, doc=words)
            case display.Tags(_, words):
                yield DrawnPiece("tags", label, words=tuple(term(word) for word in words))
            case display.Hand(_, terms):
                rows = tuple((term(name), display.signed(dice)) for name, dice in terms)
                yield DrawnPiece("hand", label, now=sum(dice for _, dice in terms), rows=rows)
            case display.Choices(_, rows):
                yield DrawnPiece("choices", label, rows=rows)


def asking(command: str, fields: Iterable[tuple[str, Any]]) -> str:
    """Return the end of the address of a command's form, with these fields filled in."""
    filled = [pair for name, value in fields if value is not None for pair in _inputs(name, value)]
    return f"{command}?{urlencode(filled, doseq=True)}" if filled else command


def _inputs(name: str, value: Any) -> list[tuple[str, Any]]:
    """Return the form inputs that a field fills; a mapping has one for each key."""
    if isinstance(value, Mapping):
        return [(f"{name}.{key_in_name(key)}", part) for key, part in value.items()]
    return [(name, value)]
