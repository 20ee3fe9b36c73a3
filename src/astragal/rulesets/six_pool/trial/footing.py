"""Advantage and disadvantage. SP-10."""

from __future__ import annotations

from enum import Enum
from itertools import combinations_with_replacement

from astragal.chance import Chance, Odds, Tray, d20, highest, lowest
from astragal.values import frozen


class Footing(Enum):
    """How one stands: with the higher of two dice, one die, or the lower of two."""

    ADVANTAGE = "advantage"
    LEVEL = "level"
    DISADVANTAGE = "disadvantage"

    def die(self) -> Chance[int]:
        """SP-10: advantage keeps the higher of two dice, disadvantage the lower."""
        match self:
            case Footing.ADVANTAGE:
                return highest(2, d20)
            case Footing.DISADVANTAGE:
                return lowest(2, d20)
            case Footing.LEVEL:
                return d20

    def kept(self, dice: tuple[int, ...]) -> int:
        """Which of the dice counts."""
        return min(dice) if self is Footing.DISADVANTAGE else max(dice)


def footing(*, helped: bool, hindered: bool) -> Footing:
    """SP-10: any number of sources of one kind are one; any number of both cancel to one die."""
    if helped == hindered:
        return Footing.LEVEL
    return Footing.ADVANTAGE if helped else Footing.DISADVANTAGE


@frozen(slots=True)
class AllDice(Chance[tuple[int, ...]]):
    """The die, or both of them, higher first: for whoever may still choose one to reroll."""

    footing: Footing

    def throw(self, tray: Tray) -> tuple[int, ...]:
        start = len(tray.rolled)
        thrown = tray.draw_all(len(self.needs()), 20)
        if len(thrown) == 2:
            dropped = start + thrown.index(min(thrown) if self.footing is Footing.ADVANTAGE else max(thrown))
            tray.drop((dropped,))
        return tuple(sorted(thrown, reverse=True))

    def odds(self) -> Odds[tuple[int, ...]]:
        if self.footing is Footing.LEVEL:
            return Odds.uniform((face,) for face in range(1, 21))
        pairs = combinations_with_replacement(range(20, 0, -1), 2)
        return Odds({pair: 1 if pair[0] == pair[1] else 2 for pair in pairs}, 400)

    def needs(self) -> tuple[int, ...]:
        return (20,) if self.footing is Footing.LEVEL else (20, 20)
