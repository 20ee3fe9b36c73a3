"""One roll against a difficulty, by the numbers: SP-01, SP-05, SP-06, SP-10 to SP-12, SP-20 and the vectors."""

from __future__ import annotations

from fractions import Fraction

import pytest

from astragal.chance import Odds, d20, odds, play
from astragal.chance.dice import EnteredDice
from astragal.chance.play import Settled
from astragal.game.rolls import Footing, footing
from astragal.rulesets.six_pool.catalogue import Training
from astragal.rulesets.six_pool.checks import taken
from astragal.rulesets.six_pool.manifest import chances_on_the_ladder
from astragal.rulesets.six_pool.pools import doubled_points, edge_bonus, effort_limit, worth
from astragal.rulesets.six_pool.rerolls import AllDice
from astragal.rulesets.six_pool.rolls import (
    Circumstance,
    Degree,
    Roll,
    Rung,
    check,
    proficiency,
    shifted,
    trained_bonus,
)
from astragal.rulesets.six_pool.state import EdgeRule, NaturalDegree


def chance(dc: int, bonus: int, stance: Footing = Footing.LEVEL) -> Fraction:
    return odds(check(dc, bonus, stance)).chance(lambda roll: roll.success)


def rolled(face: int, dc: int, bonus: int, naturals: NaturalDegree = NaturalDegree.CRITICAL) -> Roll:
    played = play(check(dc, bonus, naturals=naturals), EnteredDice([face]))
    assert isinstance(played, Settled)
    return played.value


@pytest.mark.parametrize(
    ("dc", "bonus", "percent"),
    [
        (18, 3 + 2 + 3, 55),
        (16, 4 + 2, 55),
        (15, 1 + 4, 55),
        (10, 0, 55),
        (5, 0, 80),
        (30, 0, 5),
        (1, 20, 95),
    ],
    ids=["lock", "attack", "poison", "easy", "trivial", "out of reach", "beneath notice"],
)
def test_the_published_chances(dc: int, bonus: int, percent: int) -> None:
    """SP-01: the lock, the attack and the save of the book need a 10; naturals keep 5 % open at both ends."""
    assert chance(dc, bonus) == Fraction(percent, 100)


@pytest.mark.parametrize(("stance", "percent"), [(Footing.ADVANTAGE, "79.75"), (Footing.DISADVANTAGE, "30.25")])
def test_two_dice_move_the_chance(stance: Footing, percent: str) -> None:
    """SP-10: the higher of two dice, or the lower."""
    assert chance(18, 8, stance) == Fraction(percent) / 100


@pytest.mark.parametrize(("face", "success"), [(9, False), (10, True), (11, True)])
def test_meeting_the_difficulty_is_enough(face: int, success: bool) -> None:
    """SP-01: meets or beats."""
    assert rolled(face, 18, 8).success is success


@pytest.mark.parametrize(("helped", "hindered"), [(False, False), (True, True)])
def test_both_kinds_cancel_to_one_die(helped: bool, hindered: bool) -> None:
    """SP-10: any number of each cancel."""
    assert footing(helped=helped, hindered=hindered) is Footing.LEVEL


@pytest.mark.parametrize("stance", list(Footing))
def test_dice_that_may_be_rerolled_have_the_same_odds(stance: Footing) -> None:
    """SP-10, SP-18: asking for both dice changes nothing about which counts."""
    kept: Odds[int] = AllDice(stance).odds().map(min if stance is Footing.DISADVANTAGE else max)
    assert kept == stance.die(d20).odds()


@pytest.mark.parametrize(
    ("face", "dc", "bonus", "success"),
    [(20, 40, 0, True), (1, 2, 30, False), (19, 40, 0, False), (2, 2, 0, True)],
)
def test_naturals_have_the_last_word(face: int, dc: int, bonus: int, success: bool) -> None:
    """SP-11: a natural 20 always succeeds, a natural 1 always fails, whatever was spent."""
    assert rolled(face, dc, bonus).success is success


@pytest.mark.parametrize(
    ("margin", "degree"),
    [
        (10, Degree.CRITICAL_SUCCESS),
        (9, Degree.STRONG_SUCCESS),
        (5, Degree.STRONG_SUCCESS),
        (4, Degree.SUCCESS),
        (0, Degree.SUCCESS),
        (-1, Degree.FAILURE),
        (-4, Degree.FAILURE),
        (-5, Degree.BAD_FAILURE),
        (-9, Degree.BAD_FAILURE),
        (-10, Degree.CRITICAL_FAILURE),
        (-12, Degree.CRITICAL_FAILURE),
    ],
)
def test_degrees_by_margin(margin: int, degree: Degree) -> None:
    """SP-12: bands of five, both ways."""
    assert Roll(10, margin, 10).band is degree


