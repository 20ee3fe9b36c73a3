"""The program's entry: joins what is needed to answer a call, and sees to a decent end."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from astragal.surfaces.web.app import Guest
    from astragal.surfaces.web.context import WebContext
    from astragal.surfaces.web.settings import Settings
    from astragal.table.authoring.ruleset import Ruleset
    from astragal.table.host import Host
    from astragal.table.log.store import Store

RULESETS = "astragal.rulesets"
"""The entry-point group under which games are found, ours and strangers'."""
GAME_FILES = "ASTRAGAL_GAMES"
"""The variable of the environment that names games in files."""
OURS = ("narraject", "new_shoes", "sinew_steel", "six_pool")
OTHER_SURFACES: Mapping[str, str] = {"serve": "astragal.wiring:serve_web", "mcp": "astragal.wiring:serve_mcp"}
"""Commands that start another surface, by the place of their function: no surface knows another."""
EXTRA_OF = {
    "PIL": "lab",
    "anyio": "mcp",
    "fastapi": "web",
    "jinja2": "web",
    "markdown_it": "web",
    "mcp": "mcp",
    "mcp_types": "mcp",
    "multipart": "web",
    "nh3": "web",
    "psycopg": "postgres",
    "pydantic": "mcp",
    "segno": "web",
    "sse_starlette": "web",
    "starlette": "web",
    "uvicorn": "web",
}
"""Which extra of the package brings a module."""
INTERRUPTED = 130
UNTIL_A_LOOK = 100_000
"""Objects until Python looks for those that nobody needs: to load modules makes many, and nearly all are kept."""


def main() -> None:
    """What `astragal` and `python -m astragal` start."""
    from astragal.surfaces import cli
    from astragal.surfaces.cli.context import House

    gc.set_threshold(UNTIL_A_LOOK)
    atexit.register(gc.freeze)  # else Python looks through everything once more on the way out, and somebody waits
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    house = House(installed_rulesets, store_at, host_of, files=game_files)
    sys.meta_path.append(_MissingExtras())
    try:
        code = cli.run(sys.argv[1:], house, OTHER_SURFACES)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = cli.FINE
    except KeyboardInterrupt:
        code = INTERRUPTED
    sys.exit(code)


class _MissingExtras:
    """Asked last for a module that nobody has found: says which extra would bring it."""

    def find_spec(self, name: str, *_: object) -> None:
        extra = EXTRA_OF.get(name)
        if extra is not None:
            from astragal.chance.errors import MissingExtra

            raise MissingExtra(extra, f"{name} and what needs it")


def installed_rulesets() -> Mapping[str, Callable[[], Ruleset]]:
    """Every game that is installed, by the name of its entry point; none is loaded before it is called."""
    return Installed(RULESETS, {name: f"astragal.rulesets.{name}:{name.upper()}" for name in OURS})


class Installed(Mapping[str, Callable[[], Any]]):
    """What is installed under a group of entry points. The places of ours are known: nobody waits for a search."""

    def __init__(self, group: str, ours: Mapping[str, str]) -> None:
        self._group, self._ours = group, ours

    @cached_property
    def _found(self) -> dict[str, Callable[[], Any]]:
        """A look at what packages say of themselves comes first: to take all of it in is slow, and seldom needed."""
        if not any(_speaks_of(folder, self._group) for folder in sys.path):
            return {}
        from importlib.metadata import entry_points

        return {point.name: point.load for point in entry_points(group=self._group)}

    def __getitem__(self, name: str) -> Callable[[], Any]:
        return partial(_loaded, self._ours[name]) if name in self._ours else self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(sorted({*self._ours, *self._found}))

    def __len__(self) -> int:
        return len({*self._ours, *self._found})


def _speaks_of(place: str, group: str) -> bool:
    """Does a stranger's package in a place that is searched for modules name the group? An archive may hold one."""
    from pathlib import Path

    return Path(place).is_file() or any(
        f"[{group}]".encode() in points.read_bytes()
        for points in Path(place).glob("*.*-info/entry_points.txt")
        if not points.parent.name.startswith("astragal-")
    )


def _loaded(place: str) -> Any:
    from importlib import import_module

    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def store_at(url: str | None) -> Store:
    """The store at a URL; without one, that of the environment, else the user's own."""
    from astragal.storage import open_store

    return open_store(url)


def host_of(store: Store, rulesets: Iterable[Ruleset]) -> Host:
    """The one way in to the tables of a store, with the clock and the chance of this machine."""
    import secrets

    from astragal.table.host import Host

    return Host(store, rulesets, clock=milliseconds, entropy=secrets.token_bytes)


