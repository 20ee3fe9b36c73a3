"""Pressure at the table: whose track, what raises it, what the custodian may do with it."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.rulesets.sinew_steel import SINEW_STEEL
from astragal.rulesets.sinew_steel.skin import default_skin
from astragal.table.authoring.log_lines import Teller
from astragal.table.refusals import Refusal
from astragal.table.reminders import due
from tests.rulesets.sinew_steel.conftest import Open
from tests.rulesets.sinew_steel.playing import Playing


def party(open_table: Open, **options: object) -> Playing:
    playing = open_table(**options)
    playing.act("Bo", "make_hero", name="Kira")
    playing.act("Cy", "make_hero", name="Lund")
    playing.act("Ada", "make_npc", name="Guard", shown=True)
    return playing


def raised(playing: Playing, to: int, **fields: object) -> None:
    """Raise a track step by step, so that no crisis comes."""
    for _ in range(to):
        playing.act("Ada", "raise_pressure", **fields)


@pytest.fixture
def table(open_table: Open) -> Playing:
    return party(open_table)


# ---------------------------------------------------------------- whose track


def test_the_table_shares_a_track(table: Playing) -> None:
    """SS-50"""
    raised(table, 1)
    raised(table, 1, who="Kira")
    assert (table.look("Di").game.pressure, table.sheet("Kira").pressure) == (2, 0)


def test_each_hero_may_have_a_track(open_table: Open) -> None:
    """SS-50"""
    playing = party(open_table, pressure="personal")
    raised(playing, 2, who="Kira")
    assert (playing.look("Di").game.pressure, playing.sheet("Kira").pressure, playing.sheet("Lund").pressure) == (
        0,
        2,
        0,
    )
    assert playing.refused("Ada", "raise_pressure") == "nobody"
    assert playing.refused("Ada", "raise_pressure", who="Guard") == "no_hero"


def test_a_table_may_have_a_shared_track_and_one_for_each_hero(open_table: Open) -> None:
    """SS-50: what one does is one's own, unless all had a hand in it."""
    playing = party(open_table, pressure="both")
    raised(playing, 1, who="Kira")
    raised(playing, 1)
    raised(playing, 1, who="Kira", shared=True)
    assert (playing.look("Di").game.pressure, playing.sheet("Kira").pressure) == (2, 1)
    playing.roll(20)
    playing.act("Bo", "tamper", who="Kira", attribute="INT", stakes="the seal")
    assert (playing.look("Di").game.pressure, playing.sheet("Kira").pressure) == (2, 2)


# ---------------------------------------------------------------- what raises it


def test_a_failed_tampering_adds_one(table: Playing) -> None:
    """SS-51: and a success nothing."""
    table.roll(11)
    waits = table.act("Bo", "tamper", who="Kira", attribute="INT", stakes="the seal")
    outcome = table.answer("Bo", waits, 0)
    assert table.told(outcome, "pressure_rose")["after"] == 1
    table.roll(10)
    assert "pressure_rose" not in table.names(table.act("Bo", "tamper", who="Kira", attribute="INT", stakes="the seal"))


def test_luck_can_save_a_tampering(table: Playing) -> None:
    """SS-21, SS-51"""
    table.roll(11)
    waits = table.act("Bo", "tamper", who="Kira", attribute="INT", stakes="the seal")
    outcome = table.answer("Bo", waits, -1)
    assert (table.look("Bo").game.pressure, table.told(outcome, "lost")["now"]["luck"]) == (0, 9)


def test_luck_can_save_a_tampering_from_the_crisis(table: Playing) -> None:
    """SS-51, SS-54: at step 4, and the track stays there."""
    raised(table, 4)
    table.roll(11)
    waits = table.act("Bo", "tamper", who="Kira", attribute="INT", stakes="the seal")
    outcome = table.answer("Bo", waits, -1)
    assert {"pressure_rose", "crisis_broke"}.isdisjoint(table.names(outcome))
    assert table.look("Bo").game.pressure == 4


