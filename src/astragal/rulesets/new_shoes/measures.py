"""New Shoes as a scale of chances: an approach against a target."""

from astragal.table.measures import Measure

from .approaches import EASIEST, FEWEST_DICE, HARDEST, MOST_DICE, approach
from .results import Result

# NS-05: on the target is no success yet, whoever tells it; what counts here is to beat it.
MEASURES = (
    Measure(
        game="new_shoes",
        name="New Shoes",
        words="a target of {target} with {dice}d6",
        ask=approach,
        success=lambda reached: reached.result is Result.SUCCESS,
        ranges={"target": range(EASIEST, HARDEST + 1), "dice": range(FEWEST_DICE, MOST_DICE + 1)},
        steady=True,
    ),
)
