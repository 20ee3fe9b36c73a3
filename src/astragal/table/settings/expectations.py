"""Shapes and plain values in the words of whoever writes a settings file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from astragal.table.fields.definitions import fields_of
from astragal.table.fields.shapes import (
    ChoiceShape,
    EitherShape,
    FlagShape,
    ListShape,
    MappingShape,
    NumberShape,
    RecordShape,
    Shape,
    TextShape,
)
from astragal.table.fields.signs import printable

LONGEST_SHOWN = 64


def in_words(shape: Shape) -> str:
    """ "a whole number from 0 to 2", "a list of exactly 6 lines of text"."""
    match shape:
        case FlagShape():
            return "true or false"
        case NumberShape(least=least, most=most):
            return "a whole number" if least is None or most is None else f"a whole number from {least} to {most}"
        case TextShape(spelled=spelled) if spelled is not None:
            return spelled.expected
        case TextShape(least=least, most=most, one_line=one_line):
            kind = "a line of text" if one_line else "text"
            return kind if most is None else f"{kind} of {_amount(least, most)} characters that can be seen"
        case ChoiceShape(values=values):
            return "one of " + ", ".join(map(described, values))
        case ListShape(item=item, least=least, most=most):
            return f"a list of {_amount(least, most)} {_plural(item)}"
        case MappingShape(item=item):
            return f"a table of {_plural(item)}"
        case RecordShape(kind=kind):
            return "a table with " + ", ".join(one.name for one in fields_of(kind) if one.required)
        case EitherShape(shapes=shapes):
            return " or ".join(map(in_words, shapes))
        case _:
            return "something else"


def _amount(least: int, most: int | None) -> str:
    if most is None:
        return f"{least} or more" if least else "any number of"
    if not least:
        return f"at most {most}"
    return f"exactly {most}" if least == most else f"{least} to {most}"


def _plural(shape: Shape) -> str:
    match shape:
        case RecordShape() | MappingShape():
            return "tables"
        case NumberShape():
            return "whole numbers"
        case TextShape(one_line=one_line):
            return "lines of text" if one_line else "texts"
        case _:
            return "values"


def described(raw: Any) -> str:
    """Description of a wrong value, in a few words."""
    match raw:
        case None:
            return "nothing"
        case bool():
            return "true" if raw else "false"
        case str():
            return f'"{printable(raw)}"' if len(raw) <= LONGEST_SHOWN else f"a text of {len(raw)} characters"
        case list():
            return f"a list of {len(raw)}"
        case Mapping():
            return "a table"
        case int():
            return str(raw) if abs(raw) < 10**12 else "a very large number"
    return printable(str(raw))
