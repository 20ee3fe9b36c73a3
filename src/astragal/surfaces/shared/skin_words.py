"""The book's words in the skin's: in titles, descriptions and refusals, which a game writes in its own words."""

from __future__ import annotations

import re
from collections.abc import Mapping

LONGEST = 2
"""Words in a term. What is longer is a text of its own, which the skin replaces whole."""
ALSO_ENGLISH = frozenset({"might", "will", "mind", "body", "focus", "reserve", "edge", "reason", "manner"})
"""Words that mean something else where they are not capitalised."""


class SkinWords:
    """Replaces the words of a book that a skin calls otherwise. For texts of the game: never for what people said."""

    def __init__(self, book: Mapping[str, str], skin: Mapping[str, str]) -> None:
        self._words = {
            word.casefold(): skin[key]
            for key, word in book.items()
            if skin.get(key, word) != word and len(word.split()) <= LONGEST and word[-1:].isalpha()
        }
        alike = (rf"(?i:{re.escape(word)})" for word in self._words if word not in ALSO_ENGLISH)
        exact = (re.escape(word.capitalize()) for word in self._words if word in ALSO_ENGLISH)
        found = "|".join(sorted((*alike, *exact), key=len, reverse=True))
        self._pattern = re.compile(rf"\b(?:{found})\b") if found else None

    def __call__(self, text: str) -> str:
        return self._pattern.sub(self._said, text) if self._pattern else text

    def _said(self, found: re.Match[str]) -> str:
        word = self._words[found[0].casefold()]
        return word[:1].upper() + word[1:] if found[0][:1].isupper() else word
