"""`astragal tables`: the tables of a game's book, calculated from its rules."""

from typing import Annotated

from astragal.surfaces.cli.context import Context
from astragal.surfaces.cli.errors import BadCall, Declined
from astragal.surfaces.cli.parser import AsJson, Parameter
from astragal.surfaces.cli.terminal import Paper, as_markdown, as_text, counted, in_json


def tables(
    game: Annotated[str, Parameter("The game: astragal games lists them.")],
    *names: Annotated[str, Parameter("The tables to print; default: all.", "TABLE")],
    json: AsJson = False,
    markdown: Annotated[bool, Parameter("Print Markdown.")] = False,
    context: Context,
) -> None:
    """Print the tables of a game's book, calculated from its rules."""
    book = context.game(game)
    if not book.tables:
        raise Declined(f"{book.name} has no tables to print; astragal odds {book.id} RULE --vary … makes one.")
    if strange := [name for name in names if name not in book.tables]:
        raise BadCall(f"{book.name} has no table {strange[0]!r}; it has {', '.join(book.tables)}.")
    wanted = names or tuple(book.tables)
    found = {name: book.tables[name]() for name in counted(wanted, "Calculating", len(wanted))}
    paper = Paper()
    if json:
        paper.write(in_json(found))
        return
    written = as_markdown if markdown else as_text
    for table in found.values():
        paper.write(f"## {table.title}\n" if markdown else table.title, "bold")
        paper.write(written((table.head, *table.rows)))
        paper.write()
