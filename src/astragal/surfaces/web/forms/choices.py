"""Choices that a form offers: people and things at the table, and names on the pieces of sheets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from astragal.surfaces.shared.sheets import fillings, pieces_of
from astragal.surfaces.web.session import SeatSession
from astragal.table.authoring.display import Choices, Pips, Score, Tags
from astragal.table.declarations import Role, Scope, kind_of_command
from astragal.table.fields.definitions import Field
from astragal.table.state.table import Character
from astragal.wording import capitalised, in_words

OF_THE_BOOK = frozenset({"number", "price"})
"""Kinds of things that the game names, and that a skin may rename; all others are named by people."""


class Option(NamedTuple):
    """A value that can be chosen, in words."""

    value: str
    words: str
    doc: str = ""


def options_of(values: Iterable[Any]) -> tuple[Option, ...]:
    """Return values of a definition as options."""
    return tuple(Option(str(value), in_words(str(value))) for value in values)


def people_in(session: SeatSession, command: type, field: Field, actor: str = "") -> list[Option]:
    """Return characters that a field can name. An actor is one's own if possible, a target is someone else first."""
    about = kind_of_command(command)
    characters = list(session.state.characters.values())
    if field.is_of_players:
        characters = [character for character in characters if character.seat] or characters
    own: list[Option] = []
    of_others: list[Option] = []
    for character in characters:
        options = own if character.id in session.viewer.characters else of_others
        options.append(Option(character.id, character.name))
    is_actor = field.name == (about.actor or "who")
    if is_actor:
        may_act_for_own_only = about.may.get(session.viewer.role) is Scope.OWN
        return own if may_act_for_own_only else [*own, *of_others]
    targets = [*own, *of_others] if about.actor is None else [*of_others, *own]
    return sorted(targets, key=lambda option: option.value == actor)


def named_things(session: SeatSession, command: type, field: Field, actor: str = "") -> list[Option]:
    """Return the things that a field can name. An actor is one of the seat's own, if the command requires it."""
    options: list[Option] = []
    for kind in (field.names or field.suggests or "").split(" or "):
        if kind == "character":
            options += people_in(session, command, field, actor)
        elif kind == "request" and not session.is_game_master:
            options += _own_requests(session)
        else:
            options += _things_of(session, kind, players_only=field.is_of_players)
    return options


def _own_requests(session: SeatSession) -> Iterator[Option]:
    """Yield the rolls that this seat's characters are asked for."""
    for request in session.state.requests.values():
        if request.who in session.viewer.characters:
            yield Option(request.id, request.what_for or request.id)


def _things_of(session: SeatSession, kind: str, *, players_only: bool) -> Iterator[Option]:
    """Yield the things of a kind, such as clocks, in the skin's words if it is the game that names them."""
    for key, name in (session.things(kind) or {}).items():
        if kind == "seat" and players_only and session.state.seats[key].role is Role.SPECTATOR:
            continue
        words = session.in_skin(in_words(session.teller.term(name))) if kind in OF_THE_BOOK else name
        yield Option(key, capitalised(words) if key == name else words)


def present_values(session: SeatSession, who: str) -> dict[str, str]:
    """Return the present value of each pips and score piece on a character's sheet, by name: “6 of 10”, “now 12”."""
    character = session.state.characters.get(who)
    if character is None:
        return {}
    words_by_name: dict[str, str] = {}
    for piece in pieces_of(session, character) or ():
        match piece:
            case Pips(label, points, most):
                words_by_name[session.teller.term(label).casefold()] = f"{points} of {most}"
            case Score(label, value):
                words_by_name[session.teller.term(label).casefold()] = f"now {value}"
    return words_by_name


def options_from_sheets(session: SeatSession, field: Field, whose: str = "") -> tuple[list[Option], list[Option]]:
    """Return options for a field from sheets: values that their pieces fill in, and further words to choose from.

    The sheets are this character's, else those of the seat's own characters, else everyone's.
    """
    characters = _whose_sheets(session, whose)
    noun = field.name.rpartition("_")[2]
    exact: dict[str, Option] = {}
    words: dict[str, Option] = {}
    for character in characters:
        for piece in pieces_of(session, character) or ():
            if isinstance(piece, Choices) and piece.label.casefold() in (noun, f"{noun}s"):
                words |= {word: Option(word, word, doc) for word, doc in piece.rows}
            if isinstance(piece, Tags) and field.name in piece.fills:
                exact |= {name: Option(name, tag) for name, tag in zip(piece.names, piece.words, strict=True)}
    for label, name, value in fillings(session, characters):
        if name == field.name:
            exact.setdefault(str(value), Option(str(value), session.teller.label(label)))
    return list(exact.values()), [option for word, option in words.items() if word not in exact]


def _whose_sheets(session: SeatSession, whose: str) -> list[Character[Any]]:
    """Return this character, else the seat's own characters, else everyone."""
    characters = session.state.characters
    if whose in characters:
        return [characters[whose]]
    own = [character for character in characters.values() if character.id in session.viewer.characters]
    return own or list(characters.values())
