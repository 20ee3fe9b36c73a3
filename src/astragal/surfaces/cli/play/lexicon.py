"""Lexicon of a table as one seat sees it: the phrases that name its things, and what sheets can fill in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from astragal.surfaces.shared.sheets import fillings, pieces_of
from astragal.table.authoring.display import Tags
from astragal.table.fields import parse
from astragal.table.fields.lookup import matching, normalised

if TYPE_CHECKING:
    from astragal.surfaces.shared.context import SeatView


class Filling(NamedTuple):
    """A field of a command, and a value that a phrase fills in there."""

    field: str
    value: Any


class Lexicon:
    """Vocabulary of a table as one seat sees it: phrases, and what they stand for."""

    def __init__(self, view: SeatView) -> None:
        self._view = view
        self._labels_by_kind: dict[str, dict[str, str]] = {}
        """Saves naming all things again for each phrase; a lexicon lives as long as one line is read."""
        self._waiting_ids = frozenset(parse.waiting_for(view.state, view.viewer))
        self.own = view.viewer.characters

    def things(self, kind: str) -> Mapping[str, str]:
        """Labels of the things of a kind (`character`, `clock` …), by id."""
        if kind not in self._labels_by_kind:
            self._labels_by_kind[kind] = self._view.things(kind) or {}
        return self._labels_by_kind[kind]

    def thing(self, kind: str | None, phrase: str, *, partly: bool = False) -> str | None:
        """Find the id of the one thing that a phrase names. Things that wait for this seat come first."""
        if not kind:
            return None
        ids = matching(self.things(kind), phrase, partly=partly)
        waiting = [thing_id for thing_id in ids if thing_id in self._waiting_ids]
        candidates = waiting or ids
        return candidates[0] if len(candidates) == 1 else None

    @cached_property
    def fillings(self) -> Mapping[str, tuple[Filling, ...]]:
        """The fields and values that each phrase can stand for. Every sheet is read once for each lexicon."""
        fillings_by_phrase: dict[str, dict[Filling, None]] = {}
        for word, filling in self._fillings_of_words():
            for phrase in (word, self._view.teller.term(word)):
                fillings_by_phrase.setdefault(normalised(phrase), {})[filling] = None
        return {phrase: tuple(meanings) for phrase, meanings in fillings_by_phrase.items()}

    def _fillings_of_words(self) -> Iterator[tuple[str, Filling]]:
        """Yield what a click on a piece of furniture would fill in, and the tags of a sheet that commands can name."""
        characters = self._view.state.characters.values()
        for label, field, value in fillings(self._view, characters):
            yield label, Filling(field, value)
            yield str(value), Filling(field, value)
        for character in characters:
            for piece in pieces_of(self._view, character) or ():
                if isinstance(piece, Tags):
                    yield from _fillings_of_tags(piece)


def _fillings_of_tags(tags: Tags) -> Iterator[tuple[str, Filling]]:
    for tag in tags.names:
        for field in tags.fills:
            yield tag, Filling(field, tag)
