"""Fights solved: the value of every state under best play or fixed policies, and where it leads.

A state is what both sides have left, and who acts. A fight only ever takes, so states are solved from the emptiest up,
all of a level at once. Only a turn that changes nothing leads back: two states, the same but for who acts, are solved
together. The same steps run in floating point, and in fractions where there are few enough states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from fractions import Fraction
from functools import cached_property, lru_cache
from math import prod
from typing import Any, NamedTuple

import numpy as np

from astragal.chance import Offer, Question, decline
from astragal.table.authoring.duels import Duel, Left, Takes
from astragal.table.refusals import Refusal

from .turns import Array, Chance, Turn, compiled, decided

MOST_STATES = 600_000
MOST_AT_ONCE = 1024
"""States that are calculated in one array, so that it stays small."""
FEW_STATES = 200
"""Up to so many, fractions are no burden: their denominators grow with the number of states."""
MOST_SWEEPS = 200
CLOSE = 1e-12
"""Sweeps end where values change less: the next would leave rounding alone."""


class Play(Enum):
    """How a side decides."""

    DECLINE = "decline"
    """Never spends."""
    GREEDY = "greedy"
    """Takes the game's usual spend whenever it is offered."""
    BEST = "best"
    """Wins as often as it can."""


class TooManyStates(Refusal):
    code = "too_many_states"


Sides = tuple[Any, Any]
Plays = tuple[Play, Play]


