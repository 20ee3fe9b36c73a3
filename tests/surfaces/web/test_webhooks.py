"""Webhooks: what a seat sees, sent to another program, signed, retried, and never to a private address by accident."""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from astragal.surfaces.web.webhooks import (
    PRIVATE,
    SIGNATURE,
    NotDelivered,
    Webhook,
    WebhookFile,
    Webhooks,
    checked_address,
    post,
    signature,
)
from astragal.table.refusals import Refusal
from examples.discord_relay import story_of
from tests.patience import LONG
from tests.surfaces.web.open_tables import Web


class Receiver:
    """A program that listens; it answers with these statuses, then with 204."""

    def __init__(self, *statuses: int) -> None:
        self.statuses = list(statuses)
        self.got: queue.Queue[tuple[bytes, str]] = queue.Queue()
        self.address = ""

    def next(self) -> tuple[bytes, str]:
        return self.got.get(timeout=LONG)


@contextmanager
def receiving(receiver: Receiver) -> Iterator[Receiver]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            """Say nothing."""

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(receiver.statuses.pop(0) if receiver.statuses else 204)
            self.send_header("Location", "http://127.0.0.1:1/elsewhere")
            self.end_headers()
            receiver.got.put((body, self.headers[SIGNATURE]))

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    receiver.address = f"http://127.0.0.1:{server.server_address[1]}/hook"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join(LONG)


def test_what_a_seat_sees_is_sent_signed_and_tried_again(
    web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PRIVATE, "1")
    table = web.table()
    with receiving(Receiver(500, 302)) as receiver:
        file = WebhookFile(tmp_path / "private" / "webhooks.json")
        cursor = web.host.latest(table.id, table.seats["Bo"], most=1).cursor
        file.keep(Webhook(table.id, table.seats["Bo"], receiver.address, "hush", cursor))
        sending = Webhooks(web.host, file, waits=(0.0,) * 5)
        sending.start()
        try:
            web.host.act(table.id, table.seats["Cy"], ("say", {"words": "Hello, program."}))
            secret = {"title": "x", "words": "the mayor did it", "audience": "game master"}
            web.host.act(table.id, table.seats["Ada"], ("write_note", secret))
            web.host.act(table.id, table.seats["Ada"], ("narrate", {"words": "Night falls."}))
            bodies = [receiver.next() for _ in range(3)]
            while "Night falls." not in bodies[-1][0].decode():
                bodies.append(receiver.next())
        finally:
            sending.close()
        assert all(signed == signature("hush", body) for body, signed in bodies)
        told = [event["words"] for body, _ in bodies for event in json.loads(body)["events"]]
        assert any("Hello, program." in words for words in told)
        assert "the mayor did it" not in str(bodies)
        assert file.all()[0].cursor == json.loads(bodies[-1][0])["cursor"]
        assert oct((tmp_path / "private" / "webhooks.json").stat().st_mode)[-3:] == "600"


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:9/", "http://localhost:9/", "http://169.254.169.254/", "http://[::1]:9/"]
)
def test_a_private_address_is_not_called_unless_a_setting_says_so(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(PRIVATE, raising=False)
    with pytest.raises(NotDelivered, match="private"):
        post(Webhook("t", "s", address, "x"), b"{}")


def test_an_address_is_one_of_the_web() -> None:
    for wrong in ("file:///etc/passwd", "https://user:pass@bot.example/", "bot.example", "https://"):
        with pytest.raises(Refusal):
            checked_address(wrong)


def test_a_token_says_whose_it_is(web: Web) -> None:
    table = web.table()
    client = web.client(Authorization=f"Bearer {web.token(table['Bo'])}")
    said = client.get("/api/me").json()
    assert (said["table"], said["seat"], said["called"], said["role"]) == (table.id, table.seats["Bo"], "Bo", "player")
    assert said["heroes"]
    assert web.client(table["Bo"]).get("/api/me").status_code == 401
    assert web.client(Authorization="Bearer nonsense").get("/api/me").status_code == 401


def test_the_relay_posts_what_the_table_signed_and_nothing_else() -> None:
    events = [{"name": "narrated", "words": "Night falls."}, {"name": "seat_taken", "words": "Cy sits down"}]
    body = json.dumps({"events": events}).encode()
    assert story_of(body, signature("hush", body), "hush") == "Night falls."
    assert story_of(body, signature("guess", body), "hush") is None
