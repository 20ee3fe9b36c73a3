"""Verification: read a ledger from its first line, believe nothing, and say what was checked."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable

from astragal.fair.faults import FairError, Fault
from astragal.fair.ledger import first_head, next_head
from astragal.fair.receipts import Receipt
from astragal.fair.report import Failure, Report
from astragal.fair.rules import obey
from astragal.fair.seal import check_seal, read_request
from astragal.fair.shapes import FIELDS, read_line
from astragal.fair.spelling import Fields
from astragal.fair.standing import Standing

Progress = Callable[[int], None]
"""Told how many lines are done."""

_PROGRESS_EVERY = 1000


def verify(lines: Iterable[bytes], receipts: Iterable[Receipt] = (), progress: Progress | None = None) -> Report:
    """Checks every line, and every receipt; the lines may end in a newline, as those of a file do."""
    reading = Reading(receipts)
    try:
        for line in lines:
            reading.take(line.removesuffix(b"\n"))
            if progress is not None and reading.lines % _PROGRESS_EVERY == 0:
                progress(reading.lines)
        reading.close()
    except FairError as error:
        return reading.report(error)
    if progress is not None:
        progress(reading.lines)
    return reading.report()


class Reading:
    """A ledger read so far: the writer's own rules, and what only a reader of the whole can check."""

    def __init__(self, receipts: Iterable[Receipt]) -> None:
        self._at = 0
        self._passed = 0
        self._table = ""
        self._head = b""
        self._standing = Standing()
        self._seals: dict[int, str] = {}
        self._unnamed: list[int] = []
        self._counts: Counter[str] = Counter()
        self._receipts: defaultdict[int, set[str]] = defaultdict(set)
        for receipt in receipts:
            self._receipts[receipt.line].add(receipt.head)

    @property
    def lines(self) -> int:
        return self._standing.lines

    def take(self, line: bytes) -> None:
        self._at = self.lines
        fields = read_line(line)
        asked = self._standing.asks.get(fields["ask"]) if fields["t"] == "open" else None
        obey(self._standing, fields)
        if asked and asked.witnesses and not read_request(fields["req"]).sides:
            self._unnamed.append(fields["ask"])
        if fields["t"] == "genesis":
            self._table = fields["table"]
            self._head = first_head(self._table)
        self._head = next_head(self._head, line)
        self._check_seals(fields)
        self._check_receipts()
        self._count(fields)
        self._passed += 1

    def close(self) -> None:
        """A ledger has a first line, and no receipt tells of a line beyond its last."""
        if self.lines == 0:
            raise FairError(Fault.NO_GENESIS, "This ledger is empty.")
        if self._standing.facts and self._standing.owing is not None:
            raise FairError(Fault.NO_FACT, f"No fact says what came of line {self._standing.owing}.")
        beyond = [line for line in self._receipts if line >= self.lines]
        if beyond:
            self._at = min(beyond)
            code = Fault.TAIL_CUT if self._standing.gap is None else Fault.RECEIPT_LOST
            raise FairError(
                code, f"A receipt tells of line {self._at}, but the ledger ends with line {self.lines - 1}."
            )

    def report(self, error: FairError | None = None) -> Report:
        return Report(
            table=self._table,
            seeded=self._standing.seeded,
            lines=self._passed,
            head=self._head.hex(),
            facts_of_all=self._standing.facts,
            unnamed=tuple(self._unnamed),
            unopened=tuple(sorted(self._standing.asks)),
            rewinds=self._standing.rewinds,
            failure=Failure(self._at, error.code, error.why) if error else None,
            **self._counts,
        )

    def _check_seals(self, fields: Fields) -> None:
        """An `unseal` opens the seal of an earlier `roll` or `fact`, once."""
        if fields["t"] in ("roll", "fact"):
            seal = fields.get("seal") or fields.get("digest")
            if seal:
                self._seals[self._at] = seal
        elif fields["t"] == "unseal":
            seal = self._seals.pop(fields["line"], None)
            if seal is None or not isinstance(fields["req"], str):
                raise FairError(Fault.NO_SEAL, f"Line {fields['line']} holds no seal that this text could open.")
            check_seal(bytes.fromhex(seal), bytes.fromhex(fields["salt"]), fields["req"])

    def _check_receipts(self) -> None:
        kept = self._receipts.get(self._at)
        if not kept:
            return
        if kept != {self._head.hex()}:
            if self._standing.gap is None:
                raise FairError(Fault.RECEIPT_DIFFERS, "A receipt of this line differs: what it was is not what it is.")
            raise FairError(
                Fault.RECEIPT_LOST,
                f"A receipt of this line differs. Line {self._standing.gap} declares a gap: what was seen after "
                "that line may be lost, or rewritten.",
            )
        self._counts["receipts"] += 1

    def _count(self, fields: Fields) -> None:
        for name in _counted(fields):
            self._counts[name] += 1
        if fields["t"] in ("roll", "open"):
            self._counts["dice"] += len(fields["dice"])


_COUNTED_AS = {
    "open": "opened",
    "void": "voided",
    "fact": "facts",
    "unseal": "unseals",
    "entered": "entered",
    "override": "overrides",
    "gap": "gaps",
}


def _counted(fields: Fields) -> Iterable[str]:
    """The counts of the report to which a line belongs."""
    kind = fields["t"]
    if kind in _COUNTED_AS:
        yield _COUNTED_AS[kind]
    elif kind not in FIELDS:
        yield "uninterpreted"
    elif kind == "roll":
        yield "rolls" if fields["dice"] else "unused"
        if fields["dice"] and len(fields["links"]) > 1:
            yield "paired"
    elif kind == "ask":
        yield "hidden"
        if fields["with"]:
            yield "witnessed"
    elif kind == "tip" and "renew" in fields:
        yield "renewed"
