"""Solve fights: the value of every state under best play or fixed policies, and where it leads.

A state is what every fighter has left, and who acts. Fighters act in turn, those of the first side before those of the
second; a fighter who is down is skipped. Each strikes the opponent who has least left. A fight only ever takes, so
states are solved from the emptiest up, all of a level at once. Only a turn that changes nothing leads back: states that
differ only in who acts are solved together, as a ring. The same steps run in floating point, and in fractions where
there are few enough states.
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
"""Most states that are calculated in one array, to keep it small."""
FEW_STATES = 400
"""Most states that are solved in fractions by default: denominators grow with the number of states."""
MOST_SWEEPS = 200
CLOSE = 1e-12
"""Sweeps end when values change by less: the next would only clear up rounding."""


class Play(Enum):
    """Policy of one side for its decisions."""

    DECLINE = "decline"
    """Never spends."""
    GREEDY = "greedy"
    """Takes the game's usual spend whenever it is offered."""
    BEST = "best"
    """Wins as often as it can."""


class TooManyStates(Refusal):
    code = "too_many_states"


Sides = tuple[Sequence[Any], Sequence[Any]]
"""The fighters of both sides."""
Plays = tuple[Play, Play]
Lefts = tuple[Left, ...]
"""The numbers that each fighter has left, those of the first side first."""


