"""The same chance in the terms of several games: exact, nearest, in one order, in words."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from msgspec.structs import replace

from astragal.chance import Question, Rolls, d6, rule
from astragal.lab.conversions import (
    Conversion,
    Scale,
    convert,
    in_words,
    lines,
    percent,
    point_at,
    points_of,
    sentence,
    side_by_side,
    with_fixed_numbers,
)
from astragal.rulesets.narraject import NARRAJECT
from astragal.rulesets.new_shoes import NEW_SHOES
from astragal.rulesets.sinew_steel import SINEW_STEEL
from astragal.rulesets.six_pool import SIX_POOL
from astragal.table.authoring.ruleset import Measure, Ruleset
from astragal.table.refusals import BadFields, NoSuchThing

ALL = (SINEW_STEEL, NARRAJECT, NEW_SHOES, SIX_POOL)
MEASURES = tuple(measure for ruleset in ALL for measure in ruleset.measures)
STEEL, HAND, SHOES, POOL = (ruleset.measures[0] for ruleset in ALL)
PAGE = Path(__file__).parents[2] / "docs" / "conversions.md"

OUR_HEROES = (with_fixed_numbers(HAND, dice=5), with_fixed_numbers(SHOES, dice=3), with_fixed_numbers(POOL, bonus=5))
"""What the page's first table gives a hero in each game."""
OUR_TASKS = (
    with_fixed_numbers(HAND, difficulty=2),
    with_fixed_numbers(SHOES, target=12),
    with_fixed_numbers(POOL, dc=15),
)
"""What the page's second table sets one."""


def named(ruleset: Ruleset) -> str:
    return ruleset.id


def games_in(conversion: Conversion) -> list[str]:
    return [point.measure.game for points in conversion.nearest for point in points]


# ---------------------------------------------------------------- chances by hand


def test_a_score_of_12_is_twelve_faces_of_twenty() -> None:
    assert point_at(STEEL, {"score": 12}).chance == Fraction(3, 5)


def test_two_successes_of_five_dice_are_131_ways_in_243() -> None:
    """A die of 5 or 6 is one in three: all but no success (32/243) and just one (5 · 16/243)."""
    assert point_at(HAND, {"difficulty": 2, "dice": 5}).chance == 1 - Fraction(32, 243) - Fraction(80, 243)


def test_one_die_beats_a_target_of_4_with_a_5_or_a_6() -> None:
    """A 4 only meets it, and that does not count."""
    assert point_at(SHOES, {"target": 4, "dice": 1}).chance == Fraction(1, 3)


def test_a_dc_of_18_with_a_bonus_of_8_needs_a_10() -> None:
    assert point_at(POOL, {"dc": 18, "bonus": 8}).chance == Fraction(11, 20)


# ---------------------------------------------------------------- conversions


def test_a_score_of_12_is_a_difficulty_of_2_for_five_dice() -> None:
    """With five dice, 131/243 is nearer to 3/5 than the 211/243 of a single success."""
    (found,) = convert((STEEL, with_fixed_numbers(HAND, dice=5)), "sinew_steel", {"score": 12}).nearest
    assert [(point.values, point.chance) for point in found] == [({"difficulty": 2, "dice": 5}, Fraction(131, 243))]


@pytest.mark.parametrize(
    ("game", "values"),
    [
        ("sinew_steel", {"score": 12}),
        ("narraject", {"difficulty": 2, "dice": 5}),
        ("new_shoes", {"target": 12, "dice": 3}),
        ("six_pool", {"dc": 15, "bonus": 4}),
    ],
)
def test_from_each_game_there_is_a_way_to_each_other(game: str, values: dict[str, int]) -> None:
    conversion = convert(MEASURES, game, values)
    assert games_in(conversion) == [ruleset.id for ruleset in ALL if ruleset.id != game]


@pytest.mark.slow
def test_nothing_is_nearer_than_what_is_found() -> None:
    conversion = convert(MEASURES, "new_shoes", {"target": 12, "dice": 3})
    for (found,) in conversion.nearest:
        gap = abs(found.chance - conversion.origin.chance)
        assert all(abs(point.chance - conversion.origin.chance) >= gap for point in points_of(found.measure))


def test_several_points_come_nearest_first() -> None:
    conversion = convert(MEASURES, "sinew_steel", {"score": 7}, most=4)
    for points in conversion.nearest:
        gaps = [abs(point.chance - conversion.origin.chance) for point in points]
        assert len(gaps) == 4
        assert gaps == sorted(gaps)


