"""Heroes, the custodian's people, gear, and who may know what."""

from __future__ import annotations

import json

import pytest

from astragal.table.authoring.display import Pips, Score, Track
from astragal.table.refusals import BadFields, NotYours, Refusal
from astragal.table.visibility.redact import plain
from tests.rulesets.sinew_steel.conftest import Open
from tests.rulesets.sinew_steel.playing import Playing


def test_what_is_left_out_is_at_baseline(playing: Playing) -> None:
    """SS-10"""
    kira = playing.sheet("Kira")
    assert dict(kira.scores.open) == {"MGT": 10, "REF": 12, "INT": 10, "EMP": 10, "LCK": 8}
    assert (kira.stamina, kira.stamina_most) == (5, 5)


def test_an_illegal_build_is_refused_with_every_reason(open_table: Open) -> None:
    """SS-11, SS-14"""
    playing = open_table(build_points=0)
    with pytest.raises(BadFields) as refused:
        playing.act("Bo", "make_hero", name="Brute", scores={"MGT": 17, "STM": 2, "CHA": 9})
    reasons = [problem for problem in refused.value.problems if not problem.startswith("near it")]
    assert len(reasons) == 4


def test_an_illegal_build_is_refused_with_the_nearest_legal_ones(open_table: Open) -> None:
    """SS-14: at most five, each with what changed."""
    playing = open_table(build_points=5)
    with pytest.raises(BadFields) as refused:
        playing.act("Bo", "make_hero", name="Sage", scores={"INT": 13})
    near = [problem for problem in refused.value.problems if problem.startswith("near it")]
    assert near[0].startswith("near it and legal: Might 10 → 9, or ")
    assert "or Intellect 13 → 12" in near[0]
    assert near[0].count(", or ") < 5


def test_what_a_build_leaves_over_is_reported(playing: Playing) -> None:
    """SS-14: credit and points that bought nothing are legal."""
    outcome = playing.act("Cy", "make_hero", name="Meek", scores={"MGT": 8})
    left = playing.told(outcome, "points_left_over")
    assert (left["credit"], left["points"]) == (2, 16)
    assert outcome.events[1].words.endswith("has 16 build points and 2 credit left over")
    plain = playing.act("Cy", "make_hero", name="Plain")
    assert plain.events[1].words.endswith("has 16 build points left over")
    single = playing.act("Cy", "make_hero", name="Single", scores={"MGT": 16, "REF": 11, "INT": 11, "STM": 4})
    assert single.events[1].words.endswith("has 1 build point left over")


def test_a_build_that_leaves_nothing_over_is_not_remarked_on(open_table: Open) -> None:
    """SS-14: credit is, where there are no points."""
    playing = open_table(build_points=0)
    assert playing.names(playing.act("Bo", "make_hero", name="Kira")) == ["entered"]
    meek = playing.act("Cy", "make_hero", name="Meek", scores={"MGT": 8})
    assert meek.events[1].words.endswith("has 2 credit left over")


def test_players_make_their_own_heroes_and_the_custodian_anyones(playing: Playing) -> None:
    assert playing.who("Kira").seat == playing.seats["Bo"]
    assert playing.refused("Bo", "make_hero", name="Other", seat="Cy") == "not_allowed"
    playing.act("Ada", "make_hero", name="Gift", seat="Cy")
    assert playing.who("Gift").seat == playing.seats["Cy"]


def test_nobody_is_called_like_another(playing: Playing) -> None:
    assert playing.refused("Cy", "make_hero", name="kira") == "name_taken"


def test_a_skin_names_its_own_attributes(open_table: Open) -> None:
    """SS-10: luck and agility are where the skin says."""
    playing = open_table(attributes=["BRN", "WIT", "HRT", "NRV", "HOP"], luck="HOP", agility="NRV")
    playing.act("Bo", "make_hero", name="Kira", scores={"HOP": 12, "BRN": 8})
    assert (playing.sheet("Kira").luck, playing.sheet("Kira").luck_most) == (12, 12)