class Fight:
    """A grid of states, and for each the compiled turn of whoever acts."""

    def __init__(self, duel: Duel, options: Any, sides: Sides, plays: Plays, most_states: int = MOST_STATES) -> None:
        self.duel, self.options, self.sides, self.plays = duel, options, sides, plays
        self.start = duel.left(sides[0]), duel.left(sides[1])
        self._spare = np.array([*_never_spent(self.start[0], plays[0]), *_never_spent(self.start[1], plays[1])])
        """Numbers that stay as they are, and are no part of the grid."""
        self.shape = tuple((np.array([*self.start[0], *self.start[1]]) - self._spare + 1).tolist())
        self.count = prod(self.shape)
        if 2 * self.count > most_states:
            raise TooManyStates(f"This fight has {2 * self.count:,} states, and {most_states:,} are solved at most.")
        self.left = np.stack(np.unravel_index(np.arange(self.count), self.shape))
        """What is left in each place of the grid: the numbers of the first side, then those of the second."""
        self.width = len(self.start[0])
        self._strides = np.array([prod(self.shape[axis + 1 :]) for axis in range(len(self.shape))])
        self._turns: dict[Any, Turn] = {}
        self._hurt: dict[tuple[int, int], Array] = {}

    @property
    def is_mirrored(self) -> bool:
        """Are both sides the same? Then what one does when it acts, the other does too."""
        return bool(self.sides[0] == self.sides[1] and self.plays[0] == self.plays[1])

    def mirrored(self, places: Array) -> Array:
        """The places where the sides have changed places."""
        left = self.left[:, places]
        return self._strides @ np.concatenate([left[self.width :], left[: self.width]])

    def place(self, left: tuple[Left, Left]) -> int:
        return int(self._strides @ (np.array([*left[0], *left[1]]) - self._spare))

    def lefts(self, place: int) -> tuple[Left, Left]:
        numbers = (self.left[:, place] + self._spare).tolist()
        return tuple(numbers[: self.width]), tuple(numbers[self.width :])

    @cached_property
    def levels(self) -> list[Array]:
        """Places where both stand, by the sum of what is left, the least first."""
        both_up = np.flatnonzero((self.left[0] > 0) & (self.left[self.width] > 0))
        weights = self.left[:, both_up].sum(axis=0)
        order = np.argsort(weights, kind="stable")
        return np.split(both_up[order], np.flatnonzero(np.diff(weights[order])) + 1)

    def turn(self, acts: int, place: int) -> Turn:
        """The compiled turn at a place of the grid."""
        left = self.lefts(place)
        mine, theirs = left[acts], left[1 - acts]
        if self._is_nested:
            mine, theirs = (mine[0], *self.start[acts][1:]), (theirs[0], *self.start[1 - acts][1:])
        plays = self.plays[acts], self.plays[1 - acts]
        question = self.duel.turn(self.options, self.sides[acts], self.sides[1 - acts], mine, theirs)
        known = self._turns.get((question, plays))
        if known is None:
            known = self._turns[question, plays] = compiled_turn(self.duel, question, *plays)
        return known

    @property
    def _is_nested(self) -> bool:
        return self.duel.nested and Play.GREEDY not in self.plays

    def batches(self, acts: int, places: Array) -> Iterator[tuple[Array, Turn]]:
        """Positions among the places, by their turn."""
        alike = places
        if self._is_nested:  # what can be spent makes no other turn
            alike = self.left[0, places] * self.shape[self.width] + self.left[self.width, places]
        _, firsts, kinds = np.unique(alike, return_index=True, return_inverse=True)
        turns = [self.turn(acts, place) for place in places[firsts].tolist()]
        different = list(dict.fromkeys(map(id, turns)))
        numbers = np.array([different.index(id(turn)) for turn in turns])[kinds]
        for number, which in enumerate(different):
            turn = next(turn for turn in turns if id(turn) == which)
            positions = np.flatnonzero(numbers == number)
            for begin in range(0, len(positions), MOST_AT_ONCE):
                yield positions[begin : begin + MOST_AT_ONCE], turn

    def next(self, acts: int, places: Array, turn: Turn) -> tuple[Array, Array, Array]:
        """Where each effect (rows) leads from each place, and whether who acts, and the other, could not pay for it."""
        width, left = self.width, self.left[:, places]
        now = left[:width], left[width:]
        takes = np.array([[*one.mine, *one.theirs] for one in turn.effects])
        parts: list[Array] = [None, None]
        unpaid = []
        for number, side in enumerate((acts, 1 - acts)):
            loss = takes[:, number * width : (number + 1) * width]
            after = now[side][:, None, :] - loss.T[:, :, None]
            after[0] = self._hurts(side, int(loss[:, 0].max()))[loss[:, 0][:, None], now[side][0][None, :]]
            unpaid.append((after < 0).any(axis=0))
            parts[side] = after
        leads = np.tensordot(self._strides, np.maximum(np.concatenate(parts), 0), axes=1)
        return leads, unpaid[0], unpaid[1] & ~unpaid[0]

    def after(self, acts: int, left: tuple[Left, Left], takes: Takes) -> tuple[Left, Left]:
        """What both have left after a turn."""
        both = []
        for side, losses in ((0, takes[acts]), (1, takes[1 - acts])):
            health = self.duel.hurt(self.sides[side], left[side][0], losses[0])
            both.append((health, *(now - loss for now, loss in zip(left[side][1:], losses[1:], strict=True))))
        return both[0], both[1]

    def _hurts(self, side: int, most: int) -> Array:
        """Where harm (rows) leaves the first number (columns) of a side."""
        if (side, most) not in self._hurt:
            hurt, fighter = self.duel.hurt, self.sides[side]
            numbers = range(self.start[side][0] + 1)
            self._hurt[side, most] = np.array(
                [[hurt(fighter, now, harm) for now in numbers] for harm in range(most + 1)]
            )
        return self._hurt[side, most]


@lru_cache(maxsize=512)
def compiled_turn(duel: Duel, question: Question[Any], attacker: Play, defender: Play) -> Turn:
    """A turn, compiled. Cached: fights that differ in one number have many turns in common."""

    def policy(offer: Offer[Any]) -> Any:
        play = attacker if offer.side == "attacker" else defender
        return decline(offer) if play is Play.DECLINE else duel.greedy(offer)

    def answers(offer: Offer[Any]) -> Sequence[Any]:
        play = attacker if offer.side == "attacker" else defender
        return duel.considers(offer) if play is Play.BEST else (policy(offer),)

    if Play.BEST not in (attacker, defender):
        return decided(question, duel.takes, policy)
    return compiled(question, duel.takes, answers)


def _never_spent(start: Left, play: Play) -> Left:
    """What a side that spends nothing holds all the time."""
    return (0, *start[1:]) if play is Play.DECLINE else (0,) * len(start)


