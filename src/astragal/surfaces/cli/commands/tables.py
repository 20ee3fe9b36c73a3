"""`astragal tables`: the tables of a game's book, worked out anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from astragal.surfaces.cli.errors import BadCall, Declined
from astragal.surfaces.cli.input.options import AsJson, Flag, Given, Parameter
from astragal.surfaces.cli.output.progress import counted
from astragal.surfaces.cli.output.rows import as_markdown, as_text
from astragal.surfaces.cli.output.terminal import Paper

if TYPE_CHECKING:
    from astragal.table.authoring.hero_book import BookTable


def tables(
    game: Annotated[str, Parameter(help="The game: astragal games lists them.")],
    *names: Annotated[str, Parameter(name="TABLE", help="Which tables; else all.")],
    json: AsJson = False,
    markdown: Annotated[bool, Flag, Parameter(help="Print Markdown.")] = False,
    context: Given,
) -> None:
    """Print the tables of a game's book, worked out anew from its rules."""
    book = context.game(game)
    if not book.tables:
        raise Declined(f"{book.name} has no tables to print; astragal odds {book.id} RULE --vary … makes one.")
    if strange := [name for name in names if name not in book.tables]:
        raise BadCall(f"{book.name} has no table {strange[0]!r}; what it has is {', '.join(book.tables)}.")
    wanted = names or tuple(book.tables)
    found = {name: book.tables[name]() for name in counted(wanted, "Working out", len(wanted))}
    _write(Paper(), found, in_json=json, in_markdown=markdown)


def _write(paper: Paper, found: dict[str, BookTable], *, in_json: bool, in_markdown: bool) -> None:
    if in_json:
        from astragal.surfaces.cli.output import narration

        paper.write(narration.in_json(found))
        return
    written = as_markdown if in_markdown else as_text
    for table in found.values():
        paper.write(f"## {table.title}\n" if in_markdown else table.title, "bold")
        paper.write(written((table.head, *table.rows)))
        paper.write()
