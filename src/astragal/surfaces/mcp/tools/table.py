"""The tools around play: table (where one sits) and secret (what one holds back)."""

from typing import Annotated, Any, Literal

from mcp.server.mcpserver import AcceptedElicitation, Context, Elicit, ElicitationResult, Resolve
from mcp_types import CallToolResult
from pydantic import BaseModel, Field

from astragal.surfaces.mcp import elicitation, seating
from astragal.surfaces.mcp.elicitation import Unasked
from astragal.surfaces.mcp.execute import Asked, Doer
from astragal.surfaces.mcp.session import Desk, Place
from astragal.surfaces.mcp.tools.play import agreed_by, stopped_by
from astragal.surfaces.mcp.tools.results import Done, Event, Seating
from astragal.surfaces.mcp.tools.schema import Offered, answered, offered, tried
from astragal.surfaces.mcp.views import secrets
from astragal.surfaces.mcp.views.untrusted_text import clean
from astragal.table.refusals import NotAllowed, Refusal

FULLY, PROPOSING = "it may act for this seat", "it may only propose"


class Lending(BaseModel):
    how: Literal["it may act for this seat", "it may only propose"] = Field(description="What may the AI do?")


def keeping_tools(desk: Desk, doer: Doer) -> list[Offered]:
    return [offered(_table(desk)), offered(_secret(desk, doer))]


def _table(desk: Desk) -> Any:
    opener = seating.Opener(desk)

    def lending(do: str, table: str, seat: str, player: str, ctx: Context) -> Any:
        """A person's seat is theirs to lend."""
        if do != "sit":
            return None
        found = tried(desk, lambda: seating.sought(desk, table, seat, player))
        if isinstance(found, Refusal) or found[1].ai:
            return None
        name = f"{clean(found[1].name, 60)} ({found[1].role.value}) at {clean(found[0].name, 60)}"
        if elicitation.can_ask(ctx):
            return Elicit(f"The AI wants to sit down on a person's seat: {name}.", Lending)
        return Unasked(f"{name} is a person's seat. They lend it by starting: astragal mcp --table ID --seat NAME.")

    def table(
        *,
        lent: Annotated[ElicitationResult[BaseModel], Resolve(lending)],
        do: Literal["list", "open", "sit"] = "list",
        game: str = "",
        name: Annotated[str, Field(max_length=60, description="of a new table")] = "Our table",
        skin: str = "",
        heroes: Annotated[
            list[str | dict[str, Any]], Field(max_length=8, description="sample names, or fields of make_hero")
        ] = [],  # noqa: B006 - never changed
        player: Annotated[str, Field(max_length=60, description="the person at this client")] = "",
        options: dict[str, Any] = {},  # noqa: B006 - never changed
        table: Annotated[str, Field(description="id or name")] = "",
        seat: Annotated[str, Field(description="a name; AI seats are free, persons lend theirs")] = "",
    ) -> Annotated[CallToolResult, Seating]:
        """List games and tables (with game and skin: its sample heroes), open a table that you run, or sit down at one.
        Example: {"do": "open", "game": "new_shoes", "heroes": ["Ottilie Brandt"], "player": "Ann"}"""

        def work() -> Seating | Refusal:
            if do == "list":
                return seating.listed(desk, game, skin)
            if do == "open":
                return opener.open(game, name, skin=skin, heroes=heroes, player=player or "Player", options=options)
            return _sit(desk, seating.sought(desk, table, seat, player), lent)

        return answered(desk, work)

    return table


def _sit(desk: Desk, found: Any, lent: ElicitationResult[BaseModel]) -> Seating | Refusal:
    title, seat, person = found
    copilot = False
    if not seat.ai:
        if not isinstance(lent, AcceptedElicitation):
            return Refusal("The person keeps their seat.", code="declined")
        said: Any = lent.data
        if not isinstance(said, Lending):
            return NotAllowed(said.question if isinstance(said, Unasked) else "That seat is a person's.")
        copilot = said.how == PROPOSING
    desk.sit(Place(title.id, seat.id, person=person, copilot=copilot))
    return seating.seated(desk)


def _secret(desk: Desk, doer: Doer) -> Any:
    def consent(*, do: str, handle: str, title: str, words: str, ctx: Context) -> Any:
        def work() -> Any:
            command, fields = secrets.revealing(handle) if do == "reveal" else ("write_note", {})
            return elicitation.consent_to(desk, ctx, command, fields, text=[title, words])

        return tried(desk, work) if do in ("keep", "reveal") else None

    def secret(
        *,
        given: Annotated[ElicitationResult[BaseModel], Resolve(consent)],
        do: Literal["list", "keep", "read", "reveal"] = "list",
        title: Annotated[str, Field(max_length=120, description="harmless: it is shown")] = "",
        words: Annotated[str, Field(max_length=3500)] = "",
        handle: str = "",
    ) -> Annotated[CallToolResult, Done]:
        """Keep something from players under a handle; list handles; read one; reveal one to all, for good.
        Example: {"do": "keep", "title": "About the mayor", "words": "He paid the thieves."}"""

        def work() -> Done | Refusal:
            if stop := stopped_by(given):
                return stop
            if do == "keep":
                return _keep(desk, doer, title, words)
            if do == "read":
                return Done(events=_as_events(handle, secrets.read_secret(desk, handle)), handle=handle[:80])
            if do == "reveal":
                command, fields = secrets.revealing(handle)
                return doer.done(doer.perform(Asked(command, fields, agreed=agreed_by(desk, given))))
            return Done(events=_as_events("", secrets.handles(desk)))

        return answered(desk, work)

    return secret


def _keep(desk: Desk, doer: Doer, title: str, words: str) -> Done | Refusal:
    if not title or not words:
        return Refusal("A secret has a harmless title and words.", code="bad_fields")
    whose = {"audience": "game master"} if desk.is_game_master() else {"audience": "seat", "seat": desk.here.seat}
    kept = doer.perform(Asked("write_note", {"title": title, "words": words, **whose}))
    return Done(act=kept.act, handle=f"note:{kept.events[0].fields['note']['id']}")


def _as_events(handle: str, lines: list[str]) -> list[Event]:
    act = handle.partition(":")[2].split(" ")[0][:40]
    return [Event(act=act, kind="secret", by="", words=clean(line, secrets.LONGEST)) for line in lines if line]
