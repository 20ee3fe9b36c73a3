"""`astragal completion`: scripts by which shells complete; `astragal complete`, which they call for the candidates."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Literal

from astragal.surfaces.cli.app import COMMANDS, commands_in, find_command, load
from astragal.surfaces.cli.context import Context, NoSuchGame
from astragal.surfaces.cli.errors import BadCall
from astragal.surfaces.cli.parser import AsJson, Parameter, Where, arguments_of
from astragal.surfaces.cli.terminal import Paper

if TYPE_CHECKING:
    from astragal.surfaces.cli.seats import Place
    from astragal.table.authoring.ruleset import Ruleset
    from astragal.table.fields.definitions import Field

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
    Paper().report(SCRIPTS[shell].removesuffix("\n"), as_json=json, shell=shell, script=SCRIPTS[shell])


# ---------------------------------------------------------------- candidates


AT_A_TABLE = frozenset({"play", "do", "preview", "answer"})
OF_A_TABLE = frozenset({"show", "log", "seats", "export", "delete"})
OF_A_GAME = frozenset({"odds", "games", "tables", "demo"})


def complete(
    *words: Annotated[str, Parameter("The words so far, the last one begun.", fields=True)], context: Context
) -> None:
    """Print what could stand in the place of the last word."""
    *before, begun = [word.replace("\\ ", " ").replace("\\'", "'").strip("\"'") for word in words] or [""]
    found: list[str] = []
    with suppress(BadCall, NoSuchGame):
        found = list(_candidates(context, before, begun))
    for word in dict.fromkeys(found):
        if word.casefold().startswith(begun.casefold()):
            sys.stdout.write(word.replace(" ", "\\ ").replace("'", "\\'") + "\n")


def _candidates(context: Context, before: Sequence[str], begun: str) -> Iterator[str]:
    command, rest = find_command(before)
    if command not in COMMANDS:
        yield from commands_in(command) if not rest else ()
        return
    options = [one for one in arguments_of(load(command)) if one.is_option]
    with_value = {one.typed for one in options if one.takes_value}
    said = [word for last, word in pairwise(("", *rest)) if last not in with_value and not word.startswith("-")]
    names = command.split()
    where = Where(next((value for name, value in pairwise(before) if name == "--db"), None))
    if before[-1:] == ["--as"]:
        yield from _seats(context, where, said)
    elif names[0] in AT_A_TABLE or (names[0] == "table" and names[-1] in OF_A_TABLE):
        yield from _at_a_table(context, where, names, said, before[-1])
    elif names[0] in OF_A_GAME or names[0] in ("skin", "hero") or command == "table new":
        yield from _of_a_game(context, names, said, before[-1])
    if begun.startswith("-"):
        yield from (one.typed for one in options)


# ---------------------------------------------------------------- tables


def _at_a_table(context: Context, where: Where, names: Sequence[str], said: Sequence[str], last: str) -> Iterator[str]:
    from astragal.surfaces.cli.seats import opened_store, taken
    from astragal.table.log.store import titles

    if not said:
        with opened_store(context, where) as store:
            yield from (one.name for one in titles(store))
        return
    if names[0] not in ("do", "preview"):
        return
    with taken(context, where, said[0]) as place:
        if len(said) == 1:
            yield from place.book.commands
        else:
            yield from _fields(place, said[1], last)


def _seats(context: Context, where: Where, said: Sequence[str]) -> Iterator[str]:
    from astragal.surfaces.cli.seats import taken

    if said:
        with taken(context, where, said[0]) as place:
            yield from (seat.name for seat in place.look().seats.values())


def _fields(place: Place, command: str, last: str) -> Iterator[str]:
    from astragal.surfaces.cli.commands.do import named_command
    from astragal.table.fields.definitions import fields_of

    given = fields_of(named_command(place, command))
    wanted = next((one for one in given if last == f"--{one.name.replace('_', '-')}"), None)
    if wanted is None:
        yield from (f"--{one.name.replace('_', '-')}" for one in given)
        return
    yield from _values(wanted)
    if wanted.names:
        yield from (place.view.things(wanted.names) or {}).values()


def _values(field: Field) -> Iterator[str]:
    from astragal.table.fields.shapes import choices_in

    yield from map(str, choices_in(field.shape))
    if field.type is bool:
        yield from ("yes", "no")


# ---------------------------------------------------------------- games


def _of_a_game(context: Context, names: Sequence[str], said: Sequence[str], last: str) -> Iterator[str]:
    if not said:
        yield from context.games
        return
    game = context.game(said[0])
    if names[0] == "odds":
        yield from _rule(game, said, last)
    elif names[0] == "tables":
        yield from game.tables
    elif names[0] == "skin" and game.skins:
        yield from game.skins.shipped()


def _rule(game: Ruleset, said: Sequence[str], last: str) -> Iterator[str]:
    from astragal.lab.reading import find_roll, rolls_of
    from astragal.table.fields.definitions import fields_of

    if len(said) == 1:
        yield from rolls_of(game)
        return
    given = fields_of(find_roll(game, said[1]).parameters)
    wanted = next((one for one in given if last == f"--{one.name.replace('_', '-')}"), None)
    if wanted is not None:
        yield from _values(wanted)
    elif last == "--vary":
        yield from (f"{one.name}=" for one in given)
    else:
        yield from (f"--{one.name.replace('_', '-')}" for one in given)
