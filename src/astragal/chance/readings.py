"""Entry point for odds: picks the reading that answers fastest.

Walking path by path needs no imports and is best for few paths. Lanes need NumPy, which takes as long to load as twenty
thousand paths take to walk, and are best for many paths. Both give the same odds. `compare` puts two side by side.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar, overload

from msgspec import Struct

from astragal.chance.chances import Chance
from astragal.chance.errors import BadStep, TooManyPaths
from astragal.chance.odds import Odds
from astragal.chance.pictures import Picture, Row, bands
from astragal.chance.play import no_question
from astragal.chance.steps import Offer, Question, Rule, Step, Together
from astragal.chance.weigh import MOST_PATHS, Policy, Weigher, decline

if TYPE_CHECKING:
    from astragal.chance.drawings import Drawing
    from astragal.chance.lanes import Grid

T = TypeVar("T")

FEW_PATHS = 20_000
"""Number of paths that can be walked while NumPy loads."""
FEW_PATHS_WITH_NUMPY = 250
"""Number of paths that can be walked while lanes are set up and show whether they are faster."""
FEW_PATHS_WITH_OFFERS = 500
"""The same if there are offers on the way: an offer is seldom the same in many lanes, so lanes gain less."""


@overload
def odds(step: Step[T], policy: Policy | Sequence[Any] = ..., *, most_paths: int = ...) -> Odds[T]: ...
@overload
def odds(step: str, policy: Policy | Sequence[Any] = ..., *, most_paths: int = ...) -> Odds[int]: ...
def odds(step: Step[Any] | str, policy: Policy | Sequence[Any] = decline, *, most_paths: int = MOST_PATHS) -> Odds[Any]:
    """The exact odds of a question, any other step or a notation. A policy or a fixed list answers its offers.

    >>> from astragal import d6, odds
    >>> odds(2 @ d6 + 3 >= 10).chance(True), odds("4d6kh3").mean()
    (Fraction(7, 12), Fraction(15869, 1296))
    """
    if isinstance(policy, (Step, Odds)):
        raise BadStep("odds are of one thing: of the sum, odds(one + other), or side by side, compare(one, other)")
    if not isinstance(step, Question):
        return _odds_of_dice(step)
    if not callable(policy):
        from .paths import answered_odds

        return answered_odds(step, policy, most_paths)
    few = Weigher(policy, min(FEW_PATHS, most_paths))
    if most_paths <= FEW_PATHS:  # so small a budget is walked path by path
        return few.weigh(step)
    paths: int | None = None
    with suppress(TooManyPaths):
        paths, decides = _width(step, few)
        if not decides and FEW_PATHS_WITH_NUMPY < paths <= FEW_PATHS_WITH_OFFERS:
            decides = _width(step, few, quarters=3)[1]  # try a second path, since it makes a difference
        few_in_lanes = FEW_PATHS_WITH_OFFERS if decides or step.rule.beyond_lanes else FEW_PATHS_WITH_NUMPY
        if paths <= (few_in_lanes if "numpy" in sys.modules else FEW_PATHS):
            return few.weigh(step)
    from .lanes import ChainWeigher, LaneWeigher, try_in_lanes

    if step.rule.asks_itself:
        return ChainWeigher(policy, most_paths).weigh(step)
    found = try_in_lanes(step, lambda: LaneWeigher(policy, few.known).in_lanes(step, paths))
    if found is None:
        step.rule.beyond_lanes = True
        found = ChainWeigher(policy, most_paths).weigh(step)
    return found


def _odds_of_dice(step: object) -> Odds[Any]:
    """The odds of dice or of a notation; where they are endless, up to a value that they hardly ever exceed."""
    if isinstance(step, Chance):
        return step.odds_to(step.far_out()) if step.endless else step.odds()
    if isinstance(step, Odds):
        return step
    if isinstance(step, str):
        from .notation import parse

        return parse(step).odds()
    raise no_question(step, "odds")


def odds_grid(rule: Rule[..., T], policy: Policy = decline, /, **given: Any) -> Grid[T]:
    """Calculate a rule's odds over ranges of its arguments.

    A range, a list or an enum class is an axis; any other value is the argument at every point:
    `odds_grid(opposed_test, attacker=range(6, 17), defender=range(6, 17))`.

    >>> from astragal import Rolls, d20, odds_grid, rule
    >>> @rule
    ... def steady(score: int, bonus: int) -> Rolls[bool]:
    ...     return (yield from d20) <= score + bonus
    >>> print(odds_grid(steady, score=[8, 12], bonus=range(3)).text(True))
    score \\ bonus   0   1   2
                8  40  45  50
               12  60  65  70
    """
    from .lanes import odds_grid as in_lanes

    return in_lanes(rule, policy, **given)


def _width(question: Question[Any], weigher: Weigher, quarters: int = 2) -> tuple[int, bool]:
    """Estimate the number of paths, and whether someone decides on them, from one path through the middle.

    Counting stops at `FEW_PATHS`. The weigher caches the odds that it meets, for the reading that follows.
    """
    paths, decides = 1, False
    for step, paths in weigher.one_path(question, lambda many: many * quarters // 4):
        if paths > FEW_PATHS:
            break
        if isinstance(step, (Offer, Together)):
            decides = decides or paths > 1  # before the first die there is one lane
        elif paths > FEW_PATHS_WITH_NUMPY and "numpy" in sys.modules and isinstance(step, Question):
            return FEW_PATHS, decides  # possibly: finding out would take as long as answering
    return paths, decides


class Comparison(Picture, Struct, frozen=True):
    """Two odds, each with a name."""

    first: Odds[Any]
    second: Odds[Any]
    names: tuple[str, str]

    def rows(self) -> list[tuple[Row, Row]]:
        """Each outcome of either, with its chance in both; many numbers are merged as `Odds` merges them."""
        weights = dict(self.first.weights)
        for outcome, weight in self.second.weights.items():
            weights[outcome] = weights.get(outcome, 0) + weight
        ends = [end for end in (self.first.open_end, self.second.open_end) if end is not None]
        joined = Odds(weights, sum(weights.values()), open_end=max(ends) if ends else None)
        return [
            (_row(said, self.first, outcomes), _row(said, self.second, outcomes)) for said, outcomes in bands(joined)
        ]

    def drawing(self, title: str = "") -> Drawing:
        from .charts import bars

        return bars(self.rows(), title, self.names)

    def __str__(self) -> str:
        from .charts import text_table

        rows = [[one.words, one.percent, two.percent] for one, two in self.rows()]
        return text_table([["", *self.names], *rows])


def compare(first: Step[Any] | Odds[Any] | str, second: Step[Any] | Odds[Any] | str, *names: str) -> Comparison:
    """Compare two odds, questions, dice or notations on one chart, with names if two are given.

    >>> from astragal import compare
    >>> print(compare("2d2", "1d4"))
       2d2    1d4
    1  0.0%   25.0%
    2  25.0%  25.0%
    3  50.0%  25.0%
    4  25.0%  25.0%
    """
    found = [it if isinstance(it, Odds) else odds(it) for it in (first, second)]
    said = [name if isinstance(it, Odds) else str(it) for it, name in ((first, "first"), (second, "second"))]
    return Comparison(found[0], found[1], (names[0], names[1]) if len(names) == 2 else (said[0], said[1]))


def _row(said: str, of: Odds[Any], outcomes: list[Any]) -> Row:
    return Row(said, Fraction(sum(of.weights.get(outcome, 0) for outcome in outcomes), of.total))
