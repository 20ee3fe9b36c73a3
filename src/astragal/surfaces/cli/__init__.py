"""The command line. What a command needs is imported when it is called: a roll must not wait for the rest."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from astragal.surfaces.cli.house import House

FINE = 0
DEBUG = "--debug"
HELP = frozenset({"--help", "-h"})


def run(words: Sequence[str], house: House, others: Mapping[str, str] | None = None) -> int:
    """Do what the words after the program's name ask for; the answer is the exit code.

    `others` are commands that other surfaces bring, each by the place of its function.
    """
    debug = DEBUG in words
    words = [word for word in words if word != DEBUG]
    try:
        return _roll_at_once(words[1:]) if _is_plain_roll(words) else _read_options(words, house, others or {})
    except BrokenPipeError:
        raise
    except Exception as fault:
        if debug:
            raise
        from astragal.surfaces.cli.faults import sentence_and_code

        return complain(*sentence_and_code(fault))


def complain(sentence: str, code: int) -> int:
    sys.stdout.flush()
    sys.stderr.write(f"astragal: {sentence}\n")
    return code


def _is_plain_roll(words: Sequence[str]) -> bool:
    """The commonest command, and no option with it: nothing there for the reader of options to do."""
    return len(words) > 1 and words[0] == "roll" and not any(word.startswith("-") for word in words)


def _roll_at_once(words: Sequence[str]) -> int:
    from astragal.surfaces.cli.rolls import show_rolls

    show_rolls(" ".join(words))
    return FINE


def _read_options(words: Sequence[str], house: House, others: Mapping[str, str]) -> int:
    """Every command is given the house, where it wants it, and may answer with an exit code."""
    from astragal.surfaces.cli.program import join, program

    join(others)
    if not words or words[0] in HELP:
        from astragal.surfaces.cli.contents import contents

        contents(program, others).help_print([])
        return FINE
    command, bound, unread = program.parse_args(words, exit_on_error=False, print_error=False)
    given = {"house": house} if "house" in unread else {}
    code = command(*bound.args, **bound.kwargs, **given)
    return code if isinstance(code, int) else FINE
