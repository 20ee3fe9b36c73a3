"""Simulate fights by the million: draw the solved steps of a duel from tables, in arrays."""

from concurrent.futures import ThreadPoolExecutor
from math import sqrt

import numpy as np

from astragal.lab.solving import Flow
from astragal.lab.turns import Array
from astragal.table.declarations import Value

PIECE = 1 << 15
"""Duels that are simulated side by side: as many as fit into a processor's cache."""
TURNS = 4
"""Turns after which duels that are over are removed."""


class Simulated(Value):
    """Share of duels that the first side won, and its uncertainty."""

    duels: int
    wins: float

    @property
    def sigma(self) -> float:
        """Standard deviation of the share."""
        return sqrt(self.wins * (1 - self.wins) / self.duels)


class Tables:
    """Alias tables of the steps between states: one draw finds the next state, however many there are."""

    def __init__(self, flow: Flow) -> None:
        origins, leads, chances = flow.steps
        states, rows = np.unique(origins, return_inverse=True)
        ends = np.setdiff1d(leads, states)
        self._place = {int(state): place for place, state in enumerate([*states, *ends])}
        self.going = len(states)
        places: Array = np.searchsorted(states, leads)
        is_end = ~np.isin(leads, states)
        places[is_end] = self.going + np.searchsorted(ends, leads[is_end])
        self.wide = int(np.bincount(rows).max())
        count = self.going + len(ends)
        self.cut = np.ones((count, self.wide), dtype=np.float32)
        self.leads = np.empty((count, self.wide, 2), dtype=np.int32)
        self.leads[:] = np.arange(count)[:, None, None]
        order = np.argsort(rows, kind="stable")
        for row, part in enumerate(np.split(order, np.flatnonzero(np.diff(rows[order])) + 1)):
            self._alias(row, places[part], chances[part])
        grid = flow.fight.count
        self.won = flow.fight.stands[0, ends % grid]
        start = flow.fight.place(flow.fight.start)
        self.starts = [self._place.get(start + grid * acts) for acts in flow.fight.first]

    def _alias(self, row: int, places: Array, chances: Array) -> None:
        """Fill columns by Vose's method: of equal width, each of one or two outcomes."""
        wide = self.wide
        scaled = np.zeros(wide)
        scaled[: len(places)] = chances / chances.sum() * wide
        leads = np.full(wide, places[0], dtype=np.int32)
        leads[: len(places)] = places
        self.leads[row] = leads[:, None]
        small = [one for one in range(wide) if scaled[one] < 1]
        large = [one for one in range(wide) if scaled[one] >= 1]
        while small and large:
            less, more = small.pop(), large[-1]
            self.cut[row, less], self.leads[row, less, 1] = scaled[less], leads[more]
            scaled[more] -= 1 - scaled[less]
            if scaled[more] < 1:
                small.append(large.pop())

    def play(self, duels: int, seed: int, acts: int) -> int:
        """Simulate duels turn by turn, side by side; returns how many the first side won."""
        start = self.starts[acts]
        if start is None:
            raise ValueError("this side never acts first in the fight that was solved")
        dice = np.random.default_rng(seed)
        cut, leads, wide = self.cut.ravel(), self.leads.ravel(), np.float32(self.wide)
        now = np.full(duels, start, dtype=np.int32)
        won = 0
        while len(now):
            for _ in range(TURNS):  # duels that are over don't change
                draw = dice.random(len(now), dtype=np.float32)
                draw *= wide
                column = draw.astype(np.int32)
                draw -= column
                now *= self.wide
                now += column
                beyond = draw >= cut.take(now)
                now *= 2
                now += beyond
                now = leads.take(now)
            over = now >= self.going
            won += int(self.won[now[over] - self.going].sum())
            now = now[~over]
        return won


def simulate(flow: Flow, duels: int, seed: int, *, acts: int = 0, threads: int = 1) -> Simulated:
    """Simulate a solved duel under the same plays, to check its chances.

    The work is cut into the same pieces for any number of threads, so the same seed gives the same result.
    """
    tables = Tables(flow)
    pieces = [min(PIECE, duels - begin) for begin in range(0, duels, PIECE)]
    seeds = np.random.SeedSequence(seed).generate_state(len(pieces)).tolist()
    with ThreadPoolExecutor(threads) as pool:
        won = pool.map(lambda piece: tables.play(piece[0], piece[1], acts), zip(pieces, seeds, strict=True))
        return Simulated(duels=duels, wins=sum(won) / duels)
