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


class Together(NamedTuple):
    """States that are calculated together: one fighter acts, strikes the same target, and has the same turn."""

    target: int
    positions: Array
    """Where they are among the places that were asked for."""
    turn: Turn


class Leads(NamedTuple):
    """Where each effect of a turn (rows) leads from each place (columns), and whether it can be paid."""

    places: Array
    unpaid: Array
    """True where the actor can't pay."""
    unpaid_by_target: Array
    """True where the target can't pay, and the actor can."""


class Fight:
    """Grid of states, and for each the compiled turn of the fighter who acts."""

    def __init__(self, duel: Duel, options: Any, sides: Sides, plays: Plays) -> None:
        self.duel = duel
        self.options = options
        self.plays = plays
        self.fighters = [*sides[0], *sides[1]]
        self.side = [0] * len(sides[0]) + [1] * len(sides[1])
        self.first = (0, len(sides[0]))
        """The first fighter of each side: who acts first if that side begins."""
        self.start: Lefts = tuple(map(duel.left, self.fighters))
        self.width = len(self.start[0])
        never_spends = [[plays[side] is Play.DECLINE] for side in self.side]
        unchanging = np.array(self.start) * never_spends
        unchanging[:, 0] = 0
        self._unchanging = unchanging.ravel()
        """Numbers that never change, and are no part of the grid."""
        self.shape = tuple((np.ravel(self.start) - self._unchanging + 1).tolist())
        self.count = prod(self.shape)
        self.states = self.count * len(self.fighters)
        self._strides = np.array([prod(self.shape[axis + 1 :]) for axis in range(len(self.shape))])
        self._is_nested = duel.nested and Play.GREEDY not in plays
        self._turns: dict[tuple[Question[Any], Plays], Turn] = {}
        """Cache of turns: many states have the same. It ends with the fight."""
        self._health_after: dict[tuple[int, int], Array] = {}
        """Cache of what harm does, by fighter and most harm. It ends with the fight."""

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
        by_side = []
        for side in (0, 1):
            health = self.health[np.array(self.side) == side]
            by_side.append((health > 0).any(axis=0))
        return np.stack(by_side)

    @cached_property
    def targets(self) -> Array:
        """The fighter that a side strikes in each place: of those who stand, the one with least left.

        Of equals it is the first.
        """
        by_side = []
        for side in (0, 1):
            opponents = np.flatnonzero(np.array(self.side) != side)
            health = self.health[opponents]
            health_of_standing = np.where(health > 0, health, max(self.shape))
            by_side.append(opponents[health_of_standing.argmin(axis=0)])
        return np.stack(by_side)

    @property
    def is_mirrored(self) -> bool:
        """True if there are two fighters, both the same. Then what one does when it acts, the other does too."""
        if len(self.side) != 2:
            return False
        return bool(self.fighters[0] == self.fighters[1]) and self.plays[0] == self.plays[1]

    def mirrored(self, places: Array) -> Array:
        """Return these places with the sides swapped."""
        return self._strides @ np.roll(self.left[:, places], self.width, axis=0)

    def place(self, lefts: Lefts) -> int:
        return int(self._strides @ (np.ravel(lefts) - self._unchanging))

    def lefts(self, place: int) -> Lefts:
        numbers = (self.left[:, place] + self._unchanging).tolist()
        starts = range(0, len(numbers), self.width)
        return tuple(tuple(numbers[start : start + self.width]) for start in starts)

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
        if not lefts[acts][0]:
            return None
        facing = []
        for fighter, left in enumerate(lefts):
            if left[0] and self.side[fighter] != self.side[acts]:
                facing.append(fighter)
        return min(facing, key=lambda fighter: lefts[fighter][0], default=None)

    def turn(self, acts: int, target: int, lefts: Lefts) -> Turn:
        """The compiled turn of a fighter."""
        mine = lefts[acts]
        theirs = lefts[target]
        if self._is_nested:
            mine = (mine[0], *self.start[acts][1:])
            theirs = (theirs[0], *self.start[target][1:])
        question = self.duel.turn(self.options, self.fighters[acts], self.fighters[target], mine, theirs)
        plays = (self.plays[self.side[acts]], self.plays[self.side[target]])
        turn = self._turns.get((question, plays))
        if turn is None:
            turn = compiled_turn(self.duel, question, *plays)
            self._turns[question, plays] = turn
        return turn

    def after(self, acts: int, target: int, lefts: Lefts, takes: Takes) -> Lefts:
        """Return what each fighter has left after a turn."""
        lefts_after = list(lefts)
        for fighter, losses in ((acts, takes.mine), (target, takes.theirs)):
            left = lefts[fighter]
            health = self.duel.hurt(self.fighters[fighter], left[0], losses[0])
            numbers = [number - loss for number, loss in zip(left[1:], losses[1:], strict=True)]
            lefts_after[fighter] = (health, *numbers)
        return tuple(lefts_after)

    def batches(self, acts: int, places: Array) -> Iterator[Together]:
        """Yield the positions in `places` where this fighter stands, by target and turn."""
        stands = self.health[acts, places] > 0
        targets = np.where(stands, self.targets[self.side[acts], places], -1)
        for target in set(targets.tolist()) - {-1}:
            positions_of_target = np.flatnonzero(targets == target)
            for turn, members in self._by_turn(acts, target, places[positions_of_target]):
                positions = positions_of_target[members]
                for start in range(0, len(positions), MOST_AT_ONCE):
                    yield Together(target, positions[start : start + MOST_AT_ONCE], turn)

    def _by_turn(self, acts: int, target: int, places: Array) -> Iterator[tuple[Turn, Array]]:
        """Yield the turns of a fighter against a target, each with a mask of the places where it is the turn."""
        # Where turns are nested, they don't depend on what can be spent, so health alone tells places apart.
        numbers = np.arange(1 if self._is_nested else self.width)
        rows = np.concatenate([acts * self.width + numbers, target * self.width + numbers])
        kinds = np.ravel_multi_index(tuple(self.left[rows][:, places]), [self.shape[row] for row in rows])
        _, first_positions, kind_of_place = np.unique(kinds, return_index=True, return_inverse=True)
        turns = [self.turn(acts, target, self.lefts(place)) for place in places[first_positions].tolist()]
        different_turns = {id(turn): turn for turn in turns}
        ids = np.array([id(turn) for turn in turns])[kind_of_place]
        for turn_id, turn in different_turns.items():
            yield turn, ids == turn_id

    def next(self, acts: int, target: int, places: Array, turn: Turn) -> Leads:
        """Return where each effect leads from each place, and whether it can't be paid.

        Where both can't pay, only the actor counts.
        """
        leads = np.repeat(places[None, :], len(turn.effects), axis=0)
        losses_of_actor = np.array([effect.mine for effect in turn.effects])
        losses_of_target = np.array([effect.theirs for effect in turn.effects])
        unpaid = []
        for fighter, losses in ((acts, losses_of_actor), (target, losses_of_target)):
            rows = slice(fighter * self.width, (fighter + 1) * self.width)
            left_before = self.left[rows, places][:, None, :]
            left_after = left_before - losses.T[:, :, None]
            harm = losses[:, 0]
            left_after[0] = self._health_by_harm(fighter, int(harm.max()))[harm[:, None], left_before[0]]
            unpaid.append((left_after < 0).any(axis=0))
            leads += np.tensordot(self._strides[rows], np.maximum(left_after, 0) - left_before, axes=1)
        return Leads(leads, unpaid[0], unpaid[1] & ~unpaid[0])

    def _health_by_harm(self, fighter: int, most_harm: int) -> Array:
        """Return where harm (rows) leaves the first number (columns) of a fighter."""
        key = (fighter, most_harm)
        if key not in self._health_after:
            value = self.fighters[fighter]
            rows = []
            for harm in range(most_harm + 1):
                rows.append([self.duel.hurt(value, health, harm) for health in range(self.start[fighter][0] + 1)])
            self._health_after[key] = np.array(rows)
        return self._health_after[key]


