"""State of a ledger: all that its next line depends on.

It stays small however long the ledger grows: the last link of each chain, the hidden rolls that are
promised or not yet opened, and a few counts.
"""

from collections import deque
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from astragal.fair import sources
from astragal.fair.chain import LINKS, check_link
from astragal.fair.faults import FairError, Fault


class Source(NamedTuple):
    """The present chain of a source: the last of it that is public, and how much of it is spent."""

    last: str
    spent: int = 0
    renewed: int = 0
    broken: bool = False

    @property
    def used_up(self) -> bool:
        return self.spent == LINKS


@dataclass(frozen=True, slots=True)
class Ask:
    """A hidden roll not yet opened, with the chain it took; `links` are None while witnesses are waited for.

    It is lapsed if a gap came while it waited.
    """

    cmd: str
    by: str
    seal: str
    src: str
    tip: str
    witnesses: tuple[str, ...]
    links: tuple[str, ...] | None
    lapsed: bool = False

    @property
    def answered(self) -> bool:
        return self.links is not None

    @property
    def waits(self) -> bool:
        return self.links is None and not self.lapsed


@dataclass(slots=True)
class Standing:
    """Changed in place by the rules alone; a `Ledger` gives them a copy."""

    lines: int = 0
    seeded: bool = False
    sources: dict[str, Source] = field(default_factory=dict)
    hidden: deque[tuple[str, str]] = field(default_factory=deque)
    scenes: dict[str, int] = field(default_factory=dict)
    asks: dict[int, Ask] = field(default_factory=dict)
    rewinds: int = 0
    gap: int | None = None
    facts: bool = False
    """Does every command leave a fact? Ledgers that were begun before that was so do not say it."""
    owing: int | None = None
    """The line of dice whose command has not left its fact yet."""
    recalls: bool = False
    """Is this a ledger that was checked as it was written? Then its links and dice are not computed again."""

    def copy(self) -> "Standing":
        return Standing(
            self.lines,
            self.seeded,
            self.sources.copy(),
            self.hidden.copy(),
            self.scenes.copy(),
            self.asks.copy(),
            self.rewinds,
            self.gap,
            self.facts,
            self.owing,
        )

    def owe_fact(self) -> None:
        """Dice fell, or were asked for: before any others the fact of that command comes."""
        if self.facts and self.owing is not None:
            raise FairError(Fault.NO_FACT, f"No fact says what came of line {self.owing}.")
        self.owing = self.lines

    def drawn_from(self, by: str) -> list[str]:
        """The chains that a seat's open rolls spend: the server's for it, and its own once it has one."""
        own = self.sources.get(sources.client(by))
        paired = own is not None and not own.broken
        return [sources.server(by), sources.client(by)] if paired else [sources.server(by)]

    def spend(self, src: str, link: str) -> None:
        """A link may be spent if its chain is promised, unbroken and not used up, and it is the next one."""
        source = self.usable(src)
        if not self.recalls:
            check_link(src, bytes.fromhex(link), bytes.fromhex(source.last))
        self.sources[src] = Source(link, source.spent + 1, source.renewed)

    def usable(self, src: str) -> Source:
        """The chain of a source that is ready to spend a link."""
        source = self.sources.get(src)
        if source is None:
            raise FairError(Fault.NO_TIP, f"No tip of {src} was published before this.")
        if source.broken:
            raise FairError(Fault.NOT_RENEWED, f"A gap was declared, and the chain of {src} was not renewed since.")
        if source.used_up:
            raise FairError(Fault.USED_UP, f"All {LINKS} links of {src} are spent, and its chain was not renewed.")
        return source

    def unopened(self, line: int) -> Ask:
        """The hidden roll that the line asked for, if it is not opened or withdrawn."""
        if line not in self.asks:
            raise FairError(Fault.NO_ASK, f"Line {line} is not a hidden roll that is still unopened.")
        return self.asks[line]

    def break_all(self) -> None:
        """After a restore no chain may be trusted to be where it was, and no hidden promise to be unused."""
        for src in self.sources:
            self._break(src)
        self.hidden.clear()
        self._lapse(set(self.asks))

    def break_one(self, src: str) -> None:
        """A player's program lost its chain, or lays it down."""
        if src not in self.sources:
            raise FairError(Fault.NO_TIP, f"No tip of {src} was published before this.")
        self._break(src)
        self._lapse({line for line, ask in self.asks.items() if src in ask.witnesses})

    def _break(self, src: str) -> None:
        self.sources[src] = self.sources[src]._replace(broken=True)

    def _lapse(self, lines: set[int]) -> None:
        """An unanswered ask whose witnesses' chains broke can only be withdrawn."""
        for line in lines:
            ask = self.asks[line]
            self.asks[line] = replace(ask, lapsed=not ask.answered)
