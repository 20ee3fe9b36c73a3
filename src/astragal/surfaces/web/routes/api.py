"""JSON API: what a seat sees, what it may do, and what happens.

A program authenticates with `Authorization: Bearer …`, a page's own script with its device's cookie. The sentence and
the status of refusals come from the module `errors`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from fractions import Fraction
from functools import lru_cache, partial
from typing import Annotated, Any, NamedTuple

import msgspec
from fastapi import APIRouter, Depends, Header, HTTPException, Path, Query, Request
from fastapi.openapi.utils import get_openapi
from fastapi.responses import HTMLResponse, Response, StreamingResponse
from fastapi.routing import APIRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from astragal import __version__
from astragal.surfaces.shared.odds import exact_preview, read_chance
from astragal.surfaces.shared.words import schema_words
from astragal.surfaces.web import rendering, session
from astragal.surfaces.web.context import WebContext
from astragal.surfaces.web.errors import HANDLED_ERRORS, answer_to
from astragal.surfaces.web.live import sse, updates
from astragal.surfaces.web.routes import api_schemas as schemas
from astragal.surfaces.web.security.auth import bearer_of
from astragal.table import host, refusals, registry
from astragal.table.declarations import Sight
from astragal.table.fields import json_schema, validation
from astragal.table.log.group_commit import Steps
from astragal.table.visibility.redact import plain

router = APIRouter(prefix="/api")
tables = APIRouter(prefix="/api/tables/{table}")

JSON_TYPES = ("application/json", "")
COMMANDS = "/commands"
PREVIEW = "/preview"
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
COMMAND_ID = "Idempotency-Key"
LONGEST_COMMAND = 60
NO_OPTIONS = schemas.HowGiven(shown=None)


async def body(request: Request) -> Mapping[str, Any]:
    """Dependency: the fields of a command, from the request's JSON body."""
    sent = await request.body()
    if request.headers.get("Content-Type", "").partition(";")[0].strip().casefold() not in JSON_TYPES:
        raise refusals.BadFields(["a command's fields come as application/json"])
    try:
        fields = validation.read_json(sent) if sent else {}
    except validation.KeyTwice as fault:
        raise refusals.BadFields([str(fault)]) from fault
    except (ValueError, RecursionError) as fault:
        raise refusals.BadFields(["the body is not JSON"]) from fault
    if not isinstance(fields, dict):
        raise refusals.BadFields(["a command's fields are a JSON object"])
    return fields


def in_game(request: Request, at: session.AtTable) -> session.SeatSession:
    """Dependency: the seat. A game's own command is refused at a table of another game."""
    ruleset = at.host.book_of(at.table).ruleset
    game = str(request.path_params.get("game", ruleset.id))
    if game != ruleset.id:
        raise refusals.UnknownCommand(f"This is a table of {ruleset.name}: it knows no command of {game[:40]!r}.")
    return at


async def wanted_chance(
    reach: Annotated[str, Query(description="a chance, such as 75% or 3/4: the fewest points that reach it")] = "",
) -> Fraction | None:
    return read_chance(reach) if reach else None


CommandName = Annotated[str, Path(max_length=LONGEST_COMMAND)]
Fields = Annotated[Mapping[str, Any], Depends(body)]
InGame = Annotated[session.SeatSession, Depends(in_game)]
How = Annotated[schemas.HowGiven, Query()]
CommandId = Annotated[
    str | None,
    Header(alias=COMMAND_ID, max_length=host.LONGEST_ID, description="the same key again gives the same outcome"),
]
Seen = Annotated[Sight, Query(description="how it is shown to others; for the game master")]
Wanted = Annotated[Fraction | None, Depends(wanted_chance)]

# ---------------------------------------------------------------- commands, the most frequent requests


async def act(request: Request, table: str, command: CommandName, how: How, command_id: CommandId = None) -> Response:
    options = {**vars(how), "link": session.link_in(how.link), "command_id": command_id}
    fields = await body(request)
    steps = partial(_act, request, table, (command, fields), options)
    return await session.context_of(request).hub.run(table, steps)


def _act(
    request: Request, table: str, command: tuple[str, Mapping[str, Any]], options: Mapping[str, Any]
) -> Steps[Response]:
    """Find the seat and give the command in one thread: each wait for another costs as much as a command does."""
    at = session.seat_session(request, table)
    yield from at.host.opening(table)
    outcome = yield from in_game(request, at).acting(*command, **options)
    receipt = outcome.receipt.public if outcome.receipt else None
    return _json({"act": outcome.act, "events": outcome.events, "waits_for": outcome.waits_for, "receipt": receipt})


for place, documented in ((COMMANDS + "/{game}/{command}", False), (COMMANDS + "/{command}", True)):
    tables.add_api_route(
        place,
        act,
        methods=["POST"],
        response_model=schemas.Outcome,
        summary="Give a command",
        include_in_schema=documented,
    )


