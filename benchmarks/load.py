"""Load: 1,200 streams at 200 tables and commands at a rate, as ratios to a bare ASGI echo with the same streams.

`./run bench load --minutes 10 --tables 200 --rate 300`; without these, a short form. Processor time for each command is
the figure that a busy machine leaves alone. The generator shares the machine.
"""

from collections.abc import Iterator
from os import getloadavg
from typing import Any

from benchmarks.harness import Mark, benchmark, options, shown, within
from benchmarks.web import asked, share

SEATS = 6
MINUTES, TABLES, RATE = 0.5, 50, 50
"""The short form."""
BURST_SECONDS, DRAINED = 10, 5.0


@benchmark("load.steady")
def steady() -> Iterator[Mark]:
    """Six at each table listen, and somebody acts so many times a second."""
    tables, rate = int(options.get("tables", TABLES)), options.get("rate", RATE)
    seconds = 60 * options.get("minutes", MINUTES)
    echo = asked("load", tables, rate, min(seconds, 30), program="benchmarks._echo")
    found = asked("load", tables, rate, seconds)
    yield from _marks("load.steady", f"{found['streams']} streams, {tables} tables, {rate:g}/s", found, echo)


@benchmark("load.burst")
def burst() -> Iterator[Mark]:
    """Twice as many for a short while, and how long it takes until all is told."""
    tables, rate = int(options.get("tables", TABLES)), 2 * options.get("rate", RATE)
    found = asked("load", tables, rate, BURST_SECONDS)
    name = f"{found['streams']} streams, {rate:g}/s for {BURST_SECONDS} s, all told after"
    yield within("load.burst", name, max(found["drained"], 0.0), DRAINED, _detail(found))


@benchmark("load.one_table")
def one_table() -> Iterator[Mark]:
    """Thirty at one table."""
    rate, seconds = options.get("rate", RATE), min(60 * options.get("minutes", MINUTES), 60)
    echo = asked("load", 1, rate, min(seconds, 30), program="benchmarks._echo", seats=30)
    found = asked("load", 1, rate, seconds, seats=30)
    yield from _marks("load.one_table", f"one table, {found['streams']} viewers, {rate:g}/s", found, echo)


@benchmark("load.idle")
def idle() -> Iterator[Mark]:
    """Streams at which nothing happens."""
    tables = int(options.get("tables", TABLES))
    found = asked("idle", tables, 2)
    name = f"{found['streams']} idle streams, {tables} tables"
    detail = f"connected in {shown(found['connected'])}; load of the machine {getloadavg()[0]:.1f}"
    yield Mark("load.idle", f"{name}, memory", f"{found['memory'] / 1e6:.0f} MB", "≤ 600 MB", found["memory"] <= 6e8)
    yield within("load.idle", f"{name}, the owner's page", found["home"], 0.200, detail)


def _marks(benchmark_name: str, name: str, found: dict[str, Any], echo: dict[str, Any]) -> Iterator[Mark]:
    given, errors = found["acknowledged"], found["errors"]
    p99 = share(given, 0.99)
    yield within(benchmark_name, f"{name}, acknowledged p99", p99, 0.100, _detail(found))
    yield Mark(benchmark_name, f"{name}, errors", str(len(errors)), "0", not errors, "; ".join(errors[:3]))
    ours, bare = (1e3 * one["processor"] / len(one["acknowledged"]) for one in (found, echo))
    detail = f"{ours:.2f} ms against {bare:.2f}; p99 {shown(p99)} against {shown(share(echo['acknowledged'], 0.99))}"
    yield Mark(benchmark_name, f"{name}, processor time a command", f"{ours / bare:.2g} × echo", detail=detail)


def _detail(found: dict[str, Any]) -> str:
    given, seen = found["acknowledged"], found["seen"]
    return (
        f"p50 {shown(share(given, 0.5))}; in others' windows p50 {shown(share(seen, 0.5))}, "
        f"p99 {shown(share(seen, 0.99))}; {found['lost']} streams lost; {found['memory'] / 1e6:.0f} MB; "
        f"load of the machine {getloadavg()[0]:.1f}"
    )