def test_the_price_of_a_failure_is_named_before_the_roll_and_paid_by_it(table: Playing) -> None:
    """SS-51, SS-09: "on a fail you still cross, but you lose time and the Pressure clock ticks"."""
    price = {"pressure_on_failure": 1, "stamina_on_failure": 2}
    shown = table.preview("Ada", "test", who="Kira", attribute="MGT", stakes="the gorge", **price)
    assert shown.arguments["price"] == {"pressure": 1, "stamina": 2}
    table.roll(20)
    outcome = table.act("Ada", "test", who="Kira", attribute="MGT", stakes="the gorge", **price)
    assert table.names(outcome) == ["rolled", "tried", "lost", "pressure_rose"]
    assert "At stake: the gorge; a failure costs 1 Pressure and 2 Stamina." in outcome.events[1].words
    assert (table.look("Bo").game.pressure, table.sheet("Kira").stamina) == (1, 3)
    assert table.reckoned("Bo")["A failure costs"] == "1 Pressure and 2 Stamina"


def test_a_success_pays_nothing_and_luck_can_save_the_price(table: Playing) -> None:
    """SS-51, SS-21"""
    table.roll(3)
    table.act("Ada", "test", who="Kira", attribute="MGT", stakes="the gorge", pressure_on_failure=2)
    table.roll(11)
    waits = table.act("Ada", "test", who="Kira", attribute="INT", stakes="the gorge", pressure_on_failure=2)
    table.answer("Bo", waits, -1)
    assert table.look("Bo").game.pressure == 0
    table.roll(11)
    waits = table.act("Ada", "test", who="Kira", attribute="INT", stakes="the gorge", pressure_on_failure=2)
    table.answer("Bo", waits, 0)
    assert table.look("Bo").game.pressure == 2


def test_a_request_names_the_price(table: Playing) -> None:
    """SS-51, SS-09: it holds whether or not the player says it again, and needs no second yes."""
    asked = table.act(
        "Ada", "request_roll", who="Kira", command="test", what_for="the gorge", fields={"pressure_on_failure": 1}
    )
    table.roll(20)
    table.act("Bo", "test", who="Kira", attribute="MGT", request=asked.act)
    assert table.look("Bo").game.pressure == 1


@pytest.mark.parametrize("said", ["much", 9, -1])
def test_a_price_beyond_its_limits_is_not_rolled_for(table: Playing, said: int | str) -> None:
    """SS-51: a step at the least, the whole track at the most, in a request too."""
    fields = {"pressure_on_failure": said}
    asked = table.act("Ada", "request_roll", who="Kira", command="test", what_for="it", fields=fields)
    with pytest.raises(Refusal, match="pressure_on_failure must be"):
        table.preview("Bo", "test", who="Kira", attribute="MGT", request=asked.act)


def test_a_tampering_has_its_own_price_whatever_a_request_says(table: Playing) -> None:
    """SS-51: 1 Pressure, and nothing is said that is not applied."""
    asked = table.act(
        "Ada", "request_roll", who="Kira", command="tamper", what_for="the seal", fields={"pressure_on_failure": 3}
    )
    table.roll(20)
    outcome = table.act("Bo", "tamper", who="Kira", attribute="INT", request=asked.act)
    assert table.told(outcome, "pressure_rose")["after"] == 1
    assert "a failure costs" not in next(event.words for event in outcome.events if event.name == "tried")


def test_a_price_that_fills_the_track_brings_the_crisis(table: Playing) -> None:
    """SS-51, SS-54: in the same deed."""
    raised(table, 3)
    table.roll(20)
    waits = table.act("Ada", "test", who="Kira", attribute="MGT", stakes="the gorge", pressure_on_failure=2)
    outcome = table.answer("Ada", waits, 4)
    assert "crisis_broke" in table.names(outcome)
    assert table.look("Bo").game.pressure == 0


