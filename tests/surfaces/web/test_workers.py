"""`astragal serve --workers 2`: two processes on one port and one SQLite file are one service, and either may die."""

from __future__ import annotations

import http.client
import os
import re
import signal
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from zlib import crc32

import pytest

from astragal.surfaces.web.workers import CHANGED, SLOTS, Shares, Siblings, mailboxes
from tests.patience import LONG
from tests.surfaces.web.open_tables import OpenTable, Web, opened_web
from tests.surfaces.web.serving import Caller
from tests.surfaces.web.test_serving import link_in, served

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it looks for the workers in /proc")


def workers_of(process: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{process}/task/{process}/children").read_text("ascii").split()]


def table_of(web: Web, worker: int) -> OpenTable:
    """A table that is in this worker's share."""
    return next(table for table in iter(web.table, None) if crc32(table.id.encode()) % 2 == worker)


FORM = "application/x-www-form-urlencoded"


def sign_in_as_owner(said: str) -> Caller:
    """The owner's browser, by the link that the program printed."""
    address, key = link_in(said)
    stranger = Caller(int(address.rpartition(":")[2]), "")
    _, headers, _ = stranger.exchange("POST", "/owner", f"link={key}".encode(), Content_Type=FORM)
    return Caller(stranger.port, headers["Set-Cookie"].partition(";")[0])


def open_table(owner: Caller) -> str:
    status, headers, _ = owner.exchange("POST", "/tables", b"game=new_shoes", Content_Type=FORM)
    assert status == 303
    return headers["Location"].removeprefix("/t/")


def link_shown(owner: Caller, table: str) -> str:
    """The secret of the table's link on its page of people; empty if there is none."""
    status, page = owner.call("GET", f"/t/{table}/people")
    assert status == 200
    shown = re.search(r'id="table-secret" readonly value="[^"#]*#([^"]+)"', page.decode())
    return shown[1] if shown else ""


def say(caller: Caller, table: OpenTable, words: str) -> None:
    """Say it until it is acknowledged, as a page does that is cut off in between."""
    until, status = time.monotonic() + LONG, 0
    while status != 200:
        assert time.monotonic() < until
        with suppress(OSError, http.client.HTTPException):
            status, _ = caller.post(f"/api/tables/{table.id}/commands/say", {"words": words}, Idempotency_Key=words)


def test_tables_are_shared_evenly_and_each_stays_where_it_is_until_it_is_let_go() -> None:
    shares = Shares(3)
    tables = [f"table {number}".encode() for number in range(300)]
    owners = [shares.owner(table) for table in tables]
    assert max(Counter(owners).values()) - min(Counter(owners).values()) < 300 * 300 / SLOTS
    assert [shares.owner(table) for table in tables] == owners
    for table, owner in zip(tables, owners, strict=True):
        if owner == 1:
            shares.let_go(table)
    assert [shares.owner(f"new {number}".encode()) for number in range(50)].count(1) > 45


def test_only_the_worker_that_serves_a_table_is_told_that_another_changed_it() -> None:
    boxes, shares = mailboxes(3), Shares(3)
    owner = shares.owner(b"served")
    try:
        for table in ("served", "served by nobody", None):
            for number in range(3):
                Siblings(number, boxes, shares).tell_changed(table)
        assert [boxes[owner][0].recv(100) for _ in range(2)] == [CHANGED + b"served"] * 2
        for reads, _ in boxes:
            with pytest.raises(BlockingIOError):
                reads.recv(100)
    finally:
        for one in (one for pair in boxes for one in pair):
            one.close()


@pytest.mark.slow
def test_two_workers_share_the_tables_and_lose_nothing_when_one_is_killed(tmp_path: Path) -> None:
    with opened_web(str(tmp_path / "tables.db")) as web:
        tables = [table_of(web, 0), table_of(web, 1)]
        with served(tmp_path, "--port", "0", "--workers", "2") as (program, said):
            port = int(link_in(said)[0].rpartition(":")[2])
            bo, cy = ([Caller(port, "=".join(web.cookie(table[name]))) for table in tables] for name in ("Bo", "Cy"))
            streams = [one.listen(f"/t/{table.id}/events") for one, table in zip(cy, tables, strict=True)]
            for one, table, stream in zip(bo, tables, streams, strict=True):
                say(one, table, "before")
                stream.until("before")
            web.host.act(tables[0].id, tables[0].seats["Bo"], ("say", {"words": "from a terminal"}))
            streams[0].until("from a terminal")

            before = workers_of(program.pid)
            cores = 1 if len(os.sched_getaffinity(0)) <= len(before) else len(os.sched_getaffinity(0))
            assert [len(os.sched_getaffinity(one)) for one in before] == [cores, cores], "each has its own, if it can"
            os.kill(before[0], signal.SIGKILL)
            assert streams[0].ended() or streams[1].ended()
            for one, table in zip(bo, tables, strict=True):
                for number in range(3):
                    say(one, table, f"after {number}")
            again = [one.listen(f"/t/{table.id}/events") for one, table in zip(cy, tables, strict=True)]
            for stream in again:
                stream.until("after 2")
            after = workers_of(program.pid)
            assert (len(after), after[0] in before or after[1] in before) == (2, True)

            for caller in cy:
                caller.hang_up()
            program.send_signal(signal.SIGTERM)
            left, _ = program.communicate(timeout=LONG)
            assert program.returncode == 0
            assert "worker 0 ended (signal 9); it is started again" in left
            assert left.endswith("\nStopped. Everything is saved.\n")
            assert not any(Path(f"/proc/{one}").exists() for one in after)
        for table in tables:
            told = [one.words for one in web.host.follow(table.id, table.seats["Bo"]).events if one.name == "said"]
            said_by_bo = [words.partition(": ")[2] for words in told if "terminal" not in words]
            assert said_by_bo == ["before", "after 0", "after 1", "after 2"], "each once, in order"


@pytest.mark.slow
def test_the_link_of_a_table_is_the_same_for_every_worker_and_after_a_restart(tmp_path: Path) -> None:
    """Any worker opens a table, and the one whose share it is shows its link."""
    with served(tmp_path, "--port", "0", "--workers", "2") as (program, said):
        owner = sign_in_as_owner(said)
        links = {table: link_shown(owner, table) for table in [open_table(owner) for _ in range(8)]}
        assert all(links.values())
        program.send_signal(signal.SIGTERM)
        program.communicate(timeout=LONG)
    with served(tmp_path, "--port", "0", "--workers", "2") as (_, said):
        owner = sign_in_as_owner(said)
        renewed = next(iter(links))
        for table, link in links.items():
            assert owner.call("POST", f"/tables/{table}/enter")[0] == 303
            assert link_shown(owner, table) == link
        assert owner.call("POST", f"/t/{renewed}/people/table-link", b"", Content_Type=FORM)[0] == 303
        for table, link in links.items():
            guest = Caller(owner.port, "")
            status, _ = guest.call("POST", "/join", f"link={link}".encode(), Content_Type=FORM)
            assert status == (410 if table == renewed else 200)
            assert (link_shown(owner, table) == link) == (table != renewed)


@pytest.mark.slow
def test_a_device_is_known_to_every_worker(tmp_path: Path) -> None:
    """Seats are taken from any worker, and each table is served by its own."""
    with served(tmp_path, "--port", "0", "--workers", "2") as (_, said):
        owner = sign_in_as_owner(said)
        tables = [open_table(owner) for _ in range(8)]
        guest = Caller(owner.port, "")
        for table in tables:
            link = link_shown(owner, table)
            _, page = guest.call("POST", "/join", f"link={link}".encode(), Content_Type=FORM)
            seat = re.search(r'name="seat" value="([^"]+)"', page.decode())
            assert seat
            taking = f"link={link}&seat={seat[1]}".encode()
            status, headers, _ = guest.exchange("POST", "/join/take", taking, Content_Type=FORM)
            assert status == 303
            guest = Caller(owner.port, headers["Set-Cookie"].partition(";")[0])
        for table in tables:
            assert guest.call("GET", f"/api/tables/{table}")[0] == 200
        status, _, _ = guest.exchange("POST", "/sign-out", b"", Content_Type=FORM)
        assert status == 303
        deadline = time.monotonic() + LONG
        while any(guest.call("GET", f"/api/tables/{table}")[0] == 200 for table in tables):
            assert time.monotonic() < deadline
            time.sleep(0.05)  # the other worker is told by the store
