"""Immutable public ledger of a table: append a line, get the next ledger.

    head_{-1} = SHA256("FD1-genesis\\0" ‖ table id)
    head_s    = SHA256("FD1-head\\0" ‖ head_{s-1} ‖ line_s)

A ledger holds no lines, only the state needed to write the next one. Heads are unkeyed: someone who rewrites a ledger
can recompute all of them, and someone who cuts off its tail leaves a ledger that is consistent. Only a receipt, a head
that a client stored out of the operator's reach, reveals either.
"""

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from hashlib import sha256
from types import MappingProxyType
from typing import Any, NamedTuple

from astragal.fair.faults import FairError, Fault
from astragal.fair.lines import is_digest, is_number, read_line
from astragal.fair.rules import Ask, LedgerState, Source, apply_rule
from astragal.fair.spelling import Fields, read, spell

__all__ = ["Ledger", "Receipt", "first_head", "next_head", "read_receipts", "write_receipts"]


class Receipt(NamedTuple):
    """The number of a line, and the head of the ledger that ends with it."""

    line: int
    head: str
    table: str = ""
    """The table that it is of, where a file says so."""

    @property
    def public(self) -> dict[str, int | str]:
        """The receipt as answers and exports give it, which name their table themselves."""
        return {"line": self.line, "head": self.head}


def write_receipts(receipts: Iterable[Receipt], table: str = "") -> bytes:
    """A receipts file of a table: one JSON object a line, `{"head":"…","line":12,"table":"…"}`."""
    mark = {"table": table} if table else {}
    return b"".join(spell({**receipt.public, **mark}) + b"\n" for receipt in receipts)


def read_receipts(lines: Iterable[bytes]) -> tuple[Receipt, ...]:
    """Read a receipts file, in any spelling of JSON: one object after the other, or a list of them."""
    receipts = []
    for record in _objects_in(b"\n".join(lines)):
        receipt = Receipt(record.get("line", -1), record.get("head", ""), record.get("table", ""))
        if not (is_number(receipt.line) and is_digest(receipt.head) and isinstance(receipt.table, str)):
            raise FairError(Fault.MALFORMED, "A receipt holds the number of a `line` and the `head` after it.")
        receipts.append(receipt)
    return tuple(receipts)


_decoder = json.JSONDecoder()


