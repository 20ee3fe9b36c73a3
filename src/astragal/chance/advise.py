"""Reading a question for its decisions: which answer is best for an aim, and what each is worth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from itertools import product
from typing import Any, Generic, TypeVar

from .dice import Record
from .odds import Odds
from .paths import Path, Tree, Verdict
from .play import Waiting, legal
from .steps import Offer, Question, Step, Together
from .weigh import MOST_PATHS, Policy, decline

T = TypeVar("T")

Aim = Callable[[Any], "int | Fraction"]
"""What a verdict is worth. A yes-or-no aim is worth its chance."""


class Others(Enum):
    """How the other sides decide when no policy is stated."""

    OPPOSE = "they answer to hurt"


@dataclass(frozen=True, slots=True)
class Choice:
    """One decision: what each answer is worth, and which is best. Equal answers: the first listed is best."""

    offer: Offer[Any] | Together
    path: Path
    values: dict[Any, Fraction]
    best: Any


@dataclass(frozen=True, slots=True)
class Advice(Generic[T]):
    """The best a side can do, in expectation.

    `basis` says how the others were taken to decide. `choices` are the decisions of one's own that best play can
    meet, in the order in which they come up; `odds` are the verdict's when everyone decides so.
    """

    value: Fraction
    basis: str
    choices: tuple[Choice, ...]
    odds: Odds[T]

    @property
    def next(self) -> Choice:
        """The decision that stands first: the present one, where a waiting question was asked about."""
        return self.choices[0]


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
    """
    question, record = (asked.question, asked.record) if isinstance(asked, Waiting) else (asked, Record())
    advisor = _Advisor(Tree(question, most_paths), aim, side, others)
    start = advisor.tree.path_of(record)
    value = advisor.worth(start)
    reached = advisor.best_play(start)
    return Advice(value, advisor.basis, tuple(reached.choices), Odds.of_fractions(reached.chances))


@dataclass(slots=True)
class _Reached(Generic[T]):
    """What best play comes to."""

    choices: list[Choice] = field(default_factory=list)
    chances: dict[T, Fraction] = field(default_factory=dict)


class _Advisor(Generic[T]):
    def __init__(self, tree: Tree[T], aim: Aim, side: str, others: Policy | Others) -> None:
        self.tree = tree
        self._aim, self._side, self._others = aim, side, others
        self._choices: dict[Path, Choice] = {}

    @property
    def basis(self) -> str:
        if isinstance(self._others, Others):
            return "the others answer to hurt; decisions taken together by maximin"
        return f"the others answer by the policy {getattr(self._others, '__name__', 'given')}"

    def worth(self, path: Path) -> Fraction:
        """The expectation of the aim from here on, everyone deciding as they do."""
        stop = self.tree.follow(path)
        if isinstance(stop, Verdict):
            return Fraction(self._aim(stop.value))
        if isinstance(stop, Offer):
            return self._decided(stop, path)
        if isinstance(stop, Together):
            return self._decided_together(stop, path)
        draw = self.tree.draws(stop)
        return Fraction(sum(weight * self.worth((*path, value)) for value, weight in draw.weights.items()), draw.total)

    def _decided(self, offer: Offer[Any], path: Path) -> Fraction:
        if offer.side != self._side and not isinstance(self._others, Others):
            return self.worth((*path, legal(offer, self._others(offer))))
        values = {option: self.worth((*path, option)) for option in offer.options}
        pick = max if offer.side == self._side else min
        best = pick(values, key=lambda option: values[option])
        self._choices[path] = Choice(offer, path, values, best)
        return values[best]

    def _decided_together(self, together: Together, path: Path) -> Fraction:
        """Mine against each joint answer of the others that they may give."""
        mine = [offer.options if offer.side == self._side else None for offer in together.offers]
        theirs = [self._their_options(offer) for offer in together.offers]
        worst: dict[Any, tuple[Fraction, Path]] = {}
        for own in product(*(options or (None,) for options in mine)):
            replies = product(
                *((o,) if m is not None else their for o, m, their in zip(own, mine, theirs, strict=True))
            )
            worth = {reply: self.worth((*path, reply)) for reply in replies}
            reply = min(worth, key=lambda answer: worth[answer])
            worst[reply] = worth[reply], reply
        best = max(worst, key=lambda answer: worst[answer][0])
        self._choices[path] = Choice(together, path, {answer: value for answer, (value, _) in worst.items()}, best)
        return worst[best][0]

    def _their_options(self, offer: Offer[Any]) -> tuple[Any, ...]:
        if isinstance(self._others, Others):
            return offer.options
        return (legal(offer, self._others(offer)),)

    def best_play(self, start: Path) -> _Reached[T]:
        """Walk again, taking only the answers that were found best."""
        reached: _Reached[T] = _Reached()
        waiting: list[tuple[Path, Fraction]] = [(start, Fraction(1))]
        while waiting:
            path, chance = waiting.pop()
            stop = self.tree.follow(path)
            if isinstance(stop, Verdict):
                reached.chances[stop.value] = reached.chances.get(stop.value, Fraction(0)) + chance
            elif isinstance(stop, (Offer, Together)):
                waiting.append(((*path, self._taken(stop, path, reached)), chance))
            else:
                draw = self.tree.draws(stop)
                waiting += [((*path, v), chance * Fraction(w, draw.total)) for v, w in draw.weights.items()]
        return reached

    def _taken(self, stop: Step[Any], path: Path, reached: _Reached[T]) -> Any:
        choice = self._choices.get(path)
        if choice is None:
            assert isinstance(stop, Offer) and not isinstance(self._others, Others)
            return self._others(stop)
        if isinstance(stop, Together) or (isinstance(stop, Offer) and stop.side == self._side):
            reached.choices.append(choice)
        return choice.best
