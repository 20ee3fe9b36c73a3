"""`astragal completion`: what a shell needs to complete commands, tables, people and fields."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Literal

from astragal.surfaces.cli.context import Context, NoSuchGame
from astragal.surfaces.cli.errors import BadCall
from astragal.surfaces.cli.input.options import Given, Parameter, Where

if TYPE_CHECKING:
    from astragal.surfaces.cli.input.seats import Place
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
AT_A_TABLE = frozenset({"play", "do", "preview", "answer"})
OF_A_TABLE = frozenset({"show", "log", "seats", "export", "delete"})
OF_A_GAME = frozenset({"odds", "games", "tables", "demo"})


def completion(shell: Annotated[Literal["bash", "zsh", "fish"], Parameter(help="Your shell.")]) -> None:
    """Print what makes a shell complete commands, tables, people and fields.

    bash:  astragal completion bash > ~/.local/share/bash-completion/completions/astragal
    zsh:   astragal completion zsh > "${fpath[1]}/_astragal"
    fish:  astragal completion fish > ~/.config/fish/completions/astragal.fish
    """
    sys.stdout.write(SCRIPTS[shell])


def complete(
    *words: Annotated[str, Parameter(allow_leading_hyphen=True, help="The words so far, the last one begun.")],
    context: Given,
) -> None:
    """Print what could stand in the place of the last word."""
    from cyclopts import CycloptsError

    *before, begun = [_unquoted(word) for word in words] or [""]
    found: Iterable[str] = ()
    with suppress(BadCall, CycloptsError, NoSuchGame):
        found = list(_candidates(context, before, begun))
    for word in dict.fromkeys(found):
        if word.casefold().startswith(begun.casefold()):
            sys.stdout.write(word.replace(" ", "\\ ").replace("'", "\\'") + "\n")


def _unquoted(word: str) -> str:
    return word.replace("\\ ", " ").replace("\\'", "'").strip("\"'")


def _candidates(context: Context, before: Sequence[str], begun: str) -> Iterator[str]:
    from astragal.surfaces.cli.app import program

    names, apps, rest = program.parse_commands(list(before))
    said, where = _positional(rest), Where(_value_of("--db", before))
    if apps[-1].default_command is None:
        yield from (name for name in apps[-1].resolved_commands() if not name.startswith("-"))
        return
    if before[-1:] == ["--as"]:
        yield from _seats(context, where, said)
    elif names[0] in AT_A_TABLE or (names[0] == "table" and names[-1] in OF_A_TABLE):
        yield from _at_a_table(context, where, names, said, before[-1])
    elif names[0] in OF_A_GAME or names[0] in ("skin", "hero") or names == ("table", "new"):
        yield from _of_a_game(context, names, said, before[-1])
    if begun.startswith("-"):
        yield from (name for one in apps[-1].assemble_argument_collection() if one.parse for name in one.names)


def _positional(rest: Sequence[str]) -> list[str]:
    """Words that are neither options nor, where the option is one of ours, its value."""
    said, skip = [], False
    for word in rest:
        if not skip and not word.startswith("-"):
            said.append(word)
        skip = word in ("--as", "--db", "--id", "--vary", "--of", "--policy", "--goal", "--side", "--svg")
    return said


def _value_of(option: str, words: Sequence[str]) -> str | None:
    return next((value for name, value in pairwise(words) if name == option), None)


# ---------------------------------------------------------------- tables


def _at_a_table(context: Context, where: Where, names: Sequence[str], said: Sequence[str], last: str) -> Iterator[str]:
    from astragal.surfaces.cli.input.seats import opened_store, taken
    from astragal.table.log.listing import titles

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
    from astragal.surfaces.cli.input.seats import taken

    if said:
        with taken(context, where, said[0]) as place:
            yield from (seat.name for seat in place.look().seats.values())


def _fields(place: Place, command: str, last: str) -> Iterator[str]:
    from astragal.surfaces.cli.commands.do import named_command
    from astragal.table.fields.definitions import fields_of
    from astragal.table.fields.lookup import things_of

    given = fields_of(named_command(place, command))
    wanted = next((one for one in given if last == f"--{one.name.replace('_', '-')}"), None)
    if wanted is None:
        yield from (f"--{one.name.replace('_', '-')}" for one in given)
        return
    yield from _values(wanted)
    if wanted.names:
        yield from (things_of(place.look(), wanted.names) or {}).values()


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
    from astragal.surfaces.cli.input.rule_question import find_rule, parameters_of
    from astragal.table.fields.definitions import fields_of

    if len(said) == 1:
        yield from (rule.name for rule in game.rules)
        return
    given = fields_of(parameters_of(find_rule(game, said[1])))
    wanted = next((one for one in given if last == f"--{one.name.replace('_', '-')}"), None)
    if wanted is not None:
        yield from _values(wanted)
    elif last == "--vary":
        yield from (f"{one.name}=" for one in given)
    else:
        yield from (f"--{one.name.replace('_', '-')}" for one in given)
