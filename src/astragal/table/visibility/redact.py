"""Visibility of fields: every field says who may see it, and what says nothing is the game master's alone.

`redact` cuts a value down to what a viewer may know. The result has the same type; what is cut is `WITHHELD`, so
that the same rules can be asked from a partial view. `plain` turns a glimpse into JSON, leaving out what is cut.
`RedactionCache` caches the glimpses of a table, so that only what has changed is cut anew.
"""

from collections.abc import Mapping
from enum import Enum
from operator import is_ as _is
from types import NoneType
from typing import Any, TypeVar

import msgspec

from astragal.table.declarations import Role, Seen, Viewer, is_value, with_parts
from astragal.table.fields.definitions import Field, UnknownShape, fields_of, once_for_each_type
from astragal.table.fields.shapes import AnyShape, RecordShape, Shape, innermost
from astragal.table.refusals import DependsOnHidden
from astragal.table.state.table import State, TableState
from astragal.values import field_names, frozen

__all__ = ["WITHHELD"]

T = TypeVar("T")


class Withheld:
    """Stands where the viewer may not look. It can be passed on and calculated with; it can't be decided by."""

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
"""The one of its kind."""


def redact(value: T, viewer: Viewer, *, owned: bool = False, difficulty_hidden: bool = False) -> T:
    """The value as the viewer may see it; whole entries of a collection that are not for them are left out.

    Values are never changed in place, so what is seen whole is the value itself.
    """
    cut: T = _opened(value) if viewer.is_game_master else _cut(value, viewer, owned, difficulty_hidden)
    return cut


def shows(value: Any, name: str, viewer: Viewer) -> bool:
    """Whether the viewer may see a field of this value, as far as the value itself tells."""
    if viewer.is_game_master:
        return True
    return bool(getattr(value, "is_for", _everyone)(viewer)) and dict(sights(type(value)))[name] is Seen.ALL


