"""`astragal preview`."""

from __future__ import annotations

from astragal.surfaces.cli.commands.do import Fields, fields_and_sight, list_or_explain, name_of, named_command
from astragal.surfaces.cli.context import Context
from astragal.surfaces.cli.input.options import HERE, AsJson, AsSeat, Table, Where
from astragal.surfaces.cli.output.terminal import Paper


def preview(
    table: Table, *words: Fields, seat: AsSeat = None, json: AsJson = False, where: Where = HERE, context: Context
) -> None:
    """Show what a command would do, exactly, as far as the seat may know. Nothing happens.

    astragal preview "The Gorge" attack --attacker kira --defender guard
    """
    from astragal.surfaces.cli.input.seats import taken
    from astragal.surfaces.cli.output.narration import in_json, plain_preview, write_preview

    paper = Paper()
    with taken(context, where, table, seat) as place:
        if list_or_explain(place, words):
            return
        kind = named_command(place, words[0])
        fields, _ = fields_and_sight(place, kind, words[1:], {})
        found = place.host.preview(place.table, place.seat, (name_of(kind), fields))
    if found is None:
        paper.write("null" if json else "Nothing is rolled for that.")
    elif json:
        paper.write(in_json(plain_preview(found)))
    else:
        write_preview(paper, found)
