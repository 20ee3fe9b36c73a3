"""Serve the web table from this machine until it is stopped, and print its address."""

import asyncio
import gc
import html
import io
import os
import signal
import socket
import sys
import tempfile
import webbrowser
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from time import monotonic
from types import FrameType
from typing import Any, Never, TextIO

import segno
import uvicorn
from fastapi import FastAPI
from msgspec import Struct

from astragal.surfaces.web import connections, network, workers
from astragal.surfaces.web.app import MountedApp, create_app
from astragal.surfaces.web.context import WebContext
from astragal.surfaces.web.live.hub import Hub
from astragal.surfaces.web.security.auth import digest
from astragal.surfaces.web.settings import BadAddress, Settings
from astragal.table.log.store import PassKind

TICKS = 10
"""Calls of `on_tick` a second, by uvicorn."""
MOST_NEW = 100_000
"""New objects after which the youngest generation of garbage is collected. Python's own number is 700: while tables are
played, that would stop all threads again and again for a tenth of a second, and find nothing."""
BETWEEN_COLLECTIONS = 1000
"""The pause after a collection, as a multiple of the time that it took."""
COLLECT_ALL_EVERY = 3600 * TICKS
"""Ticks between two collections of all garbage."""
SWITCH_SECONDS = 0.0005
"""Thread switch interval: how long a thread that draws pages keeps the one waiting that answers requests. Python's own
is 5 ms, and answering one request would take several of these waits."""
MOST_WORKERS = 32
SNAPS = Path("/snap")
SHUTDOWN_SECONDS = 2
"""Seconds for open streams to end at shutdown."""


class ServeOptions(Struct, frozen=True):
    """Options of `astragal serve`."""

    port: int | None = None
    """This port only; by default 8000 or the next that is free."""
    lan: bool = False
    public: str | None = None
    listen: str = network.THIS_MACHINE
    """The address to listen on, for a proxy on another machine."""
    owner_key: str | None = None
    """The key in the owner's link; by default a new one, which ends with the program."""
    metrics: str | None = None
    """Address of the metrics for Prometheus, as `host:port`. Each further worker uses the next port."""
    workers: int = 1
    """Processes that serve the port."""
    opens_browser: bool | None = None
    """None, the default, means: if there is a display and the table is not public."""


Opened = Callable[[Settings], AbstractContextManager[tuple[WebContext, Mapping[str, MountedApp]]]]
"""Opens the tables for one process, with everything else that it serves."""


def serve(options: ServeOptions, opened: Opened, out: TextIO) -> None:
    """Serve until interrupted. The tables are opened once the port is known, and by each worker for itself."""
    if options.lan and options.public:
        raise BadAddress("Use --lan or --public, not both.")
    if not 1 <= options.workers <= MOST_WORKERS or (options.workers > 1 and not hasattr(os, "fork")):
        raise BadAddress(f"There can be 1 to {MOST_WORKERS} workers, and on Windows one.")
    lan = network.lan_addresses() if options.lan else []
    if options.lan and not lan:
        raise network.NoNetwork("This machine seems to have no network. Without --lan it serves only itself.")
    with ExitStack() as stack, ExitStack() as tables:
        sockets, port = network.listening([options.listen, *lan], options.port)
        for listener in sockets:
            stack.enter_context(listener)
        settings = Settings.public(options.public, port) if options.public else Settings.local(port, lan)
        context, mounts = tables.enter_context(opened(settings))
        key = _owner_key(options, context) or context.auth.issue(PassKind.OWNER_LINK)
        for number in range(options.workers):
            with _metrics(options, context, number):
                pass  # fail here if their port is taken, before anything is announced
        link_file = stack.enter_context(owner_link_file(options, owner_link(settings.address, key), out))
        announcement = _announced(settings, key, lan, options, port, link_file=link_file)
        out.writelines(f"{line}\n" for line in announcement)
        out.flush()
        if options.opens_browser or (options.opens_browser is None and not options.public and _has_a_screen(out)):
            stack.callback(open_in_browser(owner_link(_own_address(settings, port), key)))
        try:
            if options.workers > 1:
                tables.close()  # processes can't share a connection to a database
                serve_by_workers(options, opened, settings, sockets)
                context, _ = tables.enter_context(opened(settings))
            else:
                server = TableServer(create_app(context, mounts), context.hub, settings)
                if not settings.is_shared and not options.public:
                    context.open_lan = lambda: server.open_lan(port)
                with _metrics(options, context):
                    server.serve_until_stopped(sockets)
        finally:
            if not options.owner_key:
                context.auth.passes.revoke(digest(key), context.auth.clock())
    out.write("\nStopped. Everything is saved.\n")


