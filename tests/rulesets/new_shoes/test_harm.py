"""Harm eats dice; at 0 one is out until the next scene."""

from __future__ import annotations

import pytest

from astragal.rulesets.new_shoes.state import Attribute, Kind
from tests.rulesets.new_shoes.playing import Playing


def attack(playing: Playing, *faces: int, target: int = 8, victim: str = "Troll", **call: object) -> list[str]:
    """Kira attacks with Body 4."""
    playing.approach("Kira", "body", target, harmful=True, against=victim, **call)
    return playing.names(playing.roll("Kira", *faces))


def now(playing: Playing, who: str) -> list[int]:
    return [playing.sheet(who).dice(attribute) for attribute in Attribute]


# ---------------------------------------------------------------- how much


def test_a_harmful_success_takes_the_difference(playing: Playing) -> None:
    """NS-10: 11 against 8 takes 3 of the troll's Body; by default it is the attacker's attribute that is harmed."""
    attack(playing, 5, 4, 1, 1)
    assert now(playing, "Troll") == [2, 0, 2]


def test_totals_include_statuses(playing: Playing) -> None:
    """NS-10: 7 and +3 against 8 takes 2."""
    playing.status("bleeding", -3, who="Troll")
    attack(playing, 2, 2, 2, 1)
    assert now(playing, "Troll") == [3, 0, 2]


def test_the_game_master_names_what_is_harmed(playing: Playing) -> None:
    """NS-10: with the call."""
    attack(playing, 5, 2, 1, 1, harmed="will")
    assert now(playing, "Troll") == [5, 0, 1]


def test_a_harmless_success_harms_no_one(playing: Playing) -> None:
    """NS-10: only what was meant to."""
    playing.approach("Kira", "body", 8, against="Troll")
    assert "lost" not in playing.names(playing.roll("Kira", 5, 5, 5, 5))
    playing.describe("Kira")
    fields = {"attribute": "body", "target": 8, "against": "Troll", "harmed": "body"}
    assert playing.refused("Ada", "call_approach", who="Kira", **fields) == "harmless"


@pytest.mark.parametrize("faces", [(5, 1, 1, 1), (1, 1, 1, 1)])
def test_a_tie_and_a_failed_attack_harm_no_one(playing: Playing, faces: tuple[int, ...]) -> None:
    """NS-10: the troll never rolled, so nothing comes back."""
    assert "lost" not in attack(playing, *faces)


def test_a_failed_defence_takes_the_difference_from_oneself(playing: Playing) -> None:
    """NS-10: 8 against 10 takes 2 of the attribute that was rolled, or of the one the game master named."""
    playing.react("Kira", 10, 2, 2, 2, 2, by="Troll")
    assert now(playing, "Kira") == [2, 3, 3]
    playing.react("Kira", 4, 1, 1, by="Troll", hurt="mind")
    assert now(playing, "Kira") == [2, 1, 3]


def test_a_defence_that_meets_the_target_costs_nothing(playing: Playing) -> None:
    """NS-10: a tie harms no one."""
    playing.react("Kira", 8, 2, 2, 2, 2, by="Troll")
    assert now(playing, "Kira") == [4, 3, 3]


def test_an_attribute_never_falls_below_nothing(playing: Playing) -> None:
    """NS-10: 30 too many take no more than there is."""
    assert "knocked_out" in attack(playing, 6, 6, 6, 6, 5, 5, 5, 1)
    assert now(playing, "Troll") == [0, 0, 2]


def test_harm_needs_a_victim(playing: Playing) -> None:
    """NS-10: the game master says whom it is against."""
    playing.describe("Kira", harmful=True)
    assert playing.refused("Ada", "call_approach", who="Kira", attribute="body", target=8) == "no_victim"
    fields = {"attribute": "body", "target": 8, "against": "Kira"}
    assert playing.refused("Ada", "call_approach", who="Kira", **fields) == "one_side"


def test_the_lowered_attribute_is_the_number_of_dice(playing: Playing) -> None:
    """NS-11: from the next roll on."""
    playing.react("Kira", 10, 2, 2, 2, 2, by="Troll")
    playing.approach("Kira", "body", 8)
    assert len(playing.told(playing.roll("Kira", 3, 3), "dice_thrown")["mine"]) == 2


# ---------------------------------------------------------------- knocked out


@pytest.fixture
def fallen(playing: Playing) -> Playing:
    """Kira is at Body 0."""
    playing.react("Kira", 20, 1, 1, 1, 1, by="Troll")
    return playing


def test_at_nothing_one_is_knocked_out_and_cannot_act(fallen: Playing) -> None:
    """NS-12: neither with Body nor with anything else; and one gets no reaction."""
    assert fallen.sheet("Kira").knocked_out
    assert fallen.refused("Bo", "describe", who="Kira", words="I crawl.") == "knocked_out"
    assert fallen.refused("Ada", "prompt_reaction", who="Kira", words="A kick.") == "knocked_out"
    assert fallen.sentence("Bo", "describe", who="Kira", words="I crawl.") == (
        "Kira is knocked out, and can’t act in this scene."
    )


