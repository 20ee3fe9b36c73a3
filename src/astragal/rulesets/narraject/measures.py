"""Narraject as a scale of chances: a hand of dice, Focus included, against a difficulty."""

from astragal.chance import Question
from astragal.table.measures import Measure

from .hand import Hand, Source, Term
from .rolling import Outcome, roll_hand


def _roll_dice(difficulty: int, dice: int) -> Question[Outcome]:
    """Where a hand's dice come from does not matter to its chance."""
    return roll_hand(Hand((Term(Source.RATING, dice),)), difficulty)


MEASURES = (
    Measure(
        game="narraject",
        name="Narraject",
        words="a difficulty of {difficulty} with {dice}d6",
        ask=_roll_dice,
        success=lambda outcome: outcome.success,
        ranges={"difficulty": range(1, 12), "dice": range(1, 21)},
        steady=True,
    ),
)
