"""Programs that tests run beside themselves: `python -m tests.rulesets.programs NAME …`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from astragal.storage import open_store
from astragal.wiring import host_of, installed_rulesets
from tests.storage.programs import say


def look_together(url: str, threads: str) -> None:
    """Look at every table of a store from many threads at once, as those do who come back after a restart."""
    store = open_store(url)
    host = host_of(store, [load() for load in installed_rulesets().values()])
    tables = store.tables()
    barrier = Barrier(int(threads) * len(tables))

    def look(table: str) -> int:
        barrier.wait()
        (seat, *_) = host.seats(table)
        host.look(table, seat)
        return len(host.follow(table, seat).events)

    with ThreadPoolExecutor(barrier.parties) as pool:
        seen = list(pool.map(look, tables * int(threads)))
    store.close()
    say(f"seen {sum(seen)}")


PROGRAMS: dict[str, Callable[..., None]] = {"look_together": look_together}

if __name__ == "__main__":
    PROGRAMS[sys.argv[1]](*sys.argv[2:])
