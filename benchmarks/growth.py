"""How the time for odds grows with the number of dice, against icepool, and how long chains of states take.

Each figure is the processor time of a fresh process without its imports, so that nobody answers from a cache.
"""

from collections.abc import Iterator
from statistics import median

from benchmarks.harness import Mark, benchmark, shown, within
from benchmarks.startup import run

SIZES = (5, 10, 20, 40)
TIMES = 3
DICE = "(4, 6, 8, 10, 12)"

GROWTH = {
    "highest 3 of {n} mixed dice": (
        f"odds(highest(*[Die({DICE}[place % 5]) for place in range({{n}})], keep=3))",
        f"icepool.Pool([icepool.d({DICE}[place % 5]) for place in range({{n}})]).highest(3).sum()",
    ),
    "highest half of {n}d10": (
        "odds(highest({n}, d10, keep=({n} + 1) // 2))",
        "icepool.d10.pool({n}).highest(({n} + 1) // 2).sum()",
    ),
    "sum of {n}d100": ("odds({n} @ d100)", "{n} @ icepool.d100"),
    "longest run of {n}d20": (
        "odds(pool({n}, d20).longest_run())",
        "icepool.d20.pool({n}).largest_straight()",
    ),
    "largest set of {n}d20": ("odds(pool({n}, d20).largest_set())", "icepool.d20.pool({n}).largest_count()"),
    "hits of {n}d6": ("odds(hits({n}, d6, at_least=5))", "(icepool.d6 >= 5).pool({n}).sum()"),
}
"""Ours and icepool's."""

RULES = """
from astragal import *
@rule
def race(mine=0, theirs=0, goal=100):
    mine += yield from d6
    if mine >= goal:
        return "d6"
    theirs += yield from d8
    if theirs >= goal:
        return "d8"
    return (yield from race(mine, theirs, goal))
@rule
def rounds(hp):
    hp -= yield from d8
    return 1 if hp <= 0 else 1 + (yield from rounds(hp))
@rule
def duel(mine, theirs):
    if (yield from d20) <= 11:
        theirs -= yield from d6
        if theirs <= 0:
            return "me"
    if (yield from d20) <= 9:
        mine -= yield from d8
        if mine <= 0:
            return "them"
    return (yield from duel(mine, theirs))
@rule
def pig(mine, theirs, turn=0, who="first", goal=20):
    other = "second" if who == "first" else "first"
    if (yield from Offer(who, "roll", (True, False))):
        face = yield from d6
        if face == 1:
            return (yield from pig(theirs, mine, 0, other, goal))
        if mine + turn + face >= goal:
            return who
        return (yield from pig(mine, theirs, turn + face, who, goal))
    return (yield from pig(theirs, mine + turn, 0, other, goal))
"""

STATES = {
    "race of d6 and d8 to 100": ("odds(race())", 1.0),
    "rounds to win 60 hp": ("odds(rounds(60))", 0.5),
    "duel with misses, 30 against 30": ("odds(duel(30, 30))", 1.0),
    "pig to 20 for two": ("advise(pig(0, 0), lambda who: who == 'first', side='first', others=Others.OPPOSE)", 5.0),
    "1000d100": ("odds('1000d100')", 1.0),
    "20d10!kh10": ("odds('20d10!kh10')", 1.0),
}
"""Work, and the seconds that it may take."""


def seconds(setup: str, work: str) -> float:
    """Median of a few processes: the processor time of the work alone."""
    code = f"{setup}\nimport time\nstarted = time.process_time()\n{work}\nprint(time.process_time() - started)"
    return median([float(run("-c", code)) for _ in range(TIMES)])


@benchmark("dice.growth")
def growth() -> Iterator[Mark]:
    for name, (ours, icepools) in GROWTH.items():
        for size in SIZES:
            own_time = seconds("from astragal import *", ours.format(n=size))
            their_time = seconds("import icepool", icepools.format(n=size))
            ratio = own_time / their_time
            detail = f"{shown(own_time)} against {shown(their_time)}"
            yield Mark("dice.growth", name.format(n=size), f"{ratio:.2g} of icepool's", "≤ 1", ratio <= 1, detail)


@benchmark("dice.states")
def states() -> Iterator[Mark]:
    for name, (work, limit) in STATES.items():
        yield within("dice.states", name, seconds(RULES, work), limit)
