"""Choices for a command's field: people and things at the table, and what the furniture names."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any, NamedTuple

from astragal.surfaces.shared.sheets import fillings, pieces_of
from astragal.surfaces.web.session import SeatSession
from astragal.table.authoring.declarations import kind_of_command
from astragal.table.authoring.display import Choices, Tags
from astragal.table.fields.definitions import Field
from astragal.table.state.seats import Scope
from astragal.table.state.table import Character

OF_THE_BOOK = frozenset({"number", "price"})
"""Kinds of things that the game names, and the skin perhaps otherwise; all others are named by people."""


class Option(NamedTuple):
    """A value that can be chosen, in words."""

    value: str
    words: str
    doc: str = ""


def in_words(name: str) -> str:
    """A name from a definition, as people read it."""
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def named_things(session: SeatSession, command: type, field: Field) -> list[Option]:
    """Those that a field of this kind can name; who acts is one of the seat's own, where that is the rule."""
    kinds = (field.names or "").split(" or ")
    return [option for kind in kinds for option in _of_kind(session, command, field, kind)]


def _of_kind(session: SeatSession, command: type, field: Field, kind: str) -> Iterator[Option]:
    if kind == "character":
        yield from (Option(one.id, one.name) for one in _characters(session, command, field))
        return
    if kind == "request" and not session.is_game_master:
        own = (one for one in session.state.requests.values() if one.who in session.viewer.characters)
        yield from (Option(one.id, one.what_for or one.id) for one in own)
        return
    named = (session.things(kind) or {}).items()
    if kind in OF_THE_BOOK:
        yield from (Option(key, session.in_skin(in_words(session.teller.term(words)))) for key, words in named)
    else:
        yield from (Option(key, words) for key, words in named)


def targets(session: SeatSession, who: str, options: tuple[Option, ...]) -> tuple[Option, ...]:
    """Foes before friends, and never the one who acts: a foe is played from the other side of the screen."""
    characters = session.state.characters
    is_hero = who not in characters or characters[who].seat is not None

    def is_friend(option: Option) -> bool:
        other = characters.get(option.value)
        return other is not None and (other.seat is not None) is is_hero

    return tuple(sorted((one for one in options if one.value and one.value != who), key=is_friend))


def _characters(session: SeatSession, command: type, field: Field) -> Iterator[Character[Any]]:
    """Who acts is one's own where it can be; whom it is done to is rather somebody else."""
    about = kind_of_command(command)
    acts = field.name == about.actor
    own = [one for one in session.state.characters.values() if one.id in session.viewer.characters]
    others = [one for one in session.state.characters.values() if one.id not in session.viewer.characters]
    if acts and about.may.get(session.viewer.role) is Scope.OWN:
        others = []
    yield from (*own, *others) if acts or about.actor is None else (*others, *own)


def furnished(session: SeatSession, field: Field) -> tuple[list[Option], list[Option]]:
    """What furniture names for a field: what its scores fill in, and further words to choose from."""
    characters = list(session.state.characters.values())
    seen = [one for one in characters if one.id in session.viewer.characters] or characters
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
