"""Checks, saves, passive scores and taking 10 or 20 at the table: SP-02, SP-05, SP-07, SP-09 to SP-12, SP-16, SP-17."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.rulesets.six_pool.catalogue import SKILLS, Pool
from astragal.rulesets.six_pool.checks import THREATS
from tests.rulesets.six_pool.conftest import Open
from tests.rulesets.six_pool.playing import Playing


def test_a_hero_has_six_pools_with_a_most_and_a_present_value(playing: Playing) -> None:
    """SP-02: both are there, and only the present value is spent."""
    playing.check(10, points=2)
    pools = playing.sheet("Kira").numbers.pools
    assert list(pools) == list(Pool)
    assert (pools[Pool.DEX].most, pools[Pool.DEX].now) == (18, 16)


def test_the_six_pools_are_apart_from_each_other(playing: Playing) -> None:
    """SP-02: in the book's order; what is spent of one is there in the others."""
    playing.check(10, points=2)
    pools = playing.sheet("Kira").numbers.pools
    assert [pool.value for pool in Pool] == ["STR", "DEX", "CON", "INT", "WIS", "CHA"]
    assert [(pool.value, one.most - one.now) for pool, one in pools.items() if one.now < one.most] == [("DEX", 2)]


def test_no_more_is_spent_than_a_pool_holds_now(playing: Playing) -> None:
    """SP-02: its most does not count."""
    playing.act("Ada", "override", who="Kira", what="DEX", value=1)
    assert playing.refused("Bo", "check", who="Kira", skill="stealth", dc=10, points=2) == "not_held"
    playing.check(10, points=1)
    points = playing.sheet("Kira").numbers.pool(Pool.DEX)
    assert (points.most, points.now) == (18, 0)


@pytest.mark.parametrize(
    ("pool", "skills"),
    [
        (Pool.STR, {"athletics", "climbing", "jumping", "breaking objects"}),
        (Pool.DEX, {"acrobatics", "sleight of hand", "stealth", "lock picking"}),
        (Pool.CON, {"endurance", "resisting the environment"}),
        (Pool.INT, {"investigation", "history", "arcana", "nature", "religion", "arcane knowledge"}),
        (Pool.WIS, {"perception", "insight", "survival", "animal handling", "medicine", "complex medicine"}),
        (Pool.CHA, {"persuasion", "deception", "intimidation", "performance"}),
    ],
)
def test_each_skill_belongs_to_one_pool(pool: Pool, skills: set[str]) -> None:
    """SP-07: the book's list."""
    assert {skill.name for skill in SKILLS.values() if skill.pool is pool} == skills


@pytest.mark.parametrize(("skill", "bonus"), [("stealth", 2 + 1), ("lock picking", 4 + 1), ("acrobatics", 1)])
def test_training_and_edge_are_added(playing: Playing, skill: str, bonus: int) -> None:
    """SP-06, SP-20: trained 2, expert 4, untrained 0; and Edge on all of them."""
    assert playing.rolled(playing.check(10, skill=skill))["total"] == 10 + bonus


def test_a_bare_pool_can_be_rolled(playing: Playing) -> None:
    """SP-07: where no skill fits."""
    assert playing.rolled(playing.check(10, pool="STR"))["total"] == 10


@pytest.mark.parametrize("skill", ["arcane knowledge", "complex medicine"])
def test_what_asks_for_training_is_refused_to_the_untrained(playing: Playing, skill: str) -> None:
    """SP-07: by default arcane knowledge and complex medicine."""
    assert playing.refused("Bo", "check", who="Kira", skill=skill, dc=10) == "untrained"
    playing.act("Ada", "train", who="Kira", skill=skill)
    assert playing.rolled(playing.check(10, skill=skill))["total"] == 12


