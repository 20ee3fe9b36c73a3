"""Group checks and help: SP-14, SP-15."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from astragal.chance import odds
from astragal.game.display import Pips
from astragal.rulesets.six_pool import SIX_POOL
from astragal.rulesets.six_pool.catalogue import Pool
from astragal.rulesets.six_pool.teamwork import MOST_MEMBERS, Group, Member, group_check
from tests.rulesets.six_pool.conftest import Open
from tests.rulesets.six_pool.playing import Playing


@pytest.mark.parametrize(("made", "of", "success"), [(1, 2, True), (1, 3, False), (2, 4, True), (0, 2, False)])
def test_a_group_succeeds_if_at_least_half_do(made: int, of: int, success: bool) -> None:
    """SP-14: at least half."""
    assert Group(made, of).success is success


def test_the_odds_of_a_group() -> None:
    """SP-14: two of three at 55 %, 80 % and 5 %."""
    members = (Member(5), Member(10), Member(-40))
    one, two, three = (Fraction(percent, 100) for percent in (55, 80, 5))
    wanted = one * two + one * three + two * three - 2 * one * two * three
    assert odds(group_check(15, members)).chance(lambda group: group.success) == wanted


def test_the_odds_of_twelve_are_those_of_twelve_coins() -> None:
    """SP-14: each makes it on 11 or more."""
    group = odds(group_check(11, (Member(),) * MOST_MEMBERS))
    assert {made.made: group.chance(made) for made in group.weights} == {
        made: Fraction(comb(MOST_MEMBERS, made), 2**MOST_MEMBERS) for made in range(MOST_MEMBERS + 1)
    }


def test_a_large_group_is_counted_by_heads_not_by_the_ways_its_dice_can_fall() -> None:
    """SP-14: twelve who roll with different bonuses can fall in 4,096 ways."""
    members = tuple(Member(bonus) for bonus in range(MOST_MEMBERS))
    assert len(odds(group_check(15, members), most_paths=1000).weights) == MOST_MEMBERS + 1


def called(playing: Playing, **fields: object) -> dict[str, str]:
    """A group check of Kira and Lund on stealth against 15: each one's request."""
    outcome = playing.act("Ada", "call_group_check", **{"skill": "stealth", "dc": 15, **fields})
    members = playing.told(outcome, "group_check_called")["group"]["members"]
    return {name: members[playing.who(name).id] for name in ("Kira", "Lund")}


def lund(playing: Playing, request: str, face: int) -> list[str]:
    playing.roll(face)
    return playing.names(playing.act("Cy", "check", who="Lund", skill="stealth", request=request))


def test_all_roll_and_exactly_half_succeed(playing: Playing) -> None:
    """SP-14: the last die decides for everyone."""
    requests = called(playing)
    assert "group_check_decided" not in playing.names(playing.check(2, request=requests["Kira"]))
    playing.roll(10)
    decided = playing.act("Cy", "check", who="Lund", skill="stealth", request=requests["Lund"])
    assert playing.told(decided, "group_check_decided") | {"group": ""} == {
        "group": "",
        "made": 1,
        "of": 2,
        "success": True,
    }
    assert not playing.game().groups
    assert not playing.look("Ada").requests


def test_naturals_decide_their_own_roll_only(playing: Playing) -> None:
    """SP-14: a 20 beside two failures is one of three."""
    third = playing.act("Ada", "make_npc", name="Squire").events[0].fields["who"]
    members = [playing.who("Kira").id, playing.who("Lund").id, third]
    requests = called(playing, members=members)
    playing.check(20, request=requests["Kira"])
    lund(playing, requests["Lund"], 1)
    playing.roll(2)
    (request,) = playing.look("Ada").requests
    last = playing.act("Ada", "check", who="Squire", skill="stealth", request=request)
    assert playing.told(last, "group_check_decided")["success"] is False


def test_everyone_may_spend_as_usual(playing: Playing) -> None:
    """SP-14: a member's roll is a check like any other."""
    requests = called(playing)
    assert playing.rolled(playing.check(10, request=requests["Kira"], points=4))["total"] == 10 + 3 + 4
    assert playing.held("Kira", Pool.DEX) == 14


def test_the_leader_spends_on_one_ally_before_any_dice(playing: Playing) -> None:
    """SP-14: a spend of its own, from the check's pool, beside the ally's own."""
    requests = called(playing, leader="Lund")
    playing.act("Cy", "lead", who="Lund", ally="Kira", points=3)
    assert playing.held("Lund", Pool.DEX) == 9
    roll = playing.rolled(playing.check(5, request=requests["Kira"], points=4))
    assert roll["total"] == 5 + 3 + 4 + 3
    assert {"name": "leader", "amount": 3} in roll["terms"]


def test_the_leaders_points_are_never_doubled(open_table: Open) -> None:
    """SP-14, SP-20: 1 point is +1, whatever Edge does."""
    playing = open_table(edge="efficiency")
    requests = called(playing, leader="Kira")
    playing.act("Bo", "lead", who="Kira", ally="Lund", points=2)
    playing.roll(5)
    rolled = playing.act("Cy", "check", who="Lund", skill="stealth", request=requests["Lund"])
    assert playing.rolled(rolled)["total"] == 5 + 7 + 2


