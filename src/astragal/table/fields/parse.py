"""Parser of commands: resolve names to ids, fill in what was left out, validate.

Names are looked up among the things that the viewer can see. A field may be left out if there is only one thing that it
could name. An answer to a request for a roll may leave out what the request says.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, TypeAlias

from msgspec import Struct

from astragal.table.declarations import Viewer, kind_of_command, parts_of
from astragal.table.fields import definitions, lookup, shapes, validation
from astragal.table.refusals import BadFields, UnknownCommand
from astragal.table.registry import Book
from astragal.table.state.table import State
from astragal.table.state.things import Request, is_put_to

Command: TypeAlias = "tuple[str, Mapping[str, Any]] | Any"
"""A command object, or a command's name and its plain fields."""

PEOPLE = ("character", "seat")
MOST_VALUES = 1_000
"""Most values of a command, including those in nested lists and mappings."""


class _Named(Struct, frozen=True, kw_only=True):
    name: definitions.Name


def name_checked(name: str) -> str:
    """Validate the name of a person or a table."""
    return validation.check(_Named(name=name)).name


def check_size(command: Command) -> None:
    """Refuse a command with too many values, before any of them is looked at."""
    left = MOST_VALUES
    waiting: list[Any] = [command[1] if isinstance(command, tuple) else None]
    while waiting:
        value = waiting.pop()
        if isinstance(value, Mapping):
            left -= len(value)
            waiting += value.values() if left >= 0 else ()
        elif isinstance(value, (list, tuple)):
            left -= len(value)
            waiting += value if left >= 0 else ()
        if left < 0:
            raise BadFields([f"a command has at most {MOST_VALUES} values; this one has more"])


def understood(book: Book, state: State, viewer: Viewer, command: Command, view: Callable[[], State]) -> Any:
    """Parse and validate a command. Names in it are resolved in the seat's view of the table."""
    check_size(command)
    if isinstance(command, tuple):
        name, raw = command
        kind = book.command(name)
    else:
        kind = type(command)
        if kind not in book.commands.values():
            raise UnknownCommand(f"This table has no command {kind.__name__}.")
        raw = parts_of(command)
    kind_of_command(kind).check_role(viewer)  # before anything is looked up
    if not isinstance(raw, Mapping):
        return validation.read(kind, {})
    return validation.read(kind, raw if _says_all(kind, raw, state) else filled_in(book, viewer, kind, raw, view()))


def filled_in(book: Book, viewer: Viewer, kind: type, raw: Mapping[str, Any], view: State) -> dict[str, Any]:
    """Return the fields with names resolved to ids, and omitted ones filled in."""
    waiting = set(waiting_for(view, viewer))
    found = _with_ids(book, kind, raw, view, waiting)
    about = kind_of_command(kind)
    for field in definitions.fields_of(kind):
        if field.names == "roll":  # the fields of the command that is requested
            command, inner = found.get(field.name), found.get("fields")
            if isinstance(command, str) and command in book.commands and isinstance(inner, Mapping):
                found["fields"] = _with_ids(book, book.command(command), inner, view)
        elif field.names == "request" and (asked := _asked_for(kind, field, found, viewer, view)):
            known = {one.name for one in definitions.fields_of(kind)}
            filled = {about.actor or "who": asked.who, **asked.fields, field.name: asked.id}
            found = {name: value for name, value in filled.items() if name in known} | found
        elif field.required and field.names and field.name not in found:
            if field.names not in PEOPLE:
                things = lookup.things_of(book.kinds, view, field.names) or {}
                meant = list(things) if len(things) == 1 else [key for key in things if key in waiting]
            elif field.name == about.actor:  # a player with one hero acts as that hero, the game master as the only one
                meant = list(view.characters if viewer.is_game_master else viewer.characters)
            else:
                continue
            found |= {field.name: _typed(field, meant[0])} if len(meant) == 1 else {}
    return found


def _says_all(kind: type, raw: Mapping[str, Any], state: State) -> bool:
    """Return whether nothing has to be looked up, as in most commands from programs."""
    for field in definitions.fields_of(kind):
        value = raw.get(field.name)
        if field.names == "request" and state.requests:
            return False
        if value is None and field.required and field.names:
            return False
        is_id = isinstance(value, str) and lookup.ID.fullmatch(value)
        if (
            value is not None
            and not is_id
            and (field.names or field.suggests or isinstance(_item(field), shapes.RecordShape))
        ):
            return False
    return True