def test_any_check_can_ask_for_training(playing: Playing) -> None:
    """SP-07: if whoever calls it says so."""
    fields = {"who": "Kira", "skill": "acrobatics", "dc": 10}
    said = playing.sentence("Bo", "check", **fields, requires_training=True)
    assert said == "Acrobatics requires training, and Kira has none."
    said = playing.sentence("Bo", "check", who="Kira", pool="DEX", dc=10, requires_training=True)
    assert said == "DEX requires training, and Kira has none."
    assert playing.rolled(playing.check(10, skill="stealth", requires_training=True))["total"] == 13


def test_a_table_adds_skills_of_its_own(playing: Playing) -> None:
    """SP-07: skills are data."""
    playing.act("Ada", "add_skill", name="Kite flying", pool="WIS")
    assert playing.rolled(playing.check(9, skill="kite flying"))["aim"]["pool"] == "WIS"
    assert playing.refused("Ada", "add_skill", name="KITE FLYING", pool="DEX") == "name_taken"
    playing.act("Ada", "add_skill", name="Shadowing", pool="DEX", trained_only=True, trains_as="Stealth")
    assert playing.rolled(playing.check(9, skill="shadowing"))["total"] == 9 + 2 + 1
    assert playing.refused("Bo", "add_skill", name="cheating", pool="DEX") == "not_allowed"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"skill": "nonsense"}, "no_such_thing"),
        ({"skill": "stealth", "pool": "STR"}, "other_pool"),
        ({}, "no_skill"),
        ({"skill": "stealth", "difficulty": "hard"}, "no_dc"),
        ({"skill": "stealth", "circumstances": ["extremely difficult"] * 6}, "out_of_range"),
        ({"skill": "stealth", "dc": 0}, "bad_fields"),
        ({"skill": "stealth", "points": -1}, "bad_fields"),
        ({"skill": "stealth", "points": "3"}, "bad_fields"),
    ],
)
def test_what_can_not_be_rolled_is_refused(playing: Playing, fields: dict[str, object], code: str) -> None:
    """SP-01, SP-05: before any die."""
    assert playing.refused("Bo", "check", **{"who": "Kira", "dc": 15, **fields}) == code


def test_a_difficulty_goes_by_name_and_circumstances(playing: Playing) -> None:
    """SP-05: hard is 20, and a perfect set-up with bad luck besides makes it 17."""
    circumstances = ["perfect set-up", "unfavourable"]
    assert playing.rolled(playing.check(10, difficulty="hard", circumstances=circumstances))["dc"] == 17
    assert playing.rolled(playing.check(10, dc=38, circumstances=["unfavourable"]))["dc"] == 40
    assert playing.refused("Bo", "check", who="Kira", skill="stealth", dc=39, circumstances=["unfavourable"]) == (
        "out_of_range"
    )


# ---------------------------------------------------------------- advantage


def test_sources_do_not_stack(playing: Playing) -> None:
    """SP-10: three advantages are two dice, and the higher counts."""
    roll = playing.rolled(playing.check(4, 17, advantage=["position", "proper tools", "surprised target"]))
    assert (roll["footing"], roll["natural"]) == ("advantage", 17)


def test_any_number_of_each_cancel(playing: Playing) -> None:
    """SP-10: two against one is one die."""
    roll = playing.rolled(playing.check(9, advantage=["position", "proper tools"], disadvantage=["bad weather"]))
    assert (roll["footing"], roll["natural"]) == ("level", 9)
    assert roll["because"] == ["position", "proper tools", "bad weather"]


def test_points_apply_to_the_die_that_counts(playing: Playing) -> None:
    """SP-10: declared before both dice."""
    roll = playing.rolled(playing.check(4, 17, disadvantage=["injured"], points=2))
    assert (roll["natural"], roll["total"]) == (4, 4 + 2 + 1 + 2)


def test_usual_words_are_taken_on_their_own_side(playing: Playing) -> None:
    """SP-10: the usual sources are offered by name."""
    fields = {"who": "Kira", "skill": "stealth", "dc": 15}
    assert playing.refused("Bo", "check", **fields, advantage=["prone"]) == "circumstance"
    assert playing.rolled(playing.check(3, 5, seat="Ada", advantage=["moonlight"]))["natural"] == 5