def milliseconds() -> int:
    """Since 1970, by the clock of this machine."""
    import time

    return time.time_ns() // 1_000_000


def serve_mcp(
    *,
    db: str | None = None,
    game: tuple[str, ...] = (),
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
    game
        A game in a Python file, besides those that are installed; may be said again.
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
    import time

    from astragal.surfaces.mcp.rate_limit import Rate
    from astragal.surfaces.mcp.server import bound_place, build_server, serve_stdio
    from astragal.surfaces.shared.context import AppContext

    _load_lanes()
    store = store_at(db)
    try:
        rulesets = all_games(game)
        house = AppContext(host_of(store, rulesets), store)
        place = bound_place(house, table, seat, player, copilot=co_pilot) if table else None
        serve_stdio(build_server(house, place=place, open_secrets=open_secrets, pace=Rate(time.monotonic)))
    finally:
        store.close()


def serve_web(
    *,
    db: str | None = None,
    game: tuple[str, ...] = (),
    port: int | None = None,
    lan: bool = False,
    public: str | None = None,
    listen: str = "127.0.0.1",
    open: bool | None = None,  # noqa: A002 - the option's name
) -> None:
    """Serve the web table: for this machine alone, for the home network, or behind a proxy for everybody.

    astragal serve          starts it, and opens your browser as game master
    astragal serve --lan    others in the same network can join, by link or QR code
    astragal serve --public https://play.example/games   behind a proxy

    Parameters
    ----------
    db
        Where tables are kept: sqlite:///tables.db, or postgresql://…
    game
        A game in a Python file, besides those that are installed; may be said again.
    port
        Where it listens, and nowhere else; unsaid, at 8000, or at the next that is free.
    lan
        Open it to the home network, under this machine's addresses there and no others.
    public
        The address that browsers see, where a proxy stands before it.
    listen
        The address to listen on, where the proxy is on another machine.
    open
        Open the browser; unsaid, where there is a screen and no proxy.
    """
    from astragal.surfaces.cli.errors import BadCall, Declined
    from astragal.surfaces.web.network import NoPort
    from astragal.surfaces.web.serve import NoNetwork, Wish, serve
    from astragal.surfaces.web.settings import BadAddress

    wish = Wish(port=port, lan=lan, public=public, listen=listen, opens_browser=open)
    rulesets = all_games(game)
    store = store_at(db)
    try:
        serve(wish, lambda settings: furnished(store, settings, rulesets), sys.stdout)
    except (BadAddress, NoNetwork) as fault:
        raise BadCall(str(fault)) from fault
    except NoPort as fault:
        raise Declined(str(fault)) from fault
    finally:
        store.close()


def all_games(files: Iterable[str] = ()) -> list[Ruleset]:
    """Every game that is installed and can be loaded, those that the environment names, and those in these files."""
    from astragal.surfaces.cli.context import House as Shelf

    shelf = Shelf(installed_rulesets, store_at, host_of, files=lambda: [*game_files(), *files])
    return shelf.all_games()


def game_files() -> list[str]:
    """Files with games that the environment names, as PATH names folders."""
    return [one for one in os.environ.get(GAME_FILES, "").split(os.pathsep) if one]


def furnished(
    store: Store, settings: Settings, rulesets: Iterable[Ruleset] | None = None
) -> tuple[WebContext, Mapping[str, Guest]]:
    """The web table of a store, and the MCP server beside it at `/mcp`, on one host."""
    import secrets
    import time

    from astragal.surfaces.mcp.http import Admission, Door
    from astragal.surfaces.shared.context import AppContext
    from astragal.surfaces.web.context import WebContext
    from astragal.surfaces.web.security.auth import PassAuth

    _load_lanes()
    host = host_of(store, all_games() if rulesets is None else rulesets)
    auth = PassAuth(store.passes, clock=milliseconds, entropy=secrets.token_bytes)

    def admit(token: str) -> Admission | None:
        found = auth.token(token)
        return Admission.of(found.table, found.seat, found.options) if found and found.table and found.seat else None

    mcp = Door(
        AppContext(host, store),
        admit,
        hosts=sorted(settings.hosts),
        origins=sorted(settings.origins),
        clock=time.monotonic,
    )
    return WebContext(host, store, auth, settings), {"/mcp": mcp}


def _load_lanes() -> None:
    """Who answers previews all evening loads NumPy at the start, not while the first player waits for one."""
    import astragal.chance.lanes  # noqa: F401 - it is there once it was imported
