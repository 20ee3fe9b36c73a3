"""The scores of a hero: five attributes and Stamina, the rails they keep to, and what they cost. SS-10 to SS-14."""

from collections.abc import Mapping, Sequence
from enum import IntEnum
from functools import partial

from astragal.game.point_buy import Budget, Build, Number, PointBuy

STAMINA = "STM"
"""The key of Stamina in every skin; the five attributes have the keys that the skin gives them."""


class Tone(IntEnum):
    """SS-13: usual budgets of build points at creation. Any other number that is not negative is allowed."""

    GRIM = 0
    STANDARD = 6
    PULP = 12
    HEROIC = 16


def _price(baseline: int, score: int) -> int:
    """SS-12: a point above baseline costs 2, a point below gives 1."""
    above = score - baseline
    if above > 0:
        return 2 * above
    return above


PRICE_OF_STAMINA = partial(_price, 5)
PRICE_OF_AN_ATTRIBUTE = partial(_price, 10)


def frame_of(key: str, labels: Mapping[str, str] | None = None) -> Number:
    """SS-10, SS-11: the start and the rails of a score."""
    names = labels or {}
    if key == STAMINA:
        return Number(key, 3, 9, names.get(key, "Stamina"), 5, PRICE_OF_STAMINA, _score_amiss)
    return Number(key, 6, 16, names.get(key, key), 10, PRICE_OF_AN_ATTRIBUTE, _score_amiss)


def _score_amiss(score: Number, value: int | None) -> str:
    """Say what is wrong with a score that is missing or beyond its rails, and the way out."""
    if value is None:
        return f"{score.name} has no score: it starts at {score.start}"
    if value < score.least:
        missing = score.least - value
        return f"{score.name} {value} is below {score.least}: raise it by {missing}"
    excess = value - score.most
    return f"{score.name} {value} is above {score.most}: lower it by {excess}"


def baseline(attributes: Sequence[str]) -> dict[str, int]:
    """SS-10: the five attributes at 10, Stamina at 5."""
    return {key: frame_of(key).start for key in (*attributes, STAMINA)}


def build_points(attributes: Sequence[str], points: int, labels: Mapping[str, str] | None = None) -> PointBuy:
    """SS-12 to SS-14: trade-offs pay first, build points the rest."""
    scores = [frame_of(key, labels) for key in (*attributes, STAMINA)]
    budget = Budget(
        key="scores",
        numbers=tuple(scores),
        most=points,
        amiss=_short,
        account=_account,
    )
    return PointBuy((budget,), unknown="There is no score {!r} here: leave it out".format)


def _short(budget: Budget, build: Build) -> str:
    """SS-14: ways to repair the build, each enough alone. Giving up more is named only where that is possible."""
    short = budget.over(build)
    room_below_baseline = 0
    for number in budget.numbers:
        score = build.get(number.key, number.start)
        room_below_baseline += max(0, min(score, number.start) - number.least)
    ways = [f"take {(short + 1) // 2} off what is above baseline"]
    if short <= room_below_baseline:
        ways.append(f"give up {short} below baseline")
    larger_budget = (budget.most or 0) + short
    return f"The build is short by {short}: {', '.join(ways)}, or ask for a budget of {larger_budget}"


def _account(budget: Budget, build: Build) -> str:
    cost = 0
    credit = 0
    for number in budget.numbers:
        price = number.cost(build.get(number.key, number.start))
        if price > 0:
            cost += price
        else:
            credit -= price
    return f"cost {cost}, credit {credit}; {points_left(budget, build)} of {budget.most} build points left"


def points_left(budget: Budget, build: Build) -> int:
    """SS-14: unspent build points. They are legal, and lost. Unspent credit does not count among them."""
    points = budget.most or 0
    unspent = points - budget.total(build)
    return max(0, min(unspent, points))


def credit_left(budget: Budget, build: Build) -> int:
    """SS-14: unspent credit."""
    return max(0, -budget.total(build))
