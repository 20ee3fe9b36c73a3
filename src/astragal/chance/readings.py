"""The one door to odds: which reading answers is not the asker's concern.

Path by path is at hand at once and best for what has few paths. Lanes need NumPy, which takes as long to load as
twenty thousand paths take to walk, and are best for what has many. Both give the same odds.
`compare` sets two side by side.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar, overload

from astragal.chance.chances import Chance
from astragal.chance.errors import TooManyPaths
from astragal.chance.odds import Odds
from astragal.chance.pictures import Picture, Row, bands
from astragal.chance.play import no_question
from astragal.chance.steps import Offer, Question, Rule, Step, Together
from astragal.chance.weigh import MOST_PATHS, Policy, Weigher, decline
from astragal.values import frozen

if TYPE_CHECKING:
    from astragal.chance.drawings import Drawing
    from astragal.chance.lanes import Grid

T = TypeVar("T")

FEW_PATHS = 20_000
"""As many as can be walked while NumPy loads."""
FEW_PATHS_WITH_NUMPY = 250
"""As many as can be walked while lanes are set up and it shows whether they are a gain."""
FEW_PATHS_WITH_OFFERS = 500
"""As many, where somebody decides on the way: an offer seldom is the same in many lanes, so that they gain less."""


@overload
def odds(step: Step[T], policy: Policy | Sequence[Any] = ..., *, most_paths: int = ...) -> Odds[T]: ...
@overload
def odds(step: str, policy: Policy | Sequence[Any] = ..., *, most_paths: int = ...) -> Odds[int]: ...
def odds(step: Step[Any] | str, policy: Policy | Sequence[Any] = decline, *, most_paths: int = MOST_PATHS) -> Odds[Any]:
    """The exact odds of a question, any other step or a notation, its offers answered by a policy or a fixed list.

    >>> from astragal import d6, odds
    >>> odds(2 @ d6 + 3 >= 10).chance(True), odds("4d6kh3").mean()
    (Fraction(7, 12), Fraction(15869, 1296))
    """
    if isinstance(step, Chance):
        return step.odds()
    if isinstance(step, str):
        from .notation import parse

        return parse(step).odds()
    if not isinstance(step, Question):
        raise no_question(step, "odds")
    if not callable(policy):
        from .paths import answered_odds

        return answered_odds(step, policy, most_paths)
    few = Weigher(policy, min(FEW_PATHS, most_paths))
    if most_paths <= FEW_PATHS:  # whoever has so little patience gets path by path alone
        return few.weigh(step)
    paths: int | None = None
    with suppress(TooManyPaths):
        paths, decides = _width(step, few)
        if not decides and FEW_PATHS_WITH_NUMPY < paths <= FEW_PATHS_WITH_OFFERS:
            decides = _width(step, few, quarters=3)[1]  # another look, since it makes a difference
        few_in_lanes = FEW_PATHS_WITH_OFFERS if decides or step.rule.beyond_lanes else FEW_PATHS_WITH_NUMPY
        if paths <= (few_in_lanes if "numpy" in sys.modules else FEW_PATHS):
            return few.weigh(step)
    from .lanes import LaneWeigher, tried

    found = tried(step, lambda: LaneWeigher(policy, few.known).in_lanes(step, paths))
    if found is None:
        step.rule.beyond_lanes = True
        found = Weigher(policy, most_paths).weigh(step)
    return found


def odds_grid(rule: Rule[..., T], policy: Policy = decline, /, **given: Any) -> Grid[T]:
    """Ask a rule over ranges of its arguments: `odds_grid(opposed_test, attacker=range(6, 17), defender=range(6, 17))`.

    A range, a list or an enum class is an axis; any other value is the argument at every point.

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
    """About how many paths the question has, and whether somebody decides on them, judged by one: through its middle.

    More than a few are not counted on. The weigher keeps the odds of what is met, for whoever answers.
    """
    paths, decides = 1, False
    for step, paths in weigher.one_path(question, lambda many: many * quarters // 4):
        if paths > FEW_PATHS:
            break
        if isinstance(step, (Offer, Together)):
            decides = decides or paths > 1  # before any die, all lanes are one
        elif paths > FEW_PATHS_WITH_NUMPY and "numpy" in sys.modules and isinstance(step, Question):
            return FEW_PATHS, decides  # which may be: to find out would take as long as to answer
    return paths, decides


@frozen(slots=True)
class Comparison(Picture):
    """Two odds, and a name for each."""

    first: Odds[Any]
    second: Odds[Any]
    names: tuple[str, str]

    def rows(self) -> list[tuple[Row, Row]]:
        """Each outcome that either has, with its chance in both; many numbers are gathered as `Odds` gathers them."""
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
    """Two on one chart: odds, questions, dice or notations, each with a name if two are given.

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
