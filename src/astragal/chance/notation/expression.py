"""A whole notation: a step like any other, that can be thrown, weighed and put into words."""

from collections.abc import Callable, Sequence
from dataclasses import field
from fractions import Fraction
from math import sqrt

from astragal.chance.chances import Chance, needs_in_turn
from astragal.chance.dice import Rolled, Tray
from astragal.chance.notation.nodes import Node, pools, thrower
from astragal.chance.notation.words import meaning, reach, with_dice
from astragal.chance.odds import Odds
from astragal.values import frozen


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
        from astragal.chance.notation.weights import weigh

        return weigh(self.root)

    def odds_to(self, end: int) -> Odds[int]:
        from astragal.chance.notation.weights import weigh

        return weigh(self.root, end)

    def mean(self) -> Fraction:
        """The mean, exact even where dice explode without end."""
        return self._moments()[0]

    def deviation(self) -> float:
        """The standard deviation: how far from the mean a roll usually lies."""
        return sqrt(self._moments()[1])

    def _moments(self) -> tuple[Fraction, Fraction]:
        from astragal.chance.notation.weights import moments

        return moments(self.root)

    def needs(self) -> tuple[int, ...]:
        return needs_in_turn(pool.step for pool in pools(self.root))

    @property
    def throws_more(self) -> bool:
        return any(pool.step.throws_more for pool in pools(self.root))

    def explained(self) -> str:
        """Explanation in a sentence or two."""
        meant = meaning(self.root)
        said = f"{self.label}: {meant}" if self.label else meant[0].upper() + meant[1:]
        return f"{said}. {reach(self.root.span)}"

    def breakdown(self, rolled: Sequence[Rolled], total: int) -> str:
        """The expression with its dice: `4d6dl1 [6, 3, (1), 4] + 2 = 15`, dropped ones in round brackets."""
        return f"{with_dice(self.root, rolled)} = {total}"
