"""Attacks at the table, played through the host."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from astragal.chance import Policy, decline, odds
from astragal.game.display import Tone
from astragal.game.rolls import Footing
from astragal.rulesets.sinew_steel.fights import Effect, Ward, attack, let_through
from astragal.rulesets.sinew_steel.harm import Blow
from astragal.rulesets.sinew_steel.luck import spend_to_succeed, spend_to_win
from astragal.rulesets.sinew_steel.options import Guard, Manner, Options
from astragal.rulesets.sinew_steel.rolls import LEVEL, Stand
from astragal.surfaces.shared.odds import reach, reach_words
from astragal.table.declarations import Sight
from astragal.table.log.repository import Outcome
from astragal.table.preview import Preview, Span
from astragal.table.refusals import NotAllowed, Refusal
from astragal.table.visibility.redact import plain
from tests.rulesets.sinew_steel.conftest import Open
from tests.rulesets.sinew_steel.playing import Playing

SWORD = {"name": "sword", "edge": 1}
MAIL = {"name": "mail", "soak": 2}


@pytest.fixture
def fight(open_table: Open) -> Playing:
    """Kira with a sword against a guard in mail; everybody's scores are known."""
    return _fight(open_table)


def _fight(open_table: Open, **options: Any) -> Playing:
    playing = open_table(build_points=16, **options)
    playing.act("Bo", "make_hero", name="Kira", scores={"MGT": 14, "LCK": 8}, gear=[SWORD])
    playing.act("Cy", "make_hero", name="Lund")
    playing.act("Ada", "make_npc", name="Guard", score=10, stamina=4, gear=[MAIL], shown=True)
    return playing


def strike(playing: Playing, seat: str = "Bo", **fields: Any) -> Any:
    return playing.act(seat, "attack", **{"attacker": "Kira", "defender": "Guard", "weapon": "sword", **fields})


@pytest.mark.parametrize(("face", "damage"), [(11, 0), (10, 1), (6, 2), (4, 3), (2, 3), (1, 3)])
def test_a_hit_takes_stamina_by_edge_margin_and_soak(fight: Playing, face: int, damage: int) -> None:
    """SS-34, SS-35, SS-36: score 14, so margins 3, 4, 8, 10, 12 and a natural 1."""
    fight.roll(face, 20)
    outcome = strike(fight)
    if outcome.waits_for:
        outcome = fight.answer("Bo", outcome, 0)
    assert fight.told(outcome, "attacked")["damage"] == damage
    assert fight.sheet("Guard").stamina == 4 - damage


def test_of_several_pieces_of_armour_the_best_counts_and_without_any_there_is_no_soak(fight: Playing) -> None:
    """SS-36, SS-34: mail of 2 and a shield of 1 are 2; a hit on nothing but a shirt is 1 and the edge."""
    fight.act("Ada", "carry", who="Guard", item={"name": "shield", "soak": 1})
    for defender, damage in (("Guard", 1), ("Lund", 2)):
        fight.roll(10, 20)
        outcome = strike(fight, defender=defender, guard="dodge")
        outcome = fight.answer("Bo", outcome, 0) if outcome.waits_for else outcome
        assert fight.told(outcome, "attacked")["damage"] == damage
        assert f"Kira attacks {defender} with sword. " in fight.words("Di")[-2 if damage else -1]
    assert (fight.sheet("Guard").soak, fight.sheet("Lund").soak) == (2, 0)


def headline(playing: Playing, outcome: Outcome) -> tuple[Tone, str]:
    """What the card of an attack says in one line, the roll as it fell."""
    while outcome.waits_for:
        outcome = playing.answer("Bo", outcome, 0)
    deed = playing.host.events_of(playing.table, playing.seats["Di"], outcome.act)
    (went,) = [one.went for one in deed if one.name == "attacked" and one.went]
    return went.tone, went.words


