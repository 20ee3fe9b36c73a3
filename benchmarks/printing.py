"""Printed pages and the palette's index: a sheet in each game's layout, and the chronicle of a long evening."""

import secrets
import time
from collections.abc import Iterator
from tempfile import TemporaryDirectory
from typing import Any

from astragal.storage import open_store
from astragal.surfaces.shared.context import AppContext, SeatView
from astragal.surfaces.shared.printing import chronicle_pdf, sheet_pdf
from astragal.surfaces.shared.recap import chronicle_of
from astragal.table.host import Host
from astragal.table.starter import sample_heroes, start_table, worn
from astragal.wiring import installed_rulesets
from benchmarks.harness import Mark, benchmark, within
from benchmarks.played import Played

EVENTS = 1_000
SHEET, CHRONICLE = 1.0, 2.0
"""Seconds that each may take, including the first time."""


@benchmark("printing.sheet")
def sheets() -> Iterator[Mark]:
    """The first sheet of a process and the next, of every game."""
    with TemporaryDirectory() as folder:
        store = open_store(f"sqlite:///{folder}/tables.db")
        rulesets = [load() for load in installed_rulesets().values()]
        host = Host(store, rulesets, clock=_now, entropy=secrets.token_bytes)
        for ruleset in rulesets:
            skin = worn(ruleset, "")
            heroes = [(0, hero) for hero in list(sample_heroes(ruleset, skin).values())[:1]]
            opened = start_table(
                host, ruleset, name="The Gorge", game_master="Ada", players=["Bo"], heroes=heroes, **skin.given
            )
            view = SeatView(AppContext(host, store), opened.table, opened.seat)
            hero = next(iter(view.state.characters.values()))
            first, made = _timed(lambda view=view, hero=hero: sheet_pdf(view, hero))
            again, _ = _timed(lambda view=view, hero=hero: sheet_pdf(view, hero))
            detail = f"{len(made) // 1024} kB, again {again * 1e3:.0f} ms"
            yield within("printing.sheet", f"a sheet, {ruleset.id}", first, SHEET, detail)
        store.close()


@benchmark("printing.chronicle")
def chronicle() -> Iterator[Mark]:
    """An evening of a thousand events, read from its log, weighed and typeset."""
    with TemporaryDirectory() as folder:
        store = open_store(f"sqlite:///{folder}/tables.db")
        played = Played(store)
        played.give(played.ada, "begin_evening")
        played.give(played.ada, "improvise_scene", title="The rope bridge", hook="Wind howls in the ropes.")
        while _events(played) < EVENTS:
            played.turn(50)()
            played.give(played.ada, "narrate", words="The rope hums, and somebody below calls a name. " * 4)
        view = SeatView(AppContext(played.host, store), played.table, played.bo)
        seconds, made = _timed(lambda: chronicle_pdf(chronicle_of(view)))
        detail = f"{_events(played):,} events, {len(made) // 1024} kB"
        yield within("printing.chronicle", "the chronicle of an evening", seconds, CHRONICLE, detail)
        store.close()


def _events(played: Played) -> int:
    """Number of events that a player has seen."""
    page, found = played.host.follow(played.table, played.bo), 0
    while True:
        found += len(page.events)
        if not page.more:
            return found
        page = played.host.follow(played.table, played.bo, page.cursor)


def _timed(work: Any) -> tuple[float, bytes]:
    started = time.perf_counter()
    made = work()
    return time.perf_counter() - started, made


def _now() -> int:
    return time.time_ns() // 1_000_000
