"""`astragal odds`."""

from typing import Any

from astragal.chance import Odds, pictures
from astragal.surfaces.cli.output.formats import Page
from astragal.surfaces.cli.output.terminal import Paper

WRITTEN = {Page.JSON: pictures.json, Page.CSV: pictures.csv, Page.MARKDOWN: pictures.markdown}


def show_odds(notation: str, page: Page | None = None) -> None:
    from astragal.chance.notation import explain, odds, parse

    expression, paper = parse(notation), Paper()
    found = odds(expression)
    if page:
        paper.write(WRITTEN[page](found).rstrip("\n"))
        return
    paper.write(str(expression), "bold")
    paper.write(explain(expression))
    paper.write(_middle(found))
    paper.write()
    draw(paper, found)


def draw(paper: Paper, found: Odds[Any]) -> None:
    """Bars, as wide as there is room for."""
    if paper.colourful:
        paper.console.print(found, width=paper.width)
    else:
        paper.write(pictures.bars(found, paper.width))


def _middle(found: Odds[int]) -> str:
    if found.open_end is not None:
        return f"Half of all rolls come to {found.quantile(0.5):,} or less."
    mean = found.mean()
    exactly = pictures.short_fraction(mean)
    shown = f"{float(mean):,.2f}" + (f" ({exactly})" if "/" in exactly else "")
    return f"On average {shown}; half of all rolls come to {found.quantile(0.5):,} or less."
