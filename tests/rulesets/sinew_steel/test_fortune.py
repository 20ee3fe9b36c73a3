"""Luck at the table: rests, grants, milestones, and the price of a rewind."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.rulesets.sinew_steel.state import Scores
from astragal.table.declarations import replace
from astragal.table.refusals import Refusal
from tests.rulesets.sinew_steel.conftest import Open
from tests.rulesets.sinew_steel.playing import Playing


def with_tokens_spent(playing: Playing, tokens: int) -> Playing:
    """Kira spends so many on a test that she wants to be asked about."""
    playing.roll(10)
    playing.answer("Bo", playing.test("Bo", "Kira", "MGT", ask=True), -tokens)
    return playing


def test_the_luck_attribute_is_the_size_of_the_pool(playing: Playing) -> None:
    """SS-20"""
    assert (playing.sheet("Kira").luck, playing.sheet("Kira").luck_most) == (8, 8)


def test_spend_rest_and_milestone(open_table: Open) -> None:
    """SS-20, SS-26, SS-27: Luck 10, spend 4: 6 (30 %); after a rest 7 (35 %); after a milestone 10 again."""
    playing = open_table()
    playing.act("Bo", "make_hero", name="Kira")
    with_tokens_spent(playing, 4)
    assert playing.sheet("Kira").luck == 6
    playing.act("Ada", "rest")
    assert playing.sheet("Kira").luck == 7
    playing.act("Ada", "refill_luck", who="Kira")
    assert playing.sheet("Kira").luck == 10


@pytest.mark.parametrize(("luck_rest", "short", "night"), [("short", 1, 1), ("night", 0, 1)])
def test_which_rest_gives_a_token(open_table: Open, luck_rest: str, short: int, night: int) -> None:
    """SS-26: care gives none in any case."""
    playing = open_table(luck_rest=luck_rest)
    playing.act("Bo", "make_hero", name="Kira")
    with_tokens_spent(playing, 4)
    playing.act("Ada", "rest", kind="short")
    assert playing.sheet("Kira").luck == 6 + short
    playing.act("Ada", "rest", kind="long")
    assert playing.sheet("Kira").luck == 6 + short + night
    playing.act("Ada", "rest", kind="care")
    assert playing.sheet("Kira").luck == 6 + short + night


def test_a_rest_never_fills_past_the_pool(playing: Playing) -> None:
    """SS-26"""
    playing.act("Ada", "rest")
    assert playing.sheet("Kira").luck == 8


def test_the_custodian_may_grant_none(playing: Playing) -> None:
    """SS-26: a night on poisoned ground."""
    with_tokens_spent(playing, 4)
    playing.act("Ada", "luck_from_rest", given=False)
    playing.act("Ada", "rest")
    assert playing.sheet("Kira").luck == 4


def test_the_custodian_can_grant_more_up_to_the_pool(playing: Playing) -> None:
    """SS-26"""
    with_tokens_spent(playing, 4)
    playing.act("Ada", "grant_luck", who="Kira", points=3)
    assert playing.sheet("Kira").luck == 7
    playing.act("Ada", "grant_luck", who="Kira", points=3)
    assert playing.sheet("Kira").luck == 8
    with pytest.raises(Refusal, match="Kira has 8 of 8 Luck already"):
        playing.act("Ada", "grant_luck", who="Kira")


@pytest.mark.parametrize(("face", "held"), [(2, 6), (4, 8)])
def test_a_blessing_is_rolled(playing: Playing, face: int, held: int) -> None:
    """SS-26: 1d4."""
    with_tokens_spent(playing, 4)
    playing.roll(face)
    outcome = playing.act("Ada", "bless", who="Kira")
    assert playing.told(outcome, "rolled")["dice"][0]["sides"] == 4
    assert playing.sheet("Kira").luck == held


def test_a_blessing_stops_at_the_pools_size(playing: Playing) -> None:
    """SS-26"""
    with_tokens_spent(playing, 1)
    playing.roll(4)
    playing.act("Ada", "bless", who="Kira")
    assert playing.sheet("Kira").luck == 8


def test_a_blessing_does_not_tell_a_score_that_is_hidden(playing: Playing) -> None:
    """SS-26: the room in a pool and the tokens in it add up to it."""
    playing.act("Ada", "make_npc", name="Warden", score=13)
    playing.roll(2)
    playing.act("Ada", "bless", who="Warden")
    (rolled,) = [one for one in playing.host.follow(playing.table, playing.seats["Bo"]).events if one.name == "rolled"]
    assert "13" not in str(rolled.fields["question"])


def test_past_the_pools_size_only_by_declared_override(playing: Playing) -> None:
    """SS-26: a rest or a milestone does not take it back."""
    playing.act("Ada", "override", who="Kira", what="luck", value=12, why="the saint’s bone")
    playing.act("Ada", "rest")
    assert (playing.sheet("Kira").luck, playing.sheet("Kira").luck_most) == (12, 8)
    playing.roll(12)
    outcome = playing.act("Bo", "luck_test", who="Kira", why="blind chance", stakes="the patrol")
    assert playing.told(outcome, "luck_tried")["roll"]["degree"] == "success"


def test_a_higher_luck_attribute_is_a_larger_pool(playing: Playing) -> None:
    """SS-27"""
    sheet = playing.sheet("Kira")
    raised = replace(sheet, scores=Scores(open={**sheet.scores.open, "LCK": 9}))
    assert (raised.luck_most, raised.luck) == (9, 8)


def test_npcs_have_no_tokens_unless_given_some(playing: Playing) -> None:
    """SS-28: not by resting either."""
    guard = playing.who("Guard")
    playing.act("Ada", "rest", who=[guard.id])
    assert playing.sheet("Guard").luck == 0
    playing.roll(15)
    assert playing.test("Ada", "Guard", "MGT").waits_for == ()
    playing.act("Ada", "grant_luck", who="Guard", points=5)
    playing.roll(15)
    waits = playing.test("Ada", "Guard", "MGT")
    playing.answer("Ada", waits, -5)
    assert playing.sheet("Guard").luck == 0


# ---------------------------------------------------------------- rewinds


def node_at(playing: Playing) -> str:
    playing.act("Ada", "mark_save_node", label="the gate")
    (node,) = playing.look("Ada").nodes
    return node


def rewind(playing: Playing, node: str, **price: Any) -> None:
    playing.act("Ada", "rewind", node=node, **{"price": "luck", **price})


def test_a_rewind_returns_spends_and_drains_luck_from_each_hero(playing: Playing) -> None:
    """SS-65: one who holds fewer loses all; the custodian's people pay nothing."""
    node = node_at(playing)
    with_tokens_spent(playing, 4)
    rewind(playing, node, amount=9)
    assert (playing.sheet("Kira").luck, playing.sheet("Lund").luck, playing.sheet("Guard").luck) == (0, 1, 0)


