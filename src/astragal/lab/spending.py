"""Spending in a fight: what best play spends on, counted over a solved fight, in sentences and as a chart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple, Self

import numpy as np

from astragal.chance import charts, drawings
from astragal.lab.solving import Fight, Played
from astragal.lab.turns import Array, Decisions, Turn
from astragal.table.declarations import Value

MOSTLY = 0.5
SELDOM = 0.02


class Spending(Value):
    """Spending of one side in one kind of case: by what it holds and by what the cheapest change costs."""

    side: int
    acting: bool
    decisive: bool
    """True if it would end the fight: a blow that fells, or one that would fell the side that decides."""
    held: int
    price: int
    asked: float
    """Number of times that this comes up in a fight."""
    taken: float
    """Share of these cases in which something is spent."""
    keeps: int
    """Average left after such a spend."""


class SpendingCount:
    """Counts the decisions that a fight meets, turn by turn."""

    def __init__(self, fight: Fight) -> None:
        self._fight = fight
        self._most = max(sum(left[1:]) for left in fight.start) + 1
        """More than anyone can hold or pay."""
        self._counts = np.zeros((3, 2, 2, 2, self._most, self._most))
        """Asked, taken and paid, by side, whether it acts, whether it is decisive, what is held, and the price."""
        self._ends_by_turn: dict[int, TurnEnds] = {}
        """Cache: a turn is met in many places. It ends with the count."""

    def count(self, played: Played) -> None:
        """Count the decisions of one turn."""
        turn = played.turn
        ends = self._ends(turn)
        start = len(turn.effects)
        for layer in turn.layers:
            if isinstance(layer, Decisions):
                self._count_layer(played, ends, layer, played.reached[start : start + layer.count])
            start += layer.count

    def _count_layer(self, played: Played, ends: TurnEnds, layer: Decisions, reached: Array) -> None:
        """Count one side's decisions. Arrays have a row for each decision, and a column for each place or option."""
        fight = self._fight
        fighter = played.acts if layer.attacker else played.target
        side = fight.side[fighter]
        numbers = slice(fighter * fight.width + 1, (fighter + 1) * fight.width)
        held = fight.left[numbers, played.places].sum(axis=0)

        harm = ends.harm[layer.options]
        least_paid = ends.paid_by_attacker if layer.attacker else ends.paid_by_defender
        cheapest = least_paid[layer.options].min(axis=1, keepdims=True)
        cost = least_paid[layer.options] - cheapest
        price = self._prices(cost, harm)
        paid = least_paid[layer.chosen(played.nodes)[1]] - cheapest

        is_decisive = harm.max(axis=1)[:, None] >= fight.health[played.target, played.places]
        asked = np.where(price[:, None] <= held, reached, 0)
        price_index = np.minimum(price, self._most - 1)[:, None]
        cell = (side, int(layer.attacker), is_decisive.astype(int), held[None, :], price_index)
        for number, amount in enumerate((asked, asked * (paid > 0), asked * paid)):
            np.add.at(self._counts[number], cell, amount)

    def _prices(self, cost: Array, harm: Array) -> Array:
        """Return the least that has to be spent for a blow to do more; else the least that can be spent."""
        harm_unspent = np.take_along_axis(harm, np.argmin(cost, axis=1)[:, None], axis=1)
        least_for_more_harm = np.where((cost > 0) & (harm > harm_unspent), cost, self._most).min(axis=1)
        least_spend = np.where(cost > 0, cost, self._most).min(axis=1)
        return np.where(least_for_more_harm < self._most, least_for_more_harm, least_spend)

    def _ends(self, turn: Turn) -> TurnEnds:
        if id(turn) not in self._ends_by_turn:
            self._ends_by_turn[id(turn)] = TurnEnds.of(turn)
        return self._ends_by_turn[id(turn)]

    def found(self) -> list[Spending]:
        """Return every kind of decision that was met, of both sides."""
        asked, taken, paid = self._counts
        spending = []
        for cell in np.argwhere(asked).tolist():
            index = tuple(cell)
            side, acting, decisive, held, price = cell
            keeps = held
            if taken[index]:
                keeps = held - round(paid[index] / taken[index])
            spending.append(
                Spending(
                    side=side,
                    acting=bool(acting),
                    decisive=bool(decisive),
                    held=held,
                    price=price,
                    asked=asked[index],
                    taken=taken[index] / asked[index],
                    keeps=keeps,
                )
            )
        return spending


class TurnEnds(NamedTuple):
    """What each node of a turn can still come to: the most harm, and the least that each side pays."""

    harm: Array
    paid_by_attacker: Array
    paid_by_defender: Array

    @classmethod
    def of(cls, turn: Turn) -> Self:
        harm = [effect.theirs[0] for effect in turn.effects]
        paid_by_attacker = [sum(effect.mine[1:]) for effect in turn.effects]
        paid_by_defender = [sum(effect.theirs[1:]) for effect in turn.effects]
        return cls(
            turn.furthest(harm, np.max),
            turn.furthest(paid_by_attacker, np.min),
            turn.furthest(paid_by_defender, np.min),
        )


def sentences(spending: Sequence[Spending], name: str) -> Iterator[str]:
    """Describe the policy of a side in sentences: what it spends on, and how much it keeps."""
    words_by_case = {
        (True, True): "Attacking, where the blow can end the fight",
        (True, False): "Attacking, where it can't",
        (False, True): "Defending, where the blow would end it",
        (False, False): "Defending, where it would not",
    }
    for case, words in words_by_case.items():
        cells = [cell for cell in spending if (cell.acting, cell.decisive) == case]
        asked = sum(cell.asked for cell in cells)
        if not asked:
            continue
        share = _share_taken(cells)
        usual_cells = [cell for cell in cells if cell.taken >= MOSTLY]
        if share < SELDOM:
            yield f"{words}: spend never."
        elif not usual_cells:
            yield f"{words}: spend seldom ({share:.0%})."
        else:
            dearest = max(cell.price for cell in usual_cells)
            least_kept = min(cell.keeps for cell in usual_cells)
            how_far = f"down to {least_kept}" if least_kept else "to the last"
            if dearest > 1:
                limit = f"where it takes {dearest} or less"
            else:
                spent = sum(cell.asked * cell.taken * (cell.held - cell.keeps) for cell in cells)
                limit = f"about {spent / (share * asked):.1f} at a time"
            yield f"{words}: spend {name} {how_far}, {limit} ({share:.0%} of the time)."


def _share_taken(cells: Sequence[Spending]) -> float:
    """Return the share of all these cases in which something is spent."""
    return sum(cell.asked * cell.taken for cell in cells) / sum(cell.asked for cell in cells)


def chart(spending: Sequence[Spending], acting: bool, name: str) -> drawings.Drawing | None:
    """Draw a heat map of when to spend: what is held across, what it takes down. Unmet cases have no cell."""
    cases_by_place: dict[tuple[int, int], list[Spending]] = {}
    for case in spending:
        if case.acting == acting:
            cases_by_place.setdefault((case.price, case.held), []).append(case)
    if not cases_by_place:
        return None
    shares = {}
    for place, cases in cases_by_place.items():
        shares[place] = Fraction(_share_taken(cases)).limit_denominator(1000)
    prices = sorted({price for price, _ in cases_by_place})
    amounts_held = sorted({held for _, held in cases_by_place})
    title = f"When to spend {name} to {'hit' if acting else 'hold'}"
    return charts.heat_map((f"{name} held", amounts_held), ("it takes", prices), shares, title, are_chances=True)
