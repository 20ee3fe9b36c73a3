"""Plug-ins: feats, rituals, the ally, a further track; each comes and goes without a trace."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.game.display import Pips, Track
from astragal.rulesets.sinew_steel.toolkit import ally, shared_stress
from astragal.table.refusals import Refusal
from astragal.table.visibility.redact import plain
from tests.rulesets.sinew_steel.conftest import Open
from tests.rulesets.sinew_steel.playing import Playing
from tests.rulesets.sinew_steel.test_fuse import party, raised

ALL = ["feat", "ritual", "ally", "stress"]


@pytest.fixture
def kit(open_table: Open) -> Playing:
    return party(open_table, plugins=ALL)


def rolled(playing: Playing, *faces: int, **fields: Any) -> dict[str, Any]:
    playing.roll(*faces)
    roll: dict[str, Any] = playing.told(playing.test("Bo", "Kira", "REF", **fields), "tried")["roll"]
    return roll


# ---------------------------------------------------------------- on and off


def test_what_is_off_can_not_be_used(open_table: Open) -> None:
    """SS-67"""
    playing = party(open_table)
    assert playing.refused("Bo", "feat", who="Kira") == "not_played"
    assert playing.refused("Bo", "ritual", who="Kira", attribute="INT", stakes="rain") == "not_played"
    assert playing.refused("Ada", "raise_stress") == "not_played"
    assert playing.refused("Ada", "grant_favours") == "not_played"
    playing.roll(11)
    assert playing.test("Bo", "Kira", "REF").waits_for == ("who",)
    (decision,) = playing.host.decisions(playing.table, playing.seats["Bo"])
    assert decision.name == "luck"


def test_switched_off_nothing_is_left_of_it(open_table: Open) -> None:
    """SS-67: heroes and tracks are as if it had never been on."""
    playing = party(open_table, crisis_reset=0)
    never = snapshot(playing)
    for plugin in ALL:
        playing.act("Ada", "switch_plugin", plugin=plugin, on=True)
    playing.act("Ada", "raise_stress", rise=2)
    playing.act("Ada", "raise_stress", who="Kira", rise=5)
    playing.act("Ada", "raise_stress", rise=1)
    playing.act("Bo", "feat", who="Kira", price="token")
    playing.roll(12)
    playing.answer("Cy", playing.answer("Cy", playing.test("Cy", "Lund", "REF"), 2), -2)
    assert snapshot(playing) != never
    playing.act("Ada", "begin_condition", name="soaked")
    for plugin in ALL:
        playing.act("Ada", "switch_plugin", plugin=plugin, on=False)
    (soaked,) = playing.look("Ada").conditions
    playing.act("Ada", "end_condition", condition=soaked)
    playing.act("Ada", "grant_luck", who="Kira")
    assert snapshot(playing) == never


def snapshot(playing: Playing) -> Any:
    state = playing.look("Ada")
    return plain((state.game, state.characters, state.conditions))


def test_a_plugin_is_switched_by_the_custodian_and_once(kit: Playing) -> None:
    """SS-67"""
    assert kit.refused("Ada", "switch_plugin", plugin="feat", on=True) == "no_change"
    assert kit.refused("Bo", "switch_plugin", plugin="feat", on=False) == "not_allowed"


# ---------------------------------------------------------------- feats


def test_a_feat_is_paid_before_the_roll_and_gives_advantage_once_a_session(kit: Playing) -> None:
    """SS-67"""
    kit.act("Ada", "begin_evening")
    kit.act("Bo", "feat", who="Kira")
    assert kit.sheet("Kira").luck == 9
    assert rolled(kit, 4, 18)["footing"] == "advantage"
    assert rolled(kit, 4)["footing"] == "level"
    with pytest.raises(Refusal, match="used the feat this session"):
        kit.act("Bo", "feat", who="Kira")
    kit.act("Ada", "end_evening")
    kit.act("Ada", "begin_evening")
    kit.act("Bo", "feat", who="Kira")


def test_who_can_not_act_or_pay_has_no_feat(kit: Playing) -> None:
    """SS-53, SS-67: the last token will do; Pressure waits for whoever decides, and a step short of 5 is no crisis."""
    kit.act("Ada", "override", who="Kira", what="luck", value=1)
    kit.act("Bo", "feat", who="Kira")
    (ready,) = kit.look("Bo").conditions.values()
    assert dict(ready.numbers) == {"advantage": 1, "next_roll": 1, "feat": 1}
    raised(kit, 3)
    kit.roll(11, 12)
    kit.test("Bo", "Kira", "REF")
    assert kit.refused("Cy", "feat", who="Lund", price="pressure") == "still_deciding"
    (decision,) = kit.host.decisions(kit.table, kit.seats["Bo"])
    kit.act("Bo", "answer", act=decision.act, answer=0)
    kit.act("Ada", "harm", who="Lund", points=5)
    assert kit.refused("Cy", "feat", who="Lund", price="pressure") == "collapsed"
    kit.act("Ada", "heal", who="Lund")
    outcome = kit.act("Cy", "feat", who="Lund", price="pressure")
    assert (outcome.waits_for, kit.look("Bo").game.pressure) == ((), 4)


def test_a_feat_is_spent_even_if_it_only_cancels_disadvantage(kit: Playing) -> None:
    """SS-67"""
    kit.act("Bo", "feat", who="Kira")
    assert rolled(kit, 4, disadvantage=["blind"])["footing"] == "level"
    assert not kit.look("Bo").conditions


def test_a_feat_can_be_paid_with_pressure_and_bring_the_crisis(kit: Playing) -> None:
    """SS-54, SS-67"""
    kit.act("Bo", "feat", who="Kira", price="pressure")
    assert (kit.look("Bo").game.pressure, kit.sheet("Kira").luck) == (1, 10)
    raised(kit, 3)
    waits = kit.act("Cy", "feat", who="Lund", price="pressure")
    kit.answer("Ada", waits, 3)
    assert kit.look("Bo").game.pressure == 0


@pytest.mark.parametrize(("price", "tokens"), [("token", 2), ("pressure", 1)])
def test_at_step_four_a_feat_costs_a_token_more(open_table: Open, price: str, tokens: int) -> None:
    """SS-53: whatever it is paid with; and not at all where that can't be paid."""
    playing = party(open_table, plugins=ALL, step4_surcharge="automatic")
    raised(playing, 4)
    playing.act("Ada", "override", who="Kira", what="luck", value=tokens - 1)
    assert playing.refused("Bo", "feat", who="Kira", price=price) == "tokens"
    playing.act("Ada", "override", who="Kira", what="luck", value=5)
    outcome = playing.act("Bo", "feat", who="Kira", price=price)
    if outcome.waits_for:
        outcome = playing.answer("Ada", outcome, 3)
    assert playing.told(outcome, "lost")["now"]["luck"] == 5 - tokens


