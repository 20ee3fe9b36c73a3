"""What cyclopts can't make sense of, in a sentence that says what to do."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any, get_args

from cyclopts import (
    CoercionError,
    CycloptsError,
    MissingArgumentError,
    UnknownCommandError,
    UnusedCliTokensError,
)

from astragal.surfaces.cli.app import program
from astragal.surfaces.cli.command_list import FOR_SHELLS


def sentence(fault: CycloptsError) -> str:
    """The fault, and whose help says more."""
    chain = tuple(fault.command_chain or ())
    return f"{_fault_words(fault, chain)}\n{' '.join(('astragal', *chain))} --help says more."


def _fault_words(fault: CycloptsError, chain: tuple[str, ...]) -> str:
    match fault:
        case UnknownCommandError(unused_tokens=[word, *_]):
            return _no_such_command(word, chain)
        case UnusedCliTokensError(unused_tokens=[word, *_]):
            return f"{' '.join(chain)} has no use for the word {word!r}."
        case MissingArgumentError(argument=argument) if argument is not None:
            if argument.field_info.is_positional:
                return f"{' '.join(chain)} needs {argument.name.lstrip('-').upper()}."
            return f"{argument.name} needs a value."
        case CoercionError(token=token, argument=argument) if token and argument and int in _kinds(argument.hint):
            return f"{argument.name} takes a whole number, not {token.value!r}."
        case _:
            return str(fault)


def _kinds(hint: Any) -> tuple[Any, ...]:
    return (hint, *get_args(hint))


def _no_such_command(word: str, chain: tuple[str, ...]) -> str:
    listed = program[" ".join(chain)] if chain else program
    known = sorted(one for one in listed if not one.startswith("-") and one not in FOR_SHELLS)
    near = get_close_matches(word, known, n=1)
    meant = f" Did you mean {near[0]}?" if near else ""
    return f"There is no command {word!r} here.{meant} There are {', '.join(known)}."
