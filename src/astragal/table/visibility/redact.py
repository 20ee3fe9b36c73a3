"""Redaction: every field is marked with who may see it; one without a mark is for the game master alone.

`redact` reduces a value to what a viewer may know. The result has the same type, with `WITHHELD` in place of hidden
parts, so that the same rules run on a partial view. `plain` turns a redacted value into JSON values and leaves hidden
parts out. `RedactionCache` caches the views of a table, so that only changed parts are redacted again.
"""

from collections.abc import Mapping
from enum import Enum
from operator import is_ as _is
from types import NoneType
from typing import Any, TypeVar, cast

import msgspec
from msgspec import Struct

from astragal.fields import field_names
from astragal.table.declarations import Role, Seen, Viewer, is_value, with_parts
from astragal.table.fields.definitions import Field, UnknownShape, fields_of, once_for_each_type
from astragal.table.fields.shapes import AnyShape, RecordShape, Shape, innermost
from astragal.table.refusals import DependsOnHidden
from astragal.table.state.table import State, TableState

__all__ = ["WITHHELD"]

T = TypeVar("T")


class Withheld:
    """Placeholder for a value that the viewer may not know. It can be passed on and calculated with; a decision that
    depends on it (truth, order, length, iteration) raises `DependsOnHidden`.
    """

    def __repr__(self) -> str:
        return "hidden"

    def _itself(self, *_: object) -> Any:
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __floordiv__ = __neg__ = _itself
    __getitem__ = __call__ = _itself

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def _undecidable(self, *_: object) -> Any:
        raise DependsOnHidden("That depends on something you can't know.")

    __bool__ = __lt__ = __le__ = __gt__ = __ge__ = __iter__ = __len__ = __contains__ = __index__ = _undecidable


WITHHELD: Any = Withheld()
"""The only instance of `Withheld`."""


def redact(value: T, viewer: Viewer, *, owned: bool = False, difficulty_hidden: bool = False) -> T:
    """Return the value as the viewer may see it. Entries of a collection that are not for them are left out.

    Values are never changed in place, so a value without hidden parts is returned itself.
    """
    cut: T = _opened(value) if viewer.is_game_master else _cut(value, viewer, owned, difficulty_hidden)
    return cut


def shows(value: Any, name: str, viewer: Viewer) -> bool:
    """Return whether the viewer may see a field of this value, judging by the value alone."""
    if viewer.is_game_master:
        return True
    return bool(getattr(value, "is_for", _everyone)(viewer)) and dict(field_visibility(type(value)))[name] is Seen.ALL


