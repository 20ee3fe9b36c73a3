"""Lines of the log: names of people, terms of the skin, and templates that are filled in from an event's fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from string import Formatter
from typing import TYPE_CHECKING, Any, NamedTuple

from astragal.table.declarations import is_value
from astragal.table.fields.definitions import people_named_by
from astragal.table.visibility.redact import WITHHELD
from astragal.wording import signed

if TYPE_CHECKING:
    from astragal.table.state.table import State

__all__ = ["Teller"]


class Teller:
    """Look-up of people's names and the skin's terms, for whatever puts an event into words."""

    def __init__(self, state: State, terms: Mapping[str, str]) -> None:
        self._state = state
        self._terms = terms

    def name(self, who: Any) -> str:
        """Return the name of a character or a seat; “someone” if there is none."""
        person = self._state.cast.get(who) or self._state.seats.get(who)
        return person.name if person else "someone"

    def term(self, word: str) -> str:
        """Return the skin's word for a term, or the term itself."""
        return self._terms.get(word, word)

    def label(self, text: str) -> str:
        """Return a text of the game, such as a label, in the skin's words."""
        return self._terms[text] if text in self._terms else self._state.worded(text)


def template(says: str) -> Callable[[Any, Teller], str]:
    """Compile a template to a function that fills in its fields.

    Characters and seats are filled in by name, choices by the skin's term, other fields as they are
    (`{status.words}`). A word in braces that is no field is a term of the skin; a method is called with the teller.
    `{worth:+}` is a number with its sign, `{on:on|off}` one word or the other. A part in square brackets is left out if
    a field in it is empty or hidden: `{who} is out[ ({why})]`. A field of None counts as empty (`{called.against}`).
    """
    parts = _parts(says)

    def words(value: Any, teller: Teller) -> str:
        line = ""
        for part in parts:
            entries = [_entry(value, blank.path, teller) if blank.path else "" for blank in part.blanks]
            if part.optional and _has_gap(part, entries):
                continue
            for blank, entry in zip(part.blanks, entries, strict=True):
                line += blank.text + _formatted(entry, blank.spec)
        return line

    return words


def names_in(says: str) -> list[str]:
    """List the names in a template's braces: fields or methods of the event, and terms."""
    return [blank.path.partition(".")[0] for part in _parts(says) for blank in part.blanks if blank.path]


class _Blank(NamedTuple):
    """A piece of a template: a text, and what is filled in after it. The last of a part may have no path."""

    text: str
    path: str
    spec: str


class _Part(NamedTuple):
    """A stretch of a template that is written or left out as a whole."""

    optional: bool
    blanks: list[_Blank]


def _parts(says: str) -> list[_Part]:
    """Parse a template. Every other part of it stands in square brackets."""
    parts = []
    for place, text_of_part in enumerate(re.split(r"[\[\]]", says)):
        parsed = Formatter().parse(text_of_part)
        blanks = [_Blank(text, path or "", spec or "") for text, path, spec, _ in parsed]
        parts.append(_Part(optional=place % 2 == 1, blanks=blanks))
    return parts


def _has_gap(part: _Part, entries: Sequence[Any]) -> bool:
    """Return whether a field of the part is empty or hidden."""
    for blank, entry in zip(part.blanks, entries, strict=True):
        if blank.path and (entry is WITHHELD or not entry):
            return True
    return False


def _formatted(entry: Any, spec: str) -> str:
    """Format what is filled in: `+` is a sign, `on|off` a choice between two words, and all else Python's own."""
    if_true, bar, if_false = spec.partition("|")
    if bar:
        return if_true if entry else if_false
    return signed(entry) if spec == "+" else format(entry, spec)


def _entry(value: Any, path: str, teller: Teller) -> Any:
    """Find what a name in braces stands for, and put people and choices into words."""
    first = path.partition(".")[0]
    if not hasattr(value, first):  # a template names fields and methods of any event, or a term of the skin
        return teller.term(path)
    *holders, name = path.split(".")
    for holder in holders:
        value = getattr(value, holder)
        if value is None:
            return None
    entry = getattr(value, name)
    if is_value(type(value)) and name in people_named_by(type(value)):
        return _names_of_people(entry, teller)
    if callable(entry):
        return entry(teller)
    return teller.term(entry.value) if isinstance(entry, Enum) else entry


def _names_of_people(ids: Any, teller: Teller) -> str:
    if ids is None:
        return ""
    if isinstance(ids, tuple):
        return ", ".join(teller.name(who) for who in ids)
    return teller.name(ids)
