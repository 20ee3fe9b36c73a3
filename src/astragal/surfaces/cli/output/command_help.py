"""Commands and their fields in words, from their own definitions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import fill
from typing import TYPE_CHECKING

from astragal.surfaces.shared.words import kind_words, limits, value_words
from astragal.table.fields.definitions import Field
from astragal.table.visibility.redact import plain

if TYPE_CHECKING:
    from astragal.surfaces.shared.seat_view import SeatView

WIDTH = 80
INDENT = 4
MOST_NAMED = 40


def command_help(
    usage: str, words: str, given: Sequence[Field], width: int = WIDTH, view: SeatView | None = None
) -> Iterator[str]:
    """A page of help: what it does, and each field with its meaning, choices, limits, default, and what is here."""
    yield f"Usage: {usage}"
    yield ""
    yield "\n".join(fill(part, width) for part in words.strip().splitlines())
    for title, needed in (("Needed", True), ("Optional", False)):
        if some := [one for one in given if one.required is needed]:
            yield ""
            yield f"{title}:"
            yield from (line for field in some for line in field_help(field, width, view))


def field_help(field: Field, width: int = WIDTH, view: SeatView | None = None) -> Iterator[str]:
    yield f"  --{field.name.replace('_', '-')} {kind_words(field.shape, field.names)}".rstrip()
    here = ", ".join(_here(field, view)) if view else ""
    parts = (field.doc, limits(field), default_words(field), f"here: {here}" if here else "")
    remarks = "; ".join(part for part in parts if part)
    if remarks:
        yield fill(remarks, width, initial_indent=" " * INDENT, subsequent_indent=" " * INDENT)


def _here(field: Field, view: SeatView) -> list[str]:
    """Names that can be typed for the field."""
    kind = field.names or field.suggests
    return list((view.things(kind) or {}).values())[:MOST_NAMED] if kind else []


def default_words(field: Field) -> str:
    if field.required or field.default in (None, "", False, (), {}):
        return ""
    return f"default: {value_words(plain(field.default))}"
