"""A model's server on the loopback that speaks the real protocols over HTTP, streamed: OpenAI's and Anthropic's.

What it answers is scripted; what it was asked is kept.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.patience import LONG

READ, WRITTEN = 1000, 50
"""Tokens that every answer says it took."""


@dataclass(frozen=True)
class Answer:
    """One answer: words, calls of tools, or something that is wrong."""

    words: str = ""
    calls: tuple[tuple[str, dict[str, Any]], ...] = ()
    status: int = 200
    raw: bytes | None = None
    """Sent in place of an answer."""
    hangs: bool = False
    """Begins to answer, and does not end before the server does."""


def calls(tool: str, /, **arguments: Any) -> Answer:
    return Answer(calls=((tool, arguments),))


@dataclass(frozen=True)
class Asked:
    """A request, as the model has it."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def results(self) -> list[str]:
        """What tools have returned so far in this turn, oldest first."""
        found = []
        for message in self.body["messages"]:
            if message["role"] == "tool":
                found.append(str(message["content"]))
            elif isinstance(message["content"], list):
                found += [_text(part["content"]) for part in message["content"] if part.get("type") == "tool_result"]
        return found

    @property
    def prompt(self) -> str:
        """Everything that it was told before its first answer."""
        said = [_text(one["content"]) for one in self.body["messages"] if one["role"] in ("system", "user")]
        return "\n".join([_text(self.body.get("system", "")), *said])

    @property
    def tools(self) -> set[str]:
        return {one.get("name") or one["function"]["name"] for one in self.body.get("tools", ())}


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content)
    return str(content)


Script = Callable[[Asked], Answer]


@dataclass
class ModelServer:
    """A server that is up, and what it was asked."""

    script: Script
    address: str = ""
    asked: list[Asked] = field(default_factory=list)
    begun: threading.Event = field(default_factory=threading.Event)
    """Is set once an answer that hangs has begun."""
    ends: threading.Event = field(default_factory=threading.Event)

    @property
    def openai(self) -> str:
        return f"{self.address}/v1"


def in_turn(*answers: Answer) -> Script:
    """One answer after the other; then nothing more to say."""
    left = list(answers)
    return lambda asked: left.pop(0) if left else Answer("PASS")


@contextmanager
def model_server(script: Script) -> Iterator[ModelServer]:
    made = ModelServer(script)

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            """Say nothing."""

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked = Asked(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
            made.asked.append(asked)
            answer = made.script(asked)
            if answer.status != 200 or answer.raw is not None:
                self._send(answer.status, "application/json", answer.raw or b'{"error": {"message": "no: sk-secret"}}')
                return
            openai = self.path.endswith("/chat/completions")
            parts = list(openai_stream(answer) if openai else anthropic_stream(answer))
            if answer.hangs:
                self._head(200, "text/event-stream")
                self.wfile.write(parts[0] + parts[1])
                self.wfile.flush()
                made.begun.set()
                made.ends.wait(LONG)
                return
            self._send(200, "text/event-stream", b"".join(parts))

        def _head(self, status: int, kind: str) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("retry-after-ms", "1")  # whoever tries again need not wait
            self.send_header("Connection", "close")
            self.end_headers()

        def _send(self, status: int, kind: str, body: bytes) -> None:
            self._head(status, kind)
            self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    made.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield made
    finally:
        made.ends.set()
        server.shutdown()
        server.server_close()
        thread.join(LONG)


def openai_stream(answer: Answer) -> Iterator[bytes]:
    def chunk(delta: dict[str, Any], finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return _line({"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]})

    yield chunk({"role": "assistant", "content": ""})
    half = len(answer.words) // 2
    for part in filter(None, (answer.words[:half], answer.words[half:])):
        yield chunk({"content": part})
    for number, (name, arguments) in enumerate(answer.calls):
        said = {"name": name, "arguments": json.dumps(arguments)}
        yield chunk({"tool_calls": [{"index": number, "id": f"call{number}", "type": "function", "function": said}]})
    yield chunk({}, "tool_calls" if answer.calls else "stop")
    usage = {"prompt_tokens": READ, "completion_tokens": WRITTEN, "total_tokens": READ + WRITTEN}
    yield _line(
        {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [], "usage": usage}
    )
    yield b"data: [DONE]\n\n"


def anthropic_stream(answer: Answer) -> Iterator[bytes]:
    def event(kind: str, **more: Any) -> bytes:
        return f"event: {kind}\n".encode() + _line({"type": kind, **more})

    message: dict[str, Any] = {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [],
        "stop_reason": None,
    }
    usage = {"input_tokens": READ, "output_tokens": 1}
    yield event("message_start", message={**message, "stop_sequence": None, "usage": usage})
    index = 0
    if answer.words:
        yield event("content_block_start", index=0, content_block={"type": "text", "text": ""})
        yield event("content_block_delta", index=0, delta={"type": "text_delta", "text": answer.words})
        yield event("content_block_stop", index=0)
        index = 1
    for number, (name, arguments) in enumerate(answer.calls, start=index):
        block = {"type": "tool_use", "id": f"call{number}", "name": name, "input": {}}
        yield event("content_block_start", index=number, content_block=block)
        said = {"type": "input_json_delta", "partial_json": json.dumps(arguments)}
        yield event("content_block_delta", index=number, delta=said)
        yield event("content_block_stop", index=number)
    stop = {"stop_reason": "tool_use" if answer.calls else "end_turn", "stop_sequence": None}
    yield event("message_delta", delta=stop, usage={"output_tokens": WRITTEN})
    yield event("message_stop")


def _line(said: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(said)}\n\n".encode()
