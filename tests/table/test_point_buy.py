"""Point-buy: faults, nearest builds and random ones, held against every build there is."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.table.authoring.point_buy import Budget, Build, Number, OneOf, PointBuy, Rails, highest
from astragal.table.declarations import replace

LOWEST, HIGHEST = -3, 7


def made_number(key: str, chance: Random) -> Number:
    """Short rails, with a point each, or with any price at all for every value."""
    least = chance.randint(-1, 3)
    prices = {value: chance.randint(-3, 5) for value in range(LOWEST, HIGHEST + 1)}
    return Number(key, least, least + chance.randint(0, 3), price=chance.choice([None, prices.__getitem__]))


def made_budget(keys: str, chance: Random) -> Budget:
    """One to all of the numbers, with limits on both sides, on one, or on none, and sometimes a choice of rails."""
    some = tuple(made_number(key, chance) for key in keys[: chance.randint(1, len(keys))])
    least = chance.choice([None, chance.randint(-4, 10)])
    most = chance.choice([None, least, (least or 0) + chance.randint(0, 4)])
    versions = [
        {number.key: (chance.randint(-1, 3), chance.randint(1, 6)) for number in some if chance.random() < 0.5}
        for _ in range(chance.choice([0, 0, 1, 2, 3]))
    ]
    pattern = OneOf(tuple(versions), "pattern", lambda *_: "fits no pattern") if versions else None
    return Budget(key=keys, numbers=some, least=least, most=most, one_of=pattern)


def made_buy(seed: int) -> PointBuy:
    chance = Random(seed)
    return PointBuy((made_budget("abc", chance), made_budget("xy", chance)))


def wild_build(buy: PointBuy, seed: int) -> dict[str, int]:
    chance = Random(seed)
    return {number.key: chance.randint(LOWEST, HIGHEST) for number in buy.numbers}


seeds = st.integers(0, 1_000_000)
buys = seeds.map(made_buy)
plain_budgets = buys.map(lambda buy: replace(buy.budgets[0], one_of=None))


def is_legal(budget: Budget, build: Build) -> bool:
    """By the definition, and in other words than the solver's."""
    if any(build[number.key] not in range(number.least, number.most + 1) for number in budget.numbers):
        return False
    total = sum(number.price(build[number.key]) if number.price else build[number.key] for number in budget.numbers)
    if (budget.least is not None and total < budget.least) or (budget.most is not None and total > budget.most):
        return False
    versions = budget.one_of.versions if budget.one_of else [{}]
    return any(all(low <= build[key] <= high for key, (low, high) in version.items()) for version in versions)


def every_build(budget: Budget) -> list[dict[str, int]]:
    ranges = [range(number.least, number.most + 1) for number in budget.numbers]
    every = [dict(zip([number.key for number in budget.numbers], values, strict=True)) for values in product(*ranges)]
    return [build for build in every if is_legal(budget, build)]


def every_legal(buy: PointBuy) -> list[dict[str, int]]:
    return [{**one, **other} for one, other in product(*map(every_build, buy.budgets))]


def moved(before: Build, after: Build) -> int:
    return sum(abs(after[key] - before[key]) for key in after)


def changed(before: Build, after: Build) -> int:
    return sum(after[key] != before[key] for key in after)


@given(buys, seeds)
def test_there_are_faults_exactly_where_a_build_is_not_legal(buy: PointBuy, seed: int) -> None:
    build = wild_build(buy, seed)
    faults = buy.faults(build)
    assert bool(faults) is not all(is_legal(budget, build) for budget in buy.budgets)
    assert len({(fault.code, fault.field) for fault in faults}) == len(faults)


@given(buys, seeds)
def test_repairs_are_legal_and_nothing_legal_is_nearer(buy: PointBuy, seed: int) -> None:
    """Fewest points moved, then fewest changes; at most five, and fewer only where there are no more as near."""
    build, legal = wild_build(buy, seed), every_legal(buy)
    found = [near.build for near in buy.nearest(build)]
    fewest = min((moved(build, one) for one in legal), default=0)
    as_near = sorted(changed(build, one) for one in legal if moved(build, one) == fewest)
    assert all(one in legal and moved(build, one) == fewest for one in found)
    assert [changed(build, one) for one in found] == as_near[:5]
    assert len({tuple(one.items()) for one in found}) == len(found)


@given(buys, seeds)
def test_a_better_build_is_legal_lower_nowhere_and_can_t_be_raised_further(buy: PointBuy, seed: int) -> None:
    legal = every_legal(buy)
    build = Random(seed).choice(legal) if legal else wild_build(buy, seed)
    better = buy.better(build)
    if better is None:
        return
    assert better.build in legal
    assert all(change.after > change.before for change in better.changes)
    assert {**build, **{change.number.key: change.after for change in better.changes}} == better.build
    assert buy.better(better.build) is None


