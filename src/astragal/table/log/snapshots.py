"""Snapshots: the history of a table as bytes, a cache, so that a long log need not be read from its beginning.

Values are written with the names of their types and fields. A snapshot that does not match the program exactly is
stale, and the log is read instead. The setting, which never changes, is not stored in it but taken from the table's
first entry.
"""

import sys
from collections import deque
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple

import msgspec

from astragal.fair import FairError, Ledger
from astragal.fields import field_names
from astragal.table.declarations import is_value, parts_of
from astragal.table.log.history import MOST_UNDOS, Checkpoint, History, LastingEvent
from astragal.table.state.setting import Setting

# `Any` in this file is a value of any type that a state may hold, or the JSON that stands for it.


class Stale(Exception):
    """The snapshot was made by another version of the program, or is not a snapshot."""


def freeze(history: History, ledger: Ledger, stamp: str) -> bytes:
    """Encode history and ledger as bytes, stamped with the version that made them."""
    freezer = Freezer()
    body = [
        history.number,
        history.act,
        freezer.frozen(history.state),
        {node: [saved.number, freezer.frozen(saved.state)] for node, saved in history.saved.items()},
        [[recent.number, freezer.frozen(recent.state)] for recent in history.recent],
        [[lasting.number, freezer.frozen(lasting.event)] for lasting in history.lasting],
        history.abandoned,
        ledger.to_json().decode(),
    ]
    types = [[kind.__module__, kind.__qualname__, _field_names(kind)] for kind in freezer.types]
    return msgspec.json.encode([stamp, types, freezer.rows, body])


def thaw(data: bytes, stamp: str, history: History) -> Ledger:
    """Decode a snapshot into a history that has just begun, and return its ledger. Raises `Stale`."""
    try:
        made_by, types, rows, body = msgspec.json.decode(data)
        if made_by != stamp:
            raise Stale("made by another version")
        number, act, state, saved, recent, lasting, abandoned, ledger = body
        thawer = Thawer(rows, [_find_type(*names) for names in types], history.state.setting)
        history.number = number
        history.act = act
        history.state = thawer.thawed(state)
        history.saved = {node: Checkpoint(at, thawer.thawed(value)) for node, (at, value) in saved.items()}
        history.recent = deque((Checkpoint(at, thawer.thawed(value)) for at, value in recent), maxlen=MOST_UNDOS)
        history.lasting = [LastingEvent(at, thawer.thawed(event)) for at, event in lasting]
        for first, last in abandoned:
            history.abandon(first, last)
        return Ledger.from_json(ledger.encode())
    except (msgspec.MsgspecError, ValueError, TypeError, IndexError, KeyError, FairError) as fault:
        raise Stale(str(fault)) from fault


class FrozenValue(NamedTuple):
    """A value that was encoded, and the reference to its row. While it is held, its `id` is not used again."""

    reference: list[int]
    value: Any


class Freezer:
    """Encodes values as rows, each with its kind first. A value that several states share is written once.

    A number in a list, `[7]`, refers to the value of that row; a row refers only to earlier rows.
    """

    def __init__(self) -> None:
        self.types: dict[type, int] = {}
        """The types that rows refer to, with their places."""
        self.rows: list[list[Any]] = []
        self._frozen: dict[int, FrozenValue] = {}
        """The values encoded so far, by `id`: most of a state is shared with the next one."""

    def frozen(self, value: Any) -> Any:
        """Encode a value: plain values as they are, anything else as a reference to its row."""
        if value is None or type(value) in (int, str, bool):
            return value
        frozen = self._frozen.get(id(value))
        if frozen is None:
            row = self._row(value)
            self.rows.append(row)
            frozen = FrozenValue([len(self.rows) - 1], value)
            self._frozen[id(value)] = frozen
        return frozen.reference

    def _row(self, value: Any) -> list[Any]:
        if isinstance(value, Enum):
            return ["enum", self._place_of(type(value)), value.name]
        if isinstance(value, Setting):
            return ["setting"]
        if is_value(type(value)):
            return ["value", self._place_of(type(value)), *map(self.frozen, parts_of(value).values())]
        if isinstance(value, Mapping):
            return ["map", *map(self.frozen, value), *map(self.frozen, value.values())]
        if isinstance(value, tuple):
            return ["row", *map(self.frozen, value)]
        if isinstance(value, list):
            return ["list", *map(self.frozen, value)]
        raise TypeError(f"a state holds {value!r}, which can't be kept")

    def _place_of(self, kind: type) -> int:
        return self.types.setdefault(kind, len(self.types))


class Thawer:
    """Decodes the rows of a `Freezer`."""

    def __init__(self, rows: Sequence[Sequence[Any]], types: Sequence[Any], setting: Setting) -> None:
        self._types = types
        self._setting = setting
        self._values: list[Any] = []
        """The value of each row."""
        for kind, *parts in rows:
            self._values.append(self._value(kind, parts))

    def thawed(self, frozen: Any) -> Any:
        """Return what a plain value or a reference stands for."""
        return self._values[frozen[0]] if isinstance(frozen, list) else frozen

    def _value(self, kind: str, parts: Sequence[Any]) -> Any:
        if kind == "setting":
            return self._setting
        if kind == "enum":
            place, name = parts
            return self._types[place][name]
        if kind == "value":
            value_type = self._types[parts[0]]
            fields = map(self.thawed, parts[1:])
            return value_type(**dict(zip(_field_names(value_type), fields, strict=True)))
        if kind == "map":
            count = len(parts) // 2
            keys = map(self.thawed, parts[:count])
            values = map(self.thawed, parts[count:])
            return dict(zip(keys, values, strict=True))
        items = map(self.thawed, parts)
        return tuple(items) if kind == "row" else list(items)


def _field_names(kind: type) -> list[str]:
    return list(field_names(kind)) if is_value(kind) else []


def _find_type(module: str, qualname: str, names: list[str]) -> type:
    """Find a type among the modules loaded so far; a snapshot imports nothing. Raises `Stale`."""
    kind: Any = sys.modules.get(module)
    for part in qualname.split("."):
        kind = getattr(kind, part, None)
    if not isinstance(kind, type) or not (is_value(kind) or issubclass(kind, Enum)):
        raise Stale(f"{module}.{qualname} is no value of this program")
    if _field_names(kind) != names:
        raise Stale(f"{qualname} has other fields now")
    return kind
