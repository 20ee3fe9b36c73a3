"""Lanes where somebody decides, where they give up, and what they leave alone."""

import logging
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum
from typing import Any

import pytest

from astragal.chance import (
    BadStep,
    Chance,
    IllegalAnswer,
    Notable,
    Offer,
    Question,
    Rolls,
    Together,
    d4,
    d6,
    d8,
    d10,
    d20,
    d100,
    odds,
    rule,
)
from astragal.chance.lanes import LaneWeigher, NotInLanes
from astragal.chance.weigh import Policy, Weigher, decline


class Side(Enum):
    HERO = "hero"
    FOE = "foe"


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


def agree(question: Question[Any], policy: Policy = decline) -> None:
    assert LaneWeigher(policy).in_lanes(question) == Weigher(policy).weigh(question)


@pytest.fixture(autouse=True)
def _to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """However little lanes gain, here they are to answer themselves."""
    monkeypatch.setattr("astragal.chance.lanes.weighing.SOON", 1_000_000)
    monkeypatch.setattr("astragal.chance.lanes.weighing.FEW_LANES", 0)


@rule
def roll_under(score: int, die: Chance[int] = d20) -> Rolls[Roll]:
    natural = yield from die
    return Roll(score, natural)


@rule
def deep() -> Rolls[int]:
    x = yield from d100
    found = 0
    for bound in range(2, 90):
        if x % bound == 0:
            found += bound if x > bound * 2 else -1
    return found


