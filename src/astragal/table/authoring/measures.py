"""Measures: a game's numbers as chances, for designers who compare games and for converting from another game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from astragal.chance import Question
from astragal.values import frozen


@frozen(kw_only=True)
class Measure:
    """A roll of a game as a scale of chances: each point of its ranges has one.

    `game` is the ruleset's id and `name` its name; `words` is a point in words, with its numbers by name in braces:
    "a score of {score}". `ask` is a rule, or a function that makes a rule's question from plain numbers, and `success`
    says which verdicts count. `ranges` are the numbers that may be asked about. Of points that are equally near the one
    that comes first in its ranges is named, so a range may begin with the usual numbers.

    It is `steady` if the last of its numbers, going up, only ever helps or only ever hurts: then a chance is looked for
    as a word is in a dictionary, and few of the points are weighed.
    """

    game: str
    name: str
    words: str
    ask: Callable[..., Question[Any]]
    success: Callable[[Any], bool]
    ranges: Mapping[str, Sequence[int]]
    steady: bool = False