def test_luck_tests_have_a_price_too(table: Playing) -> None:
    """SS-51, SS-29, SS-20, SS-24: "on failure, it stays up and Pressure rises"; against the tokens held."""
    table.roll(20)
    outcome = table.act(
        "Ada", "luck_test", who="Kira", why="a ricochet", stakes="the portcullis", pressure_on_failure=1
    )
    assert table.names(outcome) == ["rolled", "luck_tried", "pressure_rose"]
    assert table.look("Ada").game.luck_tests == 1


def test_a_price_of_stamina_alone_leaves_the_track_be(table: Playing) -> None:
    """SS-30: a fall hurts."""
    table.roll(20)
    outcome = table.act("Ada", "test", who="Kira", attribute="MGT", stakes="the fall", stamina_on_failure=5)
    assert table.names(outcome) == ["rolled", "tried", "lost", "collapsed"]
    assert "pressure_rose" not in table.names(outcome)


def test_where_no_pressure_is_named_no_track_is_at_risk(table: Playing) -> None:
    """SS-51, SS-54: not the table's, and a foe can be hurt by a fall as well."""
    raised(table, 2)
    fall = {"attribute": "MGT", "stakes": "the fall", "stamina_on_failure": 1}
    assert table.preview("Ada", "test", who="Kira", **fall).arguments["before"] == 0
    table.roll(20)
    assert "lost" in table.names(table.act("Ada", "test", who="Guard", **fall))


def test_what_the_request_names_is_the_price_whatever_the_player_says(table: Playing) -> None:
    """SS-09, SS-51, SS-30: never more than the whole track, and nothing below nothing."""
    for asked, step, stamina in (
        ({"pressure_on_failure": 2, "stamina_on_failure": 1}, 2, 1),
        ({"pressure_on_failure": 9}, 5, 0),
        ({"pressure_on_failure": -1, "stamina_on_failure": 9}, 0, 5),
        ({"pressure_on_failure": "much"}, 0, 0),
    ):
        act = table.act("Ada", "request_roll", who="Kira", command="test", what_for="it", fields=asked).act
        said = {"pressure_on_failure": 0, "stamina_on_failure": 0, "attribute": "MGT", "request": act}
        shown = table.preview("Bo", "test", who="Kira", **said)
        assert shown.arguments.get("price", {"pressure": 0, "stamina": 0}) == {"pressure": step, "stamina": stamina}
        table.act("Ada", "withdraw_request", request=act)


def test_lethal_stakes_are_the_price_already(table: Playing) -> None:
    """SS-41: the agreed fate applies instead."""
    price = {"lethal": "dead", "pressure_on_failure": 1}
    assert table.refused("Ada", "test", who="Kira", attribute="MGT", stakes="life", **price) == "lethal"


def test_only_heroes_put_pressure_at_risk(table: Playing) -> None:
    """SS-51: what a foe's failure brings is for the custodian to tell."""
    table.act("Ada", "make_npc", name="Wight", tier=10)
    price = {"pressure_on_failure": 1}
    assert table.refused("Ada", "test", who="Wight", attribute="MGT", stakes="the door", **price) == "no_hero"


def test_a_bargain_or_a_blunder_adds_outright(table: Playing) -> None:
    """SS-51: the custodian says so, and nobody else."""
    table.act("Ada", "raise_pressure", who="Kira", why="a bargain with the tide")
    assert table.words("Di")[-1] == ("Pressure rises from 0 to 1 (a bargain with the tide). Something is a little off.")
    assert table.refused("Bo", "raise_pressure") == "not_allowed"


@pytest.mark.parametrize("step", [1, 2, 3, 4])
def test_each_step_has_its_colour_from_the_skin(table: Playing, step: int) -> None:
    """SS-52"""
    raised(table, step)
    assert default_skin().pressure.steps[step] in table.words("Bo")[-1]


# ---------------------------------------------------------------- what the custodian may do


