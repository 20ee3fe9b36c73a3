"""The chances of a hand, as every surface can ask for them. NJ-04, NJ-05."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from astragal.chance import odds
from astragal.table.creation import BookTable

from .difficulty import Difficulty
from .hand import Hand, Source, Term
from .rolling import roll_hand

MOST_DICE = 15


def _chances() -> BookTable:
    """NJ-04, NJ-05: the chance of as many successes as each difficulty asks for."""
    named = [name for name in Difficulty if name.successes]
    head = ("dice", *(f"{name.value} ({name.successes})" for name in named))
    rows = tuple((str(dice), *(_percent(dice, name.successes) for name in named)) for dice in range(1, MOST_DICE + 1))
    return BookTable("Chances of a hand, in percent", head, rows)


def _percent(dice: int, successes: int) -> str:
    found = odds(roll_hand(Hand((Term(Source.RATING, dice),)), successes))
    return f"{float(found.percent(lambda outcome: outcome.success, 1)):.1f}"


TABLES: Mapping[str, Callable[[], BookTable]] = {"hands": _chances}
