"""NJ-11, NJ-16, NJ+01: heroes from files and forms, what is wrong with them, repairs, random ones and samples."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.rulesets.narraject.accounts import (
    AnchorsAmiss,
    Frame,
    HeroFile,
    NameTwice,
    OffTheScale,
    OutOfBalance,
    PointsAmiss,
    frame_of,
    is_legal,
    new_sheet,
    read_hero,
    why_illegal,
)
from astragal.rulesets.narraject.anchors import Anchor, Burden, Grade
from astragal.rulesets.narraject.assets import Asset
from astragal.rulesets.narraject.building import Step, Unfinished, begin, open_steps
from astragal.rulesets.narraject.building_words import accounts_words, reason_words, repair_words
from astragal.rulesets.narraject.random_heroes import legal_ratings, random_hero
from astragal.rulesets.narraject.repairs import MOST_REPAIRS, nearest_legal
from astragal.rulesets.narraject.samples import SAMPLES
from astragal.rulesets.narraject.stats import ByStat, Stat
from astragal.table.refusals import BadFields
from astragal.table.seen import plain
from tests.rulesets.narraject.conftest import Open
from tests.rulesets.narraject.playing import KIRA, Playing

LEVEL_2 = frame_of(2)


def hero(*ratings: int, anchors: int = 3, burdens: int = 3, **changes: Any) -> HeroFile:
    might, agility, intellect, persona = ratings or (2, 3, 2, 2)
    made: dict[str, Any] = {
        "name": "Nobody",
        "ratings": ByStat(might=might, agility=agility, intellect=intellect, persona=persona),
        "anchors": tuple(Anchor(name=f"Skill {number}") for number in range(anchors)),
        "burdens": tuple(Burden(name=f"Flaw {number}") for number in range(burdens)),
    }
    return HeroFile(**{**made, **changes})


# ---------------------------------------------------------------- the frame


@pytest.mark.parametrize(
    ("level", "least", "most"),
    [(1, 4, 6), (2, 8, 12), (3, 12, 16), (4, 16, 20), (5, 20, 24), (6, 24, 28), (7, 28, 32), (8, 28, 32), (20, 28, 32)],
)
def test_a_power_level_gives_its_points(level: int, least: int, most: int) -> None:
    """NJ+01: stat points by power level."""
    assert frame_of(level) == Frame(least, most)


@pytest.mark.parametrize(
    ("points", "legal"), [((2, 2, 2, 2), True), ((3, 3, 3, 3), True), ((2, 2, 2, 1), False), ((4, 3, 3, 3), False)]
)
def test_ratings_keep_to_the_frame(points: tuple[int, ...], legal: bool) -> None:
    """NJ+01: both ends included."""
    assert is_legal(hero(*points), LEVEL_2) is legal


@pytest.mark.parametrize(("anchors", "legal"), [(2, False), (3, True), (5, True), (6, False)])
def test_a_starting_hero_has_three_to_five_anchors(anchors: int, legal: bool) -> None:
    """NJ+01: and without the companion any number."""
    assert is_legal(hero(anchors=anchors, burdens=6), LEVEL_2) is legal
    assert is_legal(hero(anchors=anchors, burdens=6), None)


def test_the_rule_of_balance_says_how_many_are_missing(playing: Playing) -> None:
    """NJ-16: a sheet with fewer Burdens than Anchors is refused, at the table too."""
    assert why_illegal(hero(anchors=5, burdens=3), LEVEL_2) == (OutOfBalance(5, 3),)
    assert OutOfBalance(5, 3).missing == 2
    assert is_legal(hero(anchors=3, burdens=4), LEVEL_2)
    unbalanced = {**KIRA, "name": "Mira", "burdens": KIRA["burdens"][:1]}
    assert playing.sentence("Bo", "make_hero", **unbalanced) == (
        "3 Anchors and 1 Burden: the Rule of Balance asks for 2 more Burdens."
    )


def test_the_rule_of_balance_holds_without_the_companion(open_table: Open) -> None:
    """NJ-16, NJ+01: the core never depends on what can be switched off."""
    playing = open_table(stat_points=False)
    giant = {**KIRA, "name": "Giant", "ratings": {"might": 10, "agility": 10, "intellect": 10, "persona": 10}}
    playing.act("Bo", "make_hero", **giant)
    assert playing.sheet("Giant").reserves == ByStat(might=32, agility=32, intellect=32, persona=32)
    assert playing.refused("Bo", "make_hero", **{**giant, "name": "Elf", "burdens": []}) == "bad_fields"


# ---------------------------------------------------------------- files


def test_a_hero_is_read_from_a_plain_mapping() -> None:
    """NJ-11, NJ-12: as a file holds one; the Reserves are full."""
    kira = read_hero(KIRA)
    assert kira.anchors[0].grade is Grade.MODERATE
    assert new_sheet(kira).reserves.agility == 11
    assert is_legal(kira, LEVEL_2)


def test_everything_that_can_not_be_read_is_said_at_once() -> None:
    """NJ-11: nasty files: unknown fields, numbers as strings, strange signs."""
    with pytest.raises(BadFields) as refused:
        read_hero(
            {
                "name": "",
                "ratings": {"might": "3", "luck": 2},
                "anchors": [{"grade": "huge"}, 7],
                "burdens": {"a": 1},
                "assets": [{"name": "\u202eevil"}],
                "hp": 9,
            }
        )
    assert len(refused.value.problems) == 9


def test_every_reason_is_given_at_once_with_what_would_settle_it() -> None:
    """NJ-11, NJ-16, NJ+01: all that is wrong, each with its numbers."""
    wrong = hero(0, 11, 5, 5, anchors=6, burdens=2, assets=(Asset(name="skill 0"),))
    reasons = why_illegal(wrong, LEVEL_2)
    assert reasons == (
        OffTheScale(Stat.MIGHT, 0),
        OffTheScale(Stat.AGILITY, 11),
        PointsAmiss(21, LEVEL_2),
        AnchorsAmiss(6),
        OutOfBalance(6, 2),
        NameTwice("skill 0"),
    )
    assert [reason_words(reason) for reason in reasons] == [
        "Might is 0: a Rating is 1 to 10.",
        "Agility is 11: a Rating is 1 to 10.",
        "The Ratings add up to 21, and 8 to 12 is allowed: lower Ratings by 9.",
        "6 Anchors: a starting hero has 3 to 5.",
        "6 Anchors and 2 Burdens: the Rule of Balance asks for 4 more Burdens.",
        "“skill 0” is there twice: each needs a name of its own.",
    ]


def test_a_hero_that_can_not_be_is_refused_at_the_table_with_every_reason(playing: Playing) -> None:
    """NJ-16, NJ+01: and one of a taken name, or for somebody else."""
    with pytest.raises(BadFields) as refused:
        playing.act("Bo", "make_hero", name="Mira", ratings={"might": 11})
    assert len(refused.value.problems) == 3
    assert playing.refused("Bo", "make_hero", **{**KIRA, "name": "KIRA"}) == "name_taken"
    assert playing.refused("Bo", "make_hero", **{**KIRA, "name": "Mira", "seat": "Cy"}) == "not_allowed"
    assert playing.refused("Ada", "make_hero", **{**KIRA, "name": "Mira", "seat": "Di"}) == "not_allowed"
    playing.act("Ada", "make_hero", **{**KIRA, "name": "Mira", "seat": "Cy"})
    assert playing.who("Mira").seat == playing.seats["Cy"]


# ---------------------------------------------------------------- repairs


def test_a_repair_changes_as_little_as_can_be_and_says_what() -> None:
    """NJ-16: a Burden more or an Anchor less, each one change."""
    told = [repair_words(repair) for repair in nearest_legal(hero(anchors=4, burdens=3), LEVEL_2)]
    assert told == ["a minor Burden more (“New Burden 1”)", "without the Anchor “Skill 3”"]


def test_points_are_moved_on_any_stat() -> None:
    """NJ+01: a hero who is a point over can lose it anywhere."""
    told = [repair_words(repair) for repair in nearest_legal(hero(4, 3, 3, 3), LEVEL_2)]
    assert told == ["Might 4 → 3", "Agility 3 → 2", "Intellect 3 → 2", "Persona 3 → 2"]


def test_a_legal_hero_needs_no_repair() -> None:
    """NJ-16: and gets none."""
    assert nearest_legal(hero(), LEVEL_2) == ()


def test_names_are_told_apart() -> None:
    """NJ-19: what could not be told apart in a roll gets a number."""
    twins = hero(assets=(Asset(name="Flaw 1"), Asset(name="Flaw 1 1")))
    (repair,) = nearest_legal(twins, LEVEL_2)
    assert repair_words(repair) == "“Flaw 1” → “Flaw 1 2”"


wild = st.builds(hero, *[st.integers(-3, 14)] * 4, anchors=st.integers(0, 7), burdens=st.integers(0, 7))
frames = st.one_of(st.none(), st.integers(1, 8).map(frame_of))


@settings(max_examples=40)
@given(wild, frames)
def test_every_repair_is_legal_and_none_is_nearer(wrong: HeroFile, frame: Frame | None) -> None:
    """NJ-16, NJ+01: held against every legal hero there is, by counting."""
    repairs = nearest_legal(wrong, frame)
    assert len(repairs) <= MOST_REPAIRS
    assert bool(repairs) is not is_legal(wrong, frame)
    for repair in repairs:
        assert is_legal(repair.hero, frame)
        assert repair.steps == _fewest(wrong, frame)


def _fewest(wrong: HeroFile, frame: Frame | None) -> int:
    """The distance to the nearest legal hero: Ratings and Anchors apart, since neither asks for the other."""
    might, agility, intellect, persona = (wrong.ratings[stat] for stat in Stat)
    ratings = min(
        abs(a - might) + abs(b - agility) + abs(c - intellect) + abs(d - persona)
        for a, b, c, d in product(range(1, 11), repeat=4)
        if frame is None or frame.holds(a + b + c + d)
    )
    anchors = min(
        abs(a - len(wrong.anchors)) + max(0, b - len(wrong.burdens))
        for a, b in product(range(3, 6) if frame else range(8), range(8))
        if b >= a
    )
    return ratings + anchors


# ---------------------------------------------------------------- step by step


def test_a_draft_shows_its_accounts_at_every_step() -> None:
    """NJ-16, NJ+01: points, Anchors and the balance, live."""
    draft = begin("Mira", LEVEL_2)
    assert open_steps(draft) == (Step.STATS, Step.ANCHORS)
    assert accounts_words(draft.accounts) == "4 of 8 to 12 points, 0 Anchors, 0 Burdens (in balance)"
    assert (draft.accounts.points_owed, draft.accounts.points_left, draft.accounts.anchors_owed) == (4, 8, 3)
    draft = draft.with_rating(Stat.MIGHT, 5)
    for name in ("Climber", "Cook", "Liar"):
        draft = draft.with_anchor(Anchor(name=name))
    assert accounts_words(draft.accounts) == "8 of 8 to 12 points, 3 Anchors, 0 Burdens (3 Burdens owed)"
    assert open_steps(draft) == (Step.BURDENS,)
    with pytest.raises(Unfinished) as refused:
        draft.finished()
    assert refused.value.reasons == (OutOfBalance(3, 0),)
    for name in ("Vain", "Poor", "Hunted"):
        draft = draft.with_burden(Burden(name=name))
    finished = draft.with_asset(Asset(name="Rope")).called("Mira Vey", "From the hills.").finished()
    assert (finished.name, finished.about, finished.ratings.total) == ("Mira Vey", "From the hills.", 8)


def test_any_step_can_be_changed_until_the_end() -> None:
    """NJ-16: what is put again replaces, what is taken out is gone."""
    draft = begin("Mira", None).with_anchor(Anchor(name="Cook")).with_burden(Burden(name="Vain"))
    draft = draft.with_anchor(Anchor(name="cook", grade=Grade.MAJOR))
    assert [anchor.grade for anchor in draft.hero.anchors] == [Grade.MAJOR]
    assert draft.without(" VAIN").accounts.burdens_owed == 1
    assert draft.without("Cook").hero.anchors == ()
    assert draft.accounts.points_left is None


# ---------------------------------------------------------------- random ones and samples


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5, 6, 7, 12])
def test_random_heroes_are_legal(level: int) -> None:
    """NJ+01, NJ-16: at every power level."""
    source = random.Random(level)
    assert all(is_legal(random_hero(frame_of(level), source.randrange), frame_of(level)) for _ in range(40))
    assert is_legal(random_hero(None, source.randrange), None)


def test_every_set_of_ratings_can_come_up() -> None:
    """NJ+01: level 1 has 4 to 6 points: 1 way, 4 ways and 10 ways."""
    assert len(legal_ratings(frame_of(1))) == 15
    source = random.Random(1)
    drawn = Counter(random_hero(frame_of(1), source.randrange).ratings for _ in range(600))
    assert len(drawn) == 15


def test_the_same_draws_give_the_same_hero() -> None:
    """NJ+01: randomness comes in from outside."""
    assert random_hero(LEVEL_2, lambda _: 0) == random_hero(LEVEL_2, lambda _: 0)


def test_the_samples_are_legal_and_each_has_a_world(open_table: Open) -> None:
    """NJ-16, NJ+01: four or more, each with a line about where it comes from, playable as they are."""
    assert len(SAMPLES) >= 4
    assert len({one.about for one in SAMPLES}) == len(SAMPLES)
    playing = open_table()
    for sample in SAMPLES:
        assert sample.about.endswith(".")
        assert not why_illegal(sample, LEVEL_2)
        playing.host.act(playing.table, playing.seats["Bo"], ("make_hero", plain(sample)))
        assert playing.sheet(sample.name).ratings == sample.ratings
