"""Report of a verification, as data and as sentences."""

from collections.abc import Iterator
from dataclasses import dataclass

from astragal.fair.faults import Fault


@dataclass(frozen=True, slots=True)
class Failure:
    """A fault in a ledger: its line, a stable code and a sentence."""

    line: int
    code: Fault
    why: str


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
    facts: int = 0
    facts_of_all: bool = False
    """Does every command of this ledger leave a fact?"""
    unnamed: tuple[int, ...] = ()
    """The lines of witnessed rolls whose seal named no dice, as older programs wrote them."""
    unseals: int = 0
    uninterpreted: int = 0
    receipts: int = 0
    failure: Failure | None = None

    @property
    def sound(self) -> bool:
        return self.failure is None

    def sentences(self) -> tuple[str, ...]:
        """The report for people: the verdict first, then what was checked, then what they should know."""
        before = ("Before that line:",) if self.failure else ()
        return (self._verdict(), *before, *self._checked(), *self._worth_knowing())

    def _verdict(self) -> str:
        if self.failure is not None:
            return f"Line {self.failure.line} fails ({self.failure.code}): {self.failure.why}"
        mark = " It is a seeded table: its dice are for tests and simulation." if self.seeded else ""
        return f"The ledger of {self.table} is sound: {_count(self.lines, 'line')}, head {self.head}.{mark}"

    def _checked(self) -> Iterator[str]:
        yield f"{_count(self.rolls, 'open roll')}, {self.paired} of them paired with a player's own chain."
        yield (
            f"{_count(self.hidden, 'hidden roll')}: {self.opened} opened, {len(self.unopened)} unopened, "
            f"{self.voided} withdrawn before an answer; {self.witnessed} witnessed."
        )
        yield f"{_count(self.dice, 'die', 'dice')} of these drawn again from the links, and the same."
        yield f"{_count(self.facts, 'fact')} and {_count(self.unseals, 'opened seal')}."
        if self.lines and not self.facts_of_all:
            yield "It was begun by an older program: not every command left a fact, so what rolls led to is not sealed."
        if self.receipts:
            yield f"{_count(self.receipts, 'receipt')} agreed with the ledger."
        elif self.sound:
            yield "No receipt was given: a cut tail or a ledger rewritten as a whole would not show."

    def _worth_knowing(self) -> Iterator[str]:
        if self.unopened:
            yield f"Not opened: the hidden rolls of {_lines(self.unopened)}."
        if self.unnamed:
            yield (
                f"Not proved: the witnessed rolls of {_lines(self.unnamed)}. Their seals name no dice, so that whoever "
                "runs the server could choose them after the witnesses had answered."
            )
        if self.rewinds:
            yield f"The table was rewound {_times(self.rewinds)}."
        if self.overrides:
            yield f"The game master overrode the dice {_times(self.overrides)}."
        if self.entered:
            yield f"{_count(self.entered, 'roll')} entered by hand: nothing proves these."
        if self.unused:
            yield f"Links were spent on no dice {_times(self.unused)}: a command was refused, or needed none."
        if self.renewed:
            yield f"{_count(self.renewed, 'chain')} renewed."
        if self.gaps:
            yield f"{_count(self.gaps, 'gap')} declared: ask what was lost there."
        if self.uninterpreted:
            yield f"{_count(self.uninterpreted, 'line')} of other kinds: chained, not interpreted."


def _count(number: int, one: str, many: str | None = None) -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _lines(numbers: tuple[int, ...], most: int = 20) -> str:
    listed = ", ".join(str(number) for number in numbers[:most])
    more = f" and {len(numbers) - most} more" if len(numbers) > most else ""
    return f"{'line' if len(numbers) == 1 else 'lines'} {listed}{more}"
