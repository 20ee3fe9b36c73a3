"""Inspiration and named rerolls: SP-18, SP-19."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from astragal.chance import EnterDice, Fate, Offer, Question, odds, play
from astragal.chance.dice import EnteredDice
from astragal.chance.play import Settled, Waiting
from astragal.game.rolls import Footing
from astragal.rulesets.six_pool.contests import Contender, contest
from astragal.rulesets.six_pool.rerolls import Again, Asks, Source
from astragal.rulesets.six_pool.rolls import Roll, check
from tests.rulesets.six_pool.conftest import Open
from tests.rulesets.six_pool.playing import Playing

INSPIRED = Again((Source(),))


def offered(question: Question[Roll], *faces: int, answers: tuple[str, ...] = ()) -> tuple[Any, ...]:
    """What the roller may answer after these dice."""
    waiting = play(question, EnteredDice(faces), answers)
    assert isinstance(waiting, Waiting)
    assert isinstance(waiting.need, Offer)
    return waiting.need.options


def settled(question: Question[Roll], *faces: int, answers: tuple[str, ...] = ()) -> Roll:
    played = play(question, EnteredDice(faces), answers)
    assert isinstance(played, Settled)
    return played.value


def test_a_failed_die_may_be_rerolled_after_seeing_it() -> None:
    """SP-18: keep, or throw it again; the new die counts, worse or better."""
    question = check(15, 3, again=INSPIRED)
    assert offered(question, 8) == ("keep", "inspiration")
    assert settled(question, 8, answers=("keep",)).natural == 8
    assert settled(question, 8, 17, answers=("inspiration",)) == Roll(17, 3, 15, rerolled=("inspiration",))
    assert settled(question, 8, 2, answers=("inspiration",)).natural == 2


def test_who_has_made_it_is_not_asked() -> None:
    """SP-18: unless they want to be."""
    assert settled(check(15, 3, again=INSPIRED), 12).success
    assert offered(check(15, 3, again=Again((Source(),), Asks.ALWAYS)), 12) == ("keep", "inspiration")
    assert not settled(check(15, 3, again=Again((Source(),), Asks.NEVER)), 5).success


@pytest.mark.parametrize(
    ("stance", "answer", "new", "natural"),
    [
        (Footing.ADVANTAGE, "inspiration on the 9", 3, 4),
        (Footing.ADVANTAGE, "inspiration on the 4", 15, 15),
        (Footing.DISADVANTAGE, "inspiration on the 4", 15, 9),
        (Footing.DISADVANTAGE, "inspiration on the 9", 15, 4),
    ],
)
def test_of_two_dice_one_is_rerolled_then_keep_as_usual(stance: Footing, answer: str, new: int, natural: int) -> None:
    """SP-18: under advantage and disadvantage one of the two."""
    assert settled(check(20, 3, stance, INSPIRED), 9, 4, new, answers=(answer,)).natural == natural


def test_the_dice_are_shown_with_the_one_that_does_not_count() -> None:
    """SP-18, SP-13: the lower under advantage, the higher under disadvantage; the choice begins with the higher."""
    sides = (Contender(helped=True, again=INSPIRED), Contender(hindered=True, again=INSPIRED))
    played = play(contest(*sides), EnteredDice([4, 9, 3, 12]), ["keep", "keep"])
    assert isinstance(played, Settled)
    assert [(die.sides, die.face, die.fate) for die in played.record.rolled] == [
        (20, 4, Fate.DROPPED),
        (20, 9, Fate.KEPT),
        (20, 3, Fate.KEPT),
        (20, 12, Fate.DROPPED),
    ]
    question = check(20, 3, Footing.ADVANTAGE, INSPIRED)
    assert offered(question, 4, 9) == ("keep", "inspiration on the 9", "inspiration on the 4")
    waiting = play(question, EnteredDice([]))
    assert isinstance(waiting, Waiting)
    assert waiting.need == EnterDice((20, 20))


def test_equal_dice_are_one_choice() -> None:
    """SP-18: it does not matter which of two nines is thrown again."""
    assert offered(check(20, 3, Footing.ADVANTAGE, INSPIRED), 9, 9) == ("keep", "inspiration")


def test_a_rerolled_natural_is_the_new_die() -> None:
    """SP-18, SP-11: a natural 1 thrown again is gone."""
    assert settled(check(10, 3, again=INSPIRED), 1, 20, answers=("inspiration",)).natural == 20


def test_several_rerolls_come_one_after_another() -> None:
    """SP-19: each at most once, only on faces that it may reroll."""
    charm = Source("old charm", up_to=5)
    question = check(18, 3, again=Again((Source(), charm)))
    assert offered(question, 6) == ("keep", "inspiration")
    assert offered(question, 5) == ("keep", "inspiration", "old charm")
    assert offered(question, 8, 4, answers=("inspiration",)) == ("keep", "old charm")
    assert settled(question, 8, 4, 19, answers=("inspiration", "old charm")).rerolled == ("inspiration", "old charm")


def test_a_reroll_applies_before_the_total() -> None:
    """SP-19: the bonus comes to the die that counts in the end, once."""
    assert settled(check(18, 6, again=INSPIRED), 8, 12, answers=("inspiration",)).total == 18


def test_the_chance_with_a_reroll_of_every_failure() -> None:
    """SP-18: 55 % and 45 % of it again."""
    question = check(10, 0, again=INSPIRED)
    taken = odds(question, lambda offer: offer.options[-1])
    assert taken.chance(lambda roll: roll.success) == Fraction(55, 100) + Fraction(45, 100) * Fraction(55, 100)
    assert odds(question).chance(lambda roll: roll.success) == Fraction(55, 100)


# ---------------------------------------------------------------- at the table


def test_inspiration_is_awarded_and_one_is_held(playing: Playing) -> None:
    """SP-18: by the game master, 0 or 1."""
    assert playing.refused("Bo", "award_inspiration", who="Kira") == "not_allowed"
    awarded = playing.act("Ada", "award_inspiration", who="Kira", why="the speech at the gate")
    assert playing.told(awarded, "gained")["points"] == {"inspiration": 1}
    assert playing.sheet("Kira").inspiration == 1
    assert playing.refused("Ada", "award_inspiration", who="Kira") == "full"


def test_inspiration_gives_advantage(playing: Playing) -> None:
    """SP-18, SP-10: before the roll, and then it is spent."""
    assert playing.refused("Bo", "check", who="Kira", skill="stealth", dc=15, inspiration=True) == "no_inspiration"
    playing.act("Ada", "award_inspiration", who="Kira")
    outcome = playing.check(3, 14, inspiration=True)
    roll = playing.rolled(outcome)
    assert (roll["natural"], roll["because"]) == (14, ["inspiration"])
    assert playing.told(outcome, "lost")["points"] == {"inspiration": 1}
    assert playing.sheet("Kira").inspiration == 0


def test_inspiration_rerolls_a_die_after_seeing_it(playing: Playing) -> None:
    """SP-18: the roll waits for the player; a restart would not lose it."""
    playing.act("Ada", "award_inspiration", who="Kira")
    waiting = playing.check(3, points=2)
    assert waiting.waits_for == ("who",)
    assert playing.refused("Cy", "answer", act=waiting.act, answer="inspiration") == "not_yours"
    outcome = playing.answer("Bo", waiting, "inspiration", 16)
    assert playing.rolled(outcome)["total"] == 16 + 2 + 1 + 2
    spent = [event.fields["points"] for event in outcome.events if event.name == "lost"]
    assert spent == [{"DEX": 2}, {"inspiration": 1}]
    assert playing.sheet("Kira").inspiration == 0


def test_who_keeps_the_die_keeps_the_inspiration(playing: Playing) -> None:
    """SP-18: declined is not spent."""
    playing.act("Ada", "award_inspiration", who="Kira")
    playing.answer("Bo", playing.check(3), "keep")
    assert playing.sheet("Kira").inspiration == 1


@pytest.mark.parametrize(
    ("option", "advantage_with_points", "reroll_with_points"),
    [("reroll_only", False, True), ("yes", True, True), ("no", False, False)],
)
def test_inspiration_and_points(
    open_table: Open, option: str, advantage_with_points: bool, reroll_with_points: bool
) -> None:
    """SP-18, SP-21: option `inspiration_with_points`: not twice for the same benefit, unless the table says so."""
    playing = open_table(inspiration_with_points=option)
    playing.act("Ada", "award_inspiration", who="Kira")
    spends = list(playing.chances("Bo", "check", who="Kira", skill="stealth", dc=15, inspiration=True))
    assert spends == ([0, 1, 2, 3, 4, 5] if advantage_with_points else [0])
    waits = bool(playing.check(2, points=1).waits_for)
    assert waits is reroll_with_points
    if waits:
        (act,) = playing.look("Ada").decisions
        playing.act("Bo", "answer", act=act, answer="keep")
    asked = {"who": "Kira", "skill": "stealth", "dc": 15, "points": 1, "inspiration": True}
    playing.roll(15, 14)
    assert playing.refused("Bo", "check", **asked) == ("done" if advantage_with_points else "twice")


def test_a_preview_with_inspiration_shows_only_what_goes_together(playing: Playing) -> None:
    """SP-18, SP-21: under `reroll_only` advantage by inspiration is for rolls without points."""
    playing.act("Ada", "award_inspiration", who="Kira")
    chances = playing.chances("Bo", "check", who="Kira", skill="stealth", dc=13, inspiration=True)
    assert chances == {0: Fraction("0.7975")}


# ---------------------------------------------------------------- abilities


def with_ability(playing: Playing, **ability: object) -> None:
    pools = {"STR": 10, "DEX": 12, "CON": 12, "INT": 18, "WIS": 15, "CHA": 10}
    hero = {"name": "Pell", "hero_class": "wizard", "pools": pools, "edges": {"INT": 1}}
    playing.act("Bo", "make_hero", **hero, abilities=[{"name": "marginal note", **ability}])


def roll_for_pell(playing: Playing, pool: str = "INT") -> bool:
    """Does a roll wait for a reroll?"""
    playing.roll(3, 17)
    waiting = playing.act("Bo", "check", who="Pell", pool=pool, dc=15)
    if not waiting.waits_for:
        return False
    playing.act("Bo", "answer", act=waiting.act, answer="marginal note")
    return True


@pytest.mark.parametrize(("per", "ends"), [("day", "pass_day"), ("encounter", "end_encounter")])
def test_an_ability_has_uses_that_come_back(playing: Playing, per: str, ends: str) -> None:
    """SP-19: per day or encounter."""
    with_ability(playing, uses=2, per=per)
    playing.act("Ada", "begin_encounter")
    assert [roll_for_pell(playing) for _ in range(3)] == [True, True, False]
    other = {"day": "end_encounter", "encounter": "pass_day"}[per]
    playing.act("Ada", other)
    assert not roll_for_pell(playing)
    if ends == "end_encounter":
        playing.act("Ada", ends)
    else:
        playing.act("Ada", "pass_day")
    assert roll_for_pell(playing)


def test_where_no_encounter_runs_the_evening_gives_uses_back(playing: Playing) -> None:
    """SP-19: at a table that counts no encounters nothing else would."""
    with_ability(playing, uses=1, per="encounter")
    playing.act("Ada", "begin_evening")
    assert [roll_for_pell(playing) for _ in range(2)] == [True, False]
    playing.act("Ada", "begin_encounter")
    playing.act("Ada", "end_evening")
    assert not roll_for_pell(playing)
    playing.act("Ada", "end_encounter")
    assert [roll_for_pell(playing) for _ in range(2)] == [True, False]
    playing.act("Ada", "begin_evening")
    playing.act("Ada", "end_evening")
    assert roll_for_pell(playing)


def test_an_ability_says_what_it_may_reroll(playing: Playing) -> None:
    """SP-19: which kinds of roll, from which pools, up to which face."""
    with_ability(playing, uses=9, rolls=["check"], pools=["INT"], up_to=5)
    assert roll_for_pell(playing)
    assert not roll_for_pell(playing, "WIS")
    playing.roll(6)
    assert not playing.act("Bo", "check", who="Pell", pool="INT", dc=15).waits_for
    playing.roll(3)
    assert not playing.act("Bo", "save", who="Pell", pool="INT", dc=15).waits_for


def test_abilities_have_names_of_their_own(playing: Playing) -> None:
    """SP-19: a reroll is answered by its name."""
    for names in (["inspiration"], ["keep"], ["charm", "Charm"]):
        abilities = [{"name": name} for name in names]
        assert playing.refused("Ada", "make_npc", name="Imp", abilities=abilities) == "abilities"
    many = [{"name": f"charm {number}"} for number in range(13)]
    assert playing.refused("Ada", "make_npc", name="Imp", abilities=many) == "bad_fields"
