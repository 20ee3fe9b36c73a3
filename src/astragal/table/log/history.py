"""History of a table: a tree of events, whose state is the fold of the path to its head. Rewinds, undo and snapshots.

A rewind's new state is the fold of the path to its save node, then of every lasting event after it, in the order of the
log. So points spent on the abandoned branch come back, and prices of rewinds do not. Nothing is deleted.

A snapshot is the history of a table as bytes: a cache, so that a long log need not be read from its beginning. Values
are written with the names of their types and fields. A snapshot that does not match the program exactly is stale, and
the log is read instead. The setting, which never changes, is not stored in it but taken from the table's first entry.
"""

import sys
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, NamedTuple

import msgspec

from astragal.fair import FairError, Ledger
from astragal.fields import field_names
from astragal.table.commands.builtin import Happened, Rewound, SaveNodeMarked
from astragal.table.declarations import Nature, is_value, kind_of_event, parts_of
from astragal.table.state.setting import Setting
from astragal.table.state.table import State

MOST_UNDOS = 32


class Checkpoint(NamedTuple):
    """A state to go back to: the one after entry `number`."""

    number: int
    state: State


Folds = Mapping[type, Callable[[State, Any], State] | None]
"""The fold of each event; None for one that changes nothing."""


class History:
    """The fold of a log, with its rewinds."""

    def __init__(self, state: State, folds: Folds) -> None:
        self.state = state
        self.number = 0
        self.saved: dict[str, Checkpoint] = {}
        self.recent: deque[Checkpoint] = deque(maxlen=MOST_UNDOS)
        self.lasting: list[tuple[int, Any]] = []
        self.abandoned: list[tuple[int, int]] = []
        """Ranges of abandoned entries (first and last number), in order and without overlaps."""
        self._carried: dict[int, tuple[int, State]] = {}
        """Cache for rewinds, by checkpoint number: how many lasting events are folded into its state; the result."""
        self._folds = folds
        self._natures = {kind: kind_of_event(kind).nature for kind in folds}
        self.act = ""

    def advance(self, happened: Happened, state: State | None = None) -> None:
        """Apply the next entry of the log. `state` is the resulting state, if it was calculated already."""
        number, _, _, act, event, _, _ = happened
        kind = type(event)
        nature, fold = self._natures[kind], self._folds[kind]
        if nature is Nature.STORY and act != self.act:
            self.recent.append(Checkpoint(self.number, self.state))
        self.act, self.number = act, number
        if kind is Rewound:
            self.state = state or self.rewound(event)
            self.abandon(event.to + 1, number - 1)
            self._forget_after(event.to)
        elif fold is not None:
            self.state = state or fold(self.state, event)
        if kind is SaveNodeMarked:
            self.saved[event.node] = Checkpoint(number, self.state)
        if nature is Nature.LASTING and fold is not None:
            self.lasting.append((number, event))

    def fold(self, state: State, event: Any) -> State:
        """Return the state after an event; a rewind leads back to an earlier one."""
        if isinstance(event, Rewound):
            return self.rewound(event)
        return self._folded(state, event)

    def rewound(self, event: Rewound) -> State:
        """Return the state that a rewind leads to, before its price is paid."""
        checkpoint = self.checkpoint(event.to)
        first = bisect_right(self.lasting, checkpoint.number, key=lambda one: one[0])
        folded, state = self._carried.get(checkpoint.number, (first, checkpoint.state))
        for _, lasting in self.lasting[folded:]:
            state = self._folded(state, lasting)
        self._carried[checkpoint.number] = len(self.lasting), state
        return self._folded(state, event)

    def _folded(self, state: State, event: Any) -> State:
        fold = self._folds[type(event)]
        return state if fold is None else fold(state, event)

    def checkpoint(self, number: int) -> Checkpoint:
        """Return the checkpoint after this entry. Raises `LookupError` if there is none."""
        for checkpoint in (*self.saved.values(), *self.recent):
            if checkpoint.number == number:
                return checkpoint
        raise LookupError(f"it goes back to entry {number}, and no state was kept there")

    def is_abandoned(self, happened: Happened) -> bool:
        """Return whether a rewind has abandoned this event."""
        if self._natures[type(happened.event)] is Nature.LASTING:
            return False
        before = bisect_right(self.abandoned, happened.number, key=lambda one: one[0])
        return before > 0 and happened.number <= self.abandoned[before - 1][1]

    def abandon(self, first: int, last: int) -> None:
        """Mark these entries as abandoned, merging ranges within them that were abandoned earlier."""
        while self.abandoned and self.abandoned[-1][1] >= first:
            first = min(first, self.abandoned.pop()[0])
        self.abandoned.append((first, last))

    def _forget_after(self, number: int) -> None:
        """Drop the checkpoints after this entry: one can only go back to points on the present path."""
        self.saved = {node: checkpoint for node, checkpoint in self.saved.items() if checkpoint.number <= number}
        self.recent = deque((one for one in self.recent if one.number < number), maxlen=MOST_UNDOS)
        kept = {checkpoint.number for checkpoint in (*self.saved.values(), *self.recent)}
        self._carried = {number: carried for number, carried in self._carried.items() if number in kept}


