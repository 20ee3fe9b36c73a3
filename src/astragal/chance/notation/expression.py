"""A whole notation: a step like any other, that can be thrown, weighed and put into words; and a roll of it.

Rolling is the hot path, a handful of calls: tuples are made directly, and the breakdown only when it is asked for.
"""

from collections.abc import Callable, Sequence
from dataclasses import field
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

from astragal.chance.chances import Chance
from astragal.chance.dice import Dice, Fate, Record, Rolled, Tray
from astragal.chance.errors import BadNotation
from astragal.chance.notation.nodes import Node, pools, thrower
from astragal.chance.notation.words import meaning, reach, with_dice
from astragal.chance.odds import Odds
from astragal.chance.pictures import Picture
from astragal.values import frozen

if TYPE_CHECKING:
    from astragal.chance.drawings import Drawing

MOST_EXPLOSIONS = 100
MOST_DRAWS = 5_000

_tuple = tuple.__new__


@frozen(slots=True)
class Expression(Chance[int]):
    """A whole notation: a step like any other, with a label for people."""

    root: Node
    label: str = field(default="", compare=False)
    spelled: str = field(default="", compare=False)
    patient: bool = field(default=False, compare=False)
    thrown: Callable[[Tray], int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "thrown", thrower(self.root))

    def __str__(self) -> str:
        return self.spelled

    def throw(self, tray: Tray) -> int:
        return self.thrown(tray)

    @property
    def endless(self) -> bool:
        return self.root.span.is_open

    def odds(self) -> Odds[int]:
        return self.odds_to(None)

    def odds_to(self, end: int | None) -> Odds[int]:
        from astragal.chance.notation.weights import weigh

        return weigh(self.root, end)

    def _moments(self) -> tuple[Fraction, Fraction]:
        from astragal.chance.notation.weights import moments

        return moments(self.root)

    def mean(self) -> Fraction:
        """The mean, exact even where dice explode without end."""
        return self._moments()[0]

    def deviation(self) -> float:
        """The standard deviation: how far from the mean a roll usually lies."""
        return sqrt(self._moments()[1])

    @property
    def made_of(self) -> list[Chance[int]]:
        return [pool.step for pool in pools(self.root)]

    def explained(self) -> str:
        """Explanation in a sentence or two."""
        meant = meaning(self.root)
        said = f"{self.label}: {meant}" if self.label else meant[0].upper() + meant[1:]
        return f"{said}. {reach(self.root.span)}"

    def breakdown(self, rolled: Sequence[Rolled], total: int) -> str:
        """The expression with its dice: `4d6dl1 [6, 3, (1), 4] + 2 = 15`, dropped ones in round brackets."""
        return f"{with_dice(self.root, rolled)} = {total}"

    def roll(self, dice: Dice) -> "Roll":
        """Throw it once, with every die recorded."""
        tray = PatientTray(dice, self.spelled) if self.patient else Tray(dice, self.spelled)
        total = self.thrown(tray)
        return _tuple(Roll, (total, tuple(tray.rolled), self))


class Thrown(NamedTuple):
    """A total, every die, and the notation that they came of."""

    total: int
    rolled: tuple[Rolled, ...]
    expression: Expression


class Roll(Thrown, Picture):
    """Result of a notation, with every die."""

    __slots__ = ()

    @property
    def label(self) -> str:
        """The words behind #, if there are any."""
        return self.expression.label

    @property
    def record(self) -> Record:
        """Every die, as a record of a question has them."""
        return Record(self.rolled)

    @property
    def breakdown(self) -> str:
        """How the total came about: the notation with its dice."""
        return self.expression.breakdown(self.rolled, self.total)

    def __str__(self) -> str:
        return self.breakdown

    def drawing(self, title: str = "") -> "Drawing":
        """The dice that were thrown, under what they came to."""
        from astragal.chance.charts import dice

        return dice(self.rolled, title or self.breakdown)


class PatientTray(Tray):
    """A tray for dice that bring others: it gives up on dice that can't be fair.

    Nothing is cut off: the odds know no such limit, and fair dice meet it less than once in 2⁹⁰ rolls.
    """

    __slots__ = ()

    def mark_last(self, fate: Fate) -> None:
        super().mark_last(fate)
        rolled = self.rolled
        if len(rolled) >= MOST_DRAWS:
            raise BadNotation(f"{MOST_DRAWS:,} dice were drawn without an end: these dice are not fair", self.by, 0)
        if len(rolled) < MOST_EXPLOSIONS or rolled[-MOST_EXPLOSIONS].fate is not Fate.EXPLODED:
            return
        if all(die.fate is Fate.EXPLODED for die in rolled[-MOST_EXPLOSIONS:]):
            raise BadNotation(f"a die exploded {MOST_EXPLOSIONS} times: these dice are not fair", self.by, 0)
