"""Making a hero step by step: a draft in which anything can be changed until the hero is finished."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from enum import Enum

from astragal.table.refusals import Refusal
from astragal.values import frozen

from .accounts import (
    Accounts,
    AnchorsAmiss,
    Frame,
    HeroFile,
    OffTheScale,
    OutOfBalance,
    PointsAmiss,
    Reason,
    why_illegal,
)
from .accounts import accounts as accounts_of
from .anchors import Anchor, Burden
from .assets import Asset
from .sheet import T, named
from .stats import Stat


class Step(Enum):
    """The steps, in the book's order."""

    NAME = "name"
    STATS = "stats"
    ANCHORS = "anchors"
    BURDENS = "burdens"
    ASSETS = "assets"


class Unfinished(Refusal):
    """The hero can't be yet; `reasons` says why."""

    code = "unfinished"

    def __init__(self, reasons: tuple[Reason, ...]) -> None:
        super().__init__("The hero is not finished.")
        self.reasons = reasons


@frozen
class Draft:
    """A hero in the making. Every change gives a new draft; its accounts are live at each step."""

    hero: HeroFile
    frame: Frame | None

    @property
    def accounts(self) -> Accounts:
        """NJ+01, NJ-16: points given and owed, Anchors, and what the Rule of Balance asks for."""
        return accounts_of(self.hero, self.frame)

    @property
    def reasons(self) -> tuple[Reason, ...]:
        return why_illegal(self.hero, self.frame)

    def called(self, name: str, about: str = "") -> Draft:
        return self._but(name=name, about=about or self.hero.about)

    def with_rating(self, stat: Stat, rating: int) -> Draft:
        return self._but(ratings=self.hero.ratings.but(stat, rating))

    def with_anchor(self, anchor: Anchor) -> Draft:
        """A new Anchor, or another in the place of the one with its name."""
        return self._but(anchors=_put(self.hero.anchors, anchor))

    def with_burden(self, burden: Burden) -> Draft:
        return self._but(burdens=_put(self.hero.burdens, burden))

    def with_asset(self, asset: Asset) -> Draft:
        return self._but(assets=_put(self.hero.assets, asset))

    def without(self, name: str) -> Draft:
        """Without the Anchor, Burden or Asset of this name."""
        return self._but(
            anchors=_left(self.hero.anchors, name),
            burdens=_left(self.hero.burdens, name),
            assets=_left(self.hero.assets, name),
        )

    def finished(self) -> HeroFile:
        """The hero, or a refusal with every reason why it is none yet."""
        if reasons := self.reasons:
            raise Unfinished(reasons)
        return self.hero

    def _but(self, **changes: object) -> Draft:
        return replace(self, hero=replace(self.hero, **changes))  # type: ignore[arg-type]


def begin(name: str, frame: Frame | None) -> Draft:
    """NJ-11: every stat at 1, and nothing else yet."""
    return Draft(HeroFile(name=name), frame)


def open_steps(draft: Draft) -> tuple[Step, ...]:
    """The steps at which something is amiss. Assets never are: one may have none."""
    at = {OffTheScale: Step.STATS, PointsAmiss: Step.STATS, AnchorsAmiss: Step.ANCHORS, OutOfBalance: Step.BURDENS}
    amiss = {at.get(type(reason), Step.ANCHORS) for reason in draft.reasons}
    return tuple(step for step in Step if step in amiss)


def _put(traits: tuple[T, ...], new: T) -> tuple[T, ...]:
    if named(traits, new.name) is None:
        return (*traits, new)
    return tuple(new if one.name.casefold() == new.name.casefold() else one for one in traits)


def _left(traits: Iterable[T], name: str) -> tuple[T, ...]:
    return tuple(one for one in traits if one.name.casefold() != name.strip().casefold())
