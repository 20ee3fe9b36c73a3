"""Reading a question for its decisions: which answer is best for an aim, and what each is worth."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from enum import Enum
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from astragal.values import frozen

from .dice import Record
from .errors import BadStep, TooManyPaths
from .odds import Odds, order_of
from .paths import Path, Tree, Verdict, Ways
from .pictures import Picture, words
from .play import Waiting, legal, no_question
from .steps import Offer, Question, Together
from .weigh import INSTEAD, MANY_PATHS, MOST_PATHS, PROBES, Policy, decline

if TYPE_CHECKING:
    from .drawings import Drawing
    from .lanes import Planner
    from .lanes.plans import Valued

T = TypeVar("T")

FEW_PATHS = 20_000
"""As many as can be walked while NumPy loads."""
FEW_PATHS_WITH_NUMPY = 1_000
"""As many as can be walked while plans are laid out in lanes."""

Aim = Callable[[Any], "int | Fraction"]
"""What a verdict is worth. A yes-or-no aim is worth its chance."""


class Others(Enum):
    """Default decisions of the other sides."""

    OPPOSE = "they answer to hurt"


@frozen(slots=True)
class Choice:
    """One decision: what each answer is worth, and which is best. Equal answers: the first listed is best."""

    offer: Offer[Any] | Together
    path: Path
    values: dict[Any, Fraction]
    best: Any


@frozen(slots=True)
class Advice(Picture, Generic[T]):
    """The best a side can do, in expectation.

    `basis` says how the others were taken to decide. Choices and odds are found when they are asked for.
    """

    value: Fraction
    basis: str
    _best_play: _Advisor[T]

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The decisions of one's own that best play can meet, in the order in which they come up."""
        return self._best_play.choices

    @property
    def next(self) -> Choice:
        """The decision that stands first: the present one, where a waiting question was asked about."""
        return self._best_play.next

    @property
    def odds(self) -> Odds[T]:
        """The verdict's odds when everyone decides so."""
        return self._best_play.odds

    def drawing(self, title: str = "") -> Drawing:
        """The odds when everyone decides so."""
        return self.odds.drawing(title or f"best play, worth {float(self.value):.4g}")

    def decisions(self) -> list[list[str]]:
        """The decisions as rows of words. Of a question with very many paths, the first alone."""
        from .charts import MOST_CHOICES, decisions

        try:
            found = (self.next,) if isinstance(self._best_play, _LaneAdvisor) else self.choices
        except IndexError:
            found = ()
        found = tuple(sorted(found, key=lambda it: tuple(map(order_of, it.path))))
        shown = [
            (
                ", ".join(f"{offer.side}: {offer.name}" for offer in it.offer.offers),
                ", ".join(map(words, it.path)),
                it.values,
                it.best,
            )
            for it in found[:MOST_CHOICES]
        ]
        return decisions(shown, len(found) - len(shown))

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

    Sequential decisions are answered knowing all that was answered before. Where several sides decide together,
    the others follow their policy, or, if they oppose, the answer is the one whose worst case is best (maximin).
    A side that never decides is refused with `BadStep`.

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
    advisor = _Advisor(tree, aim, Sides(side, others), tree.path_of(record))
    few = FEW_PATHS_WITH_NUMPY if "numpy" in sys.modules else FEW_PATHS
    if most_paths > FEW_PATHS and advisor.is_wider_than(few):
        from .lanes import Planner, tried

        planner = Planner(side, None if isinstance(others, Others) else others)
        quick = _LaneAdvisor(question, advisor, planner)
        worth = tried(question, lambda: quick.worth(quick.start))
        if worth is not None:
            quick.sides.met |= planner.sides_met
            return quick.advice(question, worth)
        advisor.check_width(question, most_paths)
    return advisor.advice(question, advisor.whole_worth())


class Sides:
    """The sides that answer offers: one's own, and the others, who follow a policy or oppose."""

    def __init__(self, side: str, others: Policy | Others) -> None:
        self.side, self.others = side, others
        self.met: set[str] = set()

    @property
    def basis(self) -> str:
        if isinstance(self.others, Others):
            return "the others answer to hurt; decisions taken together by maximin"
        return f"the others answer by the policy {getattr(self.others, '__name__', 'given')}"

    def owns(self, offer: Offer[Any]) -> bool:
        return offer.side == self.side

    def answers(self, offer: Offer[Any]) -> tuple[Any, ...]:
        """One's own answers, and those of who opposes, are still open."""
        if self.owns(offer) or isinstance(self.others, Others):
            return offer.options
        return (legal(offer, self.others(offer)),)

    def replies(self, together: Together) -> Iterator[list[tuple[Any, ...]]]:
        """For each answer of one's own, all joint answers that the others may make of it."""
        for own in product(*(offer.options if self.owns(offer) else (None,) for offer in together.offers)):
            each = zip(own, together.offers, strict=True)
            yield list(product(*((one,) if self.owns(offer) else self.answers(offer) for one, offer in each)))


