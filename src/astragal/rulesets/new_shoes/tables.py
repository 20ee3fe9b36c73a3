"""The book's chances, as every surface can ask for them. NS-06, NS-17."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from astragal.chance import Question, odds, percent
from astragal.table.creation import BookTable

from .approaches import FEWEST_DICE, MOST_DICE, TARGETS, approach
from .opposing import opposed_approach
from .results import Reached, Result
from .words_tables import CHANCES_AGAINST_ANOTHER, CHANCES_TO_BEAT, target_words

DICE = range(FEWEST_DICE, MOST_DICE + 1)


def _chances_to_beat() -> BookTable:
    """NS-17: the chance to beat each of the named targets, in percent."""
    rows = [(str(dice), *(_percent(approach(dice, target)) for target in TARGETS.values())) for dice in DICE]
    return BookTable(CHANCES_TO_BEAT, ("dice", *map(target_words, TARGETS.values())), tuple(rows))


def _chances_against_another() -> BookTable:
    """NS-06, NS-17: the chance to beat another player, in percent."""
    rows = [(str(mine), *(_percent(opposed_approach(mine, theirs)) for theirs in DICE)) for mine in DICE]
    return BookTable(CHANCES_AGAINST_ANOTHER, ("dice", *(f"against {theirs}" for theirs in DICE)), tuple(rows))


def _percent(question: Question[Reached]) -> str:
    beaten = odds(question).chance(lambda reached: reached.result is Result.SUCCESS)
    return f"{float(percent(beaten, 1)):.1f}"


TABLES: Mapping[str, Callable[[], BookTable]] = {"targets": _chances_to_beat, "opposed": _chances_against_another}