def _objects_in(data: bytes) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects in a file, which may be spelled in any way and may stand in a list."""
    try:
        text = data.decode().removeprefix("\ufeff")
        if not text.strip():
            raise FairError(Fault.MALFORMED, "This holds no receipt.")
        place = 0
        while unread := text[place:].lstrip():
            value, length = _decoder.raw_decode(unread)
            place = len(text) - len(unread) + length
            objects = value if isinstance(value, list) else [value]
            if not all(isinstance(item, dict) for item in objects):
                raise FairError(Fault.MALFORMED, "A receipt is an object of JSON.")
            yield from objects
    except (ValueError, RecursionError) as error:
        raise FairError(Fault.MALFORMED, f"This is not JSON: {error}.") from error


def first_head(table: str) -> bytes:
    return sha256(b"FD1-genesis\0" + table.encode()).digest()


def next_head(head: bytes, line: bytes) -> bytes:
    return sha256(b"FD1-head\0" + head + line).digest()


@dataclass(frozen=True, slots=True)
class Ledger:
    """The public ledger of a table after its last line."""

    table: str
    head: bytes
    _standing: LedgerState

    @classmethod
    def empty(cls, table: str) -> "Ledger":
        """The ledger before its line 0, which must be the genesis of this table."""
        return cls(table, first_head(table), LedgerState())

    def append(self, line: bytes) -> "Ledger":
        """The ledger with this line, if the rules allow it; this ledger itself does not change."""
        fields = read_line(line)
        if self.lines == 0 and fields.get("table") != self.table:
            raise FairError(Fault.NO_GENESIS, f"The ledger of {self.table} begins with the genesis of that table.")
        state = self._standing.copy()
        apply_rule(state, fields)
        return Ledger(self.table, next_head(self.head, line), state)

    def recall(self, lines: Iterable[str], read: Callable[[str], Fields] = json.loads) -> "Ledger":
        """The ledger with lines that were appended and stored before, without verifying them again.

        `read` may be any JSON parser, because the spelling of these lines is known to be right.
        """
        head = self.head
        state = self._standing.copy()
        state.recalls = True
        for line in lines:
            apply_rule(state, read(line))
            head = next_head(head, line.encode())
        state.recalls = False
        return Ledger(self.table, head, state)

    def extend(self, lines: Iterable[bytes]) -> "Ledger":
        ledger = self
        for line in lines:
            ledger = ledger.append(line)
        return ledger

    @property
    def lines(self) -> int:
        """Number of lines, which is the number of the next one."""
        return self._standing.lines

    @property
    def receipt(self) -> Receipt:
        """The receipt of the last line, for a client to keep."""
        return Receipt(self.lines - 1, self.head.hex())

    @property
    def seeded(self) -> bool:
        """True for a table for tests and simulation, whose dice anyone could know."""
        return self._standing.seeded

    @property
    def rewinds(self) -> int:
        return self._standing.rewinds

    @property
    def gap(self) -> int | None:
        """The line that declared the last gap of all chains."""
        return self._standing.gap

    @property
    def sources(self) -> Mapping[str, Source]:
        return MappingProxyType(self._standing.sources)

    @property
    def asks(self) -> Mapping[int, Ask]:
        """Hidden rolls that are not yet opened, by the line that asked."""
        return MappingProxyType(self._standing.asks)

    @property
    def hidden_left(self) -> tuple[str, ...]:
        """Hidden chains that are promised and not yet taken: the next ask takes the first."""
        return tuple(src for src, _ in self._standing.hidden)

    @property
    def to_renew(self) -> tuple[str, ...]:
        """Chains that are broken by a gap, used up or about to be. Renew them before they are needed."""
        return tuple(src for src, source in self.sources.items() if source.may_renew)

    def next_hidden_number(self, scene: str) -> int:
        """The k of the scene's next hidden tip."""
        return self._standing.scenes.get(scene, 0) + 1

    def drawn_from(self, by: str) -> tuple[str, ...]:
        """The sources whose next links a roll by this seat spends, in the order in which they enter the key."""
        return tuple(self._standing.drawn_from(by))

    def check_usable(self, src: str) -> None:
        """Refuse a source whose chain is not promised, is broken by a gap, or is used up."""
        self._standing.usable(src)

    def spent(self, src: str) -> int:
        """Number of spent links of the source's current chain."""
        return self._standing.usable(src).spent

    def to_json(self) -> bytes:
        """Serialize the ledger. A ledger read back with `from_json` writes the same next line."""
        state = self._standing
        stored = {field.name: getattr(state, field.name) for field in fields(state) if field.name != "recalls"}
        stored["hidden"] = tuple(state.hidden)
        stored["sources"] = {src: source._asdict() for src, source in state.sources.items()}
        stored["asks"] = {str(line): asdict(ask) for line, ask in state.asks.items()}
        return spell({"table": self.table, "head": self.head.hex(), **stored})

    @classmethod
    def from_json(cls, data: bytes) -> "Ledger":
        """The ledger that was serialized as `to_json` gave it."""
        stored = dict(read(data))
        table = stored.pop("table")
        head = bytes.fromhex(stored.pop("head"))
        state = LedgerState(**stored)
        state.sources = {src: Source(**source) for src, source in stored["sources"].items()}
        state.hidden = deque((src, tip) for src, tip in stored["hidden"])
        state.asks = {}
        for line, ask in stored["asks"].items():
            links = None if ask["links"] is None else tuple(ask["links"])
            state.asks[int(line)] = Ask(**(ask | {"witnesses": tuple(ask["witnesses"]), "links": links}))
        return cls(table, head, state)
