"""Lanes give what path by path gives, on rules that make it hard."""

from dataclasses import dataclass, field
from enum import Enum, IntEnum
from fractions import Fraction
from typing import Any, NamedTuple

import pytest

from astragal.chance import (
    Chance,
    Question,
    Rolls,
    d4,
    d6,
    d8,
    d12,
    d20,
    d100,
    exploding,
    hits,
    lowest,
    rule,
    total,
)
from astragal.chance.lanes import LaneWeigher
from astragal.chance.weigh import Policy, Weigher, decline


class Side(Enum):
    HERO = "hero"
    FOE = "foe"


class Grade(IntEnum):
    LOW = 2
    HIGH = 5


@dataclass(frozen=True, slots=True)
class Roll:
    score: int
    natural: int

    @property
    def margin(self) -> int:
        return self.score - self.natural

    @property
    def success(self) -> bool:
        return self.natural == 1 or (self.natural != 20 and self.margin >= 0)


@dataclass(frozen=True)
class Wound:
    depth: int
    bleeds: bool = field(init=False)
    by: Side = Side.FOE

    def __post_init__(self) -> None:
        object.__setattr__(self, "bleeds", self.depth > 3)


class Pair(NamedTuple):
    first: int
    second: int


def agree(question: Question[Any], policy: Policy = decline) -> None:
    assert LaneWeigher(policy).in_lanes(question) == Weigher(policy).weigh(question)


# ---------------------------------------------------------------- rules that compute


