"""Load: streams at tables and commands at a rate, as ratios to a bare ASGI echo with the same streams.

`./run bench load --minutes 10 --tables 200 --rate 300` is the long form, with 1,200 streams; without these numbers it
is short. Each part starts its own server, reports its progress on standard error, and ends by itself. Processor time
for each command is the figure that a busy machine changes least. The load generator shares the machine.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from os import getloadavg
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.harness import Mark, benchmark, options, shown, skipped, within
from benchmarks.web import TABLES, Figures, asked, loaded, served, share

SEATS = 6
SHORT = {"minutes": 0.2, "tables": 10, "rate": 10}
STREAMS_EACH = 12
"""Idle streams at each seat, the most it may have. 42 tables have 3,024."""
STORED = 40
"""Stored tables for each table with listeners."""
DRAINED = 5.0
NEVER_READ = 20


def _asked_for(name: str) -> float:
    return options.get(name, SHORT[name])


@benchmark("load.steady")
def steady() -> Iterator[Mark]:
    """Six listeners at each table, and commands at a steady rate."""
    tables, rate, seconds = int(_asked_for("tables")), _asked_for("rate"), 60 * _asked_for("minutes")
    echo = asked("load", tables, rate, min(seconds, 30), program="benchmarks._echo")
    found = asked("load", tables, rate, seconds)
    yield from _marks("load.steady", f"{found['streams']} streams, {tables} tables, {rate:g}/s", found, echo)


@benchmark("load.burst")
def burst() -> Iterator[Mark]:
    """Twice the rate for a short while, with two workers, and the time until all is delivered."""
    tables, rate, seconds = int(_asked_for("tables")), 2 * _asked_for("rate"), min(60 * _asked_for("minutes"), 60)
    with TemporaryDirectory() as folder, served(TABLES, folder, tables, SEATS, 0, 0, 2) as where:
        found = loaded("load", where, rate, seconds)
    name = f"{found['streams']} streams, {rate:g}/s for {seconds:g} s, all told after"
    yield within("load.burst", name, max(found["drained"], 0.0), DRAINED, _detail(found))


@benchmark("load.one_table")
def one_table() -> Iterator[Mark]:
    """Thirty people at one table."""
    rate, seconds = min(_asked_for("rate"), 50), min(60 * _asked_for("minutes"), 60)
    echo = asked("load", 1, rate, seconds, program="benchmarks._echo", seats=30)
    found = asked("load", 1, rate, seconds, seats=30)
    yield from _marks("load.one_table", f"one table, {found['streams']} viewers, {rate:g}/s", found, echo)


@benchmark("load.idle")
def idle() -> Iterator[Mark]:
    """Idle streams, beside tables without followers; and how soon such a server starts."""
    tables = min(int(_asked_for("tables")), 3000 // (SEATS * STREAMS_EACH) + 1)
    stored = STORED * tables
    with TemporaryDirectory() as folder:
        with served(TABLES, folder, tables, SEATS, stored) as where:
            found = loaded("idle", where, STREAMS_EACH)
        began = perf_counter()
        with served(TABLES, folder, 0, 0, 0, 0) as again:
            started, processor = perf_counter() - began, json.loads(again)["processor"]
    name = f"{found['streams']:,} idle streams, {stored + tables:,} stored tables"
    detail = f"{shown(found['home_processor'])} of processor time; connected in {shown(found['connected'])}; {_load()}"
    yield Mark("load.idle", f"{name}, memory", f"{found['memory'] / 1e6:.0f} MB", "≤ 600 MB", found["memory"] <= 6e8)
    yield within("load.idle", f"{name}, the owner's page", found["home"], 0.200, detail)
    yield within("load.idle", f"{name}, start", started, 2.0, f"{shown(processor)} of processor time; {_load()}")


@benchmark("load.restart")
def restart() -> Iterator[Mark]:
    """The server is killed and restarted at once: time until everyone has the present state again."""
    tables = int(_asked_for("tables"))
    command = [sys.executable, "-m", "benchmarks.web_load", "restart"]
    with TemporaryDirectory() as folder:
        with served(TABLES, folder, tables, SEATS) as where:
            load = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)  # noqa: S603
            assert load.stdin
            assert load.stdout
            load.stdin.write(where)
            load.stdin.close()
            load.stdout.readline()
        with load, served(TABLES, folder, 0, 0, 0, json.loads(where)["port"]):
            found: Figures = json.loads(load.stdout.readline())
    detail = f"half of them after {shown(share(found['back'], 0.5))}; {_load()}"
    yield within("load.restart", f"{found['streams']} clients back after a kill", max(found["back"]), 10.0, detail)


@benchmark("load.never_read")
def never_read() -> Iterator[Mark]:
    """Clients that never read, at a busy table."""
    found = asked("stalled", 1, 60 * min(_asked_for("minutes"), 0.5), NEVER_READ)
    before, during = share(found["before"], 0.99), share(found["during"], 0.99)
    detail = f"{shown(before)} before, {shown(during)} beside them; {_load()}"
    yield within(
        "load.never_read", f"{NEVER_READ} that never read, others' p99 grows by", during - before, 0.02, detail
    )


@benchmark("load.workers")
def workers() -> Iterator[Mark]:
    """Two workers on one port and one SQLite file, against one worker."""
    tables, rate, seconds = int(_asked_for("tables")), _asked_for("rate"), 60 * min(_asked_for("minutes"), 5)
    found: list[Figures] = []
    for count in (1, 2):
        with TemporaryDirectory() as folder, served(TABLES, folder, tables, SEATS, 0, 0, count) as where:
            found.append(loaded("load", where, rate, seconds))
    one, two = found
    name = f"two workers, {two['streams']} streams, {tables} tables, {rate:g}/s"
    yield within("load.workers", f"{name}, acknowledged p99", share(two["acknowledged"], 0.99), 0.100, _detail(two))
    detail = f"one worker: p99 {shown(share(one['acknowledged'], 0.99))}, {_each(one):.2f} ms a command; {_detail(one)}"
    yield Mark("load.workers", f"{name}, processor time a command", f"{_each(two):.2f} ms", detail=detail)


@benchmark("load.two_processes")
def two_processes() -> Iterator[Mark]:
    """Two processes on one PostgreSQL database, each with half of the seats of every table."""
    try:
        from tests.storage.places import postgres_database, postgres_server
    except ImportError:
        yield skipped("load.two_processes", "PostgreSQL", "it comes with the packages of the tests")
        return
    tables, rate, seconds = int(_asked_for("tables")), _asked_for("rate"), 60 * min(_asked_for("minutes"), 5)
    alone = asked("load", tables, rate, seconds)
    with (
        postgres_server() as server,
        postgres_database(server.get_uri()) as place,
        served(TABLES, place.url, tables, SEATS) as first,
        served(TABLES, place.url, 0, 0, 0, 0) as second,
    ):
        both = loaded("load", json.dumps({**json.loads(first), "others": [json.loads(second)]}) + "\n", rate, seconds)
    name = f"two processes on PostgreSQL, {both['streams']} streams, {rate:g}/s"
    yield Mark(
        "load.two_processes", f"{name}, errors", str(len(both["errors"])), "0", not both["errors"], _detail(both)
    )
    each, one = _each(both), _each(alone)
    detail = f"{each:.2f} ms a command in both, {one:.2f} in one process on SQLite; {_load()}"
    share_of_one = 2 * one / each
    yield Mark(
        "load.two_processes", f"{name}, commands that two cores hold", f"{share_of_one:.2g} × one", detail=detail
    )


def _marks(benchmark_name: str, name: str, found: Figures, echo: Figures) -> Iterator[Mark]:
    given, errors = found["acknowledged"], found["errors"]
    p99 = share(given, 0.99)
    yield within(benchmark_name, f"{name}, acknowledged p99", p99, 0.100, _detail(found))
    yield Mark(benchmark_name, f"{name}, errors", str(len(errors)), "0", not errors, "; ".join(errors[:3]))
    ours, bare = _each(found), _each(echo)
    detail = f"{ours:.2f} ms against {bare:.2f}; p99 {shown(p99)} against {shown(share(echo['acknowledged'], 0.99))}"
    yield Mark(benchmark_name, f"{name}, processor time a command", f"{ours / bare:.2g} × echo", detail=detail)


def _each(found: Figures) -> float:
    """Return milliseconds of processor time for each command."""
    return 1e3 * float(found["processor"]) / len(found["acknowledged"])


def _detail(found: Figures) -> str:
    given, seen = found["acknowledged"], found["seen"]
    generator = 1e3 * float(found["generator"]) / len(given)
    return (
        f"{generator:.2f} ms a command in the generator; "
        f"p50 {shown(share(given, 0.5))}; in others' windows p50 {shown(share(seen, 0.5))}, "
        f"p99 {shown(share(seen, 0.99))}; {found['lost']} streams lost, {found['reloaded']} pages loaded again; "
        f"{found['memory'] / 1e6:.0f} MB; {_load()}"
    )


def _load() -> str:
    return f"load of the machine {getloadavg()[0]:.1f}"