class Fight:
    """Grid of states, and for each the compiled turn of the fighter who acts."""

    def __init__(self, duel: Duel, options: Any, sides: Sides, plays: Plays) -> None:
        self.duel, self.options, self.plays = duel, options, plays
        self.fighters = [*sides[0], *sides[1]]
        self.side = [0] * len(sides[0]) + [1] * len(sides[1])
        self.first = (0, len(sides[0]))
        """The first fighter of each side: who acts first if that side begins."""
        self.start: Lefts = tuple(map(duel.left, self.fighters))
        self.width = len(self.start[0])
        spare = np.array(self.start) * [[plays[side] is Play.DECLINE] for side in self.side]
        spare[:, 0] = 0
        self._spare = spare.ravel()
        """Numbers that never change, and are no part of the grid."""
        self.shape = tuple((np.ravel(self.start) - self._spare + 1).tolist())
        self.count = prod(self.shape)
        self.states = self.count * len(self.fighters)
        self._strides = np.array([prod(self.shape[axis + 1 :]) for axis in range(len(self.shape))])
        self._is_nested = duel.nested and Play.GREEDY not in plays
        self._turns: dict[Any, Turn] = {}
        self._hurt: dict[tuple[int, int], Array] = {}

    @cached_property
    def left(self) -> Array:
        """The numbers left in each place of the grid: those of the first fighter, then those of the second …"""
        return np.stack(np.unravel_index(np.arange(self.count), self.shape))

    @property
    def health(self) -> Array:
        return self.left[:: self.width]

    @cached_property
    def stands(self) -> Array:
        """True where any fighter of a side stands, for each place."""
        return np.stack([(self.health[np.array(self.side) == side] > 0).any(axis=0) for side in (0, 1)])

    @cached_property
    def targets(self) -> Array:
        """The fighter that a side strikes in each place: of those who stand, the one with least left.

        Of equals it is the first.
        """
        found = []
        for side in (0, 1):
            others = np.flatnonzero(np.array(self.side) != side)
            health = self.health[others]
            found.append(others[np.where(health > 0, health, max(self.shape)).argmin(axis=0)])
        return np.stack(found)

    @property
    def is_mirrored(self) -> bool:
        """True if there are two fighters, both the same. Then what one does when it acts, the other does too."""
        return len(self.side) == 2 and bool(self.fighters[0] == self.fighters[1] and self.plays[0] == self.plays[1])

    def mirrored(self, places: Array) -> Array:
        """Return these places with the sides swapped."""
        return self._strides @ np.roll(self.left[:, places], self.width, axis=0)

    def place(self, lefts: Lefts) -> int:
        return int(self._strides @ (np.ravel(lefts) - self._spare))

    def lefts(self, place: int) -> Lefts:
        numbers = (self.left[:, place] + self._spare).tolist()
        return tuple(tuple(numbers[at : at + self.width]) for at in range(0, len(numbers), self.width))

    @cached_property
    def levels(self) -> list[Array]:
        """Places where both sides stand, grouped by the sum of what is left, the least first."""
        both_up = np.flatnonzero(self.stands.all(axis=0))
        weights = self.left[:, both_up].sum(axis=0)
        order = np.argsort(weights, kind="stable")
        return np.split(both_up[order], np.flatnonzero(np.diff(weights[order])) + 1)

    # ---------------------------------------------------------------- turns

    def target(self, acts: int, lefts: Lefts) -> int | None:
        """Return whom a fighter strikes; None if the fighter is down, or no opponent is left."""
        facing = [one for one, left in enumerate(lefts) if left[0] and self.side[one] != self.side[acts]]
        return min(facing, key=lambda one: lefts[one][0], default=None) if lefts[acts][0] else None

    def turn(self, acts: int, target: int, lefts: Lefts) -> Turn:
        """The compiled turn of a fighter."""
        mine, theirs = lefts[acts], lefts[target]
        if self._is_nested:
            mine, theirs = (mine[0], *self.start[acts][1:]), (theirs[0], *self.start[target][1:])
        plays = self.plays[self.side[acts]], self.plays[self.side[target]]
        question = self.duel.turn(self.options, self.fighters[acts], self.fighters[target], mine, theirs)
        known = self._turns.get((question, plays))
        if known is None:
            known = self._turns[question, plays] = compiled_turn(self.duel, question, *plays)
        return known

    def after(self, acts: int, target: int, lefts: Lefts, takes: Takes) -> Lefts:
        """Return what each fighter has left after a turn."""
        changed = list(lefts)
        for who, losses in ((acts, takes.mine), (target, takes.theirs)):
            health = self.duel.hurt(self.fighters[who], lefts[who][0], losses[0])
            changed[who] = (health, *(now - loss for now, loss in zip(lefts[who][1:], losses[1:], strict=True)))
        return tuple(changed)

    def batches(self, acts: int, places: Array) -> Iterator[tuple[int, Array, Turn]]:
        """Yield the positions in `places` where this fighter stands, by target and turn."""
        targets = np.where(self.health[acts, places] > 0, self.targets[self.side[acts], places], -1)
        used = np.arange(1 if self._is_nested else self.width)  # where nested, turns don't depend on what can be spent
        for target in set(targets.tolist()) - {-1}:
            here = np.flatnonzero(targets == target)
            rows = np.concatenate([acts * self.width + used, target * self.width + used])
            alike = np.ravel_multi_index(tuple(self.left[rows][:, places[here]]), [self.shape[row] for row in rows])
            _, firsts, kinds = np.unique(alike, return_index=True, return_inverse=True)
            turns = [self.turn(acts, target, self.lefts(place)) for place in places[here[firsts]].tolist()]
            different = {id(turn): turn for turn in turns}
            numbers = np.array([list(different).index(id(turn)) for turn in turns])[kinds]
            for number, turn in enumerate(different.values()):
                positions = here[numbers == number]
                for begin in range(0, len(positions), MOST_AT_ONCE):
                    yield target, positions[begin : begin + MOST_AT_ONCE], turn

    def next(self, acts: int, target: int, places: Array, turn: Turn) -> tuple[Array, Array, Array]:
        """Return where each effect (rows) leads from each place, and whether it can't be paid by the actor, or the
        target.

        Where both can't pay, only the actor counts.
        """
        leads = np.repeat(places[None, :], len(turn.effects), axis=0)
        unpaid = []
        for who, losses in ((acts, [one.mine for one in turn.effects]), (target, [one.theirs for one in turn.effects])):
            rows, loss = slice(who * self.width, (who + 1) * self.width), np.array(losses)
            now = self.left[rows, places][:, None, :]
            after = now - loss.T[:, :, None]
            after[0] = self._hurts(who, int(loss[:, 0].max()))[loss[:, 0][:, None], now[0]]
            unpaid.append((after < 0).any(axis=0))
            leads += np.tensordot(self._strides[rows], np.maximum(after, 0) - now, axes=1)
        return leads, unpaid[0], unpaid[1] & ~unpaid[0]

    def _hurts(self, who: int, most: int) -> Array:
        """Return where harm (rows) leaves the first number (columns) of a fighter."""
        if (who, most) not in self._hurt:
            hurt, fighter, numbers = self.duel.hurt, self.fighters[who], range(self.start[who][0] + 1)
            self._hurt[who, most] = np.array(
                [[hurt(fighter, now, harm) for now in numbers] for harm in range(most + 1)]
            )
        return self._hurt[who, most]


