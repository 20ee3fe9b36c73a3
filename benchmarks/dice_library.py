"""Common uses of a dice library, against icepool and dyce: custom dice, sets, decks, operators, checks, imports.

Contenders must agree before they are timed. icepool caches whole questions. So that no contender answers from a cache,
the faces of a pool or deck differ in each turn.
"""

import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import count
from tempfile import TemporaryDirectory
from typing import Any

import icepool
from dyce import H, P, explode_n

from astragal.chance import (
    Deck,
    Die,
    Odds,
    Rolls,
    d6,
    d20,
    exploding,
    exploding_difference,
    highest,
    hits,
    lowest,
    odds,
    pool,
    rule,
    total,
)
from astragal.chance import odds_grid as grid
from benchmarks.chance import calculated, of_dyce, of_icepool
from benchmarks.harness import OURS, Mark, Work, benchmark, faster, medians, processor_time
from benchmarks.startup import run

warnings.filterwarnings("ignore", message=".*is experimental")

TWICE = {"icepool": 2.0, "dyce": 2.0}
BONUSES, CLASSES = range(13), range(10, 16)
EXPLOSIONS = 3


def compared(name: str, words: str, contenders: Mapping[str, Work], often: int = 1) -> Iterator[Mark]:
    """Time each contender in turn; what is too fast to measure, `often` in a row."""
    works: dict[str, Work] = {peer: partial(repeated, work, often) for peer, work in contenders.items()}
    times = {peer: seconds / often for peer, seconds in calculated(works).items()}
    wanted = {peer: TWICE[peer] for peer in contenders if peer != OURS}
    yield from faster(name, f"{words} ({times[OURS] * 1e3:.2f} ms)", times, wanted)


def repeated(work: Work, often: int) -> None:
    for _ in range(often):
        work()


def fresh(ask: Callable[[int], Any]) -> Work:
    """Ask about different faces in each turn: those from a number on."""
    turns = count(1)
    return lambda: ask(next(turns))


SMALL: dict[str, tuple[str, Work, Work, Work]] = {
    "dice.custom": (
        "4dF",
        lambda: odds(4 @ Die([-1, 0, 1])),
        lambda: 4 @ icepool.Die([-1, 0, 1]),
        lambda: 4 @ H([-1, 0, 1]),
    ),
    "dice.operators": (
        "2d6 + 3 >= 10",
        lambda: odds(2 @ d6 + 3 >= 10),
        lambda: 2 @ icepool.d6 + 3 >= 10,
        lambda: (2 @ H(6) + 3).ge(10),
    ),
    "dice.forty": (
        "sum of 40d6",
        lambda: total(40, d6).odds(),
        lambda: 40 @ icepool.d6,
        lambda: 40 @ H(6),
    ),
    "dice.count": (
        "how many of 40d6 show 5 or more",
        lambda: odds(hits(40, d6, at_least=5)),
        lambda: (icepool.d6 >= 5).pool(40).sum(),
        lambda: 40 @ H(6).ge(5),
    ),
    "dice.drop": (
        "4d6dl1 >= 12",
        lambda: odds(highest(4, d6, keep=3) >= 12),
        lambda: icepool.d6.highest(4, 3) >= 12,
        lambda: (4 @ P(6)).at(slice(-3, None)).ge(12),
    ),
    "dice.explosions": (
        "5d6! >= 20",
        lambda: odds(exploding(5, d6) >= 20),
        lambda: 5 @ icepool.d6.explode(depth=EXPLOSIONS) >= 20,
        lambda: (5 @ explode_n(H(6), n=EXPLOSIONS)).ge(20),
    ),
}
"""Too quick to be measured once: ours, icepool's and dyce's. Explosions are exact here; theirs end past the target."""


@benchmark("dice.small")
def small() -> Iterator[Mark]:
    for name, (words, ours, icepools, dyces) in SMALL.items():
        assert ours() == of_icepool(icepools()) == of_dyce(dyces()), words
        yield from compared(name, words, {OURS: ours, "icepool": icepools, "dyce": dyces}, often=20)


@benchmark("dice.sets")
def sets() -> Iterator[Mark]:
    def ours(first: int) -> Odds[int]:
        return pool(8, Die(range(first, first + 10))).largest_set().odds()

    def icepools(first: int) -> Any:
        return icepool.Die(range(first, first + 10)).pool(8).largest_count()

    def dyces(first: int) -> Any:
        weights: Counter[int] = Counter()
        for faces, weight in (8 @ P(H(range(first, first + 10)))).rolls_with_counts():
            weights[max(Counter(faces).values())] += weight
        return weights

    assert ours(1) == of_icepool(icepools(1)) == Odds(dyces(1), 10**8)
    contenders = {OURS: fresh(ours), "icepool": fresh(icepools), "dyce": fresh(dyces)}
    yield from compared("dice.sets", "largest set of 8d10", contenders)


@benchmark("dice.straights")
def straights() -> Iterator[Mark]:
    def ours(first: int) -> Odds[int]:
        return pool(6, Die(range(first, first + 10))).longest_run().odds()

    def icepools(first: int) -> Any:
        return icepool.Die(range(first, first + 10)).pool(6).largest_straight()

    assert ours(1) == of_icepool(icepools(1))
    yield from compared("dice.straights", "longest run of 6d10", {OURS: fresh(ours), "icepool": fresh(icepools)})


