"""Reading a question for its decisions: which answer is best for an aim, and what each is worth."""

from __future__ import annotations

import sys
from collections.abc import Callable
from enum import Enum
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod
from random import Random
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from astragal.values import frozen

from .dice import Record
from .errors import BadStep, TooManyPaths
from .odds import Odds, order_of
from .paths import Path, Tree, Verdict, Ways, default_answer
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


class _BestPlay(Protocol[T]):
    """Result if everyone decides so."""

    @property
    def choices(self) -> tuple[Choice, ...]: ...

    @property
    def next(self) -> Choice: ...

    @property
    def odds(self) -> Odds[T]: ...


@frozen(slots=True)
class Advice(Picture, Generic[T]):
    """The best a side can do, in expectation.

    `basis` says how the others were taken to decide. Choices and odds of a question with very many paths are found
    when they are asked for, and not before.
    """

    value: Fraction
    basis: str
    _best_play: _BestPlay[T]

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
            found = self.choices if isinstance(self._best_play, _Reached) else (self.next,)
        except IndexError:
            found = ()
        found = tuple(sorted(found, key=lambda it: tuple(map(order_of, it.path))))
        shown = [(_who(it.offer), ", ".join(map(words, it.path)), it.values, it.best) for it in found[:MOST_CHOICES]]
        return decisions(shown, len(found) - len(shown))

    def __str__(self) -> str:
        from .charts import text_table

        return f"Worth {float(self.value):.4g} ({self.value}); {self.basis}.\n{text_table(self.decisions())}"

    def _repr_html_(self) -> str:
        from .charts import html_table
        from .drawings import svg

        return html_table(self.decisions()) + svg(self.drawing(), in_a_page=True)


def _who(step: Offer[Any] | Together) -> str:
    offers = (step,) if isinstance(step, Offer) else step.offers
    return ", ".join(f"{offer.side}: {offer.name}" for offer in offers)


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
    advisor = _Advisor(Tree(question, most_paths), aim, side, others)
    start = advisor.tree.path_of(record)
    if most_paths > FEW_PATHS and advisor.looks_wide(start):
        found = _in_lanes(question, start, advisor)
        if found is not None:
            return found
        try:  # a loop that nothing ends shows among the first paths
            _Advisor(Tree(question, min(MANY_PATHS, most_paths)), aim, side, others).whole_worth(start)
        except TooManyPaths:
            if advisor.is_far_too_wide(start, most_paths):
                raise TooManyPaths(f"{question} has too many paths with all its decisions. {INSTEAD}") from None
    worth = advisor.whole_worth(start)
    _check_side(question, side, advisor.sides_met, start)
    return Advice(worth, advisor.basis, advisor.best_play(start))


def _check_side(question: Question[Any], side: str, met: set[str], start: Path) -> None:
    """Refuse to advise a side that decides nothing: most often it is misspelled."""
    if side not in met:
        instead = f"{' and '.join(map(repr, sorted(met)))} may be meant" if met else "nobody does: ask for its odds"
        raise BadStep(f"{side!r} never decides {'from here on ' if start else ''}in {question}; {instead}")


def _in_lanes(question: Question[T], start: Path, advisor: _Advisor[T]) -> Advice[T] | None:
    """The answer by lanes, if they can give one."""
    from .lanes import NotInLanes, Planner
    from .lanes.weighing import log

    planner = Planner(*advisor.sides)
    quick = _LaneAdvisor(question, start, advisor, planner)
    try:
        worth = quick.worth(start)
    except NotInLanes as not_in_lanes:
        log.debug("%s is advised on path by path: %s", question, not_in_lanes)
    except Exception as broken:  # noqa: BLE001 - whatever it is, the other reading meets it too, and tells it right
        log.debug("%s is advised on path by path, since in lanes it raised %r", question, broken)
    else:
        _check_side(question, advisor.side, planner.sides_met, start)
        return Advice(worth, advisor.basis, quick)
    return None


@frozen(slots=True)
class _Reached(Generic[T]):
    """Result of best play, path by path."""

    choices: tuple[Choice, ...]
    odds: Odds[T]

    @property
    def next(self) -> Choice:
        return self.choices[0]


