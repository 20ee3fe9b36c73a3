"""Advice on decisions: the best answer for an aim, what each answer is worth, how to spend from one purse."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import lcm
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from msgspec import Struct

from .best_play import PRECISION, Game
from .dice import Record
from .errors import BadStep, NoEnd, TooManyPaths
from .odds import Odds, order_of
from .paths import AsksAgain, Path, Tree, Verdict, Ways
from .pictures import Picture, words
from .play import Waiting, no_question
from .readings import FEW_PATHS
from .sides import Others, Sides
from .steps import Offer, Question, Step, Together
from .weigh import INSTEAD, MANY_PATHS, MOST_PATHS, PROBES, Policy, decline, estimated_paths

if TYPE_CHECKING:
    from .drawings import Drawing
    from .lanes import Planner
    from .lanes.plans import Valued

T = TypeVar("T")

FEW_PATHS_WITH_NUMPY = 1_000
"""Number of paths that can be walked in the time it takes to lay out plans in lanes."""
MOST_COUNTED = 10**18
"""Paths that are estimated; how many more there are makes no difference."""
MOST_CHOICES = 20
"""Number of decisions that are shown."""

Aim = Callable[[Any], "int | Fraction"]
"""Function that values a verdict. A yes-or-no aim is worth its chance."""


class Choice(Struct, frozen=True):
    """One decision: the value of each answer, and the best one. Among equal answers the first listed is best."""

    offer: Offer[Any] | Together
    path: Path
    values: dict[Any, Fraction]
    best: Any


class Advice(Picture, Struct, Generic[T], frozen=True):
    """The best a side can do, in expectation.

    `basis` says how the other sides are assumed to decide. Choices and odds are calculated on first access.
    """

    value: Fraction
    basis: str
    _best_play: _Advisor[T]

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The side's own decisions that best play can meet, in the order in which they come up."""
        return self._best_play.choices

    @property
    def next(self) -> Choice:
        """The first decision: the present one if a waiting question was given."""
        return self._best_play.next

    @property
    def odds(self) -> Odds[T]:
        """The verdict's odds when everyone decides as advised or assumed."""
        return self._best_play.odds

    def drawing(self, title: str = "") -> Drawing:
        """Chart of the odds when everyone decides as advised or assumed."""
        return self.odds.drawing(title or f"best play, worth {float(self.value):.4g}")

    def decisions(self) -> list[list[str]]:
        """The decisions as rows of text, the best answers marked. If there are very many paths, only the first."""
        try:
            found = (self.next,) if isinstance(self._best_play, _LaneAdvisor) else self.choices
        except IndexError:
            found = ()
        rows = [["decides", "after", "answers and what they are worth"]]
        for it in sorted(found, key=lambda it: tuple(map(order_of, it.path)))[:MOST_CHOICES]:
            who = ", ".join(f"{offer.side}: {offer.name}" for offer in it.offer.offers)
            worths = [f"{'→ ' * (one == it.best)}{words(one)}: {float(worth):.4g}" for one, worth in it.values.items()]
            rows.append([who, ", ".join(map(words, it.path)), ", ".join(worths)])
        if len(found) > MOST_CHOICES:
            rows.append(["…", "", f"and {len(found) - MOST_CHOICES:,} more"])
        return rows

    def __str__(self) -> str:
        from .charts import text_table

        return f"Worth {float(self.value):.4g} ({self.value}); {self.basis}.\n{text_table(self.decisions())}"

    def _repr_html_(self) -> str:
        from .charts import html_table
        from .drawings import svg

        return html_table(self.decisions()) + svg(self.drawing(), in_a_page=True)


