"""Redaction: every field is marked with who may see it; one without a mark is for the game master alone.

`redact` reduces a value to what a viewer may know. The result has the same type, with `WITHHELD` in place of hidden
parts, so that the same rules run on a partial view. `plain` turns a redacted value into JSON values and leaves hidden
parts out. One walk redacts for every viewer; `view_cache` keeps what it found, so that only changed parts are redacted
again.
"""

from collections.abc import Mapping
from enum import Enum
from operator import is_
from types import NoneType
from typing import Any, TypeVar, cast

import msgspec

from astragal.table.declarations import Seen, Viewer, is_value, with_parts
from astragal.table.fields.definitions import Field, UnknownShape, fields_of, once_for_each_type
from astragal.table.fields.shapes import AnyShape, RecordShape, Shape, innermost
from astragal.table.refusals import DependsOnHidden

__all__ = ["WITHHELD"]

T = TypeVar("T")

# `Any` in this file is a value of any type that a state or an event may hold.


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
    return cast("T", _Walk(viewer).redacted(value, owned, difficulty_hidden))


def shows(value: Any, name: str, viewer: Viewer) -> bool:
    """Return whether the viewer may see a field of this value, judging by the value alone."""
    if viewer.is_game_master:
        return True
    return _is_for(value, viewer) and dict(field_visibility(type(value)))[name] is Seen.ALL