@lru_cache(maxsize=512)
def compiled_turn(duel: Duel, question: Question[Any], attacker: Play, defender: Play) -> Turn:
    """Compile a turn. Cached, since fights that differ in one number have many turns in common.

    Of 512, the least recently used goes.
    """

    def play_of(offer: Offer[Any]) -> Play:
        return attacker if offer.side == "attacker" else defender

    def policy(offer: Offer[Any]) -> Any:
        return decline(offer) if play_of(offer) is Play.DECLINE else duel.greedy(offer)

    def answers(offer: Offer[Any]) -> Sequence[Any]:
        return duel.considers(offer) if play_of(offer) is Play.BEST else (policy(offer),)

    if Play.BEST not in (attacker, defender):
        return decided(question, duel.takes, policy)
    return compiled(question, duel.takes, answers)


def solve_ring(fixed: Array, slopes: Array, never: Any) -> Array:
    """Solve a ring: each value is a constant plus a share of the value after it, the last refers to the first.

    `never` is the value where all shares around the ring are whole, so that nothing ever changes.
    """
    total = fixed[0]
    share = slopes[0]
    for constant, slope in zip(fixed[1:], slopes[1:], strict=True):
        total = total + share * constant
        share = share * slope
    is_endless = share == 1
    first_value = np.where(is_endless, never, total / np.where(is_endless, 1, 1 - share))

    backwards = [first_value]
    for constant, slope in zip(fixed[:0:-1], slopes[:0:-1], strict=True):
        backwards.append(constant + slope * backwards[-1])
    return np.stack([first_value, *backwards[:0:-1]])


