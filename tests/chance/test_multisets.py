"""Custom dice, pools as multisets, decks: held against every throw, and against two packages that count otherwise."""

from collections import Counter
from collections.abc import Callable, Iterable
from enum import Enum
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import icepool
import pytest
from dyce import H

from astragal.chance import (
    BadStep,
    Chance,
    Deck,
    Die,
    EnteredDice,
    NoEnd,
    Odds,
    Rolls,
    SeededDice,
    Settled,
    TooMuchWork,
    Tray,
    d6,
    d8,
    d10,
    exploding,
    highest,
    hits,
    lowest,
    odds,
    odds_grid,
    play,
    pool,
    replay,
    rerolled,
    rule,
    total,
    until,
)
from astragal.chance.lanes import LaneWeigher
from astragal.chance.weigh import Weigher

FATE = Die([-1, 0, 1])
SYMBOLS = Die({"sword": 3, "shield": 2, "blank": 1})
D4 = Die(4)


def of_icepool(die: Any) -> Odds[Any]:
    return Odds(dict(die.items()), die.denominator())


def thrown(step: Chance[Any], faces: Iterable[int]) -> Any:
    return step.throw(Tray(EnteredDice(list(faces)), "a rule"))


# ---------------------------------------------------------------- dice with faces of their own


def test_a_die_has_the_faces_it_is_given() -> None:
    assert odds(4 @ FATE) == of_icepool(4 @ icepool.Die([-1, 0, 1])) == Odds(dict((4 @ H([-1, 0, 1])).items()), 3**4)


def test_faces_may_be_named_and_weighted() -> None:
    assert odds(SYMBOLS).chances() == {"sword": Fraction(1, 2), "shield": Fraction(1, 3), "blank": Fraction(1, 6)}
    assert [thrown(SYMBOLS, [place]) for place in range(1, 7)] == ["sword"] * 3 + ["shield"] * 2 + ["blank"]


def test_a_face_listed_twice_weighs_twice() -> None:
    assert Die([0, 0, 1]) == Die({0: 2, 1: 1})
    assert hash(Die([0, 0, 1])) == hash(Die({0: 2, 1: 1}))
    assert Die([1, 2, 3, 4, 5, 6]).odds() == d6.odds()


def test_members_of_an_enum_are_faces() -> None:
    class Suit(Enum):
        CUPS = "cups"
        SWORDS = "swords"

    assert odds(Die(Suit)).chance(Suit.CUPS) == Fraction(1, 2)


def test_custom_dice_are_kept_counted_and_rerolled_as_others_are() -> None:
    oracle = icepool.Die([-1, 0, 1])
    assert odds(highest(3, FATE, keep=2)) == of_icepool(oracle.highest(3, 2))
    assert odds(lowest(3, FATE)) == of_icepool(oracle.lowest(3, 1))
    assert odds(hits(3, FATE, at_least=1)) == of_icepool(3 @ (oracle >= 1).map({True: 1, False: 0}))
    assert odds(hits(3, SYMBOLS, on={"sword", "shield"})).chance(3) == Fraction(125, 216)
    assert odds(hits(3, d6, at_most=2)) == odds(hits(3, d6, on={1, 2}))
    assert odds(rerolled(SYMBOLS, ["blank"])).chance("sword") == Fraction(3, 5)
    assert odds(rerolled(SYMBOLS, ["blank"], once=True)).chance("blank") == Fraction(1, 36)
    assert thrown(rerolled(SYMBOLS, ["blank"]), [6, 6, 4]) == "shield"


@pytest.mark.slow
def test_sums_of_faces_far_apart_are_added_one_by_one() -> None:
    far = Die([0, 10**12])
    assert odds(total(3, far)).chance(10**12) == Fraction(3, 8)
    with pytest.raises(TooMuchWork, match="different sums"):
        odds(total(9, Die([7**power for power in range(30)])))


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Die("abc"), "a die is made of a list, or of a dict with weights, not of 'abc'"),
        (lambda: Die(2.5), "a die is made of a list"),  # type: ignore[call-overload]
        (lambda: Die([]), "a die has 2 to 1,000,000 sides, not 0"),
        (lambda: Die([5]), "a die has 2 to 1,000,000 sides, not 1"),
        (lambda: Die({"a": -1, "b": 3}), "weights are whole numbers, 0 or more; that of 'a' is -1"),
        (lambda: Die([[1], [2]]), "a face of a die must be hashable, a tuple in place of a list"),
        (lambda: exploding(2, FATE), "has no highest face to explode on"),
        (lambda: total(2, 6), "a pool is made of dice, such as d6 or Die(7), not of 6"),  # type: ignore[arg-type]
        (lambda: total("2", d6), "a pool has a whole number of dice, not '2'"),  # type: ignore[arg-type]
        (lambda: hits(2, d6), "say what is a hit"),
        (lambda: pool(-1, d6), "a pool has 0 dice or more, not -1"),
        (lambda: Deck([]), "a deck has 1 to 10,000 cards, not 0"),
        (lambda: Deck("ab").deal(3), "a deck is made of a list"),
        (lambda: Deck(["a", "b"]).deal(3), "of 2 cards you can deal 0 to 2, not 3"),
        (lambda: Deck(["a", "b"]).without(["c"]), "there is no 'c' left in the deck"),
        (lambda: until(d6, 6), "say what is wanted as a function"),  # type: ignore[arg-type]
        (lambda: until(6, bool), "such as d6 or Die(7), not of 6"),  # type: ignore[arg-type]
    ],
)
def test_what_can_not_be_is_refused_in_a_sentence(make: Callable[[], object], sentence: str) -> None:
    with pytest.raises(BadStep) as refused:
        make()
    assert sentence in str(refused.value)


