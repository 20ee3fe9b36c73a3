"""The tools act and answer: they give commands, and decide what waits.

Resolvers ask the person for decisions before the tool's own work. They run again in every round of a call, so they act
only once for each intent. They pass a refusal on as a value.
"""

from typing import Annotated, Any, Literal

import anyio
import anyio.to_thread
from mcp.server.mcpserver import AcceptedElicitation, Context, ElicitationResult, Resolve
from mcp_types import CallToolResult
from msgspec import Struct
from pydantic import BaseModel, Field

from astragal.surfaces.mcp import elicitation, execute, results, table_view
from astragal.surfaces.mcp.session import McpSession, digest_of
from astragal.surfaces.mcp.tools import read, schema
from astragal.table.declarations import Sight
from astragal.table.log.repository import Outcome
from astragal.table.refusals import Refusal

NOT_NOW = "The person did not decide now. It waits; don't decide for them."


def act_tool(session: McpSession, runner: execute.CommandRunner) -> schema.Offered:
    def consent(command: str, fields: dict[str, Any], sight: str, ctx: Context) -> Any:
        return schema.tried(session, lambda: elicitation.consent_to(session, ctx, command, fields, Sight(sight)))

    def performed(
        *,
        command: str,
        fields: dict[str, Any],
        sight: str,
        intent: str,
        shown: str,
        reply: Annotated[ElicitationResult[BaseModel], Resolve(consent)],
    ) -> Any:
        def work() -> Performed:
            agreed = elicitation.agreed_by(session, reply)
            outcome = runner.perform(execute.Asked(command, fields, Sight(sight), intent, shown or None, agreed))
            waiting = runner.waits_of(outcome)
            return Performed(outcome, waiting, None if waiting else runner.done(outcome))

        stop = elicitation.stopped_by(reply)
        if stop in (None, elicitation.DECLINED):  # the form is back
            session.asking.discard(digest_of(session, command, fields))
        return stop or schema.tried(session, work)

    async def decision(outcome: Annotated[Any, Resolve(performed)], ctx: Context) -> Any:
        waiting = outcome.waiting if isinstance(outcome, Performed) else None
        return elicitation.form_or_question(session, ctx, waiting) if waiting else None

    async def act(
        *,
        command: schema.CommandName,
        outcome: Annotated[Any, Resolve(performed)],
        decided: Annotated[ElicitationResult[BaseModel], Resolve(decision)],
        fields: schema.Given = {},  # noqa: B006 - never changed
        sight: Annotated[
            Literal["open", "hidden", "secret"], Field(description="how players see it; game master only")
        ] = "open",
        intent: Annotated[str, Field(description="your own word for this intent; a new word is a new roll")] = "",
        shown: Annotated[str, Field(description="the question that odds gave")] = "",  # noqa: ARG001 - the resolver reads it
    ) -> Annotated[CallToolResult, results.Done]:
        """Do something by the rules: the server rolls and keeps it. The same call again, with nothing in between, is
        the same roll. Example: {"command": "say", "fields": {"words": "Hello!"}}"""

        if isinstance(outcome, Refusal):
            return results.refused(read.remedied(session, command, outcome))
        if outcome.told is not None:
            return results.reply(outcome.told)

        def work() -> results.Done:
            runner.settle(execute.Asked(command, fields, Sight(sight), intent))
            return _after(runner, outcome.outcome, decided)

        return await anyio.to_thread.run_sync(lambda: schema.answered(session, work))

    return schema.offered(act)


class Performed(Struct, frozen=True):
    """A command that was given, and what it asks of the person; if that is nothing, `told` is its result."""

    outcome: Outcome
    waiting: results.Waits | None
    told: results.Done | None


def _after(runner: execute.CommandRunner, outcome: Outcome, decided: ElicitationResult[BaseModel]) -> results.Done:
    """Return the result of a command and of the person's decision on it."""
    waiting = runner.waits_of(outcome)
    if waiting is None:
        return runner.done(outcome)
    runner.session.asking.discard(waiting.id)
    if not isinstance(decided, AcceptedElicitation):
        return runner.done(outcome, warnings=(NOT_NOW,))
    data: Any = decided.data
    if isinstance(data, elicitation.QuestionForModel):
        result = runner.done(outcome)
        result.ask = data.question
        result.asked = waiting.id
        return result
    if data is None:
        return runner.done(outcome)
    return runner.done(outcome, runner.answer(waiting, elicitation.chosen(waiting, data), by_person=True))


def answer_tool(session: McpSession, runner: execute.CommandRunner) -> schema.Offered:
    def form(ctx: Context, id: str = "", answer: Any = None) -> Any:  # noqa: A002 - as look shows it
        waiting = schema.tried(session, lambda: elicitation.open_wait(session, id))
        if isinstance(waiting, Refusal) or waiting.whose != table_view.THE_PERSONS or not elicitation.can_ask(ctx):
            return None
        if not waiting.options and waiting.id in session.look().decisions:
            return None
        return elicitation.form_for(waiting, "" if answer is None else str(answer))

    def answer(
        form: Annotated[ElicitationResult[BaseModel], Resolve(form)],
        id: Annotated[  # noqa: A002 - as look shows it
            str, Field(description="what waits, by id or name; left out, the only thing that waits")
        ] = "",
        answer: Annotated[Any, Field(description="one of the options, or words; none asks the person")] = None,
    ) -> Annotated[CallToolResult, results.Done]:
        """Answer a decision or a prompt that waits: your own at once; the person's is put to them, and your answer is
        only a suggestion. Example: {"id": "3f…", "answer": 2}"""

        def work() -> results.Done | Refusal:
            if not isinstance(form, AcceptedElicitation):
                return runner.done(warnings=(NOT_NOW,))
            data: Any = form.data
            if data is not None:
                waiting = elicitation.open_wait(session, id)
                return runner.done(runner.answer(waiting, elicitation.chosen(waiting, data), by_person=True))
            outcome = runner.answer_said(id, answer)
            return (
                results.Done(ask=outcome.question)
                if isinstance(outcome, elicitation.QuestionForModel)
                else runner.done(outcome)
            )

        return schema.answered(session, work)

    return schema.offered(answer)
