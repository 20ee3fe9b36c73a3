"""Tests at the table, played through the host."""

from __future__ import annotations

from threading import Barrier, Thread

import pytest

from astragal.game import Teller
from astragal.game.display import Tone
from astragal.rulesets.sinew_steel.contests import Side
from astragal.rulesets.sinew_steel.rolls import Degree
from astragal.rulesets.sinew_steel.trials import Resolution, Resolve
from astragal.table.declarations import Sight
from astragal.table.pending import prospects
from astragal.table.refusals import NotAllowed, NotAnOption, NothingToAnswer, NotYours, Refusal, StillDeciding
from tests.rulesets.sinew_steel.conftest import Open
from tests.rulesets.sinew_steel.playing import Playing


def test_a_test_tells_the_die_the_score_and_the_margin(playing: Playing) -> None:
    """SS-01, SS-03"""
    playing.roll(9)
    tried = playing.told(playing.test("Bo", "Kira", "REF"), "tried")
    assert (tried["roll"]["natural"], tried["roll"]["open"]["margin"]) == (9, 3)
    assert tried["roll"]["degree"] == "success"
    assert playing.words("Di")[-1] == "Kira, Reflex 12: 9, success, margin +3. At stake: the rope."


def test_a_test_has_a_headline(playing: Playing) -> None:
    """SS-03, SS-04, SS-68: its degree, and the margin for those who may know it."""
    told = []
    for seat, who, face in (("Bo", "Kira", 9), ("Bo", "Kira", 1), ("Bo", "Kira", 20), ("Ada", "Guard", 9)):
        playing.roll(face)
        act = playing.test(seat, who, "REF").act
        deed = playing.host.events_of(playing.table, playing.seats["Bo"], act)
        told += [(one.went.tone, one.went.words) for one in deed if one.name == "tried" and one.went]
    assert told == [
        (Tone.GOOD, "success, margin +3"),
        (Tone.GOOD, "extraordinary success, margin +11"),
        (Tone.BAD, "catastrophe, margin −8"),
        (Tone.GOOD, "success"),
    ]


def test_both_dice_are_shown(playing: Playing) -> None:
    """SS-04"""
    playing.roll(4, 15)
    rolled = playing.told(playing.test("Bo", "Kira", "REF", advantage=["flanking"]), "rolled")
    assert [(die["face"], die["fate"]) for die in rolled["dice"]] == [(4, "kept"), (15, "dropped")]


def test_help_and_hindrance_cancel(playing: Playing) -> None:
    """SS-05: two helps and one hindrance make one die."""
    playing.roll(4)
    helped = {"advantage": ["flanking", "high ground"], "disadvantage": ["blind"]}
    roll = playing.told(playing.test("Ada", "Kira", "REF", **helped), "tried")["roll"]
    assert (roll["footing"], roll["because"]) == ("level", ["flanking", "high ground", "blind"])


@pytest.mark.parametrize("stakes", ["", "  "])
def test_a_test_without_stakes_is_refused(playing: Playing, stakes: str) -> None:
    """SS-09"""
    assert playing.refused("Bo", "test", who="Kira", attribute="REF", stakes=stakes) == "no_stakes"


def test_a_call_for_a_test_says_what_is_at_stake(playing: Playing) -> None:
    """SS-09: whoever meets it need not say it again."""
    playing.act("Ada", "request_roll", who="Kira", command="test", what_for="the icy bridge")
    (request,) = playing.look("Bo").requests
    playing.roll(5)
    outcome = playing.act("Bo", "test", who="Kira", attribute="REF", request=request)
    assert playing.told(outcome, "tried")["stakes"] == "the icy bridge"
    assert not playing.look("Bo").requests


@pytest.mark.parametrize("answer", ["yes", "yes, but", "no, but"])
def test_what_needs_no_dice_is_recorded_without(playing: Playing, answer: str) -> None:
    """SS-09"""
    outcome = playing.act("Ada", "resolve", who="Kira", answer=answer, matter="cross the yard", told="It rains.")
    assert playing.names(outcome) == ["resolved"]
    assert playing.words("Bo")[-1] == f"Kira: cross the yard — {answer}. It rains."


