"""Decision tree of a question, walked by `advise` and by fixed answers.

A path is the tuple of drawn and decided values that lead to a step. Sub-questions without decisions are one draw. Those
with decisions are walked into, because what is best there depends on what follows.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from itertools import product
from typing import Any, Generic, NamedTuple, TypeVar

from msgspec import Struct

from astragal.chance.play import DEEP, LONG_PATH, LONGEST_PATH, REPEATS, Call, loops_forever, nested_too_deep, no_end_of

from .chains import Row, solved
from .chances import Chance
from .dice import Record, RecordedDice, Tray
from .errors import NoEnd, RecordMismatch, TooManyPaths
from .odds import Odds, backwards
from .play import Settled, legal, play
from .steps import Offer, Question, Rolls, Step, Together, is_last_step
from .weigh import MOST_IN_A_CHAIN, MOST_PATHS, Policy, Weigher, answered, decline

T = TypeVar("T")

MOST_NESTED = 16
"""Questions of one rule that are open at once, each with a decision."""

Path = tuple[Any, ...]
K = TypeVar("K")


class Verdict(Struct, Generic[T], frozen=True):
    """End of a path."""

    value: T


class AsksAgain(Step[T], Struct, frozen=True):
    """A question, with decisions, that a rule asks as its last step while a question of the same rule is open.

    Its verdict is that of the whole question. It begins a tree of its own: walked into, it would never end.
    """

    question: Question[T]


class SomebodyDecides(Exception):
    """Raised on meeting an offer while weighing something that was assumed to be chance alone."""


def refuse_offers(_: Offer[Any]) -> Any:
    """Policy for weighing chance alone: it refuses every offer."""
    raise SomebodyDecides


class Found:
    """What was found out about questions, shared by the trees of one: odds, who decides, the paths still allowed."""

    def __init__(self, most_paths: int) -> None:
        self.weigher = Weigher(refuse_offers, most_paths)
        self.decisive: set[Step[Any]] = set()
        self.paths_left = most_paths


class Tree(Generic[T]):
    """All paths of one question."""

    def __init__(self, question: Question[T], most_paths: int = MOST_PATHS, found: Found | None = None) -> None:
        self._question = question
        self._found = Found(most_paths) if found is None else found
        self._last: Path = ()
        self._long = LONG_PATH
        self._calls: list[Call] = []

    def from_question(self, question: Question[T]) -> Tree[T]:
        """Return the tree of another question. What was found out for this one is shared, and so is the budget."""
        return Tree(question, found=self._found)

    @property
    def paths_left(self) -> int:
        """Number of paths that may still be followed."""
        return self._found.paths_left

    def follow(self, path: Path) -> Step[Any] | Verdict[T]:
        """Follow a path to the next open step, to the verdict, or to a question that has a tree of its own."""
        self._found.paths_left -= 1
        if self._found.paths_left < 0:
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
            if loops_forever(self._steps(self._question), path, self._possible):
                raise no_end_of(self._calls, LONGEST_PATH)
        return step

    def no_end(self) -> NoEnd:
        """Error for a path that is too long to follow."""
        self._stop(self._last)
        return no_end_of(self._calls, len(self._last))

    def _stop(self, path: Path) -> Step[Any]:
        """Follow a path: in a single run, unless a question with decisions comes in between."""
        call = Call(self._question)
        self._calls = [call]
        step = call.run.send(None)
        for value in path:
            if isinstance(step, Question) and self._is_decisive(step):
                break
            call.steps += 1
            step = call.run.send(value)
        else:
            if not isinstance(step, Question) or not self._is_decisive(step):
                call.steps += 1
                return step
        walk = self._steps(self._question)
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
        return self._found.weigher.weigh(step)

    def position_of(self, record: Record) -> tuple[Question[T], Path]:
        """The question that a record has come to, and the path that it took there, as the values of its steps.

        It is the tree's own question, unless that asked itself again.
        """
        dice = RecordedDice(record.rolled)
        answers = list(reversed(record.answers))
        path: list[Any] = []
        question = self._question
        walk = self._steps(question)
        try:
            step = next(walk)
            while dice.left or answers:
                if isinstance(step, AsksAgain):
                    question = step.question
                    path = []
                    walk = self._steps(question)
                    step = next(walk)
                    continue
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
        return question, tuple(path)

    def _steps(self, question: Question[T]) -> Rolls[T]:
        """A question's steps, with decisive sub-questions replaced by their own steps."""
        self._calls = []
        return self._inline(question)

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
                if self._asks_again(step):
                    value = yield AsksAgain(step)
                else:
                    value = yield from self._inline(step)
            else:
                value = yield step

    def _asks_again(self, asked: Question[Any]) -> bool:
        """Return whether a question is the last step of all open ones, and of the same rule as one of them."""
        nested = [call for call in self._calls if call.question.rule is asked.rule]
        if len(nested) > MOST_NESTED:
            raise NoEnd(f"{asked} is asked inside {len(nested)} others of its rule, with decisions in each. {REPEATS}")
        return bool(nested) and all(is_last_step(call.run) for call in self._calls)

    def _is_decisive(self, question: Question[Any]) -> bool:
        if question in self._found.decisive:
            return True
        try:
            self._found.weigher.weigh(question)
        except SomebodyDecides:
            self._found.decisive.add(question)
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
    position = tree.position_of(after) if after else (question, ())
    states = [_Answering(*position, used=0)]
    numbers = {states[0]: 0}
    rows: dict[int, Row] = {}
    for number, state in enumerate(states):  # grows while it is gone through
        if number > MOST_IN_A_CHAIN:
            raise nested_too_deep(state.question, number)
        rows[number] = _answered_row(tree.from_question(state.question), state, answers, then, numbers)
        states += [*numbers][len(states) :]
    return solved(rows, {}, [state.question for state in states])[0]


class _Answering(NamedTuple):
    """A question in a chain, from a point on, and the number of answers of the list that were used before."""

    question: Question[Any]
    path: Path
    used: int


def _answered_row(
    tree: Tree[Any], start: _Answering, answers: Sequence[Any], then: Policy, numbers: dict[_Answering, int]
) -> Row:
    """Where a question leads to if its offers are answered from the list, then by the policy."""
    verdicts: dict[int, dict[Any, int]] = {}
    states: dict[int, dict[int, int]] = {}
    ways = Ways(start.path, (1, 1, start.used))
    for (weight, total, used), (path, share, of) in ways:
        weight, total = weight * share, total * of  # noqa: PLW2901
        stop = tree.follow(path)
        if isinstance(stop, Verdict):
            found = verdicts.setdefault(total, {})
            found[stop.value] = found.get(stop.value, 0) + weight
        elif isinstance(stop, AsksAgain):
            state = numbers.setdefault(_Answering(stop.question, (), min(used, len(answers))), len(numbers))
            weights = states.setdefault(total, {})
            weights[state] = weights.get(state, 0) + weight
        elif isinstance(stop, (Offer, Together)):
            answer = legal(stop, answers[used]) if used < len(answers) else answered(stop, then)
            ways.go_on((*path, answer), (weight, total, used + 1))
        else:
            ways.part(path, tree.draws(stop), (weight, total, used))
    return Row.merged(verdicts, states)
