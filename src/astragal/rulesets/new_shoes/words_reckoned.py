"""What went into a roll, as players say it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from astragal.chance import Question
from astragal.table.ruleset import Teller

from .approaches import Explode
from .opposing import opposed_approach
from .results import Reached
from .words import signed
from .words_tables import target_words

Parts: TypeAlias = Iterator[tuple[str, str]]


def reckoning(question: Question[Reached], _: Teller) -> Parts:
    """NS-03, NS-04, NS-06: the dice, what is added to them, and what they are against.

    NS-17: how far the difference can matter is a number for the odds, and is not said.
    """
    given = question.named
    yield "Dice", f"{given['dice']}d6"
    yield from _added("Statuses and support", given["statuses"])
    if question.rule is opposed_approach:
        yield "The opponent’s dice", f"{given['opposing']}d6"
        yield from _added("The opponent’s statuses and support", given["opposing_statuses"])
    else:
        yield "Target", target_words(given["target"])
    if given["explode"] is Explode.ONCE:
        yield "Sixes", "rolled again once"


def _added(what: str, number: int) -> Parts:
    if number:
        yield what, signed(number)