def test_moves_are_proposed_to_the_custodian_alone(table: Playing) -> None:
    """SS-53: and nothing is applied unasked."""
    raised(table, 2)
    assert table.words("Ada")[-1].endswith("you may take disadvantage")
    raised(table, 2)
    assert table.words("Ada")[-1].endswith("you may take disadvantage, side effect, surcharge, hostility")
    assert not any("you may take" in words for words in table.words("Bo"))
    assert not table.look("Ada").conditions
    assert not table.look("Ada").game.surcharged


def test_disadvantage_for_a_scene_from_step_two_on(table: Playing) -> None:
    """SS-52, SS-53"""
    table.act("Ada", "improvise_scene", title="The weir")
    raised(table, 1)
    with pytest.raises(Refusal, match="Pressure is at 1; disadvantage begins at 2"):
        table.act("Ada", "pressure_move", move="disadvantage", who="Kira")
    raised(table, 1)
    table.act("Ada", "pressure_move", move="disadvantage", who="Kira")
    table.roll(3, 12)
    roll = table.told(table.answer("Bo", table.test("Bo", "Kira", "REF"), 0), "tried")["roll"]
    assert (roll["footing"], roll["because"]) == ("disadvantage", ["Pressure"])
    table.act("Ada", "end_scene")
    table.roll(3)
    assert table.told(table.test("Bo", "Kira", "REF"), "tried")["roll"]["footing"] == "level"


def test_a_side_effect_is_chosen_by_custodian_or_player(table: Playing) -> None:
    """SS-53"""
    raised(table, 3)
    table.act("Ada", "pressure_move", move="side effect", who="Kira", words="Her shadow lags behind.")
    table.act("Ada", "pressure_move", move="side effect", who="Lund")
    (prompt,) = table.look("Cy").prompts.values()
    table.act("Cy", "answer_prompt", prompt=prompt.id, words="I taste salt.")
    names = [(one.who, one.name) for one in table.look("Di").conditions.values()]
    assert names == [
        (table.who("Kira").id, "Her shadow lags behind."),
        (table.who("Lund").id, "I taste salt."),
    ]


def test_at_step_four_people_turn_hostile(table: Playing) -> None:
    """SS-52: a word for the custodian, on the whole table."""
    assert table.refused("Ada", "pressure_move", move="hostility") == "too_early"
    raised(table, 4)
    table.act("Ada", "pressure_move", move="hostility")
    (hostile,) = table.look("Bo").conditions.values()
    assert (hostile.who, hostile.numbers) == (None, {})


def test_the_proposed_surcharge_holds_while_the_track_is_at_four(table: Playing) -> None:
    """SS-53"""
    raised(table, 4)
    assert spends_for(table) == [-1]
    table.act("Ada", "pressure_move", move="surcharge")
    table.roll(11)
    waits = table.test("Bo", "Kira", "REF")
    (decision,) = table.host.decisions(table.table, table.seats["Bo"])
    spend = next(choice for choice in decision.choices if choice.words)
    assert spend.words == ("2 Luck (1 for Pressure): success, margin 0. 8 left; Luck tests fall from 50 % to 40 %.")
    table.answer("Bo", waits, spend.answer)
    assert table.sheet("Kira").luck == 8
    table.act("Ada", "carry", who="Kira", item={"name": "idol"})
    table.act("Bo", "sacrifice", who="Kira", item="idol")
    assert not table.look("Bo").game.surcharged


def spends_for(table: Playing) -> list[int]:
    """What Kira is offered for a failure by one, which she keeps."""
    table.roll(11)
    waits = table.test("Bo", "Kira", "REF")
    (decision,) = table.host.decisions(table.table, table.seats["Bo"])
    table.answer("Bo", waits, 0)
    return [choice.answer for choice in decision.choices if choice.words]


def test_an_automatic_surcharge_needs_no_asking(open_table: Open) -> None:
    """SS-53: once a decision, though both tracks stand at 4."""
    playing = party(open_table, step4_surcharge="automatic", pressure="both")
    raised(playing, 4)
    raised(playing, 4, who="Kira")
    assert playing.refused("Ada", "pressure_move", move="surcharge") == "no_change"
    playing.roll(11)
    playing.answer("Bo", playing.test("Bo", "Kira", "REF"), -1)
    assert playing.sheet("Kira").luck == 8


