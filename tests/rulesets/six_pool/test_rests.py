"""Rests, hit points and broken pools: SP+03, SP+04, SP+05."""

from __future__ import annotations

from fractions import Fraction

import pytest

from astragal.chance import odds
from astragal.game import Teller
from astragal.game.display import Proposal
from astragal.rulesets.six_pool import SIX_POOL
from astragal.rulesets.six_pool.catalogue import CLASSES, Pool
from astragal.rulesets.six_pool.pools import short_rest
from astragal.rulesets.six_pool.state import Numbers, Points
from tests.rulesets.six_pool.conftest import Open
from tests.rulesets.six_pool.playing import Playing


def test_a_short_rest_gives_a_die_and_the_level() -> None:
    """SP+03: 1d6 + level."""
    assert odds(short_rest(5)).chances() == {points: Fraction(1, 6) for points in range(6, 12)}


def turns(playing: Playing) -> list[tuple[str, str]]:
    """What waits for Kira's player to do, in words."""
    return [(one.command, one.about) for one in proposed(playing)]


def proposed(playing: Playing) -> list[Proposal]:
    """What the game proposes to Kira's player."""
    state, kira = playing.look("Ada"), playing.who("Kira").id
    found = (
        one
        for chapter in SIX_POOL.chapters
        for asks in chapter.proposals
        for one in asks(state, Teller(state, state.terms))
    )
    return [one for one in found if one.who == kira]


def test_a_short_rest_is_spread_as_the_player_likes(playing: Playing) -> None:
    """SP+03: over depleted pools, up to what was rolled."""
    playing.check(10, points=5)
    playing.check(10, pool="CON", points=3)
    assert playing.refused("Bo", "recover", who="Kira") == "not_rested"
    playing.act("Ada", "rest")
    assert turns(playing) == [("recover", "Roll for the points of a short rest.")]
    playing.roll(5)
    playing.act("Bo", "recover", who="Kira")
    assert playing.refused("Bo", "recover", who="Kira") == "not_rested"
    assert turns(playing) == [("spread", "6 points to spread over your pools.")]
    assert playing.sentence("Bo", "spread", who="Kira", points={"DEX": 7}) == "Kira has 6 points to spread, not 7."
    assert playing.sentence("Bo", "spread", who="Kira", points={"CON": 4}) == "Kira's CON has room for 3, not 4."
    assert playing.refused("Bo", "spread", who="Kira", points={"LUCK": 1}) == "no_pool"
    assert playing.refused("Bo", "spread", who="Kira", points={"C": 1}) == "no_pool", "CON or CHA"
    assert playing.sentence("Bo", "spread", who="Kira", points={}) == "Kira has 6 points to spread, not 0."
    playing.act("Bo", "spread", who="Kira", points={"CON": 1})
    playing.act("Bo", "spread", who="Kira", points={"dex": 4, "CON": 1})
    assert (playing.held("Kira", Pool.DEX), playing.held("Kira", Pool.CON)) == (17, 11)
    assert playing.refused("Bo", "spread", who="Kira", points={"CON": 1}) == "not_held"


def test_points_are_proposed_to_where_most_is_lacking(playing: Playing) -> None:
    """SP+03: it is the player's to spread them: DEX lacks 5 and CON 3, so 6 points leave 1 lacking in each."""
    playing.check(10, points=5)
    playing.check(10, pool="CON", points=3)
    playing.act("Ada", "rest")
    playing.roll(5)
    playing.act("Bo", "recover", who="Kira")
    (turn,) = proposed(playing)
    assert dict(turn.fields) == {"who": playing.who("Kira").id, "points": {"DEX": 4, "CON": 2}}
    playing.act("Bo", turn.command, **dict(turn.fields))
    assert (playing.held("Kira", Pool.DEX), playing.held("Kira", Pool.CON)) == (17, 11)
    playing.act("Ada", "rest")
    playing.roll(6)
    playing.act("Bo", "recover", who="Kira")
    (turn,) = proposed(playing)
    assert dict(turn.fields)["points"] == {"DEX": 1, "CON": 1}, "no more than there is room for"


def test_points_of_a_short_rest_wait_until_they_are_spread(playing: Playing) -> None:
    """SP+03: those of a second rest come to them."""
    playing.check(10, points=5)
    playing.check(10, pool="CON", points=3)
    for face in (2, 4):
        playing.act("Ada", "rest")
        playing.roll(face)
        playing.act("Bo", "recover", who="Kira")
    assert playing.game().recovered == {playing.who("Kira").id: 8}
    assert playing.due() == ["Kira: 8 points to spread over your pools (spread)."]  # and Lund, who lacks nothing, none
    playing.act("Bo", "spread", who="Kira", points={"DEX": 5, "CON": 3})
    assert (playing.held("Kira", Pool.DEX), playing.held("Kira", Pool.CON)) == (18, 12)
    assert playing.due() == []


