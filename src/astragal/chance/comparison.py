"""Two distributions side by side: in a terminal, in a notebook, as a picture."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from astragal.values import frozen

from .odds import Odds
from .pictures import Picture, Row, bands
from .readings import odds
from .steps import Step

if TYPE_CHECKING:
    from .drawings import Drawing


@frozen(slots=True)
class Comparison(Picture):
    """Two odds, and a name for each."""

    first: Odds[Any]
    second: Odds[Any]
    names: tuple[str, str]

    def rows(self) -> list[tuple[Row, Row]]:
        """Each outcome that either has, with its chance in both; many numbers are gathered as `Odds` gathers them."""
        both = Odds.mixture({self.first.total: self.first.weights})
        weights = dict(both.weights)
        for outcome, weight in self.second.weights.items():
            weights[outcome] = weights.get(outcome, 0) + weight
        ends = [end for end in (self.first.open_end, self.second.open_end) if end is not None]
        joined = Odds(weights, sum(weights.values()), open_end=max(ends) if ends else None)
        return [
            (_row(said, self.first, outcomes), _row(said, self.second, outcomes)) for said, outcomes in bands(joined)
        ]

    def drawing(self, title: str = "") -> Drawing:
        from .charts import compared

        return compared(self.rows(), self.names, title)

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
