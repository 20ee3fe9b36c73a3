"""Entry point of the terminal program: list its commands, dispatch a call, return the exit code."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from astragal import __version__
from astragal.surfaces.cli import errors, parser, terminal

if TYPE_CHECKING:
    from astragal.surfaces.cli.context import Context

COMMANDS: Mapping[str, str] = {
    "roll": "roll",
    "odds": "odds",
    "games": "games",
    "tables": "games:tables",
    "convert": "convert",
    "lab explore": "explore",
    "lab luck": "luck",
    "doctor": "doctor",
    "completion": "completion",
    "complete": "completion:complete",
    "demo": "demo",
    "verify": "verify",
    "table new": "new",
    "table list": "list_tables",
    "table show": "show",
    "table log": "log",
    "table recap": "recap",
    "table seats": "seats",
    "table picture": "picture",
    "table export": "export",
    "table import": "import_table",
    "table backup": "backup",
    "table restore": "restore",
    "table forget": "forget",
    "table delete": "delete",
    "do": "do",
    "preview": "do:preview",
    "answer": "do:answer",
    "play": "play",
    "hero new": "new",
    "hero random": "random",
    "hero check": "check",
    "hero show": "show",
    "hero advance": "advance",
    "skin list": "list_skins",
    "skin show": "show_skin",
    "skin check": "check_skin",
    "skin new": "new_skin",
    "skin schema": "schema",
    "skin import": "import_skins",
    "lab duel": "duel",
    "lab worth": "worth",
    "lab builds": "builds",
    "lab lint": "lint",
    "lab campaign": "lab_campaign:campaign",
}
"""Maps each command, as it is typed, to its function.

The first word of the command is the name of the module in `commands`, unless the function has one before a colon.
"""
FOR_SHELLS = "complete"
"""A command for shells only, hidden from lists of commands."""
DEBUG = "--debug"
VERSION = "--version"
JSON = "--json"
"""With this option, refusals are printed as JSON, too: `{"code": …, "sentence": …}` on standard output."""

ABOUT = """Tabletop games by the book: honest rolls, exact odds, live tables.

Try:
  astragal roll 1d20+7
  astragal odds 4d6dl1
  astragal demo
  astragal games
  astragal table new sinew_steel "The Gorge" --gm Ada --player Bo
  astragal play "The Gorge"

--debug, anywhere in a call, shows the traceback of an error. Exit codes:
0 done, 1 refused, 2 not understood, 3 no store, 70 a bug, 130 interrupted."""


def run(words: Sequence[str], context: Context, programs: Mapping[str, str]) -> int:
    """Run the command that the words after the program's name give, and return the exit code.

    `others` maps the commands of other surfaces to their functions (`module:function`).
    """
    debug = DEBUG in words
    words = [word for word in words if word != DEBUG]
    try:
        return _run(words, context, programs)
    except BrokenPipeError:
        raise
    except Exception as error:
        if debug:
            raise
        sentence, code = errors.sentence_and_code(error)
        with suppress(BrokenPipeError):  # nobody reads the refusal: the exit code still says what happened
            if JSON in words:
                kind = "bug" if code is errors.Exit.BROKEN else errors.code_of(error)
                terminal.Output().report(sentence, as_json=True, code=kind, sentence=sentence)
            sys.stdout.flush()
            sys.stderr.write(f"astragal: {terminal.harmless(sentence)}\n")
        return code


def _run(words: Sequence[str], context: Context, programs: Mapping[str, str]) -> int:
    if words[:1] == [VERSION]:
        terminal.Output().write(__version__)
        return errors.Exit.DONE
    name, arguments = find_command(words, programs)
    if name not in (*COMMANDS, *programs):
        if not arguments or arguments[0] in parser.HELP:
            terminal.Output().write(help_page(name, programs, terminal.Output().width))
            return errors.Exit.DONE
        from difflib import get_close_matches

        commands = commands_in(name, programs)
        near = get_close_matches(arguments[0], commands, n=1)
        suggestion = f" Did you mean {near[0]}?" if near else ""
        more = " ".join(["astragal", *name.split(), "--help says more."])
        raise errors.BadCall(
            f"There is no command {arguments[0]!r} here.{suggestion} There are {', '.join(commands)}.\n{more}"
        )
    command = load(name, programs)
    if parser.wants_help(command, arguments):
        terminal.Output().write(parser.help_on(command, name, terminal.Output().width))
        return errors.Exit.DONE
    return parser.parse(command, name, arguments, context)() or errors.Exit.DONE


def find_command(words: Sequence[str], programs: Mapping[str, str] | None = None) -> tuple[str, Sequence[str]]:
    """Split off the command or group that the first words name ("" for neither). Return it, and the words after it."""
    for count in (2, 1):
        name = " ".join(words[:count])
        if len(words) >= count and (name in COMMANDS or name in (programs or {}) or is_group(name)):
            return name, words[count:]
    return "", words


def is_group(name: str) -> bool:
    return any(words.startswith(f"{name} ") for words in COMMANDS)


def commands_in(group: str, programs: Mapping[str, str] | None = None) -> list[str]:
    """List the words that can follow a group's name, or the program's. Commands for shells are left out."""
    start = f"{group} " if group else ""
    names = (*COMMANDS, *(programs or {}))
    first_words = {name.removeprefix(start).partition(" ")[0] for name in names if name.startswith(start)}
    return sorted(first_words - {FOR_SHELLS})


def _place(name: str, programs: Mapping[str, str]) -> tuple[str, str]:
    """Return the module and function of a command. A group has only a module."""
    if name in programs:
        module, _, function = programs[name].partition(":")
        return module, function
    module, _, function = COMMANDS.get(name, "").rpartition(":")
    return f"{__package__}.commands.{module or name.partition(' ')[0]}", function


def load(name: str, programs: Mapping[str, str] | None = None) -> Any:
    """Import the function of a command. No other command is imported, so that a roll starts fast."""
    module, function = _place(name, programs or {})
    return getattr(import_module(module), function)


def help_page(group: str, programs: Mapping[str, str], width: int) -> str:
    """The help of the program, or of a group: its commands, with the first line of each docstring."""
    start = f"{group} " if group else ""
    listed = {word: _first_line(*_place(start + word, programs)) for word in commands_in(group, programs)}
    about = _first_line(*_place(group, programs)) if group else ABOUT
    lines = [f"Usage: astragal {start}COMMAND", "", terminal.wrapped(about, width), "", "Commands:"]
    lines += terminal.in_two_columns(listed, width)
    if not group:
        lines += [
            "",
            "Options:",
            *terminal.in_two_columns({"--help, -h": "Show this help.", VERSION: "Show the version."}, width),
        ]
    return "\n".join(lines)


def _first_line(module: str, function: str) -> str:
    """Read the first line of a docstring from the source, so that a list of commands doesn't import all of them."""
    defined = rf"^def {function}\(.*?:(?:  #[^\n]*)?\n    " if function else r"\A"
    definition = re.search(rf'{defined}"""(.+?)(?:"""|\n)', _source_of(module), re.DOTALL | re.MULTILINE)
    return definition[1] if definition else ""


@cache
def _source_of(module: str) -> str:
    from importlib.util import find_spec

    spec = find_spec(module)
    return (spec.loader.get_source(module) if spec and spec.loader else "") or ""  # type: ignore[attr-defined]
