"""Errors that a store of this package raises beyond those of the protocol.

StoreError (in `astragal.table.log.store`)
├── BadStoreUrl   the words that should say where the tables are kept do not
├── NotAStore     the file is no database of this program
└── Damaged       the database itself can't be read, or a value beside the log is not what was written
"""

from astragal.table.log.store import StoreError

__all__ = ["BadStoreUrl", "Damaged", "NotAStore", "first_line"]


class BadStoreUrl(StoreError, ValueError):
    """The words that should say where the tables are kept do not."""


class NotAStore(StoreError):
    """The file is no database of this program."""


class Damaged(StoreError):
    """The database can't be read, or what it holds beside the log is not what was written."""


def first_line(error: BaseException) -> str:
    """A driver's complaint, short enough to stand in a sentence."""
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__
