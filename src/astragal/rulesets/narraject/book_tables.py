"""The rule of Narraject, its scale of chances, and the table of the book that follows from it."""

from __future__ import annotations

from astragal.chance import Question, odds
from astragal.game import BookTable

from .hand import Difficulty, Hand, Outcome, Source, Term, roll_hand

MOST_DICE = 15


def roll_dice(difficulty: int, dice: int) -> Question[Outcome]:
    """Roll so many dice, wherever they come from."""
    return roll_hand(Hand((Term(Source.RATING, dice),)), difficulty)


def is_success(outcome: Outcome) -> bool:
    return outcome.success


def chances_of_a_hand() -> BookTable:
    """NJ-04, NJ-05: the chance of as many successes as each difficulty asks for."""
    named = [name for name in Difficulty if name.successes]
    head = ("dice", *(f"{name.value} ({name.successes})" for name in named))
    rows = []
    for dice in range(1, MOST_DICE + 1):
        chances = [odds(roll_dice(name.successes, dice)).chance(is_success) for name in named]
        rows.append((str(dice), *(f"{float(100 * chance):.1f}" for chance in chances)))
    return BookTable("Chances of a hand, in percent", head, tuple(rows))