def test_of_equally_near_points_the_first_of_the_ranges_is_named() -> None:
    """A DC of 10 is on the ladder; 9 with nothing added has the same chance."""
    assert point_at(POOL, {"dc": 9, "bonus": 0}).chance == Fraction(3, 5)
    (found,) = Scale(POOL).nearest(Fraction(3, 5))
    assert found.values == {"dc": 10, "bonus": 1}


CHANCES = (
    Fraction(0),
    Fraction(1, 1000),
    Fraction(1, 3),
    Fraction(1, 2),
    Fraction(3, 5),
    Fraction(19, 20),
    Fraction(1),
)


@pytest.mark.slow
@pytest.mark.parametrize("most", [1, 3, 30])
@pytest.mark.parametrize("ruleset", ALL, ids=named)
def test_whoever_weighs_few_points_finds_what_all_of_them_give(ruleset: Ruleset, most: int) -> None:
    """The very same points in the same order, whichever were asked for before."""
    scale, all_points = Scale(ruleset.measures[0]), points_of(ruleset.measures[0])
    for chance in CHANCES:
        wanted = tuple(sorted(all_points, key=lambda point: abs(point.chance - chance))[:most])
        assert scale.nearest(chance, most) == wanted


@pytest.mark.slow
def test_few_points_are_weighed() -> None:
    weighed: list[dict[str, int]] = []

    def ask(**numbers: int) -> Question[Any]:
        weighed.append(numbers)
        return POOL.ask(**numbers)

    watched = replace(POOL, ask=ask)
    Scale(watched).nearest(Fraction(3, 5))
    assert len(weighed) < len(points_of(POOL)) / 20, "an exact match is at the beginning"
    weighed.clear()
    Scale(watched).nearest(Fraction(131, 243))
    assert len(weighed) < len(points_of(POOL)) / 3


@pytest.mark.parametrize("ruleset", ALL, ids=named)
def test_all_of_ours_are_steady(ruleset: Ruleset) -> None:
    """That they are what they say, the contract of rulesets holds."""
    assert all(measure.steady for measure in ruleset.measures)


def test_a_scale_that_turns_is_weighed_through() -> None:
    """Nothing says that it is steady, and it is not."""

    @rule
    def tides(hour: int) -> Rolls[bool]:
        return (yield from d6) <= abs(6 - hour % 12)

    measure = Measure(
        game="tides", name="Tides", words="{hour} o’clock", ask=tides, success=bool, ranges={"hour": range(24)}
    )
    assert [point.values["hour"] for point in Scale(measure).nearest(Fraction(1, 6), 3)] == [5, 7, 17]


def test_the_same_question_has_the_same_answer() -> None:
    asked: dict[str, Any] = {"game": "narraject", "values": {"difficulty": 3, "dice": 7}, "most": 5}
    assert convert(MEASURES, **asked) == convert(MEASURES, **asked)


def test_numbers_may_be_given_in_any_order() -> None:
    assert point_at(HAND, {"dice": 5, "difficulty": 2}) == point_at(HAND, {"difficulty": 2, "dice": 5})


def test_what_is_held_is_not_looked_for() -> None:
    assert {point.values["dice"] for point in points_of(with_fixed_numbers(SHOES, dice=3))} == {3}


# ---------------------------------------------------------------- a stranger's game


@rule
def sparks(needed: int) -> Rolls[bool]:
    return (yield from d6) >= needed


@rule
def cold_sparks(cold: int) -> Rolls[bool]:
    return (yield from d6) > cold


SPARKS = Measure(
    game="sparks",
    name="Sparks",
    words="a spark of {needed}",
    ask=sparks,
    success=bool,
    ranges={"needed": range(1, 7)},
)
COLD_SPARKS = Measure(
    game="sparks",
    name="Sparks",
    words="a cold spark over {cold}",
    ask=cold_sparks,
    success=bool,
    ranges={"cold": range(6)},
)


def test_a_game_that_is_not_ours_takes_part() -> None:
    conversion = convert((*MEASURES, SPARKS), "sinew_steel", {"score": 10})
    assert conversion.nearest[-1][0].values == {"needed": 4}


def test_of_several_measures_the_one_with_these_numbers_is_meant() -> None:
    assert convert((SPARKS, COLD_SPARKS), "sparks", {"cold": 2}).origin.measure is COLD_SPARKS


