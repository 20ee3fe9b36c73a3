"""A server that died and starts again has everybody back at once, before a single table is open."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path
from threading import Barrier

import pytest

from astragal.storage import open_store
from astragal.surfaces.web.security.auth import PassAuth
from astragal.wiring import milliseconds
from tests.patience import LONG
from tests.rulesets.kept_evenings import keep_evenings
from tests.storage.places import program
from tests.surfaces.web.open_tables import cookie_at
from tests.surfaces.web.serving import Caller

SERVED_AT = re.compile(r"http://127\.0\.0\.1:(\d+)/")


@contextmanager
def cold_server(url: str) -> Iterator[int]:
    """`astragal serve` on this store, until it is killed; gives its port."""
    with program("serve", "--db", url, "--port", "0", "--no-open") as served:
        try:
            assert served.stdout
            found = next(filter(None, map(SERVED_AT.search, served.stdout)))
            yield int(found[1])
            assert served.poll() is None, "the server has died by itself"
        finally:
            served.kill()


def evenings_with_cookies(url: str) -> list[tuple[str, str]]:
    """Tables of every game, each with the cookie of a seat at it."""
    store = open_store(url)
    auth = PassAuth(store.passes, clock=milliseconds, entropy=secrets.token_bytes)
    found = [
        (one.table, "=".join(cookie_at(auth, one.table, seat)))
        for one in keep_evenings(store)
        for seat in one.seats.values()
    ]
    store.close()
    return found


def restart(url: str, seats: list[tuple[str, str]], clients: int) -> list[tuple[int, int, int]]:
    """A cold server, and that many clients who come back at one moment: how each was answered."""
    with cold_server(url) as port, ThreadPoolExecutor(clients) as pool:
        together = Barrier(clients)

        def come_back(seat: tuple[str, str]) -> tuple[int, int, int]:
            table, cookie = seat
            caller = Caller(port, cookie)
            together.wait(LONG)
            try:
                stream = caller.listen(f"/t/{table}/events").status
                page, _ = caller.call("GET", f"/t/{table}")
                state, _ = caller.call("GET", f"/api/tables/{table}")
            finally:
                caller.hang_up()
            return stream, page, state

        return list(pool.map(come_back, islice(cycle(seats), clients)))


@pytest.mark.slow
def test_everybody_comes_back_to_a_server_that_was_killed(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/tables.db"
    seats = evenings_with_cookies(url)
    assert set(restart(url, seats, clients=16)) == {(200, 200, 200)}
