"""Four stats, each with a Rating, and a Reserve to draw Focus from. NJ-11, NJ-12."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from typing import Annotated, TypeAlias

from annotated_types import Ge, Le
from typing_extensions import Doc

from astragal.table.seen import Seen
from astragal.values import frozen

LEAST_RATING, MOST_RATING = 1, 10

Rating: TypeAlias = Annotated[int, Ge(LEAST_RATING), Le(MOST_RATING), Doc("NJ-11: dice that the stat always gives")]


class Stat(Enum):
    """NJ-11: which one a roll uses follows from how it is done."""

    MIGHT = "might"
    AGILITY = "agility"
    INTELLECT = "intellect"
    PERSONA = "persona"

    @property
    def title(self) -> str:
        return self.value.capitalize()


@frozen(kw_only=True)
class ByStat:
    """A number for each stat: its Rating, or what is left in its Reserve."""

    might: Annotated[int, Ge(-99), Le(99), Doc("power, endurance, close fighting"), Seen.ALL] = LEAST_RATING
    agility: Annotated[int, Ge(-99), Le(99), Doc("speed, balance, stealth"), Seen.ALL] = LEAST_RATING
    intellect: Annotated[int, Ge(-99), Le(99), Doc("knowledge, perception, technique"), Seen.ALL] = LEAST_RATING
    persona: Annotated[int, Ge(-99), Le(99), Doc("influence, will, deception"), Seen.ALL] = LEAST_RATING

    def __getitem__(self, stat: Stat) -> int:
        number: int = getattr(self, stat.value)
        return number

    def but(self, stat: Stat, number: int) -> ByStat:
        """The same numbers, one of them changed."""
        return replace(self, **{stat.value: number})

    @property
    def total(self) -> int:
        return sum(self[stat] for stat in Stat)


def by_stat(numbers: dict[Stat, int]) -> ByStat:
    return ByStat(**{stat.value: number for stat, number in numbers.items()})


def reserve_capacity(rating: int) -> int:
    """NJ-12: twice the Rating and 5 up to Rating 5, three times the Rating and 2 from there on."""
    return 2 * rating + 5 if rating <= 5 else 3 * rating + 2


def focus_cap(rating: int) -> int:
    """NJ-12: the most points that one roll can take."""
    return rating + 2


def full_reserves(ratings: ByStat) -> ByStat:
    return by_stat({stat: reserve_capacity(ratings[stat]) for stat in Stat})
