"""SS-61, SS-62 and the sacrifice of SS-56: what points buy, and what is given up."""

from collections.abc import Iterable
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.game.point_buy import Build
from astragal.rulesets.sinew_steel.fuse import sacrifice
from astragal.rulesets.sinew_steel.options import MilestoneOption
from astragal.rulesets.sinew_steel.scores import STAMINA, frame_of
from astragal.rulesets.sinew_steel.story import NotForSale, Standing, bought, buy, points_given, price, settled
from astragal.table.declarations import replace

BUILD_POINTS, PAIRED, FLAT = MilestoneOption
KEYS = ("MGT", "REF", "INT", "EMP", "LCK", STAMINA)
SCOUT = {"MGT": 9, "REF": 14, "INT": 12, "EMP": 8, "LCK": 7, STAMINA: 5}


def scout(points: int = 0, stamina: int = 5, tokens: int = 7, **scores: int) -> Standing:
    return Standing({**SCOUT, **scores}, "LCK", stamina, tokens, points)


class Purchase(NamedTuple):
    key: str
    rise: int
    price: int


def purchases(scores: Build, points: int, option: MilestoneOption) -> tuple[Purchase, ...]:
    """Everything that the points held can buy now, one score at a time."""
    return tuple(
        Purchase(key, rise, cost)
        for key, score in scores.items()
        for rise in range(1, frame_of(key).most - score + 1)
        if (cost := price(key, score, rise, option)) is not None and cost <= points
    )


def milestone(standing: Standing, rises: Iterable[tuple[str, int]], option: MilestoneOption) -> Standing:
    """Points are given, spent as asked, and then the pool is filled."""
    given = replace(standing, points=standing.points + points_given(option))
    return settled(bought(given, rises, option), option)


standings = st.builds(
    lambda attributes, stamina, points: Standing(
        dict(zip(KEYS, (*attributes, stamina), strict=True)), "LCK", stamina, attributes[4], points
    ),
    st.tuples(*[st.integers(6, 16)] * 5),
    st.integers(3, 9),
    st.integers(0, 8),
)


def test_a_point_buys_a_rise_below_baseline_and_two_buy_one_from_there_on() -> None:
    """SS-61: all that a milestone's two points can buy for the scout of the book."""
    assert points_given(BUILD_POINTS) == 2
    assert purchases(SCOUT, 2, BUILD_POINTS) == (
        Purchase("MGT", 1, 1),
        Purchase("REF", 1, 2),
        Purchase("INT", 1, 2),
        Purchase("EMP", 1, 1),
        Purchase("EMP", 2, 2),
        Purchase("LCK", 1, 1),
        Purchase("LCK", 2, 2),
        Purchase(STAMINA, 1, 2),
    )
    assert price("MGT", 9, 3, BUILD_POINTS) == 1 + 2 + 2


def test_unspent_points_are_kept() -> None:
    """SS-61: and can be spent later, or with the next milestone's."""
    after = milestone(scout(), [("MGT", 1)], BUILD_POINTS)
    assert (after.scores["MGT"], after.points) == (10, 1)
    later = milestone(after, [("MGT", 1)], BUILD_POINTS)
    assert (later.scores["MGT"], later.points) == (11, 1)


def test_in_pairs_none_is_kept() -> None:
    """SS-61, option `paired`: options A to D of the book, and nothing past baseline in a double step."""
    assert purchases(SCOUT, points_given(PAIRED), PAIRED) == (
        Purchase("MGT", 1, 2),
        Purchase("REF", 1, 2),
        Purchase("INT", 1, 2),
        Purchase("EMP", 1, 2),
        Purchase("EMP", 2, 2),
        Purchase("LCK", 1, 2),
        Purchase("LCK", 2, 2),
        Purchase(STAMINA, 1, 2),
    )
    assert milestone(scout(), [("MGT", 1)], PAIRED).points == 0
    assert milestone(scout(), [], PAIRED).points == 0
    assert price("MGT", 9, 2, PAIRED) is None
    with pytest.raises(NotForSale, match="can't be bought at once"):
        milestone(scout(), [("MGT", 2)], PAIRED)