class _Advisor(Generic[T]):
    """Best play, path by path."""

    def __init__(self, tree: Tree[T], aim: Aim, sides: Sides, start: Path) -> None:
        self.tree, self.aim, self.sides, self.start = tree, aim, sides, start
        self._choices: dict[Path, Choice] = {}

    def advice(self, question: Question[T], worth: Fraction) -> Advice[T]:
        """The advice to a side that decides anything; one that does not is most often misspelled."""
        side, met = self.sides.side, self.sides.met
        if side not in met:
            instead = f"{' and '.join(map(repr, sorted(met)))} may be meant" if met else "nobody does: ask for its odds"
            raise BadStep(f"{side!r} never decides {'from here on ' if self.start else ''}in {question}; {instead}")
        return Advice(worth, self.sides.basis, self)

    def is_wider_than(self, most: int, pick: Callable[[list[Any]], Any] | None = None) -> bool:
        """Are there more paths than so many? Judged by one: as picked, or through the middle, with first answers."""
        paths, path = 1, self.start
        while paths <= most:
            stop = self.tree.follow(path)
            if isinstance(stop, Verdict):
                return False
            if isinstance(stop, (Offer, Together)):
                joint = product(*map(self.sides.answers, stop.offers))
                values, usual = [it[0] if isinstance(stop, Offer) else it for it in joint], 0
            else:
                values = list(self.tree.draws(stop).weights)
                usual = len(values) // 2
            paths *= len(values)
            path = (*path, pick(values) if pick else values[usual])
        return True

    def check_width(self, question: Question[T], most_paths: int) -> None:
        """Refuse a question with more paths than may be walked, as good as certainly; judged as the weigher does."""
        try:  # a loop that nothing ends shows among the first paths
            _Advisor(Tree(question, min(MANY_PATHS, most_paths)), self.aim, self.sides, self.start).whole_worth()
        except TooManyPaths:
            from random import Random  # takes a while to load, and is seldom needed

            dice = Random(PROBES)  # noqa: S311 - the same answer each time
            if all(self.is_wider_than(2 * most_paths, dice.choice) for _ in range(PROBES)):
                raise TooManyPaths(f"{question} has too many paths with all its decisions. {INSTEAD}") from None

    def whole_worth(self) -> Fraction:
        """The worth of all that follows; a path too long to be gone back is refused by name."""
        try:
            return self.worth(self.start)
        except RecursionError:
            raise self.tree.no_end() from None

    def worth(self, path: Path) -> Fraction:
        """The expectation of the aim from here on, everyone deciding as they do."""
        stop = self.tree.follow(path)
        if isinstance(stop, Verdict):
            return Fraction(self.aim(stop.value))
        if isinstance(stop, (Offer, Together)):
            return self.decided(stop, path)
        draw = self.tree.draws(stop)
        return Fraction(sum(weight * self.worth((*path, value)) for value, weight in draw.weights.items()), draw.total)

    def decided(self, stop: Offer[Any] | Together, path: Path) -> Fraction:
        """The worth of a decision: what is one's own for its best answer, of decisions together for its worst case."""
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

    @cached_property
    def _reached(self) -> tuple[tuple[Choice, ...], Odds[T]]:
        """Walk again, taking only the answers that were found best."""
        choices: list[Choice] = []
        chances: dict[T, Fraction] = {}
        ways = Ways(self.start, Fraction(1))
        for before, (path, share, of) in ways:
            chance = before * Fraction(share, of)
            stop = self.tree.follow(path)
            if isinstance(stop, Verdict):
                chances[stop.value] = chances.get(stop.value, Fraction(0)) + chance
            elif isinstance(stop, (Offer, Together)):
                if self.is_own(stop):
                    choices.append(self._choices[path])
                ways.go_on((*path, self._choices[path].best), chance)
            else:
                ways.part(path, self.tree.draws(stop), chance)
        return tuple(choices), Odds.of_fractions(chances)

    @property
    def choices(self) -> tuple[Choice, ...]:
        return self._reached[0]

    @property
    def next(self) -> Choice:
        return self.choices[0]

    @property
    def odds(self) -> Odds[T]:
        return self._reached[1]


class _LaneAdvisor(_Advisor[T]):
    """Knows by lanes what any path is worth, and walks only where somebody asks for the choices themselves."""

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

    @cached_property
    def next(self) -> Choice:
        """The first that a walk would meet."""
        ways = Ways(self.start, None)
        for _, (path, _, _) in ways:
            stop = self.tree.follow(path)
            if isinstance(stop, (Offer, Together)):
                self.decided(stop, path)
                if self.is_own(stop):
                    return self._choices[path]
                ways.go_on((*path, self._choices[path].best), None)
            elif not isinstance(stop, Verdict):
                ways.part(path, self.tree.draws(stop), None)
        raise IndexError(f"{self.sides.side} decides nothing")