def test_nobody_is_asked_to_roll_any_more_for_what_is_settled(playing: Playing) -> None:
    """SS-09: and all read so; others are still asked."""
    for who in ("Kira", "Guard"):
        playing.act("Ada", "request_roll", who=who, command="test", fields={"attribute": "REF"}, what_for="the yard")
    outcome = playing.act("Ada", "resolve", who="Kira", answer="yes", matter="cross the yard")
    assert playing.names(outcome) == ["resolved", "request_withdrawn"]
    assert playing.words("Bo")[-1] == "Kira need not roll"
    (left,) = playing.look("Bo").requests.values()
    assert playing.look("Bo").characters[left.who].name == "Guard"


def test_yes_is_good_and_anything_with_a_but_is_mixed(playing: Playing) -> None:
    """SS-09"""
    settled = [Resolve(who="Kira", answer=answer, matter="cross the yard") for answer in Resolution]
    teller = Teller(playing.look("Ada"), {})
    assert [one.went(teller).tone for one in settled] == [Tone.GOOD, Tone.MIXED, Tone.MIXED]


def test_nothing_is_resolved_for_nobody(playing: Playing) -> None:
    """SS-09"""
    for who in ("nobody", "0123456789abcdef"):
        assert playing.refused("Ada", "resolve", who=who, answer="yes", matter="cross the yard") == "no_such_thing"


def test_nobody_without_tokens_tests_luck_but_a_hero(playing: Playing) -> None:
    """SS-20, SS-24, SS-28: at 0 a hero still has a natural 1."""
    fate = {"why": "blind chance", "stakes": "the fall"}
    assert playing.refused("Ada", "luck_test", who="Guard", **fate) == "no_tokens"
    playing.act("Ada", "override", who="Kira", what="luck", value=0)
    playing.roll(1)
    assert playing.told(playing.act("Bo", "luck_test", who="Kira", **fate), "luck_tried")["roll"]["open"]["score"] == 0
    playing.act("Ada", "grant_luck", who="Guard", points=3)
    playing.roll(3)
    assert "luck_tried" in playing.names(playing.act("Ada", "luck_test", who="Guard", **fate))


def test_only_the_game_master_resolves(playing: Playing) -> None:
    assert playing.refused("Bo", "resolve", who="Kira", answer="yes", matter="cross the yard") == "not_allowed"


def test_an_unknown_attribute_is_refused_with_those_there_are(playing: Playing) -> None:
    with pytest.raises(Refusal, match="Might, Reflex, Intellect, Empathy, Luck"):
        playing.test("Bo", "Kira", "CHA")


# ---------------------------------------------------------------- Luck after the roll


def test_luck_is_spent_after_the_roll_and_leaves_the_rest(playing: Playing) -> None:
    """SS-21, SS-25: Luck 8, failed by 5, five tokens: success with margin 0, 3 left."""
    playing.roll(17)
    waits = playing.test("Bo", "Kira", "REF")
    assert waits.waits_for == ("who",)
    outcome = playing.answer("Bo", waits, -5)
    assert playing.told(outcome, "lost")["now"]["luck"] == 3
    assert playing.told(outcome, "tried")["roll"]["open"]["margin"] == 0
    assert playing.sheet("Kira").luck == 3


def test_keeping_the_tokens_keeps_the_failure(playing: Playing) -> None:
    """SS-21"""
    playing.roll(17)
    outcome = playing.answer("Bo", playing.test("Bo", "Kira", "REF"), 0)
    assert playing.told(outcome, "tried")["roll"]["degree"] == Degree.FAILURE.value
    assert playing.sheet("Kira").luck == 8


