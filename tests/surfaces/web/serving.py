"""A real server on the loopback, in a thread of this process, and clients that read its streams."""

from __future__ import annotations

import http.client
import json
import queue
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from fastapi import FastAPI
from sse_starlette.sse import AppStatus
from starlette.types import ASGIApp

from astragal.fair import Receipt
from astragal.surfaces.web.live.updates import RECEIPT
from astragal.surfaces.web.settings import Settings
from tests.patience import LONG
from tests.surfaces.web.open_tables import Web, opened_web


def bound_socket(port: int = 0) -> socket.socket:
    """A socket on a free port: it is known before the server starts, and whoever calls early waits for it."""
    found = socket.socket()
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    found.bind(("127.0.0.1", port))
    found.listen(100)
    return found


@contextmanager
def serving(app: ASGIApp, listening: socket.socket) -> Iterator[int]:
    """The application, served until the block ends; gives its port."""
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=2))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        yield listening.getsockname()[1]
    finally:
        AppStatus.should_exit = True  # MCP's streams learn it from the signal that ends a program: here there is none
        if isinstance(app, FastAPI):
            app.state.context.hub.end_streams()
        server.should_exit = True
        thread.join(LONG)
        AppStatus.should_exit = False
        assert not thread.is_alive(), "the server does not stop"


@contextmanager
def served_web(url: str, port: int = 0) -> Iterator[Web]:
    """The web table on the store at a URL, in real time: for browsers and streams."""
    with (
        bound_socket(port) as listening,
        opened_web(url, Settings.local(listening.getsockname()[1])) as found,
        serving(found.app, listening),
    ):
        yield found


@dataclass(frozen=True)
class Message:
    """One server-sent event."""

    data: str
    event: str = ""
    id: str = ""


@dataclass
class Caller:
    """Somebody at a seat, by the cookie that stands for it."""

    port: int
    cookie: str
    headers: dict[str, str] = field(default_factory=dict)
    streams: list[Listening] = field(default_factory=list)

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, bytes]:
        status, _, read = self.exchange(method, path, body, **headers)
        return status, read

    def exchange(
        self, method: str, path: str, body: Any = None, **headers: str
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LONG)
        sent = body if isinstance(body, (bytes, type(None))) else json.dumps(body).encode()
        try:
            connection.request(method, path, sent, self._headers(headers))
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def get(self, path: str) -> Any:
        status, read = self.call("GET", path)
        assert status == 200, read
        return json.loads(read)

    def post(self, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        status, read = self.call("POST", path, {} if body is None else body, **headers)
        return status, json.loads(read) if read else None

    def listen(self, path: str, after: str = "") -> Listening:
        headers = {"Last-Event-ID": after} if after else {}
        self.streams.append(Listening(self.port, path, self._headers(headers)))
        return self.streams[-1]

    def hang_up(self) -> None:
        for stream in self.streams:
            stream.close()

    def _headers(self, more: dict[str, str]) -> dict[str, str]:
        own = {"Cookie": self.cookie, "Origin": self.origin, "Content-Type": "application/json"}
        return own | self.headers | {name.replace("_", "-"): value for name, value in more.items()}


class Listening:
    """A stream that is read in a thread; what it says waits here."""

    def __init__(self, port: int, path: str, headers: dict[str, str]) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LONG)
        self._connection.request("GET", path, headers=headers | {"Accept": "text/event-stream"})
        self._response = self._connection.getresponse()
        self.status = self._response.status
        self.bytes = b""
        self._messages: queue.Queue[Message | None] = queue.Queue()
        self._begun = threading.Event()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def next(self) -> Message:
        """The next message that is no receipt; fails a test to which none comes."""
        while (message := self._next()).event == RECEIPT:
            pass
        return message

    def next_receipt(self) -> Receipt:
        while (message := self._next()).event != RECEIPT:
            pass
        return Receipt(**json.loads(message.data))

    def _next(self) -> Message:
        message = self._messages.get(timeout=LONG)
        assert message is not None, f"the stream has ended: {self.bytes!r}"
        return message

    def wait_until_begun(self) -> None:
        """Wait until the stream has said where it stands: what happens from now on is told by it."""
        assert self._begun.wait(LONG), f"the stream has not begun: {self.bytes!r}"

    def until(self, wanted: str) -> Message:
        """The next message that holds these words."""
        while wanted not in (found := self.next()).data:
            pass
        return found

    def ended(self) -> bool:
        """Waits for the end of the stream, past whatever it still says."""
        while self._messages.get(timeout=LONG) is not None:
            pass
        return True

    def close(self) -> None:
        if sock := self._connection.sock:
            with suppress(OSError):  # the other side may have been faster
                sock.shutdown(socket.SHUT_RDWR)
        self._thread.join(LONG)
        self._connection.close()

    def _read(self) -> None:
        fields: dict[str, str] = {}
        try:
            while line := self._response.readline():
                self.bytes += line
                text = line.decode().rstrip("\r\n")
                if not text:
                    self._begun.set()
                    if fields.keys() - {"id"} and fields.get("event") != "ping":  # an id alone is no message
                        self._messages.put(Message(**fields | {"data": fields.get("data", "")}))
                    fields = {}
                elif not text.startswith(":"):
                    name, _, value = text.partition(": ")
                    fields[name] = f"{fields[name]}\n{value}" if name in fields else value
        except (OSError, http.client.HTTPException, ValueError):
            pass  # closed from this side
        finally:
            self._messages.put(None)
