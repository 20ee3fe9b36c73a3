"""A ledger taken apart, changed and put together again, with every head computed anew."""

from collections.abc import Sequence
from typing import Any

from astragal.fair import Receipt, faces_of, first_head, key_of, next_head
from astragal.fair.spelling import read, spell

Fields = dict[str, Any]


class Pages:
    """A ledger taken apart, to be changed and put together again."""

    def __init__(self, written: Sequence[bytes]) -> None:
        self.fields: list[Fields] = [dict(read(line)) for line in written]

    def all(self, kind: str, **wanted: object) -> list[int]:
        return [
            number
            for number, fields in enumerate(self.fields)
            if fields["t"] == kind and all(fields.get(name) == value for name, value in wanted.items())
        ]

    def change(self, number: int, **changed: object) -> None:
        self.fields[number] |= changed

    def swap(self, one: int, other: int) -> None:
        self.fields[one], self.fields[other] = self.fields[other], self.fields[one]

    def drop(self, number: int) -> None:
        """Takes a line out, and makes all that point at later lines point there still."""
        del self.fields[number]
        self._renumber(number, -1)

    def insert(self, number: int, line: bytes) -> None:
        self._renumber(number, 1)
        self.fields.insert(number, dict(read(line)))

    def draw_again(self, number: int) -> None:
        """Makes the dice of a roll agree with its links."""
        fields = self.fields[number]
        links = [bytes.fromhex(link) for _, link in fields["links"]]
        fields["dice"] = faces_of(key_of(links), fields["sides"])

    def lines(self) -> list[bytes]:
        return [spell(fields) for fields in self.fields]

    def _renumber(self, start: int, by: int) -> None:
        for fields in self.fields:
            for name in ("ask", "line"):
                if fields.get(name, -1) >= start:
                    fields[name] += by


def receipts_of(table: str, written: Sequence[bytes]) -> list[Receipt]:
    """The heads that a forger computes anew."""
    head, receipts = first_head(table), []
    for number, line in enumerate(written):
        head = next_head(head, line)
        receipts.append(Receipt(number, head.hex()))
    return receipts
