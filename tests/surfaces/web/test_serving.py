"""`astragal serve`: where it listens, what it prints, how it ends."""

from __future__ import annotations

import asyncio
import gc
import http.client
import io
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, nullcontext, suppress
from ipaddress import IPv4Address
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from astragal.storage import open_store
from astragal.surfaces.cli.errors import Exit
from astragal.surfaces.web import network
from astragal.surfaces.web.app import create_app
from astragal.surfaces.web.live.presence import EXPIRES, REFRESH, StoredPresence
from astragal.surfaces.web.network import NoNetwork, NoPort, lan_addresses, listening
from astragal.surfaces.web.serve import (
    COLLECT_ALL_EVERY,
    MOST_NEW,
    ServeOptions,
    TableServer,
    open_in_browser,
    owner_link,
    serve,
)
from astragal.surfaces.web.settings import BadAddress, Settings
from astragal.table.log.store import PassKind
from astragal.wiring import build_web
from tests.patience import LONG
from tests.storage.places import ROOT, SqlitePlace
from tests.surfaces.web.open_tables import PORT, Clock, Web, opened_web
from tests.surfaces.web.serving import Caller


@contextmanager
def taken_port() -> Iterator[int]:
    """A port that somebody else has, with the next one free."""
    with closing(socket.create_server(("127.0.0.1", 0))) as held:
        yield held.getsockname()[1]


@contextmanager
def served(folder: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The program while it serves, and what it printed first."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-m", "astragal", "serve", "--db", str(folder / "tables.db"), "--no-open", *words]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8", env=environment
    ) as program:
        watch = threading.Timer(LONG, program.kill)
        watch.start()
        try:
            assert program.stdout
            said = ""
            for line in program.stdout:
                said += line
                if "Ctrl-C" in line:
                    break
            yield program, said
        finally:
            watch.cancel()
            program.kill()


def link_in(said: str) -> tuple[str, str]:
    """Return the address and the key of the owner's link. What isn't a terminal is told the name of a file with it."""
    assert "key=" not in said
    place = re.search(r"their owner is in (\S+), until", said)
    assert place, said
    file = Path(place[1])
    assert os.name != "posix" or file.stat().st_mode & 0o077 == 0
    found = re.fullmatch(r"(http://\S+)/#key=(\S+)\n", file.read_text())
    assert found
    return found[1], found[2]