class Solved:
    """Values of all states: the chance that the first side wins; a fight that never ends counts as half won."""

    def __init__(self, fight: Fight, *, exact: bool = False) -> None:
        self.fight, self.exact = fight, exact
        zero: Any = Fraction(0) if exact else 0.0
        self.values = np.full((2, fight.count), zero, dtype=object if exact else float)
        self.values[:, fight.left[0] > 0] += 1
        self._half = zero + Fraction(1, 2) if exact else 0.5
        guess = np.vectorize(Fraction, otypes=[object])(Solved(fight).values) if exact else None
        self._most_turns, self._open, self._terms = 0.0, 0.0, 1
        for places in fight.levels:
            self._solve(places, guess)

    def value(self, acts: int, left: tuple[Left, Left] | None = None) -> Any:
        """Chance that the first side wins from the start, or with so much left, where this side acts next."""
        return self.values[acts, self.fight.place(left or self.fight.start)]

    def _solve(self, places: Array, guess: Array | None) -> None:
        """Policy iteration: choose by the values, solve the pairs for these choices, until nothing changes."""
        values, fight = self.values, self.fight
        values[:, places] = values[:, np.maximum(places - 1, 0)] if guess is None else guess[:, places]
        sides = (0,) if fight.is_mirrored else (0, 1)
        batches = [_Batch(fight, acts, places, *batch) for acts in sides for batch in fight.batches(acts, places)]
        self._note(batches, len(places))
        fixed, stays = np.empty((2, 2, len(places)), dtype=values.dtype)
        mirror = (
            np.argsort(places)[np.searchsorted(np.sort(places), fight.mirrored(places))] if len(sides) == 1 else None
        )
        for _ in range(MOST_SWEEPS):
            before = values[:, places].copy()
            for batch in batches:
                fixed[batch.acts, batch.positions], stays[batch.acts, batch.positions] = batch.line(values)
            if mirror is not None:
                fixed[1], stays[1] = 1 - fixed[0, mirror] - stays[0, mirror], stays[0, mirror]
            for acts in (0, 1):
                open_end = 1 - stays[0] * stays[1]
                never = open_end == 0
                solved = (fixed[acts] + stays[acts] * fixed[1 - acts]) / np.where(never, 1, open_end)
                values[acts, places] = np.where(never, self._half, solved)
            change = abs(values[:, places] - before)
            if not (change > (0 if self.exact else CLOSE)).any():
                self._open = max(self._open, float(change.max()))
                return

    def _note(self, batches: Sequence[_Batch], count: int) -> None:
        """Keep what bounds the error: how long a level can hold the fight up, and the terms of its sums."""
        stays = np.zeros((2, count))
        for batch in batches:
            stays[batch.acts, batch.positions] = batch.turn.most(batch.stays.astype(float))
            sums = (layer.weights.shape[1] for layer in batch.turn.layers if isinstance(layer, Chance))
            self._terms = max(self._terms, *sums)
        slowest = stays.max() ** 2
        self._most_turns += 2 / (1 - slowest) if slowest < 1 else float("inf")

    @cached_property
    def bound(self) -> float:
        """How far a value can be from the exact one: what rounding and the last sweep leave open in a turn, for as many
        turns as a fight can be expected to take at most, whatever anybody decides.
        """
        return 0.0 if self.exact else (2 * self._open + self._terms * float(np.finfo(float).eps)) * self._most_turns

    # ---------------------------------------------------------------- where it leads

    def flow(self, begin: tuple[Any, Any], watch: Callable[[Played], None] | None = None) -> Flow:
        """Follow a fight from its start, with the chances that each side acts first, to its ends.

        `watch` is told of every turn on the way.
        """
        fight = self.fight
        met = np.zeros_like(self.values)
        met[:, fight.place(fight.start)] = begin
        rows: list[Array] = []
        for places in reversed(fight.levels):
            places = places[(met[:, places] != 0).any(axis=0)]  # noqa: PLW2901 - those that are ever met
            if not len(places):
                continue
            batches = [_Batch(fight, acts, places, *one) for acts in (0, 1) for one in fight.batches(acts, places)]
            laid_out = [batch.laid_out(self.values) for batch in batches]
            shares = [reached[: len(batch.turn.effects)] for batch, (_, reached) in zip(batches, laid_out, strict=True)]
            stays = np.zeros((2, len(places)), dtype=met.dtype)
            for batch, share in zip(batches, shares, strict=True):
                stays[batch.acts, batch.positions] = (share * batch.stays).sum(axis=0)
            open_end = 1 - stays[0] * stays[1]
            inflow = met[:, places]
            often = (inflow + inflow[::-1] * stays[::-1]) / np.where(open_end == 0, 1, open_end)
            met[:, places] = np.where(open_end == 0, 0, often)
            for batch, (nodes, reached) in zip(batches, laid_out, strict=True) if watch else ():
                mine = places[batch.positions]
                often_here = (reached * met[batch.acts, mine]).astype(float)
                watch(Played(batch.acts, batch.turn, mine, nodes, often_here))  # type: ignore[misc]
            for batch, share in zip(batches, shares, strict=True):
                mine = places[batch.positions]
                effects, columns = np.nonzero(share * ~batch.off)
                leads, chance = batch.next[effects, columns], share[effects, columns]
                on = leads != mine[columns]
                np.add.at(met[1 - batch.acts], leads[on], (met[batch.acts, mine[columns]] * chance)[on])
                rows.append(
                    np.stack([mine[columns] + fight.count * batch.acts, leads + fight.count * (1 - batch.acts), chance])
                )
        return Flow(fight, met, np.concatenate(rows, axis=1) if rows else np.zeros((3, 0)), begin)