def test_conditions_help_hinder_and_add(playing: Playing) -> None:
    """SP-10, SP-01: what the game master lays on somebody counts."""
    playing.act("Ada", "begin_condition", name="blessed", who="Kira", numbers={"advantage": 1, "bonus": 2})
    roll = playing.rolled(playing.check(4, 11))
    assert (roll["because"], roll["total"]) == (["blessed"], 11 + 3 + 2)


# ---------------------------------------------------------------- naturals


@pytest.mark.parametrize(("face", "wanted"), [(20, "benefit"), (1, "complication")])
def test_a_natural_asks_for_its_consequence(playing: Playing, face: int, wanted: str) -> None:
    """SP-11: the game master is asked, and the answer is recorded with the roll."""
    rolled = playing.check(face, dc=30 if face == 20 else 2)
    (prompt,) = playing.look("Ada").prompts.values()
    assert wanted in prompt.words
    assert not playing.look("Bo").prompts
    playing.act("Ada", "answer_prompt", prompt=prompt.id, words="the lantern falls")
    told = playing.host.follow(playing.table, playing.seats["Bo"]).events[-1]
    assert (told.name, told.fields["roll"], told.fields["natural"]) == ("consequence_told", rolled.act, face)
    assert told.fields["words"] == "the lantern falls"
    playing.act("Ada", "put_prompt", to=playing.who("Kira").id, words="What now?")
    (asked,) = [one for one in playing.look("Bo").prompts.values() if one.is_open]
    assert playing.names(playing.act("Bo", "answer_prompt", prompt=asked.id, words="I run")) == ["prompt_answered"]


def test_an_ordinary_die_asks_for_nothing(playing: Playing) -> None:
    """SP-11: naturals alone."""
    playing.check(19)
    assert not playing.look("Ada").prompts


def test_the_totals_own_band_stands_beside_the_degree(playing: Playing) -> None:
    """SP-12: a natural 20 that would have missed by 9."""
    roll = playing.rolled(playing.check(20, dc=32))
    assert (roll["degree"], roll["band"]) == ("critical success", "bad failure")
    assert "critical success (the total says bad failure)" in playing.words("Di")[-1]


def test_naturals_can_have_the_totals_degree(open_table: Open) -> None:
    """SP-12: option `natural_degree`."""
    playing = open_table(natural_degree="total")
    assert playing.rolled(playing.check(20, dc=32))["degree"] == "success"
    assert playing.rolled(playing.check(1, dc=2))["degree"] == "failure"


# ---------------------------------------------------------------- saves


def test_every_threat_has_its_pool(playing: Playing) -> None:
    """SP-09: all six pools save, each against what it is for."""
    assert list(THREATS) == list(Pool)
    for pool, threats in THREATS.items():
        for threat in threats:
            playing.roll(10)
            roll = playing.rolled(playing.act("Bo", "save", who="Kira", threat=threat, dc=10))
            assert roll["aim"] == {"kind": "save", "pool": pool.value, "name": threat}


@pytest.mark.parametrize(
    ("pool", "threats"),
    [
        ("STR", ["being moved", "being held"]),
        ("DEX", ["area effects", "traps", "losing balance"]),
        ("CON", ["poison", "disease", "exhaustion", "death"]),
        ("INT", ["illusions", "mental intrusion", "memory effects"]),
        ("WIS", ["charm", "fear", "mind control", "possession"]),
        ("CHA", ["banishment", "personality changes", "soul effects"]),
    ],
)
def test_threats_are_known_by_their_names(playing: Playing, pool: str, threats: list[str]) -> None:
    """SP-09: however they are written."""
    assert list(THREATS[Pool(pool)]) == threats
    for threat in threats:
        playing.roll(10)
        roll = playing.rolled(playing.act("Bo", "save", who="Kira", threat=threat.upper(), dc=10))
        assert roll["aim"]["pool"] == pool


