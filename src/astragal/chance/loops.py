"""Loops that nothing ends: how long a path through a rule may be, and what is said of one that goes on."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from itertools import cycle, islice
from types import GeneratorType
from typing import Any

from .errors import NoEnd
from .steps import Question, Rolls, Step

LONGEST_PATH = 1_000
"""Steps on one path through a question that is weighed or advised on."""
LONG_PATH = 100
"""From so many steps on it is tried, now and then, whether the path would come to the longest in the same way."""
LONGEST_PLAY = 100_000
"""Steps of a question that is played: luck may keep it going for long."""
MOST_DICE = 1_000_000
"""Dice on the table of a question that is played and goes on still."""
DEEP = 50
"""Questions inside questions; where Python's own limit is met so far down, they are the reason."""

INSTEAD = (
    "A loop of dice is one step, which ends and has exact odds: rerolled(die, faces) throws unwanted faces again, "
    "until(dice, wanted) throws until it is wanted, exploding(count, die, ceiling=…) adds dice to dice. "
    "Any other loop needs an end: for _ in range(20)."
)


def goes_on(run: Rolls[Any], path: Sequence[Any], possible: Callable[[Step[Any]], Container[Any]]) -> bool:
    """Does a run come to the longest path, if what this path brought of late comes again and again?

    A loop is known so by a single run, where to try every way out of it first would take one for each.
    """
    try:
        step = run.send(None)
        for value in path:
            step = run.send(value)
        for value in islice(cycle(path[len(path) // 2 :]), LONGEST_PATH - len(path)):
            if value not in possible(step):
                return False
            step = run.send(value)
    except StopIteration:
        return False
    return True


class Call:
    """A question that is being run, and how many steps it has stopped for."""

    __slots__ = ("question", "run", "steps")

    def __init__(self, question: Question[Any]) -> None:
        self.question, self.run, self.steps = question, question.begin(), 0


def no_end(question: Question[Any], run: Rolls[Any], steps: int) -> NoEnd:
    """Say which rule goes on and on, where, and what to write instead. The run stands at a step."""
    line, file = _place(run)
    return NoEnd(f"{question} has not ended after {steps:,} steps; it stands at line {line} of {file}. {INSTEAD}")


def no_end_of(calls: Sequence[Call], steps: int) -> NoEnd:
    """The same of questions that ask each other: the one with the most steps of its own has the loop."""
    if len(calls) > DEEP:
        return asks_on(calls[-1].question, len(calls))
    blamed = max(calls, key=lambda call: call.steps)
    return no_end(blamed.question, blamed.run, steps)


def asks_on(question: Question[Any], deep: int) -> NoEnd:
    """Say which rule asks further questions, and these others, without end."""
    return NoEnd(f"{question} is asked inside {deep - 1:,} other questions, and no end is in sight. {INSTEAD}")


def _place(run: Any) -> tuple[int, str]:
    """The line of the rule's own body, or of the generator that it leaves the work to."""
    while isinstance(inner := run.gi_yieldfrom, GeneratorType) and inner.gi_code is not Step.__iter__.__code__:
        run = inner
    from pathlib import PurePath  # takes a while to load, and is seldom needed

    return run.gi_frame.f_lineno, PurePath(run.gi_code.co_filename).name
