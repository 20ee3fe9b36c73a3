"""Two processes on one database are one service: people at one table on different processes see each other."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

import pytest

from tests.patience import LONG
from tests.storage.places import PostgresPlace, program
from tests.surfaces.web.open_tables import OpenTable, Web, opened_web
from tests.surfaces.web.serving import Caller

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
