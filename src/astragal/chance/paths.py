"""Decision tree of a question, walked by `advise` and by fixed answers.

A path is the tuple of drawn and decided values that lead to a step. Sub-questions without decisions are one draw. Those
with decisions are walked into, because what is best there depends on what follows.
"""

from collections.abc import Container, Iterator, Sequence
from itertools import product
from typing import Any, Generic, TypeVar

from msgspec import Struct

from astragal.chance.play import DEEP, LONG_PATH, LONGEST_PATH, Call, loops_forever, no_end_of

from .chances import Chance
from .dice import Record, RecordedDice, Tray
from .errors import NoEnd, RecordMismatch, TooManyPaths
from .odds import Odds, backwards
from .play import Settled, legal, play
from .steps import Offer, Question, Rolls, Step, Together
from .weigh import MOST_PATHS, Policy, Weigher, answered, decline

T = TypeVar("T")

Path = tuple[Any, ...]
K = TypeVar("K")


class Verdict(Struct, Generic[T], frozen=True):
    """End of a path."""

    value: T


class SomebodyDecides(Exception):
    """Raised on meeting an offer while weighing something that was assumed to be chance alone."""


def refuse_offers(_: Offer[Any]) -> Any:
    """Policy for weighing chance alone: it refuses every offer."""
    raise SomebodyDecides


class Tree(Generic[T]):
    """All paths of one question."""

    def __init__(self, question: Question[T], most_paths: int = MOST_PATHS) -> None:
        self._question = question
        self._weigher = Weigher(refuse_offers, most_paths)
        self._decisive: set[Step[Any]] = set()
        self._paths_left = most_paths
        self._last: Path = ()
        self._long = LONG_PATH
        self._calls: list[Call] = []

    def follow(self, path: Path) -> Step[Any] | Verdict[T]:
        """Follow a path to the next open step, or to the verdict."""
        self._paths_left -= 1
        if self._paths_left < 0:
            raise TooManyPaths(f"{self._question} has too many paths with all its decisions")
        try:
            step = self._stop(path)
        except StopIteration as done:
            return Verdict(done.value)
        except RecursionError:
            if len(self._calls) < DEEP:
                raise
            raise no_end_of(self._calls, len(path)) from None
        self._last = path
        if len(path) >= self._long:
            self._long = min(2 * self._long, LONGEST_PATH)
            if loops_forever(self._steps(), path, self._possible):
                raise no_end_of(self._calls, LONGEST_PATH)
        return step

    def no_end(self) -> NoEnd:
        """Error for a path that is too long to follow."""
        self._stop(self._last)
        return no_end_of(self._calls, len(self._last))

    def _stop(self, path: Path) -> Step[Any]:
        walk = self._steps()
        step = next(walk)
        for value in path:
            step = walk.send(value)
        return step

    def _possible(self, step: Step[Any]) -> Container[Any]:
        if isinstance(step, Together):
            return list(product(*(offer.options for offer in step.offers)))
        return step.options if isinstance(step, Offer) else self.draws(step).weights

    def draws(self, step: Step[Any]) -> Odds[Any]:
        """The odds of a step that involves chance alone."""
        return self._weigher.weigh(step)

    def path_of(self, record: Record) -> Path:
        """The path that a record took: its dice, read as the values of their steps."""
        dice, answers, path = RecordedDice(record.rolled), list(reversed(record.answers)), []
        walk = self._steps()
        try:
            step = next(walk)
            while dice.left or answers:
                if isinstance(step, Chance):
                    value = step.throw(Tray(dice, ""))
                elif isinstance(step, Question):
                    played = play(step, dice)
                    if not isinstance(played, Settled):
                        raise RecordMismatch(f"the record stops inside {step}")
                    value = played.value
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
        """The question's steps, with decisive sub-questions replaced by their own steps."""
        self._calls = []
        return self._inline(self._question)

    def _inline(self, question: Question[Any]) -> Rolls[Any]:
        call = Call(question)
        self._calls.append(call)
        value: Any = None
        while True:
            try:
                step = call.run.send(value)
            except StopIteration as done:
                self._calls.pop()
                return done.value
            call.steps += 1
            if isinstance(step, Question) and self._is_decisive(step):
                value = yield from self._inline(step)
            else:
                value = yield step

    def _is_decisive(self, question: Question[Any]) -> bool:
        if question in self._decisive:
            return True
        try:
            self._weigher.weigh(question)
        except SomebodyDecides:
            self._decisive.add(question)
            return True
        return False


class Ways(Generic[K]):
    """Depth-first iteration over the paths still to follow, each with the data known where it branches off.

    Only branching points are stored, not whole paths, however long they are.
    """

    def __init__(self, start: Path, known: K) -> None:
        self._open: list[tuple[K, Iterator[tuple[Path, int, int]]]] = []
        self.go_on(start, known)

    def __iter__(self) -> Iterator[tuple[K, tuple[Path, int, int]]]:
        """Yield the known data, the path, and its weight and total at the last step."""
        while self._open:
            known, ways = self._open[-1]
            way = next(ways, None)
            if way is None:
                self._open.pop()
            else:
                yield known, way

    def go_on(self, path: Path, known: K) -> None:
        self._open.append((known, iter([(path, 1, 1)])))

    def part(self, path: Path, draw: Odds[Any], known: K) -> None:
        self._open.append((known, (((*path, it), share, draw.total) for it, share in backwards(draw.weights))))


def answered_odds(
    question: Question[T],
    answers: Sequence[Any],
    most_paths: int = MOST_PATHS,
    *,
    after: Record | None = None,
    then: Policy = decline,
) -> Odds[T]:
    """The odds where the offers met on any path are answered from one list, in order, then by the policy `then`.

    `after` is the record of a waiting question: the odds are then those from there on.
    """
    tree = Tree(question, most_paths)
    settled: dict[int, dict[T, int]] = {}
    ways = Ways(tree.path_of(after) if after else (), (1, 1, 0))
    for (weight, total, used), (path, share, of) in ways:
        weight, total = weight * share, total * of  # noqa: PLW2901
        stop = tree.follow(path)
        if isinstance(stop, Verdict):
            found = settled.setdefault(total, {})
            found[stop.value] = found.get(stop.value, 0) + weight
        elif isinstance(stop, (Offer, Together)):
            answer = legal(stop, answers[used]) if used < len(answers) else answered(stop, then)
            ways.go_on((*path, answer), (weight, total, used + 1))
        else:
            ways.part(path, tree.draws(stop), (weight, total, used))
    return Odds.mixture(settled)
