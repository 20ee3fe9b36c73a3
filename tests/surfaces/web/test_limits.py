"""Nobody locks others out: connections that ask for nothing, requests that never end, windows without number."""

from __future__ import annotations

import gc
import http.client
import logging
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from itertools import count

import pytest
from msgspec.structs import replace
from starlette.testclient import TestClient

from astragal.surfaces.shared.rate_limit import Pace
from astragal.surfaces.web.connections import LOG_EVERY, MOST_PROBLEMS, Connections, RateLimitedLog
from astragal.surfaces.web.live import sse
from astragal.surfaces.web.network import listening
from astragal.surfaces.web.serve import TableServer
from astragal.surfaces.web.settings import Limits, Settings
from tests.patience import LONG
from tests.storage.places import SqlitePlace
from tests.surfaces.web.open_tables import PORT, Clock, Web, opened_web
from tests.surfaces.web.serving import Caller

SHORT = 0.3
MOST = 40
FEW = Limits(
    connections=MOST, seat_streams=2, headers_within=SHORT, body_within=SHORT, header_bytes=2_000, address_streams=3
)


@contextmanager
def served(web: Web, limits: Limits) -> Iterator[int]:
    """The server as `astragal serve` starts it, with other limits."""
    sockets, port = listening(["127.0.0.1"], 0)
    web.context.settings = replace(Settings.local(port), limits=limits)
    server = TableServer(web.app, web.context.hub, web.context.settings)
    thread = threading.Thread(target=server.run, args=(sockets,), daemon=True)
    thread.start()
    try:
        yield port
    finally:
        server.should_exit = True
        thread.join(LONG)
        assert not thread.is_alive()


def said_to(port: int, *words: bytes) -> bytes:
    """Everything that a connection hears after these words, until it is ended."""
    with socket.create_connection(("127.0.0.1", port), timeout=LONG) as one:
        heard = b""
        try:
            for some in words:
                one.sendall(some)
            while more := one.recv(10_000):
                heard += more
        except ConnectionError:
            pass
        return heard


def test_nobody_is_locked_out_by_those_who_ask_for_nothing(web: Web, caplog: pytest.LogCaptureFixture) -> None:
    table = web.table()
    caplog.set_level(logging.WARNING)
    with served(web, replace(FEW, headers_within=LONG)) as port, ExitStack() as stack:
        bo = Caller(port, "=".join(web.cookie(table["Bo"])))
        stream = bo.listen(f"/t/{table.id}/events")
        assert stream.status == 200
        for _ in range(3 * MOST):
            stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=LONG))
        assert bo.call("GET", f"/t/{table.id}")[0] == 200
        web.host.act(table.id, table.seats["Ada"], ("say", {"words": "still here"}))
        assert "still here" in stream.until("still here").data, "those who listen don't give way"
        bo.hang_up()
    assert len([one for one in caplog.records if "connections are open" in one.message]) == 1


def test_problems_of_many_addresses_do_not_fill_the_memory(caplog: pytest.LogCaptureFixture) -> None:
    now = 0.0
    seldom = RateLimitedLog(lambda: now)
    for number in range(3 * MOST_PROBLEMS):
        seldom.warn(f"2001:db8::{number:x} has too many connections")
    assert len(caplog.records) == MOST_PROBLEMS
    assert len(seldom._logged_at) + len(seldom._unlogged) <= MOST_PROBLEMS + 1  # noqa: SLF001 - it is only memory
    now += LOG_EVERY
    seldom.warn("another one")
    assert len(seldom._logged_at) == 1  # noqa: SLF001
    assert caplog.records[-1].message == "another one (1 times)"


def test_a_request_has_to_arrive_in_time_and_in_bounds(web: Web) -> None:
    table = web.table()
    with served(web, FEW) as port:
        head = f"POST /t/{table.id}/do/say HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
        assert said_to(port) == b"", "silence"
        assert said_to(port, b"GET / HTTP/1.1\r\nHo").startswith(b"HTTP/1.1 408")
        assert said_to(port, b"GET / HTTP/1.1\r\nX: ", b"x" * 3_000).startswith(b"HTTP/1.1 431")
        slow = said_to(port, head.encode(), b"Content-Length: 100\r\n\r\nwords=")
        assert slow.startswith(b"HTTP/1.1 408")
        assert b"took too long" in slow
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=LONG)) as kept:
            kept.request("GET", "/")
            assert kept.getresponse().read()
            kept.sock.sendall(b"GET / HT")
            assert kept.sock.recv(1_000).startswith(b"HTTP/1.1 408"), "the second request has its limit, too"


def test_a_seat_has_only_so_many_windows(web: Web) -> None:
    table = web.table()
    with served(web, FEW) as port:
        bo, cy = (Caller(port, "=".join(web.cookie(table[name]))) for name in ("Bo", "Cy"))
        first = [bo.listen(f"/t/{table.id}/events").status for _ in range(3)]
        assert first == [200, 200, 429]
        assert cy.listen(f"/t/{table.id}/events").status == 200
        bo.hang_up()
        cy.hang_up()