# ---------------------------------------------------------------- rituals


def test_a_failed_ritual_adds_pressure(kit: Playing) -> None:
    """SS-67"""
    kit.roll(20)
    kit.act("Bo", "ritual", who="Kira", attribute="INT", stakes="rain")
    kit.roll(1)
    kit.act("Bo", "ritual", who="Kira", attribute="INT", stakes="rain")
    assert kit.look("Bo").game.pressure == 1


# ---------------------------------------------------------------- the ally


def test_any_hero_may_spend_what_the_ally_holds_on_an_own_roll(kit: Playing) -> None:
    """SS-67: three tokens for the party, with or without own ones, that do not come back by themselves."""
    kit.roll(13)
    waits = kit.test("Bo", "Kira", "REF")
    waits = kit.answer("Bo", waits, 2)
    outcome = kit.answer("Bo", waits, -3)
    assert [event.words for event in outcome.events if event.name == "lost"] == [
        "Kira spends 1 token and has 9 left",
        "the ally spends 2 tokens (for Kira) and has 1 left",
    ]
    assert (kit.sheet("Kira").luck, kit.look("Cy").game.favours) == (9, 1)
    kit.roll(11)
    outcome = kit.answer("Cy", kit.answer("Cy", kit.test("Cy", "Lund", "REF"), 1), -1)
    assert (kit.told(outcome, "tried")["roll"]["open"]["margin"], kit.sheet("Lund").luck) == (0, 10)
    kit.act("Ada", "rest", kind="long")
    assert kit.look("Cy").game.favours == 0
    kit.act("Ada", "grant_favours", points=3)
    assert kit.look("Cy").game.favours == 3
    assert kit.refused("Ada", "grant_favours") == "full"


def test_favours_are_offered_in_words(kit: Playing) -> None:
    """SS-25, SS-67: each with what one pays besides."""
    kit.roll(13)
    kit.test("Bo", "Kira", "REF")
    (decision,) = kit.host.decisions(kit.table, kit.seats["Bo"])
    assert [choice.words for choice in decision.choices] == [
        "",
        "2 Luck and 1 from the ally: success, margin 0. 8 left; Luck tests fall from 50 % to 40 %.",
        "1 Luck and 2 from the ally: success, margin 0. 9 left; Luck tests fall from 50 % to 45 %.",
        "3 from the ally: success, margin 0. 10 left; Luck tests stay at 50 %.",
    ]


