"""Sentences of a roll's card: its title and its notes, with their fields filled in as far as they are known."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from astragal.table.authoring.display import IN_BRACES, RollCard
from astragal.wording import capitalised

if TYPE_CHECKING:
    from astragal.table.authoring.log_lines import Teller
    from astragal.table.state.table import State


class Sentences:
    """A card's title and notes, filled in with the known fields of a roll."""

    def __init__(self, card: RollCard, known: Mapping[str, Any], state: State, teller: Teller) -> None:
        self._card, self._known, self._state, self._teller = card, known, state, teller

    @property
    def title(self) -> str:
        found = self.filled(self._title)
        return found or re.sub(r"\s*{[\w|]+}:?\s*", "", self._card.short).capitalize()

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes that add something to the title, each capitalised, to stand alone."""
        return tuple(map(capitalised, self.further))

    @property
    def further(self) -> tuple[str, ...]:
        """Notes that add something to the title, as parts of a sentence."""
        filled = (self.filled(one) for one in self._card.notes)
        return tuple(note for note in filled if note and f" {note} " not in f" {self.title} ")

    @property
    def told(self) -> frozenset[str]:
        """The fields that the title and the notes show."""
        texts = (self._title, *(one for one in self._card.notes if self.filled(one)))
        named = (names.split("|") for text in texts for names in IN_BRACES.findall(text))
        return frozenset(next((one for one in names if one in self._known), "") for names in named)

    @property
    def people(self) -> tuple[str, ...]:
        """The ids of the characters that the title names."""
        named = (name for text in (self._card.title, self._card.short) for name in IN_BRACES.findall(text))
        people = (str(self._known.get(name, "")) for name in named)
        return tuple(dict.fromkeys(one for one in people if one in self._state.cast))

    def filled(self, text: str) -> str:
        """Fill in a sentence; empty if a field in it is not known."""
        words = {names: self._word(names) for names in IN_BRACES.findall(text)}
        return "" if not all(words.values()) else IN_BRACES.sub(lambda found: words[found[1]], text)

    @property
    def _title(self) -> str:
        return self._card.title if self.filled(self._card.title) else self._card.short

    def _word(self, names: str) -> str:
        for name in names.split("|"):
            if name in self._known:
                value = self._known[name]
                somebody = self._state.cast.get(str(value)) or self._state.seats.get(str(value))
                return somebody.name if somebody else self._teller.term(str(value))
        term = self._teller.term(names)
        return term if term != names else ""
