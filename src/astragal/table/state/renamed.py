"""The book's words in the skin's: labels, descriptions and refusals are written in a game's own words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

LONGEST = 2
"""Words in a term. What is longer is a text of its own, which the skin replaces whole."""
ALSO_ENGLISH = frozenset({"might", "will", "mind", "body", "focus", "reserve", "edge", "reason", "manner"})
"""Words that mean something else where they are not capitalised."""
QUOTED = r"“[^”]*”|(?<!\w)'[^']*'"


def renamed_words(book: Mapping[str, str], said: Mapping[str, str]) -> dict[str, str]:
    """The book's words that a skin has others for, each with the skin's."""
    words = {book[key]: word for key, word in said.items() if key in book and book[key] != word}
    return {old: new for old, new in words.items() if len(old.split()) <= LONGEST and old[-1:].isalnum()}


def with_terms(book: Mapping[str, str], said: Mapping[str, str]) -> dict[str, str]:
    """All terms of a table: the skin's, and the book's with the skin's words in them (“Haul Reserve” for “Might …”)."""
    renamed = renamed_words(book, said)
    return {**{key: reworded(word, renamed) for key, word in book.items()}, **said}


def reworded(text: str, renamed: Mapping[str, str], names: Iterable[str] = ()) -> str:
    """A text of the game in the skin's words, in the plural too. What is quoted and who is named is left alone."""
    if not renamed:
        return text
    words = {old.casefold(): new for old, new in renamed.items()}

    def said(found: re.Match[str]) -> str:
        if not found["word"]:
            return found[0]
        word = words[found["word"].casefold()]
        return f"{word[:1].upper() + word[1:] if found[0][:1].isupper() else word}{found['several']}"

    return _pattern(tuple(renamed), tuple(names)).sub(said, text)


@lru_cache(maxsize=64)
def _pattern(words: tuple[str, ...], names: tuple[str, ...]) -> re.Pattern[str]:
    kept = [QUOTED, *(rf"(?<!\w){re.escape(name)}(?!\w)" for name in names if name)]
    longest_first = sorted(words, key=len, reverse=True)
    spelled = [re.escape(one) if _is_exact(one) else rf"(?i:{re.escape(one)})" for one in longest_first]
    return re.compile(rf"(?:{'|'.join(kept)})|\b(?P<word>{'|'.join(spelled)})(?P<several>s?)\b")


def _is_exact(word: str) -> bool:
    return word.isupper() or word.casefold() in ALSO_ENGLISH