# ---------------------------------------------------------------- throwing until


def test_until_is_exact_and_keeps_every_die() -> None:
    high = until(d6, lambda face: face > 3)
    assert odds(high) == Odds.uniform([4, 5, 6])
    tray = Tray(EnteredDice([1, 3, 5]), "a rule")
    assert high.throw(tray) == 5
    assert [die.fate.value for die in tray.rolled] == ["rerolled", "rerolled", "kept"]


def test_until_looks_at_many_dice_together() -> None:
    no_doubles = until(pool(2, d6), lambda pair: pair[0] != pair[1])
    assert odds(no_doubles) == odds(pool(2, d6)).given(lambda pair: pair[0] != pair[1])
    assert odds(until(2 @ d6, lambda sum_: sum_ != 7)) == of_icepool((2 @ icepool.d6).reroll([7], depth="inf"))


def test_until_what_never_comes_is_refused() -> None:
    never = until(d6, lambda face: face > 6)
    with pytest.raises(NoEnd, match="thrown for ever"):
        odds(never)
    with pytest.raises(NoEnd, match="thrown for ever"):
        never.throw(Tray(SeededDice(1), "a rule"))


# ---------------------------------------------------------------- multisets

QUESTIONS: dict[str, Callable[[Any], Chance[Any]]] = {
    "itself": lambda dice: dice,
    "largest_set": lambda dice: dice.largest_set(),
    "best_set": lambda dice: dice.best_set(),
    "sets": lambda dice: dice.sets(),
    "pairs": lambda dice: dice.matching(2),
    "triples": lambda dice: dice.matching(3),
    "longest_run": lambda dice: dice.longest_run(),
    "highest_and_count": lambda dice: dice.highest_and_count(),
    "lowest_and_count": lambda dice: dice.lowest_and_count(),
    "distinct": lambda dice: dice.distinct(),
    "count": lambda dice: dice.count(1, 3),
    "sum": lambda dice: dice.sum(),
    "contains": lambda dice: dice.contains(1, 1, 3),
    "common": lambda dice: dice.common(pool(2, Die(3))),
    "beats": lambda dice: dice.beats(pool(2, Die(3))),
    "ties": lambda dice: dice.beats(pool(2, Die(3)), ties=True),
}
MULTISETS = [pool(3, D4), pool(2, D4).plus(1, Die(3)), pool(3, FATE), Deck([1, 1, 2, 3, 4]).deal(3), pool(0, D4)]


@pytest.mark.parametrize("asked", QUESTIONS)
@pytest.mark.parametrize("multiset", MULTISETS, ids=repr)
def test_what_is_counted_agrees_with_every_throw(multiset: Any, asked: str) -> None:
    step = QUESTIONS[asked](multiset)
    sides = step.needs()
    tried = Counter(thrown(step, faces) for faces in product(*(range(1, many + 1) for many in sides)))
    assert step.odds() == Odds(tried, tried.total())


@pytest.mark.parametrize("asked", QUESTIONS)
def test_both_readings_agree(asked: str) -> None:
    """Asked in the middle of a rule, of so many dice as a lane has it."""

    @rule
    def ask(dice: int) -> Rolls[Any]:
        more = yield from d6
        return more > 3, (yield from QUESTIONS[asked](pool(dice, D4)))

    grid = odds_grid(ask, dice=range(1, 5))
    for dice in range(1, 5):
        alone = Weigher().weigh(ask(dice))
        assert grid[dice] == alone == LaneWeigher().in_lanes(ask(dice))


def test_icepool_counts_the_same() -> None:
    dice = icepool.d6.pool(5)
    ours = pool(5, d6)
    assert odds(ours.largest_set()) == of_icepool(dice.largest_count())
    assert odds(ours.longest_run()) == of_icepool(dice.largest_straight())
    assert odds(ours.sum()) == of_icepool(dice.sum())
    assert odds(ours.distinct()) == of_icepool(dice.unique().size())
    assert odds(ours.contains(6, 6, 1)) == of_icepool(dice.issuperset([6, 6, 1]))
    assert odds(ours.highest_and_count()) == of_icepool(dice.highest_outcome_and_count())
    assert odds(pool(8, d10).largest_set()) == of_icepool(icepool.d10.pool(8).largest_count())


