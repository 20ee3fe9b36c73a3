"""What a definition expects, in words."""

from __future__ import annotations

from dataclasses import is_dataclass
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from annotated_types import Ge, Le, MaxLen, MinLen

from astragal.table.fields import Field, fields_of, unwrapped

from .definition import OneLine, Spelled


def expected(hint: Any, marks: tuple[Any, ...]) -> str:
    """ "a whole number from 0 to 2", "a list of exactly 6 lines of text"."""
    field = Field("", hint, marks, required=True, default=None)
    inner = [one for one in get_args(hint) if one is not NoneType]
    if get_origin(hint) is Literal:
        return "one of " + ", ".join(f'"{choice}"' for choice in inner)
    if get_origin(hint) is tuple:
        return f"a list of {_amount(field)} {_plural(*unwrapped(inner[0]))}"
    if NoneType in get_args(hint):
        return expected(*unwrapped(inner[0]))
    if is_dataclass(hint):
        return "a table with " + ", ".join(one.name for one in fields_of(hint) if one.required)  # type: ignore[arg-type]
    return _plain(hint, field)


def _plain(hint: Any, field: Field) -> str:
    if hint is int:
        return _whole_number(field)
    if hint is bool:
        return "true or false"
    if hint is str:
        return _text(field)
    return "a table of whole numbers"


def _whole_number(field: Field) -> str:
    least, most = field.limit(Ge), field.limit(Le)
    return "a whole number" if least is None else f"a whole number from {least} to {most}"


def _text(field: Field) -> str:
    spelled = next((mark.expected for mark in field.marks if isinstance(mark, Spelled)), None)
    if spelled:
        return spelled
    kind = "a line of text" if any(isinstance(mark, OneLine) for mark in field.marks) else "text"
    return f"{kind} of {_amount(field)} characters that can be seen"


def _amount(field: Field) -> str:
    least, most = field.limit(MinLen), field.limit(MaxLen)
    if least is None:
        return f"at most {most}"
    return f"exactly {most}" if least == most else f"{least} to {most}"


def _plural(hint: Any, marks: tuple[Any, ...]) -> str:
    if is_dataclass(hint):
        return "tables"
    return "lines of text" if any(isinstance(mark, OneLine) for mark in marks) else "texts"
