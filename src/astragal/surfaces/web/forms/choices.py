"""Choices that a form offers: people and things at the table, and names on the pieces of sheets."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any, NamedTuple

from astragal.surfaces.shared.sheets import fillings, pieces_of
from astragal.surfaces.web.session import SeatSession
from astragal.table.authoring.display import Choices, Pips, Score, Tags
from astragal.table.declarations import Role, Scope, kind_of_command
from astragal.table.fields.definitions import Field
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
    return tuple(Option(str(one), in_words(str(one))) for one in values)


def people_in(session: SeatSession, command: type, field: Field, actor: str = "") -> list[Option]:
    """Return characters that a field can name. An actor is one's own if possible, a target is someone else first."""
    about, people = kind_of_command(command), list(session.state.characters.values())
    if field.is_of_players:
        people = [one for one in people if one.seat] or people
    acts = field.name == (about.actor or "who")
    own = [Option(one.id, one.name) for one in people if one.id in session.viewer.characters]
    others = [Option(one.id, one.name) for one in people if one.id not in session.viewer.characters]
    if acts and about.may.get(session.viewer.role) is Scope.OWN:
        others = []
    found = [*own, *others] if acts or about.actor is None else [*others, *own]
    return found if acts else sorted(found, key=lambda one: one.value == actor)


def named_things(session: SeatSession, command: type, field: Field, actor: str = "") -> list[Option]:
    """Return the things that a field can name. An actor is one of the seat's own, if the command requires it."""
    found: list[Option] = []
    for kind in (field.names or field.suggests or "").split(" or "):
        if kind == "character":
            found += people_in(session, command, field, actor)
        elif kind == "request" and not session.is_game_master:
            asked = (one for one in session.state.requests.values() if one.who in session.viewer.characters)
            found += [Option(one.id, one.what_for or one.id) for one in asked]
        else:
            is_of_the_book = kind in OF_THE_BOOK
            for key, words in (session.things(kind) or {}).items():
                if kind == "seat" and field.is_of_players and session.state.seats[key].role is Role.SPECTATOR:
                    continue
                said = session.in_skin(in_words(session.teller.term(words))) if is_of_the_book else words
                found.append(Option(key, capitalised(said) if key == words else said))
    return found


def present_values(session: SeatSession, who: str) -> dict[str, str]:
    """Return the present value of each pips and score piece on a character's sheet, by name: “6 of 10”, “now 12”."""
    character, name = session.state.characters.get(who), session.teller.term
    said: dict[str, str] = {}
    for piece in (pieces_of(session, character) or ()) if character else ():
        match piece:
            case Pips(label, now, most):
                said[name(label).casefold()] = f"{now} of {most}"
            case Score(label, value):
                said[name(label).casefold()] = f"now {value}"
    return said


def options_from_sheets(session: SeatSession, field: Field, whose: str = "") -> tuple[list[Option], list[Option]]:
    """Return options for a field from sheets: values that their pieces fill in, and further words to choose from.

    The sheets are this character's, else those of the seat's own characters, else everyone's.
    """
    characters = list(session.state.characters.values())
    own = [one for one in characters if one.id in session.viewer.characters]
    seen = [one for one in characters if one.id == whose] or own or characters
    wanted = field.name.rpartition("_")[2]
    exact: dict[str, Option] = {}
    words: dict[str, Option] = {}
    for piece in chain.from_iterable(pieces_of(session, one) or () for one in seen):
        if isinstance(piece, Choices) and piece.label.casefold() in (wanted, f"{wanted}s"):
            words |= {word: Option(word, word, doc) for word, doc in piece.rows}
        if isinstance(piece, Tags) and field.name in piece.fills:
            exact |= {name: Option(name, said) for name, said in zip(piece.names, piece.words, strict=True)}
    for label, name, value in fillings(session, seen):
        if name == field.name:
            exact.setdefault(str(value), Option(str(value), session.teller.label(label)))
    return list(exact.values()), [one for word, one in words.items() if word not in exact]
