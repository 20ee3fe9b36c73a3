"""A pass that is remembered is as good as one that is looked up, and no longer."""

from __future__ import annotations

import time

from anyio.from_thread import BlockingPortal

from astragal.surfaces.web.security.auth import REMEMBERED_FOR, CachedPasses
from astragal.table.log.store import Pass, PassKind
from tests.patience import LONG
from tests.storage.places import SqlitePlace
from tests.surfaces.web.open_tables import Clock, Web, opened_web


def test_a_revocation_holds_at_once_in_the_process_that_makes_it(web: Web) -> None:
    table = web.table()
    client = web.client(table["Bo"])
    assert client.get(f"/t/{table.id}").status_code == 200
    web.context.auth.passes.revoke_seat(table.id, table.seats["Bo"], web.context.auth.clock())
    assert client.get(f"/t/{table.id}").status_code == 401


def test_a_revocation_by_another_process_holds_as_soon_as_the_store_tells(
    sqlite_place: SqlitePlace, portal: BlockingPortal
) -> None:
    with opened_web(sqlite_place.url) as here, opened_web(sqlite_place.url) as there, here.running(portal):
        table = here.table()
        client = here.client(table["Bo"])
        assert client.get(f"/t/{table.id}").status_code == 200
        there.context.auth.passes.revoke_seat(table.id, table.seats["Bo"], there.context.auth.clock())
        began = time.monotonic()
        while client.get(f"/t/{table.id}").status_code == 200:
            assert time.monotonic() - began < LONG
            time.sleep(0.05)  # the store looks in a thread of its own
        assert time.monotonic() - began < REMEMBERED_FOR / 1000 or LONG > 60, "it is told, not waited for"


def test_without_word_from_the_store_a_pass_is_looked_up_again_in_time(sqlite_place: SqlitePlace) -> None:
    clock = Clock()
    with opened_web(sqlite_place.url, clock=clock) as here:
        table = here.table()
        client = here.client(table["Bo"])
        assert client.get(f"/t/{table.id}").status_code == 200
        here.context.store.passes.revoke_seat(table.id, table.seats["Bo"], clock())
        assert client.get(f"/t/{table.id}").status_code == 200
        clock.now += REMEMBERED_FOR
        assert client.get(f"/t/{table.id}").status_code == 401


def test_a_pass_that_was_read_before_its_revocation_is_not_remembered_after_it(web: Web) -> None:
    table = web.table()
    web.cookie(table["Bo"])
    (held,) = web.context.auth.passes.of_table(table.id)
    name = held.digest

    class Slow(CachedPasses):
        """Reads, and is overtaken by a revocation before it has kept what it read."""

        def find(self, digest: str) -> Pass | None:
            return self._stored.find(digest)

    class Overtaken(Slow):
        def find(self, digest: str) -> Pass | None:
            found = super().find(digest)
            cache.revoke(digest, web.context.auth.clock())
            return found

    stored = web.context.store.passes
    cache = CachedPasses(Overtaken(stored, web.context.auth.clock), web.context.auth.clock)
    before = cache.find(name)
    assert before
    assert before.kind is PassKind.SEAT
    assert before.revoked is None
    after = CachedPasses.find(cache, name)
    assert after
    assert after.revoked is not None
