"""Best play as something that a person reads: when to spend, and how far down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from astragal.chance.charts import heat_map
from astragal.chance.drawings import Drawing
from astragal.table.fields.values import Value

from .solving import Fight, Played
from .turns import Array, Decisions, Turn

MOSTLY = 0.5
SELDOM = 0.02


class Spending(Value):
    """How often one side spends in one kind of case: by what it holds and by what the cheapest change costs."""

    side: int
    acting: bool
    decisive: bool
    """Whether it would end the fight: a blow that fells, or one that would fell oneself."""
    held: int
    price: int
    asked: float
    """How often this comes up in a fight."""
    taken: float
    """How often of these something is spent."""
    keeps: int
    """What is left after such a spend, on average."""


class SpendingCount:
    """Counts the decisions that a fight meets, turn by turn."""

    def __init__(self, fight: Fight) -> None:
        self._fight, self._most = fight, max(sum(left[1:]) for left in fight.start) + 1
        self._counted = np.zeros((3, 2, 2, 2, self._most, self._most))
        """Asked, taken and paid; by side, whether it acts, whether it is decisive, what is held, and the price."""
        self._known: dict[int, tuple[Array, list[Array]]] = {}

    def count(self, played: Played) -> None:
        acts, target, turn, places, nodes, reached = played
        fight, most = self._fight, self._most
        harm, costs = self._ends(turn)
        health = fight.health[target, places]
        start = len(turn.effects)
        for layer in turn.layers:
            rows = slice(start, start + layer.count)
            start += layer.count
            if not isinstance(layer, Decisions):
                continue
            who = acts if layer.attacker else target
            side = fight.side[who]
            held = fight.left[who * fight.width + 1 : (who + 1) * fight.width, places].sum(axis=0)
            known = costs[0 if layer.attacker else 1]
            least = known[layer.options].min(axis=1, keepdims=True)
            cost = known[layer.options] - least
            price = _cheapest(cost, harm[layer.options], most)
            paid = known[layer.chosen(nodes)[1]] - least
            fells = harm[layer.options].max(axis=1)[:, None] >= health
            weight = np.where(price[:, None] <= held, reached[rows], 0)
            here = (side, int(layer.attacker), fells.astype(int), held[None, :], np.minimum(price, most - 1)[:, None])
            for number, amount in enumerate((weight, weight * (paid > 0), weight * paid)):
                np.add.at(self._counted[number], here, amount)

    def _ends(self, turn: Turn) -> tuple[Array, list[Array]]:
        """The most harm that each node of a turn can still come to, and the least that either side pays."""
        if id(turn) not in self._known:
            harm = turn.furthest([one.theirs[0] for one in turn.effects], np.max)
            costs = [turn.furthest([sum(one[number][1:]) for one in turn.effects], np.min) for number in (0, 1)]
            self._known[id(turn)] = harm, costs
        return self._known[id(turn)]

    def found(self) -> list[Spending]:
        """Every kind of decision that was met, of both sides."""
        asked, taken, paid = self._counted
        return [
            Spending(
                side=side,
                acting=bool(acting),
                decisive=bool(decisive),
                held=held,
                price=price,
                asked=asked[where],
                taken=taken[where] / asked[where],
                keeps=held - round(paid[where] / taken[where]) if taken[where] else held,
            )
            for where in zip(*(axis.tolist() for axis in np.nonzero(asked)), strict=True)
            for side, acting, decisive, held, price in (where,)
        ]


def _cheapest(cost: Array, harm: Array, most: int) -> Array:
    """For each decision the least that has to be spent for a blow to do more; else the least that can be spent."""
    unspent = np.take_along_axis(harm, np.argmin(cost, axis=1)[:, None], axis=1)
    deeper = np.where((cost > 0) & (harm > unspent), cost, most).min(axis=1)
    return np.where(deeper < most, deeper, np.where(cost > 0, cost, most).min(axis=1))


def sentences(found: Sequence[Spending], name: str) -> Iterator[str]:
    """The policy of a side: what it spends on, and how much it keeps."""
    cases = {
        (True, True): "Attacking, where the blow can end the fight",
        (True, False): "Attacking, where it can't",
        (False, True): "Defending, where the blow would end it",
        (False, False): "Defending, where it would not",
    }
    for case, words in cases.items():
        mine = [one for one in found if (one.acting, one.decisive) == case]
        asked = sum(one.asked for one in mine)
        if not asked:
            continue
        taken = sum(one.asked * one.taken for one in mine) / asked
        usual = [one for one in mine if one.taken >= MOSTLY]
        if taken < SELDOM or not usual:
            rare = "never" if taken < SELDOM else f"seldom ({taken:.0%})"
            yield f"{words}: spend {rare}."
            continue
        dearest, least = max(one.price for one in usual), min(one.keeps for one in usual)
        down = f"down to {least}" if least else "to the last"
        much = sum(one.asked * one.taken * (one.held - one.keeps) for one in mine) / (taken * asked)
        limit = f"where it takes {dearest} or less" if dearest > 1 else f"about {much:.1f} at a time"
        yield f"{words}: spend {name} {down}, {limit} ({taken:.0%} of the time)."


def chart(found: Sequence[Spending], acting: bool, name: str) -> Drawing | None:
    """A heat map of when to spend: what is held across, what it takes down; a case that never comes up has no cell."""
    cells: dict[tuple[int, int], list[Spending]] = {}
    for one in found:
        if one.acting == acting:
            cells.setdefault((one.price, one.held), []).append(one)
    if not cells:
        return None
    shares = {}
    for cell, some in cells.items():
        often = sum(one.asked * one.taken for one in some) / sum(one.asked for one in some)
        shares[cell] = Fraction(often).limit_denominator(1000)
    prices, held = (sorted(set(numbers)) for numbers in zip(*cells, strict=True))
    title = f"When to spend {name} to {'hit' if acting else 'hold'}"
    return heat_map((f"{name} held", held), ("it takes", prices), shares, title, are_chances=True)