def advise(
    asked: Question[T] | Waiting[T],
    aim: Aim,
    *,
    side: str,
    others: Policy | Others = decline,
    most_paths: int = MOST_PATHS,
) -> Advice[T]:
    """Find the answers of `side` that are best for `aim`, against what the others do.

    Each sequential decision is made knowing all earlier answers. Where several sides decide together, the others follow
    their policy; if they oppose, the answer is the one whose worst case is best (maximin). A side that never decides is
    refused with `BadStep`.

    >>> from astragal import Offer, Rolls, advise, d6, rule
    >>> @rule
    ... def push() -> Rolls[int]:
    ...     face = yield from d6
    ...     again = yield from Offer("hero", "again", (False, True))
    ...     return (yield from d6) if again else face
    >>> advise(push(), lambda face: face, side="hero").value
    Fraction(17, 4)
    """
    if not isinstance(asked, (Question, Waiting)):
        raise no_question(asked, "advice")
    question, record = (asked.question, asked.record) if isinstance(asked, Waiting) else (asked, Record())
    tree = Tree(question, most_paths)
    sides = Sides(side, others)
    question, start = tree.position_of(record)
    tree = tree.from_question(question)
    advisor = _Advisor(tree, aim, sides, start)
    if advisor.goes_on():
        return _GameAdvisor(question, tree, aim, sides, start).advice(question)
    few = FEW_PATHS_WITH_NUMPY if "numpy" in sys.modules else FEW_PATHS
    if most_paths > FEW_PATHS and advisor.paths_along(usual, few) > few:
        from .lanes import Planner, try_in_lanes

        planner = Planner(side, None if isinstance(others, Others) else others)
        quick = _LaneAdvisor(question, advisor, planner)
        if try_in_lanes(question, lambda: quick.worth(quick.start)) is not None:
            quick.sides.met |= planner.sides_met
            return quick.advice(question)
        advisor.check_width(question, most_paths)
    try:
        return advisor.advice(question)
    except GoesOn:
        return _GameAdvisor(question, tree, aim, sides, start).advice(question)