@pytest.mark.parametrize(("step", "left"), [(3, 9), (4, 8)])
def test_spending_costs_more_at_step_four_and_not_before(open_table: Open, step: int, left: int) -> None:
    """SS-53: a token moves the die; the second is the surcharge."""
    playing = party(open_table, step4_surcharge="automatic")
    raised(playing, step)
    playing.roll(11)
    playing.answer("Bo", playing.test("Bo", "Kira", "REF"), -1)
    assert playing.sheet("Kira").luck == left


def test_somebody_elses_own_track_costs_one_nothing(open_table: Open) -> None:
    """SS-50, SS-53"""
    playing = party(open_table, step4_surcharge="automatic", pressure="personal")
    raised(playing, 4, who="Kira")
    playing.roll(11)
    playing.answer("Cy", playing.test("Cy", "Lund", "REF"), -1)
    assert playing.sheet("Lund").luck == 9


def test_two_raise_the_track_at_the_same_instant(table: Playing) -> None:
    """SS-54: from 4, one crisis waits to be decided, and the other has to wait for it."""
    raised(table, 4)
    table.act("Ada", "raise_pressure", who="Kira")
    assert table.refused("Ada", "raise_pressure", who="Kira") == "still_deciding"
    assert table.refused("Ada", "raise_pressure", who="Lund") == "still_deciding"
    assert table.refused("Cy", "tamper", who="Lund", attribute="INT", stakes="the seal") == "still_deciding"
    assert table.look("Ada").game.pressure == 4


def test_who_tampers_waits_for_whoever_decides_on_luck(table: Playing) -> None:
    """SS-54: and whoever tests something else need not wait for a tampering."""
    table.roll(11)
    waits = table.test("Bo", "Kira", "REF")
    assert table.refused("Cy", "tamper", who="Lund", attribute="INT", stakes="the seal") == "still_deciding"
    table.answer("Bo", waits, 0)
    table.roll(11)
    tampers = table.act("Cy", "tamper", who="Lund", attribute="INT", stakes="the seal")
    table.roll(11)
    waits = table.test("Bo", "Kira", "REF")
    table.answer("Cy", tampers, 0)
    table.answer("Bo", waits, -1)
    assert (table.look("Ada").game.pressure, table.sheet("Kira").luck) == (1, 9)


# ---------------------------------------------------------------- moves, word by word


def proposed(playing: Playing) -> list[tuple[str, str, Any]]:
    """What lies at hand for the custodian: its reason, the move, and whom it is about."""
    assert SINEW_STEEL.proposals is not None
    state = playing.look("Ada")
    found = SINEW_STEEL.proposals(state, Teller(state, state.terms))
    return [(one.about, one.label, dict(one.fields)["who"]) for one in found]


def test_moves_lie_at_hand_for_each_track(open_table: Open) -> None:
    """SS-53: of the table without a name, of a hero with theirs."""
    playing = party(open_table, pressure="both")
    raised(playing, 2)
    raised(playing, 3, who="Kira")
    kira = playing.who("Kira").id
    assert proposed(playing) == [
        ("Pressure stands at 2 (a minor move: disadvantage for a scene)", "disadvantage", None),
        ("Kira’s Pressure stands at 3 (a serious side effect)", "disadvantage", kira),
        ("Kira’s Pressure stands at 3 (a serious side effect)", "side effect", kira),
    ]


def test_the_custodian_is_reminded_of_the_moves_and_of_the_brink(table: Playing) -> None:
    """SS-52, SS-53"""
    raised(table, 1)
    assert not [line for line in due(SINEW_STEEL, table.look("Ada")) if "pressure_move" in line]
    raised(table, 2)
    (told,) = (line for line in due(SINEW_STEEL, table.look("Ada")) if "pressure_move" in line)
    assert told == "Pressure stands at 3 (a serious side effect). Disadvantage or side effect (pressure_move)."
    raised(table, 1)
    (told,) = (line for line in due(SINEW_STEEL, table.look("Ada")) if "pressure_move" in line)
    assert "; one more brings the crisis. " in told


