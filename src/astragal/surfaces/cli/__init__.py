"""The command line. What a command needs is imported when it is called: a roll must not wait for the rest."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from astragal.surfaces.cli.context import Context

FINE = 0
DEBUG = "--debug"
HELP = frozenset({"--help", "-h"})


def run(words: Sequence[str], context: Context, others: Mapping[str, str] | None = None) -> int:
    """Do what the words after the program's name ask for; the answer is the exit code.

    `others` are commands that other surfaces bring, each by the place of its function.
    """
    debug = DEBUG in words
    words = [word for word in words if word != DEBUG]
    try:
        return _call(words, context, others or {})
    except BrokenPipeError:
        raise
    except Exception as fault:
        if debug:
            raise
        from astragal.surfaces.cli.errors import sentence_and_code

        return complain(*sentence_and_code(fault))


def complain(sentence: str, code: int) -> int:
    sys.stdout.flush()
    sys.stderr.write(f"astragal: {sentence}\n")
    return code


def _call(words: Sequence[str], context: Context, others: Mapping[str, str]) -> int:
    """A command may answer with an exit code."""
    from astragal.surfaces.cli.input.plain_calls import plain_call

    called = plain_call(words, context) or _read_options(words, context, others)
    code = called()
    return code if isinstance(code, int) else FINE


def _read_options(words: Sequence[str], context: Context, others: Mapping[str, str]) -> Callable[[], Any]:
    """Every command is given the context, where it wants it."""
    from astragal.surfaces.cli.app import join, load_all, program
    from astragal.surfaces.cli.command_list import GROUPS

    join(others)
    if not words or words[0] in HELP:
        from astragal.surfaces.cli.contents import contents

        return partial(contents(program, others).help_print, [])
    if words[0] in GROUPS and set(words[1:]) <= HELP:
        load_all(program[words[0]])
    command, bound, unread = program.parse_args(words, exit_on_error=False, print_error=False)
    given = {"context": context} if "context" in unread else {}
    return partial(command, *bound.args, **bound.kwargs, **given)