@pytest.mark.slow
def test_a_server_says_where_it_is_and_ends_decently(tmp_path: Path) -> None:
    """By Ctrl-C here; by SIGTERM in `test_monitoring.py`."""
    with served(tmp_path, "--port", "0") as (program, said):
        address, key = link_in(said)
        caller = Caller(int(address.rpartition(":")[2]), "")
        status, welcome = caller.call("GET", "/")
        assert (status, b"You were invited" in welcome) == (200, True)
        form = {"Content_Type": "application/x-www-form-urlencoded"}
        status, headers, _ = caller.exchange("POST", "/owner", f"link={key}".encode(), **form)
        assert status == 303
        owner = Caller(caller.port, headers["Set-Cookie"].partition(";")[0])
        assert b"What shall we play?" in owner.call("GET", "/")[1]
        program.send_signal(signal.SIGINT)
        left, _ = program.communicate(timeout=LONG)
        assert program.returncode == 0
        assert left == "\nStopped. Everything is saved.\n"
        assert not Path(re.search(r"owner is in (\S+),", said)[1]).exists()  # type: ignore[index]
    with opened_web(str(tmp_path / "tables.db")) as later:
        assert later.context.auth.find(key, PassKind.OWNER_LINK) is None, "the link ends with the program"


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs a terminal of POSIX")
def test_in_a_terminal_the_owners_link_is_printed(tmp_path: Path) -> None:
    import pty

    terminal, far_end = pty.openpty()
    command = [sys.executable, "-m", "astragal", "serve", "--db", str(tmp_path / "tables.db"), "--no-open", "--port=0"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    with subprocess.Popen(command, stdout=far_end, stderr=subprocess.STDOUT, env=environment) as program:
        os.close(far_end)
        said = ""
        try:
            while "Ctrl-C" not in said:
                said += os.read(terminal, 4096).decode()
        finally:
            program.kill()
            os.close(terminal)
    assert re.search(r"http://127\.0\.0\.1:\d+/#key=\S{20,}", said)


def test_a_server_collects_its_garbage_when_there_is_much_of_it_and_by_the_clock(
    web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Knot:
        def __init__(self) -> None:
            self.itself = self

    server = TableServer(web.app, web.context.hub, web.context.settings)
    monkeypatch.setattr("astragal.surfaces.web.serve.BETWEEN_COLLECTIONS", 1e9)
    gc.disable()
    try:
        gc.collect()
        first = weakref.ref(Knot())
        asyncio.run(server.on_tick(1))
        assert first() is not None, "one is not worth the pause"
        knots = [weakref.ref(Knot()) for _ in range(MOST_NEW + 1)]
        asyncio.run(server.on_tick(1))
        assert not any(knot() for knot in (first, *knots))
        knots = [weakref.ref(Knot()) for _ in range(MOST_NEW + 1)]
        asyncio.run(server.on_tick(1))
        assert all(knot() for knot in knots), "not again so soon"
        asyncio.run(server.on_tick(COLLECT_ALL_EVERY))
        assert not any(knot() for knot in knots)
    finally:
        gc.enable()


def test_what_is_no_public_address_is_said_in_a_sentence(web: Web) -> None:
    with pytest.raises(BadAddress, match="Use one like"):
        serve(
            ServeOptions(port=0, public="play.example"), lambda settings: nullcontext((web.context, {})), io.StringIO()
        )


def test_one_is_open_to_the_home_network_or_behind_a_proxy(web: Web) -> None:
    with pytest.raises(BadAddress, match="not both"):
        serve(
            ServeOptions(lan=True, public="https://play.example"),
            lambda settings: nullcontext((web.context, {})),
            io.StringIO(),
        )


def test_in_no_network_there_is_nobody_to_serve(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("astragal.surfaces.web.network.lan_addresses", list)
    with pytest.raises(NoNetwork, match="Without --lan"):
        serve(ServeOptions(port=0, lan=True), lambda settings: nullcontext((web.context, {})), io.StringIO())


def test_the_secret_stands_behind_the_hash() -> None:
    assert owner_link("https://play.example/games", "abc") == "https://play.example/games/#key=abc"


def test_addresses_of_the_home_network_are_other_machines_way_here() -> None:
    for address in lan_addresses():
        assert not IPv4Address(address).is_loopback


def test_where_no_port_is_asked_for_a_taken_one_gives_way_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    with taken_port() as port:
        monkeypatch.setattr(network, "USUAL_PORT", port)
        sockets, found = listening(["127.0.0.1"])
        for one in sockets:
            one.close()
        assert port < found < port + 50


def test_a_port_that_is_asked_for_is_had_or_refused() -> None:
    with taken_port() as port, pytest.raises(NoPort, match=rf"^Port {port} can't be had at 127\.0\.0\.1 \(Address"):
        listening(["127.0.0.1"], port)
    with pytest.raises(NoPort, match=r"^Port 70000 can't be had at 127\.0\.0\.1 \(there is none of that number\)"):
        listening(["127.0.0.1"], 70_000)


@pytest.mark.slow
def test_a_proxy_is_not_left_with_somebody_else_s_port(tmp_path: Path) -> None:
    with (
        taken_port() as port,
        served(tmp_path, "--public", "https://play.example", "--port", str(port)) as (program, said),
    ):
        assert program.wait(LONG) == Exit.REFUSED
        assert said.endswith(f"\nastragal: Port {port} can't be had at 127.0.0.1 (Address already in use).\n")


def test_where_no_port_is_free_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "USUAL_PORT", 65_535)
    with ExitStack() as stack:
        with suppress(OSError):  # somebody else may have it, which is as good
            stack.enter_context(socket.create_server(("127.0.0.1", 65_535)))
        with pytest.raises(NoPort, match="No port from 65535 on can be had"):
            listening(["127.0.0.1"])


@pytest.mark.slow
def test_beside_the_pages_an_mcp_server_takes_the_same_tokens(sqlite_place: SqlitePlace) -> None:
    settings = Settings.local(PORT)
    with closing(open_store(sqlite_place.url)) as store:
        context, guests = build_web(store, settings)
        web = Web(context)
        table = web.table()
        hello = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "t", "version": "1"},
            },
        }
        accepts = {"Accept": "application/json, text/event-stream"}
        with TestClient(create_app(context, guests), base_url=settings.address) as client:
            bearer = {**accepts, "Authorization": f"Bearer {web.token(table['Bo'])}"}
            assert client.post("/mcp", json=hello, headers=bearer).status_code == 200
            context.settings = Settings.local(PORT, ["192.168.1.5"])
            home = {**bearer, "Host": f"192.168.1.5:{PORT}"}
            assert client.post("/mcp", json=hello, headers=home).status_code == 200, "after the network was opened"
            for wrong in (web.cookie(table["Bo"])[1], "x"):
                refused = client.post("/mcp", json=hello, headers={**accepts, "Authorization": f"Bearer {wrong}"})
                assert refused.status_code == 401
            context.auth.passes.revoke_seat(table.id, table.seats["Bo"], context.auth.clock())
            assert client.post("/mcp", json=hello, headers=bearer).status_code == 401