@pytest.mark.parametrize(
    ("who", "seat", "fields", "code"),
    [
        ("Lund", "Cy", {"ally": "Kira", "points": 5}, "effort_limit"),
        ("Lund", "Cy", {"ally": "Lund", "points": 1}, "not_in_group"),
        ("Lund", "Cy", {"ally": "Guard", "points": 1}, "not_in_group"),
        ("Kira", "Bo", {"ally": "Lund", "points": 1}, "no_leader"),
        ("Lund", "Bo", {"ally": "Kira", "points": 1}, "not_yours"),
    ],
)
def test_a_leader_keeps_to_the_limit(
    playing: Playing, who: str, seat: str, fields: dict[str, object], code: str
) -> None:
    """SP-14, SP-04: within the leader's own Effort limit, on an ally of the group."""
    called(playing, leader="Lund")
    assert playing.refused(seat, "lead", who=who, **fields) == code


def test_a_leader_is_one_of_the_group_and_can_spend_the_last_point(playing: Playing) -> None:
    """SP-14: on a bare pool, too; somebody's save that waits for a reroll is no die of the group."""
    asked = {"pool": "CON", "members": [playing.who(name).id for name in ("Kira", "Lund")]}
    refused = playing.sentence("Ada", "call_group_check", **asked, leader="Guard")
    assert refused == "Guard is not in this group."
    playing.act("Ada", "override", who="Lund", what="CON", value=2)
    assert called(playing, skill=None, **asked, leader="Lund")
    playing.act("Ada", "award_inspiration", who="Kira")
    playing.roll(2)
    assert playing.act("Bo", "save", who="Kira", pool="CON", dc=15).waits_for
    playing.act("Cy", "lead", who="Lund", ally="Kira", points=2)
    assert playing.held("Lund", Pool.CON) == 0


def test_a_leader_spends_once_and_not_after_dice(playing: Playing) -> None:
    """SP-14: one ally, before any dice."""
    requests = called(playing, leader="Lund")
    playing.act("Cy", "lead", who="Lund", ally="Kira", points=1)
    assert playing.refused("Cy", "lead", who="Lund", ally="Kira", points=1) == "once"
    playing.check(10, request=requests["Kira"])
    lund(playing, requests["Lund"], 10)
    requests = called(playing, leader="Lund")
    playing.check(10, request=requests["Kira"])
    assert playing.refused("Cy", "lead", who="Lund", ally="Kira", points=1) == "too_late"


def test_a_group_goes_on_without_somebody(playing: Playing) -> None:
    """SP-14: a request that is withdrawn leaves the others to decide."""
    requests = called(playing)
    playing.check(12, request=requests["Kira"])
    outcome = playing.act("Ada", "withdraw_request", request=requests["Lund"])
    assert playing.told(outcome, "group_check_decided")["of"] == 1


def test_those_who_are_left_decide_it_and_nobody_is_left_to_wait_for(playing: Playing) -> None:
    """SP-14: what is out is on the table for all, until the last of them has rolled or need not."""

    def board() -> list[tuple[str, int, int, str]]:
        assert SIX_POOL.board is not None
        pieces = [one for one in SIX_POOL.board(playing.look("Bo")) if isinstance(one, Pips)]
        return [(one.label, one.now, one.most, one.doc) for one in pieces]

    playing.act("Ada", "make_npc", name="Squire")
    requests = called(playing, members=[playing.who(name).id for name in ("Kira", "Lund", "Squire")])
    playing.check(12, request=requests["Kira"])
    assert board() == [("Group check: rolled", 1, 3, "Lund, Squire still to roll")]
    (squire,) = set(playing.look("Ada").requests) - set(requests.values())
    playing.act("Ada", "withdraw_request", request=squire)
    assert board() == [("Group check: rolled", 1, 2, "Lund still to roll")]
    playing.roll(2)
    decided = playing.act("Cy", "check", who="Lund", skill="stealth", request=requests["Lund"]).events
    assert [one.went.words for one in decided if one.went] == ["bad failure", "the group succeeds"]
    assert board() == []
    for request in called(playing, dc=40).values():
        playing.act("Ada", "withdraw_request", request=request)
    assert not playing.game().groups
    requests = called(playing, dc=40)
    playing.check(2, request=requests["Kira"])
    playing.roll(2)
    decided = playing.act("Cy", "check", who="Lund", skill="stealth", request=requests["Lund"]).events
    assert [one.went.words for one in decided if one.went][-1] == "the group fails"


def test_a_group_can_be_asked_in_the_dark(playing: Playing) -> None:
    """SP-14: a hidden difficulty stays hidden; whether the group made it does not."""
    requests = called(playing, hidden=True)
    outcome = playing.check(12, request=requests["Kira"])
    assert "dc" not in playing.rolled(outcome)
    assert "degree" not in playing.rolled(outcome)
    assert playing.refused("Bo", "call_group_check", skill="stealth") == "not_allowed"
    assert playing.refused("Ada", "call_group_check", members=[playing.who("Kira").id], skill="stealth") == "group_size"


