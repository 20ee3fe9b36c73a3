"""Melees: parties against several foes, exactly where the states fit a budget, else played out with a margin of error.

Each fights by a fixed policy and strikes at whoever of the others has least left. The sides act in turn, everybody of a
side once.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod, sqrt
from typing import Any, Literal

import numpy as np

from astragal.table.authoring.duels import Duel, Left
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.fields.values import Value
from astragal.table.refusals import Refusal

from .duels import First, duel_of
from .solving import Play, compiled_turn
from .turns import Turn

MOST_EXACT = 40_000
"""States, apart from whose turn it is, that are solved one by one."""
MOST_ROUNDS = 500
Lefts = tuple[Left, ...]


class Melee(Value):
    """Outcome of a fight of parties."""

    game: str
    method: Literal["solved", "simulated"]
    wins: float
    """Chance that the first side is left standing."""
    within: float
    """Half of the 95% confidence interval, where it was played out; nothing worth telling where it was solved."""
    standing: tuple[float, ...]
    """Chance of each fighter, those of the first side first, to be standing at the end."""
    runs: int

    @property
    def sentence(self) -> str:
        how = "exactly" if self.method == "solved" else f"± {self.within:.2%}, played {self.runs:,} times"
        each = ", ".join(f"{chance:.0%}" for chance in self.standing)
        return f"The first side wins {self.wins:.2%} ({how}). Standing at the end: {each}."


class _Field:
    """Everybody on the field, and what a turn of one does to another."""

    def __init__(self, declared: Duel, options: Any, sides: Sequence[Sequence[Any]], plays: tuple[Play, Play]) -> None:
        self.declared, self.options, self.plays = declared, options, plays
        self.fighters = [*sides[0], *sides[1]]
        self.side = [0] * len(sides[0]) + [1] * len(sides[1])
        self.start: Lefts = tuple(declared.left(one) for one in self.fighters)
        self._known: dict[Any, tuple[tuple[Any, ...], Any]] = {}

    def target(self, actor: int, lefts: Lefts) -> int | None:
        """Whoever of the others has least left, of equals the first."""
        standing = [one for one, left in enumerate(lefts) if left[0] and self.side[one] != self.side[actor]]
        return min(standing, key=lambda one: lefts[one][0], default=None)

    def effects(self, actor: int, target: int, lefts: Lefts) -> tuple[tuple[Any, ...], Any]:
        """What a turn can take, with its chances."""
        plays = self.plays[self.side[actor]], self.plays[self.side[target]]
        pair = self.fighters[actor], self.fighters[target]
        question = self.declared.turn(self.options, *pair, lefts[actor], lefts[target])
        if (question, plays) not in self._known:
            turn: Turn = compiled_turn(self.declared, question, *plays)
            self._known[question, plays] = turn.effects, turn.layers[0].weights[0]  # type: ignore[union-attr]
        return self._known[question, plays]

    def after(self, actor: int, target: int, lefts: Lefts, effect: Any) -> Lefts:
        changed = list(lefts)
        for one, takes in ((actor, effect.mine), (target, effect.theirs)):
            now = lefts[one]
            health = self.declared.hurt(self.fighters[one], now[0], takes[0])
            changed[one] = (health, *(held - spent for held, spent in zip(now[1:], takes[1:], strict=True)))
        return tuple(changed)

    def winner(self, lefts: Lefts) -> int | None:
        standing = {side for side, left in zip(self.side, lefts, strict=True) if left[0]}
        return standing.pop() if len(standing) == 1 else None


def melee(
    game: Ruleset,
    party: Sequence[Any],
    foes: Sequence[Any],
    *,
    play: tuple[Play, Play] = (Play.DECLINE, Play.DECLINE),
    first: First = "either",
    options: Any = None,
    runs: int = 20_000,
    seed: int = 1,
) -> Melee:
    """Let a party fight several foes. Best play is solved for two alone; here everybody follows a policy."""
    if Play.BEST in play:
        raise Refusal("Best play is solved for one against one; parties play decline or greedy.", code="no_best_play")
    declared = duel_of(game)
    field = _Field(declared, game.options() if options is None else options, (party, foes), play)
    spent = [play[side] is not Play.DECLINE for side in field.side]
    states = prod(
        prod(number + 1 for number in (left if spends else left[:1]))
        for left, spends in zip(field.start, spent, strict=True)
    )
    begins = {"one": (0,), "two": (1,), "either": (0, 1)}[first]
    if states <= MOST_EXACT:
        chances = np.mean([_Exact(field, begin).chances() for begin in begins], axis=0)
        within, runs, method = 0.0, 0, "solved"
    else:
        chances, method = _played(field, begins, runs, seed), "simulated"
        within = 1.96 * sqrt(max(chances[0] * (1 - chances[0]), 1 / runs) / runs)
    return Melee(
        game=game.id,
        method="solved" if method == "solved" else "simulated",
        wins=float(chances[0]),
        within=within,
        standing=tuple(map(float, chances[1:])),
        runs=runs,
    )


def _order(field: _Field, begin: int) -> list[int]:
    return sorted(range(len(field.fighters)), key=lambda one: (field.side[one] != begin, one))


class _Exact:
    """Chances from every state, each found once: a turn that changes nothing leads on to the next who acts."""

    def __init__(self, field: _Field, begin: int) -> None:
        self._field, self._order = field, _order(field, begin)
        self._known: dict[Lefts, list[Any]] = {}

    def chances(self) -> Any:
        """That the first side wins, and that each is left standing."""
        waiting = [self._field.start]
        while waiting:
            lefts = waiting[-1]
            missing = [] if lefts in self._known else [one for one in self._leads(lefts) if one not in self._known]
            if missing:
                waiting += missing
            else:
                waiting.pop()
                self._known.setdefault(lefts, self._solve(lefts))
        return self._known[self._field.start][0]

    def _leads(self, lefts: Lefts) -> set[Lefts]:
        if self._field.winner(lefts) is not None:
            return set()
        return {after for step in self._steps(lefts) for after, _, _ in step if after != lefts}

    def _steps(self, lefts: Lefts) -> list[list[tuple[Lefts, float, int]]]:
        """For each in the order: where their turn leads, its chance, and who acts then."""
        found = []
        for number, actor in enumerate(self._order):
            following = (number + 1) % len(self._order)
            target = self._field.target(actor, lefts)
            if not lefts[actor][0] or target is None:
                found.append([(lefts, 1.0, following)])
                continue
            effects, chances = self._field.effects(actor, target, lefts)
            found.append(
                [
                    (self._field.after(actor, target, lefts, effect), float(chance), following)
                    for effect, chance in zip(effects, chances, strict=True)
                ]
            )
        return found

    def _solve(self, lefts: Lefts) -> list[Any]:
        """Values for each who may be next to act: a ring of lines, closed."""
        winner = self._field.winner(lefts)
        if winner is not None:
            end = np.array([float(winner == 0), *(float(left[0] > 0) for left in lefts)])
            return [end] * len(self._order)
        lines = []
        for step in self._steps(lefts):
            fixed = sum(chance * self._known[after][following] for after, chance, following in step if after != lefts)
            lines.append((fixed, sum(chance for after, chance, _ in step if after == lefts)))
        fixed, stays = 0.0, 1.0
        for constant, slope in reversed(lines):
            fixed, stays = constant + slope * fixed, slope * stays
        value = fixed / (1 - stays) if stays < 1 else fixed * 0
        values = [value]
        for constant, slope in reversed(lines[1:]):
            values.insert(1, constant + slope * (values[1] if len(values) > 1 else values[0]))
        return values


def _played(field: _Field, begins: Sequence[int], runs: int, seed: int) -> Any:
    """Play the fight so many times, all runs side by side: those in the same state draw from one table."""
    dice = np.random.default_rng(seed)
    total = np.zeros(1 + len(field.fighters))
    for part, begin in enumerate(begins):
        count = runs // len(begins) + (runs % len(begins) if part == 0 else 0)
        going: dict[Lefts, int] = {field.start: count}
        for _ in range(MOST_ROUNDS):
            for actor in _order(field, begin):
                after: dict[Lefts, int] = {}
                for lefts, many in going.items():
                    target = field.target(actor, lefts)
                    if not lefts[actor][0] or target is None:
                        after[lefts] = after.get(lefts, 0) + many
                        continue
                    effects, chances = field.effects(actor, target, lefts)
                    for effect, hits in zip(effects, dice.multinomial(many, chances / chances.sum()), strict=True):
                        if hits:
                            lead = field.after(actor, target, lefts, effect)
                            after[lead] = after.get(lead, 0) + int(hits)
                going = after
            for lefts in [one for one in going if field.winner(one) is not None]:
                many = going.pop(lefts)
                total += many * np.array([float(field.winner(lefts) == 0), *(float(left[0] > 0) for left in lefts)])
            if not going:
                break
    return total / runs
