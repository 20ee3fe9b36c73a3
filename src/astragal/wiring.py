"""Entry point: wires games, store, host and surfaces together, and ends the process cleanly."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import cached_property, partial
from typing import TYPE_CHECKING, Annotated, Any, Literal

from astragal.surfaces.cli.parser import Parameter

if TYPE_CHECKING:
    from importlib.metadata import Distribution

    from astragal.surfaces.web.app import MountedApp
    from astragal.surfaces.web.context import WebContext
    from astragal.surfaces.web.settings import Settings
    from astragal.table.authoring.ruleset import Ruleset
    from astragal.table.host import Host
    from astragal.table.log.store import Store

RULESETS = "astragal.rulesets"
"""The entry-point group of games, ours and those of other packages."""
OURS = ("narraject", "new_shoes", "sinew_steel", "six_pool")
OTHER_SURFACES: Mapping[str, str] = {
    "serve": "astragal.wiring:serve_web",
    "mcp": "astragal.wiring:serve_mcp",
    "page": "astragal.page.command:page",
    "table seat-ai": "astragal.programs:seat_ai",
    "table token": "astragal.programs:issue_token",
    "table webhook": "astragal.programs:keep_webhook",
}
"""Sub-commands that start another surface, with their functions: no surface knows another."""
EXTRA_OF = {
    "PIL": "lab",
    "anyio": "mcp",
    "cryptography": "ai",
    "distributed": "lab",
    "fastapi": "web",
    "httptools": "web",
    "jinja2": "web",
    "markdown_it": "web",
    "mcp": "mcp",
    "mcp_types": "mcp",
    "multipart": "web",
    "nh3": "web",
    "prometheus_client": "web",
    "psycopg": "postgres",
    "pydantic": "mcp",
    "pydantic_ai": "ai",
    "segno": "web",
    "starlette": "web",
    "typst": "web",
    "uvicorn": "web",
    "uvloop": "web",
}
"""The extra of the package that installs each module."""
INTERRUPTED = 130
STANDARD_ERROR = 2
"""The number of its file, the highest of the three standard streams."""
WARM_UP_DELAY = 1.0
"""Seconds for a client's handshake, before games are loaded for its first call."""
GC_THRESHOLD = 100_000
"""Garbage collection threshold. It is high because loading modules creates many objects, and nearly all are kept."""


def main() -> None:
    """Run `astragal` and `python -m astragal`."""
    from astragal.surfaces.cli.app import run
    from astragal.surfaces.cli.context import Context

    _open_closed_streams()
    gc.set_threshold(GC_THRESHOLD)
    atexit.register(gc.freeze)  # no collection at exit
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    context = Context(installed_rulesets, store_at, host_of, files=game_files)
    sys.meta_path.append(_MissingExtras())
    code = 0
    try:
        code = run(sys.argv[1:], context, OTHER_SURFACES)
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:  # the reader of a pipe has left: what Python flushes at exit goes nowhere
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.dup2(nowhere, sys.stderr.fileno())
    except KeyboardInterrupt:
        code = INTERRUPTED
    sys.exit(code)


def _open_closed_streams() -> None:
    """Open the null device for each standard stream that the caller closed, as `>&-` does.

    Otherwise the next file to be opened, such as a database, would get the stream's number, and what is printed.
    """
    while (number := os.open(os.devnull, os.O_RDWR)) <= STANDARD_ERROR:
        os.set_inheritable(number, True)
    os.close(number)
    sys.stdin = sys.stdin or open(0, encoding="utf-8")  # noqa: SIM115 - open to the end
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8")  # noqa: SIM115 - open to the end
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8")  # noqa: SIM115 - open to the end


class _MissingExtras:
    """Last import finder: if no other has found a module, raises an error that names the extra to install."""

    def find_spec(self, name: str, *_: object) -> None:
        extra = EXTRA_OF.get(name)
        if extra is not None:
            from astragal.chance.errors import MissingExtra

            raise MissingExtra(extra, f"{name} and what needs it")


def installed_rulesets() -> Mapping[str, Callable[[], Ruleset]]:
    """Return a loader for every installed game, by the name of its entry point."""
    return Installed(RULESETS, {name: f"astragal.rulesets.{name}:{name.upper()}" for name in OURS})