def test_a_flat_milestone_is_one_rise() -> None:
    """SS-61, option `flat`: +1 to an attribute or to Stamina, whatever the score."""
    assert {(one.key, one.rise) for one in purchases(SCOUT, points_given(FLAT), FLAT)} == {(key, 1) for key in KEYS}
    assert milestone(scout(), [("REF", 1)], FLAT).scores["REF"] == 15
    with pytest.raises(NotForSale, match="costs 1 and 0 are held"):
        milestone(scout(), [("REF", 1), ("MGT", 1)], FLAT)


def test_the_refill_follows_the_purchases() -> None:
    """SS-61: Luck bought at the milestone is filled at once."""
    assert milestone(scout(tokens=2), [("LCK", 2)], BUILD_POINTS).tokens == 9
    assert milestone(scout(tokens=2), [], BUILD_POINTS).tokens == 7
    assert settled(scout(tokens=9), BUILD_POINTS).tokens == 9


def test_luck_bought_later_raises_the_pool_only_and_stamina_the_present_value_too() -> None:
    """SS-61: outside a milestone a token is not given with the pool."""
    luckier = buy(scout(points=3, stamina=2, tokens=4), "LCK", 1, BUILD_POINTS)
    assert (luckier.scores["LCK"], luckier.tokens, luckier.stamina) == (8, 4, 2)
    after = buy(luckier, STAMINA, 1, BUILD_POINTS)
    assert (after.scores[STAMINA], after.stamina, after.points) == (6, 3, 0)


def test_the_rails_are_ceilings() -> None:
    """SS-62: 16 and 9, under every option and with any number of points."""
    topped = {"MGT": 16, "REF": 15, "INT": 16, "EMP": 16, "LCK": 16, STAMINA: 9}
    for option in MilestoneOption:
        assert {(one.key, one.rise) for one in purchases(topped, 99, option)} == {("REF", 1)}
    with pytest.raises(NotForSale, match="STM is 9; 10 would be past its ceiling of 9"):
        buy(scout(points=9, STM=9), STAMINA, 1, BUILD_POINTS)


def test_what_is_not_held_is_not_spent() -> None:
    """SS-61: the refusal has the numbers."""
    with pytest.raises(NotForSale, match=r"REF \+1 costs 2 and 1 are held\."):
        buy(scout(points=1), "REF", 1, BUILD_POINTS)


@pytest.mark.slow
@given(standings, st.sampled_from(MilestoneOption))
def test_what_is_offered_can_be_bought_and_nothing_else(before: Standing, option: MilestoneOption) -> None:
    """SS-61, SS-62: the list of purchases is exact."""
    offered = {(one.key, one.rise): one.price for one in purchases(before.scores, before.points, option)}
    for key in KEYS:
        for rise in range(-1, 12):
            if (key, rise) not in offered:
                with pytest.raises(NotForSale):
                    buy(before, key, rise, option)
                continue
            after = buy(before, key, rise, option)
            assert after.points == before.points - offered[key, rise] >= 0
            assert after.scores == {**before.scores, key: before.scores[key] + rise}
            assert after.scores[key] <= frame_of(key).most


def test_a_sacrifice_above_baseline_gives_a_point_back() -> None:
    """SS-56: a drop by 1 within the rails; at or below baseline nothing comes back, never credit."""
    back = {key: sacrifice(scout(), key).points for key in SCOUT}
    assert back == {"MGT": 0, "REF": 1, "INT": 1, "EMP": 0, "LCK": 0, STAMINA: 0}
    assert sacrifice(scout(), "REF") == scout(points=1, REF=13)
    assert sacrifice(scout(), "MGT") == scout(MGT=8)
    with pytest.raises(NotForSale, match="EMP is 6 and can't drop below 6"):
        sacrifice(scout(EMP=6), "EMP")


def test_what_is_held_is_capped_to_the_new_size() -> None:
    """SS-56: tokens and Stamina; less than that is left alone."""
    assert sacrifice(scout(), "LCK").tokens == 6
    assert sacrifice(scout(tokens=3), "LCK").tokens == 3
    assert sacrifice(scout(), STAMINA).stamina == 4
    assert sacrifice(scout(stamina=1), STAMINA).stamina == 1
    assert sacrifice(scout(), "MGT").tokens == 7