def test_a_crisis_proposes_no_moves(table: Playing) -> None:
    """SS-53, SS-54: at 5 there is nothing left to propose."""
    raised(table, 3)
    told = table.answer("Ada", table.act("Ada", "raise_pressure", who="Kira", rise=2), 4)
    assert "moves_proposed" not in table.names(told)


def test_a_move_has_words_of_its_own_or_the_skins(table: Playing) -> None:
    """SS-53: and is cut where a condition's name ends."""
    raised(table, 4)
    for move, words in (("disadvantage", "cold hands"), ("hostility", "they bar the doors"), ("hostility", "")):
        table.act("Ada", "pressure_move", move=move, who="Kira", words=words)
    table.act("Ada", "pressure_move", move="side effect", who="Kira", words="x" * 70)
    held = [(one.name, one.effect, dict(one.numbers)) for one in table.look("Ada").conditions.values()]
    assert held == [
        ("cold hands", "cold hands", {"disadvantage": 1}),
        ("they bar the doors", "they bar the doors", {}),
        ("everyone is on edge", "everyone is on edge", {}),
        ("x" * 60, "x" * 70, {}),
    ]


@pytest.mark.parametrize("move", ["disadvantage", "side effect"])
def test_some_moves_are_about_somebody(table: Playing, move: str) -> None:
    """SS-53"""
    raised(table, 3)
    assert table.sentence("Ada", "pressure_move", move=move) == "Say whom it is about."


def test_the_highest_track_that_bears_on_somebody_counts(open_table: Open) -> None:
    """SS-50, SS-52, SS-53: one's own or the table's, and nobody else's."""
    playing = party(open_table, pressure="both")
    raised(playing, 2)
    raised(playing, 4, who="Kira")
    assert playing.refused("Ada", "pressure_move", move="side effect", who="Lund", words="a cough") == "too_early"
    playing.act("Ada", "pressure_move", move="side effect", who="Kira", words="a cough")
    playing.act("Ada", "pressure_move", move="surcharge")
    assert (playing.sheet("Kira").surcharged, playing.look("Ada").game.surcharged) == (True, False)
    assert playing.sentence("Ada", "pressure_move", move="surcharge", who="Kira") == "Spending costs 1 more already."


def test_before_there_is_a_track_nothing_is_allowed(open_table: Open) -> None:
    """SS-52: at a table of personal tracks without heroes."""
    playing = open_table(pressure="personal")
    said = playing.sentence("Ada", "pressure_move", move="hostility")
    assert said == "Pressure is at 0; hostility begins at 4."


def test_other_prompts_bring_no_side_effect(table: Playing) -> None:
    """SS-53: only the one that asks for it."""
    table.act("Ada", "put_prompt", to=table.who("Kira").id, words="What do you fear?")
    (prompt,) = table.look("Bo").prompts.values()
    table.act("Bo", "answer_prompt", prompt=prompt.id, words="The tide.")
    assert not table.look("Ada").conditions


def test_foes_pay_no_surcharge(open_table: Open) -> None:
    """SS-53: heroes do."""
    playing = party(open_table, step4_surcharge="automatic")
    raised(playing, 4)
    playing.act("Ada", "grant_luck", who="Guard", points=3)
    playing.roll(11)
    playing.answer("Ada", playing.test("Ada", "Guard", "REF"), -1)
    assert playing.sheet("Guard").luck == 2


def test_where_the_track_is_shared_a_heros_own_counts_for_nothing(table: Playing) -> None:
    """SS-50, SS-53: not even one that was set by hand."""
    table.act("Ada", "override", who="Kira", what="pressure", value=4)
    assert not proposed(table)
    assert spends_for(table) == [-1]
