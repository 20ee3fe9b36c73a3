"""NJ-11, NJ-16, NJ+01: heroes from files and forms, what is wrong with them, repairs, random ones and samples."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.game.point_buy import Draw
from astragal.rulesets.narraject.heroes import HERO_BOOK, HEROES_OF_A_LEVEL, MakeHero, random_hero, rating_points
from astragal.rulesets.narraject.state import Anchor, Asset, Burden, ByStat, Grade, Options, Stat
from astragal.table.fields.validation import read
from astragal.table.refusals import BadFields
from astragal.table.visibility.redact import plain
from tests.rulesets.narraject.conftest import Open
from tests.rulesets.narraject.playing import KIRA, Playing

MOST_REPAIRS = 5


def is_legal(made: MakeHero, level: int | None) -> bool:
    return not HEROES_OF_A_LEVEL.faults(made, level)


def told(made: MakeHero, level: int | None) -> list[str]:
    return [fault.words for fault in HEROES_OF_A_LEVEL.faults(made, level)]


def hero(*ratings: int, anchors: int = 3, burdens: int = 3, **changes: Any) -> MakeHero:
    might, agility, intellect, persona = ratings or (2, 3, 2, 2)
    made: dict[str, Any] = {
        "name": "Nobody",
        "ratings": ByStat(might=might, agility=agility, intellect=intellect, persona=persona),
        "anchors": tuple(Anchor(name=f"Skill {number}") for number in range(anchors)),
        "burdens": tuple(Burden(name=f"Flaw {number}") for number in range(burdens)),
    }
    return MakeHero(**{**made, **changes})


# ---------------------------------------------------------------- the frame


@pytest.mark.parametrize(
    ("level", "least", "most"),
    [(1, 4, 6), (2, 8, 12), (3, 12, 16), (4, 16, 20), (5, 20, 24), (6, 24, 28), (7, 28, 32), (8, 28, 32), (20, 28, 32)],
)
def test_a_power_level_gives_its_points(level: int, least: int, most: int) -> None:
    """NJ+01: stat points by power level."""
    assert rating_points(level) == (least, most)


@pytest.mark.parametrize(
    ("points", "legal"), [((2, 2, 2, 2), True), ((3, 3, 3, 3), True), ((2, 2, 2, 1), False), ((4, 3, 3, 3), False)]
)
def test_ratings_keep_to_the_frame(points: tuple[int, ...], legal: bool) -> None:
    """NJ+01: both ends included."""
    assert is_legal(hero(*points), 2) is legal


@pytest.mark.parametrize(("anchors", "legal"), [(2, False), (3, True), (5, True), (6, False)])
def test_a_starting_hero_has_three_to_five_anchors(anchors: int, legal: bool) -> None:
    """NJ+01, NJ-16: and without the companion any number, or none."""
    assert is_legal(hero(anchors=anchors, burdens=6), 2) is legal
    assert is_legal(hero(anchors=anchors, burdens=6), None)
    assert is_legal(hero(anchors=0, burdens=0), None)


def test_the_rule_of_balance_says_how_many_are_missing(playing: Playing) -> None:
    """NJ-16: a sheet with fewer Burdens than Anchors is refused, at the table too."""
    assert told(hero(anchors=5, burdens=3), 2) == [
        "5 Anchors and 3 Burdens: the Rule of Balance asks for 2 more Burdens"
    ]
    assert is_legal(hero(anchors=3, burdens=4), 2)
    unbalanced = {**KIRA, "name": "Mira", "burdens": KIRA["burdens"][:1]}
    assert playing.sentence("Bo", "make_hero", **unbalanced) == (
        "3 Anchors and 1 Burden: the Rule of Balance asks for 2 more Burdens; "
        "near it and legal: a minor Burden more (“New Burden 1”) and a minor Burden more (“New Burden 2”)."
    )


def test_the_rule_of_balance_holds_without_the_companion(open_table: Open) -> None:
    """NJ-16, NJ+01: the core never depends on what can be switched off."""
    playing = open_table(stat_points=False)
    giant = {**KIRA, "name": "Giant", "ratings": {"might": 10, "agility": 10, "intellect": 10, "persona": 10}}
    playing.act("Bo", "make_hero", **giant)
    assert playing.sheet("Giant").reserves == ByStat(might=32, agility=32, intellect=32, persona=32)
    assert playing.refused("Bo", "make_hero", **{**giant, "name": "Elf", "burdens": []}) == "bad_fields"


# ---------------------------------------------------------------- files


def test_a_hero_is_read_from_a_plain_mapping(playing: Playing) -> None:
    """NJ-11, NJ-12: as a file holds one; the Reserves are full."""
    kira = read(MakeHero, KIRA)
    assert kira.anchors[0].grade is Grade.MODERATE
    assert playing.sheet("Kira").reserves.agility == 11
    assert is_legal(kira, 2)


def test_everything_that_can_not_be_read_is_said_at_once() -> None:
    """NJ-11: nasty files: unknown fields, numbers as strings, strange signs."""
    with pytest.raises(BadFields) as refused:
        read(
            MakeHero,
            {
                "name": "",
                "ratings": {"might": "3", "luck": 2},
                "anchors": [{"grade": "huge"}, 7],
                "burdens": {"a": 1},
                "assets": [{"name": "\u202eevil"}],
                "hp": 9,
            },
        )
    assert len(refused.value.problems) == 9


def test_every_reason_is_given_at_once_with_what_would_settle_it() -> None:
    """NJ-11, NJ-16, NJ+01: all that is wrong, each with its numbers."""
    assert told(hero(4, 3, 3, 3), 2) == ["The Ratings add up to 13, and 8 to 12 is allowed: lower Ratings by 1"]
    wrong = hero(0, 11, 5, 5, anchors=6, burdens=2, assets=(Asset(name="skill 0"),))
    assert told(wrong, 2) == [
        "“skill 0” is there twice: each needs a name of its own",
        "Might is 0: a Rating is 1 to 10",
        "Agility is 11: a Rating is 1 to 10",
        "The Ratings add up to 21, and 8 to 12 is allowed: lower Ratings by 9",
        "6 Anchors: a starting hero has 3 to 5",
        "6 Anchors and 2 Burdens: the Rule of Balance asks for 4 more Burdens",
    ]


def test_a_hero_that_can_not_be_is_refused_at_the_table_with_every_reason(playing: Playing) -> None:
    """NJ-16, NJ+01: and one of a taken name, or for somebody else."""
    with pytest.raises(BadFields) as refused:
        playing.act("Bo", "make_hero", name="Mira", ratings={"might": 11})
    *reasons, near = refused.value.problems
    assert len(reasons) == 3
    assert near.startswith("near it and legal: Might 11 → 9 and a minor Anchor more")
    assert playing.refused("Bo", "make_hero", **{**KIRA, "name": "KIRA"}) == "name_taken"
    assert playing.refused("Bo", "make_hero", **{**KIRA, "name": "Mira", "seat": "Cy"}) == "not_allowed"
    assert playing.refused("Ada", "make_hero", **{**KIRA, "name": "Mira", "seat": "Di"}) == "not_allowed"
    playing.act("Ada", "make_hero", **{**KIRA, "name": "Mira", "seat": "Cy"})
    assert playing.who("Mira").seat == playing.seats["Cy"]


# ---------------------------------------------------------------- repairs


def mended(made: MakeHero) -> list[str]:
    return [words for words, _ in HEROES_OF_A_LEVEL.repairs(made, 2)]


def test_a_repair_changes_as_little_as_can_be_and_says_what() -> None:
    """NJ-16: a Burden more or an Anchor less, each one change."""
    assert mended(hero(anchors=4, burdens=3)) == [
        "a minor Burden more (“New Burden 1”)",
        "without the Anchor “Skill 3”",
    ]


def test_points_are_moved_on_any_stat() -> None:
    """NJ+01: a hero who is a point over can lose it anywhere."""
    assert mended(hero(4, 3, 3, 3)) == ["Might 4 → 3", "Agility 3 → 2", "Intellect 3 → 2", "Persona 3 → 2"]


def test_a_legal_hero_needs_no_repair() -> None:
    """NJ-16: and gets none."""
    assert mended(hero()) == []


def test_names_are_told_apart() -> None:
    """NJ-19: what could not be told apart in a roll gets a number."""
    twins = hero(assets=(Asset(name="Flaw 1"), Asset(name="Flaw 1 1")))
    assert mended(twins) == ["“Flaw 1” → “Flaw 1 2”"]


def test_all_that_a_repair_changes_is_said() -> None:
    """NJ-16, NJ-19, NJ+01: Ratings first, then names, then what is added or left out."""
    assert mended(hero(9, 1, 1, 2, anchors=2, burdens=2, assets=(Asset(name="Skill 1"),)))[0] == (
        "Might 9 → 8 and “Skill 1” → “Skill 1 1” and a minor Anchor more (“New Anchor 1”) "
        "and a minor Burden more (“New Burden 1”)"
    )


wild = st.builds(hero, *[st.integers(-3, 14)] * 4, anchors=st.integers(0, 7), burdens=st.integers(0, 7))
levels = st.one_of(st.none(), st.integers(1, 8))


@pytest.mark.slow
@settings(max_examples=40)
@given(wild, levels)
def test_every_repair_is_legal_and_none_is_nearer(wrong: MakeHero, level: int | None) -> None:
    """NJ-16, NJ+01: held against every legal hero there is, by counting."""
    found = HEROES_OF_A_LEVEL.repairs(wrong, level)
    assert len(found) <= MOST_REPAIRS
    assert bool(found) is not is_legal(wrong, level)
    for _, one in found:
        assert is_legal(one, level)
        assert _steps(wrong, one) == _fewest(wrong, level)


def _steps(before: MakeHero, after: MakeHero) -> int:
    """How far it is: points of Rating moved, and things added or dropped."""
    ratings = sum(abs(after.ratings[stat] - before.ratings[stat]) for stat in Stat)
    return ratings + abs(len(after.anchors) - len(before.anchors)) + abs(len(after.burdens) - len(before.burdens))


def _fewest(wrong: MakeHero, level: int | None) -> int:
    """The distance to the nearest legal hero: Ratings and Anchors apart, since neither asks for the other."""
    might, agility, intellect, persona = (wrong.ratings[stat] for stat in Stat)
    ratings = min(
        abs(a - might) + abs(b - agility) + abs(c - intellect) + abs(d - persona)
        for a, b, c, d in product(range(1, 11), repeat=4)
        if level is None or rating_points(level)[0] <= a + b + c + d <= rating_points(level)[1]
    )
    anchors = min(
        abs(a - len(wrong.anchors)) + max(0, b - len(wrong.burdens))
        for a, b in product(range(3, 6) if level else range(8), range(8))
        if b >= a
    )
    return ratings + anchors


# ---------------------------------------------------------------- accounts


@pytest.mark.parametrize(
    ("made", "account"),
    [
        (hero(1, 1, 1, 1, anchors=0, burdens=0), "4 of 8 to 12 points, 0 Anchors, 0 Burdens (in balance)"),
        (hero(5, 1, 1, 1, anchors=3, burdens=0), "8 of 8 to 12 points, 3 Anchors, 0 Burdens (3 Burdens owed)"),
        (hero(5, 1, 1, 1, anchors=3, burdens=2), "8 of 8 to 12 points, 3 Anchors, 2 Burdens (1 Burden owed)"),
    ],
)
def test_accounts_stand_at_every_step(made: MakeHero, account: str) -> None:
    """NJ-16, NJ+01: points, Anchors and the balance."""
    assert HERO_BOOK.accounts(plain(made), Options()) == [account]
    free = HERO_BOOK.accounts(plain(made), Options(stat_points=False))
    assert free == [account.replace(" of 8 to 12", "")]


def test_what_can_not_be_read_has_no_accounts_and_no_repairs() -> None:
    """NJ-11: what is wrong with it is said by whoever reads it."""
    assert HERO_BOOK.accounts({"name": 3}, Options()) == []
    assert HERO_BOOK.repairs({"name": 3}, Options()) == []


# ---------------------------------------------------------------- random ones and samples


def drawn(draw: Draw, level: int | None) -> MakeHero:
    return read(MakeHero, random_hero(draw, level))


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5, 6, 7, 12])
def test_random_heroes_are_legal(level: int) -> None:
    """NJ+01, NJ-16: at every power level."""
    source = random.Random(level)
    assert all(is_legal(drawn(source.randrange, level), level) for _ in range(40))
    assert is_legal(drawn(source.randrange, None), None)


def test_random_heroes_have_every_number_of_anchors_and_assets() -> None:
    """NJ-16, NJ+01: three to five Anchors, one to three Assets."""
    source = random.Random(1)
    heroes = [drawn(source.randrange, 2) for _ in range(60)]
    assert {len(one.anchors) for one in heroes} == {3, 4, 5}
    assert {len(one.assets) for one in heroes} == {1, 2, 3}


@given(st.integers(1, 20), st.randoms(use_true_random=False))
def test_a_random_hero_leaves_no_point_unspent(level: int, source: random.Random) -> None:
    """NJ+01: it has the most points of Rating that its power level allows."""
    ratings = drawn(source.randrange, level).ratings
    assert sum(ratings[stat] for stat in Stat) == rating_points(level)[1]


def test_every_set_of_ratings_that_spends_all_can_come_up() -> None:
    """NJ+01: level 1 has 6 points at most: 10 ways to give them. Without levels there is nothing to spend."""
    source = random.Random(1)
    assert len(Counter(drawn(source.randrange, 1).ratings for _ in range(600))) == 10
    assert len(Counter(sum(plain(drawn(source.randrange, None).ratings).values()) for _ in range(100))) > 10


def test_the_same_draws_give_the_same_hero() -> None:
    """NJ+01: randomness comes in from outside."""
    assert drawn(lambda _: 0, 2) == drawn(lambda _: 0, 2)


def test_the_samples_are_legal_and_each_has_a_world(open_table: Open) -> None:
    """NJ-16, NJ+01: four or more, each with a line about where it comes from, playable as they are."""
    samples = [read(MakeHero, sample) for sample in HERO_BOOK.samples(Options()).values()]
    assert len({one.about for one in samples}) == len(samples) >= 4
    playing = open_table()
    for sample in samples:
        assert sample.about.endswith(".")
        assert is_legal(sample, 2)
        playing.host.act(playing.table, playing.seats["Bo"], ("make_hero", plain(sample)))
        assert playing.sheet(sample.name).ratings == sample.ratings