def test_more_than_is_held_is_no_option(playing: Playing) -> None:
    """SS-21"""
    playing.roll(17)
    waits = playing.test("Bo", "Kira", "REF")
    with pytest.raises(NotAnOption):
        playing.answer("Bo", waits, -9)
    assert playing.sheet("Kira").luck == 8


@pytest.mark.parametrize(("face", "degree"), [(1, "extraordinary success"), (20, "catastrophe")])
def test_nobody_is_asked_about_a_natural(playing: Playing, face: int, degree: str) -> None:
    """SS-21"""
    playing.roll(face)
    outcome = playing.test("Bo", "Kira", "REF", ask=True)
    assert outcome.waits_for == ()
    assert playing.told(outcome, "tried")["roll"]["degree"] == degree


def test_somebody_else_can_not_spend_ones_tokens(playing: Playing) -> None:
    """SS-21"""
    playing.roll(17)
    waits = playing.test("Bo", "Kira", "REF")
    with pytest.raises(NotYours):
        playing.answer("Cy", waits, -5)


def test_a_decision_is_answered_once(playing: Playing) -> None:
    playing.roll(17)
    waits = playing.test("Bo", "Kira", "REF")
    playing.answer("Bo", waits, -5)
    with pytest.raises(NothingToAnswer):
        playing.answer("Bo", waits, -5)
    assert playing.sheet("Kira").luck == 3


def test_two_answers_at_the_same_instant_spend_once(playing: Playing) -> None:
    """SS-21: one wins, the other gets a sentence."""
    playing.roll(17)
    waits = playing.test("Bo", "Kira", "REF")
    together, refused = Barrier(2), []

    def answer(seat: str) -> None:
        together.wait()
        try:
            playing.answer(seat, waits, -5)
        except NothingToAnswer as refusal:
            refused.append(refusal)

    threads = [Thread(target=answer, args=(seat,)) for seat in ("Bo", "Ada")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(refused), playing.sheet("Kira").luck) == (1, 3)


def test_tokens_stay_as_they_are_while_somebody_decides(playing: Playing) -> None:
    playing.act("Ada", "harm", who="Kira")
    playing.roll(17)
    waits = playing.test("Bo", "Kira", "REF")
    playing.answer("Bo", waits, -1)
    playing.roll(17)
    playing.test("Bo", "Kira", "REF")
    with pytest.raises(StillDeciding):
        playing.act("Ada", "grant_luck", who="Kira")


# ---------------------------------------------------------------- Luck tests


def try_luck(playing: Playing, seat: str = "Bo", **fields: object) -> object:
    return playing.act(seat, "luck_test", **{"who": "Kira", "why": "blind chance", "stakes": "the patrol", **fields})


def test_a_luck_test_is_against_current_tokens_and_is_not_nudged(playing: Playing) -> None:
    """SS-20, SS-24"""
    playing.roll(17)
    playing.answer("Bo", playing.test("Bo", "Kira", "REF"), -5)
    playing.roll(4)
    outcome = playing.act("Bo", "luck_test", who="Kira", why="blind chance", stakes="the patrol")
    assert outcome.waits_for == ()
    assert playing.told(outcome, "luck_tried")["roll"]["open"] == {
        "score": 3,
        "margin": -1,
        "soak_left": None,
        "bonus": None,
    }


def test_a_frozen_target_can_be_nudged(open_table: Open) -> None:
    """SS-24"""
    playing = open_table(luck_test_target="frozen")
    playing.act("Bo", "make_hero", name="Kira")
    playing.roll(12)
    waits = playing.act("Bo", "luck_test", who="Kira", why="blind chance", stakes="the patrol")
    outcome = playing.answer("Bo", waits, -2)
    assert playing.told(outcome, "luck_tried")["roll"]["degree"] == "success"
    assert playing.sheet("Kira").luck == 8


def test_a_luck_test_says_why_and_a_test_is_none(playing: Playing) -> None:
    """SS-29"""
    assert playing.refused("Bo", "luck_test", who="Kira", stakes="the patrol") == "bad_fields"
    assert playing.refused("Bo", "test", who="Kira", attribute="LCK", stakes="the patrol") == "luck_test"


