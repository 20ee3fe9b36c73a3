"""Verification: read a ledger from its first line, trust nothing, and report what was checked."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from astragal.fair import facts, ledger, rules
from astragal.fair.faults import FairError, Fault
from astragal.fair.lines import FIELDS, read_line
from astragal.fair.spelling import Fields
from astragal.fair.verdict import Findings, Verdict

__all__ = ["Failure", "Report", "verify"]


@dataclass(frozen=True, slots=True)
class Failure:
    """A fault in a ledger: its line, a stable code and a sentence."""

    line: int
    code: Fault
    why: str

    @property
    def sentence(self) -> str:
        return f"Line {self.line} fails ({self.code}): {self.why}"


@dataclass(frozen=True, slots=True)
class Report:
    """Counts of what was checked, up to the end or to the first failure."""

    table: str = ""
    seeded: bool = False
    lines: int = 0
    head: str = ""
    rolls: int = 0
    paired: int = 0
    dice: int = 0
    unused: int = 0
    hidden: int = 0
    witnessed: int = 0
    opened: int = 0
    voided: int = 0
    unopened: tuple[int, ...] = ()
    rewinds: int = 0
    overrides: int = 0
    entered: int = 0
    renewed: int = 0
    gaps: int = 0
    restored: tuple[int, ...] = ()
    """Lines that declare a gap of all chains: the table went on from a copy there."""
    facts: int = 0
    facts_of_all: bool = False
    """True if every command of this ledger leaves a fact."""
    unnamed: tuple[int, ...] = ()
    """Lines of witnessed rolls whose seal named no dice, as older programs wrote them."""
    promised: tuple[tuple[int, int], ...] = ()
    """The line of each roll, and how many lines before it the chain of its dice was promised."""
    late: tuple[int, ...] = ()
    """Lines of rolls with nothing but promises between them and the promise of their dice."""
    unseals: int = 0
    uninterpreted: int = 0
    receipts: int = 0
    newer: tuple[int, ...] = ()
    """Lines after the end of this ledger that receipts tell of: it is older than they are, or its tail was cut off."""
    lost: tuple[int, ...] = ()
    """Lines after a declared gap whose receipts differ: what was seen then is lost, or was rewritten."""
    gap: int | None = None
    """The line that declared the last gap of all chains."""
    strange: tuple[str, ...] = ()
    """Other tables that receipts are of; these were not compared."""
    failure: Failure | None = None

    @property
    def sound(self) -> bool:
        return self.findings().verdict is Verdict.SOUND

    def findings(self) -> Findings:
        """The report in sentences."""
        return Findings(
            faults=() if self.failure is None else (self.failure.sentence,),
            unchecked=tuple(self._unchecked()),
            checked=tuple(self._checked()),
            notes=tuple(self._worth_knowing()),
        )

    def sentences(self) -> tuple[str, ...]:
        """The report as sentences: the verdict, then what was checked, then what people should know."""
        return tuple(self.findings().sentences(self.headline))

    @property
    def headline(self) -> str:
        """What a ledger that is sound shows, in one plain sentence."""
        seeded = ("It is a seeded table: its dice are for tests and simulation.",) if self.seeded else ()
        return " ".join((self._unchanged(), *self._hidden(), *seeded))

    def _unchanged(self) -> str:
        rolls = self.rolls + self.hidden - self.voided
        if rolls == 0:
            return "Nobody has rolled yet, and nothing was changed."
        return "Nobody changed this roll." if rolls == 1 else f"Nobody changed these {rolls} rolls."

    def _hidden(self) -> Iterator[str]:
        closed = len(self.unopened)
        if self.opened:
            were = "1 was hidden and has" if self.opened == 1 else f"{self.opened} were hidden and have"
            are = "" if closed == 0 else f"; {closed} {'is' if closed == 1 else 'are'} still closed"
            yield f"{were} been opened{are}."
        elif closed:
            yield f"{closed} {'is' if closed == 1 else 'are'} hidden and still closed."

    def _unchecked(self) -> Iterator[str]:
        if self.newer:
            yield f"sound up to line {self.lines - 1}, and you have seen later ones (line {max(self.newer)})"
        if self.lost:
            yield (
                f"your receipts of {_lines(self.lost)} differ: line {self.gap} declares a gap, and what you saw after "
                "the lines before it is lost, or was rewritten"
            )
        for table in self.strange:
            yield f"your receipts are of another table, {table}, and were not compared"

    def _checked(self) -> Iterator[str]:
        yield f"{_count(self.lines, 'line')} of the ledger of {self.table} hold, head {self.head}."
        yield f"{_count(self.rolls, 'open roll')}, {self.paired} of them paired with a player's own chain."
        yield (
            f"{_count(self.hidden, 'hidden roll')}: {self.opened} opened, {len(self.unopened)} unopened, "
            f"{self.voided} withdrawn before an answer; {self.witnessed} witnessed."
        )
        yield f"{_count(self.dice, 'die', 'dice')} of these drawn again from the links, and the same."
        if self.promised and not self.late:
            least = min(distance for _, distance in self.promised)
            yield f"The dice of each roll were promised {_count(least, 'line')} before it, or more."
        yield f"{_count(self.facts, 'fact')} and {_count(self.unseals, 'opened seal')}."
        if self.lines and not self.facts_of_all:
            yield "It was begun by an older program: not every command left a fact, so what rolls led to is not sealed."
        if self.receipts:
            yield f"{_count(self.receipts, 'receipt')} agreed with the ledger."
        elif self.failure is None and not (self.newer or self.lost or self.strange):
            yield "No receipt was given: a cut tail or a ledger rewritten as a whole would not show."

    def _worth_knowing(self) -> Iterator[str]:
        if self.unopened:
            yield f"Not opened: the hidden rolls of {_lines(self.unopened)}."
        if self.restored:
            declares = "declares a gap" if len(self.restored) == 1 else "declare gaps"
            yield (
                f"{_lines(self.restored).capitalize()} {declares}: the table was restored or imported there, or lost "
                "its dice. What happened after the copy that it goes on from is not in this ledger."
            )
        if self.unnamed:
            yield (
                f"Not proved: the witnessed rolls of {_lines(self.unnamed)}. Their seals name no dice, so that whoever "
                "runs the server could choose them after the witnesses had answered."
            )
        if self.late:
            yield (
                f"The dice of {_lines(self.late)} were promised in the call that rolled them: whoever runs the server "
                "could have tried several promises, knowing what for."
            )
        counted = {
            f"The table was rewound {_times(self.rewinds)}.": self.rewinds,
            f"The game master overrode the dice {_times(self.overrides)}.": self.overrides,
            f"{_count(self.entered, 'roll')} entered by hand: nothing proves these.": self.entered,
            f"Links were spent on no dice {_times(self.unused)}: a command was refused, or needed none.": self.unused,
            f"{_count(self.renewed, 'chain')} renewed.": self.renewed,
            f"{_count(self.gaps - len(self.restored), 'gap')} of a player's own chain declared.": self.gaps
            - len(self.restored),
            f"{_count(self.uninterpreted, 'line')} of other kinds: chained, not interpreted.": self.uninterpreted,
        }
        yield from (sentence for sentence, number in counted.items() if number)


def _count(number: int, singular: str, plural: str | None = None) -> str:
    """Put a number and its noun into words: "1 line", "2 lines"."""
    if number == 1:
        return f"1 {singular}"
    return f"{number} {plural or singular + 's'}"


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _lines(numbers: tuple[int, ...], most: int = 20) -> str:
    if len(numbers) == 1:
        return f"line {numbers[0]}"
    listed = ", ".join(str(number) for number in numbers[:most])
    if len(numbers) > most:
        listed += f" and {len(numbers) - most} more"
    return f"lines {listed}"


Progress = Callable[[int], None]
"""Callback that receives the number of lines done."""

_PROGRESS_EVERY = 1000


def verify(lines: Iterable[bytes], receipts: Iterable[ledger.Receipt] = (), progress: Progress | None = None) -> Report:
    """Verify every line and every receipt. The lines may end in a newline, as those of a file do."""
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
    """Verifier of a ledger read so far: applies the writer's rules, and checks what only a reader of all lines can."""

    def __init__(self, receipts: Iterable[ledger.Receipt]) -> None:
        self._at = 0
        self._passed = 0
        self._table = ""
        self._head = b""
        self._standing = rules.LedgerState()
        self._seals: dict[int, str] = {}
        self._unnamed: list[int] = []
        self._tips: dict[tuple[str, int], int] = {}
        """The line that promised each chain, by its source and its number of earlier chains."""
        self._restored: list[int] = []
        self._promised: list[tuple[int, int]] = []
        self._late: list[int] = []
        self._other_line = 0
        """The last line that is no promise."""
        self._counts: Counter[str] = Counter()
        self._receipts = tuple(receipts)
        self._heads: defaultdict[int, set[str]] = defaultdict(set)
        """The heads that receipts of this table have, by line."""
        self._lost: list[int] = []

    @property
    def lines(self) -> int:
        return self._standing.lines

    def take(self, line: bytes) -> None:
        self._at = self.lines
        fields = read_line(line)
        hidden_roll = self._standing.asks.get(fields["ask"]) if fields["t"] == "open" else None
        promise = self._promise_of(fields)
        rules.apply_rule(self._standing, fields)
        if promise is not None:
            self._note_promise(promise)
        if fields["t"] not in ("tip", "gap"):
            self._other_line = self._at
        if fields["t"] == "gap" and "src" not in fields:
            self._restored.append(self._at)
        if hidden_roll and hidden_roll.witnesses and not facts.read_request(fields["req"]).sides:
            self._unnamed.append(fields["ask"])
        if fields["t"] == "genesis":
            self._begin(fields["table"])
        self._head = ledger.next_head(self._head, line)
        self._check_seals(fields)
        self._check_receipts()
        self._counts.update(_counted(fields))
        if fields["t"] in ("roll", "open"):
            self._counts["dice"] += len(fields["dice"])
        self._passed += 1

    def _promise_of(self, fields: Fields) -> int | None:
        """Return the line that promised the dice of this one; None if it draws none, or from nothing promised."""
        match fields["t"]:
            case "tip":
                self._tips[fields["src"], fields.get("renew", 0)] = self._at
            case "roll" if fields["dice"] and fields["links"]:
                src = fields["links"][0][0]
                source = self._standing.sources.get(src)
                return self._tips.get((src, source.renewed)) if source else None
            case "ask" if self._standing.hidden:
                src, _ = self._standing.hidden[0]
                return self._tips.get((src, 0))
        return None

    def _note_promise(self, promise: int) -> None:
        self._promised.append((self._at, self._at - promise))
        if promise > self._other_line:
            self._late.append(self._at)

    def _begin(self, table: str) -> None:
        self._table = table
        self._head = ledger.first_head(table)
        for receipt in self._receipts:
            if receipt.table in ("", table):
                self._heads[receipt.line].add(receipt.head)

    def close(self) -> None:
        """Check that there is a first line, and that no fact is missing."""
        if self.lines == 0:
            raise FairError(Fault.NO_GENESIS, "This ledger is empty.")
        if self._standing.facts and self._standing.fact_due_for is not None:
            raise FairError(Fault.NO_FACT, f"No fact says what came of line {self._standing.fact_due_for}.")

    def report(self, error: FairError | None = None) -> Report:
        return Report(
            table=self._table,
            seeded=self._standing.seeded,
            lines=self._passed,
            head=self._head.hex(),
            facts_of_all=self._standing.facts,
            unnamed=tuple(self._unnamed),
            restored=tuple(self._restored),
            promised=tuple(self._promised),
            late=tuple(self._late),
            unopened=tuple(sorted(self._standing.asks)),
            rewinds=self._standing.rewinds,
            newer=tuple(sorted(line for line in self._heads if line >= self.lines)),
            gap=self._standing.gap,
            lost=tuple(self._lost),
            strange=tuple(sorted({receipt.table for receipt in self._receipts} - {"", self._table})),
            failure=Failure(self._at, error.code, error.why) if error else None,
            **self._counts,
        )

    def _check_seals(self, fields: Fields) -> None:
        """Check that an `unseal` opens the seal of an earlier `roll` or `fact`, once."""
        if fields["t"] in ("roll", "fact"):
            seal = fields.get("seal") or fields.get("digest")
            if seal:
                self._seals[self._at] = seal
        elif fields["t"] == "unseal":
            seal = self._seals.pop(fields["line"], None)
            if seal is None or not isinstance(fields["req"], str):
                raise FairError(Fault.NO_SEAL, f"Line {fields['line']} holds no seal that this text could open.")
            facts.check_seal(bytes.fromhex(seal), bytes.fromhex(fields["salt"]), fields["req"])

    def _check_receipts(self) -> None:
        heads = self._heads.get(self._at)
        if not heads:
            return
        if heads == {self._head.hex()}:
            self._counts["receipts"] += 1
        elif self._standing.gap is None:
            raise FairError(Fault.RECEIPT_DIFFERS, "A receipt of this line differs: what it was is not what it is.")
        else:
            self._lost.append(self._at)


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
    """The counters of the report that a line adds to."""
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
