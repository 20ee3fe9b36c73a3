"""SS-10 to SS-16: what a build costs, what is wrong with it, its repairs, and random heroes."""

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.game.point_buy import Budget, Draw, highest
from astragal.rulesets.sinew_steel.scores import (
    STAMINA,
    Tone,
    baseline,
    build_points,
    credit_left,
    frame_of,
    points_left,
)

KEYS = ("MGT", "REF", "INT", "EMP", "LCK")
LABELS = {"MGT": "Might", "REF": "Reflex"}
SHORT_BY_12 = (
    "The build is short by 12: take 6 off what is above baseline, give up 12 below baseline, or ask for a budget of 18"
)
COUNTS = {0: 98_944, 6: 228_944, 12: 415_989, 16: 557_896}


def build(*scores: int, **changed: int) -> dict[str, int]:
    """Six scores in order, or the baseline with some of them changed."""
    start = dict(zip((*KEYS, STAMINA), scores or (10, 10, 10, 10, 10, 5), strict=True))
    return start | {key.upper(): score for key, score in changed.items()}


SCHOLAR = build(mgt=7, ref=9, int=14, emp=10, lck=7, stm=4)
BRUTE = build(mgt=16, ref=7, int=6, emp=10, lck=8, stm=8)
SCOUT = build(mgt=9, ref=14, int=12, emp=8, lck=7, stm=5)

budgets = st.integers(min_value=0, max_value=70)
wild_builds = st.builds(build, *[st.integers(min_value=-2, max_value=22)] * 6)


# ---------------------------------------------------------------- accounts


def faults(hero: dict[str, int], points: int) -> list[str]:
    return [fault.words for fault in build_points(KEYS, points, LABELS).faults(hero)]


def budget_of(points: int, attributes: tuple[str, ...] = KEYS) -> Budget:
    (budget,) = build_points(attributes, points).budgets
    return budget


def test_every_hero_starts_from_the_same_frame() -> None:
    """SS-10: five attributes at 10 and Stamina at 5, whatever the skin calls them."""
    assert baseline(KEYS) == build()
    assert baseline(("A", "B", "C", "D", "E")) == {"A": 10, "B": 10, "C": 10, "D": 10, "E": 10, STAMINA: 5}
    assert not faults(baseline(KEYS), 0)


def test_scores_keep_to_their_rails() -> None:
    """SS-11: attributes 6 to 16, Stamina 3 to 9, both ends included."""
    assert not faults(build(mgt=6, stm=3), 0)
    assert not faults(build(mgt=16, stm=9), 20)
    assert faults(build(mgt=17, stm=2), 20) == [
        "Might 17 is above 16: lower it by 1",
        "Stamina 2 is below 3: raise it by 1",
    ]


@pytest.mark.parametrize(
    ("hero", "cost", "credit", "short_at_0"),
    [(SCHOLAR, 8, 8, 0), (BRUTE, 18, 9, 9), (SCOUT, 12, 6, 6), (build(int=13), 6, 0, 6)],
)
def test_points_above_baseline_cost_two_and_points_below_give_one(
    hero: dict[str, int], cost: int, credit: int, short_at_0: int
) -> None:
    """SS-12: the ledger's vectors, the Brute that the book prints and can't pay for among them."""
    assert build_points(KEYS, 0).accounts(hero) == [f"cost {cost}, credit {credit}; 0 of 0 build points left"]
    assert budget_of(0).over(hero) == short_at_0


def test_each_score_has_its_own_price() -> None:
    """SS-12: what a surface shows at every step."""
    prices = {key: frame_of(key).cost(score) for key, score in BRUTE.items()}
    assert prices == {"MGT": 12, "REF": -3, "INT": -4, "EMP": 0, "LCK": -2, "STM": 6}


def test_tones_are_budgets_and_any_other_will_do() -> None:
    """SS-13: grim, standard, pulp and heroic; a budget between them is as good."""
    assert [tone.value for tone in Tone] == [0, 6, 12, 16]
    assert faults(build(int=13), 5)
    assert not faults(build(int=13), 6)
    assert not faults(BRUTE, Tone.PULP)
    assert not faults(SCOUT, Tone.STANDARD)


def test_an_illegal_build_hears_every_reason_at_once() -> None:
    """SS-14: each reason names the score, the rail or the shortfall, and what would settle it."""
    wrong = {"MGT": 18, "REF": 4, "INT": 10, "EMP": 10, "WIT": 12, STAMINA: 9}
    assert faults(wrong, 6) == [
        "There is no score 'WIT' here: leave it out",
        "Might 18 is above 16: lower it by 2",
        "Reflex 4 is below 6: raise it by 2",
        "LCK has no score: it starts at 10",
        SHORT_BY_12,
    ]


def test_no_way_out_is_named_that_the_rails_close() -> None:
    """SS-14: who has nothing left to give up is not told to give up more."""
    assert faults(build(16, 16, 16, 6, 6, 3), 0) == [
        "The build is short by 26: take 13 off what is above baseline, or ask for a budget of 26"
    ]
    assert faults(build(16, 16, 6, 6, 6, 3), 1) == [
        "The build is short by 9: take 5 off what is above baseline, or ask for a budget of 10"
    ]
    (just_enough,) = faults(build(16, 16, 6, 6, 6, 3), 2)
    assert "give up 8 below baseline" in just_enough


