"""How a call can end, for people in one sentence, for programs in one number."""

from __future__ import annotations

from enum import IntEnum
from typing import Self

from astragal.surfaces.cli.context import NoSuchGame


class Exit(IntEnum):
    """Exit codes. `astragal --help` and the documentation list them from here."""

    FINE = 0, "it was done"
    REFUSED = 1, "the table or the rules say no: nothing has happened; a hero, skin or ledger is not in order"
    BAD_INPUT = 2, "the call can't be understood"
    NO_STORE = 3, "the store can't be opened, read or written"
    BROKEN = 70, "a fault of this program; --debug shows where"
    INTERRUPTED = 130, "interrupted by Ctrl-C; whatever was answered is kept"

    meaning: str

    def __new__(cls, code: int, meaning: str) -> Self:
        made = int.__new__(cls, code)
        made._value_ = code
        made.meaning = meaning
        return made


class BadCall(Exception):
    """What was typed can't be understood; the sentence says what could be."""


class Declined(Exception):
    """What was asked for can't be, and nothing has happened."""


def sentence_and_code(fault: Exception) -> tuple[str, Exit]:
    """What to say of a fault, and the code to end with."""
    from astragal.chance import ChanceError
    from astragal.chance.notation import BadNotation
    from astragal.table.log.store import StoreError
    from astragal.table.refusals import Refusal

    match fault:
        case BadNotation() | BadCall() | NoSuchGame():
            return str(fault), Exit.BAD_INPUT
        case ChanceError() | Refusal() | Declined():
            return str(fault), Exit.REFUSED
        case StoreError():
            return f"{fault} astragal doctor says more.", Exit.NO_STORE
        case FileExistsError() | FileNotFoundError() | IsADirectoryError() | PermissionError():
            return f"{fault.filename or fault}: {(fault.strerror or 'it is not there').lower()}.", Exit.BAD_INPUT
        case OSError():
            return f"{fault}.", Exit.NO_STORE
    from cyclopts import CycloptsError

    if isinstance(fault, CycloptsError):
        from astragal.surfaces.cli.input.misread import sentence

        return sentence(fault), Exit.BAD_INPUT
    kind = type(fault).__name__
    return f"this program is at fault, and nothing of yours: {kind}: {fault}. --debug shows where.", Exit.BROKEN
