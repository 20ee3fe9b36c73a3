"""What the words at a table stand for: its people and things, and what the furniture fills into commands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any

from astragal.surfaces.cli.input.values import spoken
from astragal.table.refusals import Refusal
from astragal.values import frozen

if TYPE_CHECKING:
    from astragal.surfaces.cli.input.seats import Place
    from astragal.table.state.table import State

THINGS = ("characters", "seats", "scenes", "conditions", "clocks", "notes", "prompts", "requests", "consents", "nodes")


@frozen
class Lexicon:
    """Phrases, spoken, and what they stand for."""

    things: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By kind (`character`, `clock` …): a phrase, and the id it stands for."""
    fillings: Mapping[str, tuple[tuple[str, Any], ...]] = field(default_factory=dict)
    """A phrase, and the fields with the values that it stands for."""


def lexicon_of(place: Place, state: State) -> Lexicon:
    things = {kind.removesuffix("s"): dict(_named(getattr(state, kind))) for kind in THINGS}
    fillings: dict[str, list[tuple[str, Any]]] = {}
    for phrase, name, value in _fillings(place, state):
        meanings = fillings.setdefault(phrase, [])
        if (name, value) not in meanings:
            meanings.append((name, value))
    return Lexicon(things, {phrase: tuple(meanings) for phrase, meanings in fillings.items()})


def _named(things: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Each thing by its id and by its name; a name that two things share stands for neither."""
    names = [spoken(str(_name(one))) for one in things.values()]
    for number, (key, one) in enumerate(things.items()):
        yield key.casefold(), key
        if names[number] and names.count(names[number]) == 1:
            yield spoken(str(_name(one))), key


def _name(thing: Any) -> Any:
    return thing if isinstance(thing, str) else getattr(thing, "name", getattr(thing, "title", ""))


def _fillings(place: Place, state: State) -> Iterator[tuple[str, str, Any]]:
    """What a click on a piece of furniture would fill in, under its label and the skin's word for it."""
    for character in state.characters.values():
        try:
            pieces = place.ruleset.furniture(character)
        except Refusal:  # it depends on what this seat may not know
            continue
        for piece in pieces:
            for name, value in getattr(piece, "fields", ()):
                if value == character.id:
                    continue
                label = str(getattr(piece, "label", value))
                for word in (label, str(value)):
                    yield spoken(word), name, value
                    yield spoken(state.terms.get(word, word)), name, value
