"""NJ-11 to NJ-13, NJ-24: Ratings, Reserves and Focus."""

from __future__ import annotations

from fractions import Fraction
from threading import Thread

import pytest

from astragal.chance import odds
from astragal.rulesets.narraject.gathering import legal_focus
from astragal.rulesets.narraject.hand import HandParts, Result, Source, Term, roll_hand
from astragal.rulesets.narraject.state import focus_cap, reserve_capacity
from astragal.surfaces.shared.odds import case_words, reach, reach_words, read_chance
from tests.rulesets.narraject.playing import SHOT, Playing

AGILITY_3 = HandParts((Term(Source.RATING, 3, "agility"),), floor=3)


@pytest.mark.parametrize(
    ("rating", "reserve", "cap"), [(1, 7, 3), (2, 9, 4), (3, 11, 5), (5, 15, 7), (6, 20, 8), (10, 32, 12)]
)
def test_reserve_and_cap_follow_from_the_rating(rating: int, reserve: int, cap: int) -> None:
    """NJ-12: the vectors; the Reserve grows faster from 6 on."""
    assert (reserve_capacity(rating), focus_cap(rating)) == (reserve, cap)


def test_heroes_begin_with_four_stats_and_full_reserves(playing: Playing) -> None:
    """NJ-11, NJ-12: each stat has its own Rating and Reserve."""
    sheet = playing.sheet("Lund")
    assert (sheet.ratings.might, sheet.ratings.agility, sheet.ratings.intellect, sheet.ratings.persona) == (4, 1, 3, 2)
    assert (sheet.reserves.might, sheet.reserves.agility, sheet.reserves.intellect, sheet.reserves.persona) == (
        13,
        7,
        11,
        9,
    )


@pytest.mark.parametrize("stat", ["might", "agility", "intellect", "persona"])
def test_any_stat_may_be_used(playing: Playing, stat: str) -> None:
    """NJ-11: the approach defines the stat, and each draws on its own Reserve."""
    rating = playing.sheet("Kira").ratings
    outcome = (
        playing.shoot(*[5] * 4, stat=stat, focus=1) if stat == "agility" else playing.shoot(5, 5, 5, stat=stat, focus=1)
    )
    hand = playing.told(outcome, "attempted")["hand"]["terms"][0]
    assert (hand["name"], hand["dice"]) == (stat, getattr(rating, stat))
    left = playing.sheet("Kira").reserves
    assert {one: getattr(left, one) for one in ("might", "agility", "intellect", "persona")} == {
        "might": 9,
        "agility": 11,
        "intellect": 9,
        "persona": 9,
    } | {stat: reserve_capacity(getattr(rating, stat)) - 1}


# ---------------------------------------------------------------- spending


@pytest.mark.parametrize("faces", [(6, 6, 6, 6, 6), (1, 1, 1, 1, 1)])
def test_focus_is_gone_whether_or_not_the_roll_succeeds(playing: Playing, faces: tuple[int, ...]) -> None:
    """NJ-13: a point is a die, spent before the roll."""
    outcome = playing.shoot(*faces, focus=2, difficulty=3)
    assert playing.told(outcome, "attempted")["dice"] == 5
    assert playing.sheet("Kira").reserves.agility == 9


def test_a_roll_tells_what_is_left_of_the_reserve_that_it_spent(playing: Playing) -> None:
    """NJ-13: and says nothing of it where nothing was spent."""
    before = playing.sheet("Kira").reserves.agility
    told = playing.told(playing.shoot(*[5] * 5, focus=2), "attempted")
    assert told["left"] == before - 2
    assert playing.words("Di")[-1].endswith(f". {before - 2} left in the Agility Reserve")
    assert playing.told(playing.shoot(*[5] * 3), "attempted")["left"] is None


def test_more_than_the_cap_is_refused_and_costs_nothing(playing: Playing) -> None:
    """NJ-13, vector: 6 points at Rating 3 are too many, since the cap is 5."""
    assert playing.sentence("Bo", "attempt", **SHOT, difficulty=1, focus=6) == (
        "Kira can put 5 points of Focus into a roll on Agility, not 6."
    )
    assert playing.sheet("Kira").reserves.agility == 11


def test_more_than_is_left_is_refused_and_costs_nothing(playing: Playing) -> None:
    """NJ-10, NJ-13, vector: 5 points with 4 left in Reserve."""
    playing.act("Ada", "override", who="Kira", what="agility_reserve", value=4)
    assert playing.sentence("Bo", "attempt", **SHOT, difficulty=1, focus=5) == (
        "Kira has 4 points left in Agility, not 5."
    )
    assert playing.sheet("Kira").reserves.agility == 4
    assert legal_focus(3, 4) == range(5)
    assert legal_focus(3, 0) == range(1)


def test_the_last_point_is_spent_once(playing: Playing) -> None:
    """NJ-13: nasty: the same last point twice."""
    playing.act("Ada", "override", who="Kira", what="agility_reserve", value=1)
    playing.shoot(1, 1, 1, 1, focus=1)
    assert playing.refused("Bo", "attempt", **SHOT, difficulty=1, focus=1) == "too_much_focus"