# ---------------------------------------------------------------- opened to the home network


def at_this_computer(web: Web, *, owner: bool) -> TestClient:
    """A browser on the computer that serves the tables."""
    client = TestClient(web.app, base_url=web.address, headers={"Origin": web.address}, client=("127.0.0.1", 50_000))
    if owner:
        client.cookies.set(*web.owner_cookie())
    return client


def test_phones_are_shown_no_code_for_an_address_that_only_this_computer_has(web: Web) -> None:
    table = web.table()
    client = at_this_computer(web, owner=True)
    client.cookies.set(*web.cookie(table.game_master))
    for page in (client.get("/"), client.post(f"/t/{table.id}/people/invite", data={"seat": table.seats["Bo"]})):
        assert 'class="qr"' not in page.text
    client.post(f"/t/{table.id}/people/table-link")
    assert 'class="qr"' not in client.get(f"/t/{table.id}/people").text


@pytest.mark.parametrize("owner", [True, False])
def test_that_only_this_computer_is_reached_is_said_before_the_link_with_the_way_on(web: Web, owner: bool) -> None:
    table = web.table()
    web.context.open_lan = lambda: Settings.local(PORT, ["192.168.1.5"])
    client = at_this_computer(web, owner=owner)
    client.cookies.set(*web.cookie(table.game_master))
    client.post(f"/t/{table.id}/people/table-link")
    words, _, after = client.get(f"/t/{table.id}/people").text.partition('id="table-secret"')
    assert after
    assert "reaches the" in words or "reaches them" in words
    assert ("Open to my home network" if owner else "--lan") in words
    invited = client.post(f"/t/{table.id}/people/invite", data={"seat": table.seats["Bo"]}).text
    assert "browsers of this computer only" in invited.partition('id="secret"')[0]


def test_the_operator_opens_the_tables_to_the_home_network_with_a_button(web: Web) -> None:
    table = web.table()
    web.context.open_lan = lambda: Settings.local(PORT, ["192.168.1.5"])
    client = at_this_computer(web, owner=True)
    client.cookies.set(*web.cookie(table.game_master))
    for where in ("/", f"/t/{table.id}/people"):
        shown = client.get(where).text
        assert "Open to my home network" in shown
        assert "every device in the same network" in shown
    client.post(f"/t/{table.id}/people/table-link")
    opened = client.post("/network/open", data={"table": table.id}, follow_redirects=True)
    assert opened.url.path == f"/t/{table.id}/people"
    assert "http://192.168.1.5:8000/join#" in opened.text
    assert 'class="qr"' in opened.text
    assert "Open to my home network" not in opened.text
    phone = TestClient(web.app, base_url="http://192.168.1.5:8000", client=("192.168.1.7", 50_000))
    assert phone.get("/").status_code == 200


