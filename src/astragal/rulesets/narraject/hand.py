"""The hand: dice that come together term by term, each with its source. NJ-10, NJ-20, NJ-21."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

from annotated_types import Ge, Le
from typing_extensions import Doc

from astragal.table.seen import Seen
from astragal.values import frozen


class Source(Enum):
    """NJ-10: where dice come from, and where they go."""

    RATING = "rating"
    FOCUS = "focus"
    ANCHOR = "anchor"
    ASSET = "asset"
    ASPECT = "aspect"
    BURDEN = "burden"
    CONDITION = "condition"
    TAG = "tag"
    FLOOR = "floor"
    """NJ-20: what brings a hand back up to its floor."""


HELPING = frozenset({Source.FOCUS, Source.ANCHOR, Source.ASSET, Source.ASPECT})


@frozen(slots=True)
class Term:
    """NJ-10: dice of one source; those that are taken away are negative."""

    source: Annotated[Source, Seen.ALL]
    dice: Annotated[int, Ge(-12), Le(12), Seen.ALL]
    name: Annotated[str, Doc("the stat, anchor, asset … that it is"), Seen.ALL] = ""


@frozen(slots=True)
class Hand:
    """NJ-10: what is rolled. Its terms add up to its dice, the floor's among them."""

    terms: Annotated[tuple[Term, ...], Seen.ALL]
    idle: Annotated[int, Ge(0), Le(12), Doc("NJ-20: points of Focus in it that add no die"), Seen.ALL] = 0

    def __post_init__(self) -> None:
        if self.dice < 0:
            raise ValueError("a hand never has less than no dice")

    @property
    def dice(self) -> int:
        return sum(term.dice for term in self.terms)

    @property
    def focus(self) -> int:
        return sum(term.dice for term in self.terms if term.source is Source.FOCUS)

    @property
    def is_desperate(self) -> bool:
        """NJ-21: nothing helps but the Rating itself."""
        return not any(term.source in HELPING for term in self.terms)


class HandFloor(Enum):
    """NJ-20: what remains of a hand, however much is taken from it."""

    RATING = "rating"
    ONE = "one"
    ZERO = "zero"

    def dice(self, rating: int) -> int:
        return {HandFloor.RATING: rating, HandFloor.ONE: 1, HandFloor.ZERO: 0}[self]


@frozen(slots=True)
class Makings:
    """A hand before Focus: its terms, the Rating's first, and the floor that holds it."""

    terms: tuple[Term, ...]
    floor: int

    def hand(self, focus: int = 0) -> Hand:
        """NJ-20: the whole sum, Focus included, and never less than the floor."""
        rating, *others = self.terms
        spent = [Term(Source.FOCUS, focus, rating.name)] if focus else []
        raised = self._raised(focus)
        floor = [Term(Source.FLOOR, raised)] if raised else []
        return Hand((rating, *spent, *others, *floor), idle=self._raised(0) - raised)

    def _raised(self, focus: int) -> int:
        """What the floor adds. A point of Focus that only does the floor's work adds no die."""
        return max(0, self.floor - sum(term.dice for term in self.terms) - focus)
