"""Compile one turn of a fight: walk its question once with all its decisions, into layers that arrays run through.

The rule is walked as `advise` walks it. Situations that are the same, with the same continuations, are stored once.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from msgspec import Struct

from astragal.chance import NotAStep, Offer, Policy, Question, odds, paths, steps
from astragal.table.authoring.duels import Left

ATTACKER = "attacker"

Answers = Callable[[Offer[Any]], Sequence[Any]]
Array = Any


class Chance(Struct, frozen=True):
    """Layer of chance nodes: each is a weighted mean of earlier nodes."""

    places: Array
    weights: Array
    exact: Array

    @property
    def count(self) -> int:
        return len(self.weights)

    def values(self, nodes: Array) -> Array:
        weights = self.exact if nodes.dtype == object else self.weights
        return np.dot(weights, nodes[self.places])

    def shares(self, reached: Array, of: Array, _: Array) -> None:
        """Pass what reaches each node on to the nodes that it is a mean of."""
        weights = self.exact if of.dtype == object else self.weights
        of[self.places] += np.dot(weights.T, reached)


class Decisions(Struct, frozen=True):
    """Layer of one side's decisions: each node is the best of its options. Rows are padded with their last option."""

    attacker: bool
    options: Array

    @property
    def count(self) -> int:
        return len(self.options)

    def values(self, nodes: Array) -> Array:
        values = nodes[self.options]
        return values.max(axis=1) if self.attacker else values.min(axis=1)

    def chosen(self, nodes: Array) -> tuple[Array, Array]:
        """Return worth and places of the best options, of equal ones the first. Loops over options, which is fast."""
        first, *others = self.options.T
        best, places = nodes[first], np.repeat(first[:, None], nodes.shape[1], axis=1)
        for option in others:
            values = nodes[option]
            better = values > best if self.attacker else values < best
            best = np.where(better, values, best)
            places = np.where(better, option[:, None], places)
        return best, places

    def shares(self, reached: Array, of: Array, nodes: Array) -> None:
        _, places = self.chosen(nodes)
        np.add.at(of, (places, np.arange(of.shape[1])), reached)


class Turn(Struct, frozen=True, eq=False):
    """A compiled question: its effects are the first nodes, each layer adds its own, and the last node is the turn."""

    effects: tuple[Any, ...]
    layers: tuple[Chance | Decisions, ...]

    def nodes(self, worth: Array) -> Array:
        """Return the worth of every node to the side that acts. `worth` is that of each effect (rows) in each state."""
        return self._built(worth, lambda layer, nodes: layer.values(nodes))

    def _built(self, nodes: Array, more: Callable[[Chance | Decisions, Array], Array]) -> Array:
        """Add the nodes of each layer to those before it."""
        for layer in self.layers:
            nodes = np.concatenate([nodes, more(layer, nodes)])
        return nodes

    def line(self, worth: Array, marked: Array) -> tuple[Array, Array]:
        """Return the worth of the turn and the chance of the marked effects, if both sides choose their best."""
        nodes, marks = worth, marked
        for layer in self.layers:
            if isinstance(layer, Decisions):
                more, places = layer.chosen(nodes)
                more_marks = np.take_along_axis(marks, places, axis=0)
            else:
                more, more_marks = layer.values(nodes), layer.values(marks)
            nodes, marks = np.concatenate([nodes, more]), np.concatenate([marks, more_marks])
        return nodes[-1], marks[-1]

    def most(self, marked: Array) -> Array:
        """Return the chance of the marked effects if both sides want them."""
        return self._built(
            marked,
            lambda layer, marks: (
                marks[layer.options].max(axis=1) if isinstance(layer, Decisions) else layer.values(marks)
            ),
        )[-1]

    def reached(self, nodes: Array) -> Array:
        """Return the chance that each node is met, or the turn ends in an effect, if both sides choose their best."""
        reached = np.zeros_like(nodes)
        reached[-1] = 1
        end = len(nodes)
        for layer in reversed(self.layers):
            start = end - layer.count
            layer.shares(reached[start:end], reached[:start], nodes)
            end = start
        return reached

    # ---------------------------------------------------------------- node by node

    @property
    def count(self) -> int:
        """Number of nodes; the last is where the turn begins."""
        return len(self.effects) + sum(layer.count for layer in self.layers)

    def _found(self, node: int) -> tuple[Chance | Decisions, int]:
        start = len(self.effects)
        for layer in self.layers:
            if node < start + layer.count:
                return layer, node - start
            start += layer.count
        raise IndexError(node)

    def decides(self, node: int) -> bool | None:
        """Return whether the attacker decides here, or else the defender; None if chance does."""
        layer, _ = self._found(node)
        return layer.attacker if isinstance(layer, Decisions) else None

    def ways(self, node: int) -> list[tuple[int, float]]:
        """Return the next nodes with their chances; those of a decision are all 1."""
        layer, row = self._found(node)
        if isinstance(layer, Decisions):
            return [(one, 1.0) for one in dict.fromkeys(layer.options[row].tolist())]
        return [
            (place, share)
            for place, share in zip(layer.places.tolist(), layer.weights[row].tolist(), strict=True)
            if share
        ]

    def is_payable(self, node: int, mine: Left, theirs: Left) -> bool:
        """Return whether both sides, with this much left, can pay the least that follows."""
        for number, left in enumerate((mine, theirs)):
            for place in range(1, len(left)):
                if self.furthest([one[number][place] for one in self.effects], np.min)[node] > left[place]:
                    return False
        return True

    def furthest(self, numbers: Sequence[int], pick: Callable[..., Array]) -> Array:
        """Return the least or most (`np.min`, `np.max`) of a number of the effects that each node can still lead to."""

        def more(layer: Chance | Decisions, known: Array) -> Array:
            if isinstance(layer, Decisions):
                return pick(known[layer.options], axis=1)
            return np.array([pick(known[layer.places[row > 0]]) for row in layer.weights])

        return self._built(np.array(numbers), more)


