"""Sinew & Steel as a scale of chances: a level test of a score, before any Luck."""

from astragal.table.measures import Measure

from .rolling import simple_test

MEASURES = (
    Measure(
        game="sinew_steel",
        name="Sinew & Steel",
        words="a score of {score}",
        ask=simple_test,
        success=lambda roll: roll.success,
        ranges={"score": range(21)},
        steady=True,
    ),
)
