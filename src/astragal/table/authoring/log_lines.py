"""Lines of the log: names of people, terms of the skin, and templates that are filled in from an event's fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import Enum
from string import Formatter
from typing import TYPE_CHECKING, Any

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
        self._state, self._terms = state, terms

    def name(self, who: Any) -> str:
        """Return the name of a character or a seat; “someone” if there is none."""
        found = self._state.cast.get(who) or self._state.seats.get(who)
        return found.name if found else "someone"

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
    parts = [(place % 2 == 1, pieces) for place, pieces in enumerate(_pieces(says))]

    def words(value: Any, teller: Teller) -> str:
        told = ""
        for optional, pieces in parts:
            found: list[Any] = [_filled(value, name, teller) for _, name, _, _ in pieces if name]
            if optional and not all(one is not WITHHELD and one for one in found):
                continue
            for text, name, spec, _ in pieces:
                one: Any = found.pop(0) if name else ""
                yes, either, no = (spec or "").partition("|")
                told += text + ((yes if one else no) if either else signed(one) if spec == "+" else format(one, yes))
        return told

    return words


def names_in(says: str) -> list[str]:
    """List the names in a template's braces: fields or methods of the event, and terms."""
    return [name.partition(".")[0] for pieces in _pieces(says) for _, name, _, _ in pieces if name]


def _pieces(says: str) -> list[list[Any]]:
    """Parse a template into its parts, every other one of which was in square brackets; each has texts and fields."""
    return [list(Formatter().parse(part)) for part in re.split(r"[\[\]]", says)]


def _filled(value: Any, path: str, teller: Teller) -> Any:
    if not hasattr(value, path.partition(".")[0]):
        return teller.term(path)
    *inside, name = path.split(".")
    for part in inside:
        value = getattr(value, part)
        if value is None:
            return None
    found = getattr(value, name)
    if is_value(type(value)) and name in people_named_by(type(value)):
        several = found if isinstance(found, tuple) else () if found is None else (found,)
        return ", ".join(teller.name(one) for one in several)
    if callable(found):
        return found(teller)
    return teller.term(found.value) if isinstance(found, Enum) else found
