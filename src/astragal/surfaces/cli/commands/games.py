"""`astragal games` and `tables`: the installed games, options, commands and rules of each; the tables of its book."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING, Annotated

from astragal.surfaces.cli import errors, terminal
from astragal.surfaces.cli.context import Context
from astragal.surfaces.cli.parser import AsJson, Game, Parameter

if TYPE_CHECKING:
    from astragal.table.authoring.ruleset import Ruleset


def games(
    game: Annotated[str | None, Parameter("One game, in full.")] = None, *, json: AsJson = False, context: Context
) -> None:
    """List the installed games; for one, its options, commands, rules, tables and skins."""
    paper = terminal.Output()
    if game is not None:
        _write_game(paper, context.game(game), as_json=json)
        return
    games = list(context.all_games())
    about = {
        game.id: f"{game.name}. {game.about}" if game.about else f"{game.name}, after {'; '.join(game.books)}"
        for game in games
    }
    paper.show([_in_short(game) for game in games], terminal.in_two_columns(about, paper.width), as_json=json)


def _in_short(game: Ruleset) -> dict[str, object]:
    about = {"about": game.about} if game.about else {}
    return {"id": game.id, "name": game.name, "version": game.version, "books": list(game.books), **about}


def _write_game(paper: terminal.Output, game: Ruleset, *, as_json: bool) -> None:
    from astragal.surfaces.cli.fields import field_help
    from astragal.surfaces.shared.words import first_sentence
    from astragal.table.declarations import kind_of_command
    from astragal.table.fields.definitions import fields_of

    kinds = [action.command for chapter in game.chapters for action in chapter.actions]
    commands = {kind_of_command(kind).name: first_sentence(kind) for kind in kinds}
    rules = {rule.name: first_sentence(rule.body) for rule in game.rules}
    skins = list(game.skins.shipped()) if game.skins else []
    if as_json:
        further = {"commands": commands, "rules": rules, "tables": list(game.tables), "skins": skins}
        paper.write(terminal.in_json({**_in_short(game), **further}))
        return
    paper.write(f"{game.name}, after {'; '.join(game.books)}", "bold")
    if game.about:
        paper.write(fill(game.about, paper.width))
    for title, names in (("Commands: astragal do TABLE …", commands), (f"Rules: astragal odds {game.id} …", rules)):
        paper.write(f"\n{title}", "bold")
        paper.write_lines(terminal.in_two_columns(names, paper.width))
    paper.write("\nOptions of a table: astragal table new … --option key=value", "bold")
    for field in fields_of(game.options):
        head, *remarks = field_help(field, paper.width)
        paper.write(f"  {field.name} {head.split(' ', 3)[3] if head.count(' ') > 2 else 'yes|no'}")
        paper.write_lines(remarks)
    for title, listed in (("Tables of the book", list(game.tables)), ("Skins", skins)):
        if listed:
            paper.write(f"\n{title}: {', '.join(listed)}")


def tables(
    game: Game,
    *names: Annotated[str, Parameter("The tables to print; default: all.", "TABLE")],
    json: AsJson = False,
    markdown: Annotated[bool, Parameter("Print Markdown.")] = False,
    context: Context,
) -> None:
    """Print the tables of a game's book, calculated from its rules."""
    book = context.game(game)
    if not book.tables:
        raise errors.Declined(f"{book.name} has no tables to print; astragal odds {book.id} RULE --vary … makes one.")
    if strange := [name for name in names if name not in book.tables]:
        raise errors.BadCall(f"{book.name} has no table {strange[0]!r}; it has {', '.join(book.tables)}.")
    wanted_names = names or tuple(book.tables)
    tables = {name: book.tables[name]() for name in terminal.counted(wanted_names, "Calculating", len(wanted_names))}
    paper = terminal.Output()
    if json:
        paper.write(terminal.in_json(tables))
        return
    written_as = terminal.as_markdown if markdown else terminal.as_text
    for table in tables.values():
        paper.write(f"## {table.title}\n" if markdown else table.title, "bold")
        paper.write(written_as((table.head, *table.rows)))
        paper.write()
