"""`astragal tables`: the tables of a game's book, worked out anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from astragal.surfaces.cli.faults import BadCall, Declined
from astragal.surfaces.cli.options import AsJson, Flag, Given, Parameter
from astragal.surfaces.cli.paper import Paper
from astragal.surfaces.cli.patience import counted
from astragal.surfaces.cli.rows import as_markdown, as_text

if TYPE_CHECKING:
    from astragal.table.creation import BookTable


def tables(
    game: Annotated[str, Parameter(help="The game: astragal games lists them.")],
    names: Annotated[tuple[str, ...], Parameter(name="TABLE", help="Which tables; else all.", negative="")] = (),
    *,
    json: AsJson = False,
    markdown: Annotated[bool, Flag, Parameter(help="Print Markdown.")] = False,
    house: Given,
) -> None:
    """Print the tables of a game's book, worked out anew from its rules."""
    ruleset = house.game(game)
    if not ruleset.tables:
        raise Declined(f"{ruleset.name} has no tables to print; astragal odds {ruleset.id} RULE --vary … makes one.")
    if strange := [name for name in names if name not in ruleset.tables]:
        raise BadCall(f"There is no table {strange[0]!r}; there are {', '.join(ruleset.tables)}.")
    wanted = names or tuple(ruleset.tables)
    found = {name: ruleset.tables[name]() for name in counted(wanted, "Working out", len(wanted))}
    _write(Paper(), found, in_json=json, in_markdown=markdown)


def _write(paper: Paper, found: dict[str, BookTable], *, in_json: bool, in_markdown: bool) -> None:
    if in_json:
        from astragal.surfaces.cli import telling

        paper.write(telling.in_json(found))
        return
    written = as_markdown if in_markdown else as_text
    for table in found.values():
        paper.write(f"## {table.title}\n" if in_markdown else table.title, "bold")
        paper.write(written((table.head, *table.rows)))
        paper.write()