def test_the_custodian_is_told_from_the_second_luck_test_of_an_evening_on(playing: Playing) -> None:
    """SS-29"""
    playing.act("Ada", "begin_evening")
    playing.roll(4, 5)
    try_luck(playing)
    assert not any("this evening" in words for words in playing.words("Ada"))
    try_luck(playing)
    assert playing.words("Ada")[-1] == "2 tests of Luck this evening; once or twice keeps it special"
    assert not any("this evening" in words for words in playing.words("Bo"))


def test_a_new_evening_counts_anew(playing: Playing) -> None:
    """SS-29"""
    playing.act("Ada", "begin_evening")
    playing.roll(4, 5)
    try_luck(playing)
    playing.act("Ada", "end_evening")
    playing.act("Ada", "begin_evening")
    try_luck(playing)
    assert playing.look("Ada").game.luck_tests == 1


def test_a_heros_luck_can_be_rolled_hidden(playing: Playing) -> None:
    """SS-29: players learn that something was rolled, and nothing more."""
    playing.roll(4)
    playing.hidden("luck_test", Sight.HIDDEN, who="Kira", why="the scout", stakes="the patrol")
    assert playing.words("Bo")[-1] == (
        "The game master rolled, and keeps it hidden. It opens when the scene ends, unless it is kept sealed."
    )
    assert playing.words("Ada")[-1].startswith("Kira, Luck 8: 4, success")


def test_a_luck_test_for_life_and_death_reminds_the_custodian_first(playing: Playing) -> None:
    """SS-29, SS-41"""
    waits = playing.act("Ada", "luck_test", who="Kira", why="blind chance", stakes="the fall", lethal="dead")
    assert waits.waits_for == ("custodian",)
    waits = playing.answer("Ada", waits, "understood")
    assert waits.waits_for == ("who",)
    playing.roll(9)
    playing.answer("Bo", waits, "understood")
    assert playing.words("Bo")[-1] == "Kira is dead: the fall"


# ---------------------------------------------------------------- lethal stakes


def test_lethal_stakes_warn_before_the_roll_and_the_agreed_fate_applies(playing: Playing) -> None:
    """SS-41"""
    waits = playing.test("Ada", "Kira", "REF", lethal="captured")
    assert playing.names(waits) == ["decision_opened"]
    playing.roll(20)
    outcome = playing.answer("Bo", waits, "understood")
    assert playing.told(outcome, "fate_recorded")["fate"] == "captured"
    assert playing.sheet("Kira").stamina == 5


def test_a_success_escapes_lethal_stakes(playing: Playing) -> None:
    """SS-41"""
    waits = playing.test("Ada", "Kira", "REF", lethal="dead")
    playing.roll(3)
    assert "fate_recorded" not in playing.names(playing.answer("Bo", waits, "understood"))


def test_lethal_stakes_can_be_called_with_the_request(playing: Playing) -> None:
    """SS-09, SS-41: everyone reads of them before the player rolls."""
    playing.act("Ada", "request_roll", who="Kira", command="test", what_for="the fall", fields={"lethal": "dead"})
    (request,) = playing.look("Bo").requests
    waits = playing.act("Bo", "test", who="Kira", attribute="REF", request=request)
    assert playing.names(waits) == ["decision_opened"]
    playing.roll(20)
    playing.answer("Bo", waits, "understood")
    assert "Kira is dead: the fall" in playing.words("Cy")


def test_only_the_custodian_calls_lethal_stakes(playing: Playing) -> None:
    """SS-41"""
    with pytest.raises(NotAllowed):
        playing.test("Bo", "Kira", "REF", lethal="dead")


# ---------------------------------------------------------------- opposed tests

WRESTLE = {"attribute": "MGT", "defence_attribute": "MGT", "stakes": "the bridge"}