@pytest.mark.parametrize(("pool", "total"), [("DEX", 10 + 2 + 1), ("INT", 10 + 2), ("WIS", 10)])
def test_saves_have_proficiency_if_proficient(playing: Playing, pool: str, total: int) -> None:
    """SP-09: a rogue in DEX and INT."""
    playing.roll(10)
    assert playing.rolled(playing.act("Bo", "save", who="Kira", pool=pool, dc=10))["total"] == total


@pytest.mark.parametrize(
    ("fields", "code"),
    [({}, "no_pool"), ({"threat": "boredom"}, "no_such_thing"), ({"threat": "fear", "pool": "STR"}, "other_pool")],
)
def test_a_save_needs_a_pool(playing: Playing, fields: dict[str, object], code: str) -> None:
    """SP-09: by name, or by what is withstood."""
    assert playing.refused("Bo", "save", who="Kira", dc=10, **fields) == code


# ---------------------------------------------------------------- without a die


def test_passive_scores(playing: Playing, open_table: Open) -> None:
    """SP-16: 10, proficiency by training, Edge and the situation; nothing else."""
    noted = playing.act("Bo", "passive", who="Kira", skill="stealth", modifier=-1, dc=12)
    told = playing.told(noted, "passive_noted")
    assert (told["score"], told["success"]) == (10 + 2 + 1 - 1, True)
    unopposed = playing.act("Cy", "passive", who="Lund")
    assert playing.told(unopposed, "passive_noted")["score"] == 10
    assert [one.events[0].words.partition(": ")[2] for one in (noted, unopposed)] == [
        "10 + 2 proficiency + 1 Edge − 1 situation = 12, enough",
        "10",
    ]
    efficient = open_table(edge="efficiency")
    assert efficient.told(efficient.act("Bo", "passive", who="Kira", skill="stealth"), "passive_noted")["score"] == 12


def test_passive_scores_take_no_points_and_no_advantage(playing: Playing) -> None:
    """SP-16: there is no field for either, and a condition's advantage changes nothing."""
    playing.act("Ada", "begin_condition", name="blessed", who="Kira", numbers={"advantage": 1})
    assert playing.refused("Bo", "passive", who="Kira", points=1) == "bad_fields"
    assert playing.told(playing.act("Bo", "passive", who="Kira"), "passive_noted")["score"] == 10


def test_taking_ten(playing: Playing) -> None:
    """SP-17: when nothing presses; no points."""
    taken = playing.told(playing.act("Bo", "take", who="Kira", skill="stealth", dc=13), "taken")
    assert (taken["roll"]["total"], taken["roll"]["success"], taken["times_as_long"]) == (13, True, 1)
    assert playing.refused("Bo", "take", who="Kira", skill="stealth", dc=13, points=1) == "bad_fields"
    playing.act("Ada", "begin_encounter", name="ambush")
    assert playing.refused("Bo", "take", who="Kira", skill="stealth", dc=13) == "pressed"
    playing.act("Ada", "end_encounter")
    playing.act("Ada", "harm", who="Kira", damage="99")
    assert playing.refused("Bo", "take", who="Kira", skill="stealth", dc=13) == "down"


def test_taking_twenty(playing: Playing) -> None:
    """SP-17: twenty times as long, only where failure is harmless, and no natural 20."""
    fields = {"who": "Kira", "skill": "stealth", "dc": 25, "face": 20}
    assert playing.refused("Bo", "take", **fields) == "not_harmless"
    taken = playing.told(playing.act("Bo", "take", **fields, harmless=True), "taken")
    assert (taken["roll"]["total"], taken["roll"]["success"], taken["times_as_long"]) == (23, False, 20)
    assert not playing.look("Ada").prompts