class Played(NamedTuple):
    """A turn that a fight meets in some places: which of its nodes are reached how often in a fight."""

    acts: int
    turn: Turn
    places: Array
    nodes: Array
    reached: Array


class Flow:
    """How often each state is met, and every step between those that are."""

    def __init__(self, fight: Fight, met: Array, steps: Array, begin: tuple[Any, Any]) -> None:
        self.fight, self.met, self._steps, self._begin = fight, met, steps, begin

    @property
    def steps(self) -> tuple[Array, Array, Array]:
        """Every step: the state it starts from, the state it leads to, its chance. A state is its place, those in which
        the second side acts counted on.
        """
        origins, leads = self._steps[:2].astype(np.int64)
        return origins, leads, self._steps[2].astype(float)

    @property
    def turns(self) -> Any:
        """Turns that the fight is expected to take."""
        return sum(self.met[:, places].sum() for places in self.fight.levels)

    def ends(self) -> Iterator[tuple[tuple[Left, Left], Any]]:
        """What both have left in the end, with its chance."""
        is_over = (self.fight.left[0] == 0) | (self.fight.left[self.fight.width] == 0)
        chances = self.met.sum(axis=0)
        for place in np.flatnonzero(is_over & (chances != 0)).tolist():
            yield self.fight.lefts(place), chances[place]

    def ends_by_turn(self, most: int = 400, rest: float = 1e-9) -> list[float]:
        """Chance that the fight ends with its first turn, its second …, until hardly any goes on."""
        count, begin = 2 * self.fight.count, self.fight.place(self.fight.start)
        origins, leads, chances = self.steps
        now = np.zeros(count)
        now[begin], now[begin + self.fight.count] = map(float, self._begin)
        goes_on = np.zeros(count, dtype=bool)
        goes_on[origins] = True
        ended: list[float] = []
        while len(ended) < most and now.sum() > rest:
            now = np.bincount(leads, chances * now[origins], minlength=count)
            ended.append(float(now[~goes_on].sum()))
            now[~goes_on] = 0
        return ended


class _Batch:
    """States of one level in which one side acts and has the same turn."""

    def __init__(self, fight: Fight, acts: int, places: Array, positions: Array, turn: Turn) -> None:
        self.acts, self.turn, self.positions = acts, turn, positions
        mine = places[positions]
        self.next, self.unpaid, self.unpaid_by_them = fight.next(acts, mine, turn)
        self.off = self.unpaid | self.unpaid_by_them
        self.stays = (self.next == mine) & ~self.off
        self._partners = mine

    def worth(self, values: Array) -> Array:
        """Value of each effect to the side that acts; what can't be paid is never chosen."""
        worth = values[1 - self.acts][self.next]
        if self.acts:
            worth = 1 - worth
        worth[self.unpaid] = -np.inf
        worth[self.unpaid_by_them] = np.inf
        return worth

    def laid_out(self, values: Array) -> tuple[Array, Array]:
        """Worth of all nodes, and how likely each is where both choose what is best for them by these values."""
        nodes = self.turn.nodes(self.worth(values))
        return nodes, self.turn.reached(nodes)

    def line(self, values: Array) -> tuple[Array, Array]:
        """Value as a line of the partner's: what other states give, and how often nothing changes."""
        worth, stays = self.turn.line(self.worth(values), self.stays.astype(values.dtype))
        value = 1 - worth if self.acts else worth
        return value - stays * values[1 - self.acts, self._partners], stays
