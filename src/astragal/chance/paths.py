"""The tree of a question with all its decisions: what `advise` and fixed answers walk.

A path is the tuple of values, drawn and decided, that lead somewhere. Sub-questions in which nobody decides
anything are one draw; those with decisions are walked into, since what is best there depends on what follows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from astragal.values import frozen

from .dice import Record, RecordedDice, Tray
from .errors import RecordMismatch, TooManyPaths
from .odds import Odds
from .play import Settled, legal, play
from .steps import Chance, Offer, Question, Rolls, Step, Together
from .weigh import MOST_PATHS, Weigher

T = TypeVar("T")

Path = tuple[Any, ...]


@frozen(slots=True)
class Verdict(Generic[T]):
    """Where a path ends."""

    value: T


class _SomebodyDecides(Exception):
    """Met an offer while weighing what was thought to be chance alone."""


def _nobody(_: Offer[Any]) -> Any:
    raise _SomebodyDecides


class Tree(Generic[T]):
    """All paths of one question."""

    def __init__(self, question: Question[T], most_paths: int = MOST_PATHS) -> None:
        self._question = question
        self._weigher = Weigher(_nobody, most_paths)
        self._decisive: set[Step[Any]] = set()
        self._paths_left = most_paths

    def follow(self, path: Path) -> Step[Any] | Verdict[T]:
        """Where this path leads: the next step that is still open, or the verdict."""
        self._paths_left -= 1
        if self._paths_left < 0:
            raise TooManyPaths(f"{self._question} has too many paths with all its decisions")
        values = iter(path)
        walk = self._steps()
        try:
            step = next(walk)
            for value in values:
                step = walk.send(value)
        except StopIteration as done:
            return Verdict(done.value)
        return step

    def draws(self, step: Step[Any]) -> Odds[Any]:
        """The odds of a step that chance alone answers."""
        return self._weigher.weigh(step)

    def path_of(self, record: Record) -> Path:
        """The path that a record went: its dice read as the values of their steps."""
        dice, answers, path = RecordedDice(record.rolled), list(reversed(record.answers)), []
        walk = self._steps()
        try:
            step = next(walk)
            while dice.left or answers:
                if isinstance(step, Chance):
                    value = step.throw(Tray(dice, ""))
                elif isinstance(step, Question):
                    value = _settled(step, dice)
                elif isinstance(step, (Offer, Together)) and answers:
                    value = legal(step, answers.pop())
                else:
                    raise RecordMismatch(f"the record has {dice.left} dice more, but {step!r} comes first")
                path.append(value)
                step = walk.send(value)
        except StopIteration:
            pass
        return tuple(path)

    def _steps(self) -> Rolls[T]:
        """The question's steps, with those of decisive sub-questions in their place."""
        return self._inline(self._question)

    def _inline(self, question: Question[Any]) -> Rolls[Any]:
        run = question.begin()
        value: Any = None
        while True:
            try:
                step = run.send(value)
            except StopIteration as done:
                return done.value
            if isinstance(step, Question) and self._is_decisive(step):
                value = yield from self._inline(step)
            else:
                value = yield step

    def _is_decisive(self, question: Question[Any]) -> bool:
        if question in self._decisive:
            return True
        try:
            self._weigher.weigh(question)
        except _SomebodyDecides:
            self._decisive.add(question)
            return True
        return False


def answered_odds(
    question: Question[T], answers: Sequence[Any], most_paths: int = MOST_PATHS, *, after: Record | None = None
) -> Odds[T]:
    """The odds where the offers met on any path are answered from one list, in order, then by default.

    `after` is the record of a question that waits: the odds are then those from there on.
    """
    tree = Tree(question, most_paths)
    settled: dict[int, dict[T, int]] = {}
    waiting: list[tuple[Path, int, int, int]] = [(tree.path_of(after) if after else (), 1, 1, 0)]
    while waiting:
        path, weight, total, used = waiting.pop()
        stop = tree.follow(path)
        if isinstance(stop, Verdict):
            found = settled.setdefault(total, {})
            found[stop.value] = found.get(stop.value, 0) + weight
        elif isinstance(stop, (Offer, Together)):
            answer = answers[used] if used < len(answers) else default_answer(stop)
            waiting.append(((*path, legal(stop, answer)), weight, total, used + 1))
        else:
            draw = tree.draws(stop)
            waiting += [((*path, v), weight * w, total * draw.total, used) for v, w in draw.weights.items()]
    return Odds.mixture(settled)


def default_answer(step: Offer[Any] | Together) -> Any:
    return step.default if isinstance(step, Offer) else tuple(offer.default for offer in step.offers)


def _settled(question: Question[Any], dice: RecordedDice) -> Any:
    played = play(question, dice)
    if not isinstance(played, Settled):
        raise RecordMismatch(f"the record stops inside {question}")
    return played.value
