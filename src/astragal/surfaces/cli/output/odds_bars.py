"""`astragal odds`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from astragal.chance import Odds, Unweighable, pictures
from astragal.surfaces.cli.output.formats import Page
from astragal.surfaces.cli.output.terminal import Paper

if TYPE_CHECKING:
    from astragal.chance.notation import Expression

WRITTEN = {Page.JSON: pictures.json, Page.CSV: pictures.csv, Page.MARKDOWN: pictures.markdown}


def show_odds(
    notation: str, page: Page | None = None, shown: Callable[[Odds[Any]], pictures.Weighted] = lambda found: found
) -> None:
    from astragal.chance.notation import explain, odds, parse

    expression, paper = parse(notation), Paper()
    found = odds(expression)
    if page:
        paper.write(WRITTEN[page](shown(found)).rstrip("\n"))
        return
    paper.write(str(expression), "bold")
    paper.write(explain(expression))
    paper.write(_middle(expression, found))
    paper.write()
    draw(paper, shown(found))


def draw(paper: Paper, found: pictures.Weighted) -> None:
    """Bars, as wide as there is room for."""
    if paper.colourful:
        paper.console.print(found, width=paper.width)
    else:
        paper.write(pictures.bars(found, paper.width))


def _middle(expression: Expression, found: Odds[int]) -> str:
    half = f"half of all rolls come to {found.quantile(0.5):,} or less"
    try:
        mean, spread = expression.mean(), expression.deviation()
    except Unweighable:  # something that has no end is kept or divided
        return f"{half[0].upper()}{half[1:]}."
    exactly = pictures.short_fraction(mean)
    shown = f"{float(mean):,.2f}" + (f" ({exactly})" if "/" in exactly else "")
    return f"On average {shown} ± {spread:,.2f}; {half}."