@given(buys, seeds)
def test_a_repair_says_what_it_changed(buy: PointBuy, seed: int) -> None:
    build = wild_build(buy, seed)
    for near in buy.nearest(build):
        assert {**build, **{change.number.key: change.after for change in near.changes}} == near.build
        assert all(build[change.number.key] == change.before != change.after for change in near.changes)


@given(buys, seeds)
def test_a_legal_build_is_its_own_only_repair(buy: PointBuy, seed: int) -> None:
    for build in Random(seed).sample(legal := every_legal(buy), min(5, len(legal))):
        assert [(near.build, near.changes) for near in buy.nearest(build)] == [(build, ())]


def drawn(budget: Budget, versions: tuple[Mapping[str, Rails], ...] = ()) -> list[dict[str, int]]:
    """The builds of all numbers that there are to draw."""
    asked: list[int] = []

    def draw(count: int) -> int:
        asked.append(count)
        if len(asked) > count:
            raise StopIteration
        return len(asked) - 1

    builds = []
    with suppress(StopIteration):
        while True:
            builds.append(budget.random(draw, versions))
    return builds


@given(buys)
def test_random_builds_are_legal(buy: PointBuy) -> None:
    assert all(is_legal(budget, build) for budget in buy.budgets for build in drawn(budget))


@given(plain_budgets)
def test_every_legal_build_is_drawn_by_exactly_one_number(budget: Budget) -> None:
    assert drawn(budget) == every_build(budget)


@given(plain_budgets)
def test_the_highest_is_drawn_from_all_in_which_it_is(budget: Budget) -> None:
    """Each of them once; another may share the place."""
    chosen = budget.numbers[-1].key
    wanted = [build for build in every_build(budget) if build[chosen] == max(build.values())]
    order = sorted(drawn(budget, highest(chosen, budget.numbers)), key=lambda build: tuple(build.values()))
    assert order == wanted


# ---------------------------------------------------------------- words

MUSCLE, WIT = Number("muscle", 1, 6, "Muscle"), Number("wit", 1, 6, "Wit")
SMALL = PointBuy((Budget(key="points", numbers=(MUSCLE, WIT), least=7, most=7, what="the two"),))


@pytest.mark.parametrize(
    ("build", "said"),
    [
        ({"muscle": 3, "wit": 4}, []),
        ({"muscle": 3, "wit": 5}, ["the two have 8 points together, 1 point too many: there are 7"]),
        ({"muscle": 7, "wit": 0}, ["Muscle must have 1 to 6 points, not 7", "Wit must have 1 to 6 points, not 0"]),
        (
            {"muscle": 3, "luck": 1},
            [
                "there is no number 'luck'",
                "Wit has no number",
                "the two have 3 points together, 4 points too few: there are 7",
            ],
        ),
    ],
)
def test_faults_are_told_with_their_numbers(build: dict[str, int], said: list[str]) -> None:
    assert [fault.words for fault in SMALL.faults(build)] == said


def test_faults_have_codes_and_say_which_number() -> None:
    faults = SMALL.faults({"muscle": 9, "luck": 1})
    assert [(fault.code, fault.field) for fault in faults] == [
        ("unknown", "luck"),
        ("off_the_rails", "muscle"),
        ("missing", "wit"),
        ("wrong_total", "points"),
    ]


@pytest.mark.parametrize(
    ("build", "account"),
    [
        ({}, "0 of 7 points given, 7 left"),
        ({"muscle": 5, "wit": 4}, "9 of 7 points given, 2 too many"),
    ],
)
def test_the_accounts_say_what_is_left(build: dict[str, int], account: str) -> None:
    assert SMALL.accounts(build) == [account]


def test_of_equal_repairs_the_numbers_named_first_change_first() -> None:
    told = [near.words for near in SMALL.nearest({"muscle": 6, "wit": 4})]
    assert told == ["Muscle 6 → 3", "Wit 4 → 1", "Muscle 6 → 4 and Wit 4 → 3", "Muscle 6 → 5 and Wit 4 → 2"]


def test_what_no_build_can_pay_for_has_no_repairs() -> None:
    """An odd total of even prices, too."""
    even = [Number(key, 0, 9, price=lambda value: 2 * value) for key in "abcdef"]
    budget = Budget(key="odd", numbers=tuple(even), least=7, most=7)
    assert budget.nearest(dict.fromkeys("abcdef", 3)) == []
    assert drawn(budget) == []


def test_long_rails_and_far_builds_are_no_trouble() -> None:
    """Millions of builds are as near; five are named."""
    wide = Budget(key="wide", numbers=tuple(Number(key, 0, 1000) for key in "abcdef"), least=10, most=10)
    far = wide.nearest(dict.fromkeys("abcdef", 900))
    assert far[0] == {"a": 0, "b": 0, "c": 0, "d": 0, "e": 0, "f": 10}
    assert len(far) == 5