def plain(value: Any) -> Any:
    """A glimpse as JSON values: names for enums, nothing for what is withheld."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if _is_compound(kind):
        try:
            return msgspec.json.decode(msgspec.json.encode(value))  # an eighth of the time that it takes part by part
        except (TypeError, ValueError):  # something in it is withheld, or is no JSON value
            shown = ((name, getattr(value, name)) for name, _ in sights(kind))
            return {name: plain(part) for name, part in shown if part is not WITHHELD}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(part) for key, part in value.items() if part is not WITHHELD}
    if isinstance(value, (tuple, list, frozenset)):
        return [plain(part) for part in value if part is not WITHHELD]
    return value


_PLAIN = frozenset({int, str, bool, NoneType})
"""Values that are as plain as can be, and which most values are."""


# ---------------------------------------------------------------- what a type says


_GUARDED: dict[type, tuple[tuple[str, Seen], ...]] = {}
_SEALED: dict[type, tuple[tuple[str, Seen], ...]] = {}


_is_compound = once_for_each_type(is_value)


@once_for_each_type
def sights(kind: type) -> tuple[tuple[str, Seen], ...]:
    """Each field of a value and who may see it.

    A field's own mark counts first, then what its class says; what says nothing is the game master's.
    """
    default = getattr(kind, "__seen__", None) or Seen.GAME_MASTER
    marked = ((field.name, (mark for mark in field.marks if isinstance(mark, Seen))) for field in fields_of(kind))
    return tuple((name, next(marks, default)) for name, marks in marked)


def _guarded(kind: type) -> tuple[tuple[str, Seen], ...]:
    """The fields of which somebody may not see all; in the others nothing has to be looked for."""
    if kind not in _GUARDED:
        _GUARDED[kind] = sights(kind)  # for a type that holds itself
        opened = {field.name for field in fields_of(kind) if _is_open(field)}
        _GUARDED[kind] = tuple(
            (name, sight) for name, sight in sights(kind) if sight is not Seen.ALL or name not in opened
        )
    return _GUARDED[kind]


def _is_open(field: Field) -> bool:
    """Whether everyone may see all of whatever is in such a field. What its shape does not tell is looked at."""
    try:
        return all(map(_shows_all, innermost(field.shape)))
    except UnknownShape:
        return False


def _shows_all(shape: Shape) -> bool:
    if isinstance(shape, RecordShape):
        return is_for_all(shape.kind)
    return not isinstance(shape, AnyShape)


def is_for_all(kind: type) -> bool:
    """Whether everyone may see all of every value of this type."""
    return not hasattr(kind, "is_for") and not _guarded(kind)


def _sealed(kind: type) -> tuple[tuple[str, Seen], ...]:
    """The fields of which a game master may not see all."""
    if kind not in _SEALED:
        opened = {field.name for field in fields_of(kind) if _is_open(field)}
        _SEALED[kind] = tuple(
            (name, sight) for name, sight in sights(kind) if sight is Seen.NOBODY or name not in opened
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
    if owner is not None:  # whose it is, it says itself, whatever it is part of
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
    """Leave out of a collection what is cut."""
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
    """A game master sees all but what nobody may see yet."""
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
    """The mapping itself, if nothing of it is cut."""
    return whole if len(cut) == len(whole) and all(map(_is, cut.values(), whole.values())) else cut


def _everyone(_: object) -> bool:
    return True


# ---------------------------------------------------------------- glimpses that several share


class RecordingViewer(Viewer):
    """A viewer who notes what a cut asks of them: it leaves whoever answers the same with the same."""

    __setattr__ = object.__setattr__  # a viewer never changes, but notes are taken

    def __init__(self, viewer: Viewer, *, is_named: bool = False) -> None:
        self._viewer, self._is_named = viewer, is_named
        self._owned: dict[str, bool] = {}

    @property
    def role(self) -> Role:
        return self._viewer.role

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
        """Would this viewer have answered all that was asked in the same way?"""
        if self._is_named:
            return self._viewer == viewer
        return self.role is viewer.role and all(viewer.owns(owner) is owned for owner, owned in self._owned.items())

    def _named(self) -> Viewer:
        """Who it is, was asked: then nobody else is left with the same."""
        self._is_named = True
        return self._viewer


# ---------------------------------------------------------------- glimpses of a table, cached for each seat

UNCHANGED: Mapping[str, Any] = dict.fromkeys(field_names(TableState))
"""Nothing in the place of each part: there is nothing to redact again."""


@frozen
class _Seen:
    viewer: Viewer
    whole: State
    view: State


class RedactionCache:
    """The views of one table, by seat. Values are never changed in place, so equal parts are cut once."""

    def __init__(self) -> None:
        self._last: dict[str, _Seen] = {}
        self._cuts: list[tuple[RecordingViewer, State, Mapping[str, Any], Mapping[str, Any]]] = []
        """For one state: who looked, what they saw before, what has changed since, and what they were left with."""
        self._cut_in: State | None = None

    def of(self, whole: State, viewer: Viewer) -> State:
        """The table as the viewer may see it."""
        last = self._last.get(viewer.seat)
        if last is None or last.viewer != viewer:
            view = redact(whole, viewer)
        elif last.whole is whole:
            return last.view
        else:
            view = self._again(whole, viewer, last)
        self._last[viewer.seat] = _Seen(viewer, whole, view)
        return view

    def _again(self, whole: State, viewer: Viewer, last: _Seen) -> State:
        """The glimpse of what has changed, joined with what was seen of the rest."""
        now, before, seen = vars(whole), vars(last.whole), vars(last.view)
        changed, cut = self._cut(whole, viewer, last.whole)
        joined = {name: _joined(now[name], before[name], seen[name], cut[name]) for name in changed}
        return with_parts(last.view, joined)

    def _cut(self, whole: State, viewer: Viewer, before: State) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """The parts that have changed, and what is left of them: cut once for all who answer the same."""
        if self._cut_in is not whole:
            self._cut_in, self._cuts = whole, []
        for looker, earlier, changed, cut in self._cuts:
            if earlier is before and looker.answers_as(viewer):
                return changed, cut
        now, was = vars(whole), vars(before)
        changed = {name: _changed(now[name], was[name]) for name in UNCHANGED if now[name] is not was[name]}
        looker = RecordingViewer(viewer)
        cut = vars(redact(with_parts(whole, {**UNCHANGED, **changed}), looker))
        self._cuts.append((looker, before, changed, cut))
        return changed, cut


def _changed(part: Any, before: Any) -> Any:
    """Entries of a part that have to be redacted again."""
    if isinstance(part, Mapping) and isinstance(before, Mapping):
        return {key: one for key, one in part.items() if key not in before or before[key] is not one}
    return part


def _joined(part: Any, before: Any, seen_before: Any, seen: Any) -> Any:
    """A part as it is seen: what is as it was, as it was seen; the rest as it was just cut."""
    if seen is WITHHELD or not (isinstance(part, Mapping) and isinstance(before, Mapping)):
        return seen
    found = {}
    for key, one in part.items():
        source = seen_before if key in before and before[key] is one else seen
        if key in source:
            found[key] = source[key]
    return found
