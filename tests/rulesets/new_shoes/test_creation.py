"""Ten points in three attributes."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.rulesets.new_shoes.creation import (
    LEGAL,
    OutOfBounds,
    Spread,
    WrongSum,
    nearest_legal,
    random_spread,
    why_illegal,
)
from astragal.rulesets.new_shoes.drafts import Draft, hero_from
from astragal.rulesets.new_shoes.samples import SAMPLES
from astragal.rulesets.new_shoes.sheet import Attribute
from astragal.table.refusals import BadFields
from tests.rulesets.new_shoes.playing import Playing

NEAREST = (
    "the nearest that would do: Body 9 → 4, or Body 9 → 5 and Mind 3 → 2, or Body 9 → 5 and Will 3 → 2, "
    "or Body 9 → 6 and Mind 3 → 1, or Body 9 → 6 and Will 3 → 1"
)

spreads = st.builds(Spread, *[st.integers(-20, 30)] * 3)


def moved(one: Spread, other: Spread) -> int:
    return sum(abs(one[attribute] - other[attribute]) for attribute in Attribute)


def test_ten_points_each_one_at_least_and_eight_at_most() -> None:
    """NS-01: there are 36 ways."""
    assert len(LEGAL) == 36
    assert set(LEGAL) == {
        Spread(*points) for points in product(range(20), repeat=3) if sum(points) == 10 and min(points) >= 1
    }
    assert max(spread.body for spread in LEGAL) == 8


@pytest.mark.parametrize(
    ("spread", "reasons"),
    [
        (Spread(4, 3, 3), ()),
        (Spread(8, 1, 1), ()),
        (Spread(4, 4, 4), (WrongSum(12),)),
        (Spread(2, 2, 2), (WrongSum(6),)),
        (Spread(9, 0, 1), (OutOfBounds(Attribute.BODY, 9), OutOfBounds(Attribute.MIND, 0))),
        (
            Spread(12, 0, 0),
            (
                OutOfBounds(Attribute.BODY, 12),
                OutOfBounds(Attribute.MIND, 0),
                OutOfBounds(Attribute.WILL, 0),
                WrongSum(12),
            ),
        ),
    ],
)
def test_everything_that_is_wrong_is_said_at_once(spread: Spread, reasons: tuple[object, ...]) -> None:
    """NS-01: bounds and sum."""
    assert why_illegal(spread) == reasons


def test_points_short_or_past_are_refused_with_the_difference(playing: Playing) -> None:
    """NS-01: and with what would do."""
    fields = {"name": "Moth", "body": 5, "mind": 4, "will": 2}
    assert playing.sentence("Bo", "make_hero", **fields) == (
        "the three attributes have 11 points together, 1 point too many: there are 10; "
        "the nearest that would do: Body 5 → 4, or Mind 4 → 3, or Will 2 → 1."
    )
    assert "2 points too few" in playing.sentence("Bo", "make_hero", **{**fields, "body": 2})
    assert playing.refused("Bo", "make_hero", **{**fields, "body": 4}) == "done"


@given(spreads)
def test_repairs_are_legal_and_the_nearest(spread: Spread) -> None:
    """NS-01: no legal spread has fewer points moved; at most five are named, each with what changed."""
    repairs = nearest_legal(spread)
    nearest = min(moved(spread, legal) for legal in LEGAL)
    assert 1 <= len(repairs) <= 5
    for repair in repairs:
        assert not why_illegal(repair.spread)
        assert repair.moved == nearest == moved(spread, repair.spread)
        assert {change.attribute for change in repair.changes} == {
            one for one in Attribute if spread[one] != repair.spread[one]
        }


@given(st.sampled_from(LEGAL))
def test_a_legal_spread_is_its_own_only_repair(spread: Spread) -> None:
    """NS-01: nothing to change."""
    (repair,) = nearest_legal(spread)
    assert (repair.spread, repair.changes) == (spread, ())


def test_random_spreads_are_uniform() -> None:
    """NS-01: each number drawn is another spread, and each spread has one."""
    numbers = iter(range(72))
    drawn = Counter(random_spread(lambda limit: next(numbers) % limit) for _ in range(72))
    assert drawn == dict.fromkeys(LEGAL, 2)


# ---------------------------------------------------------------- from a file


def test_a_hero_from_a_file() -> None:
    """NS-01: plain values."""
    hero = hero_from({"name": "Moth", "body": 4, "mind": 3, "will": 3})
    assert (hero.name, hero.spread, hero.about) == ("Moth", Spread(4, 3, 3), "")


def test_a_file_is_refused_with_every_reason() -> None:
    """NS-01: of form and of rule."""
    with pytest.raises(BadFields) as refused:
        hero_from({"nome": "Moth", "body": 9, "mind": 3, "will": 3})
    assert refused.value.problems == (
        "there is no field 'nome'",
        "name is missing",
        "Body must have 1 to 8 points, not 9",
        "the three attributes have 15 points together, 5 points too many: there are 10",
        NEAREST,
    )


@pytest.mark.parametrize(
    "raw",
    [
        [],
        None,
        "Moth",
        {},
        {"name": "Moth", "body": "4", "mind": 3, "will": 3},
        {"name": "Moth", "body": 4.0, "mind": 3, "will": 3},
        {"name": "Moth", "body": True, "mind": 6, "will": 3},
        {"name": "Moth", "body": 10**100, "mind": 3, "will": 3},
        {"name": "", "body": 4, "mind": 3, "will": 3},
        {"name": "a\u202eb", "body": 4, "mind": 3, "will": 3},
        {"name": "x" * 61, "body": 4, "mind": 3, "will": 3},
        {"name": "Moth", "body": 4, "mind": 3, "will": 3, "__proto__": {}},
        {"name": "Moth", "body": 4, "mind": 3, "will": 3, "about": "x" * 5000},
    ],
    ids=lambda raw: str(raw)[:40],
)
def test_a_strange_file_is_refused(raw: object) -> None:
    """NS-01: in one way, whatever is wrong with it."""
    with pytest.raises(BadFields):
        hero_from(raw)


# ---------------------------------------------------------------- step by step


def test_a_draft_shows_the_ten_points_at_every_step() -> None:
    """NS-01: spent, left, and what an attribute may still have."""
    draft = Draft()
    assert (draft.spent, draft.left, draft.open_steps) == (0, 10, ("name", "body", "mind", "will"))
    assert draft.range_for(Attribute.BODY) == range(1, 9)
    draft = draft.with_name("Moth").with_points(Attribute.BODY, 5)
    assert (draft.spent, draft.left, draft.open_steps) == (5, 5, ("mind", "will"))
    assert draft.range_for(Attribute.MIND) == range(1, 5)
    draft = draft.with_points(Attribute.MIND, 4).with_points(Attribute.WILL, 3)
    assert draft.left == -2
    with pytest.raises(BadFields, match="2 points too many"):
        draft.finished()
    hero = draft.with_points(Attribute.BODY, 3).with_about("Flies at night.").finished()
    assert (hero.spread, hero.about) == (Spread(3, 4, 3), "Flies at night.")


def test_an_unfinished_draft_says_what_is_missing() -> None:
    with pytest.raises(BadFields) as refused:
        Draft().with_points(Attribute.BODY, 5).finished()
    assert refused.value.problems == ("name must not be empty", "mind is missing", "will is missing")


# ---------------------------------------------------------------- at the table


def test_the_samples_are_legal_and_have_a_setting() -> None:
    """NS-01: four or more, no two alike."""
    assert len(SAMPLES) >= 4
    assert not any(why_illegal(sample.hero.spread) for sample in SAMPLES)
    assert all(sample.setting and sample.hero.about for sample in SAMPLES)
    assert len({sample.hero.spread for sample in SAMPLES}) == len(SAMPLES)


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
