"""The program's entry: joins what is needed to answer a call, and sees to a decent end."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from astragal.table.host import Host
    from astragal.table.ruleset import Ruleset
    from astragal.table.store import Store

RULESETS = "astragal.rulesets"
"""The entry-point group under which games are found, ours and strangers'."""
OTHER_SURFACES: Mapping[str, str] = {"mcp": "astragal.wiring:serve_mcp"}
"""Commands that start another surface, by the place of their function: no surface knows another."""
INTERRUPTED = 130


def main() -> None:
    """What `astragal` and `python -m astragal` start."""
    from astragal.surfaces import cli
    from astragal.surfaces.cli.house import House

    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        code = cli.run(sys.argv[1:], House(installed_rulesets, store_at, host_of), OTHER_SURFACES)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = cli.FINE
    except KeyboardInterrupt:
        code = INTERRUPTED
    sys.exit(code)


def installed_rulesets() -> Mapping[str, Callable[[], Ruleset]]:
    """Every game that is installed, by the name of its entry point; none is loaded before it is called."""
    from importlib.metadata import entry_points

    return {point.name: point.load for point in sorted(entry_points(group=RULESETS))}


def store_at(url: str | None) -> Store:
    """The store at a URL; without one, that of the environment, else the user's own."""
    from astragal.storage import open_store

    return open_store(url)


def host_of(store: Store, rulesets: Iterable[Ruleset]) -> Host:
    """The one way in to the tables of a store, with the clock and the chance of this machine."""
    import secrets
    import time

    from astragal.table.host import Host

    return Host(store, rulesets, clock=lambda: time.time_ns() // 1_000_000, entropy=secrets.token_bytes)


def serve_mcp(
    *,
    db: str | None = None,
    table: str | None = None,
    seat: str | None = None,
    player: str | None = None,
    co_pilot: bool = False,
    open_secrets: bool = False,
) -> None:
    """Let an AI sit at the table: an MCP server over standard input and output, for an AI client to start.

    astragal mcp                              the AI opens tables, or takes AI seats
    astragal mcp --table "The Cliff" --seat AI   it sits there and nowhere else

    Parameters
    ----------
    db
        Where tables are kept: sqlite:///tables.db, or postgresql://…
    table
        The one table that the AI sits at, by id or name.
    seat
        The seat that it has there; unsaid, the game master's.
    player
        The seat of the person in front of the AI client, who is asked what is theirs to decide.
    co_pilot
        It sees and proposes, and does nothing that the person has not confirmed.
    open_secrets
        Results show the AI's secrets, although the person could read them in their client.
    """
    from astragal.surfaces.cli.house import House as Shelf
    from astragal.surfaces.mcp.house import House
    from astragal.surfaces.mcp.server import build_server, serve_stdio

    store = store_at(db)
    try:
        rulesets = Shelf(installed_rulesets, store_at, host_of).all_games()
        house = House(host_of(store, rulesets), store, rulesets)
        serve_stdio(
            build_server(house, table=table, seat=seat, player=player, copilot=co_pilot, open_secrets=open_secrets)
        )
    finally:
        store.close()
