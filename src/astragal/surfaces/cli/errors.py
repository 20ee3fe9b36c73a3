"""Errors and exit codes: a sentence for people, a number for programs."""

from enum import IntEnum
from typing import Self

from astragal.surfaces.cli.context import NoSuchGame


class Exit(IntEnum):
    """Exit codes. `astragal --help` and the documentation list them from here."""

    DONE = 0, "done"
    REFUSED = 1, "refused by the table or the rules, and nothing happened; or a hero, skin or ledger has faults"
    BAD_INPUT = 2, "the call was not understood"
    NO_STORE = 3, "the store can't be opened, read or written; from verify: sound as far as it goes"
    BROKEN = 70, "a bug in this program; --debug shows where"
    INTERRUPTED = 130, "interrupted by Ctrl-C; everything already answered is kept"

    meaning: str

    def __new__(cls, code: int, meaning: str) -> Self:
        member = int.__new__(cls, code)
        member._value_ = code
        member.meaning = meaning
        return member


class BadCall(Exception):
    """The call can't be parsed. The message says what would be valid."""


class Declined(Exception):
    """The request is refused, and nothing has happened."""


def code_of(error: Exception) -> str:
    """Return the error code for programs: a refusal's own code, else one for the kind of error."""
    from astragal.chance import ChanceError
    from astragal.table.log.store import StoreError
    from astragal.table.refusals import Refusal

    if isinstance(error, Refusal):
        return error.code
    codes: dict[type[Exception], str] = {Declined: "declined", StoreError: "no_store", ChanceError: "no_odds"}
    return next((code for kind, code in codes.items() if isinstance(error, kind)), "not_understood")


def sentence_and_code(error: Exception) -> tuple[str, Exit]:
    """The sentence for an error, and the exit code."""
    from astragal.chance import ChanceError, MissingExtra
    from astragal.chance.notation import BadNotation
    from astragal.lab.rolls import BadQuestion
    from astragal.table.log.store import StoreError
    from astragal.table.refusals import NoRoom, Refusal

    match error:
        case BadNotation() | BadCall() | NoSuchGame() | BadQuestion():
            return str(error), Exit.BAD_INPUT
        case NoRoom(__cause__=StoreError() as cause):
            return f"{error} {cause}", Exit.REFUSED
        case MissingExtra():
            from astragal.surfaces.shared.installation import how_to_install

            return f"{error} {how_to_install(error.extra)}", Exit.REFUSED
        case ChanceError() | Refusal() | Declined():
            return str(error), Exit.REFUSED
        case StoreError():
            return f"{error} astragal doctor says more.", Exit.NO_STORE
        case FileExistsError() | FileNotFoundError() | IsADirectoryError() | PermissionError():
            return f"{error.filename or error}: {(error.strerror or 'not found').lower()}.", Exit.BAD_INPUT
        case OSError():
            return f"{error}.", Exit.NO_STORE
    return f"this is a bug in astragal: {type(error).__name__}: {error}. --debug shows where.", Exit.BROKEN
