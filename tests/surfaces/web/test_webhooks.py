"""Webhooks: what a seat sees, sent to another program, signed, retried, and never to a private address by accident."""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from astragal.surfaces.web.errors import REFUSED
from astragal.surfaces.web.webhooks import (
    PRIVATE,
    SIGNATURE,
    NotDelivered,
    Webhook,
    Webhooks,
    checked_address,
    post,
    signature,
)
from astragal.table.log.store import Leases
from astragal.table.refusals import Refusal
from astragal.wiring import milliseconds
from examples.discord_relay import story_of
from tests.patience import LONG
from tests.storage.places import Place
from tests.surfaces.web.open_tables import Web, opened_web


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
            receiver.got.put((body, self.headers[SIGNATURE]))  # once it is answered, the next one may come
            self.send_response(receiver.statuses.pop(0) if receiver.statuses else 204)
            self.send_header("Location", "http://127.0.0.1:1/elsewhere")
            self.end_headers()

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


@pytest.fixture
def private_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PRIVATE, "1")


def sending(web: Web, clock: Callable[[], int] = milliseconds) -> Webhooks:
    return Webhooks(web.host, web.context.store.jobs, clock, waits=(0.0,) * 5)


@pytest.mark.usefixtures("private_allowed")
def test_what_a_seat_sees_is_sent_signed_and_tried_again(web: Web) -> None:
    table = web.table()
    with receiving(Receiver(500, 302)) as receiver:
        sender = sending(web)
        made = sender.add(table.id, table.seats["Bo"], receiver.address, by_owner=True)
        sender.start()
        try:
            web.host.act(table.id, table.seats["Cy"], ("say", {"words": "Hello, program."}))
            secret = {"title": "x", "words": "the mayor did it", "audience": "game master"}
            web.host.act(table.id, table.seats["Ada"], ("write_note", secret))
            web.host.act(table.id, table.seats["Ada"], ("narrate", {"words": "Night falls."}))
            bodies = [receiver.next() for _ in range(3)]
            while "Night falls." not in bodies[-1][0].decode():
                bodies.append(receiver.next())
        finally:
            sender.close()
        assert all(signed == signature(made.secret, body) for body, signed in bodies)
        told = [event["words"] for body, _ in bodies for event in json.loads(body)["events"]]
        assert any("Hello, program." in words for words in told)
        assert "the mayor did it" not in str(bodies)
        (kept,) = sender.at(table.id)
        assert (kept.cursor, kept.failures) == (json.loads(bodies[-1][0])["cursor"], 0)
        assert kept.sent


@pytest.mark.usefixtures("private_allowed")
def test_of_many_processes_one_delivers_and_another_goes_on_where_it_is_gone(place: Place) -> None:
    """Each event comes once; and the process that dies with a lease is waited for no longer than that."""
    with opened_web(place.url) as web, opened_web(place.url) as other, receiving(Receiver()) as receiver:
        table = web.table()
        now = 0
        dead = Leases(web.context.store.jobs, "a process that died", lambda: now, 1_000)
        senders = [sending(one, lambda: now) for one in (web, other, web)]
        senders[0].add(table.id, table.seats["Bo"], receiver.address, by_owner=True)
        assert dead.hold(web.context.store.jobs.of("webhook")[0])
        for one in senders:
            one.start()
        try:
            for number in range(20):
                now = number * 100
                (web, other)[number % 2].host.act(table.id, table.seats["Cy"], ("say", {"words": f"word {number}."}))
            told: list[str] = []
            while not told or "word 19." not in told[-1]:
                told += [event["words"] for event in json.loads(receiver.next()[0])["events"]]
        finally:
            for one in senders:
                one.close()
        assert [words.partition("word ")[2] for words in told if "word " in words] == [f"{n}." for n in range(20)]
        assert receiver.got.empty()


@pytest.mark.usefixtures("private_allowed")
def test_webhooks_of_a_seat_have_a_page(web: Web) -> None:
    """Made, tested and removed by whoever sits there; the secret is shown once, and others see nothing of it."""
    table = web.table()
    web.context.webhooks = sending(web)
    bo, base = web.client(table["Bo"]), f"/t/{table.id}/people"
    assert bo.post(f"{base}/webhook", data={"address": "file:///etc/passwd"}).status_code == REFUSED
    shown = bo.post(f"{base}/webhook", data={"address": "http://127.0.0.1:9/hook"}).text
    (made,) = web.context.webhooks.at(table.id)
    assert made.secret in shown
    page = bo.get(base).text
    assert made.secret not in page
    assert made.address in page
    failed = bo.post(f"{base}/test-webhook", data={"webhook": made.id})
    assert "private; that is for the owner" in failed.text
    assert "1 try failed" in bo.get(base).text
    with receiving(Receiver()) as receiver:
        theirs = web.context.webhooks.add(table.id, table.seats["Bo"], receiver.address, by_owner=True)
        assert bo.post(f"{base}/test-webhook", data={"webhook": theirs.id}, follow_redirects=False).status_code == 303
        assert json.loads(receiver.next()[0])["test"] is True
    cy = web.client(table["Cy"])
    assert made.address not in cy.get(base).text
    assert cy.post(f"{base}/remove-webhook", data={"webhook": made.id}).status_code == REFUSED
    bo.post(f"{base}/remove-webhook", data={"webhook": made.id})
    assert [one.id for one in web.context.webhooks.at(table.id)] == [theirs.id]


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:9/", "http://localhost:9/", "http://169.254.169.254/", "http://[::1]:9/"]
)
def test_a_private_address_is_for_the_owner_where_a_setting_says_so(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for setting, by_owner in (("", True), ("1", False)):
        monkeypatch.setenv(PRIVATE, setting)
        with pytest.raises(NotDelivered, match="private"):
            post(Webhook(id="w", table="t", seat="s", address=address, secret="", by_owner=by_owner), b"{}")


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
