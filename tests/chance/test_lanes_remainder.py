"""The last lanes of a question are walked one by one, and come to the same."""

from enum import Enum
from typing import Any

import pytest

from astragal.chance import Notable, Odds, Offer, Question, Rolls, Together, d4, d6, d8, d20, odds, rule
from astragal.chance.lanes import LaneWeigher, NotInLanes
from astragal.chance.lanes.weighing import FEW_LANES, MOST_PATHS, PathWalker
from astragal.chance.weigh import Weigher


class Fate(Enum):
    LUCKY = "lucky"
    HIT = "hit"
    MISS = "miss"


@rule
def margin(score: int) -> Rolls[int]:
    return score - (yield from d20)


@rule
def rare_turns(score: int, tokens: int) -> Rolls[tuple[Fate, int]]:
    """A natural 1 or 20 parts from the rest, then a decision, a question with lanes inside and a further die."""
    mine, theirs = (yield from d20), (yield from d6)
    if mine == 1:
        return Fate.LUCKY, (yield from d4)
    if mine == 20:
        return Fate.MISS, (yield from margin(theirs))
    if mine > score and mine - score <= tokens:
        lacking = mine - score
        spent = yield from Offer("me", "spend", (0, lacking), (Notable(lacking, lacking, Fate.HIT),), about=theirs)
        return (Fate.HIT if spent else Fate.MISS), spent
    return (Fate.HIT if theirs <= mine <= score else Fate.MISS), 0


@rule
def rare_bids() -> Rolls[tuple[int, ...]]:
    """Two decide together where both dice are high."""
    mine, theirs = (yield from d20), (yield from d20)
    if mine + theirs > 37:
        mine_more, theirs_more = yield from Together((Offer("me", "bid", (0, 1)), Offer("you", "bid", (2, 1))))
        return mine + mine_more, theirs + theirs_more
    return (mine > theirs,)


@rule
def many_dice_follow() -> Rolls[int]:
    """What parts early has only few lanes, and still very many paths."""
    first, second = (yield from d20), (yield from d20)
    if first == second == 20:
        return (yield from d20) + (yield from d20) + (yield from d8)
    if first == second == 1:
        return (yield from d20) - (yield from d20)
    return first > second


def taking(offer: Offer[Any]) -> Any:
    return offer.options[-1]


@pytest.fixture
def walked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many paths were walked, each time that stragglers were."""
    counted: list[int] = []
    walk = PathWalker.walked

    def counting(self: PathWalker, start: Any) -> Any:
        found = walk(self, start)
        if found is not None:
            counted.append(len(found))
        return found

    monkeypatch.setattr(PathWalker, "walked", counting)
    return counted


@pytest.mark.parametrize("question", [rare_turns(11, 3), rare_turns(15, 9), rare_bids()], ids=str)
def test_lanes_that_end_path_by_path_say_what_path_by_path_says(question: Question[Any], walked: list[int]) -> None:
    for policy in (taking, lambda offer: offer.default):
        assert LaneWeigher(policy).in_lanes(question) == Weigher(policy).weigh(question)
    assert walked
    assert max(walked) <= MOST_PATHS


def test_where_many_dice_follow_they_go_on_as_lanes(walked: list[int]) -> None:
    assert LaneWeigher().in_lanes(many_dice_follow()) == Weigher().weigh(many_dice_follow())
    assert all(paths <= FEW_LANES for paths in walked)


@rule
def a_key_each() -> Rolls[int]:
    first, second = (yield from d20), (yield from d20)
    return len({first, second})


def test_where_every_path_has_a_key_of_its_own_lanes_give_way_at_once() -> None:
    with pytest.raises(NotInLanes, match="as a key"):
        LaneWeigher().in_lanes(a_key_each(), paths=400)
    assert odds(a_key_each()) == Odds({1: 1, 2: 19}, 20)


def test_odds_that_are_known_are_not_found_again() -> None:
    """Whoever was asked before may hand over what it found."""
    assert LaneWeigher(known={d6: Odds({6: 1}, 1)}).in_lanes(throws_two()) == Odds({12: 1}, 1)


@rule
def throws_two() -> Rolls[int]:
    return (yield from d6) + (yield from d6)


def test_a_draw_of_several_forms_is_not_walked_twice() -> None:
    """A run that comes back for the second form of a draw has that form alone to its name."""

    @rule
    def high_and_lucky() -> Rolls[tuple[bool, bool]]:
        high = (yield from d6) > 3
        return high, (yield from lucky())

    @rule
    def lucky() -> Rolls[bool]:
        return (yield from d6) == 6

    assert LaneWeigher().in_lanes(high_and_lucky()) == Weigher().weigh(high_and_lucky())
