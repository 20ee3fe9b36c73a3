"""Rate limit of an MCP client: a bucket of calls that fills again as time goes by."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR

from astragal.surfaces.shared.rate_limit import Buckets, Pace

MOST_AT_ONCE = 60
"""Calls that a client may have ready: a model that begins an evening makes a dozen in a row."""
EACH_SECOND = 10.0
"""How fast the bucket fills again. A model that thinks between its calls never notices."""
READING = frozenset({"resources/read", "prompts/get", "resources/list", "prompts/list", "tools/list"})


class Rate:
    """One client's bucket. The clock gives seconds that only grow, and comes from whoever starts the server."""

    def __init__(
        self, clock: Callable[[], float], *, most: int = MOST_AT_ONCE, each_second: float = EACH_SECOND
    ) -> None:
        self._pace = Pace(most, each_second)
        self._buckets = Buckets(self._pace, clock)

    def wait(self) -> float:
        """Take a call out of the bucket. Where it is empty nothing is taken: the seconds until there is one again."""
        return self._buckets.wait(None)

    def too_fast(self) -> str:
        """Nothing, or why this call is not answered and when it will be."""
        seconds = self.wait()
        if not seconds:
            return ""
        most, each_second = self._pace.burst, self._pace.per_second
        return (
            f"Refused (too_fast): more than {most} calls at once, or {each_second:g} a second after that. "
            f"Nothing was done. Try again in {math.ceil(seconds * 10) / 10:g} seconds."
        )

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """What is read counts as well. A tool says it in its own result, where the model reads it."""
        if ctx.method in READING and (said := self.too_fast()):
            raise MCPError(code=INTERNAL_ERROR, message=said)
        return await call_next(ctx)