def decided(question: Question[Any], effect: Callable[[Any], Any], policy: Policy) -> Turn:
    """Compile a turn in which nobody decides anything: its odds under a policy."""
    found = odds(question, policy).map(effect)
    exact = np.array([[Fraction(weight, found.total) for weight in found.weights.values()]], dtype=object)
    return Turn(tuple(found.weights), (Chance(np.arange(len(found.weights)), exact.astype(float), exact),))


def compiled(question: Question[Any], effect: Callable[[Any], Any], answers: Answers) -> Turn:
    """Compile a question by walking it once. `answers` gives those worth considering; a single one is no decision."""
    return _Compiler(question, effect, answers).turn()


Node = tuple[Any, ...]


class _Compiler:
    def __init__(self, question: Question[Any], effect: Callable[[Any], Any], answers: Answers) -> None:
        self._tree, self._effect, self._answers = paths.Tree(question), effect, answers
        self._known: dict[Node, int] = {}
        self._made: list[tuple[int, Node]] = []

    def turn(self) -> Turn:
        root = self._node(())
        if self._made[root][1][0] != "mean":
            root = self._mean({root: Fraction(1)})
        return self.laid_out(root)

    def _node(self, path: paths.Path) -> int:
        stop = self._tree.follow(path)
        if isinstance(stop, paths.Verdict):
            return self._kept(("end", self._effect(stop.value)), 0)
        if isinstance(stop, steps.Together):
            raise NotAStep("two sides decide at once in this turn, and a duel is solved only where they take turns")
        if isinstance(stop, Offer):
            different = tuple(dict.fromkeys(self._node((*path, answer)) for answer in self._answers(stop)))
            if len(different) == 1:
                return different[0]
            depth = 1 + max(self._made[one][0] for one in different)
            return self._kept(("best", stop.side == ATTACKER, different), depth)
        draw = self._tree.draws(stop)
        shares: dict[int, Fraction] = {}
        for value, weight in draw.weights.items():
            node = self._node((*path, value))
            shares[node] = shares.get(node, Fraction(0)) + Fraction(weight, draw.total)
        return self._mean(shares)

    def _mean(self, shares: dict[int, Fraction]) -> int:
        """Make a mean node. A mean of means is flattened into one mean."""
        flat: dict[int, Fraction] = {}
        for node, share in shares.items():
            kind = self._made[node][1]
            for inner, part in kind[1] if kind[0] == "mean" else ((node, Fraction(1)),):
                flat[inner] = flat.get(inner, Fraction(0)) + share * part
        depth = 1 + max(self._made[one][0] for one in flat)
        return self._kept(("mean", tuple(sorted(flat.items()))), depth)

    def _kept(self, node: Node, depth: int) -> int:
        place = self._known.setdefault(node, len(self._made))
        if place == len(self._made):
            self._made.append((depth, node))
        return place

    def laid_out(self, root: int) -> Turn:
        """Number the nodes that the root needs, layer by layer: ends, then what is made of them."""
        needed, waiting = {root}, [root]
        while waiting:
            kind = self._made[waiting.pop()][1]
            below = kind[2] if kind[0] == "best" else [one for one, _ in kind[1]] if kind[0] == "mean" else ()
            waiting += [one for one in below if one not in needed]
            needed.update(below)
        ordered: dict[tuple[int, str, bool], list[int]] = {}
        for one in sorted(needed):
            depth, kind = self._made[one]
            ordered.setdefault((depth, kind[0], kind[0] == "best" and kind[1]), []).append(one)
        place: dict[int, int] = {}
        layers: list[Chance | Decisions] = []
        effects: tuple[Any, ...] = ()
        for (_, name, attacker), nodes in sorted(ordered.items()):
            if name == "end":
                effects = tuple(self._made[one][1][1] for one in nodes)
            elif name == "best":
                layers.append(self.decisions(nodes, attacker, place))
            else:
                layers.append(self.chance(nodes, place))
            place |= {one: number for number, one in enumerate(nodes, len(place))}
        return Turn(effects, tuple(layers))

    def decisions(self, nodes: list[int], attacker: bool, place: dict[int, int]) -> Decisions:
        options = [[place[one] for one in self._made[node][1][2]] for node in nodes]
        widest = max(map(len, options))
        padded = np.array([row + row[-1:] * (widest - len(row)) for row in options])
        return Decisions(attacker, padded)

    def chance(self, nodes: list[int], place: dict[int, int]) -> Chance:
        rows = [{place[one]: share for one, share in self._made[node][1][1]} for node in nodes]
        places = sorted({one for row in rows for one in row})
        exact = np.array([[row.get(one, Fraction(0)) for one in places] for row in rows], dtype=object)
        return Chance(np.array(places), exact.astype(float), exact)