class Installed(Mapping[str, Callable[[], Any]]):
    """Entry points of a group. Ours are known without a search, which would be slow."""

    def __init__(self, group: str, ours: Mapping[str, str]) -> None:
        self._group = group
        self._ours = ours

    @cached_property
    def _found(self) -> dict[str, Callable[[], Any]]:
        """Entry points of other packages. If two have the same name, the one that comes first on the path wins."""
        packages = [package for place in reversed(sys.path) for package in _packages_for(self._group, place)]
        return {
            point.name: point.load for package in packages for point in package.entry_points.select(group=self._group)
        }

    def __getitem__(self, name: str) -> Callable[[], Any]:
        return partial(_loaded, self._ours[name]) if name in self._ours else self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(sorted({*self._ours, *self._found}))

    def __len__(self) -> int:
        return len({*self._ours, *self._found})


def _packages_for(group: str, place: str) -> Iterator[Distribution]:
    """Find other packages in a folder of sys.path, or in an archive there, that name the group.

    Only the metadata of such packages is read: reading that of all installed packages is slow.
    """
    from pathlib import Path

    if Path(place).is_file():
        from importlib.metadata import distributions

        yield from distributions(path=[place])
        return
    for points in Path(place).glob("*.*-info/entry_points.txt"):
        if not points.parent.name.startswith("astragal-") and f"[{group}]".encode() in points.read_bytes():
            from importlib.metadata import Distribution

            yield Distribution.at(points.parent)


def _loaded(place: str) -> Any:
    from importlib import import_module

    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def store_at(url: str | None) -> Store:
    """Open the store at a URL; without one, that of the environment, else the user's own."""
    from astragal.storage import open_store

    return open_store(url)


def host_of(store: Store, rulesets: Iterable[Ruleset]) -> Host:
    """Create the host for the tables of a store, with this machine's clock and randomness."""
    import secrets

    from astragal.table.host import Host

    return Host(store, rulesets, clock=milliseconds, entropy=secrets.token_bytes)


def milliseconds() -> int:
    """Milliseconds since 1970, by this machine's clock."""
    import time

    return time.time_ns() // 1_000_000


Db = Annotated[str | None, Parameter("Where tables are kept: sqlite:///tables.db, or postgresql://…", setting="db")]
GameFiles = Annotated[
    tuple[str, ...], Parameter("A game in a Python file, in addition to those installed; can be repeated.")
]


def serve_mcp(
    *,
    db: Db = None,
    game: GameFiles = (),
    table: Annotated[str | None, Parameter("The one table that the AI sits at, by id or name.")] = None,
    seat: Annotated[str | None, Parameter("Its seat there; default: the game master's.")] = None,
    player: Annotated[
        str | None,
        Parameter("The seat of the person at the AI client, who is asked about their own decisions."),
    ] = None,
    co_pilot: Annotated[
        bool, Parameter("The AI sees and proposes; nothing happens before the person confirms it.")
    ] = False,
    open_secrets: Annotated[
        bool, Parameter("Show the AI's secrets in results, although the person can read those in the client.")
    ] = False,
) -> None:
    """Let an AI sit at the table: an MCP server over standard input and output, for an AI client to start.

    astragal mcp                              the AI opens tables, or takes AI seats
    astragal mcp --table "The Cliff" --seat AI   it sits there and nowhere else
    """
    import time

    from astragal.background import start_daemon
    from astragal.surfaces.mcp.server import Rate, bound_place, build_server, serve_stdio
    from astragal.surfaces.shared.context import AppContext

    store = store_at(db)
    try:
        context = AppContext(host_of(store, all_games(game)), store)
        place = bound_place(context, table, seat, player, copilot=co_pilot) if table else None
        server = build_server(context, place=place, open_secrets=open_secrets, pace=Rate(time.monotonic))

        def warm_up() -> None:
            time.sleep(WARM_UP_DELAY)
            _load(context.host)

        start_daemon(warm_up, "astragal-warm-up")
        serve_stdio(server)
    finally:
        store.close()