def test_an_attack_has_a_headline(fight: Playing) -> None:
    """SS-32, SS-34, SS-39, SS-41, SS-43: a miss, armour that holds, damage, what was agreed on, what is lethal."""
    told = []
    for faces, fields in (
        ((20, 2), {}),
        ((11, 20), {}),
        ((6, 20), {}),
        ((6, 20), {"consequence": "The guard drops the spear."}),
        ((6, 20), {"lethal": "captured"}),
    ):
        fight.roll(*faces)
        told.append(headline(fight, strike(fight, "Ada", **fields)))
    assert told == [
        (Tone.BAD, "a miss"),
        (Tone.GOOD, "a hit that the armour stops"),
        (Tone.GOOD, "a hit for 2"),
        (Tone.GOOD, "a hit: The guard drops the spear"),
        (Tone.GOOD, "a hit, with lethal stakes"),
    ]


def test_soak_and_bonus_are_told_of_a_blow_that_hits(fight: Playing) -> None:
    """SS-34, SS-35, SS-36, SS-39, SS-43: not of a miss, nor of what was agreed on."""
    told = []
    for faces, fields in (((4, 20), {}), ((20, 2), {}), ((4, 20), {"consequence": "Down goes the spear."})):
        fight.roll(*faces)
        outcome = strike(fight, **fields)
        outcome = fight.answer("Bo", outcome, 0) if outcome.waits_for else outcome
        shown = fight.told(outcome, "attacked")["attack"]["open"]
        told.append((shown["soak_left"], shown["bonus"]))
    assert told == [(0, 1), (None, None), (None, None)]


def test_who_can_not_fight_does_not_attack(fight: Playing) -> None:
    """SS-30, SS-32, SS-33, SS-39, SS-43: nobody fights oneself, and the collapsed attack nobody."""
    assert fight.refused("Bo", "attack", attacker="Kira", defender="Kira") == "one_side"
    fight.act("Ada", "harm", who="Kira", points=5)
    assert fight.refused("Bo", "attack", attacker="Kira", defender="Guard") == "collapsed"


def test_two_ways_to_defend_are_a_choice(open_table: Open) -> None:
    """SS-33, SS-43: a skin in which one takes cover and keeps composure by Luck alone."""
    playing = _fight(open_table, usual_defence={"cover": "LCK", "composure": "LCK"})
    playing.act("Ada", "make_npc", name="Scout", scores={"REF": 12}, shown=True)
    waits = strike(playing, defender="Scout")
    (asked,) = playing.host.decisions(playing.table, playing.seats["Ada"])
    assert (waits.waits_for, [choice.answer for choice in asked.choices]) == (("defender",), ["dodge", "parry"])


@pytest.mark.parametrize("footing", Footing)
def test_the_damage_that_a_defence_lets_through_is_that_of_the_attack(footing: Footing) -> None:
    """SS-33 to SS-36: the odds that the defender is shown are the rule's own, before any Luck."""
    ward, blow = Ward(Guard.DODGE, "REF", 12, Stand(footing)), Blow(edge=1, soak=2)
    rolled = odds(attack(14, 12, LEVEL, ward.stand, blow)).map(lambda exchange: exchange.damage)
    assert let_through(ward, 14, LEVEL, blow).chances() == rolled.chances()


def test_without_a_defence_no_score_is_held_against_the_attack(fight: Playing) -> None:
    """SS-33, SS-39, SS-43"""
    shown = fight.preview("Ada", "attack", attacker="Kira", defender="Guard", guard="none")
    assert (shown.arguments["defender"], shown.arguments["defending"]) == (0, None)


def test_help_for_the_next_roll_lasts_while_nobody_rolls(fight: Playing) -> None:
    """SS-30, SS-32, SS-33, SS-43: without a defence the defender has not rolled."""
    for who in ("Kira", "Guard"):
        fight.act("Ada", "begin_condition", name="poised", who=who, numbers={"advantage": 1, "next_roll": 1})
    fight.roll(20, 20)
    strike(fight, "Ada", guard="none")
    assert [one.who for one in fight.look("Ada").conditions.values()] == [fight.who("Guard").id]
    fight.roll(20, 5, 6)
    strike(fight)
    assert not fight.look("Ada").conditions


