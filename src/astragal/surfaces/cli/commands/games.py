"""`astragal games`: what is installed, and what each game has to choose, to ask for and to roll."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING, Annotated

from astragal.surfaces.cli.input.options import AsJson, Given, Parameter
from astragal.surfaces.cli.output.terminal import Paper

if TYPE_CHECKING:
    from astragal.table.authoring.ruleset import Ruleset


def games(
    game: Annotated[str | None, Parameter(help="One game, in full.")] = None, *, json: AsJson = False, context: Given
) -> None:
    """List the installed games; for one, its options, commands, rules, tables and skins."""
    from astragal.surfaces.cli.output.command_help import list_of

    paper = Paper()
    if game is not None:
        _write_game(paper, context.game(game), as_json=json)
        return
    found = context.all_games()
    if json:
        from astragal.surfaces.cli.output.narration import in_json

        paper.write(in_json([_in_short(one) for one in found]))
        return
    for line in list_of({one.id: _introduced(one) for one in found}, paper.width):
        paper.write(line)


def _introduced(game: Ruleset) -> str:
    return f"{game.name}. {game.about}" if game.about else f"{game.name}, after {'; '.join(game.books)}"


def _in_short(game: Ruleset) -> dict[str, object]:
    said = {"about": game.about} if game.about else {}
    return {"id": game.id, "name": game.name, "version": game.version, "books": list(game.books), **said}


def _write_game(paper: Paper, game: Ruleset, *, as_json: bool) -> None:
    from astragal.surfaces.cli.output.narration import in_json
    from astragal.surfaces.shared.words import first_sentence
    from astragal.table.authoring.declarations import kind_of_command

    commands = [action.command for chapter in game.chapters for action in chapter.actions]
    named = {kind_of_command(kind).name: first_sentence(kind) for kind in commands}
    rules = {rule.name: first_sentence(rule.body) for rule in game.rules}
    skins = list(game.skins.shipped()) if game.skins else []
    if as_json:
        further = {"commands": named, "rules": rules, "tables": list(game.tables), "skins": skins}
        paper.write(in_json({**_in_short(game), **further}))
        return
    paper.write(f"{game.name}, after {'; '.join(game.books)}", "bold")
    if game.about:
        paper.write(fill(game.about, paper.width))
    _write_list(paper, "Commands: astragal do TABLE …", named)
    _write_list(paper, f"Rules: astragal odds {game.id} …", rules)
    _write_options(paper, game)
    for title, listed in (("Tables of the book", list(game.tables)), ("Skins", skins)):
        if listed:
            paper.write(f"\n{title}: {', '.join(listed)}")


def _write_list(paper: Paper, title: str, named: dict[str, str]) -> None:
    from astragal.surfaces.cli.output.command_help import list_of

    paper.write(f"\n{title}", "bold")
    for line in list_of(named, paper.width):
        paper.write(line)


def _write_options(paper: Paper, game: Ruleset) -> None:
    from astragal.surfaces.cli.output.command_help import field_help
    from astragal.table.fields.definitions import fields_of

    paper.write("\nOptions of a table: astragal table new … --option key=value", "bold")
    for field in fields_of(game.options):
        head, *rest = field_help(field, paper.width)
        paper.write(f"  {field.name} {head.split(' ', 3)[3] if head.count(' ') > 2 else 'yes|no'}")
        for line in rest:
            paper.write(line)