def plain(value: Any) -> Any:
    """Convert a redacted value to JSON values: enums become their values, hidden parts are left out."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if _is_compound(kind):
        try:
            return msgspec.json.decode(msgspec.json.encode(value))  # eight times as fast as part by part
        except (TypeError, ValueError):  # something in it is withheld, or is no JSON value
            shown = ((name, getattr(value, name)) for name, _ in field_visibility(kind))
            return {name: plain(part) for name, part in shown if part is not WITHHELD}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(part) for key, part in value.items() if part is not WITHHELD}
    if isinstance(value, (tuple, list, frozenset)):
        return [plain(part) for part in value if part is not WITHHELD]
    return value


_PLAIN = frozenset({int, str, bool, NoneType})
"""Fast path: types of values with nothing to redact or convert, which most values have."""


# ---------------------------------------------------------------- what a type says


_GUARDED: dict[type, tuple[tuple[str, Seen], ...]] = {}
_SEALED: dict[type, tuple[tuple[str, Seen], ...]] = {}


_is_compound = once_for_each_type(is_value)


@once_for_each_type
def field_visibility(kind: type) -> tuple[tuple[str, Seen], ...]:
    """Return each field of a type with who may see it.

    A field's own mark counts first, then its class's default, then `Seen.GAME_MASTER`.
    """
    default = getattr(kind, "__seen__", None) or Seen.GAME_MASTER
    marked = ((field.name, (mark for mark in field.marks if isinstance(mark, Seen))) for field in fields_of(kind))
    return tuple((name, next(marks, default)) for name, marks in marked)


def _guarded(kind: type) -> tuple[tuple[str, Seen], ...]:
    """Return the fields that may hide something from somebody; the others can be skipped."""
    if kind not in _GUARDED:
        _GUARDED[kind] = field_visibility(kind)  # for a recursive type
        opened = {field.name for field in fields_of(kind) if _is_open(field)}
        _GUARDED[kind] = tuple(
            (name, sight) for name, sight in field_visibility(kind) if sight is not Seen.ALL or name not in opened
        )
    return _GUARDED[kind]


def _is_open(field: Field) -> bool:
    """Return whether everyone may see all of any value in this field. An unknown shape counts as no."""
    try:
        return all(map(_shows_all, innermost(field.shape)))
    except UnknownShape:
        return False


def _shows_all(shape: Shape) -> bool:
    if isinstance(shape, RecordShape):
        return is_for_all(shape.kind)
    return not isinstance(shape, AnyShape)


def is_for_all(kind: type) -> bool:
    """Return whether everyone may see all of every value of this type."""
    return not hasattr(kind, "is_for") and not _guarded(kind)


def _sealed(kind: type) -> tuple[tuple[str, Seen], ...]:
    """Return the fields that may hide something from a game master."""
    if kind not in _SEALED:
        opened = {field.name for field in fields_of(kind) if _is_open(field)}
        _SEALED[kind] = tuple(
            (name, sight) for name, sight in field_visibility(kind) if sight is Seen.NOBODY or name not in opened
        )
    return _SEALED[kind]


# ---------------------------------------------------------------- cutting


def _cut(value: Any, viewer: Viewer, owned: bool, difficulty_hidden: bool) -> Any:
    kind = type(value)
    if kind in _PLAIN:
        return value
    if not _is_compound(kind):
        return _cut_parts(value, viewer, owned, difficulty_hidden)
    if not getattr(value, "is_for", _everyone)(viewer):
        return WITHHELD
    guarded = _guarded(kind)
    if not guarded:
        return value
    owner = getattr(value, "owner", None)
    if owner is not None:  # a value's own owner overrides that of the value around it
        owned = viewer.owns(owner)
    difficulty_hidden = difficulty_hidden or getattr(value, "hides", False) is True
    changed: dict[str, Any] = {}
    for name, sight in guarded:
        part = getattr(value, name)
        may_see = sight is Seen.ALL or _may_see(sight, owned=owned, difficulty_hidden=difficulty_hidden)
        seen = _cut(part, viewer, owned, difficulty_hidden) if may_see else WITHHELD
        if seen is not part:
            changed[name] = seen
    return with_parts(value, changed) if changed else value


def _cut_parts(value: Any, viewer: Viewer, owned: bool, difficulty_hidden: bool) -> Any:
    """Redact the items of a collection, leaving hidden ones out."""
    if isinstance(value, tuple):
        if _PLAIN.issuperset(map(type, value)):
            return value
        parts = [_cut(part, viewer, owned, difficulty_hidden) for part in value]
        if all(map(_is, parts, value)):
            return value
        return tuple(part for part in parts if part is not WITHHELD)
    if isinstance(value, (dict, Mapping)) and not _PLAIN.issuperset(map(type, value.values())):
        cut = {key: _cut(part, viewer, owned, difficulty_hidden) for key, part in value.items()}
        return _same_or(value, {key: part for key, part in cut.items() if part is not WITHHELD})
    return value


def _opened(value: Any) -> Any:
    """Redact a value for the game master, who sees all but fields marked `Seen.NOBODY`."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if _is_compound(kind):
        parts = ((name, sight, getattr(value, name)) for name, sight in _sealed(kind))
        seen = ((name, part, WITHHELD if sight is Seen.NOBODY else _opened(part)) for name, sight, part in parts)
        changed = {name: opened for name, part, opened in seen if opened is not part}
        return with_parts(value, changed) if changed else value
    if isinstance(value, Mapping):
        return _same_or(value, {key: _opened(part) for key, part in value.items()})
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        opened = tuple(_opened(part) for part in value)
        return value if all(map(_is, opened, value)) else opened
    return value


def _may_see(sight: Seen, *, owned: bool, difficulty_hidden: bool) -> bool:
    match sight:
        case Seen.ALL:
            return True
        case Seen.OWNER:
            return owned
        case Seen.DIFFICULTY:
            return not difficulty_hidden
        case Seen.GAME_MASTER | Seen.NOBODY:
            return False