def test_attacker_and_defender_choose_their_attributes(fight: Playing) -> None:
    """SS-32, SS-43: the usual one, or any other."""
    fight.roll(19, 2)
    told = fight.told(strike(fight, manner="fast", guard="cover"), "attacked")
    assert (told["attack"]["attribute"], told["defence"]["attribute"]) == ("REF", "INT")
    fight.roll(19, 2)
    told = fight.told(strike(fight, attribute="emp", defence_attribute="MGT"), "attacked")
    assert (told["attack"]["attribute"], told["defence"]["attribute"]) == ("EMP", "MGT")


def test_usual_attributes() -> None:
    """SS-43"""
    options = Options()
    assert [manner.usual(options) for manner in Manner] == ["MGT", "REF", "INT", "EMP", "LCK"]
    assert [guard.usual(options) for guard in Guard][:5] == ["REF", "MGT", "INT", "EMP", "LCK"]


def test_usual_attributes_follow_the_skin() -> None:
    """SS-43: agility and Luck are where the skin says, and so is any way that it names."""
    keys = ("HOP", "BRN", "MND", "HRT", "WND")
    options = Options(attributes=keys, luck="HOP", agility="WND", usual_attack={"heavy": "BRN"})
    assert [manner.usual(options) for manner in Manner] == ["BRN", "WND", "MND", "HRT", "HOP"]
    assert (Guard.DODGE.usual(options), Guard.CHANCE.usual(options)) == ("WND", "HOP")


def test_there_is_no_turn_order_unless_asked_for(fight: Playing) -> None:
    """SS-43: whoever is named acts, as often as they are named."""
    for _ in range(2):
        fight.roll(19, 2)
        strike(fight)
    fight.roll(19, 2)
    fight.act("Cy", "attack", attacker="Lund", defender="Guard")


def test_the_custodian_can_skip_the_defence(fight: Playing) -> None:
    """SS-33: one die."""
    fight.roll(6)
    told = fight.told(fight.answer("Ada", strike(fight, "Ada", guard="none"), 0), "attacked")
    assert (told["defence"], told["hit"]) == (None, True)


def test_the_custodian_can_call_for_luck_as_the_defence(fight: Playing) -> None:
    """SS-24, SS-33: against current tokens, and it can't be nudged."""
    fight.roll(20, 9)
    told = fight.told(
        fight.act("Ada", "attack", attacker="Guard", defender="Kira", guard="chance", manner="fast"), "attacked"
    )
    assert (told["defence"]["attribute"], told["defence"]["open"]["score"]) == ("LCK", 8)
    fight.roll(9, 9)
    outcome = fight.act("Ada", "attack", attacker="Guard", defender="Kira", guard="chance", manner="fast")
    assert outcome.waits_for == ()


def test_without_tokens_the_custodian_names_a_score(fight: Playing) -> None:
    """SS-33"""
    with pytest.raises(Refusal, match="holds no tokens"):
        strike(fight, "Ada", guard="chance")
    fight.roll(20, 3)
    told = fight.told(strike(fight, "Ada", guard="chance", defence_score=6), "attacked")
    assert told["defence"]["open"]["score"] == 6


def test_luck_that_is_called_for_defends_the_collapsed(fight: Playing) -> None:
    """SS-30, SS-33: it is what Luck is for. Any other defence is none."""
    fight.act("Ada", "harm", who="Kira", points=5)
    for called in ({"guard": "chance"}, {"defence_attribute": "LCK"}):
        fight.roll(5, 3)
        told = fight.told(fight.act("Ada", "attack", attacker="Guard", defender="Kira", **called), "attacked")
        assert (told["defence"]["attribute"], told["defence"]["open"]["score"], told["hit"]) == ("LCK", 8, False)
    for hopeless in ("dodge", "parry", "cover", "composure", "none"):
        fight.roll(5)
        told = fight.told(fight.act("Ada", "attack", attacker="Guard", defender="Kira", guard=hopeless), "attacked")
        assert (told["defence"], told["hit"]) == (None, True)