def test_what_is_asked_for_must_be_rolled(playing: Playing) -> None:
    """SP-14: the same check for all, against the same difficulty."""
    requests = called(playing)
    asked = {"who": "Kira", "request": requests["Kira"]}
    assert playing.refused("Bo", "check", **asked, skill="lock picking") == "other_roll"
    assert playing.refused("Bo", "check", **asked, skill="stealth", dc=2) == "already_set"
    assert playing.refused("Bo", "save", **asked, pool="DEX") == "other_roll"


# ---------------------------------------------------------------- help


def offer(playing: Playing, **fields: object) -> str:
    outcome = playing.act("Cy", "help", **{"who": "Lund", "ally": "Kira", "skill": "stealth", **fields})
    return str(playing.told(outcome, "help_offered")["offer"]["id"])


def test_help_gives_advantage_on_the_next_roll_and_is_used_up(playing: Playing) -> None:
    """SP-15: once the game master finds it meaningful."""
    playing.act("Ada", "judge_help", offer=offer(playing))
    (helping,) = playing.look("Bo").conditions.values()
    assert (helping.name, helping.numbers) == ("help from Lund", {"advantage": 1, "next_roll": 1})
    roll = playing.rolled(playing.check(4, 15))
    assert (roll["natural"], roll["because"]) == (15, ["help from Lund"])
    assert playing.rolled(playing.check(4))["natural"] == 4


def test_the_game_master_confirms_help(playing: Playing) -> None:
    """SP-15: nothing counts before, and what is not meaningful never does."""
    helping = offer(playing)
    assert playing.rolled(playing.check(4))["footing"] == "level"
    assert playing.refused("Bo", "judge_help", offer=helping) == "not_allowed"
    playing.act("Ada", "judge_help", offer=helping, meaningful=False)
    assert playing.rolled(playing.check(4))["footing"] == "level"
    assert playing.refused("Ada", "judge_help", offer=helping) == "no_such_thing"


def test_a_helper_must_be_trained_unless_that_is_waived(playing: Playing) -> None:
    """SP-15: for skills."""
    helping = offer(playing, skill="lock picking")
    assert playing.refused("Ada", "judge_help", offer=helping) == "untrained"
    playing.act("Ada", "judge_help", offer=helping, waive_training=True)
    assert playing.rolled(playing.check(4, 9))["natural"] == 9


def test_several_helpers_give_one_advantage(playing: Playing) -> None:
    """SP-15, SP-10: and all of it is used up."""
    for _ in range(2):
        playing.act("Ada", "judge_help", offer=offer(playing, skill=None))
    assert playing.rolled(playing.check(4, 9))["footing"] == "advantage"
    assert playing.rolled(playing.check(4))["footing"] == "level"


def test_unused_help_ends_with_the_scene(playing: Playing) -> None:
    """SP-15: confirmed or not."""
    playing.act("Ada", "improvise_scene", title="The wall")
    playing.act("Ada", "judge_help", offer=offer(playing))
    offer(playing, skill=None)
    playing.act("Ada", "end_scene")
    assert not playing.game().help_offered
    assert playing.rolled(playing.check(4))["footing"] == "level"


def test_nobody_helps_themselves(playing: Playing) -> None:
    """SP-15: the helper is somebody else, who can act."""
    assert playing.refused("Cy", "help", who="Lund", ally="Lund") == "same_side"
    playing.act("Ada", "harm", who="Lund", damage="99")
    assert playing.refused("Cy", "help", who="Lund", ally="Kira") == "down"


def test_a_die_that_waits_for_a_reroll_has_been_rolled(playing: Playing) -> None:
    """SP-14: no leading after somebody has seen a die."""
    playing.act("Ada", "award_inspiration", who="Kira")
    requests = called(playing, leader="Lund")
    assert playing.check(3, request=requests["Kira"]).waits_for
    assert playing.refused("Cy", "lead", who="Lund", ally="Kira", points=1) == "too_late"


def test_a_roll_that_is_asked_for_need_not_be_named(playing: Playing) -> None:
    """SP-14: who names no difficulty answers the one request that fits."""
    called(playing)
    playing.roll(14)
    assert playing.rolled(playing.act("Bo", "check", who="Kira", skill="stealth"))["dc"] == 15
    assert playing.refused("Bo", "check", who="Kira", skill="stealth") == "no_dc"
    called(playing)
    called(playing)
    assert playing.refused("Bo", "check", who="Kira", skill="stealth") == "which_request"


def test_what_is_asked_for_can_be_taken(playing: Playing) -> None:
    """SP-17, SP-14: a 10 counts as a member's roll."""
    called(playing, dc=13)
    outcome = playing.act("Bo", "take", who="Kira", skill="stealth")
    assert playing.told(outcome, "group_member_rolled")["group"]["rolled"] == {playing.who("Kira").id: True}
