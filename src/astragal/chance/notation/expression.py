"""A whole notation as a step that can be thrown, weighed and explained; and a roll of it.

Rolling is a hot path, a handful of calls: tuples are made directly, and the breakdown is lazy.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from math import isinf, sqrt
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from astragal.chance.chances import Chance
from astragal.chance.dice import Dice, Fate, Record, Rolled, Tray, chains
from astragal.chance.errors import BadNotation
from astragal.chance.notation.nodes import (
    FATE,
    Again,
    Best,
    Counts,
    Node,
    Pool,
    Span,
    Style,
    pools,
    spell,
    thrower,
    written,
)
from astragal.chance.odds import Odds
from astragal.chance.pictures import Picture
from astragal.wording import capitalised

if TYPE_CHECKING:
    from astragal.chance.drawings import Drawing

# ---------------------------------------------------------------- for people to read

MOST_SHOWN = 30
"""Number of a pool's dice that are written out; the record holds all of them."""


def _fallen(pool: Pool, dice: Iterator[Rolled]) -> str:
    thrown = chains(dice, pool.count, lambda die: die.fate in (Fate.EXPLODED, Fate.REROLLED))
    shown = ", ".join(_chain(pool, dice) for dice in thrown[:MOST_SHOWN])
    hidden = pool.count - MOST_SHOWN
    return shown if hidden <= 0 else f"{shown}, … {hidden:,} more"


def _chain(pool: Pool, dice: Sequence[Rolled]) -> str:
    """One die and those that it brought: 6!+3 exploded, 1→4 was rerolled, (2) was dropped."""
    text = ""
    for die in dice:
        if die.fate is Fate.EXPLODED:
            text += f"{die.face}!+"
        elif die.fate is Fate.REROLLED:
            text += f"{die.face}→"
        else:
            text += str(pool.die.shown(die.face))
            return f"({text})" if die.fate is Fate.DROPPED else text
    return text


def _wanted(wanted: Counts) -> str:
    if wanted.at_least == wanted.at_most:
        return f"just {wanted.at_least}"
    return f"{wanted.at_most} or less" if wanted.at_least is None else f"{wanted.at_least} or more"


def _pool_meaning(pool: Pool) -> str:
    kind = "with the faces -1, 0 and 1" if pool.die == FATE else f"of {pool.die.sides:,} sides"
    dice = f"{pool.count} dice {kind}" if pool.count > 1 else f"one die {kind}"
    if isinstance(pool.gather, Counts):
        wanted = _wanted(pool.gather)
        text = f"how many of {dice} show {wanted}" if pool.count > 1 else f"1 if {dice} shows {wanted}, else 0"
    elif kept := pool.keeps_some:
        many = f" {kept.many}" if kept.many > 1 else ""
        text = f"{'the sum of ' if many else ''}the {kept.which.value}{many} of {dice}"
    else:
        text = f"the sum of {dice}" if pool.count > 1 else dice
    notes = [_again(pool, pool.again)] if pool.again else []
    if pool.bounds:
        ends = ((pool.bounds.low, "less"), (pool.bounds.high, "more"))
        notes.append(" and ".join(f"{which} than {end} counts as {end}" for end, which in ends if end is not None))
    return f"{text} ({'; '.join(notes)})" if notes else text


def _again(pool: Pool, again: Again) -> str:
    low, high = again.faces[0], again.faces[-1]
    if again.added:
        how = "once more and added" if again.once else "again and added, for as long as it shows"
        return f"a {high:,} is rolled {how}" + (", and all of it counts as one die" if pool.gather else "")
    faces = f"a {low:,}" if low == high else f"{low:,} to {high:,}"
    return f"{faces} is rerolled {'once, and the new face stands' if again.once else 'until another face shows'}"


def _best_meaning(node: Best, parts: list[str]) -> str:
    kept = node.which.value if node.many == 1 else f"sum of the {node.which.value} {node.many}"
    return f"the {kept} of these: {'; '.join(parts)}"


