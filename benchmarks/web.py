"""Web table: server and load in a process each, on the loopback, SQLite with `synchronous = FULL`."""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.harness import Mark, benchmark, shown, within

PAGE = 120_000
TABLES = "benchmarks.web_table"
Figures = dict[str, Any]


@benchmark("web.click")
def click() -> Iterator[Mark]:
    """Time from a click in one window to its card in another, with six at the table."""
    taken = asked("clicks", 1)["taken"]
    yield within("web.click", "click to card, median", share(taken, 0.5), 0.025, f"{len(taken)} clicks")
    yield within("web.click", "click to card, p95", share(taken, 0.95), 0.060)


@benchmark("web.stalled")
def stalled() -> Iterator[Mark]:
    """A client that never reads, at a busy table."""
    found = asked("stalled", 1, 15, 1)
    before, during = share(found["before"], 0.99), share(found["during"], 0.99)
    detail = f"{shown(before)} before, {shown(during)} beside it"
    yield within("web.stalled", "others' p99 grows by", max(during - before, 0.0), 0.020, detail)
    cut = "cut off, and resumed" if found["cut"] and found["resumed"] else str({**found, "before": 0, "during": 0})
    met = found["cut"] and found["resumed"]
    yield Mark(
        "web.stalled", "whoever never reads is", cut, "cut off, and resumed", met, f"{found['heard']:,} bytes in"
    )


@benchmark("web.page")
def page() -> Iterator[Mark]:
    """The first page of a player, with its picture and everything it links, compressed as it is sent."""
    weights: dict[str, int] = asked("page", 1)["weights"]
    total = sum(weights.values())
    heaviest = ", ".join(f"{path.rpartition('/')[2]} {size / 1e3:.1f} kB" for path, size in _heaviest(weights))
    yield Mark("web.page", "first page", f"{total / 1e3:.1f} kB", f"≤ {PAGE / 1e3:.0f} kB", total <= PAGE, heaviest)


def _heaviest(weights: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(weights.items(), key=lambda one: -one[1])[:4]


def share(taken: Sequence[float], share: float) -> float:
    """Return the quantile of these times."""
    return sorted(taken)[min(int(share * len(taken)), len(taken) - 1)]


def asked(what: str, tables: int, *more: float, program: str = TABLES, seats: int = 6, stored: int = 0) -> Figures:
    """Start a fresh server, and return the figures of the load."""
    with TemporaryDirectory() as folder, served(program, folder, tables, seats, stored) as where:
        return loaded(what, where, *more)


def loaded(what: str, where: str, *more: float) -> Figures:
    """Put the load on a running server; returns its figures. Details go to standard error."""
    done = subprocess.run(  # noqa: S603 - this project's own program
        [sys.executable, "-m", "benchmarks.web_load", what, *map(str, more)],
        input=where,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found: Figures = json.loads(done.stdout)
    return found


@contextmanager
def served(program: str, folder: str, *how: int) -> Iterator[str]:
    """Run a server while it is needed; yields its line about itself."""
    command = [sys.executable, "-m", program, folder, *map(str, how)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:  # noqa: S603 - our own program
        assert server.stdout
        try:
            yield server.stdout.readline()
        finally:
            server.kill()


@benchmark("web.odds")
def odds() -> Iterator[Mark]:
    """Time from a change on a roll's card to its new odds, against a foe whose numbers are hidden."""
    taken = asked("hidden", 1)["taken"]
    yield within("web.odds", "odds against a hidden number, median", share(taken, 0.5), 0.100, f"{len(taken)} changes")
    yield within("web.odds", "odds against a hidden number, the slowest", max(taken), 0.100, "nothing cached yet")