def test_what_the_knocked_out_had_under_way_comes_to_nothing(playing: Playing) -> None:
    """NS-12: open reactions, too."""
    playing.approach("Kira", "mind", 8)
    playing.act("Ada", "prompt_reaction", who="Kira", words="A stone!")
    playing.react("Kira", 20, 1, 1, 1, 1, by="Troll")
    assert not playing.look("Bo").game.approaches
    assert not playing.look("Bo").requests


def test_an_opponents_fall_takes_the_opposed_roll_with_it(playing: Playing) -> None:
    """NS-12: nobody is left to roll against."""
    playing.describe("Kira")
    lund = playing.describe("Lund")
    fields = {"attribute": "mind", "opponent": "Lund", "opposing_attribute": "body", "opposing": lund}
    playing.act("Ada", "call_opposed", who="Kira", **fields)
    playing.act("Ada", "override", who="Lund", what="will", value=0)
    assert not playing.look("Bo").game.approaches
    assert not playing.look("Bo").requests


def test_with_the_next_scene_one_wakes_at_one(fallen: Playing) -> None:
    """NS-12: not with the end of this one."""
    fallen.act("Ada", "improvise_scene", title="The ditch")
    assert now(fallen, "Kira") == [1, 3, 3]
    assert not fallen.sheet("Kira").knocked_out
    fallen.approach("Kira", "body", 4)
    fallen.roll("Kira", 5)


def test_a_scene_that_ends_wakes_nobody_before_the_next(fallen: Playing) -> None:
    """NS-12: at the next scene."""
    fallen.act("Ada", "improvise_scene", title="The ditch")
    fallen.react("Kira", 20, 1)
    fallen.act("Ada", "end_scene")
    assert fallen.sheet("Kira").knocked_out
    fallen.act("Ada", "improvise_scene", title="The road")
    assert not fallen.sheet("Kira").knocked_out


def test_one_wakes_with_what_rest_or_healing_gave(fallen: Playing) -> None:
    """NS-12: with 1 or with that, whichever is more, and not with both."""
    fallen.act("Ada", "rest", who=[fallen.who("Kira").id])
    assert now(fallen, "Kira") == [1, 3, 3]
    assert fallen.sheet("Kira").knocked_out
    fallen.act("Ada", "improvise_scene", title="Morning")
    assert now(fallen, "Kira") == [1, 3, 3]


def test_the_game_master_may_say_otherwise(fallen: Playing) -> None:
    """NS-12: who is kept down sleeps on until woken."""
    fallen.act("Ada", "keep_down", who="Kira")
    assert fallen.refused("Ada", "keep_down", who="Kira") == "no_change"
    for title in ("Morning", "Noon"):
        fallen.act("Ada", "improvise_scene", title=title)
        assert fallen.sheet("Kira").knocked_out
    fallen.act("Ada", "wake", who="Kira")
    assert not fallen.sheet("Kira").knocked_out
    assert now(fallen, "Kira") == [1, 3, 3]
    assert fallen.refused("Ada", "wake", who="Kira") == "no_change"
    assert fallen.refused("Bo", "wake", who="Kira") == "not_allowed"


def test_a_knocked_out_npc_does_not_act_either(playing: Playing) -> None:
    """NS-12: until the next scene."""
    attack(playing, 6, 6, 5, 1, 1, 1)
    assert playing.refused("Ada", "prompt_reaction", who="Kira", words="!", by="Troll") == "knocked_out"


# ---------------------------------------------------------------- without attributes


def test_who_has_none_of_it_takes_harm_as_one_status(playing: Playing) -> None:
    """NS-15: it grows by the difference, and at −5 the thing is out of the scene."""
    playing.act("Ada", "make_npc", name="Gate", thing=True)
    assert attack(playing, 4, 4, 1, 1, victim="Gate")[-2:] == ["worn_down", "prompt_put"]
    assert [(status.name, status.value) for status in playing.sheet("Gate").statuses] == [("harm", -2)]
    assert "knocked_out" not in attack(playing, 3, 2, 1, 1, victim="Gate", target=8)
    assert "knocked_out" in attack(playing, 6, 5, 1, 1, 1, victim="Gate", target=8)
    assert [(status.name, status.value) for status in playing.sheet("Gate").statuses] == [("harm", -5)]


def test_harm_to_a_thing_helps_against_it(playing: Playing) -> None:
    """NS-04, NS-15: as every status of the opposition."""
    playing.act("Ada", "make_npc", name="Gate", thing=True)
    attack(playing, 4, 4, 1, 1, victim="Gate")
    playing.approach("Kira", "body", 8, against="Gate")
    assert playing.told(playing.roll("Kira", 1, 1, 1, 1), "dice_thrown")["total"] == 6


def test_things_and_people_may_have_some_of_the_attributes(playing: Playing) -> None:
    """NS-15: the troll has no Mind, so that harm to it is a status."""
    attack(playing, 4, 4, 1, 1, harmed="mind")
    assert now(playing, "Troll") == [5, 0, 2]
    assert playing.sheet("Troll").worn == -2


