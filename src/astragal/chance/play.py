"""Play a question once, as far as it goes, or replay it from its record; detect endless loops."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Sequence
from itertools import cycle, islice
from types import GeneratorType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from msgspec import Struct

from astragal.chance.chances import Chance
from astragal.chance.dice import Dice, Pause, Record, RecordedDice, Rolled, Tray
from astragal.chance.errors import IllegalAnswer, NoEnd, NotAStep, RecordMismatch
from astragal.chance.pictures import Picture, words
from astragal.chance.steps import Offer, Question, Rolls, Rule, Step, Together, is_last_step

if TYPE_CHECKING:
    from astragal.chance.drawings import Drawing

LONGEST_PATH = 1_000
"""Steps on one path through a question that is weighed or advised on."""
LONG_PATH = 100
"""From this many steps on, paths are checked now and then for a loop that would go on to the longest path."""
LONGEST_PLAY = 100_000
"""Steps of a question that is played: luck may keep it going for long."""
MOST_DICE = 1_000_000
"""Dice on the table of a question that is played and has not ended."""
DEEP = 50
"""Nested questions; if Python's recursion limit is hit at this depth or deeper, nesting is the reason."""

REPEATS = (
    "A rule that repeats asks itself as its last step, return (yield from …), with all that it carries on as arguments."
)
INSTEAD = (
    "A loop of dice is one step, which ends and has exact odds: rerolled(die, faces) throws unwanted faces again, "
    "until(dice, wanted) throws until it is wanted, exploding(count, die, ceiling=…) adds dice to dice. "
    f"{REPEATS} Any other loop needs an end: for _ in range(20)."
)


