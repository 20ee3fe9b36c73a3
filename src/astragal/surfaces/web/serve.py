"""Serves the web table from this machine until it is stopped, and prints its address."""

from __future__ import annotations

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
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Never, TextIO

import segno
import uvicorn
from fastapi import FastAPI

from astragal.surfaces.web.app import MountedApp, create_app
from astragal.surfaces.web.connections import Connections, LimitedProtocol, raise_file_limit
from astragal.surfaces.web.context import WebContext
from astragal.surfaces.web.live.hub import Hub
from astragal.surfaces.web.network import THIS_MACHINE, USUAL_PORT, NoNetwork, lan_addresses, listening
from astragal.surfaces.web.security.auth import digest
from astragal.surfaces.web.settings import BadAddress, Settings
from astragal.table.log.store import PassKind

GC_THRESHOLDS = (5_000, 20, 100)
"""Garbage collection thresholds: young objects often, which is quick; all objects seldom, which players would feel."""
SNAPS = Path("/snap")
SHUTDOWN_SECONDS = 2
"""Seconds for open streams to end at shutdown."""


@dataclass(frozen=True)
class ServeOptions:
    """Options of `astragal serve`."""

    port: int | None = None
    """This port only; by default 8000 or the next that is free."""
    lan: bool = False
    public: str | None = None
    listen: str = THIS_MACHINE
    """The address to listen on, where a proxy does not call from this machine."""
    owner_key: str | None = None
    """The key in the owner's link; by default a new one, which ends with the program."""
    metrics: str | None = None
    """Where figures for Prometheus are served, as `host:port`."""
    opens_browser: bool | None = None
    """By default, if there is a display and the table is not public."""


def serve(
    options: ServeOptions, make_context: Callable[[Settings], tuple[WebContext, Mapping[str, MountedApp]]], out: TextIO
) -> None:
    """Serve until interrupted. `make_context` is called once the port is known."""
    if options.lan and options.public:
        raise BadAddress("Use --lan or --public, not both.")
    lan = lan_addresses() if options.lan else []
    if options.lan and not lan:
        raise NoNetwork("This machine seems to have no network. Without --lan it serves only itself.")
    with ExitStack() as stack:
        sockets, port = listening([options.listen, *lan], options.port)
        for one in sockets:
            stack.enter_context(one)
        settings = Settings.public(options.public, port) if options.public else Settings.local(port, lan)
        context, mounts = make_context(settings)
        if options.owner_key:
            key = context.auth.take_owner_key(options.owner_key)
        else:
            key = context.auth.issue(PassKind.OWNER_LINK)
            stack.callback(lambda: context.auth.passes.revoke(digest(key), context.auth.clock()))
        if options.metrics:
            stack.enter_context(context.metrics.served_at(options.metrics))
        out.writelines(f"{line}\n" for line in _announced(settings, key, lan, options, port))
        out.flush()
        if options.opens_browser or (options.opens_browser is None and not options.public and _has_a_screen(out)):
            stack.callback(open_in_browser(owner_link(_own_address(settings, port), key)))
        server = TableServer(create_app(context, mounts), context.hub, settings)
        if not settings.is_shared and not options.public:
            context.open_lan = lambda: server.open_lan(port)
        server.serve_until_stopped(sockets)
    out.write("\nStopped. Everything is saved.\n")


def owner_link(address: str, key: str) -> str:
    """The owner's link. Its secret is in the fragment, which browsers don't send: it is in no log."""
    return f"{address}/#key={key}"


def open_in_browser(link: str) -> Callable[[], None]:
    """Open a link with a secret in the browser; returns what clears up afterwards.

    The browser is given a file that leads there, which only this user can read: what a program is started with stands
    in the list of processes, for everybody on this machine. Browsers in a snap see nothing outside the home folder.
    """
    folder = Path.home() if SNAPS.is_dir() else None
    descriptor, name = tempfile.mkstemp(prefix="astragal-sign-in-", suffix=".html", dir=folder)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(f'<!doctype html><meta http-equiv="refresh" content="0; url={html.escape(link)}">\n')
    webbrowser.open(Path(name).as_uri())
    return lambda: Path(name).unlink(missing_ok=True)


def _announced(settings: Settings, key: str, lan: Sequence[str], options: ServeOptions, port: int) -> Iterator[str]:
    if options.port is None and port != USUAL_PORT:
        yield f"Port {USUAL_PORT} is in use, so another one was chosen."
    yield f"Your tables are at {settings.address}/"
    if options.owner_key:
        yield f"A browser becomes their owner's at {owner_link(settings.address, 'KEY')} with the key that was set."
    else:
        yield "This link signs a browser in as their owner, until this program ends:"
        yield ""
        yield f"    {owner_link(settings.address, key)}"
        yield ""
    if lan:
        drawn = io.StringIO()
        segno.make(f"{settings.address}/").terminal(drawn, compact=True)
        yield "Others in your network can reach the tables here. For a seat they need a link from you:"
        yield drawn.getvalue()
    yield "Press Ctrl-C to stop."


def _own_address(settings: Settings, port: int) -> str:
    """The loopback address, which no firewall blocks."""
    if settings.secure:
        return settings.address
    return f"http://{THIS_MACHINE}:{port}{settings.path}"


def _has_a_screen(out: TextIO) -> bool:
    """Is there a display for a browser, and a terminal that somebody watches?"""
    shows = sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return shows and out.isatty()


class TableServer(uvicorn.Server):
    """The HTTP server, which can be opened to the home network while it runs."""

    def __init__(self, app: FastAPI, hub: Hub, settings: Settings) -> None:
        self._hub = hub
        self._connections = Connections(settings.limits, files=raise_file_limit(), by_address=not settings.proxied)
        super().__init__(
            uvicorn.Config(
                app,
                log_config=None,  # `log_to_stderr` has said where it goes
                http=partial(LimitedProtocol, self._connections),  # type: ignore[arg-type]
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
        with suppress(KeyboardInterrupt):  # the server has ended decently by then
            tune_garbage_collection()
            self.run(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._loop = asyncio.get_running_loop()
        self._loop.set_exception_handler(self._connections.on_loop_error)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._hub.end_streams()
        await super().shutdown(sockets)

    def open_lan(self, port: int) -> Settings:
        """Listen at the addresses of the home network, too. Called from the thread of a route."""
        addresses = lan_addresses()
        if not addresses:
            raise NoNetwork("This computer seems to have no network that others could reach it by.")
        sockets, _ = listening(addresses, port)
        asyncio.run_coroutine_threadsafe(self._listen(sockets), self._loop).result()
        return Settings.local(port, addresses)

    async def _listen(self, sockets: list[socket.socket]) -> None:
        self.servers += [await self._loop.create_server(self._protocol, sock=one) for one in sockets]

    def _protocol(self) -> asyncio.Protocol:
        """The protocol of a connection, made as uvicorn makes it for the sockets that it starts with."""
        made: asyncio.Protocol = self.config.http_protocol_class(  # type: ignore[call-arg]
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )
        return made


def _interrupt(_signal: int, _frame: FrameType | None) -> Never:
    raise KeyboardInterrupt


def tune_garbage_collection() -> None:
    """Freeze what is loaded at start-up, so that garbage collection doesn't pause the game to look through it."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