@pytest.mark.slow
def test_a_window_that_reads_nothing_is_cut_off_without_a_word_in_the_log(
    web: Web, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(sse, "LONGEST_SENDING", SHORT)
    table = web.table()
    with served(web, FEW) as port, socket.create_connection(("127.0.0.1", port), timeout=LONG) as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        cookie = "=".join(web.cookie(table["Bo"]))
        asked = f"GET /t/{table.id}/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n\r\n"
        deaf.sendall(asked.encode())
        is_open = partial(web.context.hub.streams, (table.id, table.seats["Bo"]))
        until, number = time.monotonic() + LONG, count()
        while not is_open() and time.monotonic() < until:
            time.sleep(0.01)
        assert is_open()
        while is_open() and time.monotonic() < until:
            web.host.act(table.id, table.seats["Ada"], ("narrate", {"words": f"{next(number)} lorem ipsum " * 200}))
        assert not is_open()
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


def test_one_address_has_only_so_many_connections_and_this_machine_any_number() -> None:
    class One:
        def __init__(self, address: str) -> None:
            self.address = address

    everyone = Connections(replace(FEW, address=2), files=10_000, by_address=True)
    stranger, other, here = One("203.0.113.9"), One("203.0.113.8"), One("127.0.0.1")
    asked = [stranger, stranger, stranger, other, here, here, here]
    assert [everyone.admit(one, 0) for one in asked] == [True, True, False, True, True, True, True]  # type: ignore[arg-type]
    everyone.left(stranger)  # type: ignore[arg-type]
    assert everyone.admit(stranger, 0)  # type: ignore[arg-type]
    behind_a_proxy = Connections(replace(FEW, address=2), files=10_000, by_address=False)
    assert all(behind_a_proxy.admit(stranger, 0) for _ in range(5))  # type: ignore[arg-type]


def test_connections_never_take_the_last_files() -> None:
    assert Connections(Limits(), files=1_024, by_address=True).most == 1_024 - 128


@pytest.mark.slow
def test_the_file_limit_is_raised_to_the_hard_one() -> None:
    program = (
        "import resource as r; r.setrlimit(r.RLIMIT_NOFILE, (100, 500));"
        "from astragal.surfaces.web.connections import raise_file_limit;"
        "print(raise_file_limit(), r.getrlimit(r.RLIMIT_NOFILE))"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert said.stdout == "500 (500, 500)\n"


def test_that_no_file_is_left_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    everyone = Connections(Limits(), files=1_024, by_address=True)
    trouble = {"message": "socket.accept() out of system resource", "exception": OSError(24, "Too many open files")}
    for _ in range(500):
        everyone.on_loop_error(None, trouble)  # type: ignore[arg-type]
    assert [one.message for one in caplog.records] == [
        "no connection can be taken now: [Errno 24] Too many open files (1 times)"
    ]


def test_behind_a_proxy_that_sends_no_address_rates_still_count(sqlite_place: SqlitePlace) -> None:
    settings = replace(Settings.public("https://play.example", PORT), address_pace=Pace(burst=3, per_second=1))
    with opened_web(sqlite_place.url, settings, Clock()) as web:
        client = TestClient(web.app, base_url="https://play.example", client=("127.0.0.1", 50_000))
        assert [client.get("/nowhere").status_code for _ in range(4)] == [404, 404, 404, 429]


# ---------------------------------------------------------------- what is said


def test_a_key_that_is_given_twice_is_refused(web: Web) -> None:
    table = web.table()
    client = web.client(table["Bo"])
    kind = {"Content-Type": "application/json"}
    twice = b'{"words": "yes", "words": "no"}'
    answer = client.post(f"/api/tables/{table.id}/commands/say", content=twice, headers=kind)
    assert (answer.status_code, answer.json()["sentence"]) == (422, "the key 'words' is given twice.")
    assert client.post(f"/api/tables/{table.id}/commands/say", content=b"{", headers=kind).status_code == 422


def test_what_is_refused_while_the_store_is_gone_names_no_path(web: Web, sqlite_place: SqlitePlace) -> None:
    table = web.table()
    client = web.client(table["Bo"])
    sqlite_place.path.unlink()
    said = [
        client.post(f"/api/tables/{table.id}/commands/say", json={"words": "hello"}),
        client.post(f"/t/{table.id}/do/say", data={"words": "hello"}),
        client.post(f"/t/{table.id}/do/say", data={"words": "hello"}, headers={"HX-Request": "true"}),
    ]
    for answer in said:
        assert answer.status_code >= 400
        assert "Nothing is lost" in answer.text
        assert sqlite_place.path.parent.name not in answer.text
        assert "tables" not in answer.text.replace("The tables can", "")


def test_a_request_leaves_nothing_to_the_garbage_collector(web: Web) -> None:
    table = web.table()
    with served(web, Limits()) as port:
        bo = Caller(port, "=".join(web.cookie(table["Bo"])))
        stream = bo.listen(f"/t/{table.id}/events")

        def speak(words: str) -> None:
            assert bo.post(f"/api/tables/{table.id}/commands/say", {"words": words})[0] == 200
            stream.until(words)

        speak("what is made once is made now")
        gc.collect()
        gc.set_debug(gc.DEBUG_SAVEALL)
        try:
            speak("and now once more")
            gc.collect()
            left = {type(one).__name__ for one in gc.garbage}
        finally:
            gc.set_debug(0)
            gc.garbage.clear()
        bo.hang_up()
    assert "RequestResponseCycle" not in left, "what refers to itself stays in memory until everything is searched"