ROUTES = tuple(route for route in tables.routes if isinstance(route, APIRoute) and route.endpoint is act)
"""The routes of commands."""


class PlainCommands:
    """Fast path: middleware that gives commands without options itself, because routing takes longer than the game."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = self._app
        if scope["type"] == "http" and scope["method"] == "POST" and not scope["query_string"]:
            path = scope["path"].removeprefix(scope.get("root_path", ""))
            for route in ROUTES:
                if match := route.path_regex.match(path):
                    scope.update(route=route, path_params=match.groupdict())
                    answer = await _acted(Request(scope, receive)) or answer
                    break
        await answer(scope, receive, send)


async def _acted(request: Request) -> Response | None:
    """Give a command and return the response; None if its name or its key is too long, which the route refuses."""
    command = request.path_params["command"]
    command_id = request.headers.get(COMMAND_ID)
    if len(command) > LONGEST_COMMAND or len(command_id or "") > host.LONGEST_ID:
        return None
    try:
        return await act(request, request.path_params["table"], command, NO_OPTIONS, command_id)
    except HANDLED_ERRORS as fault:
        return answer_to(request, fault)


# ---------------------------------------------------------------- reading


@tables.get("", summary="The table as your seat sees it", response_model=schemas.TableView)
def look(at: session.AtTable) -> Response:
    return _json(
        {
            "seat": at.seat,
            "role": at.own.role.value,
            "present": sorted(at.present),
            "game": at.state.ruleset,
            "state": plain(at.state),
        }
    )


@tables.get("/decisions", summary="What waits to be decided", response_model=list[schemas.Decision])
def decisions(at: session.AtTable) -> Response:
    return _json(at.decisions)


@tables.get("/log", summary="What happened, page by page", response_model=schemas.LogPage)
def log(
    at: session.AtTable,
    after: Annotated[str, Query(max_length=60, description="the cursor of the page before")] = "",
    most: Annotated[
        int, Query(ge=1, le=host.MOST_ON_A_PAGE, description="so many events at the most")
    ] = host.MOST_ON_A_PAGE,
) -> Response:
    return _json(at.host.follow(at.table, at.seat, after, most))


@tables.get(
    "/ledger",
    summary="The public ledger of dice",
    response_class=Response,
    responses={200: {"content": {"application/jsonl": {}}, "description": "One line a record, as `verify` reads them"}},
)
def ledger(
    at: session.AtTable, after: Annotated[int, Query(ge=0, le=2**53, description="lines that you have already")] = 0
) -> Response:
    records = at.host.ledger(at.table, at.seat, after)  # before the response begins: this may be refused
    lines = (record + b"\n" for record in records)
    return StreamingResponse(lines, media_type="application/jsonl")


@tables.get(
    "/export",
    summary="The table as a file: whole for the game master, for others all that they may see, with its proof",
    response_class=Response,
    responses={200: {"content": {"application/jsonl": {}}, "description": "As `verify` reads it, and `table import`"}},
)
def export(at: session.AtTable) -> Response:
    return StreamingResponse(at.host.archive.export(at.table, at.seat), media_type="application/jsonl")


@tables.get(
    "/events",
    summary="What happens from now on, as server-sent events",
    response_class=Response,
    responses={200: {"content": {"text/event-stream": {}}}},
)
async def events(request: Request, at: sse.Following, cursor: sse.FromCursor) -> sse.Stream:
    """Each message has the `id` of a cursor to go on from, and as data a list of events.

    Its name is `happened`. `restarted` means that the cursor is unknown or of another role, and that everything comes
    again from the beginning; `gone`, that the seat is no longer yours and the stream ends; `ping`, nothing.
    """
    return sse.Stream(request, at, lambda cache: updates.EventFollower(at, cursor))


@tables.post(PREVIEW + "/{game}/{command}", include_in_schema=False)
@tables.post(
    PREVIEW + "/{command}",
    response_model=schemas.PreviewedOdds,
    responses={204: {"description": "Nothing is rolled"}},
    summary="The exact odds of a command",
)
def preview(at: InGame, command: CommandName, fields: Fields, wanted: Wanted, sight: Seen = Sight.OPEN) -> Response:
    with at.calculating():
        odds = at.preview(command, fields, sight)
        if odds is None:
            return Response(status_code=204)
        return _json({"reach": None, **exact_preview(odds, wanted, schemas.chances_of)})


@router.get("/me", summary="Whose the token is: table, seat and role", response_model=schemas.Me)
def me(request: Request) -> Response:
    """Identify a token's seat, for a program that was given nothing but the token."""
    context = session.context_of(request)
    token = context.auth.token(bearer_of(request) or "")
    if token is None or token.table is None or token.seat is None:
        raise HTTPException(401, "A bearer token that opens a seat is needed.")
    at = session.SeatSession(context, token.table, token.seat, token.digest)
    heroes = [character.name for character in at.state.characters.values() if character.seat == at.seat]
    return _json(
        {
            "table": at.table,
            "name": at.state.name,
            "game": at.state.ruleset,
            "seat": at.seat,
            "called": at.own.name,
            "role": at.own.role.value,
            "ai": at.own.ai,
            "heroes": heroes,
            "until": token.until,
        }
    )


