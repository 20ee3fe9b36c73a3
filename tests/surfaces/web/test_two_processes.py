"""Several processes on one database are one service: people on different processes see each other, and any may die."""

from __future__ import annotations

import http.client
import re
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from random import Random

import pytest

from astragal.table.visibility.events import SeenEvent
from tests.patience import LONG
from tests.storage.places import PostgresPlace, program
from tests.surfaces.web.open_tables import OpenTable, Web, opened_web
from tests.surfaces.web.serving import Caller

PAUSE = 0.1
"""Seconds between two words of a player, and before another process is tried."""
SERVED_AT = re.compile(r"http://127\.0\.0\.1:(\d+)/")


@contextmanager
def process_on(url: str) -> Iterator[int]:
    """`astragal serve` on this database; gives its port."""
    with program("serve", "--db", url, "--port", "0", "--no-open", of="astragal") as served:
        try:
            assert served.stdout
            found = next(filter(None, map(SERVED_AT.search, served.stdout)))
            yield int(found[1])
        finally:
            served.send_signal(signal.SIGINT)
            assert served.wait(LONG) == 0


@dataclass
class Both:
    """A table that is served by two processes."""

    web: Web
    table: OpenTable
    ports: tuple[int, int]

    def caller(self, name: str, process: int) -> Caller:
        return Caller(self.ports[process], "=".join(self.web.cookie(self.table[name])))

    @property
    def api(self) -> str:
        return f"/api/tables/{self.table.id}"

    @property
    def stream(self) -> str:
        return f"/t/{self.table.id}/events"


@pytest.fixture
def both(postgres_place: PostgresPlace) -> Iterator[Both]:
    with ExitStack() as stack:
        web = stack.enter_context(opened_web(postgres_place.url))
        table = web.table()
        ports = stack.enter_context(process_on(postgres_place.url)), stack.enter_context(process_on(postgres_place.url))
        yield Both(web, table, ports)


def test_people_on_different_processes_see_what_happens_and_each_other(both: Both) -> None:
    ada, bo, cy = both.caller("Ada", 0), both.caller("Bo", 0), both.caller("Cy", 1)
    try:
        here = bo.listen(both.stream)
        there = cy.listen(both.stream)
        assert "Cy, player, here" in here.until("Cy, player, here").data
        assert "Bo, player, here" in there.until("Bo, player, here").data

        assert cy.post(f"{both.api}/commands/say", {"words": "heard on the other side"})[0] == 200
        assert "#log" in here.until("heard on the other side").data

        assert ada.post(f"{both.api}/commands/leave_seat", {"seat": both.table.seats["Cy"]})[0] == 200
        assert there.ended()
        assert b"event: gone" in there.bytes
        assert cy.call("GET", both.api)[0] == 401
    finally:
        for caller in (ada, bo, cy):
            caller.hang_up()


def test_a_revocation_holds_on_the_other_process_too(both: Both) -> None:
    bo = both.caller("Bo", 1)
    assert bo.call("GET", both.api)[0] == 200
    passes, clock = both.web.context.auth.passes, both.web.context.auth.clock
    passes.revoke_seat(both.table.id, both.table.seats["Bo"], clock())
    began = time.monotonic()
    while bo.call("GET", both.api)[0] == 200:
        assert time.monotonic() - began < LONG


class Processes:
    """Three processes of the program on one database; any can be killed, and is started again."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._running = [self._start() for _ in range(3)]
        self.ports = [self._port(one) for one in self._running]

    def kill(self, number: int) -> None:
        self._running[number].kill()
        self._running[number].wait(LONG)
        self._running[number] = self._start()
        self.ports[number] = self._port(self._running[number])

    def end(self) -> None:
        for one in self._running:
            one.kill()
            one.communicate()

    def _start(self) -> subprocess.Popen[str]:
        return program("serve", "--db", self._url, "--port", "0", "--no-open", of="astragal")

    def _port(self, served: subprocess.Popen[str]) -> int:
        assert served.stdout
        return int(next(filter(None, map(SERVED_AT.search, served.stdout)))[1])


def test_three_processes_of_which_one_is_always_dying_lose_nothing(postgres_place: PostgresPlace) -> None:
    """Each command goes to the next process, until one has told what came of it: done once, whoever was killed."""
    random = Random(1)
    with opened_web(postgres_place.url) as web:
        table = web.table()
        cookies = {name: "=".join(web.cookie(table[name])) for name in ("Bo", "Cy")}
        processes = Processes(postgres_place.url)
        told: dict[str, list[str]] = {name: [] for name in cookies}
        stop = threading.Event()

        def play(name: str) -> None:
            luck = Random(name)
            while not stop.is_set():
                words = f"{name} says {len(told[name])}"
                while True:
                    caller = Caller(luck.choice(processes.ports), cookies[name])
                    try:
                        path = f"/api/tables/{table.id}/commands/say"
                        status, _ = caller.post(path, {"words": words}, Idempotency_Key=words)
                    except (OSError, http.client.HTTPException):
                        status = 0
                    if status == 200:
                        told[name].append(words)
                        break
                    stop.wait(PAUSE)
                stop.wait(PAUSE)

        players = [threading.Thread(target=play, args=(name,)) for name in cookies]
        try:
            for player in players:
                player.start()
            for _ in range(2):
                processes.kill(random.randrange(3))
            stop.set()
            for player in players:
                player.join(LONG)
                assert not player.is_alive()
        finally:
            stop.set()
            processes.end()
        said = [event.words for event in _all_events(web, table) if event.name == "said"]
        for name, words in told.items():
            assert words
            own = [one.partition(": ")[2] for one in said if one.startswith(f"{name}: ")]
            assert own == words, "each once, in order, and nothing that was not told"


def _all_events(web: Web, table: OpenTable) -> Iterator[SeenEvent]:
    cursor, more = "", True
    while more:
        page = web.host.follow(table.id, table.seats["Ada"], cursor)
        yield from page.events
        cursor, more = page.cursor, page.more
