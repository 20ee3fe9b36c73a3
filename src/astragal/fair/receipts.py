"""Receipts: what a client saw, kept where the operator can't reach it.

Heads are unkeyed: who rewrites a ledger can compute all of them anew, and who cuts its tail off leaves
a ledger that is whole. Only a head that somebody kept elsewhere shows either.
"""

from collections.abc import Iterable
from typing import NamedTuple

from astragal.fair.faults import FairError, Fault
from astragal.fair.shapes import is_digest, is_number
from astragal.fair.spelling import read, spell


class Receipt(NamedTuple):
    """The number of a line, and the head of the ledger with it as the last."""

    line: int
    head: str

    def spell(self) -> bytes:
        return spell({"line": self.line, "head": self.head})


def write_receipts(receipts: Iterable[Receipt]) -> bytes:
    """A receipts file: one JSON object a line, `{"head":"…","line":12}`."""
    return b"".join(receipt.spell() + b"\n" for receipt in receipts)


def read_receipts(lines: Iterable[bytes]) -> tuple[Receipt, ...]:
    receipts = []
    for line in lines:
        fields = read(line.removesuffix(b"\n"))
        if not (is_number(fields.get("line")) and is_digest(fields.get("head"))):
            raise FairError(Fault.MALFORMED, "A receipt holds the number of a `line` and the `head` after it.")
        receipts.append(Receipt(fields["line"], fields["head"]))
    return tuple(receipts)
