"""The tools that change nothing: look, actions, odds, advise, recap, verify."""

from typing import Annotated, Any, Literal

from mcp_types import CallToolResult
from pydantic import Field

from astragal import fair
from astragal.surfaces.mcp.session import Desk
from astragal.surfaces.mcp.tools.results import Advised, Commands, OddsFound, Proof, Recap, Standing
from astragal.surfaces.mcp.tools.schema import Offered, answered, offered
from astragal.surfaces.mcp.views.commands import commands, explaining
from astragal.surfaces.mcp.views.odds import advice_on, best_spend, odds_of
from astragal.surfaces.mcp.views.recap import recap as recap_of
from astragal.surfaces.mcp.views.table import standing
from astragal.table.refusals import Refusal

CommandName = Annotated[str, Field(description="a command's name, as actions lists it")]
Given = Annotated[dict[str, Any], Field(description="the command's fields")]


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