def test_one_game_alone_is_converted_to_nothing() -> None:
    conversion = convert((SPARKS,), "sparks", {"needed": 4})
    assert conversion.nearest == ()
    assert sentence(conversion) == "A spark of 4 in Sparks (50.0%) is nothing elsewhere."
    assert list(lines(conversion)) == ["a spark of 4 in Sparks (50.0%)"]


# ---------------------------------------------------------------- refusals


def test_a_game_that_nobody_measured_is_refused_with_those_there_are() -> None:
    with pytest.raises(NoSuchThing, match="No measure of 'chess' is known; there are: sinew_steel, narraject"):
        convert(MEASURES, "chess", {"score": 12})


def test_all_that_is_wrong_with_a_point_is_said_at_once() -> None:
    with pytest.raises(BadFields) as refused:
        convert(MEASURES, "narraject", {"difficulty": 12, "score": 3})
    assert refused.value.problems == (
        "Narraject needs a number for 'dice'",
        "'difficulty' of Narraject goes from 1 to 11, and 12 is outside",
        "Narraject is not measured by 'score', but by 'difficulty', 'dice'",
    )


def test_what_a_measure_does_not_have_cannot_be_held() -> None:
    with pytest.raises(BadFields, match="'dice' of New Shoes goes from 1 to 8, and 9 is outside"):
        with_fixed_numbers(SHOES, dice=9)


# ---------------------------------------------------------------- words


def test_a_conversion_is_a_sentence() -> None:
    assert sentence(convert((STEEL, *OUR_HEROES), "sinew_steel", {"score": 12})) == (
        "A score of 12 in Sinew & Steel (60.0%) is a difficulty of 2 with 5d6 in Narraject (53.9%), "
        "a target of 10 with 3d6 in New Shoes (57.4%) and a DC of 14 with a bonus of 5 in Six-Pool d20 (60.0%)."
    )


def test_several_points_are_lines_under_the_name_of_their_game() -> None:
    assert list(lines(convert((SPARKS, STEEL, POOL), "sparks", {"needed": 4}, most=2))) == [
        "a spark of 4 in Sparks (50.0%)",
        "  Sinew & Steel    50.0%  a score of 10",
        "                   45.0%  a score of 9",
        "  Six-Pool d20     50.0%  a DC of 15 with a bonus of 4",
        "                   50.0%  a DC of 20 with a bonus of 9",
    ]


def test_hardly_any_chance_is_not_called_none() -> None:
    assert percent(point_at(HAND, {"difficulty": 11, "dice": 11})) == "<0.01%"
    assert percent(point_at(HAND, {"difficulty": 11, "dice": 10})) == "0.0%"


@pytest.mark.parametrize("ruleset", ALL, ids=named)
def test_a_ruleset_measures_itself(ruleset: Ruleset) -> None:
    """Under its own id and name, with every number in its words and a chance at every point."""
    assert ruleset.measures
    for measure in ruleset.measures:
        assert (measure.game, measure.name) == (ruleset.id, ruleset.name)
        assert {name for _, name, _, _ in Formatter().parse(measure.words) if name} == measure.ranges.keys()
        points = points_of(measure)
        assert all(0 <= point.chance <= 1 for point in points)
        assert len({in_words(point) for point in points}) == len(points)


# ---------------------------------------------------------------- the page


@pytest.mark.parametrize("others", [OUR_HEROES, OUR_TASKS], ids=["difficulties", "heroes"])
def test_the_tables_of_the_page_are_current(others: tuple[Measure, ...]) -> None:
    found = side_by_side(STEEL, others)
    head, *rows = ("| " + " | ".join(row) + " |" for row in (found.head, *found.rows))
    table = "\n".join((head, "|" + "---|" * len(found.head), *rows))
    assert table in PAGE.read_text(encoding="utf-8"), f"docs/conversions.md should have this table:\n\n{table}\n"


def test_a_table_has_a_row_for_each_point() -> None:
    table = side_by_side(SPARKS, (STEEL, HAND))
    assert table.head == (
        "Sparks: a spark of …",
        "Sinew & Steel: a score of …",
        "Narraject: a difficulty of … with …d6",
    )
    assert [row[0] for row in table.rows] == [
        "1 (100.0%)",
        "2 (83.3%)",
        "3 (66.7%)",
        "4 (50.0%)",
        "5 (33.3%)",
        "6 (16.7%)",
    ]
    assert table.rows[4] == ("5 (33.3%)", "7 (35.0%)", "a difficulty of 1 with 1d6 (33.3%)")