def test_icepool_deals_the_same() -> None:
    ranks = dict.fromkeys(range(2, 15), 4)
    oracle = icepool.Deck(ranks).deal(5)
    hand = Deck(ranks).deal(5)
    assert odds(hand.largest_set()) == of_icepool(oracle.largest_count())
    assert odds(hand.sum()) == of_icepool(oracle.sum())
    assert odds(hand.longest_run()) == of_icepool(oracle.largest_straight())


def test_a_hand_is_dealt_from_what_is_left() -> None:
    @rule
    def two_hands() -> Rolls[int]:
        deck = Deck([1, 2, 3, 4])
        mine = yield from deck.deal(2)
        theirs = yield from deck.without(mine).deal(1)
        return sum(mine) - theirs[0]

    tried = Counter(
        sum(mine) - other for mine in combinations(range(1, 5), 2) for other in range(1, 5) if other not in mine
    )
    assert odds(two_hands()) == LaneWeigher().weigh(two_hands()) == Odds(tried, tried.total())
    settled = play(two_hands(), SeededDice(3))
    assert isinstance(settled, Settled)
    assert [die.sides for die in settled.record.rolled] == [4, 3, 2]
    assert replay(two_hands(), settled.record) == settled.value


def test_the_last_card_takes_no_die() -> None:
    assert thrown(Deck(["a", "b"]).deal(2), [2]) == ("a", "b")


def test_named_faces_lie_in_the_order_of_their_die() -> None:
    assert thrown(pool(3, SYMBOLS), [6, 1, 4]) == ("sword", "shield", "blank")
    assert odds(pool(2, SYMBOLS).highest_and_count()).chance(("blank", 2)) == Fraction(1, 36)


def test_a_question_of_ones_own_sees_each_face_once() -> None:
    scored = pool(3, d6).fold(0, lambda points, face, times: points + (face * 100 if times >= 3 else 0))
    assert odds(scored).chance(600) == Fraction(1, 216)
    tops = pool(2, d6).fold((), lambda seen, face, times: (*seen, (face, times)), highest_first=True)
    assert thrown(tops, [2, 5]) == ((5, 1), (2, 1))


def test_too_large_a_question_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("astragal.chance.multisets.MOST_STEPS", 30_000)
    with pytest.raises(TooMuchWork, match="ask a question that keeps less"):
        odds(pool(40, Die(100)))


# ---------------------------------------------------------------- operators


def test_operators_make_steps_with_exact_odds() -> None:
    oracle = icepool.d6
    assert odds(2 @ d6 + 3 >= 10).chance(True) == Fraction(7, 12)
    assert odds(2 * d6 + 3) == of_icepool(2 * oracle + 3)
    assert odds(d6 - d8) == of_icepool(oracle - icepool.d8)
    assert odds(10 - d6 // 2) == of_icepool(10 - oracle // 2)
    assert odds(-d6 % 4) == of_icepool(-oracle % 4)
    assert odds(d6 * d8) == of_icepool(oracle * icepool.d8)
    assert odds(d6 > d8) == of_icepool(oracle > icepool.d8)
    assert odds((d6 >= 5) & (d6 >= 5)).chance(True) == Fraction(1, 9)
    assert odds((d6 >= 5) | (d6 >= 5)).chance(True) == Fraction(5, 9)
    assert odds(3 < d6) == odds(d6 > 3)  # noqa: SIM300
    assert thrown(d6 + d8 - 1, [2, 7]) == 8


def test_endless_explosions_are_compared_and_added_exactly() -> None:
    far = exploding(2, d6, ceiling=40).odds()
    assert odds(exploding(2, d6) >= 20).chance(True) == far.at_least(20)
    assert odds(exploding(2, d6) + 3 > 20).chance(True) == far.at_least(18)
    assert odds(20 <= 3 + exploding(2, d6)).chance(True) == far.at_least(17)  # noqa: SIM300
    assert odds(exploding(2, d6) * 2 - d6 <= 20).chance(True) == 1 - sum(
        far.at_least(-(-(21 + face) // 2)) for face in range(1, 7)
    ) / Fraction(6)
    assert odds(2 @ d6 < exploding(1, d6)).chance(True) == sum(
        chance * exploding(1, d6, ceiling=40).odds().at_least(value + 1)
        for value, chance in odds(2 @ d6).chances().items()
    )


def test_a_die_is_neither_true_nor_false() -> None:
    with pytest.raises(TypeError, match=r"d6 > 3\) has no value before it is thrown: write \(yield from …\)"):
        bool(d6 > 3)


def test_operators_are_read_in_lanes_too() -> None:
    @rule
    def check(bonus: int, target: int) -> Rolls[bool]:
        return (yield from 2 @ d6 + bonus >= target)

    grid = odds_grid(check, bonus=range(4), target=range(5, 9))
    assert grid[1, 8].chance(True) == Fraction(7, 12)
    assert all(grid[point] == Weigher().weigh(check(*point)) for point in grid)
