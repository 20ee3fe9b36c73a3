"""Ten points in three attributes."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from astragal.rulesets.new_shoes.heroes import HERO_BOOK, THE_TEN, random_hero
from tests.rulesets.new_shoes.playing import Playing

ALL = [spread for spread in product(range(1, 9), repeat=3) if sum(spread) == 10]


def spread(body: int, mind: int, will: int) -> dict[str, int]:
    return {"body": body, "mind": mind, "will": will}


def spread_of(hero: Any) -> dict[str, int]:
    return spread(hero["body"], hero["mind"], hero["will"])


def test_ten_points_each_one_at_least_and_eight_at_most() -> None:
    """NS-01: there are 36 ways."""
    legal = [one for one in product(range(-1, 12), repeat=3) if not THE_TEN.faults(spread(*one))]
    assert len(legal) == 36
    assert legal == ALL


@pytest.mark.parametrize(
    ("points", "said"),
    [
        ((4, 3, 3), []),
        ((8, 1, 1), []),
        ((4, 4, 4), ["the three attributes have 12 points together, 2 points too many: there are 10"]),
        ((9, 0, 1), ["Body must have 1 to 8 points, not 9", "Mind must have 1 to 8 points, not 0"]),
        (
            (12, 0, 0),
            [
                "Body must have 1 to 8 points, not 12",
                "Mind must have 1 to 8 points, not 0",
                "Will must have 1 to 8 points, not 0",
                "the three attributes have 12 points together, 2 points too many: there are 10",
            ],
        ),
    ],
)
def test_everything_that_is_wrong_is_said_at_once(points: tuple[int, int, int], said: list[str]) -> None:
    """NS-01: bounds and sum."""
    assert [fault.words for fault in THE_TEN.faults(spread(*points))] == said


def test_points_short_or_past_are_refused_with_the_difference(playing: Playing) -> None:
    """NS-01: and with what would do."""
    fields = {"name": "Moth", "body": 5, "mind": 4, "will": 2}
    assert playing.sentence("Bo", "make_hero", **fields) == (
        "the three attributes have 11 points together, 1 point too many: there are 10; "
        "near it and legal: Body 5 → 4, or Mind 4 → 3, or Will 2 → 1."
    )
    assert "2 points too few" in playing.sentence("Bo", "make_hero", **{**fields, "body": 2})
    assert playing.refused("Bo", "make_hero", **{**fields, "body": 4}) == "done"


def test_the_nearest_move_the_fewest_points_and_change_the_fewest_attributes_first(playing: Playing) -> None:
    """NS-01: at most five are named."""
    sentence = playing.sentence("Bo", "make_hero", name="Moth", body=9, mind=3, will=3)
    assert sentence.endswith(
        "near it and legal: Body 9 → 4, or Body 9 → 5 and Mind 3 → 2, or Body 9 → 5 and Will 3 → 2, "
        "or Body 9 → 6 and Mind 3 → 1, or Body 9 → 6 and Will 3 → 1."
    )


def test_random_spreads_are_uniform() -> None:
    """NS-01: each number drawn is another spread, and each spread has one."""
    drawn = [random_hero(lambda most, n=number: n if most == 36 else 0, {}, None) for number in range(36)]  # type: ignore[misc]
    assert [spread_of(hero) for hero in drawn] == [spread(*one) for one in ALL]


# ---------------------------------------------------------------- at the table


def test_the_samples_are_legal_and_say_who_they_are() -> None:
    """NS-01: four or more, no two alike."""
    samples = HERO_BOOK.samples(None).values()
    assert len(samples) >= 4
    assert not any(THE_TEN.faults(spread_of(sample)) for sample in samples)
    assert all(sample["about"] for sample in samples)
    assert len({tuple(spread_of(sample).values()) for sample in samples}) == len(samples)


def test_whose_hero_it_is(playing: Playing) -> None:
    fields = {"body": 4, "mind": 3, "will": 3}
    assert playing.refused("Bo", "make_hero", name="Moth", seat="Cy", **fields) == "not_allowed"
    assert playing.refused("Ada", "make_hero", name="Moth", seat="Di", **fields) == "not_allowed"
    playing.act("Ada", "make_hero", name="Moth", seat="Bo", **fields)
    assert playing.who("Moth").seat == playing.seats["Bo"]
    assert playing.refused("Cy", "make_hero", name="moth", **fields) == "name_taken"
    assert playing.refused("Ada", "make_npc", name="MOTH") == "name_taken"
    assert playing.refused("Di", "make_hero", name="Wisp", **fields) == "not_allowed"
    assert playing.refused("Bo", "make_npc", name="Wisp") == "not_allowed"
