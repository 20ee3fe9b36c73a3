"""One turn of an AI: ask its model, let it use the tools of its seat, and publish its words.

pydantic-ai runs the loop of requests and tool calls; the tools are those of the MCP server, called in this process.
This module decides what the model is asked with, its limits of time and tokens, and where its words go: a game master's
are narrated, a player's are said, a helper's are for the person beside it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import anyio.to_thread
import httpx2
from mcp import Client
from mcp_types import CallToolResult, TextContent
from msgspec import Struct
from pydantic_ai import Agent, ModelRetry, ModelSettings, RunContext, RunUsage, ToolDefinition, UsageLimits, exceptions
from pydantic_ai.messages import PartDeltaEvent, PartStartEvent, TextPart, TextPartDelta
from pydantic_ai.run import AgentRunResultEvent
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool
from pydantic_core import SchemaValidator, core_schema

from astragal.surfaces.mcp.agent.briefing import PASS, briefing, instructions
from astragal.surfaces.mcp.agent.settings import Pace
from astragal.surfaces.mcp.secrets import check_keeps_secrets
from astragal.surfaces.mcp.session import McpSession
from astragal.surfaces.shared.ai_seats import AiRole, Interface, Meter, Model
from astragal.table.refusals import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic_ai.models import Model as AnyModel

MOST_REQUESTS = 16
"""Requests to a model in one turn."""
MOST_RETRIES = 2
"""Retries of a failed request, by the library, which waits as long as the server asks."""
MOST_WRITTEN = 2000
"""Tokens of one answer."""
LONGEST_WORDS = {AiRole.GAME_MASTER: 3400, AiRole.PLAYER: 990, AiRole.HELPER: 3400}
EACH_SHOWN = 60
"""Characters collected before others see them: each update costs everybody a message."""


class Failed(Exception):
    """The turn failed. Its sentence is for the people at the table, and has nothing in it that a model said."""


class Spent(Failed):
    """The AI has reached its limit for the evening."""


class Turn(Struct):
    """A turn, with everything it needs. `shows` is called with the words so far, as they are written."""

    session: McpSession
    client: Client
    role: AiRole
    model: AnyModel
    tokens: int
    """Most tokens that may be used."""
    pace: Pace
    shows: Callable[[str], None]
    usage: RunUsage

    async def take(self, request: str = "") -> str:
        """Run the model until it is done; returns its words."""
        brief = await anyio.to_thread.run_sync(briefing, self.session, request)
        agent, tools = self._agent()
        limits = UsageLimits(request_limit=MOST_REQUESTS, total_tokens_limit=self.tokens)
        with _in_words():
            async with agent.run_stream_events(
                brief, toolsets=[tools], usage=self.usage, usage_limits=limits, timeout=self.pace.turn
            ) as events:
                text = ""
                shown_length = 0
                async for event in events:
                    match event:
                        case PartStartEvent(part=TextPart(content=words)):
                            text = words
                            shown_length = 0
                        case PartDeltaEvent(delta=TextPartDelta(content_delta=words)):
                            text += words
                        case AgentRunResultEvent(result=result):
                            return str(result.output or "")
                        case _:
                            continue
                    if len(text) - shown_length >= EACH_SHOWN and await anyio.to_thread.run_sync(
                        self._may_be_read, text
                    ):
                        shown_length = len(text)
                        self.shows(text)
        raise Failed("The model ended without an answer.")

    def _agent(self) -> tuple[Agent[None, Any], SeatTools]:
        tools = SeatTools(self.client)
        agent: Agent[None, Any] = Agent(
            self.model,
            output_type=[str, type(None)],
            instructions=instructions(self.role),
            model_settings=ModelSettings(max_tokens=MOST_WRITTEN, timeout=self.pace.request, parallel_tool_calls=False),
            retries=MOST_RETRIES,
        )

        @agent.output_validator
        async def tell(words: Any) -> Any:
            """Publish the words. If they are refused the model is told why, and may reword them."""
            text = str(words or "").strip()[: LONGEST_WORDS[self.role]]
            if not text or text.strip(".!* ").upper() == PASS:
                return ""
            if self.role is AiRole.GAME_MASTER:
                await tools.told("narrate", {"words": text})
            elif self.role is AiRole.PLAYER:
                heroes = sorted(self.session.view.viewer.characters)
                speaker = (
                    {"who": heroes[0]} if len(heroes) == 1 else {}
                )  # the hero that speaks, where the seat has just one
                await tools.told("act", {"command": "say", "fields": {"words": text, **speaker}})
            return text

        return agent, tools

    def _may_be_read(self, words: str) -> bool:
        """Return whether unfinished words may be shown: only a game master's, and only if they repeat no secret.

        A player's words are shown once they are said.
        """
        if self.role is not AiRole.GAME_MASTER or words.strip().upper().startswith(PASS):
            return False
        try:
            with self.session.lock:
                self.session.look_again()
                check_keeps_secrets(self.session, [words])
        except Refusal:
            return False
        return True


FAULTS: tuple[tuple[type[Exception], str], ...] = (
    (exceptions.ModelAuthenticationError, "The model's server does not take the key."),
    (exceptions.ModelNotFoundError, "The model's server does not know this model."),
    (exceptions.ModelRateLimitError, "The model's server is asked too often; try again later."),
    (exceptions.ModelConnectionError, "The model's server does not answer."),
    (exceptions.ModelAPIError, "The model's server answered with an error."),
    (TimeoutError, "The model took too long."),
    (exceptions.AgentRunError, "The model answered with nothing that can be used."),
)
"""Faults of a model as sentences for the table. Messages of its server are not repeated: they may contain a key."""


@contextmanager
def _in_words() -> Iterator[None]:
    try:
        yield
    except exceptions.UsageLimitExceeded as fault:
        if "request_limit" in str(fault):
            raise Failed(f"It made {MOST_REQUESTS} requests in one turn, and was stopped.") from None
        raise Spent from None
    except Refusal as refusal:
        raise Failed(refusal.sentence) from None
    except tuple(kind for kind, _ in FAULTS) as fault:
        raise Failed(next(sentence for kind, sentence in FAULTS if isinstance(fault, kind))) from None


# ---------------------------------------------------------------- models


def open_model(model: Model, key: str, http: httpx2.AsyncClient) -> AnyModel:
    """Make the library's object for a model. Its server can't lead it elsewhere: redirects are not followed."""
    if model.interface is Interface.ANTHROPIC:
        from anthropic import AsyncAnthropic
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        anthropic = AsyncAnthropic(api_key=key, base_url=model.address, max_retries=MOST_RETRIES, http_client=http)
        return AnthropicModel(model.name, provider=AnthropicProvider(anthropic_client=anthropic))
    from openai import AsyncOpenAI
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    client = AsyncOpenAI(api_key=key, base_url=model.address, max_retries=MOST_RETRIES, http_client=http)
    return OpenAIChatModel(model.name, provider=OpenAIProvider(openai_client=client))


def http_client(pace: Pace) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(follow_redirects=False, timeout=pace.request)


def metered(meter: Meter, usage: RunUsage, price: tuple[float, float] | None) -> Meter:
    """Return the meter with more use added."""
    if price is not None:
        more: float | None = (usage.input_tokens * price[0] + usage.output_tokens * price[1]) / 1_000_000
    else:
        more = None if usage.cost is None else float(usage.cost)
    dollars = meter.dollars if more is None else (meter.dollars or 0.0) + more
    return Meter(meter.evening, meter.read + usage.input_tokens, meter.written + usage.output_tokens, dollars)


# ---------------------------------------------------------------- tools


ANY_ARGUMENTS = SchemaValidator(core_schema.dict_schema())
"""The server checks the arguments itself, and says in words what was expected."""
MOST_RETRIES_OF_A_TOOL = 4
LEFT_OUT = frozenset({"table", "verify"})
"""Tools that a seated AI does not get: it neither chooses a table nor verifies one."""


class SeatTools(AbstractToolset[None]):
    """Toolset of an AI in a seat, through a client of that seat's server."""

    def __init__(self, client: Client) -> None:
        self._client = client

    @property
    def id(self) -> str:
        return "astragal"

    async def get_tools(self, ctx: RunContext[None]) -> dict[str, ToolsetTool[None]]:  # noqa: ARG002 - as the library calls it
        listed = (await self._client.list_tools()).tools
        return {
            item.name: ToolsetTool(
                toolset=self,
                tool_def=ToolDefinition(
                    name=item.name,
                    description=item.description,
                    parameters_json_schema=item.input_schema,
                    strict=False,
                    sequential=True,  # commands have an order
                ),
                max_retries=MOST_RETRIES_OF_A_TOOL,
                args_validator=ANY_ARGUMENTS,
            )
            for item in listed
            if item.name not in LEFT_OUT
        }

    async def call_tool(
        self,
        name: str,
        tool_args: dict[str, Any],
        ctx: RunContext[None],  # noqa: ARG002 - as the library calls it
        tool: ToolsetTool[None],  # noqa: ARG002
    ) -> str:
        """Return the result in words. A refusal is a result too: it says what would be right."""
        return text_of(await self._client.call_tool(name, tool_args))

    async def told(self, name: str, arguments: dict[str, Any]) -> None:
        """Call a tool with the model's final words. If it refuses, the model may reword them."""
        result = await self._client.call_tool(name, arguments)
        if result.is_error:
            raise ModelRetry(text_of(result))


def text_of(result: CallToolResult) -> str:
    return "\n".join(part.text for part in result.content if isinstance(part, TextContent))
