"""Best play in games that go on: rules with decisions that ask themselves again, until one of them ends.

All questions that the first one leads to are laid out as one graph of ends, draws and decisions. It is valued from the
ends backwards. Where positions lead to each other in a circle, best play is found by improving answers: everybody
begins with answers that end the game as soon as may be, all positions are valued under these, and whoever finds a
better answer takes it, until nobody does. That ends, because there are finitely many answers and each change is for the
better.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar, cast

from .chains import Row, circles, estimated_states, solved
from .errors import Circular, TooManyPaths, TooMuchWork
from .odds import Odds
from .paths import AsksAgain, Path, Tree, Verdict
from .play import nested_too_deep
from .sides import Sides
from .steps import Offer, Question, Together

T = TypeVar("T")

MOST_LAYERS = 1_000
"""Questions that follow each other."""
MOST_EXACT = 5_000
"""Nodes of a game that is valued in fractions. A larger one is valued in floating point, to within `PRECISION`."""
PRECISION = 1e-12
MOST_SWEEPS = 10_000
"""How often the positions of a circle are valued anew in floating point."""
FIRST_ESTIMATE = 20_000
"""After this many nodes, and again and again later, estimate how many there will be …"""
PLAYS = 5
"""… by the length of this many plays."""

Number: TypeAlias = Any
"""A Fraction, or in a large game a float. The same lines calculate with both."""


class End(NamedTuple):
    """A verdict."""

    verdict: Any


class Draw(NamedTuple):
    """Nodes that chance leads to, with their weights. A question is a draw with one outcome: its first node."""

    total: int
    weights: dict[int, int]


class Decision(NamedTuple):
    """Nodes that answers lead to. The side itself looks for the best one, everybody else for the worst."""

    is_own: bool
    answers: tuple[Any, ...]
    nodes: tuple[int, ...]
    step: Offer[Any] | Together | None = None
    position: tuple[Question[Any], Path] | None = None


Node: TypeAlias = "End | Draw | Decision"


class Game(Generic[T]):
    """All positions that a question leads to, with the best answers."""

    def __init__(
        self, tree: Tree[T], start: tuple[Question[T], Path], aim: Callable[[T], int | Fraction], sides: Sides
    ) -> None:
        self._tree, self._aim, self._sides = tree, aim, sides
        self._nodes: list[Node] = []
        self._numbers: dict[Any, int] = {}
        self._roots: dict[Question[T], int] = {}
        self._next_layer: list[Question[T]] = []
        self._values: list[Number] = []
        self._choices: dict[int, int] = {}
        """For each decision, the place of the best answer."""
        self.start = self._lay_out(*start)
        self.is_exact = len(self._nodes) <= MOST_EXACT
        self._value_all()

    @property
    def worth(self) -> Fraction:
        return Fraction(self._values[self.start])

    # ---------------------------------------------------------------- the graph

    def _lay_out(self, question: Question[T], path: Path) -> int:
        """Lay out a question from a point on, and all questions that follow, layer by layer. Return the first node."""
        start = self._node(self._tree.from_question(question), question, path)
        sizes: list[int] = []
        estimate_at = FIRST_ESTIMATE
        while self._next_layer:
            layer, self._next_layer = self._next_layer, []
            sizes.append(len(layer))
            if len(sizes) > MOST_LAYERS:
                raise nested_too_deep(layer[0], len(sizes))
            for asked in layer:
                first = self._node(self._tree.from_question(asked), asked, ())
                self._nodes[self._roots[asked]] = Draw(1, {first: 1})
            if len(self._nodes) > estimate_at:
                estimate_at *= 4
                self._check_size(question, path, sizes)
        return start

    def _node(self, tree: Tree[T], question: Question[T], path: Path) -> int:
        stop = tree.follow(path)
        if isinstance(stop, Verdict):
            return self._number(End(stop.value))
        if isinstance(stop, AsksAgain):
            return self._root(stop.question)
        try:
            if isinstance(stop, (Offer, Together)):
                return self._decision(tree, question, path, stop)
            draw = tree.draws(stop)
            weights: dict[int, int] = {}
            for value, weight in draw.weights.items():
                node = self._node(tree, question, (*path, value))
                weights[node] = weights.get(node, 0) + weight
        except RecursionError:
            raise tree.no_end() from None
        if len(weights) == 1:
            return next(iter(weights))
        return self._number(Draw(draw.total, weights), (draw.total, tuple(weights.items())))

    def _decision(self, tree: Tree[T], question: Question[T], path: Path, step: Offer[Any] | Together) -> int:
        self._sides.met.update(offer.side for offer in step.offers)

        def nodes(answers: Iterable[Any]) -> tuple[int, ...]:
            return tuple([self._node(tree, question, (*path, answer)) for answer in answers])

        position = question, path
        if isinstance(step, Together):
            replies = tuple(tuple(joint) for joint in self._sides.replies(step))
            worst = tuple([self._number(Decision(False, joint, nodes(joint)), unhashed=True) for joint in replies])
            return self._number(Decision(True, replies, worst, step, position), unhashed=True)
        answers = tuple(self._sides.answers(step))
        is_own = self._sides.owns(step)
        if len(answers) == 1 and not is_own:
            return nodes(answers)[0]
        return self._number(Decision(is_own, answers, nodes(answers), step, position), unhashed=True)

    def _number(self, node: Node, key: Any = None, *, unhashed: bool = False) -> int:
        """Number a node. Equal ends and draws are one node."""
        number = len(self._nodes)
        if not unhashed:
            number = self._numbers.setdefault(node if key is None else key, number)
        if number == len(self._nodes):
            self._nodes.append(node)
        return number

    def _root(self, question: Question[T]) -> int:
        number = self._roots.get(question)
        if number is None:
            number = self._roots[question] = len(self._nodes)
            self._nodes.append(Draw(1, {}))  # its first node is not known yet
            self._next_layer.append(question)
        return number

    def _check_size(self, question: Question[T], path: Path, sizes: Sequence[int]) -> None:
        """Refuse a game with far too many positions before they are all laid out."""
        played = {asked for seed in range(PLAYS) for asked in self._play(question, path, seed)}
        met = [asked for asked in played if asked in self._roots]
        nodes = len(self._nodes) / sum(sizes) * estimated_states(sizes, max(1, len(met)) / max(1, len(played)))
        if nodes > self._tree.paths_left:
            raise TooManyPaths(
                f"{question} leads to some {nodes:.0e} positions, too many for advice. Carry less in the arguments, or "
                "give it an end: a number that it stops at."
            )

    def _play(self, question: Question[T], path: Path, seed: int) -> Iterator[Question[T]]:
        """Yield the questions that follow each other in one play, up to a limit."""
        from random import Random  # slow to import, and seldom needed

        dice = Random(seed)  # noqa: S311 - the same answer each time
        for _ in range(MOST_LAYERS):
            tree = self._tree.from_question(question)
            stop = tree.follow(path)
            while not isinstance(stop, (Verdict, AsksAgain)):
                if isinstance(stop, (Offer, Together)):
                    joint = [dice.choice(self._sides.answers(offer)) for offer in stop.offers]
                    value = joint[0] if isinstance(stop, Offer) else tuple(joint)
                else:
                    value = dice.choice(list(tree.draws(stop).weights))
                path = (*path, value)
                stop = tree.follow(path)
            if isinstance(stop, Verdict):
                return
            question, path = stop.question, ()
            yield question

    # ---------------------------------------------------------------- the values

    def _successors(self, number: int) -> Iterable[int]:
        node = self._nodes[number]
        if isinstance(node, End):
            return ()
        return node.weights if isinstance(node, Draw) else node.nodes

    def _value_all(self) -> None:
        self._values = [Fraction(0) if self.is_exact else 0.0] * len(self._nodes)
        successors = {number: self._successors(number) for number in range(len(self._nodes))}
        for circle in circles(successors):
            number = circle[0]
            if len(circle) == 1 and number not in successors[number]:
                self._values[number] = self._value(number)
            else:
                self._value_circle(circle)

    def _value(self, number: int) -> Number:
        """Value a node from the nodes that follow; note the best answer to a decision."""
        node, values = self._nodes[number], self._values
        if isinstance(node, End):
            worth = Fraction(self._aim(node.verdict))
            return worth if self.is_exact else float(worth)
        if isinstance(node, Draw):
            weighted = sum([weight * values[reached] for reached, weight in node.weights.items()])
            return Fraction(weighted, node.total) if self.is_exact else weighted / node.total
        pick = max if node.is_own else min
        best = pick(range(len(node.nodes)), key=lambda place: values[node.nodes[place]])
        self._choices[number] = best
        return values[node.nodes[best]]

    def _value_circle(self, circle: list[int]) -> None:
        steps_to_end = self._steps_to_end(circle)
        for number in circle:
            node = self._nodes[number]
            if isinstance(node, Decision):
                places = range(len(node.nodes))
                self._choices[number] = min(places, key=lambda place: steps_to_end.get(node.nodes[place], 0))
        if self.is_exact:
            try:
                self._improve_exactly(circle)
            except TooMuchWork:
                self.is_exact = False
                self._values = [float(value) for value in self._values]
        if not self.is_exact:
            self._sweep(circle, steps_to_end)

    def _steps_to_end(self, circle: list[int]) -> dict[int, int]:
        """For each node of a circle, the least number of steps out of it; answers that take them end it for certain."""
        inside = set(circle)
        leading_to: dict[int, list[int]] = {number: [] for number in circle}
        steps: dict[int, int] = {}
        layer: list[int] = []
        for number in circle:
            for reached in self._successors(number):
                if reached in inside:
                    leading_to[reached].append(number)
                elif number not in steps:
                    steps[number] = 1
                    layer.append(number)
        for number in layer:  # grows while it is gone through
            for before in leading_to[number]:
                if before not in steps:
                    steps[before] = steps[number] + 1
                    layer.append(before)
        if len(steps) < len(circle):
            asked = next((question for question, root in self._roots.items() if root in inside), "it")
            raise Circular(f"{asked} would be asked for ever, whatever is thrown and decided")
        return steps

    def _improve_exactly(self, circle: list[int]) -> None:
        """Improve the side's own answers, each time against the best that the others can do."""
        while True:
            self._value_under_choices(circle)
            while self._improved(circle, is_own=False):
                self._value_under_choices(circle)
            if not self._improved(circle, is_own=True):
                return

    def _improved(self, circle: list[int], *, is_own: bool) -> bool:
        """Take better answers. An equally good one is not taken: it could go round in circles for ever."""
        improved = False
        for number in circle:
            node = self._nodes[number]
            if isinstance(node, Decision) and node.is_own is is_own:
                values = [self._values[reached] for reached in node.nodes]
                best = max(values) if is_own else min(values)
                if values[self._choices[number]] != best:
                    self._choices[number] = values.index(best)
                    improved = True
        return improved

    def _value_under_choices(self, circle: list[int]) -> None:
        """Value the positions of a circle if everybody answers as chosen: a system of linear equations."""
        inside = set(circle)
        rows: dict[int, Row] = {}
        for number in circle:
            node = self._nodes[number]
            draw = node if isinstance(node, Draw) else Draw(1, {self._chosen(number): 1})
            known = Fraction(0)
            for reached, weight in draw.weights.items():
                if reached not in inside:
                    known += weight * Fraction(self._values[reached])
            scale = known.denominator
            unknown = {reached: weight * scale for reached, weight in draw.weights.items() if reached in inside}
            rows[number] = Row(draw.total * scale, {None: known.numerator}, unknown)
        for number, value in solved(rows, {}, self._nodes).items():
            self._values[number] = Fraction(value.weights[None], value.total)

    def _sweep(self, circle: list[int], steps_to_end: Mapping[int, int]) -> None:
        """Value the positions of a circle again and again, until they hardly change."""
        for _ in range(MOST_SWEEPS):
            change = 0.0
            for number in circle:
                value = self._value(number)
                change = max(change, abs(value - self._values[number]))
                self._values[number] = value
            if change < PRECISION / 100:
                break
        else:
            raise TooMuchWork(f"the positions of a circle of {len(circle):,} change too slowly to be valued")
        for number in circle:  # of answers that are as good as equal, the one that leads to the end sooner
            node = self._nodes[number]
            if isinstance(node, Decision):
                best = self._values[number]
                as_good = [place for place, to in enumerate(node.nodes) if abs(self._values[to] - best) < PRECISION]
                self._choices[number] = min(as_good, key=lambda place: steps_to_end.get(node.nodes[place], 0))

    # ---------------------------------------------------------------- best play

    def _chosen(self, number: int) -> int:
        decision = cast("Decision", self._nodes[number])
        return decision.nodes[self._choices[number]]

    def _reached(self) -> Iterator[int]:
        """Yield the nodes that best play can reach, nearest first."""
        reached = {self.start: None}
        for number in (order := [self.start]):
            yield number
            node = self._nodes[number]
            following = [self._chosen(number)] if isinstance(node, Decision) else self._successors(number)
            for next_number in following:
                if next_number not in reached:
                    reached[next_number] = None
                    order.append(next_number)

    def odds(self) -> Odds[T]:
        """The odds of the verdicts under best play."""
        rows: dict[int, Row] = {}
        for number in self._reached():
            node = self._nodes[number]
            if isinstance(node, End):
                rows[number] = Row(1, {node.verdict: 1}, {})
            elif isinstance(node, Draw):
                rows[number] = Row(node.total, {}, node.weights)
            else:
                rows[number] = Row(1, {}, {self._chosen(number): 1})
        return solved(rows, {}, self._nodes)[self.start]

    def decisions(self) -> Iterator[tuple[Offer[Any] | Together, tuple[Question[T], Path], dict[Any, Fraction], Any]]:
        """Yield the side's own decisions that best play can meet: the step, its position, the worth of each answer.

        Last comes the best answer. Of answers together, only the worst that the others can make of each is listed.
        """
        for number in self._reached():
            node = self._nodes[number]
            if not isinstance(node, Decision) or not node.is_own or node.step is None or node.position is None:
                continue
            worths: dict[Any, Fraction] = {}
            listed: list[Any] = []
            for answer, reached in zip(node.answers, node.nodes, strict=True):
                key = answer[self._choices[reached]] if isinstance(node.step, Together) else answer
                listed.append(key)
                worths[key] = Fraction(self._values[reached])
            yield node.step, node.position, worths, listed[self._choices[number]]
