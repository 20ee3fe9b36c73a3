"""The price of a chance, and spans in words."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from astragal.chance import Odds, odds
from astragal.surfaces.shared.odds import ladder, reach, reach_words, read_chance
from astragal.table.preview import Case, Preview, Rung, Span, span_words
from astragal.table.refusals import Refusal

HALF = Fraction(1, 2)
A_DIE: Odds[Hashable] = odds("1d6").map(str)


def likely(chance: Fraction, spend: int | None = None, **how: Any) -> Case:
    """A case of which so much is a success."""
    return Case(Odds[Hashable].of_fractions({True: chance, False: 1 - chance}), spend, hoped=frozenset({True}), **how)


def after(*percent: int) -> Preview:
    """A preview in which each point that is spent after the roll brings so much."""
    rungs = tuple(Rung(points, Fraction(one, 100)) for points, one in enumerate(percent))
    return Preview("", "test", {}, (likely(Fraction(percent[0], 100)),), rungs, "luck")


def before(*percent: int) -> Preview:
    """A preview in which each point that is spent before the roll brings so much."""
    cases = (likely(Fraction(one, 100), points) for points, one in enumerate(percent))
    return Preview("", "check", {}, tuple(cases), points="points")


# ---------------------------------------------------------------- chances as people write them


@pytest.mark.parametrize("text", ["75%", "75 %", " 75", "0.75", "3/4", "75.0%", "75.000000"])
def test_a_chance_is_read_as_people_write_it(text: str) -> None:
    assert read_chance(text) == Fraction(3, 4)


def test_a_number_above_one_is_in_percent() -> None:
    assert [read_chance(one) for one in ("1", "1%", "2", "100", "0")] == [
        1,
        Fraction(1, 100),
        Fraction(2, 100),
        1,
        0,
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "%",
        "101%",
        "3/2",
        "3/0",
        "-5%",
        "1e9",
        "1e-999999999",
        "9" * 999,
        "\u0667\u0665",
        "75%%",
        "nan",
        "half",
        "1.5.5",
    ],
)
def test_what_is_no_chance_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(Refusal, match="0 to 100 %"):
        read_chance(text)


# ---------------------------------------------------------------- the fewest points


@pytest.mark.slow
@given(st.lists(st.integers(0, 100), min_size=1, max_size=12), st.fractions(0, 1))
def test_fewest_is_fewest(percent: list[int], wanted: Fraction) -> None:
    """NJ-24, SP-21: it reaches the chance, and no smaller spend does; where none does, the best is named."""
    for shown in (before(*percent), after(*percent)):
        found, rungs = reach(shown, wanted), ladder(shown)
        if found.rung is None:
            assert all(rung.chance < wanted for rung in rungs)
        else:
            assert found.rung.chance >= wanted
            assert all(rung.chance < wanted for rung in rungs[: found.rung.points])
        assert found.best.chance == max(rung.chance for rung in rungs)


def test_the_best_is_the_cheapest_of_equals() -> None:
    assert reach(before(50, 60, 60), Fraction(1)).best.points == 1


def test_the_price_is_a_sentence_whenever_it_is_paid() -> None:
    three_quarters = Fraction(3, 4)
    assert [
        reach_words(shown, reach(shown, three_quarters))
        for shown in (before(70, 75), after(70, 75, 80), after(80, 90), before(40, 50), before(60), before(80))
    ] == [
        "To reach 75 %, spend 1: 75 %.",
        "To reach 75 %, spend up to 1 luck after the roll: 75 %.",
        "75 % is reached without spending anything: 80 %.",
        "No spend reaches 75 %: the best is 50 %, for 1.",
        "75 % is not reached: 60 %, and there is nothing to spend.",
        "75 % is reached: 80 %, and there is nothing to spend.",
    ]


def test_a_bid_is_called_one() -> None:
    span = Span(Fraction(1, 4), HALF, Fraction(3, 4), against=2, noun="a bid of")
    nothing, three = likely(Fraction(1, 4), bid=0), likely(HALF, span=span, bid=3)
    shown = Preview("", "contest", {}, (likely(HALF), nothing, three, Case(A_DIE, bid="inspiration")))
    assert reach_words(shown, reach(shown, HALF)) == "To reach 50 %, bid 3: 25–75 %, 50 % against a bid of 2."


def test_what_the_other_side_could_undo_says_so() -> None:
    shown = after(50, 75)
    answered = replace(shown, cases=(*shown.cases, likely(HALF, policy="with Luck")))
    told = reach_words(answered, reach(answered, Fraction(3, 4)))
    assert told == "To reach 75 %, spend up to 1 luck after the roll: 75 %, unless the other side answers."


def test_a_game_that_does_not_say_what_success_is_has_no_price() -> None:
    with pytest.raises(Refusal, match="what would be a success"):
        reach(Preview("", "crisis", {}, (Case(A_DIE),)), HALF)


# ---------------------------------------------------------------- spans


@pytest.mark.parametrize(
    ("span", "words"),
    [
        (Span(Fraction(43, 100), Fraction(57, 100), Fraction(77, 100), against=10), "43–77 %, 57 % against 10"),
        (Span(Fraction(0), Fraction(1, 999), Fraction(1), against=3), "0–100 %, <1 % against 3"),
        (Span(HALF, HALF, HALF, against=4), "50 %, 50 % against 4"),
        (Span(HALF, HALF, HALF, against=5, noun="a bonus of"), "50 %, 50 % against a bonus of 5"),
    ],
)
def test_a_span_and_its_likely_figure_are_a_line(span: Span, words: str) -> None:
    assert span_words(span) == words
