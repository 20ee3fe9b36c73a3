"""An expression thrown once: the total, every die, and how the one came of the others.

This is the hot path: a roll is a handful of calls, so tuples are made directly and the breakdown only when asked for.
"""

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from astragal.chance.dice import Dice, Fate, Record, Rolled, Tray
from astragal.chance.errors import BadNotation
from astragal.chance.notation.expression import Expression
from astragal.chance.notation.grammar import read

if TYPE_CHECKING:
    from astragal.chance.drawings import Drawing

MOST_EXPLOSIONS = 100
MOST_DRAWS = 5_000

_tuple = tuple.__new__


class Roll(NamedTuple):
    """Result of a notation, with every die."""

    total: int
    rolled: tuple[Rolled, ...]
    expression: Expression

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

    def svg(self, title: str = "") -> str:
        """The dice as an SVG file's text."""
        from astragal.chance.drawings import svg

        return svg(self.drawing(title))

    def png(self, title: str = "", *, dark: bool = False) -> bytes:
        """The dice as a PNG file's bytes. Needs the extra `lab`."""
        from astragal.chance.drawings import png

        return png(self.drawing(title), dark=dark)

    def _repr_html_(self) -> str:
        from astragal.chance.drawings import svg

        return svg(self.drawing(), in_a_page=True)


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


@lru_cache(maxsize=1024)
def parse(text: str) -> Expression:
    """The expression that a text spells. `BadNotation` says what can't be read, where, and what was expected.

    >>> from astragal.chance.notation import parse
    >>> str(parse("D20ADV + 5"))
    '2d20kh1 + 5'
    """
    return read(text)


def roll(asked: str | Expression, dice: Dice) -> Roll:
    """Throw it once, with every die recorded.

    >>> from astragal import EnteredDice
    >>> from astragal.chance.notation import roll
    >>> roll("4d6dl1", EnteredDice([3, 1, 6, 4])).breakdown
    '4d6dl1 [3, (1), 6, 4] = 13'
    """
    expression = parse(asked) if isinstance(asked, str) else asked
    tray = PatientTray(dice, expression.spelled) if expression.patient else Tray(dice, expression.spelled)
    total = expression.thrown(tray)
    return _tuple(Roll, (total, tuple(tray.rolled), expression))
