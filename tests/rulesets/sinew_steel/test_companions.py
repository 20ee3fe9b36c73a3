"""The rules beside the book: clocks, wealth, tiers, fatal weapons, more circumstances, an order of sides."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from astragal.chance import odds
from astragal.rulesets.sinew_steel.fights import FightingSide, side_order
from astragal.rulesets.sinew_steel.heroes import Size, tier_scores, tier_stamina
from astragal.rulesets.sinew_steel.wealth import Deal, purchase
from astragal.table.refusals import Refusal
from tests.rulesets.sinew_steel.conftest import Open
from tests.rulesets.sinew_steel.playing import Playing
from tests.rulesets.sinew_steel.test_fuse import party, raised

# ---------------------------------------------------------------- clocks


def test_a_clock_fires_when_full_and_does_not_reset_by_itself(playing: Playing) -> None:
    """SS+01"""
    clock = playing.act("Ada", "start_clock", name="Flood", size=4).act
    playing.act("Ada", "tick_clock", clock=clock, ticks=3)
    assert playing.words("Bo")[-1] == "Flood: 0 → 3 of 4"
    playing.act("Ada", "tick_clock", clock=clock, ticks=3)
    assert playing.words("Bo")[-1] == "Flood is full"
    assert playing.refused("Ada", "tick_clock", clock=clock) == "full"
    assert playing.look("Bo").clocks[clock].hands.is_full


def test_a_hidden_clock_is_the_custodians(playing: Playing) -> None:
    """SS+01"""
    clock = playing.act("Ada", "start_clock", name="The traitor", size=8, face="hidden").act
    assert clock in playing.look("Ada").clocks
    assert clock not in playing.look("Bo").clocks


@pytest.mark.parametrize(("size", "is_remarked"), [(3, True), (4, False), (8, False), (9, True)])
def test_clocks_of_this_game_have_four_to_eight_ticks(playing: Playing, size: int, is_remarked: bool) -> None:
    """SS+01: others run, and the custodian is told."""
    playing.act("Ada", "start_clock", name="Flood", size=size)
    assert playing.words("Ada")[-1].endswith("4 to 8 are this game’s") is is_remarked


def test_a_table_may_play_without_clocks(open_table: Open) -> None:
    """SS+01, SS-66: then none is remarked on, and none escalates."""
    playing = open_table(companions=[])
    clock = playing.act("Ada", "start_clock", name="Flood", size=3).act
    assert playing.words("Ada")[-1] == "a clock: Flood (0 of 3)"
    playing.roll(1, 1)
    playing.act("Ada", "deal_move")
    assert playing.look("Ada").clocks[clock].hands.ticks == 0


# ---------------------------------------------------------------- wealth


def rich(open_table: Open, wealth: int, **options: Any) -> Playing:
    playing = open_table(**options)
    playing.act("Bo", "make_hero", name="Kira", wealth=wealth)
    return playing


@pytest.mark.parametrize(("large", "left"), [(False, 3), (True, 2)])
def test_what_one_is_rich_enough_for_is_affordable(open_table: Open, large: bool, left: int) -> None:
    """SS+02: a large purchase costs 1 Wealth."""
    playing = rich(open_table, 3)
    outcome = playing.act("Bo", "buy", who="Kira", what="a boat", tier=3, large=large)
    assert "rolled" not in playing.names(outcome)
    assert playing.sheet("Kira").wealth == left


@pytest.mark.parametrize(("deal", "left"), [("1 Wealth", 1), ("a complication", 2)])
def test_luck_buys_what_is_dearer_for_wealth_or_a_complication(open_table: Open, deal: str, left: int) -> None:
    """SS+02"""
    playing = rich(open_table, 2)
    playing.roll(10)
    waits = playing.act("Bo", "buy", who="Kira", what="a boat", tier=3)
    outcome = playing.answer("Bo", waits, deal)
    assert playing.told(outcome, "bought")["deal"] == deal
    assert playing.sheet("Kira").wealth == left


@pytest.mark.parametrize("deal", ["nothing", "a debt", "1 Pressure", "a favour owed"])
def test_without_luck_there_is_only_a_hard_cost(open_table: Open, deal: str) -> None:
    """SS+02: a debt clock, Pressure, a favour; or one goes without."""
    playing = rich(open_table, 2)
    playing.roll(11)
    waits = playing.act("Bo", "buy", who="Kira", what="a boat", tier=3)
    playing.answer("Bo", waits, deal)
    state = playing.look("Bo")
    assert ([clock.name for clock in state.clocks.values()] == ["Kira’s debt: a boat"]) is (deal == "a debt")
    assert state.game.pressure == int(deal == "1 Pressure")
    assert playing.sheet("Kira").wealth == 2


def test_who_is_broke_has_no_wealth_to_pay_with(open_table: Open) -> None:
    """SS+02: what costs nothing is theirs, however large; luck buys the rest for a complication, never for Wealth."""
    playing = rich(open_table, 0)
    outcome = playing.act("Bo", "buy", who="Kira", what="a wreck", tier=0, large=True)
    assert playing.told(outcome, "bought")["deal"] == "afforded"
    assert "rolled" not in playing.names(outcome)
    playing.roll(10)
    outcome = playing.act("Bo", "buy", who="Kira", what="a meal", tier=1)
    assert outcome.waits_for == ("who",)
    (decision,) = playing.host.decisions(playing.table, playing.seats["Bo"])
    assert [choice.answer for choice in decision.choices] == ["a complication"]
    assert playing.refused("Bo", "answer", act=outcome.act, answer="1 Wealth") != "done"
    outcome = playing.answer("Bo", outcome, "a complication")
    assert playing.told(outcome, "bought")["deal"] == "a complication"
    assert playing.sheet("Kira").wealth == 0


def test_whoever_can_test_luck_can_buy(open_table: Open) -> None:
    """SS-29, SS-30, SS+02: the collapsed too, and the dead not; what is dearer waits for whoever decides."""
    playing = rich(open_table, 2)
    playing.act("Cy", "make_hero", name="Lund")
    playing.roll(11)
    waits = playing.test("Cy", "Lund", "REF")
    assert playing.refused("Bo", "buy", who="Kira", what="a boat", tier=3) == "still_deciding"
    assert playing.refused("Bo", "buy", who="Kira", what="a boat", tier=2) == "done"
    playing.answer("Cy", waits, 0)
    playing.act("Ada", "harm", who="Kira", points=5)
    playing.roll(11)
    outcome = playing.answer("Bo", playing.act("Bo", "buy", who="Kira", what="x" * 70, tier=3), "a debt")
    assert (playing.told(outcome, "luck_tried")["lethal"], playing.look("Ada").game.luck_tests) == (False, 1)
    assert [clock.name for clock in playing.look("Bo").clocks.values()] == ["Kira’s debt: " + "x" * 47]
    playing.act("Ada", "begin_condition", name="possessed", who="Kira", numbers={"out_of_control": 1})
    assert playing.refused("Bo", "buy", who="Kira", what="a boat", tier=1) == "not_allowed"
    playing.act("Ada", "record_fate", who="Kira", fate="dead")
    assert playing.refused("Bo", "buy", who="Kira", what="a boat", tier=1) == "dead"


def test_a_hard_cost_can_bring_the_crisis(open_table: Open) -> None:
    """SS-54, SS+02"""
    playing = rich(open_table, 0)
    raised(playing, 4)
    playing.roll(11)
    waits = playing.answer("Bo", playing.act("Bo", "buy", who="Kira", what="a boat", tier=3), "1 Pressure")
    assert waits.waits_for == ("custodian",)
    playing.answer("Ada", waits, 3)
    assert playing.look("Bo").game.pressure == 0
    for step, deal in ((4, "a debt"), (3, "1 Pressure")):
        raised(playing, step - playing.look("Bo").game.pressure)
        playing.roll(11)
        outcome = playing.answer("Bo", playing.act("Bo", "buy", who="Kira", what="a boat", tier=3), deal)
        assert (outcome.waits_for, playing.look("Bo").game.pressure) == ((), 4)
        playing.act("Ada", "set_quest", objective="Sell the boat.")
        (quest,) = playing.look("Ada").game.quests
        playing.act("Ada", "complete_quest", quest=quest)


def test_the_odds_of_a_purchase_are_those_of_the_luck_test() -> None:
    """SS+02"""
    assert odds(purchase(2, 3, tokens=8)).chance(lambda made: made.deal is Deal.COMPLICATION) == Fraction(8, 20)


def test_a_frozen_test_of_luck_is_paid_for_like_any_other(open_table: Open) -> None:
    """SS-24, SS-53, SS+02: the surcharge is asked here too."""
    playing = rich(open_table, 2, luck_test_target="frozen", step4_surcharge="automatic")
    raised(playing, 4)
    playing.roll(11)
    waits = playing.answer("Bo", playing.act("Bo", "buy", who="Kira", what="a boat", tier=3), -1)
    playing.answer("Bo", waits, "a complication")
    assert playing.sheet("Kira").luck == 8


def test_riches_that_are_shown_have_a_price(open_table: Open) -> None:
    """SS+02: from 3 on, 1 Pressure or a clock ticks."""
    playing = rich(open_table, 2)
    assert playing.refused("Ada", "show_wealth", who="Kira") == "too_poor"
    for wealth in (1, 3):
        playing.act("Ada", "set_wealth", who="Kira", wealth=wealth)
        assert playing.sheet("Kira").wealth == wealth
    assert "wealth" in [piece.label.casefold() for piece in playing.furniture("Kira")]
    clock = playing.act("Ada", "start_clock", name="Thieves").act
    playing.act("Ada", "show_wealth", who="Kira")
    playing.act("Ada", "show_wealth", who="Kira", clock=clock)
    assert (playing.look("Bo").game.pressure, playing.look("Bo").clocks[clock].hands.ticks) == (1, 1)
    assert playing.refused("Ada", "set_wealth", who="Kira", wealth=3) == "no_change"
    playing.act("Ada", "set_wealth", who="Kira", wealth=4)
    assert playing.sheet("Kira").wealth == 4
    raised(playing, 2)
    playing.act("Ada", "show_wealth", who="Kira")
    assert playing.look("Bo").game.pressure == 4
    playing.act("Cy", "make_hero", name="Lund")
    playing.roll(11)
    waits = playing.test("Cy", "Lund", "REF")
    assert playing.refused("Ada", "show_wealth", who="Kira") == "still_deciding"
    playing.act("Ada", "show_wealth", who="Kira", clock=clock)
    assert playing.look("Bo").clocks[clock].hands.ticks == 2
    playing.answer("Cy", waits, 0)
    assert playing.act("Ada", "show_wealth", who="Kira").waits_for == ("custodian",)


def test_a_table_may_play_without_wealth(open_table: Open) -> None:
    """SS+02"""
    playing = rich(open_table, 3, companions=[])
    assert playing.sheet("Kira").wealth is None
    assert playing.refused("Bo", "buy", who="Kira", what="a boat", tier=3) == "not_played"


# ---------------------------------------------------------------- tiers


def test_a_tier_gives_scores_and_stamina() -> None:
    """SS+03"""
    assert [tier_stamina(tier, Size.USUAL) for tier in (8, 10, 12, 14, 16)] == [3, 4, 5, 6, 7]
    assert (tier_stamina(12, Size.LARGE), tier_stamina(12, Size.BOSS)) == (7, 9)
    assert tier_scores(12, ("A", "B", "C"), None, None) == {"A": 12, "B": 12, "C": 12}
    assert tier_scores(12, ("A", "B", "C"), "A", "C") == {"A": 12, "B": 10, "C": 8}
    assert tier_scores(12, ("A", "B", "C"), "A", None) == {"A": 12, "B": 10, "C": 10}
    assert tier_scores(12, ("A", "B", "C"), None, "C") == {"A": 10, "B": 10, "C": 8}


def test_npcs_are_made_by_tier(open_table: Open) -> None:
    """SS+03: each number can still be named."""
    playing = open_table()
    playing.act("Ada", "make_npc", name="Ogre", tier=14, best="MGT", worst="int", size="boss", scores={"EMP": 3})
    ogre = playing.sheet("Ogre")
    assert {key: ogre.scores[key] for key in ("MGT", "REF", "INT", "EMP")} == {
        "MGT": 14,
        "REF": 12,
        "INT": 10,
        "EMP": 3,
    }
    assert ogre.stamina == 10
    assert playing.refused("Ada", "make_npc", name="Troll", size="boss") == "tier"
    assert playing.refused("Ada", "make_npc", name="Troll", tier=11) == "bad_fields"


def test_a_table_may_play_without_tiers(open_table: Open) -> None:
    """SS+03"""
    assert open_table(companions=[]).refused("Ada", "make_npc", name="Ogre", tier=14) == "not_played"


# ---------------------------------------------------------------- fatal

FANG = {"name": "fang", "tags": ["Fatal"], "counter": "antidote"}


@pytest.mark.parametrize(
    ("gear", "companions", "left"),
    [([], ["fatal"], 0), ([{"name": "Antidote"}], ["fatal"], 3), ([], [], 3)],
    ids=["fatal", "with the counter", "switched off"],
)
def test_a_fatal_hit_fells_unless_there_is_the_counter(
    open_table: Open, gear: list[Any], companions: list[str], left: int
) -> None:
    """SS+04: whatever the armour soaks."""
    playing = open_table(companions=companions)
    playing.act("Bo", "make_hero", name="Kira", gear=[*gear, {"name": "plate", "soak": 3}])
    playing.act("Ada", "make_npc", name="Wyrm", score=12, gear=[{**FANG, "edge": 2}], shown=True)
    playing.roll(4, 20)
    playing.act("Ada", "attack", attacker="Wyrm", defender="Kira", weapon="fang")
    assert playing.sheet("Kira").stamina == left


# ---------------------------------------------------------------- circumstances


def test_more_words_are_known_where_a_table_wants_them(open_table: Open) -> None:
    """SS+05: high ground then helps, and can't hinder."""
    playing = party(open_table, companions=["circumstances"])
    playing.roll(19, 18, 2, 3)
    told = playing.told(
        playing.act(
            "Bo",
            "attack",
            attacker="Kira",
            defender="Guard",
            advantage=["high ground"],
            defence_advantage=["solid cover"],
        ),
        "attacked",
    )
    assert (told["attack"]["footing"], told["defence"]["footing"]) == ("advantage", "advantage")
    with pytest.raises(Refusal, match="High ground gives advantage"):
        playing.act("Bo", "attack", attacker="Kira", defender="Guard", disadvantage=["high ground"])
    with pytest.raises(Refusal, match="helps to dodge"):
        playing.act("Bo", "attack", attacker="Kira", defender="Guard", guard="parry", defence_advantage=["solid cover"])