def test_options_that_make_no_sense_are_refused(open_table: Open) -> None:
    with pytest.raises(BadFields, match="five different keys"):
        open_table(attributes=["A", "B"])
    with pytest.raises(BadFields, match="luck and agility"):
        open_table(luck="REF")
    with pytest.raises(BadFields, match="CHA is not among"):
        open_table(usual_attack={"heavy": "CHA"})


def test_gear_is_carried_and_dropped_by_its_owner(playing: Playing) -> None:
    playing.act("Bo", "carry", who="Kira", item={"name": "Lamp"})
    assert playing.refused("Bo", "carry", who="Kira", item={"name": "lamp"}) == "name_taken"
    with pytest.raises(NotYours):
        playing.act("Cy", "drop", who="Kira", item="lamp")
    playing.act("Bo", "drop", who="Kira", item="lamp")
    assert playing.sheet("Kira").gear == ()
    with pytest.raises(Refusal, match="does not carry"):
        playing.act("Bo", "drop", who="Kira", item="lamp")


def test_scores_of_npcs_stay_within_the_die(playing: Playing) -> None:
    """SS-28, SS+03: from 1 to 20."""
    for score, code in ((0, "score"), (21, "score"), (1, "done"), (20, "done")):
        assert playing.refused("Ada", "make_npc", name=f"Titan {score}", scores={"MGT": score}) == code


# ---------------------------------------------------------------- who may know what


def test_the_scores_of_npcs_are_hidden_until_they_are_opened(playing: Playing) -> None:
    """SS-28, SS+03: or shown from the beginning; and for good, but not to before they were there."""
    assert playing.sheet("Guard").scores["REF"] == 10
    playing.act("Ada", "make_npc", name="Page", shown=True)
    assert playing.sheet("Page", "Bo").scores["REF"] == 10
    assert "10" not in json.dumps(plain(playing.sheet("Guard", "Bo").scores))
    playing.act("Ada", "open_scores", who="Guard")
    assert playing.sheet("Guard", "Bo").scores["REF"] == 10
    assert playing.refused("Ada", "open_scores", who="Guard") == "no_change"
    playing.act("Ada", "mark_save_node", label="the gate")
    (node,) = playing.look("Ada").nodes
    playing.act("Ada", "make_npc", name="Ghoul")
    playing.act("Ada", "open_scores", who="Ghoul")
    playing.act("Ada", "rewind", node=node, price="luck")
    assert "Ghoul" not in [one.name for one in playing.look("Bo").characters.values()]


def test_whoever_plays_an_npc_knows_its_scores(playing: Playing) -> None:
    playing.act("Ada", "give_character", character="Guard", seat="Bo")
    assert playing.sheet("Guard", "Bo").scores["REF"] == 10
    assert "10" not in json.dumps(plain(playing.sheet("Guard", "Cy").scores))


def test_a_heros_notes_are_their_players(playing: Playing) -> None:
    playing.act("Cy", "make_hero", name="Mute", notes="a debt to the duke")
    assert playing.sheet("Mute", "Cy").notes == "a debt to the duke"
    assert "duke" not in json.dumps(plain(playing.look("Bo")))
    assert not any("duke" in json.dumps(plain(event)) for event in _seen(playing, "Bo"))


def _seen(playing: Playing, seat: str) -> list[object]:
    return list(playing.host.follow(playing.table, playing.seats[seat]).events)