class _Advisor(Generic[T]):
    def __init__(self, tree: Tree[T], aim: Aim, side: str, others: Policy | Others) -> None:
        self.tree = tree
        self.aim, self.side, self.others = aim, side, others
        self.sides_met: set[str] = set()
        self._choices: dict[Path, Choice] = {}

    @property
    def basis(self) -> str:
        if isinstance(self.others, Others):
            return "the others answer to hurt; decisions taken together by maximin"
        return f"the others answer by the policy {getattr(self.others, '__name__', 'given')}"

    @property
    def sides(self) -> tuple[str, Policy | None]:
        """One's own, and what the others follow, if they do not oppose."""
        return self.side, None if isinstance(self.others, Others) else self.others

    def looks_wide(self, path: Path) -> bool:
        """Are there more paths than are best walked one by one? Judged by one path through the middle."""
        paths, few = 1, FEW_PATHS if "numpy" not in sys.modules else FEW_PATHS_WITH_NUMPY
        while paths <= few:
            stop = self.tree.follow(path)
            if isinstance(stop, Verdict):
                return False
            if isinstance(stop, (Offer, Together)):
                offers = (stop,) if isinstance(stop, Offer) else stop.offers
                paths *= prod(len(offer.options) for offer in offers)
                path = (*path, default_answer(stop))
            else:
                outcomes = list(self.tree.draws(stop).weights)
                paths *= len(outcomes)
                path = (*path, outcomes[len(outcomes) // 2])
        return True

    def is_far_too_wide(self, start: Path, most_paths: int) -> bool:
        """Are there more paths than may be walked, as good as certainly? Judged as the weigher judges it."""
        dice = Random(PROBES)  # noqa: S311 - the same answer each time
        return all(self._is_wide_along(start, dice, 2 * most_paths) for _ in range(PROBES))

    def _is_wide_along(self, path: Path, dice: Random, most: int) -> bool:
        paths = 1
        while paths <= most:
            stop = self.tree.follow(path)
            if isinstance(stop, Verdict):
                return False
            if isinstance(stop, (Offer, Together)):
                offers = (stop,) if isinstance(stop, Offer) else stop.offers
                answers = list(product(*(self._answers(offer) for offer in offers)))
                answer = dice.choice(answers)
                paths *= len(answers)
                path = (*path, answer[0] if isinstance(stop, Offer) else answer)
            else:
                outcomes = list(self.tree.draws(stop).weights)
                paths *= len(outcomes)
                path = (*path, dice.choice(outcomes))
        return True

    def _answers(self, offer: Offer[Any]) -> tuple[Any, ...]:
        return offer.options if offer.side == self.side else self._their_options(offer)

    def whole_worth(self, start: Path) -> Fraction:
        """The worth of all that follows; a path too long to be gone back is refused by name."""
        try:
            return self.worth(start)
        except RecursionError:
            raise self.tree.no_end() from None

    def worth(self, path: Path) -> Fraction:
        """The expectation of the aim from here on, everyone deciding as they do."""
        stop = self.tree.follow(path)
        if isinstance(stop, Verdict):
            return Fraction(self.aim(stop.value))
        if isinstance(stop, Offer):
            return self._decided(stop, path)
        if isinstance(stop, Together):
            return self._decided_together(stop, path)
        draw = self.tree.draws(stop)
        return Fraction(sum(weight * self.worth((*path, value)) for value, weight in draw.weights.items()), draw.total)

    def _decided(self, offer: Offer[Any], path: Path) -> Fraction:
        self.sides_met.add(offer.side)
        if offer.side != self.side and not isinstance(self.others, Others):
            return self.worth((*path, legal(offer, self.others(offer))))
        values = {option: self.worth((*path, option)) for option in offer.options}
        pick = max if offer.side == self.side else min
        best = pick(values, key=lambda option: values[option])
        self._choices[path] = Choice(offer, path, values, best)
        return values[best]

    def _decided_together(self, together: Together, path: Path) -> Fraction:
        """Mine against each joint answer of the others that they may give."""
        self.sides_met.update(offer.side for offer in together.offers)
        mine = [offer.options if offer.side == self.side else None for offer in together.offers]
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
        if isinstance(self.others, Others):
            return offer.options
        return (legal(offer, self.others(offer)),)

    def best_play(self, start: Path) -> _Reached[T]:
        """Walk again, taking only the answers that were found best."""
        choices: list[Choice] = []
        chances: dict[T, Fraction] = {}
        ways = Ways(start, Fraction(1))
        for before, (path, share, of) in ways:
            chance = before * Fraction(share, of)
            stop = self.tree.follow(path)
            if isinstance(stop, Verdict):
                chances[stop.value] = chances.get(stop.value, Fraction(0)) + chance
            elif isinstance(stop, (Offer, Together)):
                if self._is_own(stop):
                    choices.append(self._choices[path])
                ways.go_on((*path, self._taken(stop, path)), chance)
            else:
                ways.part(path, self.tree.draws(stop), chance)
        return _Reached(tuple(choices), Odds.of_fractions(chances))

    def _is_own(self, stop: Offer[Any] | Together) -> bool:
        return isinstance(stop, Together) or stop.side == self.side

    def _taken(self, stop: Offer[Any] | Together, path: Path) -> Any:
        choice = self._choices.get(path)
        if choice is not None:
            return choice.best
        return self.others(stop)  # type: ignore[operator,arg-type] # one who opposes, or decides together, has a choice


class _LaneAdvisor(_Advisor[T]):
    """Knows by lanes what any path is worth, and walks only where somebody asks for the choices themselves."""

    def __init__(self, question: Question[T], start: Path, walking: _Advisor[T], planner: Planner) -> None:
        super().__init__(walking.tree, walking.aim, walking.side, walking.others)
        self._question, self._start, self._walking, self._planner = question, start, walking, planner

    def worth(self, path: Path) -> Fraction:
        return self._valued(path).worth

    def _valued(self, path: Path) -> Valued:
        return self._planner.valued(self._question, path, self.aim)

    @property
    def odds(self) -> Odds[T]:
        return self._valued(self._start).odds

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        self._walking.whole_worth(self._start)
        return self._walking.best_play(self._start).choices

    @cached_property
    def next(self) -> Choice:
        """The first that a walk would meet."""
        ways = Ways(self._start, None)
        for _, (path, _, _) in ways:
            stop = self.tree.follow(path)
            if isinstance(stop, (Offer, Together)):
                if isinstance(stop, Together):
                    self._decided_together(stop, path)
                elif self._is_own(stop) or isinstance(self.others, Others):
                    self._decided(stop, path)
                if self._is_own(stop):
                    return self._choices[path]
                ways.go_on((*path, self._taken(stop, path)), None)
            elif not isinstance(stop, Verdict):
                ways.part(path, self.tree.draws(stop), None)
        raise IndexError(f"{self.side} decides nothing")
