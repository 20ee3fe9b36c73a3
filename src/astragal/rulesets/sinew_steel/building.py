"""Step by step creation: a draft in which any step can be changed until the hero is finished."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from enum import Enum

from astragal.values import frozen

from .accounts import Accounts, Build, Reason, Tone, accounts, baseline, frame_of, why_illegal

LEAST_GEAR, MOST_GEAR = 3, 6


class Step(Enum):
    """SS-15: the steps, in the book's order."""

    SKIN = "skin"
    BASELINE = "baseline"
    SIGNATURE = "signature strength"
    TRADE = "trade-offs or points"
    LUCK = "Luck pool"
    GEAR = "gear"
    ADVANTAGE = "small advantage"


@frozen
class GearCount:
    """SS-15: three to six items, where the table wants gear written down."""

    items: int
    least: int = LEAST_GEAR
    most: int = MOST_GEAR


@frozen
class NoAdvantage:
    """SS-15: one small advantage in words, where the table wants one."""


@frozen
class Habits:
    """SS-15: what this table writes down of the last two steps."""

    gear: bool = True
    advantage: bool = True


@frozen
class Draft:
    """SS-15: a hero in the making. Every change gives a new draft; `accounts` are live at every step."""

    skin: str
    attributes: tuple[str, ...]
    luck: str
    scores: Build
    budget: int = Tone.STANDARD
    signature: str | None = None
    gear: tuple[str, ...] = ()
    advantage: str = ""
    habits: Habits = field(default_factory=Habits)

    @property
    def accounts(self) -> Accounts:
        return accounts(self.scores, self.budget)

    @property
    def luck_pool(self) -> int:
        """SS-20: the Luck attribute is the size of the pool."""
        return self.scores[self.luck]

    def in_skin(self, skin: str, attributes: Sequence[str], luck: str) -> Draft:
        """Another skin renames the attributes: each score goes to the attribute in the same place."""
        renamed = dict(zip(self.attributes, attributes, strict=True))
        return replace(
            self,
            skin=skin,
            attributes=tuple(attributes),
            luck=luck,
            scores={renamed.get(key, key): score for key, score in self.scores.items()},
            signature=None if self.signature is None else renamed.get(self.signature, self.signature),
        )

    def with_budget(self, budget: int) -> Draft:
        return replace(self, budget=budget)

    def from_baseline(self) -> Draft:
        """All scores as they were at the start; gear and advantage stay."""
        return replace(self, scores=baseline(self.attributes), signature=None)

    def with_signature(self, key: str, score: int) -> Draft:
        """The one strength the hero is known for. An earlier one goes back to its baseline."""
        scores = dict(self.scores)
        if self.signature is not None:
            scores[self.signature] = frame_of(self.signature).baseline
        return replace(self, signature=key, scores={**scores, key: score})

    def with_score(self, key: str, score: int) -> Draft:
        """A trade-off taken, or points spent."""
        return replace(self, scores={**self.scores, key: score})

    def with_luck_pool(self, tokens: int) -> Draft:
        return self.with_score(self.luck, tokens)

    def with_gear(self, items: Sequence[str]) -> Draft:
        return replace(self, gear=tuple(items))

    def with_advantage(self, words: str) -> Draft:
        return replace(self, advantage=words)


def begin(skin: str, attributes: Sequence[str], luck: str, budget: int = Tone.STANDARD) -> Draft:
    """SS-15: a skin is chosen, and the baseline frame is written down."""
    return Draft(skin, tuple(attributes), luck, baseline(attributes), budget)


Unfinished = Reason | GearCount | NoAdvantage


def why_unfinished(draft: Draft) -> tuple[Unfinished, ...]:
    """SS-14, SS-15: everything that keeps the draft from being a hero, at once; nothing for one that is ready."""
    return tuple(_lacks(draft))


def open_steps(draft: Draft) -> tuple[Step, ...]:
    """SS-15: the steps still to be taken, in the book's order. A hero without a signature may be finished all the same.

    Skin, baseline and Luck pool are settled from the beginning, and can be changed like the others.
    """
    lacks = why_unfinished(draft)
    steps = {
        Step.SIGNATURE: draft.signature is None,
        Step.TRADE: any(isinstance(lack, Reason) for lack in lacks),
        Step.GEAR: any(isinstance(lack, GearCount) for lack in lacks),
        Step.ADVANTAGE: any(isinstance(lack, NoAdvantage) for lack in lacks),
    }
    return tuple(step for step, is_open in steps.items() if is_open)


def _lacks(draft: Draft) -> Iterator[Unfinished]:
    yield from why_illegal(draft.scores, draft.budget, draft.attributes)
    named = [item for item in draft.gear if item.strip()]
    if draft.habits.gear and not LEAST_GEAR <= len(named) <= MOST_GEAR:
        yield GearCount(len(named))
    if draft.habits.advantage and not draft.advantage.strip():
        yield NoAdvantage()