# ---------------------------------------------------------------- the document


@router.get("/openapi.json", include_in_schema=False)
def openapi(request: Request) -> Response:
    """The document of every operation, for programs."""
    return _json(document_of(session.context_of(request)))


@router.get("", include_in_schema=False)
def about(request: Request) -> HTMLResponse:
    """The same document for people."""
    return rendering.page(request, "api/api.html", chapters=chapters(document_of(session.context_of(request))))


def _json(value: object) -> Response:
    return Response(msgspec.json.encode(value, enc_hook=str), media_type="application/json")


@lru_cache(maxsize=1)
def document_of(context: WebContext) -> Document:
    """The OpenAPI document of a table's routes, with one operation for each command of each installed game.

    Cached, because it takes far longer to build than to send; a context's games and address stay as they are.
    """
    document = get_openapi(
        title="Astragal",
        version=__version__,
        description=ABOUT,
        routes=tables.routes,
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
    problems = {str(status): {"$ref": f"#/components/responses/{status}"} for status in PROBLEMS}
    paths: Document = document["paths"]
    for path in paths.values():
        for operation in path.values():
            operation["responses"] |= problems
    commands = sorted(_commands(context.books), key=lambda command: (command.game, command.name))
    _list_operations(paths, COMMANDS, commands)
    _list_operations(paths, PREVIEW, [command for command in commands if command.rolls])
    return document


def _list_operations(paths: Document, kind: str, commands: Iterable[_Command]) -> None:
    """Put an operation for each command in place of the general one, whose path has the command as a parameter."""
    general = next(path for path in paths if path.endswith(kind + "/{command}"))
    template = paths.pop(general)["post"]
    for command in commands:
        place = f"{command.game}/{command.name}" if command.game else command.name
        paths[general.replace("{command}", place)] = {"post": _operation(template, command, kind)}


class _Command(NamedTuple):
    """A command and the game that declares it, which is empty for commands of every table."""

    game: str
    name: str
    kind: type
    title: str
    rolls: bool


def _commands(books: Mapping[str, registry.Book]) -> Iterator[_Command]:
    """Iterate over the commands of every table once, and over each game's own."""
    listed: set[type] = set()
    for game, book in books.items():
        games_own = {action.command for chapter in book.ruleset.chapters for action in chapter.actions}
        for name, kind in book.commands.items():
            if kind in listed:
                continue
            listed.add(kind)
            action = book.actions.get(name)
            rolls = action is not None and action.gather is not None
            if kind in games_own:
                yield _Command(game, name, kind, book.ruleset.name, rolls)
            else:
                yield _Command("", name, kind, "", rolls)


def _operation(template: Document, command: _Command, kind: str) -> Document:
    schema = json_schema.schema_of(command.kind)
    words = schema.pop("description")
    summary = f"The exact odds of {command.name}" if kind == PREVIEW else words.partition("\n")[0]
    parts_of_id = [part for part in (kind[1:], command.game, command.name) if part]
    return deepcopy(template) | {
        "summary": summary,
        "description": words,
        "operationId": "_".join(parts_of_id),
        "tags": [command.title or "Every table"],
        "parameters": [parameter for parameter in template["parameters"] if parameter["name"] != "command"],
        "requestBody": {
            "required": bool(schema["required"]),
            "content": {"application/json": {"schema": schema}},
        },
    }


# ---------------------------------------------------------------- for people


def chapters(document: Document) -> dict[str, list[Document]]:
    """Operations of the document as the page about the API shows them, grouped by tag."""
    operations_by_tag: dict[str, list[Document]] = {}
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            parameters = [parameter for parameter in operation.get("parameters", ()) if parameter["in"] != "path"]
            entry = {
                "method": method.upper(),
                "path": path,
                "words": operation.get("description", ""),
                "fields": _fields_of(operation),
                "summary": operation["summary"],
                "parameters": [{**parameter, "takes": schema_words(parameter["schema"])} for parameter in parameters],
            }
            tag = operation.get("tags", ["Looking"])[0]
            operations_by_tag.setdefault(tag, []).append(entry)
    return operations_by_tag


def _fields_of(operation: Document) -> list[Document]:
    """List the fields of an operation's body, each with the words for what it takes."""
    content = operation.get("requestBody", {}).get("content", {})
    schema = content.get("application/json", {}).get("schema", {})
    fields = []
    for name, field in schema.get("properties", {}).items():
        fields.append({"name": name, "required": name in schema["required"], "takes": schema_words(field), **field})
    return fields
