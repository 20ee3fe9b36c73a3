"""What is hidden, what is changed by hand, what a rewind costs, and what a campaign may change: SP-20."""

from __future__ import annotations

from fractions import Fraction

import pytest

from astragal.game.display import Tags, Tone
from astragal.rulesets.six_pool import SIX_POOL
from astragal.rulesets.six_pool.catalogue import Pool
from astragal.rulesets.six_pool.state import EdgeRule, NaturalDegree, Options, WithPoints
from astragal.table.declarations import Sight
from astragal.table.preview import Span
from tests.rulesets.six_pool.conftest import Open
from tests.rulesets.six_pool.playing import Playing


def asked_in_the_dark(playing: Playing, difficulty: int = 17) -> str:
    fields = {"who": "Kira", "command": "check", "fields": {"skill": "stealth"}}
    outcome = playing.act("Ada", "request_roll", **fields, difficulty=difficulty, hidden=True)
    return str(playing.told(outcome, "roll_requested")["request"]["id"])


# ---------------------------------------------------------------- hidden difficulties


def test_a_hidden_difficulty_is_previewed_as_a_span_at_every_spend(playing: Playing) -> None:
    """SP-21, SP-05: over 5 to 30, likely 17; nothing singles out the true one."""
    shown = playing.preview("Bo", "check", who="Kira", skill="stealth", request=asked_in_the_dark(playing))
    assert [case.spend for case in shown.cases] == [0, 1, 2, 3, 4, 5]
    assert shown.cases[2].span == Span(Fraction(5, 100), Fraction(45, 100), Fraction(95, 100), against=17)
    assert "dc" not in shown.arguments


def test_a_card_withholds_what_would_betray_it(playing: Playing) -> None:
    """SP-12: margin, degree and band are for the game master until the roll is revealed."""
    outcome = playing.check(12, request=asked_in_the_dark(playing, 22))
    went = {"Ada": "bad failure", "Bo": "failure", "Cy": "failure", "Di": "failure"}
    assert {seat: headline(playing, seat) for seat in went} == {seat: (Tone.BAD, word) for seat, word in went.items()}
    for seat in ("Bo", "Cy", "Di"):
        (checked,) = [
            one for one in playing.host.follow(playing.table, playing.seats[seat]).events if one.name == "checked"
        ]
        assert not {"dc", "margin", "degree", "band"} & checked.fields["roll"].keys()
        assert checked.words.endswith("15: failure")
        rolled = [one for one in playing.host.follow(playing.table, playing.seats[seat]).events if one.name == "rolled"]
        assert "arguments" not in rolled[-1].fields["question"]
    (known,) = [one for one in playing.host.follow(playing.table, playing.seats["Ada"]).events if one.name == "checked"]
    assert known.fields["roll"]["dc"] == 22
    playing.act("Ada", "reveal", act=outcome.act)
    assert any("against 22: bad failure" in words for words in playing.words("Bo"))
    playing.check(19, request=asked_in_the_dark(playing))
    assert [headline(playing, seat) for seat in ("Ada", "Bo")] == [
        (Tone.GOOD, "strong success"),
        (Tone.GOOD, "success"),
    ]


def headline(playing: Playing, seat: str) -> tuple[Tone, str]:
    """How the last check went, as a seat is told."""
    events = playing.host.follow(playing.table, playing.seats[seat]).events
    went = [event.went for event in events if event.went][-1]
    return went.tone, went.words


def test_a_reroll_under_a_hidden_difficulty_is_always_offered(playing: Playing) -> None:
    """SP-18: being asked only after a failure would tell what is hidden."""
    playing.act("Ada", "award_inspiration", who="Kira")
    waiting = playing.check(19, request=asked_in_the_dark(playing, 5))
    assert waiting.waits_for == ("who",)
    playing.answer("Bo", waiting, "keep")


def test_the_armour_class_of_a_closed_sheet_is_hidden(playing: Playing) -> None:
    """SP-08, SP-21: previewed as a span over the usual ones; opened, it is known."""
    attack = {"who": "Lund", "target": "Guard", "damage": "1d8"}
    shown = playing.preview("Cy", "attack", **attack)
    assert [case.span.against for case in shown.cases if case.span] == [15] * 7
    playing.roll(12, 4)
    outcome = playing.act("Cy", "attack", **attack)
    assert "dc" not in playing.rolled(outcome)
    assert playing.told(outcome, "attacked")["damage"] == 4
    playing.act("Ada", "open_numbers", who="Guard")
    assert [case.span for case in playing.preview("Cy", "attack", **attack).cases] == [None] * 7