def plain(value: Any) -> Any:
    """Convert a redacted value to JSON values: enums become their values, hidden parts are left out."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if _is_compound(kind):
        try:
            return msgspec.json.decode(msgspec.json.encode(value))  # eight times as fast as part by part
        except (TypeError, ValueError):  # something in it is withheld, or is no JSON value
            return _plain_parts(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(part) for key, part in value.items() if part is not WITHHELD}
    if isinstance(value, (tuple, list, frozenset)):
        return [plain(part) for part in value if part is not WITHHELD]
    return value


def _plain_parts(value: Any) -> dict[str, Any]:
    parts = {}
    for name, _ in field_visibility(type(value)):
        part = getattr(value, name)
        if part is not WITHHELD:
            parts[name] = plain(part)
    return parts


_PLAIN = frozenset({int, str, bool, NoneType})
"""Fast path: types of values with nothing to redact or convert, which most values have."""


# ---------------------------------------------------------------- what a type says

FieldSights = tuple[tuple[str, Seen], ...]
"""Fields of a type, each with who may see it."""

_GUARDED: dict[type, FieldSights] = {}
"""Cache of `_guarded`, which saves reading a type's marks for each value; types don't change, so nothing ends it."""
_SEALED: dict[type, FieldSights] = {}
"""Cache of `_sealed`, for the same reason."""

_is_compound = once_for_each_type(is_value)


@once_for_each_type
def field_visibility(kind: type) -> FieldSights:
    """Return each field of a type with who may see it.

    A field's own mark counts first, then its class's default, then `Seen.GAME_MASTER`.
    """
    default = getattr(kind, "__seen__", None) or Seen.GAME_MASTER
    sights = []
    for field in fields_of(kind):
        marks = (mark for mark in field.marks if isinstance(mark, Seen))
        sights.append((field.name, next(marks, default)))
    return tuple(sights)


def _guarded(kind: type) -> FieldSights:
    """Return the fields that may hide something from somebody; the others can be skipped."""
    if kind not in _GUARDED:
        _GUARDED[kind] = field_visibility(kind)  # for a recursive type
        open_fields = _open_fields(kind)
        guarded = []
        for name, sight in field_visibility(kind):
            if sight is not Seen.ALL or name not in open_fields:
                guarded.append((name, sight))
        _GUARDED[kind] = tuple(guarded)
    return _GUARDED[kind]


def _sealed(kind: type) -> FieldSights:
    """Return the fields that may hide something from a game master."""
    if kind not in _SEALED:
        open_fields = _open_fields(kind)
        sealed = []
        for name, sight in field_visibility(kind):
            if sight is Seen.NOBODY or name not in open_fields:
                sealed.append((name, sight))
        _SEALED[kind] = tuple(sealed)
    return _SEALED[kind]


def _open_fields(kind: type) -> set[str]:
    """Return the fields whose values hide nothing, whoever may see the field itself."""
    return {field.name for field in fields_of(kind) if _is_open(field)}


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


# ---------------------------------------------------------------- the walk


class _Walk:
    """Walk through a value, from the outside in, that leaves what one viewer may see.

    Two facts are passed down: whether the viewer owns the value around a part, and whether difficulties are hidden in
    it. For a player, `is_for` of a value comes first, then the sight of each field. A game master sees all but fields
    for nobody.
    """

    __slots__ = ("is_game_master", "viewer")

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self.is_game_master = viewer.is_game_master

    def redacted(self, value: Any, owned: bool, difficulty_hidden: bool) -> Any:
        """Return what the viewer may see of a value, or `WITHHELD`."""
        kind = type(value)
        if kind in _PLAIN:
            return value
        if _is_compound(kind):
            return self._compound(value, owned, difficulty_hidden)
        if isinstance(value, tuple):
            return self._items(value, owned, difficulty_hidden)
        if isinstance(value, (dict, Mapping)):
            return self._entries(value, owned, difficulty_hidden)
        return value

    def _compound(self, value: Any, owned: bool, difficulty_hidden: bool) -> Any:
        """Redact a value with fields."""
        if not self.is_game_master and not _is_for(value, self.viewer):
            return WITHHELD
        guarded = _sealed(type(value)) if self.is_game_master else _guarded(type(value))
        if not guarded:
            return value
        if not self.is_game_master:
            owner = getattr(value, "owner", None)
            if owner is not None:  # a value's own owner overrides that of the value around it
                owned = self.viewer.owns(owner)
            difficulty_hidden = difficulty_hidden or getattr(value, "hides", False) is True
        changed: dict[str, Any] = {}
        for name, sight in guarded:
            part = getattr(value, name)
            redacted = WITHHELD
            if sight is Seen.ALL or self._may_see(sight, owned, difficulty_hidden):
                redacted = self.redacted(part, owned, difficulty_hidden)
            if redacted is not part:
                changed[name] = redacted
        return with_parts(value, changed) if changed else value

    def _items(self, items: tuple[Any, ...], owned: bool, difficulty_hidden: bool) -> tuple[Any, ...]:
        """Redact the items of a tuple, leaving hidden ones out. An unchanged tuple stays the same object."""
        if _PLAIN.issuperset(map(type, items)):
            return items
        redacted = [self.redacted(item, owned, difficulty_hidden) for item in items]
        if all(map(is_, redacted, items)):
            return items
        return tuple(item for item in redacted if item is not WITHHELD)

    def _entries(self, entries: Mapping[Any, Any], owned: bool, difficulty_hidden: bool) -> Mapping[Any, Any]:
        """Redact the entries of a mapping, leaving hidden ones out. An unchanged mapping stays the same object."""
        if _PLAIN.issuperset(map(type, entries.values())):
            return entries
        visible = {}
        for key, part in entries.items():
            redacted = self.redacted(part, owned, difficulty_hidden)
            if redacted is not WITHHELD:
                visible[key] = redacted
        is_unchanged = len(visible) == len(entries) and all(map(is_, visible.values(), entries.values()))
        return entries if is_unchanged else visible

    def _may_see(self, sight: Seen, owned: bool, difficulty_hidden: bool) -> bool:
        """Return whether the viewer may see a field with this mark."""
        if self.is_game_master:
            return sight is not Seen.NOBODY
        match sight:
            case Seen.ALL:
                return True
            case Seen.OWNER:
                return owned
            case Seen.DIFFICULTY:
                return not difficulty_hidden
            case Seen.GAME_MASTER | Seen.NOBODY:
                return False


def _is_for(value: Any, viewer: Viewer) -> bool:
    """Return whether a value is for this viewer at all. A value without an `is_for` is for everyone."""
    is_for = getattr(value, "is_for", None)
    return is_for is None or bool(is_for(viewer))
