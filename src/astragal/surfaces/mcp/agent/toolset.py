"""The tools of the MCP server as a toolset of pydantic-ai's, called in this process: no tool is written twice."""

from __future__ import annotations

from typing import Any

from mcp import Client
from mcp_types import CallToolResult, TextContent
from pydantic_ai import ModelRetry, RunContext, ToolDefinition
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool
from pydantic_core import SchemaValidator, core_schema

ANY_ARGUMENTS = SchemaValidator(core_schema.dict_schema())
"""The server checks the arguments itself, and says in words what was expected."""
MOST_RETRIES = 4
LEFT_OUT = frozenset({"table", "verify"})
"""Tools of somebody who chooses a table, or who doubts it: an AI that was seated does neither."""


class SeatTools(AbstractToolset[None]):
    """What an AI in a seat can do, through a client of that seat's server."""

    def __init__(self, client: Client) -> None:
        self._client = client

    @property
    def id(self) -> str:
        return "astragal"

    async def get_tools(self, ctx: RunContext[None]) -> dict[str, ToolsetTool[None]]:  # noqa: ARG002 - as the library calls it
        listed = (await self._client.list_tools()).tools
        return {
            one.name: ToolsetTool(
                toolset=self,
                tool_def=ToolDefinition(
                    name=one.name,
                    description=one.description,
                    parameters_json_schema=one.input_schema,
                    strict=False,
                    sequential=True,  # deeds have an order
                ),
                max_retries=MOST_RETRIES,
                args_validator=ANY_ARGUMENTS,
            )
            for one in listed
            if one.name not in LEFT_OUT
        }

    async def call_tool(
        self,
        name: str,
        tool_args: dict[str, Any],
        ctx: RunContext[None],  # noqa: ARG002 - as the library calls it
        tool: ToolsetTool[None],  # noqa: ARG002
    ) -> str:
        """The result in words. A refusal is a result as well: it says what would be right."""
        return text_of(await self._client.call_tool(name, tool_args))

    async def told(self, name: str, arguments: dict[str, Any]) -> None:
        """Do something with what the model said at last; where it is refused the model may say it otherwise."""
        result = await self._client.call_tool(name, arguments)
        if result.is_error:
            raise ModelRetry(text_of(result))


def text_of(result: CallToolResult) -> str:
    return "\n".join(part.text for part in result.content if isinstance(part, TextContent))