@rule
def arithmetic(bonus: int) -> Rolls[tuple[int, ...]]:
    x = yield from d8
    y = yield from d6
    z = -x + bonus
    return (x + y * 2 - bonus, z // y, z % y, abs(z), x // -3, x % -3, 40 // x, 40 % (y - 10), *divmod(z, 4), +z, -z)


@rule
def extremes() -> Rolls[tuple[int, ...]]:
    x = yield from d8
    y = yield from d6
    z = yield from d4
    return min(x, y, z), max(x, 3), min((y, z), key=lambda n: -n), sum((x, y, z)), sorted((x, y, z))[1]


@rule
def chained(low: int) -> Rolls[str]:
    x = yield from d20
    y = yield from d20
    if low < x <= y < 15 != x:
        return "between"
    if not x > y or (x == 20 and y != 1):
        return "above"
    return "else"


@rule
def divides_by_what_may_be_zero() -> Rolls[int]:
    x = yield from d6
    y = yield from d6
    if x != y:
        return 12 // (x - y)
    return 12 % (x + y)


@rule
def catches_a_division() -> Rolls[int]:
    x = yield from d6
    try:
        return 7 // (x - 3)
    except ZeroDivisionError:
        return 99


@rule
def other_numbers() -> Rolls[tuple[Any, ...]]:
    x = yield from d4
    y = yield from d6
    half, share, power = x / 2, Fraction(x, y), x**2
    return half, share, power, x & y, x << 1, float(x), x * 0.5, round(x / y, 1), x.bit_length(), 2**x, x > 2.5


@rule
def grades() -> Rolls[tuple[Any, ...]]:
    x = yield from d6
    return x == Grade.HIGH, x + Grade.LOW, x > Grade.LOW, x + True, x == True  # noqa: E712 - a rule may well


# ---------------------------------------------------------------- rules that look at what a number is


@rule
def identities() -> Rolls[tuple[bool, ...]]:
    x = yield from d6
    y = yield from d6
    high, low = x > 3, y < 3
    found = None if x == y else x
    return high is True, high is low, found is None, (x == 2) is not False, found is not None and found > 2


@rule
def kinds() -> Rolls[str]:
    x: Any = yield from d6
    others: tuple[Any, ...] = ("x", None, (), 2.5)
    if not isinstance(x, int) or isinstance(x, bool) or x in others:
        return "strange"
    match x:
        case 1 | 2:
            return "low"
        case int(y) if y > 5:
            return f"high {y}"
        case _:
            return "middle"


@rule
def matched() -> Rolls[Any]:
    x: Any = yield from d6
    y: Any = yield from d8
    match (x, y):
        case (1, 1):
            return None
        case (1, other) | (other, 1):
            return other
        case (a, b) if a == b:
            return Side.HERO
    rolled: Any = Roll(x, y)
    match rolled:
        case Roll(natural=8):
            return "eight"
        case Roll(score, _):
            return score
    return "never"


LADDER = ("poor", "fair", "good", "great", "superb", "epic")
PRICES = {1: 10, 2: 20, 3: 35}


@rule
def looked_up() -> Rolls[tuple[Any, ...]]:
    x = yield from d6
    y = yield from d4
    bonus = x + y if y in {2, 3} else -1
    return LADDER[x - 1], PRICES.get(y), [n * 2 for n in range(y)][-1], "*" * y, str(x), f"{x:03}", bonus


@rule
def counts_in_a_dictionary() -> Rolls[int]:
    counts: dict[int, int] = {}
    for _ in range(3):
        x = yield from d4
        counts[x] = counts.get(x, 0) + 1
    return max(counts.values())


@rule
def hides_a_number() -> Rolls[frozenset[int]]:
    x = yield from d4
    y = yield from d4
    return frozenset((x, y))


# ---------------------------------------------------------------- rules that ask


@rule
def roll_under(score: int, die: Chance[int] = d20) -> Rolls[Roll]:
    natural = yield from die
    return Roll(score, natural)


@rule
def wounded(armour: int) -> Rolls[Wound | None]:
    x = yield from d6
    if x <= armour:
        return None
    return Wound(x - armour, by=Side.HERO if x == 6 else Side.FOE)


@rule
def mixed() -> Rolls[Any]:
    x = yield from d6
    return (None, True, 7, "one", Side.FOE, (1, Side.HERO))[x - 1]


@rule
def asks_for_all() -> Rolls[Any]:
    wound = yield from wounded(2)
    strange = yield from mixed()
    roll = yield from roll_under(10)
    if wound is None:
        return strange is True, strange is None, strange is Side.FOE, roll.success
    if roll.success and wound.by is Side.HERO:
        return wound
    return (wound.depth + roll.margin) // 2, wound.bleeds is True


@rule
def asks_with_lanes() -> Rolls[Any]:
    score = yield from d12
    roll = yield from roll_under(score)
    if roll.margin > 5:
        again = yield from roll_under(roll.margin, lowest(2, d20))
        return again.success, roll.margin - again.margin
    return roll


@rule
def rolls_as_many_as_it_rolled() -> Rolls[int]:
    dice = yield from d6
    found = yield from hits(dice + 1, d6, at_least=5)
    return found - dice


@rule
def counts_down(left: int) -> Rolls[int]:
    if left <= 0:
        return 0
    x = yield from d4
    rest = yield from counts_down(left - x)
    return 1 + rest


@rule
def returns_early(goal: int) -> Rolls[str]:
    total = 0
    for throw in range(4):
        x = yield from d6
        total += x
        if total == goal:
            return f"on throw {throw}"
        if total > goal:
            return "over"
    return "under" if total else "never"


@rule
def deep() -> Rolls[int]:
    x = yield from d100
    found = 0
    for bound in range(2, 90):
        if x % bound == 0:
            found += bound if x > bound * 2 else -1
    return found


@rule
def many_steps() -> Rolls[int]:
    x = yield from d6
    for _ in range(3_000):
        x += 1
    return x


@rule
def large_pools() -> Rolls[int]:
    x = yield from total(10, d20)
    y = yield from exploding(8, d6, ceiling=30)
    z = yield from hits(30, d6, at_least=5)
    return (x > 105) + (y > 25) * z


RULES: list[Question[Any]] = [
    arithmetic(3),
    arithmetic(-11),
    extremes(),
    chained(4),
    divides_by_what_may_be_zero(),
    catches_a_division(),
    other_numbers(),
    grades(),
    identities(),
    kinds(),
    matched(),
    looked_up(),
    counts_in_a_dictionary(),
    hides_a_number(),
    wounded(2),
    mixed(),
    asks_for_all(),
    asks_with_lanes(),
    rolls_as_many_as_it_rolled(),
    counts_down(5),
    returns_early(9),
    deep(),
    many_steps(),
    large_pools(),
]


@pytest.fixture(autouse=True, params=[0, 15], ids=["in lanes to the last", "stragglers walked"])
def _to_the_end(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """However little lanes gain, here they are to answer themselves."""
    monkeypatch.setattr("astragal.chance.lanes.weighing.SOON", 1_000_000)
    monkeypatch.setattr("astragal.chance.lanes.weighing.FEW_LANES", request.param)


@pytest.mark.slow
@pytest.mark.parametrize("question", RULES, ids=str)
def test_lanes_say_what_path_by_path_says(question: Question[Any]) -> None:
    agree(question)