@pytest.mark.parametrize(("key", "is_hindered"), [("MGT", True), ("REF", True), ("INT", False)])
def test_little_stamina_hinders_what_the_body_does(open_table: Open, key: str, is_hindered: bool) -> None:
    """SS+05: at 2 or less."""
    playing = party(open_table, companions=["circumstances"])
    playing.act("Ada", "harm", who="Kira", points=2)
    playing.roll(5)
    assert playing.told(playing.test("Bo", "Kira", key), "tried")["roll"]["footing"] == "level"
    playing.act("Ada", "harm", who="Kira", points=1)
    playing.roll(*([5, 6] if is_hindered else [5]))
    roll = playing.told(playing.test("Bo", "Kira", key), "tried")["roll"]
    assert roll["because"] == (["worn out"] if is_hindered else [])


# ---------------------------------------------------------------- sides


def test_sides_are_rolled_once_a_fight_higher_first(open_table: Open) -> None:
    """SS+05, SS-43: equal dice are thrown again."""
    playing = party(open_table)
    assert playing.refused("Ada", "roll_sides") == "not_begun"
    playing.act("Ada", "begin_encounter")
    playing.roll(9, 9, 12)
    outcome = playing.act("Ada", "roll_sides")
    assert outcome.events[-1].words == "heroes 9, foes 12: the foes act first"
    assert playing.refused("Ada", "roll_sides") == "rolled"
    playing.act("Ada", "end_encounter")
    playing.act("Ada", "begin_encounter")
    playing.roll(13, 12)
    playing.act("Ada", "roll_sides")
    assert playing.look("Bo").game.first_side == "heroes"


def test_no_side_is_favoured() -> None:
    """SS+05"""
    assert odds(side_order()).chance(lambda order: order.first is FightingSide.HEROES) == Fraction(1, 2)


def test_a_table_may_play_without_an_order(open_table: Open) -> None:
    """SS-43, SS+05"""
    playing = party(open_table, companions=[])
    playing.act("Ada", "begin_encounter")
    assert playing.refused("Ada", "roll_sides") == "not_played"