@lru_cache(maxsize=512)
def compiled_turn(duel: Duel, question: Question[Any], attacker: Play, defender: Play) -> Turn:
    """Compile a turn. Cached, since fights that differ in one number have many turns in common."""

    def policy(offer: Offer[Any]) -> Any:
        play = attacker if offer.side == "attacker" else defender
        return decline(offer) if play is Play.DECLINE else duel.greedy(offer)

    def answers(offer: Offer[Any]) -> Sequence[Any]:
        play = attacker if offer.side == "attacker" else defender
        return duel.considers(offer) if play is Play.BEST else (policy(offer),)

    if Play.BEST not in (attacker, defender):
        return decided(question, duel.takes, policy)
    return compiled(question, duel.takes, answers)


def solve_ring(fixed: Array, slopes: Array, never: Any) -> Array:
    """Solve a ring: each value is a constant plus a share of the value after it, the last refers to the first.

    `never` is the value where all shares around the ring are whole, so that nothing ever changes.
    """
    total, share = fixed[0], slopes[0]
    for more, slope in zip(fixed[1:], slopes[1:], strict=True):
        total, share = total + share * more, share * slope
    values = [np.where(share == 1, never, total / np.where(share == 1, 1, 1 - share))]
    for more, slope in zip(fixed[:0:-1], slopes[:0:-1], strict=True):
        values.insert(1, more + slope * values[1 % len(values)])
    return np.stack(values)


