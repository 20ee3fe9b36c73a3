"""From what was said to a checked command: names of people become ids, fields are held against their limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from astragal.table.fields.definitions import Name, people_named_by
from astragal.table.fields.validation import check, read
from astragal.table.fields.values import parts_of
from astragal.table.refusals import NoSuchThing, UnknownCommand
from astragal.table.registry import Book
from astragal.table.state.seats import Viewer
from astragal.table.state.table import State
from astragal.table.visibility.redact import shows
from astragal.values import frozen

Command: TypeAlias = "tuple[str, Mapping[str, Any]] | Any"
"""A command object, or a command's name and its plain fields."""


@frozen(kw_only=True)
class _Named:
    name: Name


def name_checked(name: str) -> str:
    """A name as people may have one."""
    return check(_Named(name=name)).name


def understood(book: Book, state: State, viewer: Viewer, command: Command) -> Any:
    """The checked command. Who is named by name is found among those that the asker can see."""
    if isinstance(command, tuple):
        name, raw = command
        kind = book.command(name)
    else:
        kind = type(command)
        if kind not in book.commands.values():
            raise UnknownCommand(f"This table has no command {kind.__name__}.")
        raw = parts_of(command)
    if not isinstance(raw, Mapping):
        return read(kind, {})
    return read(kind, _with_ids(kind, raw, state, viewer))


def _with_ids(kind: type, raw: Mapping[str, Any], state: State, viewer: Viewer) -> dict[str, Any]:
    found = dict(raw)
    for field, what in people_named_by(kind).items():
        people: Mapping[str, Any] = state.characters if what == "character" else state.seats
        said = raw.get(field)
        if isinstance(said, str):
            found[field] = _called(said, people, viewer, what)
        elif isinstance(said, (list, tuple)) and all(isinstance(one, str) for one in said):
            found[field] = [_called(one, people, viewer, what) for one in said]
    return found


def _called(said: str, people: Mapping[str, Any], viewer: Viewer, what: str) -> str:
    if said in people:
        return said
    name = said.strip().casefold()
    named = {who: one for who, one in people.items() if one.name.casefold() == name}
    found = [who for who, one in named.items() if shows(one, "name", viewer)]
    if len(found) != 1:
        several = "more than one" if found else "no"
        raise NoSuchThing(f"There is {several} {what} called {said[:40]!r} here.")
    return found[0]