@pytest.mark.parametrize(("owner", "address"), [(True, "192.168.1.7"), (False, "127.0.0.1")])
def test_nobody_but_the_owner_on_this_computer_opens_the_tables_to_the_network(
    web: Web, owner: bool, address: str
) -> None:
    web.context.open_lan = lambda: Settings.local(PORT, ["192.168.1.5"])
    client = TestClient(web.app, base_url=web.address, headers={"Origin": web.address}, client=(address, 50_000))
    if owner:
        client.cookies.set(*web.owner_cookie())
    assert "Open to my home network" not in client.get("/").text
    assert client.post("/network/open").status_code == 403
    assert not web.context.settings.is_shared


def test_a_running_server_listens_where_it_is_opened(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("astragal.surfaces.web.network.lan_addresses", lambda: ["127.0.0.2"])
    sockets, port = listening(["127.0.0.1"], 0)
    web.context.settings = Settings.local(port)
    server = TableServer(web.app, web.context.hub, web.context.settings)
    thread = threading.Thread(target=server.run, args=(sockets,), daemon=True)
    thread.start()
    assert Caller(port, "").call("GET", "/")[0] == 200
    web.context.settings = server.open_lan(port)
    with closing(http.client.HTTPConnection("127.0.0.2", port, timeout=LONG)) as other:
        other.request("GET", "/")
        assert other.getresponse().status == 200
    server.should_exit = True
    thread.join(LONG)
    assert not thread.is_alive()


# ---------------------------------------------------------------- who is there


def test_processes_tell_each_other_who_is_with_them(sqlite_place: SqlitePlace) -> None:
    clock = Clock()
    with opened_web(sqlite_place.url, clock=clock) as web:
        table = web.table()
        bo, cy = table.seats["Bo"], table.seats["Cy"]
        passes = web.context.store.passes
        one, two = StoredPresence(passes, "one", clock), StoredPresence(passes, "two", clock)
        assert one.exchange({table.id: frozenset({bo})}) == {}
        assert two.exchange({table.id: frozenset({cy})}) == {table.id: frozenset({bo})}
        assert one.exchange({table.id: frozenset({bo})}) == {table.id: frozenset({cy})}
        clock.now += REFRESH
        one.exchange({table.id: frozenset({bo})})
        clock.now += EXPIRES - REFRESH
        assert one.exchange({table.id: frozenset({bo})}) == {}, "two was not heard of again"
        assert two.exchange({}) == {table.id: frozenset({bo})}
        one.exchange({})
        assert two.exchange({}) == {}


def test_what_a_restore_lost_is_said_again(sqlite_place: SqlitePlace) -> None:
    clock = Clock()
    with opened_web(sqlite_place.url, clock=clock) as web:
        table = web.table()
        one = StoredPresence(web.context.store.passes, "one", clock)
        here = {table.id: frozenset(table.seats.values())}
        one.exchange(here)
        sqlite_place.run("DELETE FROM presence")
        clock.now += REFRESH
        one.exchange(here)
        assert web.context.store.passes.present(table.id, clock.now) == set(table.seats.values())


def test_nothing_is_written_while_nothing_changes(sqlite_place: SqlitePlace) -> None:
    clock = Clock()
    with opened_web(sqlite_place.url, clock=clock) as web:
        table = web.table()
        one = StoredPresence(web.context.store.passes, "one", clock)
        one.exchange({table.id: frozenset({"bo"})})
        written = sqlite_place.run("SELECT until FROM presence")
        one.exchange({table.id: frozenset({"bo"})})
        assert sqlite_place.run("SELECT until FROM presence") == written


# ---------------------------------------------------------------- secrets on this machine


def test_the_owner_s_key_is_in_no_process_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[str] = []
    monkeypatch.setattr("webbrowser.open", started.append)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("astragal.surfaces.web.serve.SNAPS", tmp_path / "nowhere")
    clear_up = open_in_browser("http://127.0.0.1:8000/#key=abc&x")
    (file,) = tmp_path.iterdir()
    assert started == [file.as_uri()]
    assert "abc" not in started[0]
    assert file.stat().st_mode & 0o077 == 0
    assert 'url=http://127.0.0.1:8000/#key=abc&amp;x"' in file.read_text()
    clear_up()
    assert not file.exists()
