"""Server with tables at which people sit, for the load of the benchmark. A program of its own.

Prints its address and the cookie of each seat as one line of JSON, then serves until it is ended. With a port, it
serves what a folder has already, and creates nothing. A folder can be the address of a database, too.
"""

import json
import os
import secrets
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from msgspec.structs import replace

import astragal.chance.lanes  # noqa: F401 - as the program does when it starts
from astragal.rulesets.sinew_steel import SINEW_STEEL
from astragal.storage import open_store
from astragal.surfaces.shared.rate_limit import Pace
from astragal.surfaces.web.app import MountedApp, create_app
from astragal.surfaces.web.context import WebContext
from astragal.surfaces.web.network import listening
from astragal.surfaces.web.security.auth import PassAuth, device_cookie
from astragal.surfaces.web.serve import ServeOptions, TableServer, serve_by_workers
from astragal.surfaces.web.settings import Settings
from astragal.table.host import Host


def main(folder: str, tables: int, seats: int, stored: int = 0, port: int = 0, *more: int) -> None:
    """Serve; `more` is the number of workers, if there are several."""
    workers = more[0] if more else 1
    sockets, port = listening(["127.0.0.1"], port)
    settings = replace(Settings.local(port), seat_pace=Pace(10_000, 1_000))  # a person would not click so fast

    @contextmanager
    def opened(settings: Settings) -> Iterator[tuple[WebContext, Mapping[str, MountedApp]]]:
        with closing(open_store(folder if "://" in folder else str(Path(folder) / "tables.db"))) as store:
            host = Host(store, (SINEW_STEEL,), clock=_now, entropy=secrets.token_bytes)
            auth = PassAuth(store.passes, clock=_now, entropy=secrets.token_bytes)
            yield WebContext(host, store, auth, settings), {}

    with opened(settings) as (context, _):
        laid = [create_table(context, seats) for _ in range(tables)]
        for number in range(stored):
            context.host.open("sinew_steel", name=f"Long ago {number}", game_master="Ada")
        owner = _owner_cookie(context)
    said = {"port": port, "tables": laid, "owner": owner, "process": os.getpid(), "processor": time.process_time()}
    print(json.dumps(said), flush=True)
    if workers > 1:
        serve_by_workers(ServeOptions(workers=workers), opened, settings, sockets)
    else:
        with opened(settings) as (context, mounts):
            TableServer(create_app(context, mounts), context.hub, settings).serve_until_stopped(sockets)


def create_table(context: WebContext, count: int) -> dict[str, Any]:
    """Create a table with a game master and players, each with a hero, in a scene with its picture."""
    opened = context.host.open("sinew_steel", name="The Gorge", game_master="Ada", options={"build_points": 16})
    seats = [{"cookie": _cookie(context, opened.table, opened.seat), "hero": ""}]
    for number in range(1, count):
        taken = context.host.act(opened.table, opened.seat, ("take_seat", {"name": f"Player {number}"}))
        seat = taken.events[0].fields["seat"]["id"]
        hero = f"Hero {number}"
        context.host.act(opened.table, seat, ("make_hero", {"name": hero, "scores": {"REF": 12, "LCK": 8}}))
        seats.append({"cookie": _cookie(context, opened.table, seat), "hero": hero})
    scene = {"title": "The rope bridge", "hook": "It sways over the gorge, and one of its ropes is new."}
    context.host.act(opened.table, opened.seat, ("improvise_scene", scene))
    return {"table": opened.table, "seats": seats}


def _cookie(context: WebContext, table: str, seat: str) -> str:
    device = context.auth.new_secret()
    context.auth.give_seat(device, table, seat)
    return f"{device_cookie(device)}={device}"


def _owner_cookie(context: WebContext) -> str:
    device = context.auth.new_secret()
    context.auth.make_owners(device)
    return f"{device_cookie(device)}={device}"


def _now() -> int:
    return time.time_ns() // 1_000_000


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
