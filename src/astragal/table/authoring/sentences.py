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
        self._card = card
        self._known = known
        self._state = state
        self._teller = teller

    @property
    def title(self) -> str:
        title = self.filled(self._title)
        if title:
            return title
        without_fields = re.sub(r"\s*{[\w|]+}:?\s*", "", self._card.short)
        return without_fields.capitalize()

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes that add something to the title, each capitalised, to stand alone."""
        return tuple(map(capitalised, self.further))

    @property
    def further(self) -> tuple[str, ...]:
        """Notes that add something to the title, as parts of a sentence."""
        title = f" {self.title} "
        notes = [self.filled(note) for note in self._card.notes]
        return tuple(note for note in notes if note and f" {note} " not in title)

    @property
    def told(self) -> frozenset[str]:
        """The fields that the title and the notes show."""
        texts = [self._title, *(note for note in self._card.notes if self.filled(note))]
        fields = set()
        for text in texts:
            for alternatives in IN_BRACES.findall(text):
                fields.add(next((name for name in alternatives.split("|") if name in self._known), ""))
        return frozenset(fields)

    @property
    def people(self) -> tuple[str, ...]:
        """The ids of the characters that the title names."""
        names = [*IN_BRACES.findall(self._card.title), *IN_BRACES.findall(self._card.short)]
        values = [str(self._known.get(name, "")) for name in names]
        return tuple(dict.fromkeys(value for value in values if value in self._state.cast))

    def filled(self, text: str) -> str:
        """Fill in a sentence; empty if a field in it is not known."""
        words = {names: self._word(names) for names in IN_BRACES.findall(text)}
        if not all(words.values()):
            return ""
        return IN_BRACES.sub(lambda braces: words[braces[1]], text)

    @property
    def _title(self) -> str:
        return self._card.title if self.filled(self._card.title) else self._card.short

    def _word(self, names: str) -> str:
        for name in names.split("|"):
            if name in self._known:
                value = str(self._known[name])
                person = self._state.cast.get(value) or self._state.seats.get(value)
                return person.name if person else self._teller.term(value)
        term = self._teller.term(names)
        return "" if term == names else term
