"""Heroes before play: legal, repaired, read, random. SP+01, SP+02."""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest

from astragal.game import NotAnOption
from astragal.rulesets.six_pool.catalogue import CLASSES, SKILLS, Pool
from astragal.rulesets.six_pool.heroes import (
    ARRAY,
    HERO_BOOK,
    HEROES_BY_THE_BOOK,
    Book,
    MakeHero,
    edge_total,
    pool_total,
    random_hero,
)
from astragal.rulesets.six_pool.state import Options
from astragal.table.fields.validation import read
from astragal.table.refusals import BadFields
from tests.rulesets.six_pool.conftest import Open
from tests.rulesets.six_pool.playing import KIRA, Playing

THE_BOOK = Book()
SAMPLES = tuple(HERO_BOOK.samples(Options()).values())


def read_hero(raw: Mapping[str, Any]) -> MakeHero:
    return read(MakeHero, raw)


def faults(hero: MakeHero, book: Book = THE_BOOK) -> list[str]:
    return [fault.words for fault in HEROES_BY_THE_BOOK.faults(hero, book)]


def repairs(hero: MakeHero) -> list[tuple[str, MakeHero]]:
    return HEROES_BY_THE_BOOK.repairs(hero, THE_BOOK)


def pools(*numbers: int) -> dict[str, int]:
    return dict(zip(map(str, Pool), numbers, strict=True))


def hero(*numbers: int, level: int = 1, **changes: Any) -> MakeHero:
    """A fighter whose numbers are the array, and whose Edge is in STR; anything about them can be another."""
    usual = {"hero_class": "fighter", "pools": pools(*(numbers or ARRAY)), "edges": {"STR": 1}}
    return MakeHero(name="Nobody", level=level, **{**usual, **changes})


def test_six_numbers_with_the_highest_in_the_primary_pool() -> None:
    """SP+01: 18, 15, 12, 12, 10, 10 in any order, but the 18."""
    assert ARRAY == (18, 15, 12, 12, 10, 10)
    assert not faults(hero())
    assert not faults(hero(18, 10, 10, 12, 12, 15))
    assert faults(hero(15, 18, 12, 12, 10, 10)) == ["STR 15 is the primary pool and must be at least 18"]
    assert faults(hero(1, 32, 12, 12, 10, 10)) == ["STR 1 is the primary pool and must be at least 18"]


@pytest.mark.parametrize(("level", "total", "edges"), [(1, 77, 1), (2, 80, 1), (5, 89, 2), (9, 101, 3), (20, 134, 5)])
def test_levels_bring_points_and_edge(level: int, total: int, edges: int) -> None:
    """SP+01: three points a level. SP+02: a step of Edge at 5, 9, 13 and 17."""
    assert (pool_total(level), edge_total(level)) == (total, edges)


def test_one_point_of_each_level_is_the_primary_pools() -> None:
    """SP+01: at level 3 two of the six."""
    assert not faults(hero(20, 19, 12, 12, 10, 10, level=3))
    assert faults(hero(19, 20, 12, 12, 10, 10, level=3)) == ["STR 19 is the primary pool and must be at least 20"]


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
    others = [pool.value for pool in Pool if pool is not primary]
    numbers = {primary.value: 18, **dict(zip(others, ARRAY[1:], strict=True))}
    assert not faults(hero(hero_class=name, pools=numbers, edges={primary.value: 1}))
    assert faults(hero(hero_class=name, pools=numbers, edges={others[0]: 1})) == [
        f"the first step of Edge is in {primary}, the primary pool"
    ]


def test_all_reasons_are_given_at_once() -> None:
    """SP+01, SP+02: and not one after another, where the class is unknown and pools are missing, too."""
    assert faults(hero(hero_class="jester", pools={"STR": 0, "DEX": 12}, edges={"DEX": 4})) == [
        f"there is no class 'jester'; there are {', '.join(CLASSES)}",
        "STR 0 can't be: a pool has 1 to 99",
        *(f"{pool} has no number" for pool in ("CON", "INT", "WIS", "CHA")),
        "the pools come to 12: 65 too few (they must come to 77)",
        "an Edge of 4 in DEX can't be: it goes from 0 to 3",
        "4 steps of Edge: 3 too many",
    ]
    assert faults(hero(pools={"STR": 18, "DEX": 9, "CON": 12, "INT": 12, "WIS": 10}, edges={"STR": 2})) == [
        "CHA has no number",
        "the pools come to 61: 16 too few (they must come to 77)",
        "the other pools, 12, 12, 10, 9, 0, must reach 15, 12, 12, 10, 10, highest to highest",
        "2 steps of Edge: 1 too many",
    ]
    assert faults(hero(17, 14, 12, 12, 9, 10, edges={})) == [
        "STR 17 is the primary pool and must be at least 18",
        "the pools come to 74: 3 too few (they must come to 77)",
        "the other pools, 14, 12, 12, 10, 9, must reach 15, 12, 12, 10, 10, highest to highest",
        "the first step of Edge is in STR, the primary pool",
        "0 steps of Edge: 1 too few",
    ]


