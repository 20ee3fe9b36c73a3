"""Monitoring of a server: probes, the log with its request ids, figures, the owner's key, a clean end."""

from __future__ import annotations

import io
import json
import logging
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from astragal.surfaces.web.monitoring import HEADER, log_to_stderr
from astragal.surfaces.web.network import NoPort
from astragal.surfaces.web.security.auth import BadOwnerKey
from astragal.surfaces.web.settings import BadAddress
from astragal.table.log.store import PassKind
from tests.patience import LONG
from tests.storage.places import ROOT
from tests.surfaces.web.open_tables import Web, opened_web
from tests.surfaces.web.serving import Caller

KEY = "a-key-of-the-operators-own"


@pytest.fixture
def logged() -> Iterator[io.StringIO]:
    """The log of this process as JSON, from info on."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    out = io.StringIO()
    log_to_stderr("info", "json", out)
    yield out
    root.handlers, root.level = before, level


def test_probes_answer_under_every_name_and_tell_nothing(web: Web) -> None:
    client = web.client()
    for path in ("/healthz", "/readyz"):
        answer = client.get(path, headers={"Host": "10.0.0.7:8000"})
        assert (answer.status_code, len(answer.text.split())) == (200, 1)
    assert client.get("/", headers={"Host": "10.0.0.7:8000"}).status_code == 421


def test_a_server_is_not_ready_without_its_store(tmp_path: Path) -> None:
    with opened_web(str(tmp_path / "tables.db")) as web:
        client = web.client()
        web.context.store.close()
        assert client.get("/readyz").status_code == 503
        assert client.get("/healthz").status_code == 200


def test_a_request_has_one_id_in_its_answer_and_in_every_line_about_it(web: Web, logged: io.StringIO) -> None:
    client = web.client(web.table().game_master)
    own = client.get("/").headers[HEADER]
    assert client.get("/healthz", headers={HEADER: "from-the-proxy"}).headers[HEADER] == "from-the-proxy"
    assert client.get("/healthz", headers={HEADER: "two\twords"}).headers[HEADER] != "two\twords"
    lines = [json.loads(line) for line in logged.getvalue().splitlines()]
    ours = [line for line in lines if line["logger"] == "astragal.requests"]
    assert [(line["request"], line["level"], line["message"].rsplit(" ", 2)[0]) for line in ours][:2] == [
        (own, "info", "GET / 200"),
        ("from-the-proxy", "info", "GET /healthz 200"),
    ]
    assert all(line["time"].endswith("Z") for line in lines)


def test_a_secret_in_an_address_is_in_no_log_and_no_figure(web: Web, logged: io.StringIO) -> None:
    secret = web.context.auth.issue(PassKind.INVITATION, web.table().id)
    client = web.client(Authorization=f"Bearer {secret}")
    client.get(f"/join?key={secret}")
    client.get(f"/{secret}")
    client.post("/owner", data={"link": secret})
    ours = [line for line in logged.getvalue().splitlines() if '"astragal' in line]  # the test's client logs, too
    assert len(ours) == 3
    assert secret not in "".join(ours)
    assert secret not in scraped(web)


def test_figures_count_requests_by_route_and_open_streams(web: Web) -> None:
    table = web.table()
    client = web.client(table.game_master)
    for _ in range(3):
        client.get(f"/api/tables/{table.id}")
    found = scraped(web)
    assert 'astragal_requests_total{method="GET",route="/api/tables/{table}",status="200"} 3.0' in found
    assert 'astragal_request_seconds_count{route="/api/tables/{table}"} 3.0' in found
    assert "astragal_streams 0.0" in found
    assert "process_resident_memory_bytes" in found
    assert table.id not in found


def test_metrics_at_an_address_that_cannot_be_had_are_an_error(web: Web) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as held, pytest.raises(NoPort, match="Metrics can't"):
        web.context.metrics.served_at(f"127.0.0.1:{held.getsockname()[1]}").__enter__()
    with pytest.raises(BadAddress, match=r"127\.0\.0\.1:9464"):
        web.context.metrics.served_at("9464").__enter__()


def test_the_owners_key_can_be_set_and_is_stored_nowhere(web: Web) -> None:
    client = web.client()
    assert client.post("/owner", data={"link": KEY}).status_code == 404
    web.context.auth.take_owner_key(KEY)
    assert client.post("/owner", data={"link": f"http://127.0.0.1:8000/#key={KEY}"}).status_code == 303
    assert client.post("/owner", data={"link": KEY + "x"}).status_code == 404
    for weak in ("short", "x" * 101, "ключ-ключ-ключ-ключ-ключ"):
        with pytest.raises(BadOwnerKey):
            web.context.auth.take_owner_key(weak)


def scraped(web: Web) -> str:
    port = free_port()
    with (
        web.context.metrics.served_at(f"127.0.0.1:{port}"),
        urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=LONG) as answer,
    ):
        text: str = answer.read().decode()
        return text


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as held:
        port: int = held.getsockname()[1]
        return port


@pytest.mark.slow
def test_a_server_set_by_its_environment_ends_its_streams_cleanly(tmp_path: Path) -> None:
    """All settings come from a file and the environment, as a service gives them; SIGTERM ends it."""
    with opened_web(str(tmp_path / "tables.db")) as web:
        table = web.table()
        name, value = web.cookie(table["Bo"])
    port = free_port()
    (tmp_path / "astragal.toml").write_text(f'db = "{tmp_path / "tables.db"}"\nport = {port}\nlog_format = "json"\n')
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ASTRAGAL_")} | {
        "PYTHONPATH": str(ROOT / "src"),
        "PYTHONUNBUFFERED": "1",
        "ASTRAGAL_SETTINGS": str(tmp_path / "astragal.toml"),
        "ASTRAGAL_OWNER_KEY": KEY,
        "ASTRAGAL_LOG_LEVEL": "info",
    }
    command = [sys.executable, "-m", "astragal", "serve", "--no-open"]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as program:
        try:
            assert program.stdout
            said = "".join(iter(program.stdout.readline, "Press Ctrl-C to stop.\n"))
            caller = Caller(port, f"{name}={value}")
            stream = caller.listen(f"/api/tables/{table.id}/events")
            assert stream.status == 200
            program.send_signal(signal.SIGTERM)
            assert stream.ended()
            caller.hang_up()
            left, errors = program.communicate(timeout=LONG)
        finally:
            program.kill()
    assert (program.returncode, left) == (0, "\nStopped. Everything is saved.\n"), errors
    assert said.splitlines()[:2] == [
        f"Tables are stored in {tmp_path / 'tables.db'}",
        f"Settings are read from {tmp_path / 'astragal.toml'}",
    ]
    assert (KEY in said + left + errors, "with the key that was set" in said) == (False, True)
    lines = [json.loads(line) for line in errors.splitlines()]
    assert not [line for line in lines if line["level"] not in ("info", "debug")], errors
    assert any("/api/tables/{table}/events 200" in line["message"] for line in lines)
