"""Plain values held against a definition: everything that is wrong with them is said at once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import is_dataclass
from types import NoneType
from typing import Any, Literal, TypeVar, cast, get_args, get_origin

from annotated_types import Ge, Le, MaxLen, MinLen

from astragal.table.fields import Field, fields_of, unwrapped

from .definition import OneLine, Spelled
from .expectations import expected
from .faults import Path, Wrong, printable, shown
from .signs import JOINERS, sign_name, strange_sign, tidy

T = TypeVar("T")

LONGEST_TABLE = 64


def read(kind: type[T], raw: Mapping[str, Any]) -> tuple[T | None, list[Wrong]]:
    """The value that was described, or None and everything that is wrong."""
    reader = _Reader()
    value = reader.table(kind, raw, ())
    return (None if reader.wrongs else cast("T", value)), reader.wrongs


class _Reader:
    def __init__(self) -> None:
        self.wrongs: list[Wrong] = []

    def table(self, kind: type, raw: Any, path: Path) -> Any:
        if not isinstance(raw, Mapping):
            return self._refuse(kind, (), raw, path)
        fields = {field.name: field for field in fields_of(kind)}
        unknown = [name for name in raw if name not in fields]
        known = f"one of {', '.join(fields)}"
        self.wrongs += [
            Wrong((*path, name), f"there is no {shown((*path, name))}", known, at_key=True)
            for name in unknown[:LONGEST_TABLE]
        ]
        before = len(self.wrongs)
        values = {name: self._field(field, raw, (*path, name)) for name, field in fields.items()}
        return kind(**values) if len(self.wrongs) == before else None

    def _field(self, field: Field, raw: Mapping[str, Any], path: Path) -> Any:
        if field.name in raw:
            return self._value(field.type, field.marks, raw[field.name], path)
        if field.required:
            self.wrongs.append(Wrong(path, f"{shown(path)} is missing", expected(field.type, field.marks)))
        return field.default

    def _value(self, hint: Any, marks: tuple[Any, ...], raw: Any, path: Path) -> Any:
        origin, inner = get_origin(hint), get_args(hint)
        if NoneType in inner:
            (present,) = (one for one in inner if one is not NoneType)
            bare, more = unwrapped(present)
            return self._value(bare, more, raw, path)
        if origin is tuple:
            return self._list(hint, marks, raw, path)
        if origin is Literal:
            return raw if raw in inner else self._refuse(hint, marks, raw, path)
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return self._mapping(hint, raw, path)
        if is_dataclass(hint):
            return self.table(cast("type", hint), raw, path)
        if hint is str:
            return self._text(marks, raw, path)
        return raw if type(raw) is hint and _within(marks, raw) else self._refuse(hint, marks, raw, path)

    def _list(self, hint: Any, marks: tuple[Any, ...], raw: Any, path: Path) -> Any:
        if not isinstance(raw, list) or not _within(marks, len(raw)):
            self._refuse(hint, marks, raw, path)
        if not isinstance(raw, list) or len(raw) > LONGEST_TABLE:
            return None
        bare, more = unwrapped(get_args(hint)[0])
        return tuple(self._value(bare, more, one, (*path, place)) for place, one in enumerate(raw))

    def _mapping(self, hint: Any, raw: Any, path: Path) -> Any:
        if not isinstance(raw, Mapping) or len(raw) > LONGEST_TABLE:
            return self._refuse(hint, (), raw, path)
        bare, marks = unwrapped(get_args(hint)[1])
        return {name: self._value(bare, marks, one, (*path, name)) for name, one in raw.items()}

    def _text(self, marks: tuple[Any, ...], raw: Any, path: Path) -> str | None:
        if not isinstance(raw, str):
            self._refuse(str, marks, raw, path)
            return None
        one_line = any(isinstance(mark, (OneLine, Spelled)) for mark in marks)
        strange = strange_sign(raw, allowed="" if one_line else f"\n\t{JOINERS}")
        if strange is not None:
            self.wrongs.append(Wrong(path, f"{shown(path)} holds {sign_name(raw[strange])}", expected(str, marks)))
            return None
        text = tidy(raw) if one_line else "\n".join(tidy(line) for line in raw.strip().splitlines())
        spelled = next((mark for mark in marks if isinstance(mark, Spelled)), None)
        if not _within(marks, len(text)) or (spelled and not re.fullmatch(spelled.pattern, raw)):
            self._refuse(str, marks, raw, path)
            return None
        return text

    def _refuse(self, hint: Any, marks: tuple[Any, ...], raw: Any, path: Path) -> Any:
        self.wrongs.append(Wrong(path, f"{shown(path)} is {_described(raw)}", expected(hint, marks)))
        return None


def _within(marks: tuple[Any, ...], size: int) -> bool:
    """Whether a number, or the length of a text or list, keeps to its limits."""
    limits = Field("", int, marks, required=True, default=None)
    least, most = [limits.limit(Ge), limits.limit(MinLen)], [limits.limit(Le), limits.limit(MaxLen)]
    return all(one is None or size >= one for one in least) and all(one is None or size <= one for one in most)


def _described(raw: Any) -> str:
    """What a stranger wrote, in a few words."""
    match raw:
        case bool():
            return "true" if raw else "false"
        case str():
            return f'"{printable(raw)}"' if len(raw) <= LONGEST_TABLE else f"a text of {len(raw)} characters"
        case list():
            return f"a list of {len(raw)}"
        case Mapping():
            return "a table"
        case int():
            return str(raw) if abs(raw) < 10**12 else "a very large number"
    return printable(str(raw))
