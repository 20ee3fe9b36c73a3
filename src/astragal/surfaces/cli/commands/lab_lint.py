"""`astragal lab lint`: what of a game's rules changes nothing, is never worth it, can't happen, flips, or ties."""

from __future__ import annotations

from typing import Annotated

from astragal.surfaces.cli.context import Context
from astragal.surfaces.cli.input.options import AsJson, Parameter
from astragal.surfaces.cli.output.progress import watched
from astragal.surfaces.cli.output.terminal import Paper, in_json


def lint(
    game: Annotated[str, Parameter("The game, or a Python file with one.")], *, json: AsJson = False, context: Context
) -> None:
    """Look at a game's rules for what an author may have overlooked.

    astragal lab lint six_pool
    astragal lab lint examples/lanterns.py
    """
    from astragal.lab import linting

    book, paper = context.game(game), Paper()
    with watched("Looking at rules", len(book.rules)) as tell:
        found = linting.lint(book, tell)
    if json:
        paper.write(in_json(found))
        return
    for rule in dict.fromkeys(one.rule for one in found):
        paper.write(rule)
        for one in found:
            if one.rule == rule:
                paper.write(f"  {one.kind.value}: {one.words}")
    paper.write(f"{len(found)} findings in {len(book.rules)} rules of {book.name}. Not all of them are faults.")
