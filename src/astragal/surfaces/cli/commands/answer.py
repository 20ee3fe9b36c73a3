"""`astragal answer`."""

from __future__ import annotations

from typing import Annotated

from astragal.surfaces.cli.commands.do import show_outcome
from astragal.surfaces.cli.context import Context
from astragal.surfaces.cli.input.options import HERE, AsJson, AsSeat, Parameter, Table, Where
from astragal.surfaces.cli.output.terminal import Paper


def answer(
    table: Table,
    *words: Annotated[str, Parameter("One of the answers; for dice by hand, their faces.", "ANSWER", hyphens=True)],
    seat: AsSeat = None,
    act: Annotated[str | None, Parameter("The id of the command to answer, where several wait.")] = None,
    json: AsJson = False,
    where: Where = HERE,
    context: Context,
) -> None:
    """Answer what waits for a decision; without an answer, show what waits.

    astragal answer "The Gorge" --as Bo       what Bo has to decide, and the odds
    astragal answer "The Gorge" spend 2 --as Bo
    """
    from astragal.surfaces.cli.input.seats import taken
    from astragal.surfaces.cli.output.narration import asking_lines, in_json, plain_asking
    from astragal.surfaces.cli.play.answers import meant
    from astragal.surfaces.shared.pending import asked_of

    paper = Paper()
    with taken(context, where, table, seat) as place:
        place.chains.witness()
        asked = [one for one in asked_of(place.view) if act in (None, one.act)]
        if words:
            deed, value = meant(asked, words)
            show_outcome(place, place.act("answer", {"act": deed, "answer": value}), as_json=json)
            return
    if json:
        paper.write(in_json([plain_asking(one) for one in asked]))
        return
    for asking in asked:
        for line in asking_lines(asking):
            paper.write(line)
    if not asked:
        paper.write("Nothing waits for this seat.")
