"""Several processes on one database are one service: people on different processes see each other, and any may die."""

from __future__ import annotations

import http.client
import re
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from random import Random

import pytest

from astragal.table.host import Opened
from astragal.table.visibility.events import SeenEvent
from tests.patience import LONG
from tests.storage.places import PostgresPlace, postgres_database, program
from tests.surfaces.web.open_tables import AtSeat, OpenTable, Web, opened_web
from tests.surfaces.web.processes import Processes
from tests.surfaces.web.serving import Caller
from tests.table.dare import DARE

SERVED_AT = re.compile(r"http://127\.0\.0\.1:(\d+)/")


@contextmanager
def program_on(url: str) -> Iterator[int]:
    """`astragal serve` on this database; gives its port."""
    with program("serve", "--db", url, "--port", "0", "--no-open") as served:
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
    ports: tuple[int, ...]

    def caller(self, name: str, process: int) -> Caller:
        return Caller(self.ports[process], "=".join(self.web.cookie(self.table[name])))

    @property
    def api(self) -> str:
        return f"/api/tables/{self.table.id}"

    @property
    def stream(self) -> str:
        return f"/t/{self.table.id}/events"


@pytest.fixture(scope="module")
def served(server_url: str) -> Iterator[tuple[Web, tuple[int, ...]]]:
    """A database, and the ports of the program and another process on it.

    They take a while to start, so each test has its own table.
    """
    with postgres_database(server_url) as place, opened_web(place.url) as web, program_on(place.url) as port:
        other = Processes(place.url, 1, every_game=True)
        yield web, (port, *other.ports)
        other.end()


@pytest.fixture
def both(served: tuple[Web, tuple[int, ...]]) -> Both:
    web, ports = served
    return Both(web, web.table(), ports)


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


def test_three_processes_of_which_one_is_always_dying_lose_nothing(postgres_place: PostgresPlace) -> None:
    """Each command goes to the next process, until one has told what came of it: done once, whoever was killed."""
    with opened_web(postgres_place.url, games=[DARE]) as web:
        opened = web.host.open("dare", name="The Cliff", game_master="Ada")
        seats = {name: _sit(web, opened, name) for name in ("Bo", "Cy")}
        cookies = {name: "=".join(web.cookie(AtSeat(opened.table, seat))) for name, seat in seats.items()}
        processes = Processes(postgres_place.url, 3)
        told: dict[str, list[str]] = {name: [] for name in cookies}
        stop = threading.Event()

        def play(name: str) -> None:
            luck, path = Random(name), f"/api/tables/{opened.table}/commands/say"
            while not stop.is_set():
                words, status = f"{name} says {len(told[name])}", 0
                while status != 200:
                    caller = Caller(luck.choice(processes.ports), cookies[name])
                    with suppress(OSError, http.client.HTTPException):
                        status, _ = caller.post(path, {"words": words}, Idempotency_Key=words)
                told[name].append(words)

        players = [threading.Thread(target=play, args=(name,)) for name in cookies]
        for player in players:
            player.start()
        for number in (0, 1, 2, 0):
            heard = {name: len(words) for name, words in told.items()}
            began = time.monotonic()
            while any(len(told[name]) < heard[name] + 3 for name in told) and time.monotonic() < began + LONG:
                stop.wait(0.01)
            processes.kill(number)
        stop.set()
        for player in players:
            player.join(LONG)
        processes.end()
        said = [event.words for event in _all_events(web, opened) if event.name == "said"]
        for name, words in told.items():
            assert len(words) >= 12, "they move on by themselves"
            own = [one.partition(": ")[2] for one in said if one.startswith(f"{name}: ")]
            assert own == words, "each once, in order, and nothing that was not told"


def _sit(web: Web, opened: Opened, name: str) -> str:
    taken = web.host.act(opened.table, opened.seat, ("take_seat", {"name": name}))
    return str(taken.events[0].fields["seat"]["id"])


def _all_events(web: Web, opened: Opened) -> Iterator[SeenEvent]:
    cursor, more = "", True
    while more:
        page = web.host.follow(opened.table, opened.seat, cursor)
        yield from page.events
        cursor, more = page.cursor, page.more