PLAIN_WORDS = Style(
    pool=_pool_meaning,
    terms={1: ", plus ", -1: ", minus "},
    minus="minus ",
    factors={"*": " times {}", "/": " divided by {} and rounded down"},
    best=_best_meaning,
    target=lambda node, of: f"1 if this comes to {_wanted(node.wanted)}, else 0: {of}",
)


def reach(span: Span) -> str:
    """The range of the results, as a sentence."""
    if span.low == span.high:
        return f"Always {span.low:,}."
    if isinf(span.low) and isinf(span.high):
        return "It has no least and no greatest result."
    if isinf(span.high):
        return f"At least {span.low:,}, with no upper end."
    if isinf(span.low):
        return f"At most {span.high:,}, with no lower end."
    return f"From {span.low:,} to {span.high:,}."


# ---------------------------------------------------------------- a whole notation

MOST_EXPLOSIONS = 100
MOST_DRAWS = 5_000

_tuple = tuple.__new__


class Expression(Chance[int], Struct, frozen=True, eq=False, dict=True):
    """A whole notation: a step like any other, with an optional label."""

    root: Node
    label: str = ""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Expression):
            return NotImplemented
        return self.root == other.root

    __ne__ = object.__ne__  # a Struct has one of its own, which asks no __eq__

    def __hash__(self) -> int:
        return hash((self.root,))

    @cached_property
    def spelled(self) -> str:
        return spell(self.root)

    @cached_property
    def thrown(self) -> Callable[[Tray], int]:
        return thrower(self.root)

    @cached_property
    def tray(self) -> type[Tray]:
        return PatientTray if any(pool.endless for pool in pools(self.root)) else Tray

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
        """The mean, exact even if dice explode without end."""
        return self._moments()[0]

    def deviation(self) -> float:
        """The standard deviation: how far from the mean a roll usually lies."""
        return sqrt(self._moments()[1])

    @property
    def made_of(self) -> list[Chance[int]]:
        return [pool.step for pool in pools(self.root)]

    def explained(self) -> str:
        """Explain the notation in a sentence or two."""
        meant = written(self.root, PLAIN_WORDS)
        said = f"{self.label}: {meant}" if self.label else capitalised(meant)
        return f"{said}. {reach(self.root.span)}"

    def breakdown(self, rolled: Sequence[Rolled], total: int) -> str:
        """The expression with its dice: `4d6dl1 [6, 3, (1), 4] + 2 = 15`, dropped dice in round brackets."""
        dice = iter(rolled)
        return f"{spell(self.root, lambda pool: f'{pool} [{_fallen(pool, dice)}]')} = {total}"

    def roll(self, dice: Dice) -> "Roll":
        """Throw it once, with every die recorded."""
        tray = self.tray(dice, self.spelled)
        total = self.thrown(tray)
        return _tuple(Roll, (total, tuple(tray.rolled), self))


class Thrown(NamedTuple):
    """A total, every die, and the notation that was rolled."""

    total: int
    rolled: tuple[Rolled, ...]
    expression: Expression


class Roll(Thrown, Picture):
    """Result of rolling a notation, with every die."""

    __slots__ = ()

    @property
    def label(self) -> str:
        """The text after #, if any."""
        return self.expression.label

    @property
    def record(self) -> Record:
        """Every die, as in the record of a question."""
        return Record(self.rolled)

    @property
    def breakdown(self) -> str:
        """The notation with its dice and the total."""
        return self.expression.breakdown(self.rolled, self.total)

    def __str__(self) -> str:
        return self.breakdown

    def drawing(self, title: str = "") -> "Drawing":
        """Drawing of the dice that were thrown, with the result as its title."""
        from astragal.chance.charts import dice

        return dice(self.rolled, title or self.breakdown)


class PatientTray(Tray):
    """Tray for dice that bring others. It refuses dice that can't be fair.

    Nothing is truncated: the odds know no such limit, and fair dice reach it less than once in 2⁹⁰ rolls.
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