def test_closed_numbers_are_closed(playing: Playing) -> None:
    """SP-13: a player sees that the Guard is there, and no number of his; the game master sees all."""
    assert "armour" not in str(playing.host.follow(playing.table, playing.seats["Bo"]).events[-1].fields)
    assert playing.sheet("Guard").numbers.armour == 4
    assert not isinstance(playing.sheet("Guard", "Bo").numbers.armour, int)


def test_a_roll_out_of_sight_leaves_a_closed_card(playing: Playing) -> None:
    """SP-11: not even its natural 20 shows, on a card or in a prompt."""
    playing.roll(20)
    playing.hidden("check", Sight.HIDDEN, who="Guard", skill="perception", dc=15)
    last = playing.host.follow(playing.table, playing.seats["Bo"]).events[-1]
    assert (last.closed, last.fields) == (True, {})
    assert not playing.look("Bo").prompts
    assert len(playing.look("Ada").prompts) == 1


# ---------------------------------------------------------------- by hand, and back in time


def test_pools_hit_points_and_inspiration_can_be_overridden_within_limits(playing: Playing) -> None:
    """SP-02, SP-18, SP+04: pools, hit points and Inspiration, each within its limits."""
    assert set(SIX_POOL.overrides) == {*Pool, "hit points", "inspiration"}
    playing.act("Ada", "override", who="Kira", what="CHA", value=3, why="a curse")
    playing.act("Ada", "override", who="Kira", what="hit points", value=1)
    playing.act("Ada", "override", who="Kira", what="inspiration", value=1)
    sheet = playing.sheet("Kira")
    assert (playing.held("Kira", Pool.CHA), sheet.numbers.hit_points, sheet.inspiration) == (3, 1, 1)
    assert playing.refused("Ada", "override", who="Kira", what="inspiration", value=2) == "out_of_range"


def test_a_rewind_costs_points_from_the_fullest_pool(playing: Playing) -> None:
    """SP-03: spends on the branch that was left return; prices do not, and add up."""
    node = playing.act("Ada", "mark_save_node", label="the gate").events[0].fields["node"]
    playing.check(5, points=5)
    playing.act("Ada", "rewind", node=node, price="points", amount=2)
    assert (playing.held("Kira", Pool.DEX), playing.held("Lund", Pool.STR)) == (16, 22)
    playing.act("Ada", "rewind", node=node, price="points", amount=2)
    assert (playing.held("Kira", Pool.DEX), playing.held("Lund", Pool.STR)) == (14, 20)


def test_who_holds_less_than_the_price_pays_all(playing: Playing) -> None:
    """SP-03: and nobody who holds nothing; if nobody holds anything, points can't pay."""
    for name in ("Kira", "Lund"):
        for pool in Pool:
            playing.act("Ada", "override", who=name, what=pool.value, value=0)
    playing.act("Ada", "override", who="Kira", what="INT", value=1)
    node = playing.act("Ada", "mark_save_node", label="spent").events[0].fields["node"]
    playing.act("Ada", "rewind", node=node, price="points", amount=3)
    assert playing.held("Kira", Pool.INT) == 0
    assert playing.refused("Ada", "rewind", node=node, price="points", amount=1) == "price"


# ---------------------------------------------------------------- options


def test_the_ledgers_ways_are_the_defaults() -> None:
    """SP-12, SP-18, SP-20: and every companion rule is on."""
    assert Options() == Options(
        edge=EdgeRule.BONUS,
        natural_degree=NaturalDegree.CRITICAL,
        inspiration_with_points=WithPoints.REROLL_ONLY,
        pool_array=True,
        class_edges=True,
        rests=True,
        hit_points=True,
        long_rest_heals=True,
        broken_pools=True,
    )


