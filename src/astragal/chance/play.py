"""Reading a question once: live, as far as it goes, or again from its record."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from astragal.values import frozen

from .chances import Chance
from .dice import Dice, Pause, Record, RecordedDice, Rolled, Tray
from .errors import IllegalAnswer, NotAStep, RecordMismatch
from .loops import LONGEST_PLAY, MOST_DICE, Call, no_end_of
from .pictures import Picture, words
from .steps import Offer, Question, Rule, Together

if TYPE_CHECKING:
    from .drawings import Drawing

T = TypeVar("T")


@frozen(slots=True)
class Settled(Picture, Generic[T]):
    """The question's verdict, and all that led to it."""

    value: T
    record: Record

    def drawing(self, title: str = "") -> Drawing:
        """The dice that were thrown, under what they came to."""
        from .charts import dice

        return dice(self.record.rolled, title or words(self.value))

    def __str__(self) -> str:
        thrown = ", ".join(f"d{die.sides} {die.face}" for die in self.record.rolled)
        return f"{words(self.value)} ({thrown})" if thrown else words(self.value)


@frozen(slots=True)
class Waiting(Generic[T]):
    """The question stands still until `need` is met: an offer, offers together, dice by hand, a witness.

    Plain data: it can be stored, and goes on after a restart with `resume`.
    """

    question: Question[T]
    need: Hashable
    record: Record

    def resume(self, dice: Dice, *answers: Any) -> Settled[T] | Waiting[T]:
        """Read the record again and go on from there, with one answer more where an offer was open."""
        return play(
            self.question, RecordedDice(self.record.rolled, then=dice), answers=(*self.record.answers, *answers)
        )


def play(question: Question[T], dice: Dice, answers: Sequence[Any] = ()) -> Settled[T] | Waiting[T]:
    """Play until the question is settled or somebody has to decide.

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
                need = step.needs() if pause.need is _A_LOOK else pause.need
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
    played = play(question, RecordedDice(rolled, then=_Looking()), answers)
    return played.need if isinstance(played, Waiting) and isinstance(played.need, tuple) else ()


_A_LOOK = object()


class _Looking:
    """Dice that are looked at and not thrown."""

    source = "none"

    def face(self, _: int) -> int:
        raise Pause(_A_LOOK)


def replay(question: Question[T], record: Record) -> T:
    """The verdict that the record proves; anything that does not fit is an error that says where.

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
    """What to say of what is no question: a rule that was not called, a die, a number."""
    if isinstance(asked, Rule):
        return NotAStep(f"{asked.name} is a rule, and {what} needs a question: call it with its arguments")
    return NotAStep(f"{what} needs a question, a rule called with its arguments, not {asked!r}")


def legal(step: Offer[Any] | Together, answer: Any) -> Any:
    """The answer, if the offer lists it."""
    if isinstance(step, Offer):
        if answer not in step.options:
            raise IllegalAnswer(f"{answer!r} is no answer to {step.name!r}; {step.side} may answer {step.options}")
        return answer
    if not isinstance(answer, tuple) or len(answer) != len(step.offers):
        raise IllegalAnswer(f"{len(step.offers)} sides decide together, so the answer is a tuple of as many answers")
    return tuple(legal(offer, one) for offer, one in zip(step.offers, answer, strict=True))