# ---------------------------------------------------------------- before the roll


def test_the_preview_shows_what_every_point_would_make_of_it(playing: Playing) -> None:
    """NJ-24: from the present hand up to the cap, exactly."""
    shown = playing.preview("Bo", "attempt", **SHOT, difficulty=3)
    chances = {case.spend: case.odds.chance(Result.SUCCESS) for case in shown.cases}
    hands = {focus: roll_hand(AGILITY_3.hand(focus), 3) for focus in range(6)}
    assert chances == {focus: odds(one).chance(lambda outcome: outcome.success) for focus, one in hands.items()}
    assert chances[0] == Fraction(1, 27)


def test_the_preview_goes_no_further_than_the_reserve(playing: Playing) -> None:
    """NJ-24, NJ-13: what can't be spent is not offered."""
    playing.act("Ada", "override", who="Kira", what="agility_reserve", value=2)
    shown = playing.preview("Bo", "attempt", **SHOT, difficulty=3)
    assert [case.spend for case in shown.cases] == [0, 1, 2]


@pytest.mark.parametrize(("wanted", "focus"), [(3, 0), (31, 3), (32, 4), (50, 5), (90, None)])
def test_the_fewest_points_that_reach_a_named_chance(playing: Playing, wanted: int, focus: int | None) -> None:
    """NJ-24: P(≥ 3 of n) is 3.7 % with 3 dice, 32.0 % with 6 and 53.2 % with 8."""
    shown = playing.preview("Bo", "attempt", **SHOT, difficulty=3)
    found = reach(shown, Fraction(wanted, 100))
    assert (found.rung.points if found.rung else None) == focus
    assert (found.best.points, found.best.chance) == (5, shown.cases[5].success)


def test_the_price_of_a_chance_is_a_sentence(playing: Playing) -> None:
    """NJ-24: what it costs, or what the best is."""
    shown = playing.preview("Bo", "attempt", **SHOT, difficulty=3)
    told = [reach_words(shown, reach(shown, read_chance(one))) for one in ("3 %", "1/2", "90%")]
    assert told == [
        "3 % is reached without spending anything: 3.7 %.",
        "To reach 50 %, spend 5 Focus: 53.2 %.",
        "No spend reaches 90 %: the best is 53.2 %, for 5.",
    ]


def test_under_a_hidden_difficulty_the_likely_chance_is_reached(playing: Playing) -> None:
    """NJ-24: against 3 successes, which is challenging; the true difficulty plays no part."""
    asked = playing.act("Ada", "request_roll", who="Kira", command="attempt", difficulty=5, hidden=True)
    request = playing.told(asked, "roll_requested")["request"]["id"]
    shown = playing.preview("Bo", "attempt", **SHOT, request=request)
    told = reach_words(shown, reach(shown, Fraction(1, 2)))
    assert told == "To reach 50 %, spend 5 Focus: 9–96 %, 53 % against 3."


def test_points_that_add_no_die_are_marked(playing: Playing) -> None:
    """NJ-20, NJ-24: under burdens of 3 the first three points only do the floor's work."""
    burdened = HandParts((*AGILITY_3.terms, Term(Source.BURDEN, -3)), floor=3)
    assert [burdened.hand(focus).dice for focus in range(6)] == [3, 3, 3, 3, 4, 5]
    shown = playing.preview("Bo", "attempt", **SHOT, difficulty=1, burdens=["Afraid of Fire"], focus=2)
    assert shown.arguments["hand"]["idle"] == 2
    outcome = playing.shoot(1, 1, 1, burdens=["Afraid of Fire"], focus=2)
    assert "(2 of Focus without effect)" in outcome.events[-1].words


def test_two_at_the_same_instant_spend_the_last_point_once(playing: Playing) -> None:
    """NJ-13: nasty: one success, and one sentence."""
    playing.act("Ada", "override", who="Kira", what="agility_reserve", value=1)
    playing.roll(*[1] * 8)
    codes: list[str] = []

    def spend(seat: str) -> None:
        codes.append(playing.refused(seat, "attempt", **SHOT, difficulty=1, focus=1))

    threads = [Thread(target=spend, args=(seat,)) for seat in ("Ada", "Bo")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(codes) == ["done", "too_much_focus"]
    assert playing.sheet("Kira").reserves.agility == 0


def test_a_preview_marks_focus_that_adds_no_die(playing: Playing) -> None:
    """NJ-20: under a Burden the first points only do the floor's work; from then on each is a die."""
    free = playing.preview("Bo", "attempt", **SHOT, difficulty=1)
    assert not any(case.is_idle for case in free.cases)
    burden = playing.sheet("Kira").burdens[0]
    shown = playing.preview("Bo", "attempt", **SHOT, difficulty=1, burdens=[burden.name])
    idle = [case.spend for case in shown.cases if case.is_idle]
    assert idle == list(range(1, burden.grade.dice + 1))
    assert case_words(shown.cases[1]) == "spend 1 (the last point adds nothing)"
    assert shown.cases[1].success == shown.cases[0].success
