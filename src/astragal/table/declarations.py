"""Declarations: frozen values, who may see their fields, the rights of roles, commands and events.

`Value` is the base class of commands, events and all parts of a table's state. It is a `msgspec.Struct`, which is
declared, created, copied, compared and stored several times faster than a dataclass. The functions here also take
dataclasses, which authors may bring.
"""

import dataclasses
from collections.abc import Callable, Mapping
from copy import copy
from enum import Enum
from functools import cache, partial
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform

import msgspec
from msgspec import Struct, field
from msgspec.structs import force_setattr

from astragal.fields import field_names
from astragal.table.refusals import NotAllowed
from astragal.wording import in_words

__all__ = [
    "EVERYONE",
    "GAME_MASTER_AND_PLAYERS",
    "GAME_MASTER_ONLY",
    "GAME_MASTER_OR_OWNER",
    "Nature",
    "Rights",
    "Role",
    "Scope",
    "Seen",
    "Sight",
    "Value",
    "Viewer",
    "copied_into",
    "replace",
    "without",
]

T = TypeVar("T")
V = TypeVar("V", bound="Value")

Lift = Callable[[dict[str, Any]], dict[str, Any]]
"""Migration: turns the stored fields of one version of an event into those of the next."""


class _ValueType(msgspec.StructMeta):
    """Metaclass that makes fields keyword-only by default and stores the `seen` of a class as `__seen__`."""

    def __new__(
        mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any], *, seen: Enum | None = None, **config: Any
    ) -> Any:
        config.setdefault("kw_only", True)
        struct: Any = super().__new__(mcs, name, bases, namespace, **config)
        struct.__seen__ = seen
        return struct


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(field,))
class Value(msgspec.Struct, metaclass=_ValueType, frozen=True):
    """Frozen value with named fields. `class Sheet(Value, seen=Seen.ALL)` says who may see fields without a mark."""

    if TYPE_CHECKING:

        def __init_subclass__(cls, *, seen: Enum | None = None, kw_only: bool = True) -> None: ...


def is_value(kind: Any) -> bool:
    """Return whether this type has named fields: a Struct or a dataclass."""
    return isinstance(kind, type) and (issubclass(kind, msgspec.Struct) or dataclasses.is_dataclass(kind))


def parts_of(value: Any) -> dict[str, Any]:
    """Return a value's fields by name."""
    return {name: getattr(value, name) for name in field_names(type(value))}


def copied_into(kind: type[T], source: Any, /, **fields: Any) -> T:
    """Make a value of this type from the source's fields of the same names and from `fields`."""
    copied = {name: getattr(source, name) for name in field_names(kind) if hasattr(source, name)}
    return kind(**{**copied, **fields})


def replace(value: T, /, **changes: Any) -> T:
    """Return a copy with some fields changed."""
    if isinstance(value, msgspec.Struct):
        return value.__replace__(**changes)
    copied: T = dataclasses.replace(value, **changes)  # type: ignore[type-var]
    return copied


def with_parts(value: T, parts: Mapping[str, Any]) -> T:
    """Return a copy with some fields changed, without its own checks: a part may be `WITHHELD` or a placeholder."""
    changed = copy(value)
    set_field: Any = force_setattr if isinstance(value, msgspec.Struct) else object.__setattr__
    for name, part in parts.items():
        set_field(changed, name, part)
    if isinstance(value, msgspec.Struct) and hasattr(value, "__dict__"):
        vars(changed).update(vars(value))  # what is kept beside the fields, such as a table's cast
    return changed


def without(mapping: Mapping[str, T], key: str) -> dict[str, T]:
    """Return the mapping without one of its entries."""
    return {entry_key: entry for entry_key, entry in mapping.items() if entry_key != key}


# ---------------------------------------------------------------- read from JSON

_LOCK = RLock()


def decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    """Make a JSON decoder for a type, one thread at a time. Make it once and keep it; any thread may then use it.

    msgspec caches what it learns about a class on the class, and sets the cache before it is complete. A second thread
    that met the class meanwhile would use the incomplete cache and crash the process.
    """
    with _LOCK:
        return msgspec.json.Decoder(kind)


def convert(value: Any, kind: Any) -> Any:
    """Convert a plain value to this type."""
    _prepare(kind)
    return msgspec.convert(value, kind)


@cache
def _prepare(kind: Any) -> None:
    """Let msgspec learn a type completely before a thread converts with it; see `decoder`."""
    decoder(kind)


# ---------------------------------------------------------------- seats and rights


class Seen(Enum):
    """Viewers of a field. A field without this mark is for the game master alone."""

    ALL = "everyone"
    OWNER = "the owner and the game master"
    DIFFICULTY = "everyone, unless the roll's difficulty is hidden"
    GAME_MASTER = "the game master"
    NOBODY = "nobody, until the table opens it"


class Role(Enum):
    GAME_MASTER = "game master"
    PLAYER = "player"
    SPECTATOR = "spectator"

    __hash__ = object.__hash__  # an Enum hashes the name of its member, in Python: each is the only one anyway


_PLURALS = {Role.GAME_MASTER: "the game master", Role.PLAYER: "players", Role.SPECTATOR: "spectators"}