# ---------------------------------------------------------------- snapshots


class Stale(Exception):
    """The snapshot was made by another version of the program, or is not a snapshot."""


def freeze(history: History, ledger: Ledger, stamp: str) -> bytes:
    """Encode history and ledger as bytes, stamped with the version that made them."""
    freezer = Freezer()
    frozen = freezer.frozen
    body = [
        history.number,
        history.act,
        frozen(history.state),
        {node: [one.number, frozen(one.state)] for node, one in history.saved.items()},
        [[one.number, frozen(one.state)] for one in history.recent],
        [[number, frozen(event)] for number, event in history.lasting],
        history.abandoned,
        ledger.to_json().decode(),
    ]
    names = [[kind.__module__, kind.__qualname__, _field_names(kind)] for kind in freezer.types]
    return msgspec.json.encode([stamp, names, freezer.values, body])


def thaw(data: bytes, stamp: str, history: History) -> Ledger:
    """Decode a snapshot into a history that has just begun, and return its ledger. Raises `Stale`."""
    try:
        made_by, names, values, body = msgspec.json.decode(data)
        if made_by != stamp:
            raise Stale("made by another version")
        number, act, state, saved, recent, lasting, abandoned, ledger = body
        thawed = _thawed(values, [_found(*name) for name in names], history.state.setting)
        history.number, history.act, history.state = number, act, thawed(state)
        history.saved = {node: Checkpoint(at, thawed(one)) for node, (at, one) in saved.items()}
        history.recent = deque((Checkpoint(at, thawed(one)) for at, one in recent), maxlen=MOST_UNDOS)
        history.lasting = [(at, thawed(one)) for at, one in lasting]
        for first, last in abandoned:
            history.abandon(first, last)
        return Ledger.from_json(ledger.encode())
    except (msgspec.MsgspecError, ValueError, TypeError, IndexError, KeyError, FairError) as fault:
        raise Stale(str(fault)) from fault


class Freezer:
    """Encodes values as rows, each with its kind first. A value that several states share is written once.

    A number in a list, `[7]`, refers to the value of that row; a row refers only to earlier rows.
    """

    def __init__(self) -> None:
        self.types: dict[type, int] = {}
        self.values: list[list[Any]] = []
        self._places: dict[int, tuple[list[int], Any]] = {}
        """References by the `id` of a value; with the value itself, so that its `id` is not used again."""

    def frozen(self, value: Any) -> Any:
        """Encode a value: plain values as they are, anything else as a reference to its row."""
        if value is None or type(value) in (int, str, bool):
            return value
        if known := self._places.get(id(value)):
            return known[0]
        row = self._row(value)
        self.values.append(row)
        named = [len(self.values) - 1]
        self._places[id(value)] = named, value
        return named

    def _row(self, value: Any) -> list[Any]:
        frozen = self.frozen
        if isinstance(value, Enum):
            return ["enum", self._place_of(type(value)), value.name]
        if isinstance(value, Setting):
            return ["setting"]
        if is_value(type(value)):
            return ["value", self._place_of(type(value)), *map(frozen, parts_of(value).values())]
        if isinstance(value, Mapping):
            return ["map", *map(frozen, value), *map(frozen, value.values())]
        if isinstance(value, (tuple, list)):
            return ["row" if isinstance(value, tuple) else "list", *map(frozen, value)]
        raise TypeError(f"a state holds {value!r}, which can't be kept")

    def _place_of(self, kind: type) -> int:
        return self.types.setdefault(kind, len(self.types))


def _thawed(values: list[list[Any]], types: list[type], setting: Setting) -> Callable[[Any], Any]:
    """Decode the rows, and return a function that resolves a plain value or a reference."""
    known: list[Any] = []

    def thawed(frozen: Any) -> Any:
        return known[frozen[0]] if isinstance(frozen, list) else frozen

    for kind, *rest in values:
        if kind == "setting":
            known.append(setting)
        elif kind == "enum":
            known.append(types[rest[0]][rest[1]])
        elif kind == "value":
            found = types[rest[0]]
            known.append(found(**dict(zip(_field_names(found), map(thawed, rest[1:]), strict=True))))
        elif kind == "map":
            keys = len(rest) // 2
            known.append(dict(zip(map(thawed, rest[:keys]), map(thawed, rest[keys:]), strict=True)))
        else:
            known.append((tuple if kind == "row" else list)(map(thawed, rest)))
    return thawed


def _field_names(kind: type) -> list[str]:
    return list(field_names(kind)) if is_value(kind) else []


def _found(module: str, qualname: str, names: list[str]) -> type:
    """Find a type among the modules loaded so far; a snapshot imports nothing. Raises `Stale`."""
    found: Any = sys.modules.get(module)
    for part in qualname.split("."):
        found = getattr(found, part, None)
    if not isinstance(found, type) or not (is_value(found) or issubclass(found, Enum)):
        raise Stale(f"{module}.{qualname} is no value of this program")
    if _field_names(found) != names:
        raise Stale(f"{qualname} has other fields now")
    return found