def loops_forever(run: Rolls[Any], path: Sequence[Any], possible: Callable[[Step[Any]], Container[Any]]) -> bool:
    """Return whether the run would reach the longest path if the latter half of this path repeated again and again.

    This detects a loop with a single run; trying every way out of it first would take one run for each.
    """
    try:
        step = run.send(None)
        for value in path:
            step = run.send(value)
        for value in islice(cycle(path[len(path) // 2 :]), LONGEST_PATH - len(path)):
            if (isinstance(step, Question) and is_last_step(run)) or value not in possible(step):
                return False
            step = run.send(value)
    except StopIteration:
        return False
    return True


class Call:
    """A running question, and the number of steps that it has stopped for."""

    __slots__ = ("question", "run", "steps")

    def __init__(self, question: Question[Any]) -> None:
        self.question, self.run, self.steps = question, question.begin(), 0


def no_end(question: Question[Any], run: Rolls[Any], steps: int) -> NoEnd:
    """Error that names the rule that does not end, the line that it is at, and what to write instead.

    The run must be at a step.
    """
    from pathlib import PurePath  # slow to import, and seldom needed

    at: Any = run  # in the rule's own body, or in a generator that it delegates to
    while isinstance(at.gi_yieldfrom, GeneratorType) and at.gi_yieldfrom.gi_code is not Step.__iter__.__code__:
        at = at.gi_yieldfrom
    line, file = at.gi_frame.f_lineno, PurePath(at.gi_code.co_filename).name
    return NoEnd(f"{question} has not ended after {steps:,} steps; it stands at line {line} of {file}. {INSTEAD}")


def no_end_of(calls: Sequence[Call], steps: int) -> NoEnd:
    """The same for nested questions: the one with the most steps of its own has the loop."""
    if len(calls) > DEEP:
        return nested_too_deep(calls[-1].question, len(calls))
    blamed = max(calls, key=lambda call: call.steps)
    return no_end(blamed.question, blamed.run, steps)


def nested_too_deep(question: Question[Any], deep: int) -> NoEnd:
    """Error for a rule that asks further questions without end."""
    return NoEnd(f"{question} is asked inside {deep - 1:,} other questions, and no end is in sight. {INSTEAD}")


T = TypeVar("T")


class Settled(Picture, Struct, Generic[T], frozen=True):
    """The question's verdict, and the record of everything that led to it."""

    value: T
    record: Record

    def drawing(self, title: str = "") -> Drawing:
        """Drawing of the dice that were thrown, with the result as its title."""
        from .charts import dice

        return dice(self.record.rolled, title or words(self.value))

    def __str__(self) -> str:
        thrown = ", ".join(f"d{die.sides} {die.face}" for die in self.record.rolled)
        return f"{words(self.value)} ({thrown})" if thrown else words(self.value)


class Waiting(Struct, Generic[T], frozen=True):
    """A paused question. It waits for `need`: an offer, offers together, dice by hand, a witness.

    Plain data: it can be stored, and continues after a restart with `resume`.
    """

    question: Question[T]
    need: Hashable
    record: Record

    def resume(self, dice: Dice, *answers: Any) -> Settled[T] | Waiting[T]:
        """Replay the record and continue from there, with one more answer if an offer was open."""
        return play(
            self.question, RecordedDice(self.record.rolled, then=dice), answers=(*self.record.answers, *answers)
        )


def play(question: Question[T], dice: Dice, answers: Sequence[Any] = ()) -> Settled[T] | Waiting[T]:
    """Play until the question is settled or someone has to decide.

    >>> from astragal import Rolls, SeededDice, d20, play, rule
    >>> @rule
    ... def steady(score: int) -> Rolls[bool]:
    ...     return (yield from d20) <= score
    >>> play(steady(20), SeededDice(1)).value
    True
    """
    if not isinstance(question, Question):
        raise no_question(question, "play")
    tray, given = Tray(dice, question.rule.name), tuple(answers)
    calls = [Call(question)]
    value: Any = None
    used = steps = 0
    while calls:
        call = calls[-1]
        tray.by = call.question.rule.name
        try:
            step = call.run.send(value)
        except StopIteration as done:
            calls.pop()
            value = done.value
            continue
        call.steps += 1
        steps += 1
        if steps > LONGEST_PLAY or len(tray.rolled) > MOST_DICE:
            raise no_end_of(calls, steps)
        if isinstance(step, Chance):
            try:
                value = step.throw(tray)
            except Pause as pause:
                need = step.needs() if pause.need is _PROBE else pause.need
                return Waiting(question, need, Record(tuple(tray.rolled), given[:used]))
        elif isinstance(step, Question):
            calls.append(Call(step))
            value = None
        elif not isinstance(step, (Offer, Together)):
            raise NotAStep(f"{tray.by} stopped for {step!r}, which is no step")
        elif used == len(given):
            return Waiting(question, step, Record(tuple(tray.rolled), given))
        else:
            value = legal(step, given[used])
            used += 1
    return Settled(value, Record(tuple(tray.rolled), given[:used]))


def next_dice(question: Question[Any], rolled: Sequence[Rolled] = (), answers: Sequence[Any] = ()) -> tuple[int, ...]:
    """The sides of the dice that a rule throws next, whatever they show. Nothing is drawn.

    >>> from astragal import Rolls, d6, hits, rule
    >>> from astragal.chance.play import next_dice
    >>> @rule
    ... def pool(count: int) -> Rolls[int]:
    ...     return (yield from hits(count, d6, at_least=5))
    >>> next_dice(pool(3))
    (6, 6, 6)
    """
    played = play(question, RecordedDice(rolled, then=_ProbeDice()), answers)
    return played.need if isinstance(played, Waiting) and isinstance(played.need, tuple) else ()


_PROBE = object()


class _ProbeDice:
    """Dice that raise instead of being thrown, to find out what is thrown next."""

    source = "none"

    def face(self, _: int) -> int:
        raise Pause(_PROBE)


def replay(question: Question[T], record: Record) -> T:
    """The verdict that the record proves. Raises an error that says where the record does not fit.

    >>> from astragal import Rolls, SeededDice, d20, play, replay, rule
    >>> @rule
    ... def steady(score: int) -> Rolls[bool]:
    ...     return (yield from d20) <= score
    >>> settled = play(steady(12), SeededDice(1))
    >>> replay(steady(12), settled.record) == settled.value
    True
    """
    dice = RecordedDice(record.rolled)
    played = play(question, dice, record.answers)
    if isinstance(played, Waiting):
        raise RecordMismatch(f"the record ends where {question} still waits for {played.need!r}")
    if dice.left:
        raise RecordMismatch(f"{question} is settled, but the record has {dice.left} dice more")
    if unused := len(record.answers) - len(played.record.answers):
        raise RecordMismatch(f"{question} is settled, but the record has {unused} answers more")
    for place, (then, now) in enumerate(zip(record.rolled, played.record.rolled, strict=True), 1):
        if then != now:
            raise RecordMismatch(f"die {place} was recorded as {then}, but the rule makes of it {now}")
    return played.value


def no_question(asked: object, what: str) -> NotAStep:
    """Error for something that is not a question: an uncalled rule, a die, a number."""
    if isinstance(asked, Rule):
        return NotAStep(f"{asked.name} is a rule, and {what} needs a question: call it with its arguments")
    thrown = "; a rule throws it, by (yield from …)" if isinstance(asked, Step) else ""
    return NotAStep(f"{what} needs a question, a rule called with its arguments, not {asked!r}{thrown}")


def legal(step: Offer[Any] | Together, answer: Any) -> Any:
    """Return the answer if the offer lists it, else raise `IllegalAnswer`."""
    if isinstance(step, Offer):
        if answer not in step.options:
            raise IllegalAnswer(f"{answer!r} is no answer to {step.name!r}; {step.side} may answer {step.options}")
        return answer
    if not isinstance(answer, tuple) or len(answer) != len(step.offers):
        raise IllegalAnswer(f"{len(step.offers)} sides decide together, so the answer is a tuple of as many answers")
    return tuple(legal(offer, one) for offer, one in zip(step.offers, answer, strict=True))