class Solved:
    """Values of all states: the chance that the first side wins. A fight that never ends counts as half won.

    They are fractions if that is asked for, or if there are few states.
    """

    def __init__(self, fight: Fight, *, exact: bool | None = None, most_states: int = MOST_STATES) -> None:
        if fight.states > most_states:
            raise TooManyStates(f"This fight has {fight.states:,} states, and {most_states:,} are solved at most.")
        if exact is None:
            exact = fight.states <= FEW_STATES
        self.fight = fight
        self.exact = exact
        self._zero: Any = Fraction(0) if exact else 0.0
        self.values = np.full((len(fight.side), fight.count), self._zero, dtype=object if exact else float)
        """By who acts, and place."""
        self.values[:, fight.stands[0]] += 1
        self._most_turns = 0.0
        """The most turns that a fight can be expected to take."""
        self._last_change = 0.0
        """The largest change of a value in a last sweep."""
        self._most_terms = 1
        """Terms of the longest sum."""
        guess = None
        if exact:
            guess = np.vectorize(Fraction, otypes=[object])(Solved(fight, exact=False).values)
        for places in fight.levels:
            self._solve(places, guess)

    def value(self, acts: int, lefts: Lefts | None = None) -> Any:
        """Return the chance that the first side wins, from the start or with this much left, if this fighter acts."""
        return self.values[acts, self.fight.place(lefts or self.fight.start)]

    def _batches(self, places: Array, actors: Sequence[int]) -> list[_Batch]:
        batches = []
        for acts in actors:
            for together in self.fight.batches(acts, places):
                batches.append(_Batch(self.fight, acts, places, together))
        return batches

    def _solve(self, places: Array, guess: Array | None) -> None:
        """Run policy iteration: choose by the values, solve the rings for these choices, until nothing changes."""
        fight = self.fight
        values = self.values
        if guess is None:
            values[:, places] = values[:, np.maximum(places - 1, 0)]
        else:
            values[:, places] = guess[:, places]
        mirror = None
        actors = range(len(fight.side))
        if fight.is_mirrored:
            actors = range(1)
            mirror = np.argsort(places)[np.searchsorted(np.sort(places), fight.mirrored(places))]
        batches = self._batches(places, actors)
        self._note(batches, mirror, len(places))

        fixed = np.full(values[:, places].shape, self._zero)
        stays = np.full(values[:, places].shape, self._zero + 1)  # fighters who are down are skipped
        value_of_endless = self._zero + Fraction(1, 2) if self.exact else 0.5
        most_change = 0 if self.exact else CLOSE
        for _ in range(MOST_SWEEPS):
            previous = values[:, places]
            for batch in batches:
                line = batch.line(values)
                fixed[batch.acts, batch.positions] = line.constant
                stays[batch.acts, batch.positions] = line.slope
            if mirror is not None:
                fixed[1] = 1 - fixed[0, mirror] - stays[0, mirror]
                stays[1] = stays[0, mirror]
            values[:, places] = solve_ring(fixed, stays, value_of_endless)
            change = abs(values[:, places] - previous)
            if not (change > most_change).any():
                self._last_change = max(self._last_change, float(change.max()))
                return

    def _note(self, batches: Sequence[_Batch], mirror: Array | None, count: int) -> None:
        """Record what bounds the error: how long a level can hold the fight up, and the terms of its sums."""
        stays = np.ones((len(self.fight.side), count))
        for batch in batches:
            stays[batch.acts, batch.positions] = batch.turn.most(batch.stays.astype(float))
            for layer in batch.turn.layers:
                if isinstance(layer, Chance):
                    self._most_terms = max(self._most_terms, layer.weights.shape[1])
        stays_around = stays.prod(axis=0) if mirror is None else stays[0] * stays[0, mirror]
        slowest = float(stays_around.max())
        self._most_turns += len(stays) / (1 - slowest) if slowest < 1 else float("inf")

    @property
    def bound(self) -> float:
        """Largest error of a value: that of a turn, times the most turns that a fight can be expected to take.

        The error of a turn is what rounding and the last sweep leave open. The turns hold whatever anyone decides.
        """
        if self.exact:
            return 0.0
        rounding = self._most_terms * float(np.finfo(float).eps)
        return (2 * self._last_change + rounding) * self._most_turns

    # ---------------------------------------------------------------- where it leads

    def flow(self, begin: tuple[Any, Any], watch: Callable[[Played], None] | None = None) -> Flow:
        """Follow a fight from its start to its ends, given the chances that each side acts first.

        `watch` is called with every turn on the way.
        """
        fight = self.fight
        met = np.full_like(self.values, self._zero)
        met[fight.first, fight.place(fight.start)] = begin
        steps: list[Array] = []
        for level in reversed(fight.levels):
            places = level[(met[:, level] != 0).any(axis=0)]
            if len(places):
                steps += self._flow_through(places, met, watch)
        return Flow(fight, met, np.concatenate(steps, axis=1) if steps else np.zeros((3, 0)), begin)

    def _flow_through(self, places: Array, met: Array, watch: Callable[[Played], None] | None) -> Iterator[Array]:
        """Follow a fight through the places of one level: add to how often states are met, and yield the steps."""
        fight = self.fight
        batches = self._batches(places, range(len(met)))
        nodes_of_batches = [batch.nodes(self.values) for batch in batches]
        reached_of_batches = [batch.turn.reached(nodes) for batch, nodes in zip(batches, nodes_of_batches, strict=True)]

        stays = np.full((len(met), len(places)), self._zero + 1)
        for batch, reached in zip(batches, reached_of_batches, strict=True):
            chances = reached[: len(batch.turn.effects)]
            stays[batch.acts, batch.positions] = (chances * batch.stays).sum(axis=0)
        met[:, places] = solve_ring(met[::-1, places], np.roll(stays[::-1], -1, axis=0), self._zero)[::-1]

        if watch is not None:
            for batch, nodes, reached in zip(batches, nodes_of_batches, reached_of_batches, strict=True):
                places_of_batch = places[batch.positions]
                times_reached = (reached * met[batch.acts, places_of_batch]).astype(float)
                watch(Played(batch.acts, batch.target, batch.turn, places_of_batch, nodes, times_reached))

        for batch, reached in zip(batches, reached_of_batches, strict=True):
            chances = reached[: len(batch.turn.effects)]
            next_fighter = (batch.acts + 1) % len(met)
            effects, columns = np.nonzero(chances * ~batch.is_unpaid)
            origins = places[batch.positions][columns]
            leads = batch.leads.places[effects, columns]
            chance = chances[effects, columns]
            moves = leads != origins
            np.add.at(met[next_fighter], leads[moves], (met[batch.acts, origins] * chance)[moves])
            yield np.stack([origins + fight.count * batch.acts, leads + fight.count * next_fighter, chance])

        for acts in range(len(met)):  # fighters who are down are skipped
            skipped = places[fight.health[acts, places] == 0]
            next_fighter = (acts + 1) % len(met)
            yield np.stack([skipped + fight.count * acts, skipped + fight.count * next_fighter, np.ones(len(skipped))])


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
        self.fight = fight
        self.met = met
        self._steps = steps
        self._begin = begin

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

    def ends_by_turn(self, most: int = 400, negligible: float = 1e-9) -> list[float]:
        """Return the chances that the fight ends with its first turn, its second …, until hardly any goes on."""
        origins, leads, chances = self.steps
        start = np.array(self.fight.first) * self.fight.count + self.fight.place(self.fight.start)
        chance_of_state = np.zeros(self.fight.states)
        chance_of_state[start] = self._begin
        goes_on = np.zeros(self.fight.states, dtype=bool)
        goes_on[origins] = True
        ended: list[float] = []
        while len(ended) < most and chance_of_state.sum() > negligible:
            chance_of_state = np.bincount(leads, chances * chance_of_state[origins], minlength=self.fight.states)
            ended.append(float(chance_of_state[~goes_on].sum()))
            chance_of_state[~goes_on] = 0
        return ended


