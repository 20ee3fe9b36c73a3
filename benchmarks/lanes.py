"""Whole grids of questions and best decisions, read from the rules themselves, against icepool and dyce.

The peers are written as is fastest for them, with operators on distributions and no rule left to read; only
`icepool.map` gets the rule. Our caches are emptied before each turn. Contenders must agree before they are timed.

Three others are not measured in each run. lea and OpenSpiel, measured once, were slower than both peers in every row
that they can do, so that whatever is ahead of the peers is ahead of them. WebPPL, as fast as `icepool.map`, is a
program for Node and can't take turns in one process.
"""

import itertools
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import icepool
from dyce import H, P, explode_n

from astragal.chance import (
    Notable,
    Odds,
    Offer,
    Question,
    Rolls,
    advise,
    advise_ahead,
    d6,
    d20,
    hits,
    odds,
    odds_grid,
    rule,
)
from astragal.game.rolls import Footing as BookFooting
from astragal.rulesets.sinew_steel import fights as ruleset
from astragal.rulesets.sinew_steel.harm import Blow
from astragal.rulesets.sinew_steel.luck import spend_to_succeed
from astragal.rulesets.sinew_steel.rolls import Stand
from benchmarks.chance import calculated, of_icepool
from benchmarks.harness import OURS, Mark, Work, benchmark, faster, within
from examples.new_shoes import Result, opposed_approach
from examples.sinew_and_steel import Clash, Footing, Roll, Side, opposed_test, simple_test
from examples.six_pool import Footing as Stance
from examples.six_pool import Side as Contestant
from examples.six_pool import check, contest

warnings.filterwarnings("ignore", message=".*is experimental")

SCORES = range(6, 17)
MODIFIERS = range(-2, 11)
DIFFICULTIES = [5, 10, 15, 20, 25, 30]
POOLS = range(1, 6)
Chances = dict[tuple[Any, ...], Fraction]


# ---------------------------------------------------------------- the 11×11 table of opposed tests


def our_table() -> Chances:
    return odds_grid(opposed_test, attacker=SCORES, defender=SCORES).chances(Side.ATTACKER)


def dyce_table() -> Chances:
    """A failure counts as a margin of -1. Otherwise the greater margin wins, and ties are the defender's."""
    die = H(20)
    tests = {score: die.apply(lambda natural, s: _margin(s, natural), score) for score in SCORES}
    return {(a, d): _chance(tests[a].gt(tests[d])) for a in SCORES for d in SCORES}


def _margin(score: int, natural: int) -> int:
    return score - natural if natural == 1 or (natural <= score and natural != 20) else -1


def icepool_table() -> Chances:
    """The rule with its values taken out: the least work that `map` can be given."""
    die = icepool.d20
    return {
        (a, d): icepool.map(lambda x, y, a=a, d=d: _margin(a, x) > _margin(d, y), die, die).probability("==", True)
        for a in SCORES
        for d in SCORES
    }


def icepool_table_by_operators() -> Chances:
    tests = {score: icepool.d20.map(lambda natural, s=score: _margin(s, natural)) for score in SCORES}
    return {(a, d): (tests[a] > tests[d]).probability("==", True) for a in SCORES for d in SCORES}


def _chance(happens: H[Any]) -> Fraction:
    return Fraction(happens.get(True, 0), happens.total)


@benchmark("lanes.opposed")
def opposed() -> Iterator[Mark]:
    assert our_table() == dyce_table() == icepool_table() == icepool_table_by_operators()
    contenders: dict[str, Work] = {
        OURS: our_table,
        "dyce operators": dyce_table,
        "icepool operators": icepool_table_by_operators,
        "icepool.map": icepool_table,
    }
    targets = {"dyce operators": 2.0, "icepool operators": 2.0, "icepool.map": 50.0}
    yield from faster("lanes.opposed", "11×11 opposed tests", calculated(contenders), targets)


# ---------------------------------------------------------------- checks with naturals, and contests


@rule
def succeeds(bonus: int, dc: int, footing: Stance) -> Rolls[bool]:
    """SP-01, SP-11."""
    rolled = yield from check(bonus, dc, 0, footing)
    return rolled.success


@rule
def wins(bonus: int, opposing_bonus: int) -> Rolls[Contestant]:
    """SP-13."""
    verdict = yield from contest(bonus, opposing_bonus)
    return verdict.winner


