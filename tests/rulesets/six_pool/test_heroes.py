"""Heroes before play: legal, repaired, drafted, read, random. SP+01, SP+02."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product

import pytest

from astragal.rulesets.six_pool.classes import CLASSES
from astragal.rulesets.six_pool.heroes.build import (
    ARRAY,
    BadLevel,
    BelowTheArray,
    Build,
    Companions,
    EdgeOutOfRange,
    LowPrimary,
    MissingPool,
    NoPrimaryEdge,
    PoolOutOfRange,
    UnknownClass,
    WrongEdgeTotal,
    WrongTotal,
    edge_total,
    pool_total,
    why_illegal,
)
from astragal.rulesets.six_pool.heroes.draft import Draft, Step
from astragal.rulesets.six_pool.heroes.files import build_of, faults, hero_of, read_hero, repairs
from astragal.rulesets.six_pool.heroes.random_heroes import random_hero
from astragal.rulesets.six_pool.heroes.repairs import nearest_legal
from astragal.rulesets.six_pool.heroes.samples import SAMPLES
from astragal.rulesets.six_pool.pools import Pool
from astragal.rulesets.six_pool.proficiency import Training
from astragal.table.refusals import BadFields
from tests.rulesets.six_pool.conftest import Open
from tests.rulesets.six_pool.playing import KIRA, Playing


def pools(*numbers: int) -> dict[Pool, int]:
    return dict(zip(Pool, numbers, strict=True))


FIGHTER = Build("fighter", 1, pools(18, 15, 12, 12, 10, 10), {Pool.STR: 1})


def test_six_numbers_with_the_highest_in_the_primary_pool() -> None:
    """SP+01: 18, 15, 12, 12, 10, 10 in any order, but the 18."""
    assert ARRAY == (18, 15, 12, 12, 10, 10)
    assert not why_illegal(FIGHTER)
    assert not why_illegal(replace(FIGHTER, pools=pools(18, 10, 10, 12, 12, 15)))
    swapped = replace(FIGHTER, pools=pools(15, 18, 12, 12, 10, 10))
    assert why_illegal(swapped) == (LowPrimary(Pool.STR, 15, 18),)


@pytest.mark.parametrize(("level", "total", "edges"), [(1, 77, 1), (2, 80, 1), (5, 89, 2), (9, 101, 3), (20, 134, 5)])
def test_levels_bring_points_and_edge(level: int, total: int, edges: int) -> None:
    """SP+01: three points a level. SP+02: a step of Edge at 5, 9, 13 and 17."""
    assert (pool_total(level), edge_total(level)) == (total, edges)


def test_one_point_of_each_level_is_the_primary_pools() -> None:
    """SP+01: at level 3 two of the six."""
    assert not why_illegal(Build("fighter", 3, pools(20, 19, 12, 12, 10, 10), {Pool.STR: 1}))
    starved = Build("fighter", 3, pools(19, 20, 12, 12, 10, 10), {Pool.STR: 1})
    assert why_illegal(starved) == (LowPrimary(Pool.STR, 19, 20),)


@pytest.mark.parametrize(
    ("name", "primary"),
    [
        ("fighter", Pool.STR),
        ("rogue", Pool.DEX),
        ("ranger", Pool.DEX),
        ("barbarian", Pool.CON),
        ("wizard", Pool.INT),
        ("cleric", Pool.WIS),
        ("warlock", Pool.CHA),
        ("bard", Pool.CHA),
    ],
)
def test_each_class_has_its_primary_pool(name: str, primary: Pool) -> None:
    """SP+02: and the first step of Edge is there."""
    assert CLASSES[name].primary is primary
    others = [pool for pool in Pool if pool is not primary]
    legal = Build(name, 1, {primary: 18, **dict(zip(others, ARRAY[1:], strict=True))}, {primary: 1})
    assert not why_illegal(legal)
    assert why_illegal(replace(legal, edges={others[0]: 1})) == (NoPrimaryEdge(primary),)


def test_all_reasons_are_given_at_once() -> None:
    """SP+01, SP+02: and not one after another."""
    strange = Build("jester", 21, {Pool.STR: 0}, {Pool.DEX: 4})
    assert why_illegal(strange) == (
        UnknownClass("jester", tuple(CLASSES)),
        BadLevel(21),
        PoolOutOfRange(Pool.STR, 0),
        MissingPool(Pool.DEX),
        EdgeOutOfRange(Pool.DEX, 4),
        *(MissingPool(pool) for pool in (Pool.CON, Pool.INT, Pool.WIS, Pool.CHA)),
    )
    weak = Build("fighter", 1, pools(17, 14, 12, 12, 9, 10), {})
    assert why_illegal(weak) == (
        LowPrimary(Pool.STR, 17, 18),
        WrongTotal(74, 77),
        BelowTheArray((14, 12, 12, 10, 9)),
        NoPrimaryEdge(Pool.STR),
        WrongEdgeTotal(0, 1),
    )


def test_no_pool_has_more_than_three_edge() -> None:
    """SP+02, SP-20: 0 to 3."""
    build = Build("fighter", 13, pools(40, 21, 12, 12, 14, 14), {Pool.STR: 4})
    assert EdgeOutOfRange(Pool.STR, 4) in why_illegal(build)


def test_companions_can_be_switched_off() -> None:
    """SP+01, SP+02: options `pool_array` and `class_edges`."""
    free = Build("fighter", 1, pools(30, 30, 1, 1, 1, 1), {Pool.CHA: 3})
    assert why_illegal(free)
    assert not why_illegal(free, Companions(pool_array=False, class_edges=False))


# ---------------------------------------------------------------- repairs


@pytest.mark.parametrize(
    ("build", "moved"),
    [
        (FIGHTER, 0),
        (replace(FIGHTER, pools=pools(18, 15, 12, 12, 10, 9)), 1),
        (replace(FIGHTER, pools=pools(18, 15, 12, 12, 10, 12)), 2),
        (replace(FIGHTER, pools=pools(15, 18, 12, 12, 10, 10)), 6),
        (replace(FIGHTER, edges={Pool.CHA: 1}), 2),
        (replace(FIGHTER, level=5), 12 + 1),
        (replace(FIGHTER, pools={}), 77),
    ],
)
def test_repairs_move_the_fewest_points(build: Build, moved: int) -> None:
    """SP+01, SP+02: at most five, all legal, all as near as can be, each with what changed."""
    found = nearest_legal(build)
    assert 1 <= len(found) <= 5
    assert len({one.changes for one in found}) == len(found)
    for repair in found:
        assert not why_illegal(repair.build)
        assert repair.moved == moved


def test_no_legal_hero_is_nearer_than_the_repair() -> None:
    """SP+01: against every legal hero of level 1, by brute force."""
    wanted = pools(16, 14, 14, 9, 13, 11)
    legal = [
        dict(zip(Pool, (18, *numbers), strict=True))
        for numbers in product((15, 12, 10), repeat=5)
        if sorted(numbers, reverse=True) == list(ARRAY[1:])
    ]
    least = min(sum(abs(one[pool] - wanted[pool]) for pool in Pool) for one in legal)
    assert {repair.moved for repair in nearest_legal(Build("fighter", 1, wanted, {Pool.STR: 1}))} == {least}


def test_random_wrecks_can_always_be_repaired() -> None:
    """SP+01, SP+02: whatever the numbers, at any level."""
    dice = random.Random(4)
    for _ in range(150):
        numbers = {pool: dice.randint(-5, 60) for pool in Pool if dice.random() < 0.9}
        edges = {pool: dice.randint(-1, 5) for pool in Pool if dice.random() < 0.4}
        build = Build(dice.choice(list(CLASSES)), dice.randint(1, 20), numbers, edges)
        for repair in nearest_legal(build):
            assert not why_illegal(repair.build)


# ---------------------------------------------------------------- step by step


def test_a_draft_shows_its_accounts_at_every_step() -> None:
    """SP+01, SP+02: what is still to be placed."""
    draft = Draft()
    assert draft.open_steps == (Step.CLASS, Step.NUMBERS, Step.EDGE)
    draft = draft.of_class("bard").at_level(5)
    assert draft.accounts.numbers_left == (15, 12, 12, 10, 10)
    assert (draft.accounts.points_left, draft.accounts.primary_left, draft.accounts.edge_left) == (12, 4, 1)
    for pool, number in zip((Pool.WIS, Pool.DEX, Pool.INT, Pool.STR, Pool.CON), ARRAY[1:], strict=True):
        draft = draft.with_number(pool, number)
    assert draft.open_steps == (Step.LEVELS, Step.EDGE)
    draft = draft.with_points(Pool.CHA, 3).with_points(Pool.WIS, 9)
    assert draft.accounts.primary_left == 1
    assert draft.why_unfinished() == (LowPrimary(Pool.CHA, 21, 22), WrongEdgeTotal(1, 2))
    draft = draft.with_points(Pool.CHA, 4).with_points(Pool.WIS, 8).with_edge(Pool.CHA, 2)
    draft = draft.with_training("performance", Training.EXPERT)
    assert (draft.open_steps, draft.why_unfinished()) == ((), ())
    assert draft.build.pools == pools(10, 12, 10, 12, 23, 22)


def test_another_class_takes_its_number_along() -> None:
    """SP+01: the 18 moves, and what lay in its place is free again."""
    draft = Draft().of_class("bard").with_number(Pool.STR, 15).of_class("fighter")
    assert dict(draft.numbers) == {Pool.STR: 18}
    assert draft.accounts.numbers_left == (15, 12, 12, 10, 10)


# ---------------------------------------------------------------- files, samples, chance


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: str(sample["name"]))
def test_samples_are_legal_and_come_from_somewhere(sample: dict[str, object], playing: Playing) -> None:
    """SP+01, SP+02: and can sit down at a table as they are."""
    hero = read_hero(sample)
    assert faults(hero) == ()
    assert len(hero.about) > 40
    playing.act("Bo", "make_hero", **sample)
    assert playing.who(hero.name).seat == playing.seats["Bo"]


def test_there_are_samples_enough() -> None:
    assert len(SAMPLES) >= 4
    assert len({sample["hero_class"] for sample in SAMPLES}) >= 4


def test_a_file_is_told_all_that_is_wrong_with_it() -> None:
    """SP+01, SP+02: fields first, then numbers, with the nearest hero that would do."""
    with pytest.raises(BadFields) as refused:
        read_hero({"name": "X", "hero_class": "rogue", "level": "5", "colour": "red", "pools": {"STR": 1.5}})
    assert len(refused.value.problems) == 3
    hero = read_hero({**KIRA, "pools": {**KIRA["pools"], "STR": 9, "LUCK": 3}, "training": {"yodelling": "trained"}})
    assert faults(hero) == (
        "there is no pool 'LUCK'",
        "there is no skill 'yodelling'",
        "the pools come to 76: 1 too few (they must come to 77)",
        "the other pools, 15, 12, 12, 10, 9, must reach 15, 12, 12, 10, 10, highest to highest",
    )
    what, repaired = repairs(hero)[0]
    assert what == "STR 9 → 10"
    assert faults(repaired) == ()


@pytest.mark.parametrize("seed", range(40))
def test_random_heroes_are_legal(seed: int) -> None:
    """SP+01, SP+02: of every class and level."""
    dice = random.Random(seed)
    hero = random_hero(dice.randrange, level=1 + seed % 20)
    assert not why_illegal(hero)
    assert random_hero(dice.randrange, hero_class="cleric").hero_class == "cleric"


# ---------------------------------------------------------------- at the table


def test_an_illegal_hero_is_refused_with_every_reason(playing: Playing) -> None:
    """SP+01, SP+02: and with the nearest one that would be legal."""
    wrong = {**KIRA, "name": "Mara", "pools": {**KIRA["pools"], "STR": 12}, "edges": {}}
    assert playing.sentence("Bo", "make_hero", **wrong) == (
        "the pools come to 79: 2 too many (they must come to 77); the first step of Edge is in DEX, the primary pool; "
        "0 steps of Edge: 1 too few; nearest: WIS 12 → 10, Edge in DEX 0 → 1."
    )


def test_a_free_table_takes_any_hero(open_table: Open) -> None:
    """SP+01, SP+02: options `pool_array` and `class_edges`."""
    playing = open_table(pool_array=False, class_edges=False)
    wild = {"STR": 30, "DEX": 1, "CON": 1, "INT": 1, "WIS": 1, "CHA": 40}
    playing.act("Bo", "make_hero", name="Wild", hero_class="bard", pools=wild, edges={"STR": 3})
    playing.act("Ada", "raise_level", who="Wild", points=["CHA"])
    assert playing.sheet("Wild").numbers.level == 2


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"points": ["DEX", "DEX"]}, "level_points"),
        ({"points": ["STR", "CON", "CON"]}, "level_points"),
        ({"points": ["DEX", "CON", "CON"], "edge": "DEX"}, "level_edge"),
    ],
)
def test_a_level_is_raised_by_the_book(playing: Playing, fields: dict[str, object], code: str) -> None:
    """SP+01: three points, one of them in the primary pool; SP+02: no Edge before level 5."""
    assert playing.refused("Ada", "raise_level", who="Kira", **fields) == code


def test_levels_up_to_five(playing: Playing) -> None:
    """SP+01, SP+02: points are there at once, and at 5 a step of Edge must be placed."""
    for _ in range(3):
        playing.act("Ada", "raise_level", who="Kira", points=["DEX", "DEX", "CON"])
    assert playing.refused("Ada", "raise_level", who="Kira", points=["DEX", "DEX", "CON"]) == "level_edge"
    playing.act("Ada", "raise_level", who="Kira", points=["DEX", "DEX", "CON"], edge="DEX")
    numbers = playing.sheet("Kira").numbers
    assert (numbers.level, numbers.pool(Pool.DEX).now, numbers.pool(Pool.DEX).edge) == (5, 26, 2)
    assert numbers.hit_points_most == 10 + 16 // 3
    assert build_of(read_hero(KIRA)).level == 1


def test_a_table_adds_classes_of_its_own(playing: Playing) -> None:
    """SP+02: classes are data."""
    playing.act("Ada", "add_class", name="Ferryman", primary="CON", hit_points=13, saves=["CON"])
    array = {"STR": 15, "DEX": 12, "CON": 18, "INT": 10, "WIS": 12, "CHA": 10}
    playing.act("Bo", "make_hero", name="Old Tam", hero_class="ferryman", pools=array, edges={"CON": 1})
    assert playing.sheet("Old Tam").numbers.hit_points == 13 + 6
    assert playing.refused("Ada", "add_class", name="bard", primary="CHA") == "name_taken"


def test_names_are_taken_once(playing: Playing) -> None:
    assert playing.refused("Cy", "make_hero", **{**KIRA, "name": "KIRA"}) == "name_taken"
    assert playing.refused("Cy", "make_hero", **{**KIRA, "name": "Mara", "seat": "Bo"}) == "not_allowed"
    assert playing.refused("Ada", "make_hero", **{**KIRA, "name": "Mara", "seat": "Di"}) == "not_allowed"


def test_a_draft_and_a_random_build_come_to_the_table(playing: Playing) -> None:
    """SP+01, SP+02: the same command, however the hero was made."""
    for number in range(8):
        build = random_hero(random.Random(number).randrange, level=1 + number)
        playing.host.act(playing.table, playing.seats["Bo"], hero_of(build, f"Nobody {number}"))
    assert playing.sheet("Nobody 7").numbers.level == 8
