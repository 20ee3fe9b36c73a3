"""Chains of states: exact odds of questions that ask further questions until one of them ends.

A rule that repeats asks itself, as its last step, with what it carries on as arguments: a state. The verdict of such a
question is that of the question that it asks, so each state is one equation: it comes to these verdicts by itself, and
to the verdicts of those states. States are solved from the end backwards. Where states lead to each other in a circle
(a duel in which both may miss), their equations are solved together, by elimination in whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import gcd, lcm, log2
from typing import Any, NamedTuple, TypeVar

from .errors import Circular, TooMuchWork
from .odds import Odds

State = int
T = TypeVar("T")

MOST_ELIMINATIONS = 2_000_000
"""Terms added while states that lead to each other are eliminated. Half a second, as long as the numbers are short."""


class Row(NamedTuple):
    """Equation of a state: the weights of verdicts, and of states whose verdict is then its own, out of `total`.

    States are numbers.
    """

    total: int
    verdicts: dict[Any, int]
    states: dict[int, int]

    @classmethod
    def merged(cls, verdicts: Mapping[int, dict[Any, int]], states: Mapping[int, dict[int, int]]) -> Row:
        """Return a row from weights that were collected under several totals."""
        totals = {*verdicts, *states}
        total = lcm(*totals)
        return cls(total, _over_one_total(verdicts, total), _over_one_total(states, total))


def _over_one_total(weights_by_total: Mapping[int, dict[T, int]], total: int) -> dict[T, int]:
    if len(weights_by_total) == 1 and total in weights_by_total:
        return weights_by_total[total]
    merged: dict[T, int] = {}
    for part_total, weights in weights_by_total.items():
        factor = total // part_total
        for key, weight in weights.items():
            merged[key] = merged.get(key, 0) + weight * factor
    return merged


def solved(
    rows: Mapping[State, Row], solved_before: Mapping[State, Odds[Any]], names: Sequence[object]
) -> dict[State, Odds[Any]]:
    """Return the odds of all states. Each state that one leads to has a row, too, or was solved before.

    `names` are what the states stand for, for errors.
    """
    odds = dict(solved_before)
    for circle in circles({state: row.states for state, row in rows.items()}):
        first = circle[0]
        if len(circle) == 1 and first not in rows[first].states:
            odds[first] = _substituted(rows[first], odds)
        else:
            _solve_circle(circle, rows, odds, names)
    return {state: odds[state] for state in rows}


def _substituted(row: Row, odds: Mapping[State, Odds[Any]]) -> Odds[Any]:
    """Return the odds of a state from those of the states that it leads to."""
    if not row.states:
        return Odds(row.verdicts, row.total)
    weights_by_total: dict[int, dict[Any, int]] = {}
    if row.verdicts:
        weights_by_total[1] = dict(row.verdicts)
    for state, weight in row.states.items():
        of_state = odds[state]
        weights = weights_by_total.get(of_state.total)
        if weights is None:
            weights = weights_by_total[of_state.total] = {}
        for verdict, verdict_weight in of_state.weights.items():
            weights[verdict] = weights.get(verdict, 0) + weight * verdict_weight
    total = lcm(*weights_by_total)
    return Odds(_over_one_total(weights_by_total, total), row.total * total)


def _solve_circle(
    circle: list[State], rows: Mapping[State, Row], odds: dict[State, Odds[Any]], names: Sequence[object]
) -> None:
    """Solve states that lead to each other: eliminate one after the other, then substitute backwards."""
    equations = {state: _with_unknowns(rows[state], set(circle), odds) for state in circle}
    leading_to: dict[State, set[State]] = {state: set() for state in circle}
    for state, equation in equations.items():
        for reached in equation.states:
            leading_to[reached].add(state)
    work = 0
    for state in circle:
        if equations[state].states.get(state) == equations[state].total:
            raise Circular(f"{names[state]} would be asked for ever: whatever is thrown, it comes back to itself")
        equation = equations[state] = _without_itself(state, equations[state])
        for other in leading_to.pop(state):
            if other not in leading_to:
                continue  # it has been eliminated
            equations[other] = _eliminated(state, equation, equations[other])
            for reached in equation.states:
                leading_to[reached].add(other)
            work += len(equation.verdicts) + len(equation.states) + len(equations[other].states)
        if work > MOST_ELIMINATIONS:
            raise TooMuchWork(
                f"{names[circle[-1]]} is one of {len(circle):,} states that lead to each other, too many for exact "
                "odds. Carry less in the arguments, or let each step lead nearer to the end."
            )
    for state in reversed(circle):
        odds[state] = _in_lowest_terms(_substituted(equations[state], odds))


def _with_unknowns(row: Row, unknown: set[State], odds: Mapping[State, Odds[Any]]) -> Row:
    """Return the equation with only these states left in it: the odds of all others are known."""
    inside = {state: weight for state, weight in row.states.items() if state in unknown}
    outside = {state: weight for state, weight in row.states.items() if state not in unknown}
    if not outside:
        return Row(row.total, dict(row.verdicts), inside)
    replaced = _substituted(Row(row.total, row.verdicts, outside), odds)
    factor = replaced.total // row.total
    return Row(replaced.total, dict(replaced.weights), {state: weight * factor for state, weight in inside.items()})


def _without_itself(state: State, equation: Row) -> Row:
    """Solve an equation for its own state. What leads back to the state only delays the end."""
    states = {other: weight for other, weight in equation.states.items() if other != state}
    return Row(equation.total - equation.states.get(state, 0), equation.verdicts, states)


def _eliminated(state: State, equation: Row, other: Row) -> Row:
    """Replace a state in another state's equation by what it is equal to."""
    share = other.states[state]
    common = gcd(share, equation.total)
    own_factor = equation.total // common
    factor = share // common
    verdicts = {verdict: weight * own_factor for verdict, weight in other.verdicts.items()}
    for verdict, weight in equation.verdicts.items():
        verdicts[verdict] = verdicts.get(verdict, 0) + weight * factor
    states = {reached: weight * own_factor for reached, weight in other.states.items() if reached != state}
    for reached, weight in equation.states.items():
        states[reached] = states.get(reached, 0) + weight * factor
    divisor = gcd(other.total * own_factor, *verdicts.values(), *states.values())
    if divisor > 1:
        verdicts = {verdict: weight // divisor for verdict, weight in verdicts.items()}
        states = {reached: weight // divisor for reached, weight in states.items()}
    return Row(other.total * own_factor // divisor, verdicts, states)


def _in_lowest_terms(odds: Odds[Any]) -> Odds[Any]:
    divisor = gcd(odds.total, *odds.weights.values())
    if divisor == 1:
        return odds
    return Odds({verdict: weight // divisor for verdict, weight in odds.weights.items()}, odds.total // divisor)


def estimated_states(layer_sizes: Sequence[int], share_met: float) -> float:
    """Estimate how many states a chain has, from its first layers and the share of a few plays that lies in them.

    A chain that goes on for ever grows, layer by layer, as long as one looks.
    """
    states = sum(layer_sizes)
    growth = log2(states / max(1, sum(layer_sizes[: len(layer_sizes) // 2])))
    return float(states / share_met ** max(1.0, growth))


def circles(successors: Mapping[State, Iterable[State]]) -> Iterator[list[State]]:
    """Yield the states in groups that lead to each other, each after all groups that it leads to.

    A state that never comes back to itself is a group of its own. States without successors of their own are left out.
    This is Tarjan's algorithm, without recursion: chains may be thousands of states deep.
    """
    search = _Search(successors)
    for start in successors:
        if start not in search.numbers:
            yield from search.groups_from(start)


class _Search:
    """Depth-first search for groups of states that lead to each other."""

    def __init__(self, successors: Mapping[State, Iterable[State]]) -> None:
        self._successors = successors
        self.numbers: dict[State, int] = {}
        """The states met, numbered in this order."""
        self._lowest: dict[State, int] = {}
        """The lowest number of a state without a group that each state leads to."""
        self._without_group: dict[State, None] = {}
        self._way: list[tuple[State, Iterator[State]]] = []

    def groups_from(self, start: State) -> Iterator[list[State]]:
        self._enter(start)
        while self._way:
            state, ahead = self._way[-1]
            reached = self._next_new(state, ahead)
            if reached is not None:
                self._enter(reached)
                continue
            self._way.pop()
            if self._way:
                before = self._way[-1][0]
                self._lowest[before] = min(self._lowest[before], self._lowest[state])
            if self._lowest[state] == self.numbers[state]:
                yield self._group_of(state)

    def _enter(self, state: State) -> None:
        self.numbers[state] = self._lowest[state] = len(self.numbers)
        self._without_group[state] = None
        self._way.append((state, iter(self._successors[state])))

    def _next_new(self, state: State, ahead: Iterator[State]) -> State | None:
        for reached in ahead:
            if reached in self._without_group:
                self._lowest[state] = min(self._lowest[state], self.numbers[reached])
            elif reached not in self.numbers and reached in self._successors:
                return reached
        return None

    def _group_of(self, first: State) -> list[State]:
        group: list[State] = []
        while not group or group[-1] != first:
            group.append(self._without_group.popitem()[0])
        return group
