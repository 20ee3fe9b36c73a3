"""Random legal heroes. Randomness comes in as a draw from range(n)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import product
from typing import TypeVar

from .accounts import LEAST_ANCHORS, MOST_ANCHORS, Frame, HeroFile
from .anchors import Anchor, Burden, Grade, Scope
from .assets import HEAVY, Asset, Level
from .stats import LEAST_RATING, MOST_RATING, ByStat

T = TypeVar("T")

Draw = Callable[[int], int]
"""Gives one of range(n), each as likely as any other."""

NAMES = ("Aune", "Bastiaan", "Cosima", "Dragan", "Edda", "Farid", "Ginevra", "Hamo", "Ilse", "Jarek", "Keziah", "Luan")
SKILLS = (
    ("Ropes and Ladders", Scope.SPECIFIC),
    ("Old Soldier", Scope.BROAD),
    ("Reads Faces", Scope.BROAD),
    ("Knows Every Alley", Scope.SPECIFIC),
    ("Field Surgeon", Scope.BROAD),
    ("Forger's Hand", Scope.SPECIFIC),
    ("Sea Legs", Scope.BROAD),
    ("Locks and Hinges", Scope.SPECIFIC),
    ("Voice Like a Bell", Scope.BROAD),
    ("Beekeeper", Scope.SPECIFIC),
)
WEAKNESSES = (
    "Owes the Wrong People",
    "Bad Knee",
    "Can't Let It Lie",
    "Afraid of Deep Water",
    "Wanted in Two Towns",
    "Sleeps Too Well",
    "Trusts Nobody",
    "Loud Laugh",
    "Old Grudge",
    "Colour-blind",
)
GEAR = (
    Asset(name="Coil of Rope"),
    Asset(name="Ground Lens", level=Level.QUALITY),
    Asset(name="Boiled Leather", armour=1, tags=(HEAVY,)),
    Asset(name="Hunting Bow", level=Level.QUALITY),
    Asset(name="Doctor's Bag"),
    Asset(name="Grandmother's Fiddle", level=Level.MASTERWORK),
)
ANY_POINTS = Frame(4 * LEAST_RATING, 4 * MOST_RATING)


def random_hero(frame: Frame | None, draw: Draw) -> HeroFile:
    """NJ-11, NJ-16, NJ+01: Ratings uniform over all that are legal; as many Burdens as Anchors."""
    legal = legal_ratings(frame or ANY_POINTS)
    skills = _some(SKILLS, LEAST_ANCHORS + draw(MOST_ANCHORS - LEAST_ANCHORS + 1), draw)
    weaknesses = _some(WEAKNESSES, len(skills), draw)
    return HeroFile(
        name=_one(NAMES, draw),
        ratings=_one(legal, draw),
        anchors=tuple(Anchor(name=name, grade=_one(list(Grade), draw), scope=scope) for name, scope in skills),
        burdens=tuple(Burden(name=name, grade=_one(list(Grade), draw)) for name in weaknesses),
        assets=_some(GEAR, 1 + draw(3), draw),
    )


@lru_cache(maxsize=32)
def legal_ratings(frame: Frame) -> tuple[ByStat, ...]:
    """NJ+01: every set of Ratings that a power level allows."""
    scale = range(LEAST_RATING, MOST_RATING + 1)
    return tuple(
        ByStat(might=might, agility=agility, intellect=intellect, persona=persona)
        for might, agility, intellect, persona in product(scale, repeat=4)
        if frame.holds(might + agility + intellect + persona)
    )


def _one(choices: Sequence[T], draw: Draw) -> T:
    return choices[draw(len(choices))]


def _some(choices: Sequence[T], count: int, draw: Draw) -> tuple[T, ...]:
    """So many different ones, each set as likely as any other."""
    left = list(choices)
    return tuple(left.pop(draw(len(left))) for _ in range(count))