def test_no_pool_has_more_than_three_edge() -> None:
    """SP+02, SP-20: 0 to 3."""
    assert faults(hero(40, 21, 12, 12, 14, 14, level=13, edges={"STR": 4})) == [
        "an Edge of 4 in STR can't be: it goes from 0 to 3"
    ]


def test_companions_can_be_switched_off() -> None:
    """SP+01, SP+02: options `pool_array` and `class_edges`."""
    free = hero(30, 30, 1, 1, 1, 1, edges={"CHA": 3})
    assert faults(free)
    assert not faults(free, Book(pool_array=False, class_edges=False))


def test_what_is_placed_is_accounted_for() -> None:
    """SP+01, SP+02: of what the level gives, where the table plays with it."""
    kira = {**KIRA, "level": 5}
    assert HERO_BOOK.accounts(kira, Options()) == ["77 of 89 points, 1 of 2 steps of Edge"]
    assert HERO_BOOK.accounts(kira, Options(pool_array=False)) == ["77 points, 1 of 2 steps of Edge"]


# ---------------------------------------------------------------- repairs


def moved(before: MakeHero, after: MakeHero) -> int:
    numbers = [(before.pools, after.pools), (before.edges, after.edges)]
    return sum(abs(new.get(pool, 0) - old.get(pool, 0)) for old, new in numbers for pool in Pool)


@pytest.mark.parametrize(
    ("wrong", "points"),
    [
        (hero(18, 15, 12, 12, 10, 9), 1),
        (hero(18, 15, 12, 12, 10, 12), 2),
        (hero(15, 18, 12, 12, 10, 10), 6),
        (hero(edges={"CHA": 1}), 2),
        (hero(level=5), 12 + 1),
        (hero(pools={}), 77),
    ],
)
def test_repairs_move_the_fewest_points(wrong: MakeHero, points: int) -> None:
    """SP+01, SP+02: at most five, all legal, all as near as can be, each with what changed."""
    found = repairs(wrong)
    assert 1 <= len(found) <= 5
    assert len({words for words, _ in found}) == len(found)
    for _, one in found:
        assert not faults(one)
        assert moved(wrong, one) == points


def test_a_legal_hero_needs_no_repair() -> None:
    """SP+01, SP+02"""
    assert repairs(hero()) == []


def test_nobody_but_the_player_knows_the_class_that_was_meant() -> None:
    """SP+02, SP-19: nor what abilities of one name were to be called."""
    assert repairs(hero(hero_class="jester")) == []
    twins = [{"name": "old drill"}, {"name": "Old Drill"}]
    assert repairs(read_hero({**KIRA, "edges": {}, "abilities": twins})) == []


def test_no_legal_hero_is_nearer_than_the_repair() -> None:
    """SP+01: against every legal hero of level 1, by brute force."""
    wanted = hero(16, 14, 14, 9, 13, 11)
    legal = [
        hero(18, *numbers)
        for numbers in product((15, 12, 10), repeat=5)
        if sorted(numbers, reverse=True) == list(ARRAY[1:])
    ]
    least = min(moved(wanted, one) for one in legal)
    assert {moved(wanted, one) for _, one in repairs(wanted)} == {least}


@pytest.mark.slow
def test_random_wrecks_can_always_be_repaired() -> None:
    """SP+01, SP+02: whatever the numbers, at any level."""
    dice = random.Random(4)
    for _ in range(150):
        numbers = {pool.value: dice.randint(-5, 60) for pool in Pool if dice.random() < 0.9}
        edges = {pool.value: dice.randint(-1, 5) for pool in Pool if dice.random() < 0.4}
        hero_class, level = dice.choice(list(CLASSES)), dice.randint(1, 20)
        for _, one in repairs(hero(hero_class=hero_class, level=level, pools=numbers, edges=edges)):
            assert not faults(one)


# ---------------------------------------------------------------- files, samples, chance


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: str(sample["name"]))
def test_samples_are_legal_and_come_from_somewhere(sample: dict[str, object], playing: Playing) -> None:
    """SP+01, SP+02: and can sit down at a table as they are."""
    made = read_hero(sample)
    assert faults(made) == []
    assert len(made.about) > 40
    playing.act("Bo", "make_hero", **sample)
    assert playing.who(made.name).seat == playing.seats["Bo"]