def test_luck_that_is_called_for_defends_the_helpless(fight: Playing) -> None:
    """SS-33: there is no defence, says the custodian, but Luck."""
    fight.roll(5, 3)
    called = {"guard": "none", "defence_attribute": "lck"}
    told = fight.told(fight.act("Ada", "attack", attacker="Guard", defender="Lund", **called), "attacked")
    assert (told["defence"]["attribute"], told["hit"]) == ("LCK", False)


def test_luck_can_save_the_helpless_from_lethal_stakes(fight: Playing) -> None:
    """SS-30, SS-33, SS-41: the warning, the attack, and then the roll that life hangs on."""
    fight.act("Ada", "harm", who="Kira", points=5)
    lethal = {"attacker": "Guard", "defender": "Kira", "guard": "chance", "lethal": "dead"}
    waits = fight.act("Ada", "attack", **lethal)
    fight.roll(5, 3)
    assert fight.names(fight.answer("Bo", waits, "understood"))[-1] == "attacked"
    assert fight.who("Kira").fate is None
    waits = fight.act("Ada", "attack", **lethal)
    fight.roll(5, 9)
    outcome = fight.answer("Bo", waits, "understood")
    assert fight.told(outcome, "fate_recorded")["fate"] == "dead"


def test_a_named_score_defends_the_collapsed_without_tokens(fight: Playing) -> None:
    """SS-30, SS-33: for somebody of the custodian's, and where Luck was called for."""
    fight.act("Ada", "harm", who="Guard", points=4)
    with pytest.raises(Refusal, match="holds no tokens"):
        strike(fight, "Ada", guard="chance")
    fight.roll(13, 6)
    told = fight.told(fight.answer("Bo", strike(fight, "Ada", guard="chance", defence_score=9), 0), "attacked")
    assert (told["defence"]["open"]["score"], told["hit"]) == (9, False)


@pytest.mark.parametrize(("guard", "percent"), [("chance", 41), ("dodge", 50)])
def test_the_odds_against_the_collapsed_are_those_of_the_roll(fight: Playing, guard: str, percent: int) -> None:
    """SS-30, SS-33: 10 against 8 tokens, 164 in 400, or against nothing, 10 in 20: what is shown is what is rolled."""
    fight.act("Ada", "harm", who="Kira", points=5)
    preview = fight.preview("Ada", "attack", attacker="Guard", defender="Kira", guard=guard)
    case = next(case for case in preview.cases if case.policy is None)
    assert case.odds.percent(lambda effect: isinstance(effect, Effect) and effect.hit) == percent


def test_a_score_is_not_named_for_a_hero_nor_by_a_player(fight: Playing) -> None:
    """SS-33"""
    with pytest.raises(NotAllowed):
        strike(fight, "Bo", defence_score=6)
    with pytest.raises(NotAllowed):
        strike(fight, "Ada", defender="Lund", defence_score=6)


def test_an_attack_on_luck_is_against_current_tokens_and_not_nudged(fight: Playing) -> None:
    """SS-24"""
    fight.roll(9, 20)
    outcome = strike(fight, manner="lucky")
    assert outcome.waits_for == ()
    assert fight.told(outcome, "attacked")["attack"]["open"]["score"] == 8


def test_attack_and_defence_on_drained_luck_are_against_what_is_left(fight: Playing) -> None:
    """SS-24: 3 tokens of a pool of 8; Lund holds all 10."""
    fight.act("Ada", "override", who="Kira", what="luck", value=3)
    fight.roll(4, 20)
    told = fight.told(strike(fight, manner="lucky"), "attacked")
    assert (told["attack"]["open"]["score"], told["hit"]) == (3, False)
    fight.roll(10, 4)
    told = fight.told(fight.act("Ada", "attack", attacker="Guard", defender="Kira", guard="chance"), "attacked")
    assert (told["defence"]["open"]["score"], told["hit"]) == (3, True)
    fight.roll(10, 10)
    told = fight.told(fight.act("Ada", "attack", attacker="Guard", defender="Lund", guard="chance"), "attacked")
    assert (told["defence"]["open"]["score"], told["hit"]) == (10, False)


