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
    line_by_id = {ruleset.id: _line(ruleset) for ruleset in games}
    plain = [_in_short(ruleset) for ruleset in games]
    paper.show(plain, terminal.in_two_columns(line_by_id, paper.width), as_json=json)


def _line(game: Ruleset) -> str:
    """Describe a game in a line: what it is about, or its books."""
    if game.about:
        return f"{game.name}. {game.about}"
    return f"{game.name}, after {'; '.join(game.books)}"


def _in_short(game: Ruleset) -> dict[str, object]:
    plain: dict[str, object] = {"id": game.id, "name": game.name, "version": game.version, "books": list(game.books)}
    if game.about:
        plain["about"] = game.about
    return plain


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
        parts = {"commands": commands, "rules": rules, "tables": list(game.tables), "skins": skins}
        paper.write(terminal.in_json({**_in_short(game), **parts}))
        return
    paper.write(f"{game.name}, after {'; '.join(game.books)}", "bold")
    if game.about:
        paper.write(fill(game.about, paper.width))
    paper.write("\nCommands: astragal do TABLE …", "bold")
    paper.write_lines(terminal.in_two_columns(commands, paper.width))
    paper.write(f"\nRules: astragal odds {game.id} …", "bold")
    paper.write_lines(terminal.in_two_columns(rules, paper.width))
    paper.write("\nOptions of a table: astragal table new … --option key=value", "bold")
    for field in fields_of(game.options):
        head, *remarks = field_help(field, paper.width)
        kind = head.split(" ", 3)[3] if head.count(" ") > 2 else "yes|no"
        paper.write(f"  {field.name} {kind}")
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
    chosen = names or tuple(book.tables)
    tables = {name: book.tables[name]() for name in terminal.counted(chosen, "Calculating", len(chosen))}
    paper = terminal.Output()
    if json:
        paper.write(terminal.in_json(tables))
        return
    written_as = terminal.as_markdown if markdown else terminal.as_text
    for table in tables.values():
        paper.write(f"## {table.title}\n" if markdown else table.title, "bold")
        paper.write(written_as((table.head, *table.rows)))
        paper.write()
