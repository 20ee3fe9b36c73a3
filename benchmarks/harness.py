"""Benchmark harness: warm medians of contenders that take turns, marks with targets, and their output."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from time import perf_counter, process_time
from typing import Any

Work = Callable[[], Any]
Times = dict[str, float]
"""Seconds, by contender."""

OURS = "astragal"
PATIENCE = 3.0
"""Seconds for one comparison, all contenders together."""
FEWEST, MOST = 3, 300


@dataclass(frozen=True, slots=True)
class Mark:
    """A figure with its target. `met` is None where there is no target, or nothing could be measured."""

    benchmark: str
    name: str
    figure: str
    target: str = ""
    met: bool | None = None
    detail: str = ""


options: dict[str, float] = {}
"""Options of the command line for how long and how much is measured: minutes, tables, rate."""
Benchmark = Callable[[], Iterable[Mark]]
registered: dict[str, Benchmark] = {}


def benchmark(name: str) -> Callable[[Benchmark], Benchmark]:
    """Register a function that measures and yields its marks, under a name such as `chance.hits`."""

    def register(measure: Benchmark) -> Benchmark:
        registered[name] = measure
        return measure

    return register


def chosen(names: Iterable[str]) -> Iterator[tuple[str, Benchmark]]:
    """Yield all benchmarks, or those whose name or its first part was asked for."""
    wanted = set(names)
    for name, measure in registered.items():
        if not wanted or {name, name.split(".")[0]} & wanted:
            yield name, measure


def processor_time() -> float:
    """Clock of processor time, for work that only calculates, here or in programs it starts: other load is ignored."""
    children = getrusage(RUSAGE_CHILDREN)
    return process_time() + children.ru_utime + children.ru_stime


def medians(
    contenders: dict[str, Work], *, before: Work | None = None, clock: Callable[[], float] = perf_counter
) -> Times:
    """Let the contenders take turns, so that load on the machine affects all; the first turn only warms up.

    `before` runs, untimed, ahead of every turn: our caches are emptied there.
    """
    taken: dict[str, list[float]] = {name: [] for name in contenders}
    started = perf_counter()
    for turn in range(MOST + 1):
        for name, work in contenders.items():
            seconds = _timed(work, before, clock)
            if turn:
                taken[name].append(seconds)
        if turn >= FEWEST and perf_counter() - started > PATIENCE:
            break
    return {name: median(seconds) for name, seconds in taken.items()}


def _timed(work: Work, before: Work | None, clock: Callable[[], float]) -> float:
    if before:
        before()
    started = clock()
    work()
    return clock() - started


def faster(benchmark: str, name: str, times: Times, targets: dict[str, float]) -> Iterator[Mark]:
    """Yield one mark for each peer: how many times as fast we are, and whether that is enough."""
    ours = times[OURS]
    for peer, target in targets.items():
        ratio = times[peer] / ours
        detail = f"{shown(ours)} against {shown(times[peer])}"
        yield Mark(benchmark, f"{name}, {peer}", f"{ratio:.3g}×", f"≥ {target:g}×", ratio >= target, detail)


def within(benchmark: str, name: str, seconds: float, limit: float, detail: str = "") -> Mark:
    return Mark(benchmark, name, shown(seconds), f"≤ {shown(limit)}", seconds <= limit, detail)


def skipped(benchmark: str, name: str, why: str) -> Mark:
    return Mark(benchmark, name, "skipped", detail=why)


def shown(seconds: float) -> str:
    return f"{seconds * 1e3:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


def table(marks: list[Mark]) -> str:
    """Format marks for people: one line each."""
    verdicts = {True: "met", False: "missed", None: ""}
    rows = [("benchmark", "mark", "figure", "target", "", "measured")]
    rows += [(it.benchmark, it.name, it.figure, it.target, verdicts[it.met], it.detail) for it in marks]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)


def as_data(marks: list[Mark]) -> list[dict[str, Any]]:
    return [asdict(mark) for mark in marks]
