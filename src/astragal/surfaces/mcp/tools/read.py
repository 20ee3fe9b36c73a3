"""The tools that change nothing: look, actions, odds, advise, recap, verify."""

from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeVar

from mcp_types import CallToolResult
from pydantic import Field

from astragal import fair
from astragal.surfaces.mcp.execute import ELSEWHERE
from astragal.surfaces.mcp.odds import advice_on, best_spend, odds_of
from astragal.surfaces.mcp.results import Advised, Commands, OddsFound, Proof, Recap, Standing, in_json
from astragal.surfaces.mcp.session import Desk
from astragal.surfaces.mcp.table_view import recap as recap_of
from astragal.surfaces.mcp.table_view import standing
from astragal.surfaces.mcp.tools.schema import CommandName, Given, Offered, answered, offered
from astragal.surfaces.mcp.untrusted_text import clean
from astragal.surfaces.shared.words import first_sentence
from astragal.table.fields.definitions import fields_of
from astragal.table.fields.json_schema import field_schema
from astragal.table.refusals import Refusal, UnknownCommand


def reading_tools(desk: Desk) -> list[Offered]:
    def look(
        what: Literal["all", "story", "people", "waiting", "news"] = "all", who: str = ""
    ) -> Annotated[CallToolResult, Standing]:
        """What stands now: story, people and their sheets, what waits for whom, what is new, handles of secrets.
        Example: {"what": "people", "who": "Kira"}"""
        return answered(desk, lambda: standing(desk, what, who))

    def actions(command: str = "") -> Annotated[CallToolResult, Commands]:
        """What your seat can do by act: all commands, or one with its fields, limits and an example. Rewind, undo,
        reveal, save nodes, clocks, rests, notes and overrides are commands too. Example: {"command": "rewind"}"""
        return answered(desk, lambda: commands(desk, command))

    def odds(
        command: CommandName,
        fields: Given,
        reach: Annotated[str, Field(description="a chance, such as 75%: what it costs to reach it")] = "",
    ) -> Annotated[CallToolResult, OddsFound]:
        """The exact chances of a command before it is given, for every legal spend. Nothing is rolled.
        Example: {"command": "ask_oracle", "fields": {"question": "Is it open?"}}"""
        return answered(desk, lambda: explaining(desk, command, lambda: odds_of(desk, command, fields, reach)))

    def advise(
        id: Annotated[str, Field(description="a decision that waits")] = "",  # noqa: A002 - as it is shown by look
        command: str = "",
        fields: Given = {},  # noqa: B006 - never changed
        aim: Annotated[str, Field(description="the outcome to make likeliest, as odds has it; none is success")] = "",
    ) -> Annotated[CallToolResult, Advised]:
        """Which answer to an open decision, or which spend before a command, is best for an aim, and what each is
        worth, exactly. Example: {"id": "3f…", "aim": "yes"}"""

        def work() -> Advised | Refusal:
            if bool(id) == bool(command):
                return Refusal(
                    "Give id (a decision that waits) or command with fields, one of both.", code="bad_fields"
                )
            return advice_on(desk, id, aim) if id else best_spend(desk, command, fields, aim)

        return answered(desk, work)

    def recap(
        more: Literal["", "story", "people", "open", "promised", "beats"] = "",
    ) -> Annotated[CallToolResult, Recap]:
        """All you need if you forgot everything, in at most 1,500 tokens; more gives one part the whole room."""
        return answered(desk, lambda: recap_of(desk, more))

    def verify() -> Annotated[CallToolResult, Proof]:
        """Check the table's public ledger: that no roll was altered, dropped or retried."""

        def work() -> Proof:
            report = fair.verify(list(desk.house.host.ledger(desk.here.table, desk.here.seat)))
            return Proof(sound=report.sound, head=report.head, sentences=list(report.sentences()))

        return answered(desk, work)

    return [offered(tool, reads_only=True) for tool in (look, actions, odds, advise, recap, verify)]


# ---------------------------------------------------------------- commands


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