def test_care_gives_what_a_long_rest_gives_and_heals_at_every_table(open_table: Open) -> None:
    """SP+03: pools are full, nothing is left to spread, and hit points return where a night gives none."""
    playing = open_table(long_rest_heals=False)
    playing.check(10, points=5)
    playing.roll(3)
    playing.act("Ada", "harm", who="Kira", damage="1d6")
    playing.act("Ada", "rest")
    playing.act("Ada", "rest", kind="long")
    assert playing.sheet("Kira").numbers.harm == 3
    playing.check(10, points=5)
    playing.act("Ada", "rest")
    playing.act("Ada", "rest", kind="care")
    assert (playing.held("Kira", Pool.DEX), playing.sheet("Kira").numbers.harm) == (18, 0)
    assert playing.refused("Bo", "recover", who="Kira") == "not_rested"


def test_a_long_rest_gives_all(playing: Playing) -> None:
    """SP+03, SP-02, SP-03: every pool is full, and nothing is left to spread; a short rest alone gave no points."""
    playing.check(10, points=5)
    playing.act("Ada", "rest")
    assert playing.held("Kira", Pool.DEX) == 13
    playing.act("Ada", "rest", kind="long")
    assert playing.held("Kira", Pool.DEX) == 18
    assert playing.refused("Bo", "recover", who="Kira") == "not_rested"


def test_a_long_rest_takes_nothing_from_those_who_did_not_have_one(playing: Playing) -> None:
    """SP+03: Lund's short rest still waits for its roll, and then for its points to be spread."""
    playing.check(10, points=5)
    playing.act("Ada", "rest")
    for faces in ((), (3, 4)):
        for name, face in zip(("Kira", "Lund"), faces, strict=False):
            playing.roll(face)
            playing.act("Ada", "recover", who=name)
        playing.act("Ada", "rest", kind="long", who=["Kira"])
        waits = (playing.game().resting, playing.game().recovered)
        lund = playing.who("Lund").id
        assert waits == (((), {lund: 9}) if faces else ((lund,), {}))
        playing.act("Ada", "rest", who=["Kira"])


def test_rests_can_be_switched_off(open_table: Open) -> None:
    """SP+03: option `rests`."""
    playing = open_table(rests=False)
    playing.check(10, points=5)
    playing.act("Ada", "rest", kind="long")
    playing.act("Ada", "rest")
    assert playing.held("Kira", Pool.DEX) == 13
    assert playing.refused("Bo", "recover", who="Kira") == "not_rested"


# ---------------------------------------------------------------- hit points


@pytest.mark.parametrize(
    ("name", "base"),
    [
        ("fighter", 12),
        ("rogue", 10),
        ("ranger", 11),
        ("barbarian", 14),
        ("wizard", 8),
        ("cleric", 10),
        ("warlock", 10),
        ("bard", 10),
    ],
)
def test_hit_points_are_the_class_and_a_third_of_con(name: str, base: int) -> None:
    """SP+04: rounded down."""
    assert CLASSES[name].hit_points == base
    for con, more in ((10, 3), (11, 3), (12, 4), (18, 6)):
        numbers = Numbers(pools={Pool.CON: Points(most=con, now=0)}, sturdiness=base)
        assert numbers.hit_points_most == base + more


def test_armour_class_is_ten_and_armour(playing: Playing) -> None:
    """SP+04: and it changes with what is worn."""
    assert playing.sheet("Lund").numbers.armour_class == 16
    playing.act("Cy", "wear", who="Lund", armour=1)
    assert playing.sheet("Lund").numbers.armour_class == 11


def test_at_nothing_one_is_down_and_a_point_brings_one_up(playing: Playing) -> None:
    """SP+04: damage beyond the last point is lost; the fallen are not felled again."""
    playing.roll(20, 5, 8)
    felled = playing.act("Cy", "attack", who="Lund", target="Guard", damage="1d8+3")
    assert "went_down" in playing.names(felled)
    assert playing.sheet("Guard").numbers.hit_points == 0
    assert "went_down" not in playing.names(playing.act("Ada", "harm", who="Guard", damage="3"))
    assert playing.names(playing.act("Ada", "heal", who="Guard", points=1)) == ["gained", "got_up"]
    playing.roll(12)
    playing.act("Ada", "check", who="Guard", skill="perception", dc=10)