@pytest.mark.parametrize(("what_for", "said"), [("past the dogs", " for “past the dogs”"), ("", "")])
def test_a_roll_that_was_asked_for_says_what_for(playing: Playing, what_for: str, said: str) -> None:
    """SP-05: rolled or taken, and to everyone."""
    fields = {"who": "Kira", "command": "check", "fields": {"skill": "stealth"}, "difficulty": 12, "what_for": what_for}
    playing.act("Ada", "request_roll", **fields)
    playing.check(12, request=next(iter(playing.look("Ada").requests)))
    playing.act("Ada", "request_roll", **fields)
    playing.act("Bo", "take", who="Kira", skill="stealth")
    for seat in ("Ada", "Bo", "Di"):
        words = [event.words for event in playing.host.follow(playing.table, playing.seats[seat]).events]
        assert any(one.startswith(f"Kira rolls stealth (DEX){said}: ") for one in words)
        assert any(one.startswith(f"Kira takes 10 on stealth (DEX){said}: ") for one in words)


@pytest.mark.parametrize(("dc", "circumstances"), [(5, ["perfect set-up"]), (3, ["perfect set-up", "favourable"])])
def test_a_difficulty_below_one_counts_as_one(playing: Playing, dc: int, circumstances: list[str]) -> None:
    """SP-05, ruling: a sum below 1 counts as 1, in a check and in an attack."""
    rolled = playing.rolled(playing.check(2, seat="Ada", dc=dc, circumstances=circumstances))
    assert (rolled["dc"], rolled["success"]) == (1, True)
    playing.roll(2, 4)
    fields = {"who": "Kira", "ac": dc, "circumstances": circumstances}
    assert playing.rolled(playing.act("Ada", "attack", **fields))["dc"] == 1


def test_a_request_names_its_difficulty(playing: Playing) -> None:
    """SP-05: by number or by name, however it is written."""
    for said in ("hard", "Very Hard", "nearly_impossible"):
        playing.act("Ada", "request_roll", who="Kira", command="check", difficulty=said)
    assert [one.difficulty for one in playing.look("Ada").requests.values()] == [20, 25, 30]
    asked = {"who": "Kira", "command": "check", "difficulty": "absurd"}
    assert playing.sentence("Ada", "request_roll", **asked) == (
        "This game has no difficulty 'absurd'; it has trivial, easy, medium, hard, very hard, nearly impossible."
    )


def test_where_no_scene_runs_help_ends_with_the_evening(playing: Playing) -> None:
    """SP-15: unused help ends with the scene, judged or not; where there is none, the evening's end counts."""
    playing.act("Ada", "begin_evening")
    offered = playing.act("Cy", "help", who="Lund", ally="Kira")
    playing.act("Ada", "judge_help", offer=playing.told(offered, "help_offered")["offer"]["id"])
    playing.act("Bo", "help", who="Kira", ally="Lund")
    told = [event.words for event in playing.act("Ada", "end_evening").events]
    assert "the help that Kira offered Lund is over (the evening ends, and no scene is going on)" in told
    assert not playing.game().help_offered
    assert not playing.look("Ada").conditions


def test_a_scene_that_goes_on_keeps_the_help(playing: Playing) -> None:
    """SP-15: until the scene ends, however many evenings it takes."""
    playing.act("Ada", "begin_evening")
    playing.act("Ada", "improvise_scene", title="The gate")
    playing.act("Bo", "help", who="Kira", ally="Lund")
    playing.act("Ada", "end_evening")
    assert playing.game().help_offered
    told = [event.words for event in playing.act("Ada", "end_scene").events]
    assert "the help that Kira offered Lund is over (the scene ends)" in told


# ---------------------------------------------------------------- requests, and what is said of a save


def asked(playing: Playing, command: str = "check", **fields: object) -> str:
    """The id of a request for a roll of Kira's, against 15."""
    return playing.act("Ada", "request_roll", who="Kira", command=command, difficulty=15, fields=fields).act


@pytest.mark.parametrize("against", [{"dc": 10}, {"difficulty": "easy"}])
def test_a_roll_with_a_difficulty_of_its_own_leaves_the_request_open(playing: Playing, against: dict[str, Any]) -> None:
    """SP-05, SP-07, SP-09: it is another roll."""
    request = asked(playing, skill="stealth")
    playing.roll(9)
    outcome = playing.act("Bo", "check", who="Kira", skill="stealth", **against)
    assert playing.rolled(outcome)["dc"] == 10
    assert request in playing.look("Ada").requests