class Solved:
    """Values of all states: the chance that the first side wins. A fight that never ends counts as half won.

    They are fractions if that is asked for, or if there are few states.
    """

    def __init__(self, fight: Fight, *, exact: bool | None = None, most_states: int = MOST_STATES) -> None:
        if fight.states > most_states:
            raise TooManyStates(f"This fight has {fight.states:,} states, and {most_states:,} are solved at most.")
        exact = fight.states <= FEW_STATES if exact is None else exact
        self.fight, self.exact = fight, exact
        self._zero: Any = Fraction(0) if exact else 0.0
        self.values = np.full((len(fight.side), fight.count), self._zero, dtype=object if exact else float)
        self.values[:, fight.stands[0]] += 1
        guess = np.vectorize(Fraction, otypes=[object])(Solved(fight, exact=False).values) if exact else None
        self._most_turns, self._open, self._terms = 0.0, 0.0, 1
        for places in fight.levels:
            self._solve(places, guess)

    def value(self, acts: int, lefts: Lefts | None = None) -> Any:
        """Return the chance that the first side wins, from the start or with this much left, if this fighter acts."""
        return self.values[acts, self.fight.place(lefts or self.fight.start)]

    def _batches(self, places: Array, actors: Sequence[int]) -> list[_Batch]:
        return [_Batch(self.fight, acts, places, one) for acts in actors for one in self.fight.batches(acts, places)]

    def _solve(self, places: Array, guess: Array | None) -> None:
        """Run policy iteration: choose by the values, solve the rings for these choices, until nothing changes."""
        values, fight = self.values, self.fight
        values[:, places] = values[:, np.maximum(places - 1, 0)] if guess is None else guess[:, places]
        mirror = None
        if fight.is_mirrored:
            mirror = np.argsort(places)[np.searchsorted(np.sort(places), fight.mirrored(places))]
        batches = self._batches(places, range(len(fight.side) if mirror is None else 1))
        self._note(batches, mirror, len(places))
        fixed, stays = np.full((2, *values[:, places].shape), self._zero)
        stays += 1  # fighters who are down are skipped
        for _ in range(MOST_SWEEPS):
            before = values[:, places]
            for batch in batches:
                fixed[batch.acts, batch.positions], stays[batch.acts, batch.positions] = batch.line(values)
            if mirror is not None:
                fixed[1], stays[1] = 1 - fixed[0, mirror] - stays[0, mirror], stays[0, mirror]
            values[:, places] = solve_ring(fixed, stays, self._zero + Fraction(1, 2) if self.exact else 0.5)
            change = abs(values[:, places] - before)
            if not (change > (0 if self.exact else CLOSE)).any():
                self._open = max(self._open, float(change.max()))
                return

    def _note(self, batches: Sequence[_Batch], mirror: Array | None, count: int) -> None:
        """Record what bounds the error: how long a level can hold the fight up, and the terms of its sums."""
        stays = np.ones((len(self.fight.side), count))
        for batch in batches:
            stays[batch.acts, batch.positions] = batch.turn.most(batch.stays.astype(float))
            sums = (layer.weights.shape[1] for layer in batch.turn.layers if isinstance(layer, Chance))
            self._terms = max(self._terms, *sums)
        slowest = float((stays.prod(axis=0) if mirror is None else stays[0] * stays[0, mirror]).max())
        self._most_turns += len(stays) / (1 - slowest) if slowest < 1 else float("inf")

    @cached_property
    def bound(self) -> float:
        """Largest error of a value: that of a turn, times the most turns that a fight can be expected to take.

        The error of a turn is what rounding and the last sweep leave open. The turns hold whatever anyone decides.
        """
        return 0.0 if self.exact else (2 * self._open + self._terms * float(np.finfo(float).eps)) * self._most_turns

    # ---------------------------------------------------------------- where it leads

    def flow(self, begin: tuple[Any, Any], watch: Callable[[Played], None] | None = None) -> Flow:
        """Follow a fight from its start to its ends, given the chances that each side acts first.

        `watch` is called with every turn on the way.
        """
        fight = self.fight
        met = np.full_like(self.values, self._zero)
        met[fight.first, fight.place(fight.start)] = begin
        rows: list[Array] = []
        for level in reversed(fight.levels):
            places = level[(met[:, level] != 0).any(axis=0)]
            if not len(places):
                continue
            batches = self._batches(places, range(len(met)))
            laid_out = [batch.laid_out(self.values) for batch in batches]
            shares = [reached[: len(batch.turn.effects)] for batch, (_, reached) in zip(batches, laid_out, strict=True)]
            stays = np.full((len(met), len(places)), self._zero + 1)
            for batch, share in zip(batches, shares, strict=True):
                stays[batch.acts, batch.positions] = (share * batch.stays).sum(axis=0)
            met[:, places] = solve_ring(met[::-1, places], np.roll(stays[::-1], -1, axis=0), self._zero)[::-1]
            for batch, (nodes, reached) in zip(batches, laid_out, strict=True) if watch else ():
                mine = places[batch.positions]
                often_here = (reached * met[batch.acts, mine]).astype(float)
                watch(Played(batch.acts, batch.target, batch.turn, mine, nodes, often_here))  # type: ignore[misc]
            for batch, share in zip(batches, shares, strict=True):
                mine, after = places[batch.positions], (batch.acts + 1) % len(met)
                effects, columns = np.nonzero(share * ~batch.off)
                leads, chance = batch.next[effects, columns], share[effects, columns]
                on = leads != mine[columns]
                np.add.at(met[after], leads[on], (met[batch.acts, mine[columns]] * chance)[on])
                rows.append(np.stack([mine[columns] + fight.count * batch.acts, leads + fight.count * after, chance]))
            for acts in range(len(met)):  # fighters who are down are skipped
                passed = places[fight.health[acts, places] == 0]
                after = (acts + 1) % len(met)
                ones = np.ones(len(passed))
                rows.append(np.stack([passed + fight.count * acts, passed + fight.count * after, ones]))
        return Flow(fight, met, np.concatenate(rows, axis=1) if rows else np.zeros((3, 0)), begin)


