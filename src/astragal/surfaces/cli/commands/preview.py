"""`astragal preview`."""

from typing import Annotated

from astragal.surfaces.cli.commands.do import Fields, fields_and_sight, list_or_explain, name_of, named_command
from astragal.surfaces.cli.context import Context
from astragal.surfaces.cli.parser import HERE, AsJson, AsSeat, Parameter, Table, Where
from astragal.surfaces.cli.terminal import Paper, in_json


def preview(
    table: Table,
    *words: Fields,
    reach: Annotated[str | None, Parameter("A chance, such as 75%: show the fewest points that reach it.")] = None,
    seat: AsSeat = None,
    json: AsJson = False,
    where: Where = HERE,
    context: Context,
) -> None:
    """Show what a command would do, exactly, as far as the seat may know. Nothing happens.

    astragal preview "The Gorge" attack --attacker kira --defender guard
    astragal preview "The Gorge" attack --attacker kira --defender guard --reach 75%
    """
    from astragal.surfaces.cli.seats import taken
    from astragal.surfaces.cli.table_view import plain_preview, write_preview
    from astragal.surfaces.shared.odds import read_chance

    paper, wanted = Paper(), None if reach is None else read_chance(reach)
    with taken(context, where, table, seat) as place:
        if list_or_explain(place, words):
            return
        kind = named_command(place, words[0])
        fields, _ = fields_and_sight(place, kind, words[1:], {})
        found = place.host.preview(place.table, place.seat, (name_of(kind), fields))
    if found is None:
        paper.write("null" if json else "Nothing is rolled for that.")
    elif json:
        paper.write(in_json(plain_preview(found, wanted)))
    else:
        write_preview(paper, found, wanted)