def test_a_frozen_defence_on_luck_is_nudged_from_the_tokens_it_is_rolled_against(open_table: Open) -> None:
    """SS-24: 8 tokens, and a 9 that comes down by one."""
    playing = _fight(open_table, luck_test_target="frozen")
    playing.roll(10, 9)
    waits = playing.act("Ada", "attack", attacker="Guard", defender="Kira", guard="chance")
    told = playing.told(playing.answer("Bo", waits, -1), "attacked")
    assert (told["defence"]["open"]["score"], told["hit"], playing.sheet("Kira").luck) == (8, False, 7)


@pytest.mark.parametrize(("piercing", "left"), [(True, 1), (False, 2)])
def test_plasma_ignores_a_point_of_soak_where_the_table_plays_it(open_table: Open, piercing: bool, left: int) -> None:
    """SS-37"""
    playing = _fight(open_table, piercing=piercing)
    playing.act("Bo", "carry", who="Kira", item={"name": "lance", "edge": 2, "tags": ["Plasma"]})
    playing.roll(14, 20)
    outcome = playing.answer("Bo", strike(playing, weapon="lance"), 0)
    assert playing.told(outcome, "attacked")["attack"]["open"]["soak_left"] == left


def test_bonus_margin_can_be_eleven(open_table: Open) -> None:
    """SS-35"""
    playing = _fight(open_table, bonus_margin=11)
    playing.roll(4, 20)
    outcome = strike(playing)
    told = playing.told(playing.answer("Bo", outcome, 0), "attacked")
    assert (told["attack"]["open"]["margin"], told["attack"]["open"]["bonus"]) == (10, 0)


def test_luck_after_a_hit_deepens_it(fight: Playing) -> None:
    """SS-38"""
    fight.roll(11, 20)
    outcome = fight.answer("Bo", strike(fight), -1)
    assert (fight.told(outcome, "attacked")["damage"], fight.sheet("Kira").luck) == (1, 7)


def test_an_agreed_consequence_takes_the_place_of_damage(fight: Playing) -> None:
    """SS-39"""
    fight.roll(2, 20)
    outcome = strike(fight, consequence="The guard drops the spear.")
    assert fight.words("Cy")[-1].endswith("A hit: The guard drops the spear.")
    assert "lost" not in fight.names(outcome)


def test_lethal_stakes_warn_the_defender_and_bring_the_agreed_fate(fight: Playing) -> None:
    """SS-41"""
    waits = fight.act("Ada", "attack", attacker="Guard", defender="Kira", guard="none", lethal="captured")
    assert (waits.waits_for, fight.names(waits)) == (("defender",), ["decision_opened"])
    fight.roll(2)
    outcome = fight.answer("Bo", waits, "understood")
    assert fight.told(outcome, "fate_recorded")["fate"] == "captured"
    assert fight.sheet("Kira").stamina == 5


def test_lethal_stakes_are_not_called_out_of_sight(fight: Playing) -> None:
    """SS-41: the defender is warned, and a hidden roll can't be spoken of."""
    fields = {"attacker": "Guard", "defender": "Kira", "lethal": "dead", "guard": "dodge"}
    with pytest.raises(Refusal, match="warned of lethal stakes"):
        fight.hidden("attack", Sight.HIDDEN, **fields)


def test_the_custodian_needs_no_warning_of_their_own_call(fight: Playing) -> None:
    """SS-41"""
    fight.roll(2, 20)
    outcome = strike(fight, "Ada", lethal="dead")
    assert fight.told(outcome, "fate_recorded")["fate"] == "dead"
    with pytest.raises(Refusal, match="Guard is dead"):
        strike(fight)


# ---------------------------------------------------------------- circumstances


def test_flanking_helps_and_fighting_blind_hinders(fight: Playing) -> None:
    """SS-42"""
    fight.roll(19, 3, 2, 4)
    told = fight.told(strike(fight, advantage=["flanking"], defence_disadvantage=["blind"]), "attacked")
    assert (told["attack"]["footing"], told["defence"]["footing"]) == ("advantage", "disadvantage")


