"""The command line. What a command needs is imported when it is called: a roll must not wait for the rest."""

import sys
from collections.abc import Sequence

from astragal.chance import ChanceError
from astragal.chance.notation import BadNotation

FINE, REFUSED, BAD_INPUT = 0, 1, 2
"""Exit codes."""


def run(words: Sequence[str]) -> int:
    """Do what the words after the program's name ask for; the answer is the exit code."""
    try:
        return _roll_at_once(words[1:]) if _is_plain_roll(words) else _read_options(words)
    except BadNotation as bad:
        return complain(str(bad), BAD_INPUT)
    except ChanceError as refused:
        return complain(str(refused), REFUSED)


def complain(sentence: str, code: int) -> int:
    sys.stderr.write(f"astragal: {sentence}\n")
    return code


def _is_plain_roll(words: Sequence[str]) -> bool:
    """The commonest command, and no option with it: nothing there for the reader of options to do."""
    return len(words) > 1 and words[0] == "roll" and not any(word.startswith("-") for word in words)


def _roll_at_once(words: Sequence[str]) -> int:
    from astragal.surfaces.cli.rolls import show_rolls

    show_rolls(" ".join(words))
    return FINE


def _read_options(words: Sequence[str]) -> int:
    from cyclopts import CycloptsError

    from astragal.surfaces.cli.program import program

    try:
        program(words, exit_on_error=False, print_error=False, result_action="return_value")
    except CycloptsError as bad:
        return complain(f"{bad}\nastragal --help says what there is.", BAD_INPUT)
    return FINE
