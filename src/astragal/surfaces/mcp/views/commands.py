"""Commands that a seat may give, with their fields and an example, from their own definitions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from astragal.surfaces.mcp.execute import ELSEWHERE
from astragal.surfaces.mcp.session import Desk
from astragal.surfaces.mcp.tools.results import Commands, in_json
from astragal.surfaces.mcp.views.untrusted_text import clean
from astragal.surfaces.shared.words import first_sentence
from astragal.table.fields.definitions import fields_of
from astragal.table.fields.json_schema import field_schema
from astragal.table.refusals import Refusal, UnknownCommand

T = TypeVar("T")


def commands(desk: Desk, command: str = "") -> Commands:
    """All that this seat may ask for, or one command with its fields and an example."""
    allowed = desk.book.commands_for(desk.view.own.role)
    known = {name: kind for name, kind in allowed.items() if name not in ELSEWHERE}
    if not command:
        return Commands(commands={name: first_sentence(kind) for name, kind in known.items()})
    if command not in known:
        raise UnknownCommand(f"Your seat has no command {command[:40]!r}; it has {', '.join(known)}.")
    fields: dict[str, Any] = {}
    example: dict[str, Any] = {}
    for field in fields_of(known[command]):
        try:
            schema = field_schema(field)
        except KeyError:  # anything goes
            schema = {"description": field.doc}
        schema.pop("x-names", None)
        things = desk.shown_view.things(field.names) if field.names else None
        if things is not None:
            schema["here"] = [clean(name, 60) for name in things.values()]
        elif ready := desk.shown_view.things(field.suggests) if field.suggests else None:
            schema["here"] = [clean(name, 60) for name in ready.values()]
        if field.required:
            here = schema.get("here") or (["somebody"] if things is not None else [])
            example[field.name] = here[0] if here else _fitting(schema)
        fields[field.name] = {**schema, "required": field.required}
    doc = (known[command].__doc__ or "").strip()
    return Commands(commands={command: doc}, fields=fields, example={"command": command, "fields": example})


def explained(desk: Desk, command: str, refusal: Refusal) -> Refusal:
    """A refusal of fields, with those that the command needs and an example from this table."""
    if refusal.code != "bad_fields":
        return refusal
    try:
        found = commands(desk, command)
    except Refusal:
        return refusal
    needed = ", ".join(name for name, field in found.fields.items() if field["required"]) or "no field"
    example = in_json(found.example)
    return Refusal(f"{refusal.sentence} {command} needs {needed}. Example: {example}.", code=refusal.code)


def explaining(desk: Desk, command: str, work: Callable[[], T]) -> T:
    """Work whose refusals are explained."""
    try:
        return work()
    except Refusal as refusal:
        raise explained(desk, command, refusal) from None


def _fitting(schema: dict[str, Any]) -> Any:
    """A value that fits a schema."""
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return _fitting(schema["anyOf"][0])
    match schema.get("type"):
        case "integer":
            return schema.get("minimum", 1)
        case "boolean":
            return True
        case "array":
            return [_fitting(schema["items"])]
        case "object":
            properties = schema.get("properties", {})
            return {name: _fitting(properties[name]) for name in schema.get("required", ())}
        case _:
            return "…"
