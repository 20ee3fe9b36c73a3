"""Verdicts: what the check of a file found, and the three words that it ends in, each with an exit code of its own.

Every check of a file returns `Findings`: of its ledger, of its story, of the rules. `together` joins them, and the
verdict follows from what they hold:

    broken                    something fails: the first fault says where and how
    sound as far as it goes   nothing fails, and something could not be checked
    sound                     everything was checked, and nothing fails
"""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from itertools import chain
from typing import NamedTuple

__all__ = ["Findings", "Verdict", "together"]


class Verdict(StrEnum):
    """How the check of a file ends."""

    SOUND = "sound"
    BROKEN = "broken"
    SOUND_SO_FAR = "sound as far as it goes"

    @property
    def exit_code(self) -> int:
        return {Verdict.SOUND: 0, Verdict.BROKEN: 1, Verdict.SOUND_SO_FAR: 3}[self]


class Findings(NamedTuple):
    """What a check found, in sentences; those of `unchecked` are clauses without a full stop."""

    faults: tuple[str, ...] = ()
    """What fails, the first line or entry first."""
    unchecked: tuple[str, ...] = ()
    """What the file or this program lacks to be checked: "the rules were not checked, since …"."""
    checked: tuple[str, ...] = ()
    """What was checked and holds."""
    unproved: tuple[str, ...] = ()
    """What the file shows and nothing proves, in every file of its kind: sentences that a program wrote, summaries."""
    notes: tuple[str, ...] = ()
    """What people should know: rewinds, overrides, hidden rolls that are still closed."""

    @property
    def verdict(self) -> Verdict:
        if self.faults:
            return Verdict.BROKEN
        if self.unchecked:
            return Verdict.SOUND_SO_FAR
        return Verdict.SOUND

    def sentences(self, headline: str) -> Iterator[str]:
        """Yield the verdict in one plain sentence, then everything else; `headline` says it of a file that is sound."""
        match self.verdict:
            case Verdict.BROKEN:
                yield from self.faults
                yield "Apart from that:"
            case Verdict.SOUND_SO_FAR:
                yield f"Sound as far as it goes: {'; '.join(self.unchecked)}."
                yield headline
            case Verdict.SOUND:
                yield headline
        yield from self.checked
        yield from self.unproved
        yield from self.notes


def together(findings: Iterable[Findings]) -> Findings:
    """Join the findings of several checks of one file."""
    columns = zip(*findings, strict=True)
    return Findings(*(tuple(chain.from_iterable(column)) for column in columns))
