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
    if not isinstance(command, tuple):
        return
    _, fields = command
    count = 0
    containers: list[Any] = [fields]
    while containers:
        container = containers.pop()
        if isinstance(container, Mapping):
            values: Collection[Any] = container.values()
        elif isinstance(container, (list, tuple)):
            values = container
        else:
            continue
        count += len(values)
        if count > MOST_VALUES:
            raise BadFields([f"a command has at most {MOST_VALUES} values; this one has more"])
        containers += values


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
    if _says_all(kind, raw, state):
        return validation.read(kind, raw)
    return validation.read(kind, filled_in(book, viewer, kind, raw, view()))


def filled_in(book: Book, viewer: Viewer, kind: type, raw: Mapping[str, Any], view: State) -> dict[str, Any]:
    """Return the fields with names resolved to ids, and omitted ones filled in."""
    awaited = set(waiting_for(view, viewer))
    fields = _with_ids(book, kind, raw, view, awaited)
    for field in definitions.fields_of(kind):
        if field.names == "roll":
            _resolve_requested_fields(book, field, fields, view)
            continue
        if field.names == "request":
            request = _request_to_answer(kind, field, fields, viewer, view)
            if request is not None:
                fields = _fields_of_request(kind, field, request) | fields
                continue
        if field.required and field.names and field.name not in fields:
            ids = _possible_ids(book, kind, field, viewer, view, awaited)
            if len(ids) == 1:
                fields[field.name] = _typed(field, ids[0])
    return fields


def _resolve_requested_fields(book: Book, field: definitions.Field, fields: dict[str, Any], view: State) -> None:
    """Resolve names in the `fields` of a request for a roll, which are those of the command that is requested."""
    command = fields.get(field.name)
    requested_fields = fields.get("fields")
    if isinstance(command, str) and command in book.commands and isinstance(requested_fields, Mapping):
        fields["fields"] = _with_ids(book, book.command(command), requested_fields, view)


def _fields_of_request(kind: type, field: definitions.Field, request: Request) -> dict[str, Any]:
    """Return the fields of a command that a request fills in, the one that names the request among them."""
    actor = kind_of_command(kind).actor or "who"
    values = {actor: request.who, **request.fields, field.name: request.id}
    names = {field.name for field in definitions.fields_of(kind)}
    return {name: value for name, value in values.items() if name in names}


def _possible_ids(
    book: Book, kind: type, field: definitions.Field, viewer: Viewer, view: State, awaited: Collection[str]
) -> list[str]:
    """List what an omitted field could name: the only thing of its kind, else those that wait for this seat."""
    if field.names not in PEOPLE:
        things = lookup.things_of(book.kinds, view, field.names or "") or {}
        return list(things) if len(things) == 1 else [key for key in things if key in awaited]
    if field.name == kind_of_command(kind).actor:
        # a player with one hero acts as that hero, the game master as the only character
        return list(view.characters if viewer.is_game_master else viewer.characters)
    return []


def _says_all(kind: type, raw: Mapping[str, Any], state: State) -> bool:
    """Return whether nothing has to be looked up, as in most commands from programs."""
    for field in definitions.fields_of(kind):
        value = raw.get(field.name)
        if field.names == "request" and state.requests:
            return False
        if value is None and field.required and field.names:
            return False
        if value is None or (isinstance(value, str) and lookup.ID.fullmatch(value)):
            continue
        if field.names or field.suggests or isinstance(_item(field), shapes.RecordShape):
            return False
    return True


# ---------------------------------------------------------------- names


def _with_ids(
    book: Book, kind: type, raw: Mapping[str, Any], view: State, awaited: Collection[str] = ()
) -> dict[str, Any]:
    """Return the fields with names resolved to ids. Anything that looks like an id is left for the command to check."""
    fields = dict(raw)
    for field in definitions.fields_of(kind):
        value = raw.get(field.name)
        item = _item(field)
        if field.names and isinstance(value, str) and item is None:
            fields[field.name] = _id_of(book, field, value, view, awaited)
        elif field.names and value is not None:
            fields[field.name] = _ids_of(book, field, value, view, awaited)
        elif field.suggests and isinstance(value, str):
            fields[field.name] = _only_match(lookup.things_of(book.kinds, view, field.suggests), value, partly=False)
        elif isinstance(value, (list, tuple)) and isinstance(item, shapes.RecordShape):
            fields[field.name] = [
                _with_ids(book, item.kind, entry, view) if isinstance(entry, Mapping) else entry for entry in value
            ]
    return fields