def test_prices_of_two_rewinds_add_up(playing: Playing) -> None:
    """SS-65"""
    node = node_at(playing)
    rewind(playing, node, amount=2)
    rewind(playing, node, amount=2)
    assert (playing.sheet("Kira").luck, playing.sheet("Lund").luck) == (4, 6)


def test_luck_pays_for_nothing_where_nobody_holds_any(playing: Playing) -> None:
    """SS-65"""
    node = node_at(playing)
    rewind(playing, node, amount=20)
    with pytest.raises(Refusal, match="Nobody has any Luck to spare"):
        rewind(playing, node)


@pytest.mark.parametrize("command", ["bless", "refill_luck"])
def test_a_full_pool_is_given_nothing(playing: Playing, command: str) -> None:
    """SS-26, SS-20: refused with the number held, and no die falls."""
    playing.roll(4)
    assert playing.sentence("Ada", command, who="Kira") == "Kira holds 8 tokens already; the pool is full."
    assert playing.dice.faces == [4]


def test_the_log_says_whether_rests_give_luck(playing: Playing) -> None:
    """SS-26"""
    playing.act("Ada", "luck_from_rest", given=False)
    playing.act("Ada", "luck_from_rest", given=True)
    assert playing.words("Bo")[-2:] == ["rest gives no Luck from now on", "rest gives Luck from now on"]