def test_whoever_is_out_is_not_knocked_out_again(playing: Playing) -> None:
    """NS-12: though another attribute comes to nothing."""
    assert "knocked_out" in attack(playing, 6, 6, 6, 6, 1, 1, 1, 1)
    assert "knocked_out" not in attack(playing, 6, 6, 6, 6, 1, 1, 1, 1, harmed="will")
    assert now(playing, "Troll") == [0, 0, 0]


def test_a_thing_is_no_npc(playing: Playing) -> None:
    """NS-15: and an NPC is no thing."""
    playing.act("Ada", "make_npc", name="Gate", thing=True)
    assert (playing.sheet("Gate").kind, playing.sheet("Troll").kind) == (Kind.THING, Kind.NPC)


def test_what_is_worn_out_falls_again_in_the_next_scene(playing: Playing) -> None:
    """NS-15: its status is still there, so the least harm takes it out."""
    playing.act("Ada", "make_npc", name="Gate", thing=True)
    attack(playing, 6, 6, 5, 1, 1, 1, victim="Gate")
    playing.act("Ada", "improvise_scene", title="Again")
    assert not playing.sheet("Gate").knocked_out
    assert "knocked_out" in attack(playing, 1, 1, 1, 1, victim="Gate", target=8)
    assert playing.sheet("Gate").worn == -5


def test_where_no_scene_runs_the_next_evening_wakes(playing: Playing) -> None:
    """NS-12: without scenes the next evening is the next scene; who is kept down stays down."""
    playing.act("Ada", "begin_evening")
    for who in ("Kira", "Lund"):
        playing.act("Ada", "override", who=who, what="body", value=0)
    playing.act("Ada", "keep_down", who="Lund")
    playing.act("Ada", "end_evening")
    assert playing.sheet("Kira").knocked_out
    told = [event.words for event in playing.act("Ada", "begin_evening").events]
    assert "Kira is up again, with Body at 1" in told
    assert not playing.sheet("Kira").knocked_out
    assert playing.sheet("Lund").knocked_out


def test_nobody_wakes_in_a_scene_that_goes_on(playing: Playing) -> None:
    """NS-12: out for the scene, however many evenings it takes."""
    playing.act("Ada", "begin_evening")
    playing.act("Ada", "improvise_scene", title="The well")
    playing.act("Ada", "override", who="Kira", what="body", value=0)
    playing.act("Ada", "end_evening")
    playing.act("Ada", "begin_evening")
    assert playing.sheet("Kira").knocked_out
    playing.act("Ada", "improvise_scene", title="The rope")
    assert not playing.sheet("Kira").knocked_out


def test_the_dead_act_and_wake_no_more(playing: Playing) -> None:
    """NS-12: the game master says that somebody does not wake, ever. What was under way comes to nothing."""
    playing.act("Ada", "improvise_scene", title="The well")
    playing.approach("Kira")
    playing.describe("Lund")
    playing.act("Bo", "support", who="Kira", supported="Lund", attribute="body")
    playing.act("Ada", "override", who="Kira", what="mind", value=0)
    playing.act("Ada", "record_fate", who="Kira", fate="dead")
    assert [one.who for one in playing.look("Ada").game.approaches.values()] == [playing.who("Lund").id]
    assert playing.sentence("Bo", "describe", who="Kira", words="Kira climbs") == "Kira is dead."
    assert playing.refused("Ada", "wake", who="Kira") == "dead"
    assert playing.refused("Ada", "prompt_reaction", who="Kira", words="Look out!") == "dead"
    playing.act("Ada", "improvise_scene", title="The rope")
    assert playing.sheet("Kira").knocked_out


def test_death_ends_what_was_under_way(playing: Playing) -> None:
    """NS-12, NS-07, NS-08: approaches, reactions and support; a captive's go on."""
    playing.describe("Kira")
    playing.act("Ada", "prompt_reaction", who="Lund", words="Look out!")
    playing.act("Ada", "record_fate", who="Kira", fate="captured")
    assert len(playing.look("Ada").game.approaches) == 2
    for who in ("Kira", "Lund"):
        playing.act("Ada", "record_fate", who=who, fate="dead")
    assert not playing.look("Ada").game.approaches


def test_a_dead_supporter_gives_nothing(playing: Playing) -> None:
    """NS-07: support is worth what the supporter has at the moment of the roll."""
    playing.approach("Lund", "body", 8)
    playing.act("Bo", "support", who="Kira", supported="Lund", attribute="body")
    playing.act("Ada", "record_fate", who="Kira", fate="dead")
    assert playing.told(playing.roll("Lund", 3, 3), "approach_rolled")["result"] == "failure"


def test_a_rewind_undoes_a_death(playing: Playing) -> None:
    """NS-12: a death is story, like everything after the node."""
    node = playing.act("Ada", "mark_save_node", label="The well").act
    playing.act("Ada", "record_fate", who="Kira", fate="dead")
    playing.act("Ada", "rewind", node=node, price="status")
    assert playing.describe("Kira")
