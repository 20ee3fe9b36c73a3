"""Who may see what: every field says so, and what says nothing is the game master's alone.

`glimpse` cuts a value down to what a viewer may know. The result has the same type; what is cut is `WITHHELD`, so
that the same rules can be asked from a partial view. `plain` turns a glimpse into JSON, leaving out what is cut.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from types import NoneType
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

from .refusals import DependsOnHidden

if TYPE_CHECKING:
    from .seats import Viewer

T = TypeVar("T")


class Seen(Enum):
    """Who may see a field."""

    ALL = "everyone"
    OWNER = "the owner and the game master"
    DIFFICULTY = "everyone, unless the roll's difficulty is hidden"
    GAME_MASTER = "the game master"
    NOBODY = "nobody, until the table opens it"


class Withheld:
    """Stands where the viewer may not look. It can be passed on and reckoned with; it can't be decided by."""

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


def glimpse(value: T, viewer: Viewer, *, owned: bool = False, difficulty_hidden: bool = False) -> T:
    """The value as the viewer may see it; whole entries of a collection that are not for them are left out."""
    if viewer.is_game_master:
        opened: T = _opened(value)
        return opened
    cut: T = _cut(value, viewer, owned, difficulty_hidden)
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
    if isinstance(value, Enum):
        return value.value
    if _is_compound(kind):
        shown = ((name, getattr(value, name)) for name, _ in sights(kind))
        return {name: plain(part) for name, part in shown if part is not WITHHELD}
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(part) for key, part in value.items() if part is not WITHHELD}
    if isinstance(value, (tuple, list, frozenset)):
        return [plain(part) for part in value if part is not WITHHELD]
    return value


_PLAIN = frozenset({int, str, bool, NoneType})
"""Values that are as plain as can be, and which most values are."""


_SIGHTS: dict[type, tuple[tuple[str, Seen], ...]] = {}
_OPEN: dict[type, bool] = {}


def _is_compound(kind: type) -> bool:
    return kind in _SIGHTS or is_dataclass(kind)


def sights(kind: type) -> tuple[tuple[str, Seen], ...]:
    """Each field of a dataclass and who may see it; found once for each type."""
    if kind not in _SIGHTS:
        hints = get_type_hints(kind, include_extras=True)
        _SIGHTS[kind] = tuple((one.name, _sight(hints[one.name])) for one in fields(kind))
    return _SIGHTS[kind]


def _sight(hint: Any) -> Seen:
    marks = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    return next((mark for mark in marks if isinstance(mark, Seen)), Seen.GAME_MASTER)


def _cut(value: Any, viewer: Viewer, owned: bool, difficulty_hidden: bool) -> Any:
    kind = type(value)
    if kind in _PLAIN or isinstance(value, Enum):
        return value
    if not _is_compound(kind):
        return _cut_parts(value, viewer, owned, difficulty_hidden)
    if not getattr(value, "is_for", _everyone)(viewer):
        return WITHHELD
    if _is_open(kind):
        return value
    owner = getattr(value, "owner", None)
    if owner is not None:  # whose it is, it says itself, whatever it is part of
        owned = owner in (viewer.seat, *viewer.characters)
    difficulty_hidden = difficulty_hidden or getattr(value, "hides", False) is True
    changed: dict[str, Any] = {}
    for name, sight in sights(kind):
        if _may_see(sight, owned=owned, difficulty_hidden=difficulty_hidden):
            changed[name] = _cut(getattr(value, name), viewer, owned, difficulty_hidden)
        else:
            changed[name] = WITHHELD
    return _rebuilt(kind, changed)


def _is_open(kind: type) -> bool:
    """Whether everyone may see every field of such a value, and no field can hold more than a plain value."""
    if kind not in _OPEN:
        hints = get_type_hints(kind)
        _OPEN[kind] = all(sight is Seen.ALL and hints[name] in _PLAIN for name, sight in sights(kind))
    return _OPEN[kind]


def _cut_parts(value: Any, viewer: Viewer, owned: bool, difficulty_hidden: bool) -> Any:
    """What is cut in a collection is left out of it."""
    if isinstance(value, Mapping):
        cut = {key: _cut(part, viewer, owned, difficulty_hidden) for key, part in value.items()}
        return {key: part for key, part in cut.items() if part is not WITHHELD}
    if isinstance(value, tuple):
        parts = (_cut(part, viewer, owned, difficulty_hidden) for part in value)
        return tuple(part for part in parts if part is not WITHHELD)
    return value


def _opened(value: Any) -> Any:
    """A game master sees all but what nobody may see yet."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, Mapping):
        return {key: _opened(part) for key, part in value.items()}
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return tuple(_opened(part) for part in value)
    if not is_dataclass(value):
        return value
    changed = {
        name: WITHHELD if sight is Seen.NOBODY else _opened(getattr(value, name)) for name, sight in sights(type(value))
    }
    return _rebuilt(type(value), changed)


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


def _rebuilt(kind: type, values: Mapping[str, Any]) -> Any:
    """A value of the same type without its checks: a glimpse need not be a legal whole."""
    made: Any = object.__new__(kind)
    for name, value in values.items():
        object.__setattr__(made, name, value)
    return made


def _everyone(_: object) -> bool:
    return True