def test_the_custodian_can_name_any_other_word(fight: Playing) -> None:
    """SS-42"""
    fight.roll(19, 18, 2)
    told = fight.told(strike(fight, "Ada", advantage=["the sun behind her"]), "attacked")
    assert (told["attack"]["footing"], told["attack"]["because"]) == ("advantage", ["the sun behind her"])


def test_a_known_word_can_not_be_turned_around(fight: Playing) -> None:
    """SS-42"""
    with pytest.raises(Refusal, match="Flanking gives advantage"):
        strike(fight, defence_disadvantage=["flanking"])


def test_conditions_of_the_table_help_and_hinder(fight: Playing) -> None:
    """SS-05, SS-42"""
    fight.act("Ada", "begin_condition", name="dazzled", who="Kira", numbers={"disadvantage": 1})
    fight.roll(3, 19, 2)
    told = fight.told(strike(fight), "attacked")
    assert told["attack"]["because"] == ["dazzled"]


def test_more_than_six_substantial_items_hinder_agility(fight: Playing) -> None:
    """SS-40: in attack, in defence and in tests; trinkets do not count."""
    for number in range(5):
        fight.act("Bo", "carry", who="Kira", item={"name": f"crate {number}"})
    fight.act("Bo", "carry", who="Kira", item={"name": "purse", "substantial": False})
    fight.roll(5)
    assert fight.told(fight.test("Bo", "Kira", "REF"), "tried")["roll"]["footing"] == "level"
    fight.act("Bo", "carry", who="Kira", item={"name": "anvil"})
    fight.roll(5, 6)
    assert fight.told(fight.test("Bo", "Kira", "REF"), "tried")["roll"]["because"] == ["overloaded"]
    fight.roll(5)
    assert fight.told(fight.test("Bo", "Kira", "MGT"), "tried")["roll"]["footing"] == "level"
    fight.roll(20, 3, 4)
    told = fight.told(fight.act("Ada", "attack", attacker="Guard", defender="Kira", guard="dodge"), "attacked")
    assert told["defence"]["footing"] == "disadvantage"
    fight.act("Bo", "drop", who="Kira", item="anvil")
    fight.roll(5)
    assert fight.told(fight.test("Bo", "Kira", "REF"), "tried")["roll"]["footing"] == "level"


def test_only_what_is_carried_is_struck_with(fight: Playing) -> None:
    with pytest.raises(Refusal, match="does not carry"):
        strike(fight, weapon="axe")


# ---------------------------------------------------------------- previews


def test_a_preview_tells_hit_and_each_damage(fight: Playing) -> None:
    """SS-32, SS-34"""
    asked = ("attack", {"attacker": "Kira", "defender": "Guard", "weapon": "sword"})
    preview = fight.host.preview(fight.table, fight.seats["Bo"], asked)
    assert preview is not None
    case, with_luck = preview.cases
    assert (case.policy, with_luck.policy) == (None, "with Luck")
    assert set(case.odds.weights) == {Effect(hit=False, damage=None), *(Effect(hit=True, damage=n) for n in range(4))}


def test_a_preview_under_hidden_scores_is_a_span_over_the_usual_ones(playing: Playing) -> None:
    """SS+03, SS-68: from 4, the worst of the lowest tier, to 16; likely 10, the mean."""
    preview = playing.preview("Bo", "attack", attacker="Kira", defender="Guard")
    case, with_luck = preview.cases
    assert (case.policy, with_luck.policy) == (None, "with Luck")

    def hit(score: int) -> Fraction:
        return odds(attack(10, score)).chance(lambda exchange: exchange.hit)

    assert case.span == Span(hit(16), hit(10), hit(4), against=10)
    assert case.success == hit(10)
    assert "defender" not in preview.arguments