class Seat(Value, seen=Seen.ALL):
    """A person's or a program's place at the table."""

    id: str
    name: str
    role: Role
    ai: bool = False
    stand_in: str | None = None
    """The seat that decides for this one while it is away."""


class Viewer(Struct, frozen=True):
    """The seat that a value is redacted for."""

    seat: str
    role: Role
    characters: frozenset[str] = frozenset()

    @property
    def is_game_master(self) -> bool:
        return self.role is Role.GAME_MASTER

    def owns(self, owner: str) -> bool:
        """Return whether this is the viewer's seat or one of their characters."""
        return owner == self.seat or owner in self.characters


class Scope(Enum):
    """The reach of a right."""

    ANY = "for anyone"
    OWN = "for one's own characters"


Rights = Mapping[Role, Scope]
"""Roles that may give a command, and for whom. A role that is not named may not."""

GAME_MASTER_ONLY: Rights = {Role.GAME_MASTER: Scope.ANY}
EVERYONE: Rights = {Role.GAME_MASTER: Scope.ANY, Role.PLAYER: Scope.ANY, Role.SPECTATOR: Scope.ANY}
GAME_MASTER_AND_PLAYERS: Rights = {Role.GAME_MASTER: Scope.ANY, Role.PLAYER: Scope.ANY}
GAME_MASTER_OR_OWNER: Rights = {Role.GAME_MASTER: Scope.ANY, Role.PLAYER: Scope.OWN}


# ---------------------------------------------------------------- commands and events


class Nature(Enum):
    """Effect of a rewind on an event."""

    STORY = "follows the head of the history"
    LASTING = "never rewound"
    TOLD = "goes with the story that it tells; to undo the last command is not to undo this"


class Sight(Enum):
    """Visibility of a command to seats other than the game master's."""

    OPEN = "open"
    HIDDEN = "hidden"
    """A closed card, which shows only that something was rolled."""
    SECRET = "secret"  # noqa: S105 - a way to show, not a password
    """No card at all."""

    __hash__ = object.__hash__


class CommandKind(Struct, frozen=True):
    """Declaration of a command: its name, the roles that may give it, and the field that names who acts (`actor`).

    A `grave` command goes back, opens for good, throws away or sets a rule aside; a program needs a person's word for
    it. The `title` is the command as people say it: “Mark a save node”.
    """

    name: str
    may: Rights
    actor: str | None
    grave: bool
    title: str

    def check_role(self, viewer: Viewer) -> None:
        if viewer.role not in self.may:
            roles = " and ".join(_PLURALS[role] for role in Role if role in self.may)
            raise NotAllowed(f"Only {roles} can {self.title[:1].lower()}{self.title[1:]}.")


class EventKind(Struct, frozen=True):
    """Declaration of an event: its stable name and version, under which it is stored instead of a class path."""

    name: str
    version: int
    nature: Nature
    lifts: Mapping[int, Lift] = msgspec.field(default_factory=dict)


def command(
    name: str, *, may: Rights, actor: str | None = None, grave: bool = False, title: str = ""
) -> Callable[[type[V]], type[V]]:
    """Declare a command that the roles in `may` can give, with a `title` if its name does not read well as one."""

    def declare(cls: type[V]) -> type[V]:
        cls.__command__ = CommandKind(name, may, actor, grave, title or in_words(name))  # type: ignore[attr-defined]
        return cls

    return declare


def event(
    name: str,
    *,
    version: int = 1,
    nature: Nature = Nature.STORY,
    owner: str | None = None,
    lifts: Mapping[int, Lift] | None = None,
) -> Callable[[type[V]], type[V]]:
    """Declare an event. `owner` names the field that holds its owner, who may see fields marked `Seen.OWNER`.

    The default is `who`, if that holds one character. With `owner=""` the event has no owner, so that a player who is
    given the character later does not see more of it.
    """

    def declare(cls: type[V]) -> type[V]:
        cls.__event__ = EventKind(name, version, nature, lifts or {})  # type: ignore[attr-defined]
        owner_field = owner
        if owner_field is None:
            owner_field = "who" if "who" in field_names(cls) else ""
        if owner_field and owner_field != "owner":
            cls.owner = property(partial(_owner, owner_field))  # type: ignore[attr-defined]
        return cls

    return declare


def _owner(field: str, event: Any) -> str | None:
    """Return the owner named in this field; None if it is a list or hidden."""
    owner = getattr(event, field)
    return owner if isinstance(owner, str) else None


def kind_of_command(command_type: type) -> CommandKind:
    kind: CommandKind = command_type.__command__  # type: ignore[attr-defined]
    return kind


def command_declared_by(kind: type) -> CommandKind | None:
    """Return the declaration of a class from outside; None if it is no command."""
    try:
        return kind_of_command(kind)
    except AttributeError:
        return None


def event_declared_by(kind: type) -> EventKind | None:
    """Return the declaration of a class from outside; None if it is no event."""
    try:
        return kind_of_event(kind)
    except AttributeError:
        return None


def kind_of_event(event_type: type) -> EventKind:
    kind: EventKind = event_type.__event__  # type: ignore[attr-defined]
    return kind