class Line(NamedTuple):
    """Values as lines: a constant, and a slope times the value of the same place with the next fighter to act."""

    constant: Array
    slope: Array


class _Batch:
    """States of one level in which one fighter acts and has the same turn."""

    def __init__(self, fight: Fight, acts: int, places: Array, together: Together) -> None:
        self.acts = acts
        self.target = together.target
        self.positions = together.positions
        self.turn = together.turn
        self._next_fighter = (acts + 1) % len(fight.side)
        self._is_second_side = fight.side[acts] == 1
        self._places = places[self.positions]
        self.leads = fight.next(acts, self.target, self._places, self.turn)
        self.is_unpaid = self.leads.unpaid | self.leads.unpaid_by_target
        self.stays = (self.leads.places == self._places) & ~self.is_unpaid

    def worth(self, values: Array) -> Array:
        """Return the value of each effect to the side that acts; what can't be paid is never chosen."""
        worth = values[self._next_fighter][self.leads.places]
        if self._is_second_side:
            worth = 1 - worth
        worth[self.leads.unpaid] = -np.inf
        worth[self.leads.unpaid_by_target] = np.inf
        return worth

    def nodes(self, values: Array) -> Array:
        """Return the worth of all nodes of the turn where both sides choose their best by these values."""
        return self.turn.nodes(self.worth(values))

    def line(self, values: Array) -> Line:
        """Return the value as a line of that of the same place with the next fighter to act.

        The constant is what other states give.
        """
        worth, stays = self.turn.line(self.worth(values), self.stays.astype(values.dtype))
        value = 1 - worth if self._is_second_side else worth
        return Line(value - stays * values[self._next_fighter, self._places], stays)
