"""What a spend would do, before the roll: SP-03, SP-21."""

from __future__ import annotations

from fractions import Fraction

import pytest

from astragal.chance import odds
from astragal.rulesets.six_pool.attacks import attack
from astragal.rulesets.six_pool.catalogue import Pool
from astragal.rulesets.six_pool.rolls import Degree, check
from astragal.surfaces.shared.odds import reach
from astragal.table.refusals import QuestionChanged
from tests.rulesets.six_pool.playing import Playing


def test_every_legal_spend_has_its_chance() -> None:
    """SP-21: five in a hundred more for each point, until only naturals are left."""
    shown = [odds(check(18, 5 + points)).chance(lambda roll: roll.success) for points in range(4)]
    assert shown == [Fraction(40 + 5 * points, 100) for points in range(4)]


def test_every_degree_has_its_chance() -> None:
    """SP-21, SP-12: the chances of all degrees make one."""
    assert odds(check(15, 3)).map(lambda roll: roll.degree).chances() == {
        Degree.CRITICAL_SUCCESS: Fraction(1, 20),
        Degree.STRONG_SUCCESS: Fraction(3, 20),
        Degree.SUCCESS: Fraction(5, 20),
        Degree.FAILURE: Fraction(4, 20),
        Degree.BAD_FAILURE: Fraction(5, 20),
        Degree.CRITICAL_FAILURE: Fraction(2, 20),
    }


def test_attacks_have_prospects_too() -> None:
    """SP-21: a critical hit is a degree of its own."""
    shown = odds(attack(16, 4 + 2, "1d8")).map(lambda strike: strike.degree)
    assert shown.chance(lambda degree: degree.is_success) == Fraction(55, 100)
    assert shown.chances()[Degree.CRITICAL_HIT] == Fraction(1, 20)


def test_the_table_shows_what_it_will_roll(playing: Playing) -> None:
    """SP-21: at the table, every spend up to the Effort limit."""
    assert playing.chances("Bo", "check", who="Kira", skill="stealth", dc=18) == {
        points: Fraction(30 + 5 * points, 100) for points in range(6)
    }


@pytest.mark.parametrize(("wanted", "points"), [(30, 0), (31, 1), (45, 3), (55, 5), (56, None)])
def test_the_smallest_spend_that_reaches_a_named_chance(playing: Playing, wanted: int, points: int | None) -> None:
    """SP-21: exactly, up to the Effort limit."""
    shown = playing.preview("Bo", "check", who="Kira", skill="stealth", dc=18)
    found = reach(shown, Fraction(wanted, 100))
    assert (found.rung.points if found.rung else None) == points
    assert (found.best.points, found.best.chance) == (5, Fraction(55, 100))


def test_a_spend_stops_where_the_pool_does(playing: Playing) -> None:
    """SP-03: up to the Effort limit and what the pool holds."""
    playing.act("Ada", "override", who="Kira", what="DEX", value=2)
    assert list(playing.chances("Bo", "check", who="Kira", skill="stealth", dc=18)) == [0, 1, 2]


def test_points_are_gone_whether_or_not_it_succeeds(playing: Playing) -> None:
    """SP-03: spent is spent."""
    assert playing.rolled(playing.check(2, points=3))["success"] is False
    assert playing.held("Kira", Pool.DEX) == 15
    assert playing.rolled(playing.check(19, points=2))["success"] is True
    assert playing.held("Kira", Pool.DEX) == 13


def test_a_point_is_one_more(playing: Playing) -> None:
    """SP-03, SP-01: 10 + 2 proficiency + 1 Edge + 2 points = 15."""
    roll = playing.rolled(playing.check(10, points=2))
    assert roll["terms"] == [
        {"name": "proficiency", "amount": 2},
        {"name": "Edge", "amount": 1},
        {"name": "effort", "amount": 2},
    ]
    assert (roll["total"], roll["success"]) == (15, True)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"skill": "stealth", "points": 6}, "Kira's Effort limit in DEX is 5, not 6."),
        ({"pool": "CON", "points": 4}, "Kira's Effort limit in CON is 3, not 4."),
    ],
)
def test_more_than_the_limit_is_refused(playing: Playing, fields: dict[str, object], sentence: str) -> None:
    """SP-04, SP-03: the save of the book with 4 points is legal from level 5 only, unless CON is primary."""
    assert playing.sentence("Bo", "check", who="Kira", dc=15, **fields) == sentence


def test_level_five_may_spend_four(playing: Playing) -> None:
    """SP-04: the save of the book, at level 5."""
    playing.roll(10)
    saved = playing.act("Cy", "save", who="Lund", threat="poison", dc=15, points=4)
    assert playing.rolled(saved)["success"] is True


def test_more_than_is_held_is_refused(playing: Playing) -> None:
    """SP-03: with the numbers."""
    playing.act("Ada", "override", who="Kira", what="DEX", value=2)
    refused = playing.sentence("Bo", "check", who="Kira", skill="stealth", dc=15, points=3)
    assert refused == "Kira holds 2 DEX, not 3."


def test_what_was_shown_is_what_is_rolled(playing: Playing) -> None:
    """SP-21: a command may state the question it was shown."""
    command = ("check", {"who": "Kira", "skill": "stealth", "dc": 15, "points": 2})
    shown = playing.preview("Bo", "check", **command[1])
    playing.act("Ada", "train", who="Kira", skill="stealth", training="master")
    with pytest.raises(QuestionChanged):
        playing.host.act(playing.table, playing.seats["Bo"], command, shown=shown.question)
