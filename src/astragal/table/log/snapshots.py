"""The course of a table as bytes and back: a cache, so that a long log need not be read from its beginning.

Values are written with the names of their types and fields. A snapshot that does not fit the program to the letter is
stale, and the log is read instead. The setting, which never changes, is taken from how the table was opened.
"""

import sys
from collections import deque
from collections.abc import Mapping
from enum import Enum
from typing import Any, NamedTuple

import msgspec

from astragal.fair import FairError, Ledger
from astragal.table.declarations import is_value, parts_of
from astragal.table.log.history import MOST_UNDOS, Course, Standing
from astragal.table.state.setting import Setting
from astragal.values import field_names


class Stale(Exception):
    """The snapshot was made by another version of the program, or is no snapshot."""


def freeze(course: Course, ledger: Ledger, stamp: str) -> bytes:
    """The course and the ledger as bytes, stamped with what they were made by."""
    types: dict[type, int] = {}
    body = [
        course.number,
        course.act,
        _frozen(course.state, types),
        {node: [one.number, _frozen(one.state, types)] for node, one in course.saved.items()},
        [[one.number, _frozen(one.state, types)] for one in course.recent],
        [[number, _frozen(event, types)] for number, event in course.lasting],
        course.abandoned,
        ledger.to_json().decode(),
    ]
    names = [[kind.__module__, kind.__qualname__, _field_names(kind)] for kind in types]
    return msgspec.json.encode([stamp, names, body])


def thaw(data: bytes, stamp: str, course: Course) -> Ledger:
    """Put a frozen course in the place of one that has just begun; returns the ledger. Raises `Stale`."""
    try:
        made_by, names, body = msgspec.json.decode(data)
        if made_by != stamp:
            raise Stale("made by another version")
        types = Types([_found(*name) for name in names], course.state.setting)
        number, act, state, saved, recent, lasting, abandoned, ledger = body
        course.number, course.act, course.state = number, act, _thawed(state, types)
        course.saved = {node: Standing(at, _thawed(one, types)) for node, (at, one) in saved.items()}
        course.recent = deque((Standing(at, _thawed(one, types)) for at, one in recent), maxlen=MOST_UNDOS)
        course.lasting = [(at, _thawed(one, types)) for at, one in lasting]
        for first, last in abandoned:
            course.abandon(first, last)
        return Ledger.from_json(ledger.encode())
    except (msgspec.MsgspecError, ValueError, TypeError, IndexError, KeyError, FairError) as fault:
        raise Stale(str(fault)) from fault


def _frozen(value: Any, types: dict[type, int]) -> Any:
    """Plain values stand for themselves; anything else is a list that begins with its kind."""
    if value is None or type(value) in (int, str, bool):
        return value
    if isinstance(value, Enum):
        return ["enum", types.setdefault(type(value), len(types)), value.name]
    if isinstance(value, Setting):
        return ["setting"]
    if is_value(type(value)):
        place = types.setdefault(type(value), len(types))
        return ["value", place, *(_frozen(part, types) for part in parts_of(value).values())]
    if isinstance(value, Mapping):
        return ["map", *([_frozen(key, types), _frozen(part, types)] for key, part in value.items())]
    if isinstance(value, (tuple, list)):
        return ["row" if isinstance(value, tuple) else "list", *(_frozen(part, types) for part in value)]
    raise TypeError(f"a state holds {value!r}, which can't be kept")


class Types(NamedTuple):
    """The types of a snapshot's values, and the setting of its table."""

    found: list[type]
    setting: Setting


def _thawed(raw: Any, types: Types) -> Any:
    if not isinstance(raw, list):
        return raw
    kind, *rest = raw
    if kind == "setting":
        return types.setting
    if kind in ("row", "list"):
        return (tuple if kind == "row" else list)(_thawed(part, types) for part in rest)
    if kind == "map":
        return {_thawed(key, types): _thawed(part, types) for key, part in rest}
    if kind == "enum":
        return types.found[rest[0]][rest[1]]  # type: ignore[index]
    found = types.found[rest[0]]
    return found(**{name: _thawed(part, types) for name, part in zip(_field_names(found), rest[1:], strict=True)})


def _field_names(kind: type) -> list[str]:
    return list(field_names(kind)) if is_value(kind) else []


def _found(module: str, qualname: str, names: list[str]) -> type:
    """A type that is already part of the program: nothing is imported for a snapshot's sake."""
    found: Any = sys.modules.get(module)
    for part in qualname.split("."):
        found = getattr(found, part, None)
    if not isinstance(found, type) or not (is_value(found) or issubclass(found, Enum)):
        raise Stale(f"{module}.{qualname} is no value of this program")
    if _field_names(found) != names:
        raise Stale(f"{qualname} has other fields now")
    return found
