"""A ruleset's furniture, ready to be laid out: labels in the skin's words, and what a click on a piece asks for."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from astragal.surfaces.shared import sheets
from astragal.surfaces.shared.sheets import named_player, pieces_of
from astragal.surfaces.shared.words import capitalised
from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.table.pictures import Face, faces_of
from astragal.table.authoring.display import Choices, DiceRow, Hand, Piece, Pips, Score, Tags, Track
from astragal.table.authoring.meters import Gain, Lose
from astragal.table.declarations import kind_of_command
from astragal.table.refusals import NoSuchThing, NotAllowed
from astragal.table.state.table import Character


def adjustable(session: SeatSession, label: str) -> str:
    """The number that a piece of a sheet shows, by the name that the game sets it by; empty where this seat may not."""
    if not session.is_game_master:
        return ""
    return next((name for name in session.ruleset.overrides if _key(name) == _key(label)), "")


def adjustment(session: SeatSession, who: str, what: str, value: int) -> tuple[str, dict[str, Any]]:
    """The command that brings a number of somebody to this value."""
    character, number = session.state.characters.get(who), session.ruleset.overrides.get(what)
    if not session.is_game_master:
        raise NotAllowed("Only the game master can do that.")
    if character is None or number is None:
        raise NoSuchThing("There is no such number on this table.")
    now = number.read(character.sheet)
    own = Lose if value < now else Gain
    for kind in session.book.commands.values():
        if issubclass(kind, own) and kind.meter.name == what and value != now:
            return kind_of_command(kind).name, {"who": who, "points": abs(value - now)}
    return "override", {"who": who, "what": what, "value": value}


def _key(name: str) -> str:
    return name.casefold().replace(" ", "_")


MOST_PIPS, MANY_PIPS = 20, 10
"""Many are drawn small; more are told as a number and drawn as a bar."""
LONG = 40
"""Signs of a tag that is rather a text."""
FIRST = "score"


@dataclass(frozen=True)
class Laid:
    """One piece, as it is drawn. `asks` is a command and what is filled in, as the end of a form's address."""

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
    """The number that a click on a pip changes, where this seat may."""
    dire: bool = False

    @property
    def is_countable(self) -> bool:
        return 0 <= self.now <= self.most <= MOST_PIPS

    @property
    def is_many(self) -> bool:
        return self.most > MANY_PIPS


@dataclass(frozen=True)
class Sheet:
    """A character, or the board: what one acts with, what is held, what is true, and what can be looked up."""

    id: str = ""
    name: str = ""
    player: str = ""
    face: Face | None = None
    scores: tuple[Laid, ...] = ()
    others: tuple[Laid, ...] = ()
    has_tables: bool = False
    """Is there something to look up? It is sent to whoever does."""
    unknown: bool = False
    """Does it depend on what this seat may not know?"""

    @property
    def is_empty(self) -> bool:
        return not (self.scores or self.others)

    @property
    def summary(self) -> tuple[Laid, ...]:
        """What is worth knowing of somebody at a glance."""
        return tuple(one for one in self.others if one.kind in ("pips", "track", "dice"))

    @property
    def adjusted(self) -> tuple[Laid, ...]:
        """What a click on a pip changes."""
        return tuple(one for one in self.others if one.adjusts)

    @property
    def states(self) -> tuple[Laid, ...]:
        return tuple(one for one in self.others if one.kind == "tags")


def sheet_of(session: SeatSession, character: Character[Any]) -> Sheet:
    """A character as this seat sees it; whoever may act for them can click on what they act with."""
    mine = session.is_game_master or character.id in session.viewer.characters
    player = named_player(session, character)
    face = faces_of(session.state).get(character.id)
    pieces = pieces_of(session, character)
    if pieces is None:
        return Sheet(character.id, character.name, player, face, unknown=True)
    laid = laid_out(session, pieces, clicks=mine, of_character=True)
    return _sheet(Sheet(character.id, character.name, player, face), laid)


def tables_of(session: SeatSession, character: Character[Any]) -> list[Laid]:
    """What a character's sheet lists for looking up."""
    listed = [one for one in pieces_of(session, character) or () if isinstance(one, Choices)]
    return list(laid_out(session, listed, clicks=False))


def board_of(session: SeatSession) -> Sheet:
    """What lies on the table for all."""
    pieces = sheets.board_of(session)
    if pieces is None:
        return Sheet(unknown=True)
    return _sheet(Sheet(), laid_out(session, pieces, clicks=session.is_game_master), apart=False)


def _sheet(bare: Sheet, laid: Iterable[Laid], *, apart: bool = True) -> Sheet:
    """With tables apart, or among the rest."""
    pieces = tuple(laid)
    tables = tuple(one for one in pieces if one.kind == "choices") if apart else ()
    return Sheet(
        bare.id,
        bare.name,
        bare.player,
        bare.face,
        scores=tuple(one for one in pieces if one.kind == FIRST),
        others=tuple(one for one in pieces if one.kind != FIRST and one not in tables),
        has_tables=bool(tables),
    )


def laid_out(
    session: SeatSession, pieces: Iterable[Piece], *, clicks: bool, of_character: bool = False
) -> Iterator[Laid]:
    term, in_skin = session.teller.term, session.in_skin
    instead = dict(session.ruleset.at_hand.instead) if session.is_game_master else {}
    for piece in pieces:
        named, command = in_skin(term(piece.label)), getattr(piece, "command", None)
        command = instead.get(command or "", command)
        label = capitalised(named)
        adjusts = adjustable(session, piece.label) if of_character else ""
        asks = asking(command, getattr(piece, "fields", ())) if clicks and command else ""
        match piece:
            case Score(_, value, doc):
                yield Laid(FIRST, label, in_skin(doc), now=value, asks=asks)
            case Pips(_, now, most, doc):
                yield Laid("pips", label, in_skin(doc), now, most, asks=asks, adjusts=adjusts)
            case DiceRow(_, dice, sides, most, doc):
                yield Laid("dice", label, in_skin(doc), dice, max(dice, most or 0), sides, asks=asks, adjusts=adjusts)
            case Track(_, now, steps, dire):
                at = steps[now] if 0 <= now < len(steps) else ""
                yield Laid(
                    "track", label, "" if at == str(now) else at, now, len(steps) - 1, adjusts=adjusts, dire=dire
                )
            case Tags(_, (words,)) if len(words) > LONG:
                yield Laid("text", label, doc=words)
            case Tags(_, words):
                yield Laid("tags", label, words=tuple(term(word) for word in words))
            case Hand(_, terms):
                yield Laid(
                    "hand",
                    label,
                    now=sum(dice for _, dice in terms),
                    rows=tuple((term(n), f"{d:+d}") for n, d in terms),
                )
            case Choices(_, rows):
                yield Laid("choices", label, rows=rows)


def asking(command: str, fields: Iterable[tuple[str, Any]]) -> str:
    """The end of the address of a command's form with these fields filled in."""
    filled = [(name, value) for name, value in fields if value is not None]
    return f"{command}?{urlencode(filled, doseq=True)}" if filled else command