class Played(NamedTuple):
    """A turn that a fight meets in some places, and how often each of its nodes is reached in a fight."""

    acts: int
    target: int
    turn: Turn
    places: Array
    nodes: Array
    reached: Array


class Flow:
    """Number of visits to each state, and every step between those that are met."""

    def __init__(self, fight: Fight, met: Array, steps: Array, begin: tuple[Any, Any]) -> None:
        self.fight, self.met, self._steps, self._begin = fight, met, steps, begin

    @property
    def steps(self) -> tuple[Array, Array, Array]:
        """Every step: the state it starts from, the state it leads to, its chance.

        A state is its place, plus `fight.count` for each fighter before the one who acts.
        """
        origins, leads = self._steps[:2].astype(np.int64)
        return origins, leads, self._steps[2].astype(float)

    def ends(self) -> Iterator[tuple[Lefts, Any]]:
        """Yield what each fighter has left at the end, with its chance."""
        chances = self.met.sum(axis=0)
        for place in np.flatnonzero(~self.fight.stands.all(axis=0) & (chances != 0)).tolist():
            yield self.fight.lefts(place), chances[place]

    def ends_by_turn(self, most: int = 400, rest: float = 1e-9) -> list[float]:
        """Return the chances that the fight ends with its first turn, its second …, until hardly any goes on."""
        origins, leads, chances = self.steps
        now = np.zeros(self.fight.states)
        now[np.array(self.fight.first) * self.fight.count + self.fight.place(self.fight.start)] = self._begin
        goes_on = np.zeros(self.fight.states, dtype=bool)
        goes_on[origins] = True
        ended: list[float] = []
        while len(ended) < most and now.sum() > rest:
            now = np.bincount(leads, chances * now[origins], minlength=self.fight.states)
            ended.append(float(now[~goes_on].sum()))
            now[~goes_on] = 0
        return ended


class _Batch:
    """States of one level in which one fighter acts and has the same turn."""

    def __init__(self, fight: Fight, acts: int, places: Array, found: tuple[int, Array, Turn]) -> None:
        self.acts, (self.target, self.positions, self.turn) = acts, found
        self._then, self._is_second = (acts + 1) % len(fight.side), fight.side[acts] == 1
        self._mine = places[self.positions]
        self.next, self.unpaid, self.unpaid_by_them = fight.next(acts, self.target, self._mine, self.turn)
        self.off = self.unpaid | self.unpaid_by_them
        self.stays = (self.next == self._mine) & ~self.off

    def worth(self, values: Array) -> Array:
        """Return the value of each effect to the side that acts; what can't be paid is never chosen."""
        worth = values[self._then][self.next]
        if self._is_second:
            worth = 1 - worth
        worth[self.unpaid] = -np.inf
        worth[self.unpaid_by_them] = np.inf
        return worth

    def laid_out(self, values: Array) -> tuple[Array, Array]:
        """Return the worth of all nodes, and the chance of each where both sides choose their best by these values."""
        nodes = self.turn.nodes(self.worth(values))
        return nodes, self.turn.reached(nodes)

    def line(self, values: Array) -> tuple[Array, Array]:
        """Return the value as a line of that of the same place with the next fighter to act: constant and slope.

        The constant is what other states give.
        """
        worth, stays = self.turn.line(self.worth(values), self.stays.astype(values.dtype))
        value = 1 - worth if self._is_second else worth
        return value - stays * values[self._then, self._mine], stays