def test_an_opposed_test_is_won_by_the_greater_margin(playing: Playing) -> None:
    """SS-07"""
    playing.roll(6, 5)
    outcome = playing.act("Cy", "opposed_test", attacker="Lund", defender="Kira", **WRESTLE)
    waits = playing.answer("Bo", playing.answer("Cy", outcome, 0), 0)
    told = playing.told(waits, "opposed")
    assert (told["winner"], told["attack"]["open"]["margin"], told["defence"]["open"]["margin"]) == ("attacker", 8, 5)


def test_attacker_then_defender_decide_on_luck(playing: Playing) -> None:
    """SS-23"""
    playing.roll(16, 12)
    waits = playing.act("Cy", "opposed_test", attacker="Lund", defender="Kira", **WRESTLE)
    assert waits.waits_for == ("attacker",)
    with pytest.raises(NotYours):
        playing.answer("Bo", waits, -1)
    waits = playing.answer("Cy", waits, -2)
    assert waits.waits_for == ("defender",)
    outcome = playing.answer("Bo", waits, -2)
    assert playing.told(outcome, "opposed")["winner"] == "defender"
    assert (playing.sheet("Lund").luck, playing.sheet("Kira").luck) == (8, 6)


def test_choices_show_what_comes_of_them_once_the_defender_answers(playing: Playing) -> None:
    """SS-23: Lund leads by 3, and Kira's 5 could come down to 1; two points more rule that out."""
    playing.roll(6, 5)
    playing.act("Cy", "opposed_test", attacker="Lund", defender="Kira", **WRESTLE)
    (waits,) = playing.host.decisions(playing.table, playing.seats["Cy"])
    state = playing.look("Cy")
    book = playing.host.books[state.ruleset]
    weighed = prospects(book, state, state.viewer(playing.seats["Cy"]), waits)
    wins = {
        choice.answer: int(odds.odds.percent(Side.ATTACKER))
        for choice, odds in zip(waits.choices, weighed, strict=True)
        if odds is not None
    }
    assert (wins[0], wins[-1], wins[-2]) == (0, 0, 100)


def test_a_contest_is_told_with_its_winner(playing: Playing) -> None:
    """SS-22, SS-23: in the log and in the headline."""
    for faces, winner, tone in (((2, 20), "Lund", Tone.GOOD), ((20, 2), "Kira", Tone.BAD)):
        playing.roll(*faces)
        act = playing.act("Cy", "opposed_test", attacker="Lund", defender="Kira", **WRESTLE).act
        told = [one for one in playing.host.events_of(playing.table, playing.seats["Cy"], act) if one.name == "opposed"]
        assert [(one.went.tone, one.went.words) for one in told if one.went] == [(tone, f"{winner} wins")]
        assert f"{winner} wins. At stake:" in told[0].words


def test_lethal_stakes_that_were_called_with_the_request_hold_for_the_roll(playing: Playing) -> None:
    """SS-09, SS-41: whoever rolls is warned, though the roll itself says that nothing is lethal."""
    fields = {"attribute": "REF", "lethal": "dead"}
    playing.act("Ada", "request_roll", who="Kira", command="test", what_for="the leap", fields=fields)
    (request,) = playing.look("Bo").requests
    waits = playing.act("Bo", "test", who="Kira", attribute="REF", request=request, lethal=None)
    (asked,) = playing.host.decisions(playing.table, playing.seats["Bo"])
    assert (waits.waits_for, asked.name) == (("who",), "lethal stakes")


def test_nobody_wrestles_with_the_dead(playing: Playing) -> None:
    """SS-30: they make no test, on no side."""
    playing.act("Ada", "record_fate", who="Kira", fate="dead")
    assert playing.refused("Cy", "opposed_test", attacker="Lund", defender="Kira", **WRESTLE) == "dead"


def test_nobody_is_on_both_sides(playing: Playing) -> None:
    assert playing.refused("Bo", "opposed_test", attacker="Kira", defender="Kira", **WRESTLE) == "one_side"