def test_there_are_samples_enough() -> None:
    assert len(SAMPLES) >= 4
    assert len({sample["hero_class"] for sample in SAMPLES}) >= 4


def test_a_file_is_told_all_that_is_wrong_with_it() -> None:
    """SP+01, SP+02: fields first, then numbers, with the nearest hero that would do."""
    with pytest.raises(BadFields) as refused:
        read_hero({"name": "X", "hero_class": "rogue", "level": "5", "colour": "red", "pools": {"STR": 1.5}})
    assert len(refused.value.problems) == 3
    wrong = read_hero({**KIRA, "pools": {**KIRA["pools"], "STR": 9, "LUCK": 3}, "training": {"yodelling": "trained"}})
    assert faults(wrong) == [
        "there is no skill 'yodelling'",
        "there is no pool 'LUCK'",
        "the pools come to 76: 1 too few (they must come to 77)",
        "the other pools, 15, 12, 12, 10, 9, must reach 15, 12, 12, 10, 10, highest to highest",
    ]
    what, repaired = repairs(wrong)[0]
    assert what == "STR 9 → 10 and leave out 'LUCK' and leave out 'yodelling'"
    assert faults(repaired) == []


@pytest.mark.parametrize("seed", range(40))
def test_random_heroes_are_legal(seed: int) -> None:
    """SP+01, SP+02: of every class and level."""
    dice = random.Random(seed)
    assert not faults(read_hero(random_hero(dice.randrange, level=1 + seed % 20)))
    assert random_hero(dice.randrange, level=1, hero_class="cleric")["hero_class"] == "cleric"


def test_a_random_hero_is_trained_in_two_skills_of_their_class_and_one_other() -> None:
    """SP-06: also where the primary pool has no more than two."""
    for hero_class, primary in (("fighter", Pool.STR), ("barbarian", Pool.CON)):
        training = random_hero(random.Random(3).randrange, level=1, hero_class=hero_class)["training"]
        assert sorted(SKILLS[name].pool is primary for name in training) == [False, True, True]
        assert set(training.values()) == {"trained"}


def test_a_random_hero_never_has_more_than_three_steps_of_edge_in_a_pool() -> None:
    """SP+02: of the five steps of level 20 no more than three fit into the first pool, whatever is drawn."""
    assert random_hero(lambda _: 0, level=20, hero_class="fighter")["edges"] == {"STR": 3, "DEX": 2}


def test_a_class_and_a_level_may_be_wished_for() -> None:
    """SP+01, SP+02: one of the eight classes, however it is written, and a level from 1 to 20; by default any and 1."""

    def drawn(**wishes: str) -> tuple[str, int]:
        assert HERO_BOOK.random is not None
        made = HERO_BOOK.random(lambda _: 0, wishes, Options())
        return made["hero_class"], made["level"]

    assert drawn() == ("fighter", 1)
    assert [drawn(level=level) for level in ("1", "20")] == [("fighter", 1), ("fighter", 20)]
    assert drawn(**{"class": "Wizard", "level": "7"}) == ("wizard", 7)
    for wrong in ({"class": "jester"}, {"level": "0"}, {"level": "21"}, {"level": "high"}):
        with pytest.raises(NotAnOption):
            drawn(**wrong)


# ---------------------------------------------------------------- at the table


def test_an_illegal_hero_is_refused_with_every_reason(playing: Playing) -> None:
    """SP+01, SP+02: and with the nearest one that would be legal."""
    wrong = {**KIRA, "name": "Mara", "pools": {**KIRA["pools"], "STR": 12}, "edges": {}}
    assert playing.sentence("Bo", "make_hero", **wrong).startswith(
        "the pools come to 79: 2 too many (they must come to 77); the first step of Edge is in DEX, the primary pool; "
        "0 steps of Edge: 1 too few; near it and legal: WIS 12 → 10 and Edge in DEX 0 → 1, or "
    )


def test_a_free_table_takes_any_hero(open_table: Open) -> None:
    """SP+01, SP+02: options `pool_array` and `class_edges`."""
    playing = open_table(pool_array=False, class_edges=False)
    wild = {"STR": 30, "DEX": 1, "CON": 1, "INT": 1, "WIS": 1, "CHA": 40}
    playing.act("Bo", "make_hero", name="Wild", hero_class="bard", pools=wild, edges={"STR": 3})
    playing.act("Ada", "raise_level", who="Wild", points={"CHA": 1})
    assert playing.sheet("Wild").numbers.level == 2
    assert playing.refused("Ada", "raise_level", who="Wild", edge="STR") == "level_edge"
    for _ in range(3):
        playing.act("Ada", "raise_level", who="Wild", edge="CHA")
    numbers = playing.sheet("Wild").numbers
    assert [numbers.pool(pool).edge for pool in (Pool.STR, Pool.CHA)] == [3, 3]


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"points": {"DEX": 2}}, "level_points"),
        ({"points": {"STR": 1, "CON": 2}}, "level_points"),
        ({"points": {"DEX": 1, "CON": 2}, "edge": "DEX"}, "level_edge"),
        ({"points": {"DEX": 1, "CON": 1, "LUCK": 1}}, "no_pool"),
    ],
)
def test_a_level_is_raised_by_the_book(playing: Playing, fields: dict[str, object], code: str) -> None:
    """SP+01: three points, one of them in the primary pool; SP+02: no Edge before level 5."""
    assert playing.refused("Ada", "raise_level", who="Kira", **fields) == code


