"""Check that a measure which claims to be steady is: converting looks chances up on it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise, product

from astragal.chance import odds
from astragal.table.authoring.measures import Measure
from astragal.table.authoring.ruleset import Ruleset


def faults_in_measures(ruleset: Ruleset) -> Iterator[str]:
    for measure in ruleset.measures:
        if measure.steady and {step > 0 for step in _steps(measure)} == {True, False}:
            *_, last = measure.ranges
            yield (
                f"The measure {measure.words!r} is called steady, and a greater {last} helps at one place and hurts "
                "at another"
            )


def _steps(measure: Measure) -> Iterator[Fraction]:
    """By how much the chance changes from each value of the last number to the next, wherever it does."""
    *others, last = measure.ranges.items()
    for fixed in product(*(values for _, values in others)):
        numbers = dict(zip(dict(others), fixed, strict=True))
        chances = (_chance(measure, numbers | {last[0]: value}) for value in sorted(last[1]))
        yield from (after - before for before, after in pairwise(chances) if after != before)


def _chance(measure: Measure, numbers: dict[str, int]) -> Fraction:
    return odds(measure.ask(**numbers)).chance(measure.success)