def _item(field: definitions.Field) -> shapes.Shape | None:
    """Return the shape of the entries, if the field is a list."""
    shape = shapes.said(field.shape)
    return shape.item if isinstance(shape, shapes.ListShape) else None


def _only_match(things: Mapping[str, str] | None, words: Any, *, partly: bool = True) -> Any:
    """Return the id of the only thing that the words can mean, or else the words as they are."""
    ids = lookup.matching(things or {}, str(words), partly=partly)
    return ids[0] if len(ids) == 1 else words


def _ids_of(book: Book, field: definitions.Field, value: Any, view: State, awaited: Collection[str]) -> Any:
    """Resolve the entries of a list, or the keys of a mapping. The command itself refuses unknown keys."""
    if isinstance(value, Mapping):
        things = lookup.things_of(book.kinds, view, field.names or "")
        return {_only_match(things, key): entry for key, entry in value.items()}
    if not isinstance(value, (list, tuple)):
        return value
    return [_id_of(book, field, entry, view, awaited) if isinstance(entry, str) else entry for entry in value]


def _id_of(book: Book, field: definitions.Field, value: str, view: State, awaited: Collection[str]) -> str | int:
    if lookup.ID.fullmatch(value):
        return value
    things = lookup.things_of(book.kinds, view, field.names or "")
    if things is None or value in things:
        return _typed(field, value)
    return _typed(field, lookup.find(things, value, field.names or "", awaited))


def _typed(field: definitions.Field, key: str) -> str | int:
    """Convert a key to the field's type: options of a scene are stored by number."""
    if key.isdecimal() and isinstance(shapes.said(field.shape), shapes.NumberShape):
        return int(key)
    return key


# ---------------------------------------------------------------- omitted fields


def waiting_for(view: State, viewer: Viewer) -> Iterator[str]:
    """Yield the ids of the decisions, prompts, proposals and requested rolls that wait for this seat."""
    for decision in view.decisions.values():
        if any(is_put_to(viewer, decision.sides[side]) for side in decision.awaited):
            yield decision.act
    for prompt in view.prompts.values():
        if prompt.is_open and is_put_to(viewer, prompt.to):
            yield prompt.id
    for consent in view.consents.values():
        can_answer = viewer.is_game_master if consent.ruling else consent.of in (None, viewer.seat)
        if can_answer and consent.by != viewer.seat:
            yield consent.id
    for request in view.requests.values():
        if request.who in viewer.characters:
            yield request.id


def _request_to_answer(
    kind: type, field: definitions.Field, fields: Mapping[str, Any], viewer: Viewer, view: State
) -> Request | None:
    """Find the request that a roll answers: the one it names, or the only one, if it says nothing of what is rolled."""
    if field.name in fields:
        request_id = fields[field.name]
        return view.requests.get(request_id) if isinstance(request_id, str) else None
    fitting = [request for request in view.requests.values() if _could_answer(kind, fields, request, viewer)]
    return fitting[0] if len(fitting) == 1 else None


def _could_answer(kind: type, fields: Mapping[str, Any], request: Request, viewer: Viewer) -> bool:
    """Return whether a roll without a request's id could answer this one: it says nothing that the request says."""
    command = kind_of_command(kind)
    if request.command != command.name:
        return False
    who = fields.get(command.actor or "who")
    is_of_actor = request.who in viewer.characters if who is None else request.who == who
    if not is_of_actor:
        return False
    what_it_is_against = {field.name for field in definitions.fields_of(kind) if field.is_against}
    if not fields.keys().isdisjoint(what_it_is_against | request.fields.keys()):
        return False
    return bool(request.fields) or fields.keys() <= {command.actor}
