"""Exact odds, against icepool and dyce.

The peers are used as their own documentation shows, and keep their caches between turns. Ours are emptied before each
turn. Contenders must agree before they are timed.
"""

import itertools
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import icepool
from dyce import H, P, expand, explode_n

from astragal.chance import Odds, Rolls, Rule, d6, d20, exploding, highest, hits, odds, rule
from benchmarks.harness import OURS, Mark, Times, Work, benchmark, faster, medians, processor_time
from examples.sinew_and_steel import Clash, Roll, Side

warnings.filterwarnings("ignore", message=".*is experimental")

SCORES = range(6, 17)
PAIRS = tuple(itertools.product(SCORES, SCORES))
POOLS = range(1, 61)
EXPLODING, TARGETS = range(1, 11), range(4, 21)
DEEP_ENOUGH = 3
"""Extra dice that reach past every target: what the peers cut off after them changes no figure asked for."""


def forget() -> None:
    """Empty every cache of ours."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("astragal.", "examples.", "benchmarks.")):
            for it in vars(module).values():
                cached = it._ask if isinstance(it, Rule) else it  # noqa: SLF001 - a cache has no other name
                if hasattr(cached, "cache_clear") and not isinstance(cached, type):
                    cached.cache_clear()


def calculated(contenders: dict[str, Work]) -> Times:
    """Measure the processor time of each, ours with all caches emptied before each turn."""
    return medians(contenders, before=forget, clock=processor_time)


def of_icepool(die: Any) -> Odds[Any]:
    return Odds(dict(die.items()), die.denominator())


def of_dyce(histogram: H[Any]) -> Odds[Any]:
    return Odds(dict(histogram.items()), histogram.total)


# ---------------------------------------------------------------- the 11×11 table of opposed tests, from the rule


def attacker_wins(scores: tuple[int, int], attack: int, defence: int) -> bool:
    """Apply the same rule to the same values, for a peer that hands out faces."""
    attacker, defender = scores
    return Clash(Roll(attacker, attack), Roll(defender, defence)).winner is Side.ATTACKER


@rule
def one_test(score: int) -> Rolls[Roll]:
    return Roll(score, (yield from d20))


@rule
def opposed_tests(attacker: int, defender: int) -> Rolls[Side]:
    """The rule as the peers get it: two scores, and no footing."""
    attack = yield from one_test(attacker)
    defence = yield from one_test(defender)
    return Clash(attack, defence).winner


def our_table() -> list[Odds[Side]]:
    return [odds(opposed_tests(*pair)) for pair in PAIRS]


def icepool_table() -> list[Any]:
    return [icepool.map(lambda a, d, s=scores: attacker_wins(s, a, d), icepool.d20, icepool.d20) for scores in PAIRS]


def dyce_table() -> list[H[Any]]:
    die = H(20)

    def wins(attack: Any, defence: Any, scores: tuple[int, int]) -> bool:
        return attacker_wins(scores, attack.outcome, defence.outcome)

    return [expand(wins, die, die, scores=scores) for scores in PAIRS]


@benchmark("chance.opposed")
def opposed() -> Iterator[Mark]:
    expected = [found.map(lambda side: side is Side.ATTACKER) for found in our_table()]
    assert expected == [of_icepool(die) for die in icepool_table()]
    assert expected == [of_dyce(histogram) for histogram in dyce_table()]
    contenders: dict[str, Work] = {OURS: our_table, "icepool.map": icepool_table, "dyce.expand": dyce_table}
    targets = {peer: 1.0 if peer.startswith("icepool") else 2.0 for peer in contenders if peer != OURS}
    yield from faster("chance.opposed", "11×11 opposed tests", calculated(contenders), targets)


# ---------------------------------------------------------------- pools


@benchmark("chance.hits")
def hits_among_many() -> Iterator[Mark]:
    def ours() -> list[Odds[int]]:
        return [hits(dice, d6, at_least=5).odds() for dice in POOLS]

    def icepools() -> list[Any]:
        return [(icepool.d6 >= 5).pool(dice).sum() for dice in POOLS]  # ten times as fast as `dice @ (…)`

    def dyces() -> list[H[Any]]:
        return [dice @ H(6).ge(5) for dice in POOLS]

    assert ours() == list(map(of_icepool, icepools())) == list(map(of_dyce, dyces()))
    times = calculated({OURS: ours, "icepool": icepools, "dyce": dyces})
    yield from faster("chance.hits", "hits among 1…60 d6", times, {"icepool": 20, "dyce": 20})


@benchmark("chance.exploding")
def exploding_against_targets() -> Iterator[Mark]:
    """Chances to beat each target: ours exact without an end, the peers' cut off where it does not show."""

    def ours() -> list[list[Any]]:
        pools = [exploding(dice, d6, ceiling=TARGETS[-1] + 1).odds() for dice in EXPLODING]
        return [[pool.at_least(target + 1) for target in TARGETS] for pool in pools]

    def icepools() -> list[list[Any]]:
        pools = [dice @ icepool.d6.explode(depth=DEEP_ENOUGH) for dice in EXPLODING]
        return [[pool.probability(">", target) for target in TARGETS] for pool in pools]

    def dyces() -> list[list[Any]]:
        pools = [dice @ explode_n(H(6), n=DEEP_ENOUGH) for dice in EXPLODING]
        return [[pool.gt(target) for target in TARGETS] for pool in pools]

    assert ours() == icepools() == [[of_dyce(beaten).chance(True) for beaten in row] for row in dyces()]
    times = calculated({OURS: ours, "icepool": icepools, "dyce": dyces})
    yield from faster("chance.exploding", "1…10 exploding d6 against 4…20", times, {"icepool": 20, "dyce": 20})


@benchmark("chance.keep")
def best_three_of_ten() -> Iterator[Mark]:
    def ours() -> Odds[int]:
        return highest(10, d6, keep=3).odds()

    def icepools() -> Any:
        return icepool.d6.highest(10, 3)

    def dyces() -> H[Any]:
        return (10 @ P(6)).at(slice(-3, None))

    assert ours() == of_icepool(icepools()) == of_dyce(dyces())
    times = calculated({OURS: ours, "icepool": icepools, "dyce": dyces})
    yield from faster("chance.keep", "best 3 of 10d6", times, {"icepool": 1, "dyce": 1})