def usual(values: Sequence[Any]) -> Any:
    """The middle one of the values of a draw, for a path through the middle; of answers, the first is meant."""
    return values[len(values) // 2]


class GoesOn(Exception):
    """Raised where a rule asks itself again: its paths have no end, so it is laid out as a game."""


class _Advisor(Generic[T]):
    """Best play, calculated path by path."""

    def __init__(self, tree: Tree[T], aim: Aim, sides: Sides, start: Path) -> None:
        self.tree, self.aim, self.sides, self.start = tree, aim, sides, start
        self._choices: dict[Path, Choice] = {}

    def advice(self, question: Question[T]) -> Advice[T]:
        """Build the advice. Refuse a side that decides nothing: its name is most often misspelled."""
        worth = self.whole_worth()
        side, met = self.sides.side, self.sides.met
        if side not in met:
            instead = f"{' and '.join(map(repr, sorted(met)))} may be meant" if met else "nobody does: ask for its odds"
            raise BadStep(f"{side!r} never decides {'from here on ' if self.start else ''}in {question}; {instead}")
        return Advice(worth, self.basis, self)

    @property
    def basis(self) -> str:
        return self.sides.basis

    def goes_on(self) -> bool:
        """Return whether a question of the same rule is asked again, with decisions, on any of a few paths."""
        from random import Random  # slow to import

        dice = Random(PROBES)  # noqa: S311 - the same answer each time
        try:
            for _ in range(PROBES):
                self.paths_along(dice.choice, FEW_PATHS)
        except GoesOn:
            return True
        return False

    def paths_along(self, pick: Callable[[Sequence[Any]], Any], most: int) -> int:
        """Estimate the number of paths from one of them: the product of its choices. Counting stops past `most`.

        The path takes the values that `pick` chooses.
        """
        paths = 1
        path = self.start
        while paths <= most:
            stop = self.follow(path)
            if isinstance(stop, Verdict):
                break
            values: Sequence[Any]
            if isinstance(stop, Offer):
                values = self.sides.answers(stop)
            elif isinstance(stop, Together):
                values = tuple(product(*map(self.sides.answers, stop.offers)))
            else:
                values = list(self.tree.draws(stop).weights)
            paths *= len(values)
            path = (*path, values[0] if pick is usual and isinstance(stop, (Offer, Together)) else pick(values))
        return paths

    def check_width(self, question: Question[T], most_paths: int) -> None:
        """Refuse a question that has probably too many paths to walk. The weigher judges in the same way."""
        try:  # an endless loop shows up among the first paths
            _Advisor(Tree(question, min(MANY_PATHS, most_paths)), self.aim, self.sides, self.start).whole_worth()
        except TooManyPaths:
            paths = estimated_paths(lambda dice: self.paths_along(dice.choice, MOST_COUNTED))
            if paths > most_paths:
                raise TooManyPaths(
                    f"{question} has too many paths with all its decisions, some {paths:.0e}. {INSTEAD}"
                ) from None

    def whole_worth(self) -> Fraction:
        """Return the worth of the whole question. Raise `NoEnd` if a path is too long for recursion."""
        try:
            return self.worth(self.start)
        except RecursionError:
            raise self.tree.no_end() from None

    def follow(self, path: Path) -> Step[Any] | Verdict[T]:
        """Follow a path. Raise `GoesOn` where it comes to a question of the same rule."""
        stop = self.tree.follow(path)
        if isinstance(stop, AsksAgain):
            raise GoesOn
        return stop

    def worth(self, path: Path) -> Fraction:
        """Return the expectation of the aim from this path on, with everyone deciding as they do."""
        stop = self.follow(path)
        if isinstance(stop, Verdict):
            return Fraction(self.aim(stop.value))
        if isinstance(stop, (Offer, Together)):
            return self.decided(stop, path)
        draw = self.tree.draws(stop)
        return Fraction(sum(weight * self.worth((*path, value)) for value, weight in draw.weights.items()), draw.total)

    def decided(self, stop: Offer[Any] | Together, path: Path) -> Fraction:
        """Return the worth of a decision.

        That is the worth of the best answer to an offer of one's own, or of the best worst case if sides decide
        together.
        """
        self.sides.met.update(offer.side for offer in stop.offers)
        if isinstance(stop, Together):
            values = {}
            for replies in self.sides.replies(stop):
                worths = {reply: self.worth((*path, reply)) for reply in replies}
                worst = min(worths, key=lambda answer: worths[answer])
                values[worst] = worths[worst]
        else:
            values = {answer: self.worth((*path, answer)) for answer in self.sides.answers(stop)}
        pick = max if self.is_own(stop) else min
        best = pick(values, key=lambda answer: values[answer])
        self._choices[path] = Choice(stop, path, values, best)
        return values[best]

    def is_own(self, stop: Offer[Any] | Together) -> bool:
        return isinstance(stop, Together) or self.sides.owns(stop)

    def _met(self) -> Iterator[tuple[Choice | Verdict[T], Fraction]]:
        """Yield the side's choices and the verdicts, with their chances, following only the best answers."""
        ways = Ways(self.start, Fraction(1))
        for before, (path, share, of) in ways:
            chance = before * Fraction(share, of)
            stop = self.follow(path)
            if isinstance(stop, Verdict):
                yield stop, chance
            elif isinstance(stop, (Offer, Together)):
                if path not in self._choices:
                    self.decided(stop, path)
                if self.is_own(stop):
                    yield self._choices[path], chance
                ways.go_on((*path, self._choices[path].best), chance)
            else:
                ways.part(path, self.tree.draws(stop), chance)

    @cached_property
    def _reached(self) -> tuple[tuple[Choice, ...], Odds[T]]:
        choices: list[Choice] = []
        chances: dict[T, Fraction] = {}
        for met, chance in self._met():
            if isinstance(met, Choice):
                choices.append(met)
            else:
                chances[met.value] = chances.get(met.value, Fraction(0)) + chance
        return tuple(choices), Odds.of_fractions(chances)

    @property
    def choices(self) -> tuple[Choice, ...]:
        return self._reached[0]

    @cached_property
    def next(self) -> Choice:
        for met, _ in self._met():
            if isinstance(met, Choice):
                return met
        raise IndexError(f"{self.sides.side} decides nothing")

    @property
    def odds(self) -> Odds[T]:
        return self._reached[1]


class _LaneAdvisor(_Advisor[T]):
    """Best play by lanes. Looks up what any path is worth; walks paths only when the choices themselves are needed."""

    def __init__(self, question: Question[T], walking: _Advisor[T], planner: Planner) -> None:
        super().__init__(walking.tree, walking.aim, walking.sides, walking.start)
        self._question, self._walking, self._planner = question, walking, planner

    def worth(self, path: Path) -> Fraction:
        return self._valued(path).worth

    def _valued(self, path: Path) -> Valued:
        return self._planner.valued(self._question, path, self.aim)

    @property
    def odds(self) -> Odds[T]:
        return self._valued(self.start).odds

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        self._walking.whole_worth()
        return self._walking.choices


class _GameAdvisor(_Advisor[T]):
    """Best play in a game that goes on, question after question."""

    def __init__(self, question: Question[T], tree: Tree[T], aim: Aim, sides: Sides, start: Path) -> None:
        super().__init__(tree, aim, sides, start)
        self._question = question
        self._game = Game(tree, (question, start), aim, sides)

    @property
    def basis(self) -> str:
        return self.sides.basis if self._game.is_exact else f"{self.sides.basis}; to within {PRECISION:.0e}"

    def whole_worth(self) -> Fraction:
        return self._game.worth

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """The decisions. A path begins with the question that it is a path through, unless that is the first one."""
        choices = []
        for step, (question, path), worths, best in self._game.decisions():
            place = path if question == self._question else (question, *path)
            choices.append(Choice(step, place, worths, best))
        return tuple(choices)

    @cached_property
    def next(self) -> Choice:
        if not self.choices:
            raise IndexError(f"{self.sides.side} decides nothing")
        return self.choices[0]

    @cached_property
    def odds(self) -> Odds[T]:
        return self._game.odds()


# ---------------------------------------------------------------- many tests from one purse
#
# The question is walked once, with all its decisions, for each amount that can be in the purse. The result is a small
# table: verdicts by what they are worth and what they leave in the purse. All tests ahead are calculated from that
# table, backwards, in whole numbers.

Pick: TypeAlias = Callable[[list[int]], int]
"""`sum` for chance, `max` for one's own decision, `min` for an opponent's."""
Node: TypeAlias = "int | tuple[Pick, tuple[tuple[int, Node], ...]]"
"""Rest of a question: the number of an end, or nodes to pick from, each with how often it counts."""
Over: TypeAlias = tuple[int, Node]
"""A node, and the divisor of its value."""


class Ahead(Generic[T]):
    """The best that can be done over all tests ahead, in expectation."""

    def __init__(
        self,
        times: int,
        purse: int,
        trees: Callable[[int], Tree[T]],
        scoring: tuple[Aim, Callable[[T], int]],
        sides: Sides,
    ) -> None:
        self.times, self.purse = times, purse
        self._aim, self._price = scoring
        self._sides = sides
        self._ends: dict[tuple[int | Fraction, int], int] = {}
        """Numbers of the ends, by what the verdict is worth and what it leaves in the purse."""
        self._roots: dict[int, Over] = {}
        """The question for each amount that the purse can come to."""
        waiting = [purse]
        while waiting:
            held = waiting.pop()
            if held not in self._roots:
                tree = trees(held)
                try:
                    self._roots[held] = self._node(tree, (), held)
                except RecursionError:
                    raise tree.no_end() from None
                waiting += {left for _, left in self._ends} - self._roots.keys()
        self._scale = lcm(*(Fraction(worth).denominator for worth, _ in self._ends))
        self._total = lcm(*(over for over, _ in self._roots.values()))
        self._worths = [dict.fromkeys(self._roots, 0)]

    @property
    def value(self) -> Fraction:
        """Value of all tests together, with the whole purse."""
        return self.worth(self.times, self.purse)

    def worth(self, times: int, purse: int) -> Fraction:
        """Value of `times` tests with `purse` left to spend."""
        while (done := len(self._worths)) <= times:  # one more test, before those already valued
            after, before = self._worths[-1], self._total ** (done - 1)
            ends = [int(worth * self._scale) * before + after[left] for worth, left in self._ends]
            self._worths.append(
                {held: self._total // over * _worth(node, ends) for held, (over, node) in self._roots.items()}
            )
        return Fraction(self._worths[times][purse], self._scale * self._total**times)

    def aim(self, verdict: T) -> Fraction:
        """Worth of a verdict of the first test, including all tests after it: an aim for `advise`."""
        return self._aim(verdict) + self.worth(self.times - 1, self.purse - self._price(verdict))

    def _node(self, tree: Tree[T], path: Path, held: int) -> Over:
        stop = tree.follow(path)
        if isinstance(stop, AsksAgain):
            raise NoEnd(f"{stop.question} follows from itself, and tests ahead are of rules that end by themselves")
        if isinstance(stop, Verdict):
            paid = self._price(stop.value)
            if not 0 <= paid <= held:
                raise BadStep(f"{stop.value!r} takes {paid} from a purse of {held}")
            return 1, self._ends.setdefault((self._aim(stop.value), held - paid), len(self._ends))
        if isinstance(stop, Offer):
            options = [self._node(tree, (*path, answer), held) for answer in self._sides.answers(stop)]
            return _picked(max if self._sides.owns(stop) else min, options)
        if isinstance(stop, Together):  # the side's own answer first: opponents choose the worst reply to it
            each = ([self._node(tree, (*path, it), held) for it in replies] for replies in self._sides.replies(stop))
            return _picked(max, [_picked(min, worths) for worths in each])
        draw = tree.draws(stop)
        shares = [(weight, *self._node(tree, (*path, it), held)) for it, weight in draw.weights.items()]
        over = lcm(*(divisor for _, divisor, _ in shares))
        joined: dict[Node, int] = {}  # equal nodes are merged
        for weight, divisor, node in shares:
            joined[node] = joined.get(node, 0) + weight * (over // divisor)
        return draw.total * over, (sum, tuple((share, node) for node, share in joined.items()))


def _worth(node: Node, ends: list[int]) -> int:
    if isinstance(node, int):
        return ends[node]
    pick, parts = node
    return pick([share * _worth(part, ends) for share, part in parts])


def _picked(pick: Pick, options: list[Over]) -> Over:
    if len(options) == 1:
        return options[0]
    over = lcm(*(divisor for divisor, _ in options))
    return over, (pick, tuple((over // divisor, node) for divisor, node in options))


def advise_ahead(
    test: Callable[[int], Question[T]],
    *,
    times: int,
    purse: int,
    aim: Callable[[T], int | Fraction],
    price: Callable[[T], int],
    side: str,
    others: Policy | Others = decline,
    most_paths: int = MOST_PATHS,
) -> Ahead[T]:
    """Find what `times` tests are worth to `side`, which spends from one purse on all of them.

    `test` makes the question for a given amount in the purse; `price` returns how much of it a verdict used up. The
    others decide as in `advise`.

    >>> from astragal import Offer, Rolls, advise_ahead, d6, rule
    >>> @rule
    ... def climb(grip: int) -> Rolls[tuple[bool, int]]:
    ...     face = yield from d6
    ...     spent = yield from Offer("hero", "grip", tuple(range(grip + 1)))
    ...     return face + spent >= 5, spent
    >>> ahead = advise_ahead(climb, times=3, purse=2, aim=lambda it: it[0], price=lambda it: it[1], side="hero")
    >>> round(float(ahead.value), 3)
    1.773
    """
    return Ahead(times, purse, lambda held: Tree(test(held), most_paths), (aim, price), Sides(side, others))