@benchmark("dice.deck")
def deck() -> Iterator[Mark]:
    def ours(first: int) -> Odds[int]:
        return Deck(dict.fromkeys(range(first, first + 13), 4)).deal(5).largest_set().odds()

    def icepools(first: int) -> Any:
        return icepool.Deck(dict.fromkeys(range(first, first + 13), 4)).deal(5).largest_count()

    assert ours(1) == of_icepool(icepools(1))
    yield from compared("dice.deck", "largest set of 5 cards of 52", {OURS: fresh(ours), "icepool": fresh(icepools)})


@benchmark("dice.opposed_explosions")
def opposed_explosions() -> Iterator[Mark]:
    """5×5 pairs of exploding pools: ours exact without an end, the peers' near it."""
    pairs = [(mine, theirs) for mine in range(1, 6) for theirs in range(1, 6)]

    def ours() -> list[Any]:
        return [
            exploding_difference(exploding(mine, d6), exploding(theirs, d6), low=-1, high=1).odds()
            for mine, theirs in pairs
        ]

    def icepools() -> list[Any]:
        die = icepool.d6.explode(depth=EXPLOSIONS)
        return [(mine @ die) > (theirs @ die) for mine, theirs in pairs]

    def dyces() -> list[Any]:
        die = explode_n(H(6), n=EXPLOSIONS)
        return [(mine @ die).gt(theirs @ die) for mine, theirs in pairs]

    for exact, near, other in zip(ours(), icepools(), dyces(), strict=True):
        assert abs(exact.chance(1) - of_icepool(near).chance(True)) < 0.01
        assert abs(exact.chance(1) - of_dyce(other).chance(True)) < 0.01
    yield from compared(
        "dice.opposed_explosions", "5×5 exploding pools opposed", {OURS: ours, "icepool": icepools, "dyce": dyces}
    )


@rule
def check(footing: int, bonus: int, difficulty: int) -> Rolls[bool]:
    """A natural 1 fails and a natural 20 passes."""
    face = yield from (d20 if not footing else highest(2, d20) if footing > 0 else lowest(2, d20))
    return face == 20 or (face > 1 and face + bonus >= difficulty)


@rule
def contest(mine: int, theirs: int) -> Rolls[bool]:
    return (yield from d20) + mine > (yield from d20) + theirs


@benchmark("dice.checks")
def checks() -> Iterator[Mark]:
    """Advantage, straight, disadvantage × 13 modifiers × 6 difficulties, with naturals."""

    def ours() -> list[Any]:
        return list(grid(check, footing=[-1, 0, 1], bonus=BONUSES, difficulty=CLASSES).chances(wanted=True).values())

    def passes(bonus: int, difficulty: int) -> Callable[[int], bool]:
        return lambda face: face == 20 or (face > 1 and face + bonus >= difficulty)

    def icepools() -> list[Any]:
        dice = (icepool.d20.lowest(2), icepool.d20, icepool.d20.highest(2))
        return [die.map(passes(bonus, target)) for die in dice for bonus in BONUSES for target in CLASSES]

    def dyces() -> list[Any]:
        dice = ((2 @ P(20)).at(0), H(20), (2 @ P(20)).at(1))
        return [die.apply(passes(bonus, target)) for die in dice for bonus in BONUSES for target in CLASSES]

    assert ours() == [of_icepool(die).chance(True) for die in icepools()]
    assert ours() == [of_dyce(histogram).chance(True) for histogram in dyces()]
    yield from compared("dice.checks", "234 checks of a d20", {OURS: ours, "icepool": icepools, "dyce": dyces})


@benchmark("dice.contests")
def contests() -> Iterator[Mark]:
    def ours() -> list[Any]:
        return list(grid(contest, mine=BONUSES, theirs=BONUSES).chances(wanted=True).values())

    def icepools() -> list[Any]:
        return [icepool.d20 + mine > icepool.d20 + theirs for mine in BONUSES for theirs in BONUSES]

    def dyces() -> list[Any]:
        return [(H(20) + mine).gt(H(20) + theirs) for mine in BONUSES for theirs in BONUSES]

    assert ours() == [of_icepool(die).chance(True) for die in icepools()]
    assert ours() == [of_dyce(histogram).chance(True) for histogram in dyces()]
    yield from compared("dice.contests", "13×13 contests of d20", {OURS: ours, "icepool": icepools, "dyce": dyces})


@benchmark("dice.import")
def imports() -> Iterator[Mark]:
    programs = {OURS: "from astragal import d6, odds", "icepool": "import icepool", "dyce": "import dyce"}
    programs["bare"] = "pass"
    # Each is compiled once, as in an installation, whatever bytecode this machine keeps.
    with TemporaryDirectory() as compiled:
        keeping = ("-X", f"pycache_prefix={compiled}", "-c", "import sys; sys.dont_write_bytecode = False; ")
        works: dict[str, Work] = {
            name: partial(run, *keeping[:-1], keeping[-1] + code) for name, code in programs.items()
        }
        times = medians(works, clock=processor_time)
    floor = times.pop("bare")
    over = {name: max(seconds - floor, 1e-6) for name, seconds in times.items()}
    yield from faster("dice.import", f"import ({over[OURS] * 1e3:.0f} ms over a bare interpreter)", over, TWICE)
