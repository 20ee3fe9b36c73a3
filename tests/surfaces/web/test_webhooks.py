"""Webhooks: what a seat sees, sent to another program, signed, retried, and never to a private address by accident."""

from __future__ import annotations

import json
import queue
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from astragal.surfaces.web.errors import REFUSED
from astragal.surfaces.web.webhooks import (
    KIND,
    PRIVATE,
    SIGNATURE,
    Delivery,
    NotDelivered,
    Webhook,
    Webhooks,
    checked_address,
    signature,
)
from astragal.table.log.store import Job, Leases
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
    for never in ("file:///etc/passwd", "http://a..b/", "http://127.0.0.1:9/hook"):
        assert bo.post(f"{base}/webhook", data={"address": never}).status_code == REFUSED
    shown = bo.post(f"{base}/webhook", data={"address": "http://localhost:9/hook"}).text
    (made,) = web.context.webhooks.at(table.id)
    assert made.secret in shown
    page = bo.get(base).text
    assert made.secret not in page
    assert made.address in page
    failed = bo.post(f"{base}/test-webhook", data={"webhook": made.id})
    assert "private; that is for the owner" in failed.text
    page = bo.get(base).text
    assert "Not delivered since <time data-at=" in page
    assert "1 try: its address is private" in page
    with receiving(Receiver()) as receiver:
        theirs = web.context.webhooks.add(table.id, table.seats["Bo"], receiver.address, by_owner=True)
        assert bo.post(f"{base}/test-webhook", data={"webhook": theirs.id}, follow_redirects=False).status_code == 303
        assert json.loads(receiver.next()[0])["test"] is True
    cy = web.client(table["Cy"])
    assert made.address not in cy.get(base).text
    assert cy.post(f"{base}/remove-webhook", data={"webhook": made.id}).status_code == REFUSED
    bo.post(f"{base}/remove-webhook", data={"webhook": made.id})
    assert [one.id for one in web.context.webhooks.at(table.id)] == [theirs.id]