# ---------------------------------------------------------------- names


def _with_ids(
    book: Book, kind: type, raw: Mapping[str, Any], view: State, waiting: Collection[str] = ()
) -> dict[str, Any]:
    """Return the fields with names resolved to ids. Anything that looks like an id is left for the command to check."""
    found = dict(raw)
    for field in definitions.fields_of(kind):
        value = raw.get(field.name)
        if field.names and value is not None:
            is_one = isinstance(value, str) and _item(field) is None
            read_names = _id_of if is_one else _ids_of
            found[field.name] = read_names(book, field, value, view, waiting)
        elif field.suggests and isinstance(value, str):
            meant = lookup.matching(lookup.things_of(book.kinds, view, field.suggests) or {}, value, partly=False)
            found[field.name] = meant[0] if len(meant) == 1 else value
        elif isinstance(value, (list, tuple)) and isinstance(record := _item(field), shapes.RecordShape):
            found[field.name] = [
                _with_ids(book, record.kind, one, view) if isinstance(one, Mapping) else one for one in value
            ]
    return found


def _item(field: definitions.Field) -> Any:
    shape = shapes.said(field.shape)
    return shape.item if isinstance(shape, shapes.ListShape) else None


def _ids_of(book: Book, field: definitions.Field, value: Any, view: State, waiting: Collection[str]) -> Any:
    """Resolve the entries of a list, or the keys of a mapping. The command itself refuses unknown keys."""
    if isinstance(value, Mapping):
        things = lookup.things_of(book.kinds, view, field.names or "") or {}
        meant = {key: lookup.matching(things, str(key)) for key in value}
        return {meant[key][0] if len(meant[key]) == 1 else key: entry for key, entry in value.items()}
    if not isinstance(value, (list, tuple)):
        return value
    return [_id_of(book, field, one, view, waiting) if isinstance(one, str) else one for one in value]


def _id_of(book: Book, field: definitions.Field, value: str, view: State, waiting: Collection[str]) -> str | int:
    if lookup.ID.fullmatch(value):
        return value
    things = lookup.things_of(book.kinds, view, field.names or "")
    if things is None or value in things:
        return _typed(field, value)
    return _typed(field, lookup.find(things, value, field.names or "", waiting))


def _typed(field: definitions.Field, key: str) -> str | int:
    """Convert a key to the field's type: options of a scene are stored by number."""
    return int(key) if isinstance(shapes.said(field.shape), shapes.NumberShape) and key.isdecimal() else key


# ---------------------------------------------------------------- omitted fields


def waiting_for(view: State, viewer: Viewer) -> Iterator[str]:
    """Yield the ids of the decisions, prompts, proposals and requested rolls that wait for this seat."""
    for decision in view.decisions.values():
        if any(is_put_to(viewer, decision.sides[side]) for side in decision.awaited):
            yield decision.act
    yield from (one.id for one in view.prompts.values() if one.is_open and is_put_to(viewer, one.to))
    for consent in view.consents.values():
        is_asked = viewer.is_game_master if consent.ruling else consent.of in (None, viewer.seat)
        if is_asked and consent.by != viewer.seat:
            yield consent.id
    yield from (one.id for one in view.requests.values() if one.who in viewer.characters)


def _asked_for(
    kind: type, field: definitions.Field, found: Mapping[str, Any], viewer: Viewer, view: State
) -> Request | None:
    """Find the request that a roll answers: the one it names, or the only one, if it says nothing of what is rolled."""
    if field.name in found:
        return view.requests.get(found[field.name]) if isinstance(found[field.name], str) else None
    about = kind_of_command(kind)
    who = found.get(about.actor or "who")
    against = {one.name for one in definitions.fields_of(kind) if one.is_against}
    fitting = [
        one
        for one in view.requests.values()
        if one.command == about.name
        and (one.who in viewer.characters if who is None else one.who == who)
        and found.keys().isdisjoint(against | one.fields.keys())
        and (one.fields or found.keys() <= {about.actor})
    ]
    return fitting[0] if len(fitting) == 1 else None