@pytest.mark.parametrize("seat", ["Bo", "Cy", "Di"])
def test_no_fight_gives_a_hidden_score_away(open_table: Open, seat: str) -> None:
    """SS-68: neither the score nor the margin, which with the die would tell it. Canary: a score of 13."""
    playing = open_table(build_points=16)
    playing.act("Bo", "make_hero", name="Kira", scores={"MGT": 12})
    playing.act("Ada", "make_npc", name="Guard", score=13, scores={"INT": 14}, luck=6)
    waits = playing.act("Bo", "attack", attacker="Kira", defender="Guard")
    playing.roll(18, 7)
    playing.answer("Bo", playing.answer("Ada", waits, "dodge"), -6)
    waits = playing.act("Ada", "attack", attacker="Guard", defender="Kira")
    playing.roll(5, 18)
    waits = playing.answer("Bo", waits, "parry")
    while waits.waits_for:
        waits = playing.answer("Ada", waits, 0)
    playing.roll(3)
    playing.test("Ada", "Guard", "REF")
    seen = json.dumps([plain(event) for event in _seen(playing, seat)]) + json.dumps(plain(playing.look(seat)))
    for canary in (
        '"score": 13',
        '"score": 14',
        "Reflex 13",
        "Might 13",
        "[13",
        '"margin": 6',
        '"margin": 8',
        '"margin": 10',
    ):
        assert canary not in seen
    assert '"score": 12' in seen


def test_two_things_of_one_name_are_refused_whoever_carries_them(open_table: Open) -> None:
    """SS-40, SS+03: a roll says by its name what it is made with."""
    playing, twice = open_table(), [{"name": "rope"}, {"name": "Rope"}]
    assert playing.refused("Ada", "make_npc", name="Guard", gear=twice) == "name_taken"
    assert playing.refused("Ada", "make_hero", name="Kira", gear=twice) == "name_taken"


def test_scores_of_anybody_keep_to_the_die_and_what_is_shown_is_carried_openly(open_table: Open) -> None:
    """SS-28, SS+03, SS-70"""
    playing = open_table()
    assert playing.refused("Ada", "make_npc", name="Imp", tier=2, worst="MGT") in ("score", "bad_fields")
    playing.act("Ada", "make_npc", name="Guard", gear=[{"name": "rope"}], shown=True)
    playing.act("Ada", "make_npc", name="Thief", gear=[{"name": "rope"}])
    assert [len(playing.sheet(name, "Bo").gear) for name in ("Guard", "Thief")] == [1, 0]
    assert [len(playing.sheet(name).carried) for name in ("Guard", "Thief")] == [1, 1]


def test_the_table_is_laid_with_what_one_may_know(playing: Playing) -> None:
    """SS-50, SS-61, SS-67, SS+02: scores, Stamina and Luck; points and riches where there are any."""
    kira, guard = playing.furniture("Kira", "Cy"), playing.furniture("Guard", "Cy")
    assert [piece.label for piece in kira if isinstance(piece, Score)] == ["MGT", "REF", "INT", "EMP"]
    assert [piece.label for piece in kira if isinstance(piece, Pips)] == ["stamina", "luck"]
    assert [piece for piece in guard if isinstance(piece, Score)] == []
    assert len([piece for piece in playing.furniture("Guard") if isinstance(piece, Score)]) == 4
    playing.act("Ada", "milestone", boon="A favour.")
    assert Score("Build points", 2) in playing.furniture("Kira")
    assert not [piece for piece in playing.furniture("Kira") if piece.label == "pressure"]
    playing.act("Ada", "override", who="Kira", what="pressure", value=2)
    assert [piece.now for piece in playing.furniture("Kira") if isinstance(piece, Track)] == [2, 2]


def test_a_hidden_roll_can_not_be_nudged_by_players_nor_reopened_by_revealing_it(playing: Playing) -> None:
    """SS-23, SS-68"""
    playing.roll(17)
    outcome = playing.hidden("test", who="Kira", attribute="REF", stakes="the rope")
    assert outcome.waits_for == ()
    playing.act("Ada", "reveal", act=outcome.act)
    assert playing.refused("Bo", "answer", act=outcome.act, answer=-5) == "nothing_to_answer"
    assert playing.sheet("Kira").luck == 8
