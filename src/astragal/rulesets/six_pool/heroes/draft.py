"""Step by step creation: a draft in which any step can be changed until the hero is finished. SP+01, SP+02."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from enum import Enum

from astragal.rulesets.six_pool.classes import CLASSES, HeroClass
from astragal.rulesets.six_pool.pools import Pool
from astragal.rulesets.six_pool.proficiency import Training
from astragal.values import frozen

from .build import (
    ALL_COMPANIONS,
    ARRAY,
    Build,
    Companions,
    Numbered,
    Reason,
    edge_total,
    least_primary,
    pool_total,
    why_illegal,
)


class Step(Enum):
    """The steps, in our order."""

    CLASS = "class"
    NUMBERS = "the six numbers"
    LEVELS = "points of later levels"
    EDGE = "Edge"


@frozen
class Accounts:
    """What is still to be placed. Below 0 there is too much."""

    numbers_left: tuple[int, ...]
    """Of the six numbers of level 1."""
    points_left: int
    """Of later levels, three each."""
    primary_left: int
    """How many of them must still go into the primary pool."""
    edge_left: int


@frozen
class Draft:
    """A hero in the making. Every change gives a new draft; `accounts` are live at every step."""

    hero_class: HeroClass | None = None
    level: int = 1
    numbers: Numbered = field(default_factory=dict)
    """Which of the six numbers lies on which pool."""
    later: Numbered = field(default_factory=dict)
    """Points of later levels."""
    edges: Numbered = field(default_factory=dict)
    training: Mapping[str, Training] = field(default_factory=dict)
    companions: Companions = ALL_COMPANIONS

    # ------------------------------------------------------------ steps

    def of_class(self, name: str, classes: Mapping[str, HeroClass] = CLASSES) -> Draft:
        """SP+01, SP+02: with the class come its 18 and its first step of Edge. What lay there goes back."""
        chosen = classes[name]
        numbers = {pool: number for pool, number in self.numbers.items() if pool is not chosen.primary}
        numbers = {pool: number for pool, number in numbers.items() if number != ARRAY[0]}
        return replace(
            self, hero_class=chosen, numbers={**numbers, chosen.primary: ARRAY[0]}, edges={chosen.primary: 1}
        )

    def at_level(self, level: int) -> Draft:
        return replace(self, level=level)

    def with_number(self, pool: Pool, number: int) -> Draft:
        """One of the six numbers, laid on a pool."""
        return replace(self, numbers={**self.numbers, pool: number})

    def with_points(self, pool: Pool, points: int) -> Draft:
        """So many points of later levels in a pool."""
        return replace(self, later={**self.later, pool: points})

    def with_edge(self, pool: Pool, edge: int) -> Draft:
        return replace(self, edges={**self.edges, pool: edge})

    def with_training(self, skill: str, training: Training) -> Draft:
        return replace(self, training={**self.training, skill: training})

    # ------------------------------------------------------------ where it stands

    @property
    def build(self) -> Build:
        pools = {pool: self.numbers[pool] + self.later.get(pool, 0) for pool in Pool if pool in self.numbers}
        return Build(self.hero_class.name if self.hero_class else "", self.level, pools, self.edges)

    @property
    def accounts(self) -> Accounts:
        left = list(ARRAY)
        for number in self.numbers.values():
            if number in left:
                left.remove(number)
        primary = self.later.get(self.hero_class.primary, 0) if self.hero_class else 0
        return Accounts(
            numbers_left=tuple(left),
            points_left=pool_total(self.level) - sum(ARRAY) - sum(self.later.values()),
            primary_left=max(0, least_primary(self.level) - ARRAY[0] - primary),
            edge_left=edge_total(self.level) - sum(self.edges.values()),
        )

    @property
    def open_steps(self) -> tuple[Step, ...]:
        """The steps still to be taken, in order."""
        accounts = self.accounts
        waiting = {
            Step.CLASS: self.hero_class is None,
            Step.NUMBERS: self.companions.pool_array and bool(accounts.numbers_left),
            Step.LEVELS: self.companions.pool_array and bool(accounts.points_left or accounts.primary_left),
            Step.EDGE: self.companions.class_edges and bool(accounts.edge_left),
        }
        return tuple(step for step, is_open in waiting.items() if is_open)

    def why_unfinished(self, classes: Mapping[str, HeroClass] = CLASSES) -> tuple[Reason, ...]:
        """Everything that keeps the draft from being a hero, at once."""
        return why_illegal(self.build, self.companions, classes)
