"""What can be asked of a table: commands with their fields, from their own definitions."""

from __future__ import annotations

from typing import Any

from astragal.surfaces.mcp.execute import ELSEWHERE
from astragal.surfaces.mcp.session import Desk
from astragal.surfaces.mcp.tools.results import Commands
from astragal.surfaces.mcp.views.untrusted_text import clean
from astragal.table.fields.definitions import Field, fields_of
from astragal.table.fields.json_schema import field_schema
from astragal.table.refusals import UnknownCommand
from astragal.table.state.table import State


def commands(desk: Desk, command: str = "") -> Commands:
    """All that this seat may ask for, or one command with its fields and an example."""
    allowed = desk.book.commands_for(desk.look().seats[desk.here.seat].role)
    known = {name: kind for name, kind in allowed.items() if name not in ELSEWHERE}
    if not command:
        return Commands(commands={name: _first_line(kind) for name, kind in known.items()})
    if command not in known:
        raise UnknownCommand(f"Your seat has no command {command[:40]!r}; it has {', '.join(known)}.")
    kind, state = known[command], desk.shown()
    described = {field.name: _described(field, state) for field in fields_of(kind)}
    example = {field.name: _example(field, state) for field in fields_of(kind) if field.required}
    return Commands(
        commands={command: (kind.__doc__ or "").strip()},
        fields=described,
        example={"command": command, "fields": example},
    )


def _first_line(kind: type) -> str:
    return (kind.__doc__ or "").strip().splitlines()[0] if kind.__doc__ else ""


def _described(field: Field, state: State) -> dict[str, Any]:
    try:
        schema = field_schema(field)
    except KeyError:  # anything goes
        schema = {"description": field.doc}
    schema["required"] = field.required
    if field.names in ("character", "seat", "seat or character"):
        characters = [one.name for one in state.characters.values()] if "character" in field.names else []
        seats = [one.name for one in state.seats.values()] if "seat" in field.names else []
        schema["here"] = [clean(name, 60) for name in (*characters, *seats)]
    schema.pop("x-names", None)
    return schema


def _example(field: Field, state: State) -> Any:
    """A value that fits the field's limits."""
    if field.names in ("character", "seat or character"):
        return next((clean(one.name, 60) for one in state.characters.values()), "somebody")
    if field.names == "seat":
        return next((clean(one.name, 60) for one in state.seats.values()), "somebody")
    try:
        schema = field_schema(field)
    except KeyError:
        return "…"
    return _fitting(schema)


def _fitting(schema: dict[str, Any]) -> Any:
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