def test_nobody_rises_beyond_level_twenty(playing: Playing) -> None:
    """SP+01: the book's tables end there."""
    playing.act("Bo", "make_hero", **{**random_hero(lambda _: 0, level=19, hero_class="bard"), "name": "Old"})
    points = {"CHA": 2, "CON": 1}
    playing.act("Ada", "raise_level", who="Old", points=points)
    assert playing.sentence("Ada", "raise_level", who="Old", points=points) == "Old has reached level 20."


def test_levels_up_to_five(playing: Playing) -> None:
    """SP+01, SP+02: points are there at once, and at 5 a step of Edge must be placed."""
    for _ in range(3):
        playing.act("Ada", "raise_level", who="Kira", points={"DEX": 2, "CON": 1})
    wanting = playing.sentence("Ada", "raise_level", who="Kira", points={"DEX": 2, "CON": 1})
    assert wanting == "Level 5 gives a new step of Edge: say where it goes."
    raised = playing.act("Ada", "raise_level", who="Kira", points={"DEX": 2, "CON": 1}, edge="DEX")
    assert raised.events[0].words == "Kira reaches level 5: +2 DEX, +1 CON, Edge in DEX"
    unwanted = playing.sentence("Ada", "raise_level", who="Kira", points={"DEX": 2, "CON": 1}, edge="DEX")
    assert unwanted == "Level 6 gives no new step of Edge."
    numbers = playing.sheet("Kira").numbers
    assert (numbers.level, numbers.pool(Pool.DEX).now, numbers.pool(Pool.DEX).edge) == (5, 26, 2)
    assert numbers.hit_points_most == 10 + 16 // 3


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


def test_random_heroes_come_to_the_table(playing: Playing) -> None:
    """SP+01, SP+02: the same command, however the hero was made."""
    for number in range(8):
        made = random_hero(random.Random(number).randrange, level=1 + number)
        playing.act("Bo", "make_hero", **{**made, "name": f"Nobody {number}"})
    assert playing.sheet("Nobody 7").numbers.level == 8


# ---------------------------------------------------------------- everyone else


def test_whoever_the_game_master_makes_is_held_against_the_book_too(playing: Playing) -> None:
    """SP+01, SP+02: only pools and skills that there are, however they are written."""
    assert playing.refused("Ada", "make_npc", name="Imp", training={"yodelling": "trained"}) == "no_such_thing"
    assert playing.refused("Ada", "make_npc", name="Imp", pools={"LUCK": 3}) == "no_pool"
    assert playing.refused("Ada", "make_npc", name="Imp", edges={"LUCK": 3}) == "no_pool"
    playing.act("Ada", "make_npc", name="Imp", pools={"dex": 3}, edges={" Dex": 2}, training={"Stealth": "expert"})
    points = playing.sheet("Imp").numbers.pool(Pool.DEX)
    assert (points.most, points.now, points.edge) == (3, 3, 2)
    assert playing.refused("Ada", "wear", who="0123456789abcdef", armour=1) == "no_such_thing"


def test_numbers_are_closed_until_they_are_opened_for_good(playing: Playing) -> None:
    """SP+01: whoever enters with open numbers has them open; what was opened stays so in every other branch."""
    nobody = playing.act("Ada", "mark_save_node", label="nobody there").act
    playing.act("Ada", "make_npc", name="Imp")
    playing.act("Ada", "make_npc", name="Cook", open=True)
    assert (playing.sheet("Imp").is_closed, playing.sheet("Cook").is_closed) == (True, False)
    assert playing.sheet("Cook").closed is None
    closed = playing.act("Ada", "mark_save_node", label="closed").act
    playing.act("Ada", "open_numbers", who="Imp")
    assert playing.refused("Ada", "open_numbers", who="Imp") == "no_change"
    playing.act("Ada", "rewind", node=closed, price="points")
    assert not playing.sheet("Imp").is_closed
    playing.act("Ada", "rewind", node=nobody, price="points")
    assert [one.name for one in playing.look("Ada").characters.values()] == ["Kira", "Lund", "Guard"]
