"""Bare ASGI application with the same streams, to measure what the server and the event loop cost by themselves.

It reads and answers each command, and sends a message as long as a card to every follower of the table. It decides,
stores, proves and hides nothing.
"""

import asyncio
import json
import os
import secrets
import sys
from collections import defaultdict
from typing import Any

import uvicorn

from astragal.surfaces.web.network import listening

FILLING = "lorem ipsum dolor " * 110
"""Text about as long as a card and the panels that change with it."""


def main(tables: int, seats: int) -> None:
    sockets, port = listening(["127.0.0.1"], 0)
    laid = [
        {"table": f"table{number}", "seats": [{"cookie": "", "hero": ""} for _ in range(seats)]}
        for number in range(tables)
    ]
    print(json.dumps({"port": port, "tables": laid, "process": os.getpid()}), flush=True)
    uvicorn.Server(uvicorn.Config(answer, log_level="warning", access_log=False, ws="none", lifespan="off")).run(
        sockets
    )


followers: defaultdict[str, set[asyncio.Queue[bytes]]] = defaultdict(set)


async def answer(scope: Any, receive: Any, send: Any) -> None:
    *_, table, last = scope["path"].split("/")[:4] if scope["path"].startswith("/api") else scope["path"].split("/")
    if last == "events":
        await stream(table, send)
        return
    table = scope["path"].split("/")[3]
    await receive()
    act = secrets.token_hex(8)
    message = f'data: <article id="card-{act}">{FILLING}</article>\n\n'.encode()
    for queue in followers[table]:
        queue.put_nowait(message)
    body = json.dumps({"act": act, "waits_for": []}).encode()
    length = str(len(body)).encode()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", length)]})
    await send({"type": "http.response.body", "body": body})


async def stream(table: str, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")]})
    queue: asyncio.Queue[bytes] = asyncio.Queue()
    queue.put_nowait(b"id: 0\ndata: \n\n")
    followers[table].add(queue)
    try:
        while True:
            await send({"type": "http.response.body", "body": await queue.get(), "more_body": True})
    finally:
        followers[table].discard(queue)


if __name__ == "__main__":
    main(int(sys.argv[2]), int(sys.argv[3]))