def test_the_chance_by_luck_is_what_one_would_spend_after_the_roll(playing: Playing) -> None:
    """SS-21, SS-25: five in a hundred for each token, until only the natural 20 is left; and the fewest that reach."""
    shown = playing.preview("Bo", "test", who="Kira", attribute="REF", stakes="the rope")
    assert [(rung.points, rung.chance) for rung in shown.after] == [(n, Fraction(60 + 5 * n, 100)) for n in range(8)]
    found = reach(shown, Fraction(3, 4))
    assert reach_words(shown, found) == "To reach 75 %, spend up to 3 Luck after the roll: 75 %."
    assert "the best is 95 %, for 7" in reach_words(shown, reach(shown, Fraction(1)))


@pytest.mark.parametrize("who", ["Guard", "Lund"])
def test_luck_that_nobody_spends_changes_nothing(fight: Playing, who: str) -> None:
    """SS-21: the chance of no tokens is that of the roll as it falls; the most is what all of them bring."""
    shown = fight.preview("Bo", "attack", attacker="Kira", defender=who, guard="dodge")
    assert shown.after[0].chance == shown.cases[0].success
    assert [rung.points for rung in shown.after] == list(range(9))
    chances = [rung.chance for rung in shown.after]
    assert chances == sorted(chances)


def test_luck_that_the_defender_could_answer_says_so(fight: Playing) -> None:
    """SS-23: Lund has tokens of his own; the Guard has none."""
    told = []
    for who in ("Lund", "Guard"):
        shown = fight.preview("Bo", "attack", attacker="Kira", defender=who, guard="dodge")
        told.append(reach_words(shown, reach(shown, Fraction(2, 3))))
    assert told[0].endswith(", unless the other side answers.")
    assert "answers" not in told[1]


@pytest.mark.slow
@pytest.mark.parametrize("footing", list(Footing))
@pytest.mark.parametrize("policy", [decline, spend_to_succeed, spend_to_win])
def test_the_chance_to_hit_falls_as_the_defence_rises(footing: Footing, policy: Policy) -> None:
    """SS-32: so the ends of a span are those of the usual scores."""
    for stand in (Stand(closed=True), Stand(luck=3, closed=True)):
        questions = [attack(12, score, Stand(footing, luck=4), stand) for score in range(21)]
        chances = [odds(one, policy).chance(lambda exchange: exchange.hit) for one in questions]
        assert chances == sorted(chances, reverse=True)


# ---------------------------------------------------------------- what a closed sheet keeps


def damages(preview: Preview) -> set[int | None]:
    effects = (effect for case in preview.cases for effect in case.odds.weights)
    return {effect.damage for effect in effects if isinstance(effect, Effect)}


@pytest.mark.slow
def test_what_somebody_carries_is_as_closed_as_their_scores(open_table: Open) -> None:
    """SS-28, SS-34: players see neither, until both are opened. What they don't know is in no odds that they are shown,
    nor is a hit that armour might stop.
    """
    playing = open_table(build_points=16)
    playing.act("Bo", "make_hero", name="Kira", scores={"MGT": 14}, gear=[SWORD])
    playing.act("Ada", "make_npc", name="Guard", score=10, gear=[MAIL])
    attack = {"attacker": "Kira", "defender": "Guard", "weapon": "sword"}
    assert "mail" not in str(plain(playing.look("Bo")))
    assert "mail" in str(plain(playing.look("Ada")))
    shown = playing.preview("Bo", "attack", **attack)
    known = playing.preview("Ada", "attack", **attack)
    assert damages(shown) == {None}
    assert 0 in damages(known)
    playing.roll(6, 20)
    outcome = playing.host.act(playing.table, playing.seats["Bo"], ("attack", attack), shown=shown.question)
    while outcome.waits_for:
        outcome = playing.answer("Bo", outcome, 0)
    assert playing.told(outcome, "attacked")["damage"] == 2
    playing.act("Ada", "drop", who="Guard", item="mail")
    playing.act("Ada", "carry", who="Guard", item=MAIL)
    playing.act("Ada", "open_scores", who="Guard")
    assert "mail" in str(plain(playing.look("Bo")))
