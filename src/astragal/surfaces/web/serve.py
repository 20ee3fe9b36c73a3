"""Serves the web table from this machine until somebody ends it, and says where it is."""

from __future__ import annotations

import gc
import io
import os
import signal
import socket
import sys
import webbrowser
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from types import FrameType
from typing import Never, TextIO

import segno
import uvicorn
from fastapi import FastAPI

from astragal.surfaces.web.app import MountedApp, create_app
from astragal.surfaces.web.context import WebContext
from astragal.surfaces.web.network import THIS_MACHINE, USUAL_PORT, lan_addresses, listening
from astragal.surfaces.web.security.auth import digest
from astragal.surfaces.web.settings import BadAddress, Settings
from astragal.table.log.passes import PassKind

GC_THRESHOLDS = (5_000, 20, 100)
"""Often among what is young, which is quick, and seldom among everything, which all who play would feel."""
SHUTDOWN_SECONDS = 2
"""Seconds for open streams to end before they are cut."""


class NoNetwork(Exception):
    """This machine is in no network that others could reach it by."""


@dataclass(frozen=True)
class ServeOptions:
    """How it is to be served."""

    port: int | None = None
    """This one and no other; unsaid, the usual one, or the next that is free."""
    lan: bool = False
    public: str | None = None
    listen: str = THIS_MACHINE
    """The address to listen on, where a proxy does not call from this machine."""
    opens_browser: bool | None = None
    """Unsaid, it does where it can, unless the table is public."""


def serve(
    options: ServeOptions, make_context: Callable[[Settings], tuple[WebContext, Mapping[str, MountedApp]]], out: TextIO
) -> None:
    """Serve until interrupted. `make_context` makes the context once it is known where it stands."""
    if options.lan and options.public:
        raise BadAddress(
            "The table is open to the home network or stands behind a proxy: say --lan or --public, not both."
        )
    lan = lan_addresses() if options.lan else []
    if options.lan and not lan:
        raise NoNetwork("This machine seems to be in no network; without --lan it serves itself alone.")
    with ExitStack() as stack:
        sockets, port = listening([options.listen, *lan], options.port)
        for one in sockets:
            stack.enter_context(one)
        settings = Settings.public(options.public, port) if options.public else Settings.local(port, lan)
        context, mounts = make_context(settings)
        key = context.auth.issue(PassKind.OWNER_LINK)
        stack.callback(lambda: context.auth.passes.revoke(digest(key), context.auth.clock()))
        out.writelines(
            f"{line}\n" for line in _announced(settings, key, lan, moved=options.port is None and port != USUAL_PORT)
        )
        out.flush()
        if options.opens_browser or (options.opens_browser is None and not options.public and _has_a_screen(out)):
            webbrowser.open(owner_link(_own_address(settings, port), key))
        _run(create_app(context, mounts), sockets, proxied=bool(options.public))
    out.write("\nThe tables are closed. Everything is kept.\n")


def owner_link(address: str, key: str) -> str:
    """The secret is behind the #, which browsers keep to themselves: it is in no log on the way."""
    return f"{address}/#key={key}"


def _announced(settings: Settings, key: str, lan: Sequence[str], *, moved: bool) -> Iterator[str]:
    if moved:
        yield f"Port {USUAL_PORT} is taken, so it is another one."
    yield f"Your tables are at {settings.address}/"
    yield "You are their owner. This link makes a browser yours, until this program ends:"
    yield ""
    yield f"    {owner_link(settings.address, key)}"
    yield ""
    if lan:
        drawn = io.StringIO()
        segno.make(f"{settings.address}/").terminal(drawn, compact=True)
        yield "Others in your network find the tables here; for a seat they need a link from you:"
        yield drawn.getvalue()
    yield "Ctrl-C ends it."


def _own_address(settings: Settings, port: int) -> str:
    """This machine's own name for it, which no firewall is in the way of."""
    if settings.secure:
        return settings.address
    return f"http://{THIS_MACHINE}:{port}{settings.path}"


def _has_a_screen(out: TextIO) -> bool:
    """A browser would have something to open on, and somebody watches."""
    shows = sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return shows and out.isatty()


def _run(app: FastAPI, sockets: list[socket.socket], *, proxied: bool) -> None:
    """Until Ctrl-C, or whatever else asks the program to end."""
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="none",
        proxy_headers=proxied,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )
    signal.signal(signal.SIGTERM, _interrupt)
    with suppress(KeyboardInterrupt):  # the server has ended decently by then
        tune_garbage_collection()
        uvicorn.Server(config).run(sockets)


def _interrupt(_signal: int, _frame: FrameType | None) -> Never:
    raise KeyboardInterrupt


def tune_garbage_collection() -> None:
    """What is loaded by now stays to the end: it is looked through for garbage once, and not while people play."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
