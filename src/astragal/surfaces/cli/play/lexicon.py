"""Lexicon of a table: its people and things by name, and what the furniture fills into commands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any

from astragal.surfaces.cli.input.values import spoken
from astragal.surfaces.shared.sheets import fillings
from astragal.table.fields.definitions import fields_of
from astragal.table.fields.lookup import things_of
from astragal.values import frozen

if TYPE_CHECKING:
    from astragal.surfaces.shared.seat_view import SeatView


@frozen
class Lexicon:
    """Phrases, spoken, and what they stand for."""

    things: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By kind (`character`, `clock` …): a phrase, and the id it stands for."""
    fillings: Mapping[str, tuple[tuple[str, Any], ...]] = field(default_factory=dict)
    """A phrase, and the fields with the values that it stands for."""


def lexicon_of(view: SeatView) -> Lexicon:
    """Everything that commands can name here, and what a click on a piece of furniture would fill in."""
    named = {one.names for kind in view.book.commands.values() for one in fields_of(kind) if one.names}
    kinds = {kind for names in named for kind in names.split(" or ")} | {"character"}
    things = {kind: dict(_named(things_of(view.state, kind) or {})) for kind in kinds}
    filled: dict[str, dict[tuple[str, Any], None]] = {}
    for label, name, value in fillings(view, view.state.characters.values()):
        for word in (label, str(value)):
            for phrase in (word, view.teller.term(word)):
                filled.setdefault(spoken(phrase), {})[name, value] = None
    return Lexicon(things, {phrase: tuple(meanings) for phrase, meanings in filled.items()})


def _named(things: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Each thing by its id and by its name; a name that two things share stands for neither."""
    names = list(map(spoken, things.values()))
    for key, name in zip(things, names, strict=True):
        yield key.casefold(), key
        if name and names.count(name) == 1:
            yield name, key
