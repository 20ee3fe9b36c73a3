"""Lexicon of a table: its people and things by name, and what the furniture fills into commands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from astragal.surfaces.shared.sheets import fillings, pieces_of
from astragal.table.authoring.display import Tags
from astragal.table.fields.lookup import matching, spoken
from astragal.table.fields.parse import waiting_for

if TYPE_CHECKING:
    from astragal.surfaces.shared.seat_view import SeatView


class Lexicon:
    """Phrases, and what they stand for at a table as one seat sees it."""

    def __init__(self, view: SeatView) -> None:
        self._view = view
        self._things: dict[str, dict[str, str]] = {}
        self._waiting = frozenset(waiting_for(view.state, view.viewer))

    def things(self, kind: str) -> Mapping[str, str]:
        """Labels of the things of a kind (`character`, `clock` …), by id."""
        if kind not in self._things:
            self._things[kind] = self._view.things(kind) or {}
        return self._things[kind]

    def thing(self, kind: str | None, phrase: str, *, partly: bool = False) -> str | None:
        """The id of the one thing that a phrase names."""
        found = matching(self.things(kind), phrase, partly=partly) if kind else []
        found = [one for one in found if one in self._waiting] or found
        return found[0] if len(found) == 1 else None

    @cached_property
    def fillings(self) -> Mapping[str, tuple[tuple[str, Any], ...]]:
        """A phrase, and the fields with the values that it stands for."""
        filled: dict[str, dict[tuple[str, Any], None]] = {}
        for word, name, value in self._filled():
            for phrase in (word, self._view.teller.term(word)):
                filled.setdefault(spoken(phrase), {})[name, value] = None
        return {phrase: tuple(meanings) for phrase, meanings in filled.items()}

    def _filled(self) -> Iterator[tuple[str, str, Any]]:
        """What a click on a piece of furniture would fill in, and the things of a sheet that commands can name."""
        characters = self._view.state.characters.values()
        for label, name, value in fillings(self._view, characters):
            yield from ((word, name, value) for word in (label, str(value)))
        pieces = (piece for one in characters for piece in pieces_of(self._view, one) or ())
        for piece in pieces:
            if isinstance(piece, Tags):
                yield from ((called, name, called) for called in piece.names for name in piece.fills)
