"""The OpenAPI document of the JSON API: one operation for each command of every game, from the command's definition."""

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from fastapi.openapi.utils import get_openapi
from starlette.routing import BaseRoute

from astragal import __version__
from astragal.surfaces.web.api import schemas
from astragal.surfaces.web.context import WebContext
from astragal.table.fields.json_schema import schema_of
from astragal.table.registry import Book

COMMANDS, PREVIEW = "/commands", "/preview"
ABOUT = """\
What a seat at a table sees and may do, for programs. Everything is asked from a seat: by a token, sent as
`Authorization: Bearer …`, which the game master makes under *People*; or, in the table's own pages, by the seat's
cookie. Commands are those of the table; what one is called and takes is written once, in the game's own definition."""
PROBLEMS: Mapping[int, str] = {
    401: "You have no seat at this table",
    403: "Sent from a page that is not the table's own",
    413: "The request is too long",
    422: "Refused: the code and the sentence say why. Nothing has happened",
    429: "Too much in a short time; `Retry-After` says how long to wait",
    503: "The tables can't be reached now; nothing is lost",
}
Document = dict[str, Any]


def document_of(context: WebContext, routes: Sequence[BaseRoute]) -> Document:
    """The OpenAPI document of these routes, with one operation for each command of each installed game."""
    document = get_openapi(
        title="Astragal",
        version=__version__,
        description=ABOUT,
        routes=routes,
        servers=[{"url": context.settings.address}],
        separate_input_output_schemas=False,
    )
    parts = document.setdefault("components", {})
    parts["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    document["security"] = [{"token": []}]
    refused = {"application/json": {"schema": {"$ref": "#/components/schemas/Refused"}}}
    parts["responses"] = {str(code): {"description": words, "content": refused} for code, words in PROBLEMS.items()}
    parts["schemas"]["Refused"] = schemas.Refused.model_json_schema()
    for unused in ("HTTPValidationError", "ValidationError"):
        parts["schemas"].pop(unused, None)
    paths: Document = document["paths"]
    for path in paths.values():
        for operation in path.values():
            operation["responses"] |= {str(status): {"$ref": f"#/components/responses/{status}"} for status in PROBLEMS}
    for kind in (COMMANDS, PREVIEW):
        general = next(path for path in paths if path.endswith(kind + "/{command}"))
        template = paths.pop(general)["post"]
        for one in sorted(_commands(context.books), key=lambda one: (one.game, one.name)):
            if kind == COMMANDS or one.rolls:
                place = f"{one.game}/{one.name}" if one.game else one.name
                paths[general.replace("{command}", place)] = {"post": _operation(template, one, kind)}
    return document


@dataclass(frozen=True)
class _Command:
    """A command and the game that declares it; `game` is empty for commands of every table."""

    name: str
    kind: type
    game: str
    title: str
    rolls: bool


def _commands(books: Mapping[str, Book]) -> Iterator[_Command]:
    """Commands of every table once, and each game's own."""
    seen: set[type] = set()
    for game, book in books.items():
        own = {action.command for chapter in book.ruleset.chapters for action in chapter.actions}
        for name, kind in book.commands.items():
            if kind not in seen:
                seen.add(kind)
                action = book.actions.get(name)
                rolls = action is not None and action.gather is not None
                whose = (game, book.ruleset.name) if kind in own else ("", "")
                yield _Command(name, kind, *whose, rolls)


def _operation(template: Document, command: _Command, kind: str) -> Document:
    operation = deepcopy(template)
    schema = schema_of(command.kind)
    words = schema.pop("description")
    operation["summary"] = f"The exact odds of {command.name}" if kind == PREVIEW else words.partition("\n")[0]
    operation["description"] = words
    operation["operationId"] = "_".join(filter(None, (kind[1:], command.game, command.name)))
    operation["tags"] = [command.title or "Every table"]
    operation["parameters"] = [one for one in operation["parameters"] if one["name"] != "command"]
    operation["requestBody"] = {
        "required": bool(schema["required"]),
        "content": {"application/json": {"schema": schema}},
    }
    return operation


# ---------------------------------------------------------------- for people


@dataclass(frozen=True)
class Shown:
    """An operation as the page about the API shows it."""

    method: str
    path: str
    summary: str
    words: str
    parameters: Sequence[Mapping[str, Any]]
    fields: Sequence[Mapping[str, Any]]


def chapters(document: Document) -> dict[str, list[Shown]]:
    """Operations of the document, grouped by tag."""
    found: dict[str, list[Shown]] = {}
    for path, operations in document["paths"].items():
        for method, one in operations.items():
            asked = one.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
            fields = [
                {"name": name, "required": name in asked["required"], "takes": _takes(field), **field}
                for name, field in asked.get("properties", {}).items()
            ]
            parameters = [
                {**each, "takes": _takes(each["schema"])} for each in one.get("parameters", ()) if each["in"] != "path"
            ]
            shown = Shown(method.upper(), path, one["summary"], one.get("description", ""), parameters, fields)
            found.setdefault(one.get("tags", ["Looking"])[0], []).append(shown)
    return found


def _takes(schema: Mapping[str, Any]) -> str:
    """A field's type and limits, in words."""
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if "anyOf" in schema:
        return " or ".join(_takes(one) for one in schema["anyOf"])
    kind = schema.get("type", schema.get("$ref", "anything").rpartition("/")[2])
    least, most = (schema.get(word) for word in ("minimum", "maximum"))
    limits = f" {'' if least is None else least}–{'' if most is None else most}" if least is not most else ""
    longest = f", at most {schema['maxLength']} characters" if "maxLength" in schema else ""
    items = f" of {_takes(schema['items'])}" if "items" in schema else ""
    return f"{kind}{items}{limits}{longest}"