def test_two_heroes_do_not_spend_the_same_favour(kit: Playing) -> None:
    """SS-67: in an opposed test the defender has what the attacker left."""
    wrestle = {"attribute": "MGT", "defence_attribute": "MGT", "stakes": "the bridge"}
    kit.roll(12, 9)
    waits = kit.act("Bo", "opposed_test", attacker="Kira", defender="Lund", **wrestle)
    waits = kit.answer("Bo", kit.answer("Bo", waits, 3), -4)
    (decision,) = kit.host.decisions(kit.table, kit.seats["Cy"])
    assert (decision.name, kit.look("Cy").game.favours) == ("luck", 3)
    kit.answer("Cy", waits, -1)
    assert (kit.sheet("Kira").luck, kit.sheet("Lund").luck, kit.look("Cy").game.favours) == (9, 9, 0)


def test_the_custodians_people_have_no_part_in_the_ally(kit: Playing) -> None:
    """SS-67: its tokens lie on the table for as long as there is one."""
    assert ally(kit.look("Bo")) == [Pips("ally", 3, 3)]
    kit.roll(11)
    assert kit.test("Ada", "Guard", "REF").waits_for == ()
    kit.act("Ada", "switch_plugin", plugin="ally", on=False)
    assert ally(kit.look("Bo")) == []


def test_a_luck_test_takes_no_favours_unless_it_is_frozen(open_table: Open) -> None:
    """SS-24, SS-67: they are spent as Luck."""
    for target, waits in (("live", ()), ("frozen", ("who",))):
        playing = party(open_table, plugins=["ally"], luck_test_target=target)
        playing.roll(11)
        outcome = playing.act("Bo", "luck_test", who="Kira", why="blind chance", stakes="the patrol")
        assert outcome.waits_for == waits


# ---------------------------------------------------------------- stress


def test_stress_is_a_further_track_with_its_own_crisis(kit: Playing) -> None:
    """SS-67: from 0 to 5; the crisis holds until the custodian ends it."""
    kit.act("Ada", "raise_stress", rise=4)
    kit.act("Ada", "ease_stress", fall=1)
    assert (kit.look("Bo").game.stress, kit.look("Bo").game.pressure) == (3, 0)
    assert shared_stress(kit.look("Bo")) == [Track("stress", 3, ("",) * 6)]
    assert kit.refused("Ada", "raise_stress", rise=2) == "strikes_nobody"
    kit.act("Ada", "raise_stress", rise=2, who="Kira")
    (broken,) = kit.look("Bo").conditions.values()
    assert (kit.look("Bo").game.stress, broken.who, broken.name) == (0, kit.who("Kira").id, "Stress")
    assert dict(broken.numbers) == {"stress": 1}
    assert (kit.refused("Ada", "ease_stress"), shared_stress(kit.look("Bo"))) == ("no_change", [])


@pytest.mark.parametrize("reset", [0, 1])
@pytest.mark.parametrize("pressure", ["shared", "personal"])
def test_stress_that_broke_stands_where_the_table_resets_its_tracks(
    open_table: Open, pressure: str, reset: int
) -> None:
    """SS-54, SS-67: as after a crisis of Pressure; other tracks stay."""
    playing = party(open_table, plugins=["stress"], pressure=pressure, crisis_reset=reset)
    raised(playing, 2, who="Lund")
    playing.act("Ada", "raise_stress", who="Lund", rise=4)
    outcome = playing.act("Ada", "raise_stress", who="Lund", rise=3)
    assert playing.told(outcome, "stress_broke")["reset"] == reset
    state = playing.look("Bo")
    lund = playing.sheet("Lund")
    if pressure == "shared":
        tracks = (state.game.stress, state.game.pressure, lund.stress, lund.pressure)
    else:
        tracks = (lund.stress, lund.pressure, state.game.stress, state.game.pressure)
    assert tracks == (reset, 2, 0, 0)
    assert playing.sheet("Kira").stress == 0


def test_where_pressure_is_personal_stress_is_too(open_table: Open) -> None:
    """SS-67"""
    playing = party(open_table, plugins=["stress"], pressure="personal")
    assert playing.refused("Ada", "raise_stress") == "nobody"
    playing.act("Ada", "raise_stress", who="Kira", rise=2)
    assert (playing.sheet("Kira").stress, playing.sheet("Lund").stress, playing.sheet("Kira").pressure) == (2, 0, 0)