def our_checks() -> Chances:
    return odds_grid(succeeds, bonus=MODIFIERS, dc=DIFFICULTIES, footing=Stance).chances(wanted=True)


def dyce_checks() -> Chances:
    """A natural 20 reaches every difficulty and a natural 1 none: the needed roll is between 2 and 20."""
    two = P(20, 20)
    dice = {Stance.ADVANTAGE: two.at(-1), Stance.LEVEL: H(20), Stance.DISADVANTAGE: two.at(0)}
    return {
        (bonus, dc, footing): _chance(die.ge(min(max(dc - bonus, 2), 20)))
        for bonus in MODIFIERS
        for dc in DIFFICULTIES
        for footing, die in dice.items()
    }


def our_contests() -> Chances:
    return odds_grid(wins, bonus=MODIFIERS, opposing_bonus=MODIFIERS).chances(Contestant.ACTOR)


def dyce_contests() -> Chances:
    die = H(20)
    return {(mine, theirs): _chance((die + mine).gt(die + theirs)) for mine in MODIFIERS for theirs in MODIFIERS}


@benchmark("lanes.checks")
def checks() -> Iterator[Mark]:
    assert our_checks() == dyce_checks()
    times = calculated({OURS: our_checks, "dyce": dyce_checks})
    yield from faster("lanes.checks", "d20 checks, 3 footings × 13 × 6", times, {"dyce": 2})


@benchmark("lanes.contests")
def contests() -> Iterator[Mark]:
    assert our_contests() == dyce_contests()
    times = calculated({OURS: our_contests, "dyce": dyce_contests})
    yield from faster("lanes.contests", "13×13 contests", times, {"dyce": 2})


# ---------------------------------------------------------------- pools


def our_pools() -> Chances:
    return odds_grid(opposed_approach, attribute=POOLS, opposing=POOLS).chances(Result.SUCCESS)


def dyce_pools() -> Chances:
    """Cut off after twelve extra dice, where a float shows no difference any more; ours has no end."""
    die = explode_n(H(6), n=12)
    pools = {count: count @ die for count in POOLS}
    return {(mine, theirs): _chance(pools[mine].gt(pools[theirs])) for mine in POOLS for theirs in POOLS}


def our_counts() -> list[Odds[int]]:
    return [odds(hits(dice, d6, at_least=5)) for dice in range(1, 61)]


def icepool_counts() -> list[Any]:
    return [dice @ (icepool.d6 >= 5) for dice in range(1, 61)]


def icepool_counts_by_pools() -> list[Any]:
    return [(icepool.d6 >= 5).pool(dice).sum() for dice in range(1, 61)]


@benchmark("lanes.pools")
def pools() -> Iterator[Mark]:
    cut_off, exact = dyce_pools(), our_pools()
    assert all(abs(exact[point] - cut_off[point]) < Fraction(1, 1000) for point in itertools.product(POOLS, POOLS))
    times = calculated({OURS: our_pools, "dyce": dyce_pools})
    yield from faster("lanes.pools", "5×5 exploding pools opposed", times, {"dyce": 20})


@benchmark("lanes.counts")
def counts() -> Iterator[Mark]:
    assert our_counts() == list(map(of_icepool, icepool_counts_by_pools()))
    contenders: dict[str, Work] = {
        OURS: our_counts,
        "icepool": icepool_counts,
        "icepool pools": icepool_counts_by_pools,
    }
    targets = {"icepool": 20.0, "icepool pools": 20.0}
    yield from faster("lanes.counts", "hits among 1…60 d6", calculated(contenders), targets)


# ---------------------------------------------------------------- one attack, as a table previews it


@rule
def attack(attacker: int, defender: int, tokens: int, edge: int, soak: int) -> Rolls[int]:
    """SS-21, SS-32 to SS-36: both on advantage; Luck is offered where it would turn the attack."""
    struck = yield from simple_test(attacker, Footing.ADVANTAGE)
    parried = yield from simple_test(defender, Footing.ADVANTAGE)
    if Clash(struck, parried).winner is Side.ATTACKER:
        return damage(struck, edge, soak)
    lacking = parried.margin + 1 - struck.margin if parried.success else -struck.margin
    if struck.is_locked or lacking > tokens or lacking >= struck.natural:
        return 0
    spent = yield from Offer("attacker", "spend Luck", (0, lacking), (Notable(lacking, lacking, Side.ATTACKER),))
    return damage(replace(struck, nudge=-spent), edge, soak) if spent else 0


