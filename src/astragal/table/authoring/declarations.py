"""Commands and events: what is asked and what happened, as documented, constrained, frozen values."""

from collections.abc import Callable, Mapping
from dataclasses import field
from enum import Enum
from functools import partial
from typing import Any, TypeVar

from astragal.table.fields.values import Value, field_names
from astragal.table.refusals import NotAllowed
from astragal.table.state.seats import Rights, Viewer
from astragal.values import frozen

T = TypeVar("T", bound=Value)

Lift = Callable[[dict[str, Any]], dict[str, Any]]
"""Turns the stored fields of one version of an event into those of the next."""


class Nature(Enum):
    """Effect of a rewind on an event."""

    STORY = "follows the head of the history"
    LASTING = "never rewound"


class Sight(Enum):
    """Visibility of a deed to those who are not game master."""

    OPEN = "open"
    HIDDEN = "hidden"
    """A closed card: that something was rolled, and nothing more."""
    SECRET = "secret"  # noqa: S105 - a way to show, not a password
    """No card at all."""


@frozen
class CommandKind:
    """A command's name, who may give it, which of its fields names who acts, and whether it is grave: it goes
    back, opens for good, throws away or sets a rule aside, so that a program does it only on a person's word.
    """

    name: str
    may: Rights
    actor: str | None
    grave: bool = False

    def check_role(self, viewer: Viewer) -> None:
        if viewer.role not in self.may:
            raise NotAllowed(f"A {viewer.role.value} can't do that ({self.name.replace('_', ' ')}).")


@frozen
class EventKind:
    """An event's stable name and version. Stored events know no class."""

    name: str
    version: int
    nature: Nature
    lifts: Mapping[int, Lift] = field(default_factory=dict)


def command(name: str, *, may: Rights, actor: str | None = None, grave: bool = False) -> Callable[[type[T]], type[T]]:
    """Declare a command that the roles in `may` can give."""

    def declare(cls: type[T]) -> type[T]:
        cls.__command__ = CommandKind(name, may, actor, grave)  # type: ignore[attr-defined]
        return cls

    return declare


def event(
    name: str,
    *,
    version: int = 1,
    nature: Nature = Nature.STORY,
    owner: str | None = None,
    lifts: Mapping[int, Lift] | None = None,
) -> Callable[[type[T]], type[T]]:
    """Declare an event. `owner` names the field that holds whose it is, for what only owners may see; by default it is
    `who`, where that is one character. An empty one is nobody: whoever is given a character later does not see more.
    """

    def declare(cls: type[T]) -> type[T]:
        cls.__event__ = EventKind(name, version, nature, lifts or {})  # type: ignore[attr-defined]
        whose = ("who" if "who" in field_names(cls) else "") if owner is None else owner
        if whose and whose != "owner":
            cls.owner = property(partial(_owner, whose))  # type: ignore[attr-defined]
        return cls

    return declare


def _owner(field: str, event: Any) -> str | None:
    """Who is named in this field. What is a list, or hidden, belongs to nobody."""
    found = getattr(event, field)
    return found if isinstance(found, str) else None


def kind_of_command(command_type: type) -> CommandKind:
    kind: CommandKind = command_type.__command__  # type: ignore[attr-defined]
    return kind


def kind_of_event(event_type: type) -> EventKind:
    kind: EventKind = event_type.__event__  # type: ignore[attr-defined]
    return kind
