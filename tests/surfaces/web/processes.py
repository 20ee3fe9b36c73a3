"""Processes that serve the tables of one store, forked from one that has loaded all they need: they start at once."""

from __future__ import annotations

import multiprocessing
from functools import cache
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext, ForkServerProcess

from astragal.surfaces.shared.rate_limit import Pace
from astragal.surfaces.web.network import listening
from astragal.surfaces.web.serve import TableServer
from astragal.surfaces.web.settings import Settings
from tests.patience import LONG
from tests.surfaces.web.open_tables import all_games, opened_web
from tests.table.dare import DARE


class Processes:
    """Some processes on one store; any can be killed, and another takes its place."""

    def __init__(self, url: str, count: int, *, every_game: bool = False) -> None:
        self._given = (url, every_game)
        self._running = [self._started() for _ in range(count)]

    @property
    def ports(self) -> list[int]:
        return [port for _, port in self._running]

    def kill(self, number: int) -> None:
        process, _ = self._running[number]
        process.kill()
        process.join(LONG)
        self._running[number] = self._started()

    def end(self) -> None:
        for process, _ in self._running:
            process.kill()
            process.join(LONG)

    def _started(self) -> tuple[ForkServerProcess, int]:
        heard, saying = _forks().Pipe(duplex=False)
        process = _forks().Process(target=serve_on, args=(saying, *self._given), daemon=True)
        process.start()
        assert heard.poll(LONG), "it does not start"
        return process, int(heard.recv())


@cache
def _forks() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["astragal.storage.postgres", __name__])
    return context


def serve_on(saying: Connection, url: str, every_game: bool = False) -> None:
    """Serve the tables of a store, and say at which port: those of a small game, or of every game there is."""
    sockets, port = listening(["127.0.0.1"], 0)
    settings = Settings(Settings.local(port).origins, f"http://127.0.0.1:{port}", seat_pace=Pace(100_000, 1_000))
    with opened_web(url, settings, games=all_games() if every_game else [DARE]) as web:
        saying.send(port)
        TableServer(web.app, web.context.hub, settings).serve_until_stopped(sockets)