@pytest.mark.parametrize(
    ("face", "dc", "bonus", "critical", "total"),
    [
        (20, 18, 0, Degree.CRITICAL_SUCCESS, Degree.SUCCESS),
        (20, 30, 0, Degree.CRITICAL_SUCCESS, Degree.SUCCESS),
        (20, 10, 5, Degree.CRITICAL_SUCCESS, Degree.CRITICAL_SUCCESS),
        (1, 10, 12, Degree.CRITICAL_FAILURE, Degree.FAILURE),
        (1, 8, 0, Degree.CRITICAL_FAILURE, Degree.BAD_FAILURE),
    ],
)
def test_naturals_and_degrees(face: int, dc: int, bonus: int, critical: Degree, total: Degree) -> None:
    """SP-12: a natural is critical, or under `total` what the total says, but on its own side."""
    assert rolled(face, dc, bonus).degree is critical
    assert rolled(face, dc, bonus, NaturalDegree.TOTAL).degree is total
    assert rolled(face, dc, bonus).band is Roll(10, face + bonus, dc + 10).band


@pytest.mark.parametrize(
    ("level", "other", "primary"), [(1, 3, 5), (4, 3, 5), (5, 4, 6), (9, 5, 7), (13, 6, 8), (17, 7, 9), (20, 7, 9)]
)
def test_the_effort_limit_by_level(level: int, other: int, primary: int) -> None:
    """SP-04: one more at 5, 9, 13 and 17; two more in the primary pool."""
    assert (effort_limit(level, primary=False), effort_limit(level, primary=True)) == (other, primary)


@pytest.mark.parametrize(("rung", "dc"), list(zip(Rung, (5, 10, 15, 20, 25, 30), strict=True)))
def test_named_difficulties(rung: Rung, dc: int) -> None:
    """SP-05: trivial 5, easy 10, medium 15, hard 20, very hard 25, nearly impossible 30."""
    assert rung.dc == dc


def test_the_chances_on_the_ladder_are_those_of_the_rule() -> None:
    """SP-05, SP-01: a row for each bonus from 0 to 20, a column for each rung, in percent with one decimal."""
    table = chances_on_the_ladder()
    assert table.head[:2] == ("bonus", "trivial (5)")
    assert len(table.rows) == 21
    assert table.rows[0] == ("+0", "80.0", "55.0", "30.0", "5.0", "5.0", "5.0")
    assert table.rows[20] == ("+20", "95.0", "95.0", "95.0", "95.0", "80.0", "55.0")


def test_circumstances_add_up() -> None:
    """SP-05: −2, +2, +5 and −5, and several at once."""
    assert [shifted(15, [one]) for one in Circumstance] == [13, 17, 20, 10]
    assert shifted(15, [Circumstance.EXTREMELY_DIFFICULT, Circumstance.UNFAVOURABLE]) == 22


@pytest.mark.parametrize(("levels", "bonus"), [((1, 4), 2), ((5, 8), 3), ((9, 12), 4), ((13, 16), 5), ((17, 20), 6)])
def test_proficiency_by_level(levels: tuple[int, int], bonus: int) -> None:
    """SP-06: +2 to +6, at both ends of each four levels."""
    assert [proficiency(level) for level in levels] == [bonus, bonus]


def test_training_adds_to_proficiency() -> None:
    """SP-06: nothing untrained, all of it trained, 2 more as expert and 4 more as master."""
    assert [trained_bonus(5, training) for training in Training] == [0, 3, 5, 7]


@pytest.mark.parametrize("edge", [0, 1, 2, 3])
def test_edge_as_a_bonus_is_free(edge: int) -> None:
    """SP-20, option A: + Edge on every roll with the pool, and no point counts double."""
    assert edge_bonus(edge, EdgeRule.BONUS) == edge
    assert doubled_points(edge, EdgeRule.BONUS) == 0


@pytest.mark.parametrize(
    ("edge", "worths"),
    [(0, [0, 1, 2, 3, 4, 5]), (1, [0, 2, 4, 5, 6, 7]), (2, [0, 2, 4, 6, 7, 8]), (3, [0, 2, 4, 6, 8, 9])],
)
def test_edge_as_efficiency_doubles_the_first_points(edge: int, worths: list[int]) -> None:
    """SP-20, option B: the first Edge + 1 points count double; at 0 nothing does."""
    doubled = doubled_points(edge, EdgeRule.EFFICIENCY)
    assert [worth(points, doubled) for points in range(6)] == worths
    assert edge_bonus(edge, EdgeRule.EFFICIENCY) == 0


def test_what_is_taken_is_no_natural() -> None:
    """SP-17: a 20 that nobody rolled can fail, and is critical by its total alone."""
    assert taken(20, 0, 25).success is False
    assert taken(20, 0, 20).degree is Degree.SUCCESS
    assert taken(10, 5, 15).success is True