def deliver(address: str, *, by_owner: bool = True, seconds: float = LONG) -> None:
    webhook = Webhook(id="w", table="t", seat="s", address=address, secret="", by_owner=by_owner)
    Delivery(webhook, b"{}", seconds).make()


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:9/", "http://localhost:9/", "http://169.254.169.254/", "http://[::1]:9/"]
)
def test_a_private_address_is_for_the_owner_where_a_setting_says_so(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for setting, by_owner in (("", True), ("1", False)):
        monkeypatch.setenv(PRIVATE, setting)
        with pytest.raises(NotDelivered, match="private"):
            deliver(address, by_owner=by_owner)


@pytest.mark.parametrize(
    "ip",
    [
        "10.0.0.1",
        "100.64.0.1",
        "127.0.0.1",
        "169.254.169.254",
        "192.168.1.1",
        "224.0.0.1",
        "0.0.0.0",  # noqa: S104 - an address to be refused
        "::1",
        "::127.0.0.1",
        "::ffff:127.0.0.1",
        "::ffff:8.8.8.8",
        "64:ff9b::7f00:1",
        "64:ff9b:1::7f00:1",
        "2002:7f00:1::",
        "fc00::1",
        "fe80::1",
        "fec0::1",
        "ff02::1",
    ],
)
def test_no_way_leads_to_a_private_address(ip: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it is entered, or DNS answers it, alone or beside a public one."""
    address = f"http://[{ip}]:9/" if ":" in ip else f"http://{ip}:9/"
    with pytest.raises(Refusal, match="private address"):
        checked_address(address, by_owner=False)
    questions = answering(monkeypatch, "8.8.8.8", ip)
    with pytest.raises(NotDelivered, match="private"):
        deliver("http://bot.example:9/", by_owner=False)
    assert questions == ["bot.example"]


def answering(monkeypatch: pytest.MonkeyPatch, *ips: str) -> list[str]:
    """Have DNS answer these addresses, and return the list of the names that it is asked for."""
    questions: list[str] = []

    def answers(host: str, port: int, **_: Any) -> list[tuple[Any, ...]]:
        questions.append(host)
        families = [socket.AF_INET6 if ":" in ip else socket.AF_INET for ip in ips]
        return [(family, socket.SOCK_STREAM, 0, "", (ip, port)) for family, ip in zip(families, ips, strict=True)]

    monkeypatch.setattr(socket, "getaddrinfo", answers)
    return questions


@pytest.mark.usefixtures("private_allowed")
def test_dns_is_asked_once_and_its_answers_are_tried_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    with receiving(Receiver()) as receiver, closing(socket.socket()) as closed:
        closed.bind(("127.0.0.2", 0))  # nothing listens at this address
        port = receiver.address.split(":")[2]
        questions = answering(monkeypatch, "127.0.0.2", "127.0.0.1")
        deliver(f"http://bot.example:{port}")
        assert receiver.next()[0] == b"{}"
    assert questions == ["bot.example"]


@pytest.mark.parametrize(
    "never",
    [
        "file:///etc/passwd",
        "https://user:pass@bot.example/",
        "bot.example",
        "https://",
        "http://a..b/",
        "http://.b/",
        f"http://{'a' * 64}.example/",
        "http://bot.example:0/",
        "http://bot.example/a hook",
        "http://bot.example/höök",
        "http://[::1/",
    ],
)
def test_an_address_that_nothing_can_be_delivered_to_is_refused(never: str) -> None:
    with pytest.raises(Refusal, match="is no address for a webhook"):
        checked_address(never, by_owner=True)


def test_a_name_of_any_script_is_an_address() -> None:
    assert checked_address("https://bücher.example/hook", by_owner=False)


@contextmanager
def answering_with(talk: Callable[[socket.socket, threading.Event], None]) -> Iterator[str]:
    """Serve every connection with `talk`, which gets the connection and the event that ends the test."""
    over = threading.Event()
    threads: list[threading.Thread] = []

    def serve(server: socket.socket) -> None:
        while not over.is_set():
            with suppress(OSError):
                connection, _ = server.accept()
                threads.append(threading.Thread(target=talked, args=(connection,), daemon=True))
                threads[-1].start()

    def talked(connection: socket.socket) -> None:
        with connection, suppress(OSError):
            talk(connection, over)

    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"http://127.0.0.1:{server.getsockname()[1]}/hook"
        threads.append(threading.Thread(target=serve, args=(server,), daemon=True))
        threads[0].start()
        try:
            yield address
        finally:
            over.set()
            with suppress(OSError):
                socket.create_connection(server.getsockname()).close()  # wake it
            for thread in threads:
                thread.join(LONG)


def trickle(connection: socket.socket, over: threading.Event) -> None:
    """Answer a byte at a time, for ever: none of the reads takes long."""
    connection.sendall(b"HTTP/1.1 204 No")
    while not over.wait(0.02):
        connection.sendall(b".")


def stay_silent(_connection: socket.socket, over: threading.Event) -> None:
    over.wait(LONG)


def talk_nonsense(connection: socket.socket, _over: threading.Event) -> None:
    connection.recv(1 << 16)
    connection.sendall(b"220 mail.example ESMTP ready\r\n")


def hang_up(connection: socket.socket, _over: threading.Event) -> None:
    connection.recv(1 << 16)


@pytest.mark.usefixtures("private_allowed")
@pytest.mark.parametrize("talk", [trickle, stay_silent])
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_delivery_has_one_deadline(talk: Any, scheme: str) -> None:
    """However little of an answer comes now and then, in the middle of TLS's own greeting as well."""
    with (
        answering_with(talk) as address,
        pytest.raises(NotDelivered, match=r"not answered within 0.2|does not answer|not good"),
    ):
        deliver(address.replace("http", scheme), seconds=0.2)


@pytest.mark.usefixtures("private_allowed")
@pytest.mark.parametrize(
    ("talk", "scheme", "reason"),
    [
        (talk_nonsense, "http", "does not answer as a web server"),
        (hang_up, "http", "can't be reached|does not answer"),
        (talk_nonsense, "https", "certificate is not good"),
        (hang_up, "https", "certificate is not good|can't be reached"),
    ],
)
def test_a_fault_of_any_kind_is_a_delivery_that_failed(talk: Any, scheme: str, reason: str) -> None:
    with answering_with(talk) as address, pytest.raises(NotDelivered, match=reason):
        deliver(address.replace("http", scheme))


@pytest.mark.usefixtures("private_allowed")
def test_receivers_that_never_answer_keep_nobody_waiting(web: Web) -> None:
    """Among them addresses that an earlier version took, and a webhook whose stored data is damaged."""
    table = web.table()
    with receiving(Receiver()) as receiver, answering_with(trickle) as trickling, answering_with(stay_silent) as silent:
        sender = Webhooks(web.host, web.context.store.jobs, milliseconds, waits=(0.01, LONG), seconds=LONG)
        seat = table.seats["Bo"]
        bad = [sender.add(table.id, seat, address, by_owner=True) for address in (trickling, silent)]
        data = {"seat": seat, "address": "http://a..b/", "secret": "x", "cursor": bad[0].cursor, "by_owner": True}
        web.context.store.jobs.keep(Job(id=f"{KIND} 0", kind=KIND, table=table.id, data=data))
        sender.add(table.id, table.seats["Cy"], receiver.address, by_owner=True)
        web.context.store.jobs.keep(Job(id=f"{KIND} 1", kind=KIND, table=table.id, data={"seat": seat, "secret": 7}))
        sender.start()
        try:
            told = ""
            for number in range(3):
                web.host.act(table.id, table.seats["Ada"], ("narrate", {"words": f"Bell {number} rings."}))
                while f"Bell {number} rings." not in told:
                    told = receiver.next()[0].decode()
            while (bad_name := job_of(web, "http://a..b/")).data.get("failures", 0) < 2:
                time.sleep(0.01)
        finally:
            sender.close()
    assert bad_name.data["fault"] == "its name can't be one"
    assert bad_name.data["failing_since"]


def job_of(web: Web, address: str) -> Job:
    return next(job for job in web.context.store.jobs.of(KIND) if job.data.get("address") == address)


@pytest.mark.usefixtures("private_allowed")
def test_a_receiver_that_hangs_does_not_keep_the_server_from_stopping(web: Web) -> None:
    table = web.table()
    with answering_with(stay_silent) as silent:
        sender = Webhooks(web.host, web.context.store.jobs, milliseconds, seconds=LONG)
        sender.add(table.id, table.seats["Bo"], silent, by_owner=True)
        sender.start()
        web.host.act(table.id, table.seats["Ada"], ("narrate", {"words": "Night falls."}))
        stopping = threading.Thread(target=sender.close)
        stopping.start()
        stopping.join(LONG / 2)
        assert not stopping.is_alive()
    (webhook,) = sender.at(table.id)
    assert webhook.failures == 0


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