@rule
def arithmetic(bonus: int) -> Rolls[tuple[int, ...]]:
    x = yield from d8
    y = yield from d6
    z = -x + bonus
    return (x + y * 2 - bonus, z // y, z % y, abs(z), x // -3, x % -3, 40 // x, 40 % (y - 10), *divmod(z, 4), +z, -z)


# ---------------------------------------------------------------- rules in which somebody decides


@rule
def lucky(score: int, tokens: int) -> Rolls[Roll | Side]:
    natural = yield from d20
    lacking = natural - score
    if not 0 < lacking <= tokens:
        return Roll(score, natural)
    mended = Notable(lacking, lacking, Roll(score, natural - lacking))
    spent = yield from Offer("hero", "spend Luck", (0, lacking), (mended,), about=Roll(score, natural))
    return Roll(score, natural - spent) if spent else Side.FOE


@rule
def sealed(limit: int) -> Rolls[int]:
    x = yield from d6
    mine, yours = yield from Together(
        (Offer("me", "bid", tuple(range(limit + 1)), about=x), Offer("you", "bid", (0, x + 1, "all")))
    )
    y = yield from d6
    bid: int = x + mine
    return bid - (0 if yours == "all" else y + yours)


@rule
def lists_an_option_twice() -> Rolls[int]:
    x = yield from d6
    return (yield from Offer("hero", "choose", (3, x)))


def last(offer: Offer[Any]) -> Any:
    return offer.options[-1]


def thrifty(offer: Offer[Any]) -> Any:
    """Reads what the offer says, as policies do."""
    prices: dict[Any, Any] = {note.answer: note.price for note in offer.notable}
    return min((it for it in offer.options if prices.get(it, 9) < 4), default=offer.default)


def by_what_it_is_about(offer: Offer[Any]) -> Any:
    return offer.options[hash(offer.about) % len(offer.options)]


@pytest.mark.parametrize("policy", [decline, last, thrifty, by_what_it_is_about])
@pytest.mark.parametrize("question", [lucky(8, 0), lucky(8, 6), sealed(0), sealed(3)], ids=str)
def test_policies_see_plain_offers(question: Question[Any], policy: Policy) -> None:
    agree(question, policy)


def test_an_offer_is_checked_for_each_lane() -> None:
    with pytest.raises(BadStep, match="twice"):
        LaneWeigher().in_lanes(lists_an_option_twice())


def test_an_illegal_answer_is_told() -> None:
    with pytest.raises(IllegalAnswer):
        LaneWeigher(lambda _: 99).in_lanes(lucky(8, 6))


# ---------------------------------------------------------------- where lanes give up, and what they do not do


@rule
def grows() -> Rolls[int]:
    x = yield from d100
    for _ in range(12):
        x = x * x
    return x % 7


@rule
def compares_with_huge_numbers() -> Rolls[tuple[bool, ...]]:
    x = yield from d6
    y = yield from d6
    near = x * 2**61
    return x < 10**30, x == -(10**30), near > 2**62, y * 10**18 > 5 * 10**18


@rule
def spreads_far() -> Rolls[tuple[int, int]]:
    x = yield from d20
    y = yield from d20
    return (x - 10) * 2**57, (y - 11) * 2**57 + x


@rule
def knows_huge_numbers(huge: int) -> Rolls[int]:
    x = yield from d6
    y = yield from gives_huge_numbers()
    return (huge + y) if x > 3 else x


@rule
def gives_huge_numbers() -> Rolls[int]:
    x = yield from d6
    return 10**30 if x > 4 else x


@rule
def many_dice() -> Rolls[int]:
    total = 0
    for _ in range(9):
        total += yield from d10
    return total


@rule
def asks_in_vain() -> Rolls[int]:
    x = yield from d20
    y = yield from d6
    z = yield from d4
    return x * y * z


@rule
def one_die_each() -> Rolls[bool]:
    heads = 0
    for _ in range(70):
        heads += yield from d4
    return heads > 100


@rule
def raises_for_one() -> Rolls[int]:
    x = yield from d6
    y = yield from d6
    return 60 // (x + y - 2)


@pytest.mark.parametrize(("question", "why"), [(many_dice(), "lanes at once"), (one_die_each(), "dice on one path")])
def test_lanes_say_why_they_give_up(question: Question[Any], why: str) -> None:
    with pytest.raises(NotInLanes, match=why):
        LaneWeigher().in_lanes(question)


@pytest.mark.parametrize(
    "question", [grows(), compares_with_huge_numbers(), spreads_far(), knows_huge_numbers(10**25)], ids=str
)
def test_what_64_bits_can_not_hold_is_exact_all_the_same(question: Question[Any]) -> None:
    agree(question)


def test_a_division_by_zero_is_raised_where_it_happens() -> None:
    with pytest.raises(ZeroDivisionError):
        odds(raises_for_one())


def test_lanes_that_gain_nothing_give_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("astragal.chance.lanes.weighing.SOON", 10)
    with pytest.raises(NotInLanes, match="its own way"):
        LaneWeigher().in_lanes(deep())


@rule
def catches_all() -> Rolls[int]:
    x = yield from d6
    try:
        return {1: 10, 2: 20}[x]
    except (KeyError, TypeError):
        return 0
    except Exception:  # noqa: BLE001 - a rule that hides what goes wrong inside
        return -1


def test_a_rule_that_catches_everything_does_not_catch_the_reading() -> None:
    agree(catches_all())


class Box:
    """Nobody can look inside, nor tell two boxes apart by what is in them."""

    def __init__(self, face: int) -> None:
        self.face = face


@rule
def boxed() -> Rolls[int]:
    x = yield from d6
    answer = yield from Offer("hero", "open", (0, 1), about=Box(x))
    return answer + x


def test_what_hides_a_lane_is_left_to_path_by_path() -> None:
    def look(offer: Offer[Any]) -> int:
        box: Any = offer.about
        return int(box.face > 3)

    with pytest.raises(NotInLanes, match="looked into"):
        LaneWeigher(look).in_lanes(boxed())
    assert odds(boxed(), look) == Weigher(look).weigh(boxed())


kept: list[Any] = []


@rule
def remembers() -> Rolls[int]:
    x = yield from d6
    kept.append(x)
    return (yield from roll_under(x)).margin


def test_no_lane_outlives_its_reading_unseen() -> None:
    """A rule must not keep what it draws; if it does, the lane says that it is one, and no question remembers it."""
    LaneWeigher().in_lanes(remembers())
    assert repr(kept[-1]) == "<lanes from 1 to 6>"
    assert roll_under(3) == roll_under(3)
    assert type(roll_under(3).arguments[0]) is int


def test_questions_weighed_in_several_threads_do_not_mix() -> None:
    questions = [arithmetic(n % 5) for n in range(24)]
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda question: LaneWeigher().in_lanes(question), questions))
    assert found == [Weigher().weigh(question) for question in questions]


def test_the_log_says_why_path_by_path_answers(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("astragal.chance.lanes.lane.MOST_LANES", 100)
    with caplog.at_level(logging.DEBUG, "astragal.chance.lanes"):
        assert odds(asks_in_vain()) == Weigher().weigh(asks_in_vain())
    said = [record.getMessage() for record in caplog.records if record.name.startswith("astragal.chance")]
    assert said == ["asks_in_vain() is weighed path by path: it takes 480 lanes at once"]