def test_credit_left_over_is_legal_and_reported() -> None:
    """SS-14: trade-offs pay first, so a budget that was not needed is left as points."""

    def left(hero: dict[str, int], points: int) -> tuple[int, int]:
        return credit_left(budget_of(points), hero), points_left(budget_of(points), hero)

    assert left(build(mgt=6, int=11), 6) == (2, 6)
    assert left(build(int=12), 6) == (0, 2)
    assert not faults(build(6, 6, 6, 6, 6, 3), 0)
    assert build_points(KEYS, 6).accounts(BRUTE) == ["cost 18, credit 9; 0 of 6 build points left"]


@given(wild_builds, budgets)
def test_the_books_balance(hero: dict[str, int], points: int) -> None:
    """SS-12: what is left over less what is short is the budget less the price; the budget named settles it."""
    budget = budget_of(points)
    left = credit_left(budget, hero) + points_left(budget, hero)
    assert left - budget.over(hero) == points - budget.total(hero)
    if short := budget.over(hero):
        assert budget_of(points + short).over(hero) == 0 < budget_of(points + short - 1).over(hero)


# ---------------------------------------------------------------- repairs


def fewest_moves(hero: dict[str, int], points: int) -> tuple[int, int]:
    """How far the nearest legal build is and how many are as near, by counting over all builds: another way there."""
    reached = Counter({(0, 0): 1})
    for key, score in hero.items():
        frame, step = frame_of(key), Counter[tuple[int, int]]()
        for (balance, moved), ways in reached.items():
            for other in range(frame.least, frame.most + 1):
                weight = 2 if other > frame.start else 1
                step[balance + weight * (other - frame.start), moved + abs(other - score)] += ways
        reached = step
    nearest = min(moved for balance, moved in reached if balance <= points)
    return nearest, sum(ways for (balance, moved), ways in reached.items() if moved == nearest and balance <= points)


@pytest.mark.slow
@given(wild_builds, budgets)
def test_repairs_are_legal_and_nothing_legal_is_nearer(hero: dict[str, int], points: int) -> None:
    """SS-14: fewest points moved; at most five, and fewer only where there are no more as near."""
    repairs = build_points(KEYS, points).nearest(hero)
    moved, ways = fewest_moves(hero, points)
    assert len(repairs) == len({tuple(repair.build.items()) for repair in repairs}) == min(5, ways)
    for repair in repairs:
        assert not faults(repair.build, points)
        assert sum(abs(change.after - change.before) for change in repair.changes) == moved


def test_the_brute_can_be_had_for_five_points() -> None:
    """SS-14: each proposal says what changed; those that touch the fewest scores come first, in the skin's order."""
    assert [repair.words for repair in build_points(KEYS, 0, LABELS).nearest(BRUTE)] == [
        "Might 16 → 11",
        "Might 16 → 12 and Reflex 7 → 6",
        "Might 16 → 12 and EMP 10 → 9",
        "Might 16 → 12 and LCK 8 → 7",
        "Might 16 → 12 and Stamina 8 → 7",
    ]


def test_a_score_off_the_rails_goes_back_to_the_rail() -> None:
    """SS-14: no more is moved than the rail asks for, if the books allow it."""
    (repair,) = build_points(KEYS, 0, LABELS).nearest(build(mgt=2))
    assert repair.words == "Might 2 → 6"


# ---------------------------------------------------------------- random heroes


def asked_of(budget: Budget, theme: str | None = None) -> int:
    """The count that a hero is drawn from: one number is drawn for each, by exact counting."""
    asked: list[int] = []

    def first(count: int) -> int:
        asked.append(count)
        return 0

    budget.random(first, themed(budget, theme))
    (count,) = asked
    return count


def numbered(number: int) -> Draw:
    return lambda _: number


def themed(budget: Budget, theme: str | None) -> tuple[dict[str, tuple[int, int]], ...]:
    attributes = [score for score in budget.numbers if score.key != STAMINA]
    return tuple(map(dict, highest(theme, attributes))) if theme else ()


@pytest.mark.parametrize(("points", "legal"), COUNTS.items())
def test_legal_builds_are_counted_exactly(points: int, legal: int) -> None:
    """SS-16: the ledger's four counts."""
    assert asked_of(budget_of(points)) == legal


def test_with_a_budget_for_all_every_build_is_legal() -> None:
    """SS-16: 11⁵ × 7 allocations."""
    assert asked_of(budget_of(68)) == 11**5 * 7 == 1_127_357
    assert asked_of(budget_of(67)) == 1_127_356


@pytest.mark.slow
@given(st.integers(min_value=0, max_value=20), st.data())
def test_a_random_hero_is_legal(points: int, data: st.DataObject) -> None:
    """SS-16: for any budget, with a theme or without."""
    theme = data.draw(st.sampled_from([None, *KEYS]))
    budget = budget_of(points)
    hero = budget.random(lambda n: data.draw(st.integers(0, n - 1)), themed(budget, theme))
    assert not faults(hero, points)
    assert theme is None or hero[theme] == max(hero[key] for key in KEYS)


def test_every_themed_hero_is_drawn_by_exactly_one_number() -> None:
    """SS-16: the named attribute is highest or shares the place. All numbers, over two attributes to be quick."""
    budget = budget_of(0, ("A", "B"))
    total = asked_of(budget, "B")
    drawn = [tuple(budget.random(numbered(number), themed(budget, "B")).values()) for number in range(total)]
    assert len(drawn) == len(set(drawn))
    assert set(drawn) == {
        (a, b, stamina)
        for a, b, stamina in product(range(6, 17), range(6, 17), range(3, 10))
        if b >= a and not budget.over({"A": a, "B": b, STAMINA: stamina})
    }


def test_the_last_number_is_the_highest_build() -> None:
    """SS-16: numbers count in the order of the scores."""
    assert budget_of(6).random(lambda count: count - 1)["MGT"] == 16
