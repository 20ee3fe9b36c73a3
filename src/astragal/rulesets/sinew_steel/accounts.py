"""Building a hero: what a build costs, what it is owed, and every reason why it can't be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum

from astragal.values import frozen

STAMINA = "STM"
"""The key of Stamina in every skin; the five attributes have the keys that the skin gives them."""

Build = Mapping[str, int]
"""The five attributes and Stamina, each with its score, in the skin's order."""


@frozen
class Frame:
    """SS-10, SS-11: where a score starts, and the rails it stays within."""

    baseline: int
    least: int
    most: int

    def nearest(self, score: int) -> int:
        return min(max(score, self.least), self.most)

    def holds(self, score: int) -> bool:
        return self.least <= score <= self.most


ATTRIBUTE_FRAME = Frame(baseline=10, least=6, most=16)
STAMINA_FRAME = Frame(baseline=5, least=3, most=9)


def frame_of(key: str) -> Frame:
    return STAMINA_FRAME if key == STAMINA else ATTRIBUTE_FRAME


def baseline(attributes: Sequence[str]) -> dict[str, int]:
    """SS-10: the five attributes at 10, Stamina at 5."""
    return {key: frame_of(key).baseline for key in (*attributes, STAMINA)}


class Tone(IntEnum):
    """SS-13: the usual budgets of build points at creation. Any other that is not negative will do."""

    GRIM = 0
    STANDARD = 6
    PULP = 12
    HEROIC = 16


@frozen
class Line:
    """SS-12: one score's own line in the accounts."""

    key: str
    score: int
    baseline: int

    @property
    def cost(self) -> int:
        return 2 * max(0, self.score - self.baseline)

    @property
    def credit(self) -> int:
        return max(0, self.baseline - self.score)


@frozen
class Accounts:
    """SS-12: a build's cost against its credit and budget. Trade-offs pay first, build points the rest."""

    lines: tuple[Line, ...]
    budget: int

    @property
    def cost(self) -> int:
        return sum(line.cost for line in self.lines)

    @property
    def credit(self) -> int:
        return sum(line.credit for line in self.lines)

    @property
    def shortfall(self) -> int:
        return max(0, self.cost - self.credit - self.budget)

    @property
    def credit_left(self) -> int:
        """SS-14: credit that nothing was bought with: legal, and lost."""
        return max(0, self.credit - self.cost)

    @property
    def points_left(self) -> int:
        """Build points that nothing was bought with."""
        return min(self.budget, max(0, self.budget + self.credit - self.cost))


def accounts(build: Build, budget: int) -> Accounts:
    return Accounts(tuple(Line(key, score, frame_of(key).baseline) for key, score in build.items()), budget)


@frozen
class MissingScore:
    """The skin has this score, the build has not."""

    key: str
    baseline: int


@frozen
class UnknownScore:
    """The build has this score, the skin has not."""

    key: str
    score: int


@frozen
class OffTheRails:
    """SS-11: a score beyond its rails."""

    key: str
    score: int
    least: int
    most: int

    @property
    def settled_by(self) -> int:
        """What added to the score brings it back to the nearer rail."""
        return min(self.most, max(self.least, self.score)) - self.score


@frozen
class Short:
    """SS-12: the build costs more than it can pay. Each of the three ways settles it alone."""

    points: int
    fewer_above: int
    """So many points less above the baselines."""
    more_below: int | None
    """So many points more below the baselines; None where the rails leave no room for them."""
    budget: int
    """A budget that would pay for it."""


@frozen
class NegativeBudget:
    """SS-13: no table starts with less than nothing."""

    budget: int


Reason = MissingScore | UnknownScore | OffTheRails | Short | NegativeBudget


def why_illegal(build: Build, budget: int, attributes: Sequence[str]) -> tuple[Reason, ...]:
    """SS-14: every reason why a build can't be, at once; none for a legal one."""
    return tuple(_reasons(build, budget, (*attributes, STAMINA)))


def is_legal(build: Build, budget: int, attributes: Sequence[str]) -> bool:
    return not why_illegal(build, budget, attributes)


def _reasons(build: Build, budget: int, keys: Sequence[str]) -> Iterator[Reason]:
    yield from (MissingScore(key, frame_of(key).baseline) for key in keys if key not in build)
    yield from (UnknownScore(key, score) for key, score in build.items() if key not in keys)
    known = {key: build[key] for key in keys if key in build}
    for key, score in known.items():
        frame = frame_of(key)
        if not frame.holds(score):
            yield OffTheRails(key, score, frame.least, frame.most)
    if budget < 0:
        yield NegativeBudget(budget)
    if points := accounts(known, max(budget, 0)).shortfall:
        yield _short(known, points, max(budget, 0))


def _short(build: Build, points: int, budget: int) -> Short:
    room = sum(max(0, min(score, frame_of(key).baseline) - frame_of(key).least) for key, score in build.items())
    return Short(
        points=points,
        fewer_above=(points + 1) // 2,
        more_below=points if points <= room else None,
        budget=budget + points,
    )