def damage(struck: Roll, edge: int, soak: int) -> int:
    """SS-34 to SS-36."""
    if struck.natural == 1:
        return 2 + edge
    return max(0, 1 + edge + (struck.margin >= 10) - max(0, soak - struck.margin // 4))


def spend_up_to_three(offer: Offer[int]) -> int:
    return max((note.answer for note in offer.notable if note.answer <= 3), default=offer.default)


def the_books_attack() -> Question[Any]:
    """The attack as the ruleset has it: every nudge is an option, and the verdict has both dice."""
    on_advantage = BookFooting.ADVANTAGE
    return ruleset.attack(12, 11, Stand(on_advantage, 6), Stand(on_advantage), Blow(1, 3))


@benchmark("lanes.attack")
def attacked() -> Iterator[Mark]:
    work: dict[str, Work] = {
        "written for its damage": lambda: odds(attack(12, 11, 6, 1, 3), spend_up_to_three),
        "of the ruleset": lambda: odds(the_books_attack(), spend_to_succeed),
    }
    for name, seconds in calculated(work).items():
        yield within("lanes.attack", f"an attack on advantage with soak and Luck, {name}", seconds, 0.005)


# ---------------------------------------------------------------- the best use of ten Luck over ten tests


class Tried(NamedTuple):
    passed: bool
    spent: int


@rule
def lucky(tokens: int, score: int) -> Rolls[Tried]:
    """SS-21: a token moves one's own die by one."""
    natural = yield from d20
    lacking, spent = natural - score, 0
    if 0 < lacking <= tokens and natural != 20:
        spent = yield from Offer("hero", "spend Luck", (0, lacking))
    return Tried(lacking <= 0 or spent > 0, spent)


@rule
def luck_ahead(tests: int, tokens: int, score: int) -> Rolls[int]:
    """The same test again and again, as one question that calls itself: the number passed."""
    if not tests:
        return 0
    natural = yield from d20
    lacking, spent = natural - score, 0
    if 0 < lacking <= tokens and natural != 20:
        spent = yield from Offer("hero", "spend Luck", (0, lacking))
    passed = lacking <= 0 or spent > 0
    return passed + (yield from luck_ahead(tests - 1, tokens - spent, score))


def our_luck() -> Fraction:
    return advise_ahead(
        lambda tokens: lucky(tokens, 10),
        times=10,
        purse=10,
        aim=lambda tried: tried.passed,
        price=lambda tried: tried.spent,
        side="hero",
    ).value


def our_luck_in_one_question() -> Fraction:
    return advise(luck_ahead(10, 10, 10), int, side="hero").value


def icepool_luck() -> Fraction:
    """Calculate by hand: the mean of a die that shows the better of two, for each number of tests and tokens left."""

    @cache
    def best(tests: int, tokens: int) -> Fraction:
        if not tests:
            return Fraction(0)
        return Fraction(icepool.d20.map(lambda natural: _better(best, natural, tests, tokens)).mean())

    return best(10, 10)


def dyce_luck() -> Fraction:
    """Calculate by hand, in the same way."""
    die = H(20)

    @cache
    def best(tests: int, tokens: int) -> Fraction:
        if not tests:
            return Fraction(0)
        weighed = (_better(best, natural, tests, tokens) * weight for natural, weight in die.items())
        return sum(weighed, Fraction(0)) / die.total

    return best(10, 10)


def _better(best: Callable[[int, int], Fraction], natural: int, tests: int, tokens: int) -> Fraction:
    lacking, kept = natural - 10, best(tests - 1, tokens)
    if lacking <= 0:
        return kept + 1
    return max(kept, best(tests - 1, tokens - lacking) + 1) if lacking <= tokens and natural != 20 else kept


@benchmark("lanes.luck")
def luck() -> Iterator[Mark]:
    assert our_luck() == our_luck_in_one_question() == dyce_luck() == icepool_luck()
    for name, ours in (("", our_luck), (" as one question that asks itself", our_luck_in_one_question)):
        contenders: dict[str, Work] = {OURS: ours, "dyce by hand": dyce_luck, "icepool by hand": icepool_luck}
        times = calculated(contenders)
        targets = {"dyce by hand": 2.0, "icepool by hand": 2.0}
        yield from faster("lanes.luck", f"10 Luck over 10 tests{name}", times, targets)
