"""Advancement: what a milestone gives, what its points buy, and what a sacrifice takes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from enum import StrEnum

from astragal.table.refusals import Refusal
from astragal.values import frozen

from .accounts import STAMINA, Build, frame_of


class MilestoneOption(StrEnum):
    """SS-61: how a milestone's gain is bought."""

    BUILD_POINTS = "build_points"
    PAIRED = "paired"
    FLAT = "flat"


@frozen
class Standing:
    """The numbers of a hero that advancement can change."""

    scores: Build
    luck: str
    """The key of the Luck attribute, whose score is the pool's size."""
    stamina: int
    tokens: int
    points: int = 0


@frozen
class Purchase:
    key: str
    rise: int
    price: int


@frozen
class Sacrifice:
    """SS-56: a score that drops by 1. A build point comes back for one above baseline, and no credit for any."""

    key: str
    points_back: int


class NotForSale(Refusal):
    code = "not_for_sale"


def points_given(option: MilestoneOption) -> int:
    """SS-61: two build points. A flat milestone gives one rise, which is held and spent as one point."""
    return 1 if option is MilestoneOption.FLAT else 2


def price(key: str, score: int, rise: int, option: MilestoneOption) -> int | None:
    """SS-61, SS-62: what the rise of a score costs, or None where it can't be bought at once."""
    frame = frame_of(key)
    if rise < 1 or score + rise > frame.most:
        return None
    below = max(0, frame.baseline - score)
    match option:
        case MilestoneOption.BUILD_POINTS:
            return min(below, rise) + 2 * max(0, rise - below)
        case MilestoneOption.PAIRED:
            return 2 if rise == 1 or (rise == 2 and below >= 2) else None
        case MilestoneOption.FLAT:
            return 1 if rise == 1 else None


def purchases(scores: Build, points: int, option: MilestoneOption) -> tuple[Purchase, ...]:
    """SS-61: everything that the points held can buy now, one score at a time."""
    return tuple(
        Purchase(key, rise, cost)
        for key, score in scores.items()
        for rise in range(1, frame_of(key).most - score + 1)
        if (cost := price(key, score, rise, option)) is not None and cost <= points
    )


def buy(standing: Standing, key: str, rise: int, option: MilestoneOption) -> Standing:
    """SS-61: bought Stamina raises the present value too; bought Luck raises the pool's size only."""
    score = standing.scores[key]
    cost = price(key, score, rise, option)
    if cost is None:
        raise NotForSale(_why_no_price(key, score, rise))
    if cost > standing.points:
        raise NotForSale(f"{key} +{rise} costs {cost} and {standing.points} are held.")
    return replace(
        standing,
        scores={**standing.scores, key: score + rise},
        stamina=standing.stamina + (rise if key == STAMINA else 0),
        points=standing.points - cost,
    )


def milestone(standing: Standing, rises: Iterable[tuple[str, int]], option: MilestoneOption) -> Standing:
    """SS-61: points are given, spent as asked, and then the pool is filled."""
    given = replace(standing, points=standing.points + points_given(option))
    return settled(bought(given, rises, option), option)


def bought(standing: Standing, rises: Iterable[tuple[str, int]], option: MilestoneOption) -> Standing:
    """SS-61: one purchase after the other, each from what is left."""
    for key, rise in rises:
        standing = buy(standing, key, rise, option)
    return standing


def settled(standing: Standing, option: MilestoneOption) -> Standing:
    """SS-61: of a pair nothing is kept; the refill follows the purchases."""
    kept = 0 if option is MilestoneOption.PAIRED else standing.points
    return refilled(replace(standing, points=kept))


def refilled(standing: Standing) -> Standing:
    """SS-27: up to the pool's size. More, held by an override, is not taken away."""
    return replace(standing, tokens=max(standing.tokens, standing.scores[standing.luck]))


def sacrifices(scores: Build) -> tuple[Sacrifice, ...]:
    """SS-56: every score that can still drop by 1 within its rails."""
    return tuple(
        Sacrifice(key, points_back=int(score > frame_of(key).baseline))
        for key, score in scores.items()
        if score > frame_of(key).least
    )


def sacrifice(standing: Standing, key: str) -> Standing:
    """SS-56: the score drops by 1; tokens and Stamina held are capped to its new size."""
    offered = {one.key: one for one in sacrifices(standing.scores)}
    if key not in offered:
        raise NotForSale(f"{key} is {standing.scores[key]} and can't drop below {frame_of(key).least}.")
    left = standing.scores[key] - 1
    return replace(
        standing,
        scores={**standing.scores, key: left},
        stamina=min(standing.stamina, left) if key == STAMINA else standing.stamina,
        tokens=min(standing.tokens, left) if key == standing.luck else standing.tokens,
        points=standing.points + offered[key].points_back,
    )


def _why_no_price(key: str, score: int, rise: int) -> str:
    most = frame_of(key).most
    if score + rise > most:
        return f"{key} is {score}; {score + rise} would be past its ceiling of {most}."
    return f"{key} +{rise} can't be bought at once."
