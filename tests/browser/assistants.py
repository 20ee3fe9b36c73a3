"""A program that sits at a table: the official MCP client, over HTTP, in a thread of its own.

Playwright's loop runs in the main thread, and beside it no other can.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

import anyio
import anyio.to_thread
import httpx2
from mcp.client.streamable_http import streamable_http_client

from tests.browser.people import Room
from tests.patience import LONG
from tests.surfaces.mcp.driving import Driver, Reply, driving

Call = tuple[str, dict[str, Any], "Future[Reply]"]


class Assistant:
    """What it is told to call, it calls, one after the other."""

    def __init__(self, url: str, token: str) -> None:
        self._url, self._token = url, token
        self._calls: queue.Queue[Call | None] = queue.Queue()

    def __call__(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """The structured result of a call that must not be refused."""
        future: Future[Reply] = Future()
        self._calls.put((tool, arguments, future))
        reply = future.result(LONG)
        assert not reply.refused, reply.text
        return reply.data

    def leave(self) -> None:
        self._calls.put(None)

    async def live(self) -> None:
        headers = {"Authorization": f"Bearer {self._token}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=LONG) as http,
            driving(streamable_http_client(self._url, http_client=http)) as drive,
        ):
            while (call := await anyio.to_thread.run_sync(self._calls.get)) is not None:
                await self._answer(drive, *call)

    async def _answer(self, drive: Driver, tool: str, arguments: dict[str, Any], future: Future[Reply]) -> None:
        try:
            future.set_result(await drive(tool, **arguments))
        except Exception as fault:  # noqa: BLE001 - whatever it is, the test that waits for it shall see it
            future.set_exception(fault)


@contextmanager
def assisting(room: Room, token: str) -> Iterator[Assistant]:
    """At `/mcp` of the same server, by a token from the page of people."""
    assistant = Assistant(f"{room.address}/mcp", token)
    thread = threading.Thread(target=anyio.run, args=(assistant.live,), daemon=True)
    thread.start()
    try:
        yield assistant
    finally:
        assistant.leave()
        thread.join(LONG)
        assert not thread.is_alive()