def _same_or(whole: Mapping[Any, Any], cut: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """Return the original mapping if nothing was cut, so that it stays the same object."""
    return whole if len(cut) == len(whole) and all(map(_is, cut.values(), whole.values())) else cut


def _everyone(_: object) -> bool:
    return True


# ---------------------------------------------------------------- redacted values that several viewers share


class RecordingViewer:
    """Viewer that records what redaction asks of it, since viewers with the same answers share the same result."""

    def __init__(self, viewer: Viewer, *, is_named: bool = False) -> None:
        self._viewer, self._is_named = viewer, is_named
        self._owned: dict[str, bool] = {}

    @property
    def role(self) -> Role:
        return self._viewer.role

    @property
    def is_game_master(self) -> bool:
        return self._viewer.is_game_master

    @property
    def seat(self) -> str:
        return self._named().seat

    @property
    def characters(self) -> frozenset[str]:
        return self._named().characters

    def owns(self, owner: str) -> bool:
        found = self._owned[owner] = self._viewer.owns(owner)
        return found

    def answers_as(self, viewer: Viewer) -> bool:
        """Return whether this viewer would have given the same answers."""
        if self._is_named:
            return self._viewer == viewer
        return self.role is viewer.role and all(viewer.owns(owner) is owned for owner, owned in self._owned.items())

    def _named(self) -> Viewer:
        """Note that the viewer's identity was asked for, so that nobody else can share the result."""
        self._is_named = True
        return self._viewer


# ---------------------------------------------------------------- views of a table, cached for each seat

UNCHANGED: Mapping[str, Any] = dict.fromkeys(field_names(TableState))
"""None for each part of the table: nothing to redact again."""


class _Seen(Struct, frozen=True):
    viewer: Viewer
    whole: State
    view: State


class RedactionCache:
    """Cache of a table's redacted views, by seat. Values never change in place, so only new objects are redacted."""

    def __init__(self) -> None:
        self._last: dict[str, _Seen] = {}
        """The last view of each seat at the table: only what has changed since is redacted again."""
        self._cuts: list[tuple[RecordingViewer, State, Mapping[str, Any], State]] = []
        """For the state `_cut_in`: recording viewers, the state each saw before, its changes, and these redacted."""
        self._cut_in: State | None = None

    def of(self, whole: State, viewer: Viewer) -> State:
        """Return the table as the viewer may see it."""
        last = self._last.get(viewer.seat)
        if last is None or last.viewer != viewer:
            view = redact(whole, viewer)
        elif last.whole is whole:
            return last.view
        else:
            view = self._again(whole, viewer, last)
        self._last[viewer.seat] = _Seen(viewer, whole, view)
        if len(self._last) > len(whole.seats):  # a removed seat's would keep a state of long ago
            self._last = {seat: seen for seat, seen in self._last.items() if seat in whole.seats}
        return view

    def _again(self, whole: State, viewer: Viewer, last: _Seen) -> State:
        """Redact the changed parts, and merge them with the seat's last view."""
        changed, cut = self._cut(whole, viewer, last.whole)
        joined = {
            name: _joined(getattr(whole, name), getattr(last.whole, name), getattr(last.view, name), getattr(cut, name))
            for name in changed
        }
        return with_parts(last.view, joined)

    def _cut(self, whole: State, viewer: Viewer, before: State) -> tuple[Mapping[str, Any], State]:
        """Return the changed parts, and a state of them redacted, shared by all viewers who answer the same."""
        if self._cut_in is not whole:
            self._cut_in, self._cuts = whole, []
        for looker, earlier, changed, cut in self._cuts:
            if earlier is before and looker.answers_as(viewer):
                return changed, cut
        changed = {}
        for name in UNCHANGED:
            part = getattr(whole, name)
            earlier_part = getattr(before, name)
            if part is not earlier_part:
                changed[name] = _changed(part, earlier_part)
        looker = RecordingViewer(viewer)
        cut = redact(with_parts(whole, {**UNCHANGED, **changed}), cast("Viewer", looker))
        self._cuts.append((looker, before, changed, cut))
        return changed, cut


def _changed(part: Any, before: Any) -> Any:
    """Return the entries of a part that have to be redacted again."""
    if isinstance(part, Mapping) and isinstance(before, Mapping):
        return {key: one for key, one in part.items() if key not in before or before[key] is not one}
    return part


def _joined(part: Any, before: Any, seen_before: Any, seen: Any) -> Any:
    """Merge the cached redacted entries of a part with newly redacted ones."""
    if seen is WITHHELD or not (isinstance(part, Mapping) and isinstance(before, Mapping)):
        return seen
    found = {}
    for key, one in part.items():
        source = seen_before if key in before and before[key] is one else seen
        if key in source:
            found[key] = source[key]
    return found
