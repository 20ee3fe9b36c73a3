"""The one door to odds: both readings agree on every rule there is, and neither is in the other's way."""

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from fractions import Fraction
from types import ModuleType
from typing import Any

import pytest

import examples
from astragal import rulesets
from astragal.chance import Grid, Offer, Policy, Rolls, TooManyPaths, d6, d20, decline, odds, odds_grid, rule
from astragal.chance.contract import rules_in, samples
from astragal.chance.lanes import LaneWeigher, NotInLanes
from astragal.chance.weigh import Weigher
from astragal.rulesets.six_pool import rerolls


def modules() -> Iterator[ModuleType]:
    for package in (examples, rulesets):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not found.name.endswith("__main__"):
                yield importlib.import_module(found.name)


EVERY_RULE = {f"{it.__module__}.{it.name}": it for module in modules() for it in rules_in(module)}


def last(offer: Offer[Any]) -> Any:
    return offer.options[-1]


@pytest.mark.slow
@pytest.mark.parametrize("policy", [decline, last])
@pytest.mark.parametrize("name", EVERY_RULE)
def test_both_readings_agree_on_every_rule(name: str, policy: Policy, monkeypatch: pytest.MonkeyPatch) -> None:
    if name == "astragal.rulesets.six_pool.contests.contest":
        monkeypatch.setattr(rerolls, "d20", d6)  # four dice: 1,296 paths to walk in place of 160,000
    walking, lanes = Weigher(policy), LaneWeigher(policy)
    for question in samples(EVERY_RULE[name], 5):
        try:
            expected = walking.weigh(question)
        except ValueError:
            continue  # refused, before the first die
        try:
            assert lanes.in_lanes(question) == expected, question
        except NotInLanes:
            assert odds(question, policy) == expected, question


@rule
def wide() -> Rolls[int]:
    found = 0
    for _ in range(3):
        found += yield from d20
    return found


@rule
def highest_of_five() -> Rolls[int]:
    """Three million paths."""
    best = 0
    for _ in range(5):
        face = yield from d20
        best = max(best, face)
    return best


@pytest.mark.slow
def test_a_question_too_wide_to_walk_is_weighed() -> None:
    found = odds(highest_of_five(), most_paths=100_000)
    assert found.weights[20] * 20**5 == found.total * (20**5 - 19**5)


def test_a_budget_of_few_paths_is_kept() -> None:
    with pytest.raises(TooManyPaths):
        odds(wide(), most_paths=100)


def test_a_few_hundred_paths_with_a_decision_are_walked_without_a_try_in_lanes(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Lanes would give up on dice as keys, and say so."""
    with caplog.at_level("DEBUG", logger="astragal.chance.lanes"):
        found = odds(haggle(asks=True), last)
        assert not caplog.records
        assert odds(haggle(asks=False), last).total == found.total
        assert "path by path" in caplog.text
        caplog.clear()
        odds(haggle(asks=False), decline)
        assert not caplog.records, "lanes are tried again on a rule that they have given up on"
    assert found.chance(2) == Fraction(1, 400)


def test_a_decision_before_any_die_is_the_same_in_every_lane(caplog: pytest.LogCaptureFixture) -> None:
    """So it does not keep a few hundred paths out of lanes; on these they give up, and say so."""
    with caplog.at_level("DEBUG", logger="astragal.chance.lanes"):
        assert odds(haggle_after(), last).mean() == 22
    assert "path by path" in caplog.text


@rule
def haggle_after() -> Rolls[int]:
    more = yield from Offer("hero", "more", (0, 1))
    mine = yield from d20
    theirs = yield from d20
    return {(mine, theirs): mine + theirs + more}[mine, theirs]


@rule
def haggle(asks: bool) -> Rolls[int]:
    mine = yield from d20
    theirs = yield from d20
    bids = {(mine, theirs): mine + theirs}
    return bids[mine, theirs] + ((yield from Offer("hero", "more", (1, 0))) if asks else 0)


def test_a_fixed_list_of_answers_goes_path_by_path() -> None:
    assert odds(bet(), [2]).mean() == odds(bet(), last).mean()


@rule
def bet() -> Rolls[int]:
    stake = yield from Offer("hero", "stake", (0, 1, 2))
    face = yield from d6
    return stake * face


def test_single_questions_need_no_numpy(new_interpreter: Callable[[str], str]) -> None:
    program = """
import sys
import astragal.chance
from astragal.chance import advise, odds
from examples.sinew_and_steel import lucky_test, opposed_test
odds(opposed_test(10, 12))
advise(lucky_test(10, 3), lambda roll: roll.success, side="roller")
print("numpy" in sys.modules)
from astragal.chance import odds_grid
odds_grid(opposed_test, attacker=[10], defender=[12])
print("numpy" in sys.modules)
"""
    assert new_interpreter(program).split() == ["False", "True"]


def test_grids_come_through_the_same_door() -> None:
    assert isinstance(odds_grid(scaled, factor=[1, 2]), Grid)


@rule
def scaled(factor: int) -> Rolls[int]:
    return factor * (yield from d6)