def serve_by_workers(options: ServeOptions, opened: Opened, settings: Settings, sockets: list[socket.socket]) -> None:
    """Serve from several processes until this one is told to stop."""
    boxes = workers.mailboxes(options.workers)
    shares = workers.Shares(options.workers)

    def work(number: int) -> None:
        siblings = workers.Siblings(number, boxes, shares)
        with opened(settings) as (context, mounts), _metrics(options, context, number):
            _owner_key(options, context)
            if context.store.changes() is not None:  # it has to be polled, and can't say which table
                context.host.watch(siblings.tell_changed)
            TableServer(create_app(context, mounts), context.hub, settings, siblings).serve_until_stopped(sockets)

    workers.supervise(options.workers, work)


def _owner_key(options: ServeOptions, context: WebContext) -> str | None:
    if not options.owner_key:
        return None
    return context.auth.take_owner_key(options.owner_key)


def _metrics(options: ServeOptions, context: WebContext, number: int = 0) -> AbstractContextManager[None]:
    if not options.metrics:
        return nullcontext()
    return context.metrics.served_at(options.metrics, number)


def owner_link(address: str, key: str) -> str:
    """The owner's link. Its secret is in the fragment, which browsers don't send: it is in no log."""
    return f"{address}/#key={key}"


def open_in_browser(link: str) -> Callable[[], None]:
    """Open a link with a secret in the browser. Return a function that cleans up afterwards.

    The browser opens a file that redirects there and that only this user can read, because everybody on this machine
    can see a program's arguments in the list of processes. Browsers in a snap see nothing outside the home folder.
    """
    folder = Path.home() if SNAPS.is_dir() else None
    redirect = f'<!doctype html><meta http-equiv="refresh" content="0; url={html.escape(link)}">'
    file = private_file(redirect, "astragal-sign-in-", ".html", folder)
    webbrowser.open(file.as_uri())
    return lambda: file.unlink(missing_ok=True)


@contextmanager
def owner_link_file(options: ServeOptions, link: str, out: TextIO) -> Iterator[Path | None]:
    """Keep the owner's link in a file that only this user can read, unless it is printed in a terminal or is known.

    What is printed elsewhere may stay in a log.
    """
    if options.owner_key or out.isatty():
        yield None
        return
    file = private_file(link, "astragal-owner-link-", ".txt")
    try:
        yield file
    finally:
        file.unlink(missing_ok=True)


def private_file(text: str, prefix: str, suffix: str, folder: Path | None = None) -> Path:
    """Write a new file that only this user can read; by default in the folder for temporary files."""
    descriptor, name = tempfile.mkstemp(prefix=prefix, suffix=suffix, dir=folder)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(f"{text}\n")
    return Path(name)


def _announced(
    settings: Settings, key: str, lan: Sequence[str], options: ServeOptions, port: int, *, link_file: Path | None
) -> Iterator[str]:
    """Yield what is printed at the start. The owner's link itself is printed in a terminal only, not into a log."""
    if options.port is None and port != network.USUAL_PORT:
        yield f"Port {network.USUAL_PORT} is in use, so another one was chosen."
    yield f"Your tables are at {settings.address}/"
    if options.owner_key:
        yield f"A browser becomes their owner's at {owner_link(settings.address, 'KEY')} with the key that was set."
    elif link_file is None:
        yield "This link signs a browser in as their owner, until this program ends:"
        yield ""
        yield f"    {owner_link(settings.address, key)}"
        yield ""
    else:
        yield f"The link that signs a browser in as their owner is in {link_file}, until this program ends."
    if lan:
        qr_code = io.StringIO()
        segno.make(f"{settings.address}/").terminal(qr_code, compact=True)
        yield "Others in your network can reach the tables here. For a seat they need a link from you:"
        yield qr_code.getvalue()
    yield "Press Ctrl-C to stop."