def test_what_becomes_of_a_hero_who_is_down_is_due_until_it_is_said(playing: Playing) -> None:
    """SP+04: of nobody else, and not at one hit point."""
    playing.act("Ada", "harm", who="Guard", damage="99")
    playing.act("Ada", "harm", who="Kira", damage="13")
    assert playing.due() == []
    playing.act("Ada", "harm", who="Kira", damage="1")
    assert playing.due() == ["Kira is down: say what that means (record_fate), or let somebody help (heal)."]
    playing.act("Ada", "record_fate", who="Kira", fate="captured")
    assert playing.due() == []


def test_players_are_not_told_what_a_rest_gives_to_whom_they_do_not_see_through(playing: Playing) -> None:
    """SP+03: it would tell them what was missing; where the guard stands they are not told of harm either."""
    playing.act("Ada", "harm", who="Guard", damage="3")
    playing.act("Ada", "rest", kind="long", who=["Guard"])
    assert playing.words("Ada")[-1] == "Guard regains 3 hit points"
    assert playing.words("Cy")[-2:] == ["Guard loses 3 hit points", "a long rest for Guard"]


def test_who_is_down_can_save_and_nothing_else(playing: Playing) -> None:
    """SP+04: our ruling on what down means."""
    playing.act("Ada", "harm", who="Kira", damage="99")
    assert playing.sentence("Bo", "check", who="Kira", pool="STR", dc=5) == "Kira is down and can make saves only."
    assert playing.refused("Bo", "attack", who="Kira", ac=5) == "down"
    playing.roll(12)
    playing.act("Bo", "save", who="Kira", threat="death", dc=10)


def test_nobody_is_healed_past_the_most(playing: Playing) -> None:
    """SP+04: 14 for a rogue with CON 12."""
    playing.roll(3)
    playing.act("Ada", "harm", who="Kira", damage="1d4+1", why="a fall")
    assert playing.sheet("Kira").numbers.hit_points == 10
    playing.act("Ada", "heal", who="Kira", points=50)
    assert playing.sheet("Kira").numbers.hit_points == 14
    assert playing.refused("Ada", "heal", who="Kira", points=1) == "full"


@pytest.mark.parametrize(("heals", "left"), [(True, 14), (False, 9)])
def test_a_long_rest_heals_unless_the_table_says_no(open_table: Open, heals: bool, left: int) -> None:
    """SP+04, SP+03: option `long_rest_heals`, since the ledger is silent."""
    playing = open_table(long_rest_heals=heals)
    playing.act("Ada", "harm", who="Kira", damage="5")
    playing.act("Ada", "rest", kind="long")
    assert playing.sheet("Kira").numbers.hit_points == left


def test_hit_points_can_be_switched_off(open_table: Open) -> None:
    """SP+04: option `hit_points`: damage is told, and nothing is kept."""
    playing = open_table(hit_points=False)
    assert playing.refused("Cy", "attack", who="Lund", target="Guard") == "no_ac"
    playing.roll(15, 6)
    outcome = playing.act("Cy", "attack", who="Lund", target="Guard", ac=12)
    assert playing.told(outcome, "attacked")["damage"] == 6
    assert "lost" not in playing.names(outcome)
    assert playing.refused("Ada", "harm", who="Guard", damage="3") == "switched_off"
    playing.act("Ada", "override", who="Kira", what="hit points", value=0)
    assert playing.due() == []
    assert playing.rolled(playing.check(12))["success"] is True


# ---------------------------------------------------------------- broken pools


def test_an_empty_pool_is_broken_until_a_point_returns(playing: Playing) -> None:
    """SP+05: disadvantage on its rolls, and on no others."""
    playing.act("Ada", "override", who="Kira", what="DEX", value=2)
    assert playing.rolled(playing.check(12, points=2))["footing"] == "level"
    roll = playing.rolled(playing.check(12, 5))
    assert (roll["natural"], roll["because"]) == (5, ["broken pool"])
    assert playing.rolled(playing.check(12, pool="STR"))["footing"] == "level"
    playing.act("Ada", "override", who="Kira", what="DEX", value=1)
    assert playing.rolled(playing.check(12))["footing"] == "level"


def test_who_has_no_pool_has_none_to_break(playing: Playing) -> None:
    """SP+05, SP-13: a guard without pools rolls one die."""
    playing.roll(12)
    rolled = playing.act("Ada", "check", who="Guard", skill="perception", dc=10)
    assert playing.rolled(rolled)["footing"] == "level"


def test_broken_pools_can_be_switched_off(open_table: Open) -> None:
    """SP+05: option `broken_pools`."""
    playing = open_table(broken_pools=False)
    playing.act("Ada", "override", who="Kira", what="DEX", value=0)
    assert playing.rolled(playing.check(12))["footing"] == "level"
