"""Compile one turn of a fight: walk its question once with all its decisions, into layers that arrays run through.

The rule is walked as `advise` walks it. Situations that are the same, with the same continuations, are stored once.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct

from astragal.chance import NotAStep, Offer, Policy, Question, odds, paths, steps
from astragal.table.authoring.duels import Left, Takes

ATTACKER = "attacker"

Answers = Callable[[Offer[Any]], Sequence[Any]]
Array = Any
"""A NumPy array: of floats, integers or truths, or of fractions as objects. NumPy's types don't tell these apart."""


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

    def shares(self, reached: Array, earlier: Array, _: Array) -> None:
        """Pass what reaches each node on to the earlier nodes that it is a mean of."""
        weights = self.exact if earlier.dtype == object else self.weights
        earlier[self.places] += np.dot(weights.T, reached)


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
        first, *alternatives = self.options.T
        best = nodes[first]
        places = np.repeat(first[:, None], nodes.shape[1], axis=1)
        for option in alternatives:
            values = nodes[option]
            is_better = values > best if self.attacker else values < best
            best = np.where(is_better, values, best)
            places = np.where(is_better, option[:, None], places)
        return best, places

    def shares(self, reached: Array, earlier: Array, nodes: Array) -> None:
        """Pass what reaches each node on to its best option."""
        _, places = self.chosen(nodes)
        np.add.at(earlier, (places, np.arange(earlier.shape[1])), reached)


class Way(NamedTuple):
    """A way on from a node: the next node, and its chance."""

    node: int
    chance: float


Layer = Chance | Decisions


class Turn(Struct, frozen=True, eq=False):
    """A compiled question: its effects are the first nodes, each layer adds its own, and the last node is the turn."""

    effects: tuple[Takes, ...]
    layers: tuple[Layer, ...]

    def nodes(self, worth: Array) -> Array:
        """Return the worth of every node to the side that acts. `worth` is that of each effect (rows) in each state."""
        return self._built(worth, lambda layer, earlier: layer.values(earlier))

    def _built(self, nodes: Array, next_nodes: Callable[[Layer, Array], Array]) -> Array:
        """Add the nodes of each layer to those before it."""
        for layer in self.layers:
            nodes = np.concatenate([nodes, next_nodes(layer, nodes)])
        return nodes

    def line(self, worth: Array, marked: Array) -> tuple[Array, Array]:
        """Return the worth of the turn and the chance of the marked effects, if both sides choose their best."""
        nodes = worth
        marks = marked
        for layer in self.layers:
            if isinstance(layer, Decisions):
                values, places = layer.chosen(nodes)
                marks_of_layer = np.take_along_axis(marks, places, axis=0)
            else:
                values = layer.values(nodes)
                marks_of_layer = layer.values(marks)
            nodes = np.concatenate([nodes, values])
            marks = np.concatenate([marks, marks_of_layer])
        return nodes[-1], marks[-1]

    def most(self, marked: Array) -> Array:
        """Return the chance of the marked effects if both sides want them."""

        def largest(layer: Layer, marks: Array) -> Array:
            if isinstance(layer, Decisions):
                return marks[layer.options].max(axis=1)
            return layer.values(marks)

        return self._built(marked, largest)[-1]

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

    def _layer_and_row(self, node: int) -> tuple[Layer, int]:
        start = len(self.effects)
        for layer in self.layers:
            if node < start + layer.count:
                return layer, node - start
            start += layer.count
        raise IndexError(node)

    def decides(self, node: int) -> bool | None:
        """Return whether the attacker decides here, or else the defender; None if chance does."""
        layer, _ = self._layer_and_row(node)
        return layer.attacker if isinstance(layer, Decisions) else None

    def ways(self, node: int) -> list[Way]:
        """Return the next nodes with their chances; those of a decision are all 1."""
        layer, row = self._layer_and_row(node)
        if isinstance(layer, Decisions):
            return [Way(option, 1.0) for option in dict.fromkeys(layer.options[row].tolist())]
        shares = zip(layer.places.tolist(), layer.weights[row].tolist(), strict=True)
        return [Way(place, share) for place, share in shares if share]

    def is_payable(self, node: int, mine: Left, theirs: Left) -> bool:
        """Return whether both sides, with this much left, can pay the least that follows."""
        for side, left in enumerate((mine, theirs)):
            for place in range(1, len(left)):
                prices = [effect[side][place] for effect in self.effects]
                if self.furthest(prices, np.min)[node] > left[place]:
                    return False
        return True

    def furthest(self, numbers: Sequence[int], pick: Callable[..., Array]) -> Array:
        """Return the least or most (`np.min`, `np.max`) of a number of the effects that each node can still lead to."""

        def picked(layer: Layer, earlier: Array) -> Array:
            if isinstance(layer, Decisions):
                return pick(earlier[layer.options], axis=1)
            return np.array([pick(earlier[layer.places[row > 0]]) for row in layer.weights])

        return self._built(np.array(numbers), picked)


def decided(question: Question[Any], effect: Callable[[Any], Takes], policy: Policy) -> Turn:
    """Compile a turn in which nobody decides anything: its odds under a policy."""
    effect_odds = odds(question, policy).map(effect)
    shares = [Fraction(weight, effect_odds.total) for weight in effect_odds.weights.values()]
    exact = np.array([shares], dtype=object)
    chance = Chance(np.arange(len(shares)), exact.astype(float), exact)
    return Turn(tuple(effect_odds.weights), (chance,))


def compiled(question: Question[Any], effect: Callable[[Any], Takes], answers: Answers) -> Turn:
    """Compile a question by walking it once. `answers` gives those worth considering; a single one is no decision."""
    return _Compiler(question, effect, answers).turn()


class End(Struct, frozen=True):
    """Node in which the turn ends."""

    effect: Takes

    @property
    def below(self) -> tuple[int, ...]:
        return ()


class Best(Struct, frozen=True):
    """Node in which one side decides."""

    attacker: bool
    options: tuple[int, ...]

    @property
    def below(self) -> tuple[int, ...]:
        return self.options


class Mean(Struct, frozen=True):
    """Node of chance: other nodes, each with its share."""

    shares: tuple[tuple[int, Fraction], ...]

    @property
    def below(self) -> tuple[int, ...]:
        return tuple(node for node, _ in self.shares)


Node = End | Best | Mean


class _Compiler:
    """Walks a question. Nodes are known by their numbers, in the order in which they were met."""

    def __init__(self, question: Question[Any], effect: Callable[[Any], Takes], answers: Answers) -> None:
        self._tree = paths.Tree(question)
        self._effect = effect
        self._answers = answers
        self._nodes: list[Node] = []
        self._depths: list[int] = []
        """How far each node is from the ends below it."""
        self._numbers: dict[Node, int] = {}

    def turn(self) -> Turn:
        root = self._walked(())
        if not isinstance(self._nodes[root], Mean):
            root = self._mean({root: Fraction(1)})
        return self._laid_out(root)

    def _walked(self, path: paths.Path) -> int:
        """Walk on from where a path leads, and return the number of the node that it comes to."""
        stop = self._tree.follow(path)
        if isinstance(stop, paths.Verdict):
            return self._number(End(self._effect(stop.value)))
        if isinstance(stop, steps.Together):
            raise NotAStep("two sides decide at once in this turn, and a duel is solved only where they take turns")
        if isinstance(stop, Offer):
            options = tuple(dict.fromkeys(self._walked((*path, answer)) for answer in self._answers(stop)))
            if len(options) == 1:
                return options[0]
            return self._number(Best(stop.side == ATTACKER, options))
        draw = self._tree.draws(stop)
        shares: dict[int, Fraction] = {}
        for value, weight in draw.weights.items():
            node = self._walked((*path, value))
            shares[node] = shares.get(node, Fraction(0)) + Fraction(weight, draw.total)
        return self._mean(shares)

    def _mean(self, shares: dict[int, Fraction]) -> int:
        """Make a mean node. A mean of means is flattened into one mean."""
        flat: dict[int, Fraction] = {}
        for number, share in shares.items():
            node = self._nodes[number]
            inner_shares = node.shares if isinstance(node, Mean) else ((number, Fraction(1)),)
            for inner, inner_share in inner_shares:
                flat[inner] = flat.get(inner, Fraction(0)) + share * inner_share
        return self._number(Mean(tuple(sorted(flat.items()))))

    def _number(self, node: Node) -> int:
        """Return the number of a node, a new one if there is no equal node yet."""
        number = self._numbers.setdefault(node, len(self._nodes))
        if number == len(self._nodes):
            self._nodes.append(node)
            self._depths.append(1 + max((self._depths[inner] for inner in node.below), default=-1))
        return number

    def _laid_out(self, root: int) -> Turn:
        """Lay out the nodes that the root needs, layer by layer: ends, then what is made of them."""
        numbers_by_layer: dict[tuple[int, bool, bool], list[int]] = {}
        for number in sorted(self._needed(root)):
            node = self._nodes[number]
            key = (self._depths[number], isinstance(node, Mean), isinstance(node, Best) and node.attacker)
            numbers_by_layer.setdefault(key, []).append(number)
        place: dict[int, int] = {}
        layers: list[Layer] = []
        effects: list[Takes] = []
        for _, numbers in sorted(numbers_by_layer.items()):
            nodes = [self._nodes[number] for number in numbers]
            decisions = [node for node in nodes if isinstance(node, Best)]
            means = [node for node in nodes if isinstance(node, Mean)]
            if decisions:
                layers.append(_decisions(decisions, place))
            elif means:
                layers.append(_chance(means, place))
            else:
                effects = [node.effect for node in nodes if isinstance(node, End)]
            for number in numbers:
                place[number] = len(place)
        return Turn(tuple(effects), tuple(layers))

    def _needed(self, root: int) -> set[int]:
        """Return the root, and all nodes below it."""
        needed = {root}
        waiting = [root]
        while waiting:
            below = self._nodes[waiting.pop()].below
            waiting += [number for number in below if number not in needed]
            needed.update(below)
        return needed


def _decisions(nodes: Sequence[Best], place: Mapping[int, int]) -> Decisions:
    """Make a layer of decisions, all of one side."""
    rows = [[place[option] for option in node.options] for node in nodes]
    widest = max(map(len, rows))
    padded = [row + row[-1:] * (widest - len(row)) for row in rows]
    return Decisions(nodes[0].attacker, np.array(padded))


def _chance(nodes: Sequence[Mean], place: Mapping[int, int]) -> Chance:
    """Make a layer of means."""
    rows = [{place[number]: share for number, share in node.shares} for node in nodes]
    places = sorted(set().union(*rows))
    weights = [[row.get(column, Fraction(0)) for column in places] for row in rows]
    exact = np.array(weights, dtype=object)
    return Chance(np.array(places), exact.astype(float), exact)
