"""`astragal answer`."""

from typing import Annotated

from astragal.surfaces.cli.commands.do import show_outcome
from astragal.surfaces.cli.context import Context
from astragal.surfaces.cli.parser import HERE, AsJson, AsSeat, Parameter, Table, Where
from astragal.surfaces.cli.terminal import Paper, in_json


def answer(
    table: Table,
    *words: Annotated[str, Parameter("One of the answers; for dice by hand, their faces.", "ANSWER", hyphens=True)],
    seat: AsSeat = None,
    act: Annotated[str | None, Parameter("The decision to answer, by its name, where several wait.")] = None,
    json: AsJson = False,
    where: Where = HERE,
    context: Context,
) -> None:
    """Answer what waits for you: a decision, a question, a proposal; without an answer, show what waits.

    astragal answer "The Gorge" --as Bo       what Bo has to decide, and the odds
    astragal answer "The Gorge" spend 2 --as Bo
    """
    from astragal.surfaces.cli.play.answers import answered
    from astragal.surfaces.cli.seats import taken
    from astragal.surfaces.cli.table_view import asked_lines, decision_lines, plain_asking
    from astragal.surfaces.shared.pending import asked_of

    paper = Paper()
    with taken(context, where, table, seat) as place:
        place.chains.witness()
        if words:
            show_outcome(place, place.act(*answered(place, words, act)), as_json=json)
            return
        if json:
            paper.write(in_json([plain_asking(one) for one in asked_of(place.view)]))
            return
        lines = [*decision_lines(place.view), *asked_lines(place.view, own=True)]
    paper.write_lines(lines or ["Nothing waits for this seat."])