def _own_address(settings: Settings, port: int) -> str:
    """The loopback address, which no firewall blocks."""
    if settings.secure:
        return settings.address
    return f"http://{network.THIS_MACHINE}:{port}{settings.path}"


def _has_a_screen(out: TextIO) -> bool:
    """Return whether there is a display for a browser, and a terminal that someone watches."""
    if not out.isatty():
        return False
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


class TableServer(uvicorn.Server):
    """The HTTP server, which can be opened to the home network while it runs."""

    def __init__(self, app: FastAPI, hub: Hub, settings: Settings, siblings: workers.Siblings | None = None) -> None:
        self._hub = hub
        self._siblings = siblings
        self._parent = os.getppid()
        self._adopted: set[asyncio.Task[None]] = set()
        self._next_collection = 0.0
        self._connections = connections.Connections(
            settings.limits, files=connections.raise_file_limit(), by_address=not settings.proxied
        )
        super().__init__(
            uvicorn.Config(
                app,
                log_config=None,  # `log_to_stderr` has configured it
                http=partial(connections.LimitedProtocol, self._connections),  # type: ignore[arg-type]
                access_log=False,
                server_header=False,
                ws="none",
                proxy_headers=settings.proxied,
                timeout_graceful_shutdown=SHUTDOWN_SECONDS,
            )
        )

    def serve_until_stopped(self, sockets: list[socket.socket]) -> None:
        """Run until Ctrl-C or SIGTERM."""
        signal.signal(signal.SIGTERM, _interrupt)
        with suppress(KeyboardInterrupt):  # the server has shut down cleanly by then
            tune_interpreter()
            self.run(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._loop = asyncio.get_running_loop()
        self._loop.set_exception_handler(self._connections.on_loop_error)
        if self._siblings is not None:
            self._connections.hand_over = self._siblings.hand_over
            self._siblings.listen(self._adopt, self._hub.wake)
            self._hub.let_go = self._siblings.let_go

    async def on_tick(self, counter: int) -> bool:
        if self._siblings is not None and os.getppid() != self._parent:  # the supervisor is gone
            self.should_exit = True
        begun_at = monotonic()
        collects_all = counter % COLLECT_ALL_EVERY == 0
        collects_newest = gc.get_count()[0] > MOST_NEW and begun_at >= self._next_collection
        if collects_all or collects_newest:
            gc.collect(2 if collects_all else 0)
            self._next_collection = begun_at + BETWEEN_COLLECTIONS * (monotonic() - begun_at)
        return await super().on_tick(counter)

    def _adopt(self, connection: socket.socket, read: bytes) -> None:
        """Serve a connection that another worker has accepted, starting with the data that it read."""

        async def adopted() -> None:
            connection.setblocking(False)
            with suppress(OSError):  # they hung up
                await self._loop.connect_accepted_socket(lambda: self._protocol(read=read), connection)

        task = self._loop.create_task(adopted())
        self._adopted.add(task)
        task.add_done_callback(self._adopted.discard)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._hub.end_streams()
        await super().shutdown(sockets)

    def open_lan(self, port: int) -> Settings:
        """Listen at the addresses of the home network, too. Called from the thread of a route."""
        addresses = network.lan_addresses()
        if not addresses:
            raise network.NoNetwork("This computer seems to have no network that others could reach it by.")
        sockets, _ = network.listening(addresses, port)
        asyncio.run_coroutine_threadsafe(self._listen(sockets), self._loop).result()
        return Settings.local(port, addresses)

    async def _listen(self, sockets: list[socket.socket]) -> None:
        self.servers += [await self._loop.create_server(self._protocol, sock=listener) for listener in sockets]

    def _protocol(self, **options: Any) -> asyncio.Protocol:
        """Create the protocol of a connection, as uvicorn does for the sockets that it starts with."""
        protocol: asyncio.Protocol = self.config.http_protocol_class(  # type: ignore[call-arg]
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state, **options
        )
        return protocol


def _interrupt(_signal: int, _frame: FrameType | None) -> Never:
    raise KeyboardInterrupt


def tune_interpreter() -> None:
    """Avoid pauses: no thread keeps the GIL for long, and garbage collection skips everything loaded so far."""
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.collect()
    gc.freeze()
    gc.disable()  # `on_tick` collects
