"""`astragal completion` prints completion scripts for shells; `astragal complete` prints the candidates for them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Literal

from astragal.fields import field_names
from astragal.surfaces.cli import app, errors, terminal
from astragal.surfaces.cli.context import Context, NoSuchGame
from astragal.surfaces.cli.parser import AsJson, Parameter, arguments_of

if TYPE_CHECKING:
    from astragal.surfaces.shared.context import SeatView

SCRIPTS = {
    "bash": """_astragal() {
    local IFS=$'\\n'
    COMPREPLY=($(astragal complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _astragal astragal
""",
    "zsh": """#compdef astragal
_astragal() {
    local -a found
    found=(${(f)"$(astragal complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)"})
    compadd -Q -a found
}
compdef _astragal astragal
""",
    "fish": """complete -c astragal -f -a '(astragal complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
""",
}


def completion(
    shell: Annotated[Literal["bash", "zsh", "fish"], Parameter("Your shell: bash, zsh or fish.")],
    *,
    json: AsJson = False,
) -> None:
    """Print the script that makes a shell complete commands, tables, people and fields.

    Write it to where your shell looks for completions, for example with
    astragal completion fish > ~/.config/fish/completions/astragal.fish

    bash:  ~/.local/share/bash-completion/completions/astragal
    zsh:   "${fpath[1]}/_astragal"
    fish:  ~/.config/fish/completions/astragal.fish
    """
    terminal.Output().report(SCRIPTS[shell].removesuffix("\n"), as_json=json, shell=shell, script=SCRIPTS[shell])


# ---------------------------------------------------------------- candidates


AT_A_TABLE = frozenset({"play", "do", "preview", "answer"})
OF_A_TABLE = frozenset({"show", "log", "seats", "export", "delete"})
OF_A_GAME = frozenset({"odds", "games", "tables", "demo"})


def complete(
    *words: Annotated[str, Parameter("The words so far, the last one begun.", fields=True)], context: Context
) -> None:
    """Print candidates for the last word."""
    *preceding, begun = [word.replace("\\ ", " ").replace("\\'", "'").strip("\"'") for word in words] or [""]
    candidates: list[str] = []
    with suppress(errors.BadCall, NoSuchGame):
        candidates = list(_candidates(context, preceding, begun))
    for word in dict.fromkeys(candidates):
        if word.casefold().startswith(begun.casefold()):
            sys.stdout.write(word.replace(" ", "\\ ").replace("'", "\\'") + "\n")


def _candidates(context: Context, preceding: Sequence[str], begun: str) -> Iterator[str]:
    command, arguments = app.find_command(preceding)
    if command not in app.COMMANDS:
        if not arguments:
            yield from app.commands_in(command)
        return
    options = [argument for argument in arguments_of(app.load(command)) if argument.is_option]
    with_value = {option.typed for option in options if option.takes_value}
    values = [word for last, word in pairwise(("", *arguments)) if last not in with_value and not word.startswith("-")]
    names = command.split()
    context.db = next((value for name, value in pairwise(preceding) if name == "--db"), None)
    at_a_table = names[0] in AT_A_TABLE or (names[0] == "table" and names[-1] in OF_A_TABLE)
    if at_a_table or preceding[-1:] == ["--as"]:
        yield from _at_a_table(context, names, values, preceding[-1])
    elif names[0] in OF_A_GAME or names[0] in ("skin", "hero") or command == "table new":
        yield from _of_a_game(context, names, values, preceding[-1])
    if begun.startswith("-"):
        yield from (option.typed for option in options)


def _at_a_table(context: Context, names: Sequence[str], values: Sequence[str], last: str) -> Iterator[str]:
    from astragal.surfaces.cli.commands.do import command_and_words
    from astragal.surfaces.cli.seats import open_seat, opened_store
    from astragal.table.log.store import titles

    if last != "--as" and not values:
        with opened_store(context) as store:
            yield from (title.name for title in titles(store))
    elif values and (last == "--as" or names[0] in ("do", "preview")):
        with open_seat(context, values[0]) as place:
            if last == "--as":
                yield from (seat.name for seat in place.view.state.seats.values())
            elif len(values) == 1:
                yield from place.book.commands
            else:
                yield from _fields(command_and_words(place, values[1:])[0], last, place.view)


def _of_a_game(context: Context, names: Sequence[str], values: Sequence[str], last: str) -> Iterator[str]:
    if not values:
        yield from context.games
        return
    game = context.game(values[0])
    if names[0] == "odds":
        from astragal.lab.rolls import find_roll, rolls_of

        if len(values) == 1:
            yield from rolls_of(game)
        elif last == "--vary":
            yield from (f"{name}=" for name in field_names(find_roll(game, values[1]).parameters))
        else:
            yield from _fields(find_roll(game, values[1]).parameters, last)
    elif names[0] == "tables":
        yield from game.tables
    elif names[0] == "skin" and game.skins:
        yield from game.skins.shipped()


def _fields(kind: type, last: str, view: SeatView | None = None) -> Iterator[str]:
    """Yield values for the field that the last word names; if it names none, yield every field."""
    from astragal.table.fields import definitions, shapes

    option_by_name = {f"--{field.name.replace('_', '-')}": field for field in definitions.fields_of(kind)}
    if last not in option_by_name:
        yield from option_by_name
        return
    field = option_by_name[last]
    yield from map(str, shapes.choices_in(field.shape))
    if field.type is bool:
        yield from ("yes", "no")
    if view and field.names:
        yield from (view.things(field.names) or {}).values()