@pytest.mark.parametrize(
    ("command", "given"),
    [("check", ("save", {"pool": "DEX"})), ("save", ("take", {"pool": "DEX"})), ("save", ("check", {"pool": "DEX"}))],
)
def test_a_request_is_met_by_the_roll_it_asks_for(
    playing: Playing, command: str, given: tuple[str, dict[str, Any]]
) -> None:
    """SP-07, SP-09, SP-17: a check may be taken, a save is rolled."""
    request, (name, fields) = asked(playing, command), given
    said = playing.sentence("Bo", name, who="Kira", request=request, **fields)
    assert said == f"You are asked to {command}, not to {name}."


def test_a_check_that_was_asked_for_may_be_taken(playing: Playing) -> None:
    """SP-17"""
    request = asked(playing, skill="stealth")
    assert "request_met" in playing.names(playing.act("Bo", "take", who="Kira", skill="stealth", request=request))


@pytest.mark.parametrize(
    ("wanted", "said"),
    [({"skill": " Stealth"}, {"skill": "stealth"}), ({"pool": "dex"}, {"pool": "DEX"})],
)
def test_what_a_request_wants_is_the_same_however_it_is_written(
    playing: Playing, wanted: dict[str, str], said: dict[str, str]
) -> None:
    """SP-07, SP-09"""
    request = asked(playing, **wanted)
    playing.roll(9)
    assert "request_met" in playing.names(playing.act("Bo", "check", who="Kira", request=request, **said))


def test_a_request_may_name_the_difficulty_among_its_fields(playing: Playing) -> None:
    """SP-05, SP-09: by a name, which the roll repeats."""
    fields = {"difficulty": "Hard"}
    request = playing.act("Ada", "request_roll", who="Kira", command="save", fields=fields).act
    refused = playing.sentence("Bo", "save", who="Kira", pool="DEX", difficulty="easy", request=request)
    assert refused == "You are asked for a roll with difficulty Hard."
    playing.roll(9)
    outcome = playing.act("Bo", "save", who="Kira", pool="DEX", difficulty="hard", request=request)
    assert playing.rolled(outcome)["dc"] == 20


@pytest.mark.parametrize(
    ("command", "fields", "begins"),
    [
        ("save", {"threat": "poison"}, "Kira saves against "),
        ("save", {"pool": "CON"}, "Kira saves with "),
        ("check", {"pool": "CON"}, "Kira rolls "),
    ],
)
def test_a_save_says_what_it_is_against(playing: Playing, command: str, fields: dict[str, str], begins: str) -> None:
    """SP-09: by name, or else with which pool."""
    playing.roll(9)
    outcome = playing.act("Bo", command, who="Kira", dc=10, **fields)
    assert next(event.words for event in outcome.events if event.name == "checked").startswith(begins)


@pytest.mark.parametrize("said", [{"dc": 5}, {"difficulty": "easy"}, {"circumstances": ["favourable"]}])
def test_a_difficulty_that_was_set_is_not_named_again(playing: Playing, said: dict[str, Any]) -> None:
    """SP-05, SP-07, SP-09: neither as a number, nor by name, nor by what makes it easier."""
    request = asked(playing)
    assert playing.refused("Bo", "check", who="Kira", pool="DEX", request=request, **said) == "already_set"


@pytest.mark.parametrize(("face", "takes_long"), [(10, False), (20, True)])
def test_taking_twenty_is_told_with_its_time(playing: Playing, face: int, takes_long: bool) -> None:
    """SP-17: 20 times as long; taking 10 takes no longer than a roll."""
    fields = {"skill": "stealth", "dc": 12, "face": face, "harmless": face == 20}
    outcome = playing.act("Bo", "take", who="Kira", **fields)
    told = next(event.words for event in outcome.events if event.name == "taken")
    assert ("twenty times as long" in told) is takes_long