def serve_web(
    *,
    db: Db = None,
    game: GameFiles = (),
    port: Annotated[
        int | None, Parameter("Listen on this port and no other; default: 8000, or the next free one.", setting="port")
    ] = None,
    lan: Annotated[
        bool, Parameter("Open it to the home network, only under this machine's addresses there.", setting="lan")
    ] = False,
    public: Annotated[str | None, Parameter("The address that browsers see, behind a proxy.", setting="public")] = None,
    listen: Annotated[
        str, Parameter("The address to listen on, where the proxy runs on another machine.", setting="listen")
    ] = "127.0.0.1",
    owner_key: Annotated[
        str | None,
        Parameter("The key in the owner's link; default: a new one at each start.", setting="owner_key", secret=True),
    ] = None,
    metrics: Annotated[
        str | None,
        Parameter("Serve figures for Prometheus at this address, such as 127.0.0.1:9464.", setting="metrics"),
    ] = None,
    workers: Annotated[
        int, Parameter("Processes that share the port and the tables, about one for each core.", setting="workers")
    ] = 1,
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"],
        Parameter("What is logged to stderr; info has a line for each request.", setting="log_level"),
    ] = "warning",
    log_format: Annotated[
        Literal["text", "json"], Parameter("How a line of the log is written.", setting="log_format")
    ] = "text",
    open: Annotated[  # noqa: A002 - the option's name
        bool | None, Parameter("Open the browser; default: where there is a screen and no proxy.")
    ] = None,
) -> None:
    """Serve the web table: for this machine alone, for the home network, or behind a proxy for everybody.

    astragal serve          starts it, and opens your browser as game master
    astragal serve --lan    others in the same network can join, by link or QR code
    astragal serve --public https://play.example/games   behind a proxy
    """
    from astragal.surfaces.cli.errors import BadCall, Declined
    from astragal.surfaces.cli.settings_in_use import settings_in_use
    from astragal.surfaces.web.monitoring import log_to_stderr
    from astragal.surfaces.web.network import NoNetwork, NoPort
    from astragal.surfaces.web.security.auth import BadOwnerKey
    from astragal.surfaces.web.serve import ServeOptions, serve
    from astragal.surfaces.web.settings import BadAddress

    log_to_stderr(log_level, log_format)
    options = ServeOptions(
        port=port,
        lan=lan,
        public=public,
        listen=listen,
        owner_key=owner_key,
        metrics=metrics,
        workers=workers,
        opens_browser=open,
    )

    @contextmanager
    def opened(settings: Settings) -> Iterator[tuple[WebContext, Mapping[str, MountedApp]]]:
        rulesets = all_games(game)
        with closing(store_at(db)) as store:
            yield build_web(store, settings, rulesets)

    sys.stdout.writelines(f"{line}\n" for line in settings_in_use(db))
    sys.stdout.flush()
    try:
        serve(options, opened, sys.stdout)
    except (BadAddress, BadOwnerKey, NoNetwork) as fault:
        raise BadCall(str(fault)) from fault
    except NoPort as fault:
        raise Declined(str(fault)) from fault


def all_games(files: Iterable[str] = ()) -> Iterator[Ruleset]:
    """Return all games: those in these files and in files that the settings name, read now, and the installed ones.

    Installed games are loaded when asked for.
    """
    from astragal.surfaces.cli.context import Context

    games = Context(installed_rulesets, store_at, host_of, files=game_files)
    games.add(files)
    return games.all_games()


def game_files() -> list[str]:
    """Files with games that the settings name."""
    from astragal.surfaces.cli.parser import Settings

    return [text for text in Settings().texts("games") if text]


def build_web(
    store: Store, settings: Settings, rulesets: Iterable[Ruleset] | None = None
) -> tuple[WebContext, Mapping[str, MountedApp]]:
    """Build the web table of a store, and the MCP server beside it at `/mcp`, on one host."""
    import secrets
    import time

    from astragal.surfaces.mcp.agent.seats import LocalAiSeats
    from astragal.surfaces.mcp.agent.settings import own_file
    from astragal.surfaces.mcp.http import Admission, SeatGateway
    from astragal.surfaces.shared.context import AppContext
    from astragal.surfaces.web.context import WebContext
    from astragal.surfaces.web.security.auth import PassAuth
    from astragal.surfaces.web.security.link_key import own_link_key
    from astragal.surfaces.web.webhooks import Webhooks

    host = host_of(store, all_games() if rulesets is None else rulesets)
    _load(host)
    auth = PassAuth(store.passes, clock=milliseconds, entropy=secrets.token_bytes, link_key=own_link_key)

    def admit(token: str) -> Admission | None:
        session = auth.token(token)
        return (
            Admission.of(session.table, session.seat, session.options)
            if session and session.table and session.seat
            else None
        )

    context = WebContext(host, store, auth, settings)

    def addresses() -> tuple[Iterable[str], Iterable[str]]:
        return context.settings.hosts, context.settings.origins  # there are more once the home network is let in

    house = AppContext(host, store)
    context.ai = LocalAiSeats(house, own_file(), milliseconds, context.hub.wake)
    context.webhooks = Webhooks(host, store.jobs, milliseconds)
    mcp = SeatGateway(house, admit, addresses=addresses, clock=time.monotonic)
    return context, {"/mcp": mcp}


def _load(host: Host) -> None:
    """Load the games and NumPy when a server starts, not while the first player waits for a preview."""
    import astragal.chance.lanes  # noqa: F401 - imported for its effect

    _ = host.books
