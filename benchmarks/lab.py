"""Lab: a duel solved, duels simulated, builds looked up. Measured against targets only: no peer answers these."""

from collections.abc import Iterator
from time import perf_counter, process_time

from astragal.lab.duels import Play, duel, solve
from astragal.lab.solving import compiled_turn
from astragal.rulesets.sinew_steel import SINEW_STEEL
from astragal.rulesets.sinew_steel.duel import DUEL, Fighter
from astragal.rulesets.sinew_steel.heroes import HERO_BOOK
from benchmarks.duels import simulate
from benchmarks.harness import Mark, benchmark, medians, within

EVEN = Fighter(stamina=5, luck=10, soak=2, edge=1)
DUELS = 4_000_000


@benchmark("lab.duel")
def duel_solved() -> Iterator[Mark]:
    """Both sides with Stamina 5, Luck 10 and soak 2: values, ways it ends, policy and charts, with cold caches."""
    taken, bounds = [], []
    for _ in range(3):
        compiled_turn.cache_clear()
        started = process_time()
        bounds.append(duel(SINEW_STEEL, EVEN, EVEN).within)
        taken.append(process_time() - started)
    yield within("lab.duel", "best play on both sides, one core", min(taken), 2.0, f"within {max(bounds):.0e}")


@benchmark("lab.simulation")
def duels_played() -> Iterator[Mark]:
    flow = solve(DUEL, SINEW_STEEL.options(), ([EVEN], [EVEN]), (Play.DECLINE, Play.DECLINE)).flow((0.5, 0.5))
    simulate(flow, 100_000, seed=1)
    started, worked = perf_counter(), process_time()
    simulate(flow, DUELS, seed=1, threads=2)
    rate = DUELS / (perf_counter() - started)
    detail = f"{DUELS / (process_time() - worked) / 1e6:.2f} million for each second of one core"
    yield Mark(
        "lab.simulation", "duels a second, two cores", f"{rate / 1e6:.2f} million", "≥ 1 million", rate >= 1e6, detail
    )


@benchmark("lab.hint")
def hint() -> Iterator[Mark]:
    (seconds,) = medians({"hint": lambda: HERO_BOOK.better({"name": "Kira"}, SINEW_STEEL.options())}).values()
    yield within("lab.hint", "a build that leaves points", seconds, 0.05)