def test_efficient_edge_at_the_table(open_table: Open) -> None:
    """SP-20, SP-04: the limit counts points, not what they are worth."""
    playing = open_table(edge="efficiency")
    assert playing.rolled(playing.check(5, points=5))["total"] == 5 + 2 + 7
    assert playing.held("Kira", Pool.DEX) == 13
    assert playing.rolled(playing.check(5))["total"] == 7
    assert playing.refused("Bo", "check", who="Kira", skill="stealth", dc=15, points=6) == "effort_limit"


def test_edge_can_not_change_unrecorded(playing: Playing) -> None:
    """SP-20: a change in mid-campaign is a change of rules, told to all, and outlasts a rewind."""
    node = playing.act("Ada", "mark_save_node", label="before").events[0].fields["node"]
    assert playing.refused("Bo", "change_edge_rule", edge="efficiency") == "not_allowed"
    assert playing.refused("Ada", "change_edge_rule", edge="bonus") == "no_change"
    playing.act("Ada", "change_edge_rule", edge="efficiency", why="we voted")
    change = "a change of rules: Edge is efficiency from now on, no longer bonus (we voted)"
    assert playing.words("Di")[-1] == change
    assert playing.rolled(playing.check(5, points=2))["total"] == 5 + 2 + 4
    playing.act("Ada", "rewind", node=node, price="points", amount=1)
    assert playing.look("Ada").options.edge is EdgeRule.EFFICIENCY


def test_the_rule_does_not_change_under_a_waiting_roll(playing: Playing) -> None:
    """SP-20: whoever is deciding decides what they were asked."""
    playing.act("Ada", "award_inspiration", who="Kira")
    playing.check(3, points=2)
    assert playing.refused("Ada", "change_edge_rule", edge="efficiency") == "still_deciding"


# ---------------------------------------------------------------- furniture


@pytest.mark.parametrize("seat", ["Ada", "Bo"])
def test_furniture_shows_what_its_viewer_may_see(playing: Playing, seat: str) -> None:
    """SP-02: pools as pips with Edge and limit; of closed sheets only what everyone sees."""
    pieces = {piece.label: piece for piece in playing.furniture("Kira", seat)}
    assert (pieces["DEX"].now, pieces["DEX"].most) == (18, 18)
    assert pieces["DEX"].doc == "Edge 1, Effort limit 5"
    assert pieces["hit points"].most == 14
    guard = {piece.label for piece in playing.furniture("Guard", seat)}
    assert ("Armour Class" in guard) is (seat == "Ada")
    assert "inspiration" in pieces
    assert "inspiration" not in guard, "it is for heroes"
    assert "State" not in pieces
    playing.act("Ada", "harm", who="Kira", damage="14")
    assert Tags("State", ("down",)) in playing.furniture("Kira", seat)


def test_the_sheet_says_what_a_roll_adds(playing: Playing) -> None:
    """SP-01, SP-06, SP-09, SP-16, SP-20: training, Edge where it is a bonus, and conditions."""

    def said() -> list[int]:
        pieces = {piece.label: piece for piece in playing.furniture("Kira")}
        return [pieces[label].value for label in ("stealth", "DEX save", "Passive perception")]

    def added() -> list[int]:
        check = playing.rolled(playing.check(5, points=0))["total"] - 5
        playing.roll(5)
        save = playing.rolled(playing.act("Bo", "save", who="Kira", pool="DEX", dc=15, points=0))["total"] - 5
        return [check, save, playing.told(playing.act("Bo", "passive", who="Kira"), "passive_noted")["score"]]

    assert said() == added() == [3, 3, 10]
    playing.act("Ada", "begin_condition", name="blessed", who="Kira", numbers={"bonus": 2})
    assert said() == added() == [5, 5, 12]
    playing.act("Ada", "change_edge_rule", edge="efficiency")
    assert said() == added() == [4, 4, 12]


def test_a_sheet_is_whole_whatever_somebody_is_trained_in(playing: Playing) -> None:
    """SP-07: who is trained in a harder use of a craft alone can't roll it, and still has a sheet."""
    playing.act("Ada", "add_skill", name="Kite Flying", pool="DEX")
    trained = {"arcane knowledge": "expert", "kite flying": "trained"}
    playing.act("Ada", "make_npc", name="Clown", level=1, training=trained)
    pieces = {piece.label: piece for piece in playing.furniture("Clown")}
    assert [pieces[label].value for label in (*trained, "Passive insight")] == [4, 2, 10]
