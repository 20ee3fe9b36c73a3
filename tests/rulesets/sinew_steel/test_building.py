"""SS-10 to SS-16: the accounts of a build, its repairs, random heroes, and creation step by step."""

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.rulesets.sinew_steel.accounts import (
    ATTRIBUTE_FRAME,
    STAMINA,
    STAMINA_FRAME,
    Frame,
    MissingScore,
    NegativeBudget,
    OffTheRails,
    Short,
    Tone,
    UnknownScore,
    accounts,
    baseline,
    frame_of,
    is_legal,
    why_illegal,
)
from astragal.rulesets.sinew_steel.building import Draft, GearCount, Habits, NoAdvantage, Step, begin, open_steps
from astragal.rulesets.sinew_steel.building import why_unfinished as why
from astragal.rulesets.sinew_steel.building_words import reason_words, repair_words
from astragal.rulesets.sinew_steel.random_heroes import Draw, build_by_number, count, how_many, random_hero
from astragal.rulesets.sinew_steel.repairs import MOST_REPAIRS, Change, nearest_legal

KEYS = ("MGT", "REF", "INT", "EMP", "LCK")
LABELS = {"MGT": "Might", "REF": "Reflex"}
SHORT_BY_12 = (
    "The build is short by 12: take 6 off what is above baseline, give up 12 below baseline, or ask for a budget of 18."
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


def test_every_hero_starts_from_the_same_frame() -> None:
    """SS-10: five attributes at 10 and Stamina at 5, whatever the skin calls them."""
    assert baseline(KEYS) == build()
    assert baseline(("A", "B", "C", "D", "E")) == {"A": 10, "B": 10, "C": 10, "D": 10, "E": 10, STAMINA: 5}
    assert is_legal(baseline(KEYS), 0, KEYS)


def test_scores_keep_to_their_rails() -> None:
    """SS-11: attributes 6 to 16, Stamina 3 to 9, both ends included."""
    assert (ATTRIBUTE_FRAME.least, ATTRIBUTE_FRAME.most) == (6, 16)
    assert (STAMINA_FRAME.least, STAMINA_FRAME.most) == (3, 9)
    assert is_legal(build(mgt=6, stm=3), 0, KEYS)
    assert is_legal(build(mgt=16, stm=9), 20, KEYS)
    assert why_illegal(build(mgt=17, stm=2), 20, KEYS) == (OffTheRails("MGT", 17, 6, 16), OffTheRails("STM", 2, 3, 9))


@pytest.mark.parametrize(
    ("hero", "cost", "credit", "short_at_0"),
    [(SCHOLAR, 8, 8, 0), (BRUTE, 18, 9, 9), (SCOUT, 12, 6, 6), (build(int=13), 6, 0, 6)],
)
def test_points_above_baseline_cost_two_and_points_below_give_one(
    hero: dict[str, int], cost: int, credit: int, short_at_0: int
) -> None:
    """SS-12: the ledger's vectors, the Brute that the book prints and can't pay for among them."""
    books = accounts(hero, 0)
    assert (books.cost, books.credit, books.shortfall) == (cost, credit, short_at_0)


def test_each_score_has_its_own_line() -> None:
    """SS-12: what a surface shows at every step."""
    lines = {line.key: (line.cost, line.credit) for line in accounts(BRUTE, 0).lines}
    expected = {"MGT": (12, 0), "REF": (0, 3), "INT": (0, 4), "EMP": (0, 0), "LCK": (0, 2), "STM": (6, 0)}
    assert lines == expected


def test_tones_are_budgets_and_any_other_will_do() -> None:
    """SS-13: grim, standard, pulp and heroic; a budget between them is as good, a negative one is not."""
    assert [tone.value for tone in Tone] == [0, 6, 12, 16]
    assert not is_legal(build(int=13), 5, KEYS)
    assert is_legal(build(int=13), 6, KEYS)
    assert is_legal(BRUTE, Tone.PULP, KEYS)
    assert is_legal(SCOUT, Tone.STANDARD, KEYS)
    assert why_illegal(build(), -1, KEYS) == (NegativeBudget(-1),)


def test_an_illegal_build_hears_every_reason_at_once() -> None:
    """SS-14: each reason names the score, the rail or the shortfall, and what would settle it."""
    wrong = {"MGT": 18, "REF": 4, "INT": 10, "EMP": 10, "WIT": 12, STAMINA: 9}
    reasons = why_illegal(wrong, 6, KEYS)
    assert reasons == (
        MissingScore("LCK", 10),
        UnknownScore("WIT", 12),
        OffTheRails("MGT", 18, 6, 16),
        OffTheRails("REF", 4, 6, 16),
        Short(points=12, fewer_above=6, more_below=12, budget=18),
    )
    assert [reason_words(reason, LABELS) for reason in reasons] == [
        "LCK has no score: it starts at 10.",
        "There is no score 'WIT' here: leave it out.",
        "Might 18 is above 16: lower it by 2.",
        "Reflex 4 is below 6: raise it by 2.",
        SHORT_BY_12,
    ]


def test_no_way_out_is_named_that_the_rails_close() -> None:
    """SS-14: who has nothing left to give up is not told to give up more."""
    (short,) = why_illegal(build(16, 16, 16, 6, 6, 3), 0, KEYS)
    assert short == Short(points=26, fewer_above=13, more_below=None, budget=26)
    assert "give up" not in reason_words(short, LABELS)


def test_credit_left_over_is_legal_and_reported() -> None:
    """SS-14: trade-offs pay first, so a budget that was not needed is left as points."""
    books = accounts(build(mgt=6, int=11), 6)
    assert (books.shortfall, books.credit_left, books.points_left) == (0, 2, 6)
    assert (accounts(build(int=12), 6).credit_left, accounts(build(int=12), 6).points_left) == (0, 2)
    assert is_legal(build(6, 6, 6, 6, 6, 3), 0, KEYS)


@given(wild_builds, budgets)
def test_the_books_balance(hero: dict[str, int], budget: int) -> None:
    """SS-12: what is left over less what is short is credit and budget less cost; each way out settles a shortfall."""
    books = accounts(hero, budget)
    assert books.credit_left + books.points_left - books.shortfall == books.credit + budget - books.cost
    for reason in why_illegal(hero, budget, KEYS):
        if isinstance(reason, Short):
            assert accounts(hero, reason.budget).shortfall == 0 < accounts(hero, reason.budget - 1).shortfall


# ---------------------------------------------------------------- repairs


def fewest_moves(hero: dict[str, int], budget: int) -> tuple[int, int]:
    """How far the nearest legal build is and how many are as near, by counting over all builds: another way there."""
    reached = Counter({(0, 0): 1})
    for key, score in hero.items():
        frame, step = frame_of(key), Counter[tuple[int, int]]()
        for (balance, moved), ways in reached.items():
            for other in range(frame.least, frame.most + 1):
                weight = 2 if other > frame.baseline else 1
                step[balance + weight * (other - frame.baseline), moved + abs(other - score)] += ways
        reached = step
    nearest = min(moved for balance, moved in reached if balance <= budget)
    return nearest, sum(ways for (balance, moved), ways in reached.items() if moved == nearest and balance <= budget)


@given(wild_builds, budgets)
def test_repairs_are_legal_and_nothing_legal_is_nearer(hero: dict[str, int], budget: int) -> None:
    """SS-14: fewest points moved; at most five, and fewer only where there are no more as near."""
    repairs = nearest_legal(hero, budget)
    moved, ways = fewest_moves(hero, budget)
    assert len(repairs) == len({tuple(repair.build.items()) for repair in repairs}) == min(MOST_REPAIRS, ways)
    for repair in repairs:
        assert is_legal(repair.build, budget, KEYS)
        assert repair.moved == moved
        assert {**hero, **{change.key: change.after for change in repair.changes}} == repair.build


def test_the_brute_can_be_had_for_five_points() -> None:
    """SS-14: each proposal says what changed; those that touch the fewest scores come first, in the skin's order."""
    repairs = nearest_legal(BRUTE, 0)
    assert repairs[0].changes == (Change("MGT", 16, 11),)
    assert [repair_words(repair, LABELS) for repair in repairs] == [
        "Might 16 → 11",
        "Might 16 → 12, Reflex 7 → 6",
        "Might 16 → 12, EMP 10 → 9",
        "Might 16 → 12, LCK 8 → 7",
        "Might 16 → 12, Stamina 8 → 7",
    ]


def test_a_score_off_the_rails_goes_back_to_the_rail() -> None:
    """SS-14: no more is moved than the rail asks for, if the books allow it."""
    (repair,) = nearest_legal(build(mgt=2), 0)
    assert repair.changes == (Change("MGT", 2, 6),)


def test_a_legal_build_is_its_own_repair() -> None:
    """SS-14: nothing is proposed that would change what may stand."""
    (repair,) = nearest_legal(SCHOLAR, 0)
    assert (repair.build, repair.changes, repair.moved) == (SCHOLAR, (), 0)


# ---------------------------------------------------------------- random heroes


@pytest.mark.parametrize(("budget", "legal"), COUNTS.items())
def test_legal_builds_are_counted_exactly(budget: int, legal: int) -> None:
    """SS-16: the ledger's four counts."""
    assert how_many(KEYS, budget) == legal


def test_with_a_budget_for_all_every_build_is_legal() -> None:
    """SS-16: 11⁵ × 7 allocations."""
    assert how_many(KEYS, 68) == 11**5 * 7 == 1_127_357
    assert how_many(KEYS, 67) == 1_127_356


@given(st.integers(min_value=0, max_value=20), st.data())
def test_a_random_hero_is_legal(budget: int, data: st.DataObject) -> None:
    """SS-16: for any budget, with a theme or without."""
    theme = data.draw(st.sampled_from([None, *KEYS]))
    hero = random_hero(KEYS, budget, lambda n: data.draw(st.integers(0, n - 1)), theme)
    assert is_legal(hero, budget, KEYS)
    assert theme is None or hero[theme] == max(hero[key] for key in KEYS)


def test_every_legal_build_is_drawn_by_exactly_one_number() -> None:
    """SS-16: uniform, shown by drawing every number there is over short rails."""
    frames = (Frame(10, 9, 12), Frame(10, 8, 11), Frame(5, 3, 6))
    drawn = [build_by_number(frames, 1, number) for number in range(count(frames, 1))]
    legal = {
        scores
        for scores in product(range(9, 13), range(8, 12), range(3, 7))
        if sum((2 if s > f.baseline else 1) * (s - f.baseline) for s, f in zip(scores, frames, strict=True)) <= 1
    }
    assert len(drawn) == len(set(drawn))
    assert set(drawn) == legal


def numbered(number: int) -> Draw:
    return lambda _: number


def test_every_themed_hero_is_drawn_by_exactly_one_number() -> None:
    """SS-16: the named attribute is highest or shares the place. All numbers, over two attributes to be quick."""
    total = how_many(("A", "B"), 0, "B")
    drawn = [tuple(random_hero(("A", "B"), 0, numbered(number), "B").values()) for number in range(total)]
    assert len(drawn) == len(set(drawn))
    assert set(drawn) == {
        (a, b, stamina)
        for a, b, stamina in product(range(6, 17), range(6, 17), range(3, 10))
        if b >= a and not accounts({"A": a, "B": b, STAMINA: stamina}, 0).shortfall
    }


def test_one_number_is_drawn_for_a_hero() -> None:
    """SS-16: by exact counting, not by trial and error."""
    asked: list[int] = []

    def last(n: int) -> int:
        asked.append(n)
        return n - 1

    assert random_hero(KEYS, 6, last)["MGT"] == 16
    assert asked == [COUNTS[6]]


# ---------------------------------------------------------------- step by step


def finished() -> Draft:
    draft = begin("Plain", KEYS, "LCK").with_signature("INT", 13).with_gear(["lamp", "rope", "chalk"])
    return draft.with_advantage("reads any map")


def test_a_draft_shows_its_accounts_at_every_step() -> None:
    """SS-15: the steps in the book's order, with the accounts live."""
    draft = begin("Plain", KEYS, "LCK", Tone.GRIM)
    assert draft.scores == baseline(KEYS)
    assert open_steps(draft) == (Step.SIGNATURE, Step.GEAR, Step.ADVANTAGE)
    draft = draft.with_signature("INT", 14)
    assert draft.accounts.shortfall == 8
    assert open_steps(draft) == (Step.TRADE, Step.GEAR, Step.ADVANTAGE)
    draft = draft.with_score("MGT", 7).with_score("REF", 9).with_score(STAMINA, 4).with_luck_pool(7)
    assert (draft.accounts.shortfall, draft.luck_pool) == (0, 7)
    assert draft.scores == SCHOLAR
    assert open_steps(draft.with_gear(["lamp", "rope", "chalk"]).with_advantage("reads any map")) == ()


def test_any_step_can_be_changed_before_the_hero_is_finished() -> None:
    """SS-15: skin, baseline, signature, trade-offs, budget, Luck pool, gear, advantage."""
    draft = finished()
    assert draft.with_signature("REF", 12).scores == build(ref=12)
    assert draft.from_baseline().scores == baseline(KEYS)
    assert draft.from_baseline().gear == draft.gear
    assert why(draft.with_budget(5)) == (Short(points=1, fewer_above=1, more_below=1, budget=6),)
    assert draft.with_gear(["knife"]).gear == ("knife",)
    moved = draft.with_luck_pool(9).in_skin("Rime", ("BRN", "NIM", "WIT", "HRT", "OMN"), "OMN")
    assert moved.scores == {"BRN": 10, "NIM": 10, "WIT": 13, "HRT": 10, "OMN": 9, STAMINA: 5}
    assert (moved.skin, moved.signature, moved.luck_pool, why(moved)) == ("Rime", "WIT", 9, ())


def test_gear_is_three_to_six_items_and_the_advantage_one() -> None:
    """SS-15: the last two as the table likes."""
    assert why(finished()) == ()
    assert why(finished().with_gear(["lamp", "rope", " "])) == (GearCount(2),)
    assert why(finished().with_gear(["x"] * 7)) == (GearCount(7),)
    assert why(finished().with_advantage(" ")) == (NoAdvantage(),)
    bare = begin("Plain", KEYS, "LCK")
    assert [reason_words(reason, {}) for reason in why(bare)] == [
        "0 items of gear: write down 3 to 6.",
        "One small advantage is still to be named.",
    ]
    free = Draft(bare.skin, bare.attributes, bare.luck, bare.scores, habits=Habits(gear=False, advantage=False))
    assert why(free) == ()
    assert reason_words(NegativeBudget(-1), {}) == "A budget of -1 can't be: the least is 0."
