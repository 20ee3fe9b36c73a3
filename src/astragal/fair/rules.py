"""Rules of the ledger: its state, and which line may follow, one rule for each kind of line.

A rule looks at the state of the ledger and at the fields of the next line. It raises a `FairError`, or updates the
state that later lines depend on, which stays small however long the ledger grows. Writers and verifiers of a ledger use
the same rules.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from astragal.fair import sources
from astragal.fair.chain import LINKS, RENEWED_WITHIN, check_link, faces_of, key_of, link_after
from astragal.fair.facts import check_seal, read_request
from astragal.fair.faults import FairError, Fault
from astragal.fair.lines import VERSION, are_sides
from astragal.fair.spelling import Fields

__all__ = ["Ask", "Source"]


class Source(NamedTuple):
    """The current chain of a source: its last public value, and how much of it is spent."""

    last: str
    spent: int = 0
    renewed: int = 0
    broken: bool = False
    successor: str = ""
    """The tip of the chain that follows this one, once it is promised."""

    @property
    def used_up(self) -> bool:
        return self.spent == LINKS

    @property
    def may_renew(self) -> bool:
        """True if its next chain may be promised now: it is broken, used up or about to be, and has no successor."""
        return self.broken or (LINKS - self.spent <= RENEWED_WITHIN and not self.successor)

    def spend(self, link: str) -> "Source":
        """The source after its next link. The successor of a chain follows its last link."""
        source = self._replace(last=link, spent=self.spent + 1)
        if source.used_up and source.successor:
            return Source(source.successor, renewed=source.renewed + 1)
        return source

    def break_off(self) -> "Source":
        """The source after a gap. The promise of a successor is void as well, and counts as an earlier chain."""
        earlier_chains = self.renewed + 1 if self.successor else self.renewed
        return self._replace(broken=True, renewed=earlier_chains, successor="")


@dataclass(frozen=True, slots=True)
class Ask:
    """A hidden roll not yet opened, with the chain it took; `links` is None while it waits for witnesses.

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
class LedgerState:
    """Mutable state of a ledger. Only the rules change it; a `Ledger` gives them a copy."""

    lines: int = 0
    seeded: bool = False
    sources: dict[str, Source] = field(default_factory=dict)
    hidden: deque[tuple[str, str]] = field(default_factory=deque)
    scenes: dict[str, int] = field(default_factory=dict)
    asks: dict[int, Ask] = field(default_factory=dict)
    rewinds: int = 0
    gap: int | None = None
    facts: bool = False
    """True if every command leaves a fact. Ledgers that are older than this rule lack the mark."""
    fact_due_for: int | None = None
    """The line of dice whose command has not left its fact yet."""
    recalls: bool = False
    """True for lines that were checked when they were written: their links and dice are not calculated again."""

    def copy(self) -> "LedgerState":
        return LedgerState(
            self.lines,
            self.seeded,
            self.sources.copy(),
            self.hidden.copy(),
            self.scenes.copy(),
            self.asks.copy(),
            self.rewinds,
            self.gap,
            self.facts,
            self.fact_due_for,
        )

    def require_fact(self) -> None:
        """Record that dice fell, or were asked for: the fact of their command must come before any other dice."""
        if self.facts and self.fact_due_for is not None:
            raise FairError(Fault.NO_FACT, f"No fact says what came of line {self.fact_due_for}.")
        self.fact_due_for = self.lines

    def drawn_from(self, by: str) -> list[str]:
        """The chains that a seat's open rolls spend: the server's chain for it, and the seat's own if it has one."""
        client_chain = self.sources.get(sources.client(by))
        is_paired = client_chain is not None and not client_chain.broken
        return [sources.server(by), sources.client(by)] if is_paired else [sources.server(by)]

    def spend(self, src: str, link: str) -> None:
        """Spend a link, if it is the next one of its chain and the chain is promised, unbroken and not used up."""
        source = self.usable(src)
        if not self.recalls:
            check_link(src, bytes.fromhex(link), bytes.fromhex(source.last))
        self.sources[src] = source.spend(link)

    def usable(self, src: str) -> Source:
        """The chain of a source that is ready to spend a link; raises if there is none."""
        source = self.sources.get(src)
        if source is None:
            raise FairError(Fault.NO_TIP, f"No tip of {src} was published before this.")
        if source.broken:
            raise FairError(Fault.NOT_RENEWED, f"A gap was declared, and the chain of {src} was not renewed since.")
        if source.used_up:
            raise FairError(Fault.USED_UP, f"All {LINKS} links of {src} are spent, and its chain was not renewed.")
        return source

    def unopened(self, line: int) -> Ask:
        """The hidden roll that the line asked for, unless it was opened or withdrawn."""
        if line not in self.asks:
            raise FairError(Fault.NO_ASK, f"Line {line} is not a hidden roll that is still unopened.")
        return self.asks[line]


Rule = Callable[[LedgerState, Fields], None]


def apply_rule(state: LedgerState, fields: Fields) -> None:
    """Apply a line. Line 0 is the genesis; then each kind has its rule, and other kinds are not interpreted."""
    kind = fields["t"]
    if state.lines == 0 and kind != "genesis":
        raise FairError(Fault.NO_GENESIS, "A ledger begins with a line `genesis`.")
    rule = RULES.get(kind)
    if rule is not None:
        rule(state, fields)
    state.lines += 1


def genesis(state: LedgerState, fields: Fields) -> None:
    if state.lines != 0:
        raise FairError(Fault.SECOND_GENESIS, "A ledger begins once; this is a second `genesis`.")
    if fields["v"] != VERSION:
        raise FairError(Fault.NO_GENESIS, f"This ledger speaks {fields['v']!r:.40}, not {VERSION}.")
    state.seeded = "seeded" in fields
    state.facts = "facts" in fields


def tip(state: LedgerState, fields: Fields) -> None:
    """A first tip has no condition; a further one has `renew`, and comes with the last few links or after a gap."""
    src = fields["src"]
    place = sources.place_of(src)
    if place:
        _promise_hidden(state, place, fields)
        return
    chain = state.sources.get(src)
    renew = fields.get("renew")
    if chain is None:
        _must_count(renew, None, src)
        state.sources[src] = Source(fields["tip"])
        return
    if renew is None:
        raise FairError(Fault.RE_SEEDED, f"{src} has a chain already; a new one must say that it is a renewal.")
    if not chain.may_renew:
        if chain.successor:
            why = "its successor is promised"
        else:
            why = f"{chain.spent} links are spent, and there is no gap"
        raise FairError(Fault.RENEWED_EARLY, f"The chain of {src} was renewed too early: {why}.")
    _must_count(renew, chain.renewed + 1, src)
    if chain.used_up or chain.broken:
        state.sources[src] = Source(fields["tip"], renewed=chain.renewed + 1)
    else:
        state.sources[src] = chain._replace(successor=fields["tip"])


def roll(state: LedgerState, fields: Fields) -> None:
    """All dice come from the chains of the roller; neither the chain nor pairing can be chosen."""
    by = fields["by"]
    links = fields["links"]
    due_sources = state.drawn_from(by)
    link_sources = [src for src, _ in links]
    if link_sources != due_sources:
        code = Fault.UNPAIRED if link_sources == due_sources[:1] else Fault.WRONG_CHAIN
        raise FairError(code, f"A roll by {by} is drawn from {_listed(due_sources)}, not from {_listed(link_sources)}.")
    for src, link in links:
        state.spend(src, link)
    _check_dice(state, fields, [link for _, link in links])
    if fields["dice"]:
        state.require_fact()


def ask(state: LedgerState, fields: Fields) -> None:
    """A hidden roll takes the next hidden chain in the order of their tips, so that none can be chosen later."""
    by = fields["by"]
    witnesses = tuple(fields["with"])
    if sources.witness(by) in witnesses:
        raise FairError(Fault.WRONG_WITNESS, f"{by} can not be the witness of a roll by {by}.")
    for src in witnesses:
        state.usable(src)
    if not state.hidden:
        raise FairError(Fault.NO_HIDDEN_TIP, "No tip of a hidden roll is left: they are published before the ask.")
    src, tip_of_chain = state.hidden.popleft()
    links = None if witnesses else ()
    state.require_fact()
    state.asks[state.lines] = Ask(fields["cmd"], by, fields["seal"], src, tip_of_chain, witnesses, links)


def answer(state: LedgerState, fields: Fields) -> None:
    """Exactly the named witnesses answer, once."""
    waiting = state.unopened(fields["ask"])
    links = fields["links"]
    if waiting.answered:
        raise FairError(Fault.ANSWERED, f"The hidden roll of line {fields['ask']} is answered already.")
    if waiting.lapsed:
        raise FairError(Fault.LAPSED, f"A gap came after the ask of line {fields['ask']}: it can only be withdrawn.")
    answering = tuple(src for src, _ in links)
    if answering != waiting.witnesses:
        raise FairError(
            Fault.WRONG_WITNESS,
            f"Line {fields['ask']} named {_listed(waiting.witnesses)}, but {_listed(answering)} answered.",
        )
    for src, link in links:
        state.spend(src, link)
    state.require_fact()
    state.asks[fields["ask"]] = replace(waiting, links=tuple(link for _, link in links))


def void(state: LedgerState, fields: Fields) -> None:
    """Only an unanswered ask can be withdrawn; one that names no witness is decided when it is written."""
    if state.unopened(fields["ask"]).answered:
        raise FairError(
            Fault.ANSWERED, f"The hidden roll of line {fields['ask']} was decided: it can be opened or kept, not void."
        )
    del state.asks[fields["ask"]]


def open_(state: LedgerState, fields: Fields) -> None:
    """Open a seal: the text that was sealed, the link that was promised, and the dice that follow from both."""
    hidden_roll = state.unopened(fields["ask"])
    if hidden_roll.links is None:
        raise FairError(Fault.UNANSWERED, f"The witnesses of line {fields['ask']} did not answer.")
    if not isinstance(fields["req"], str):
        raise FairError(Fault.BAD_FIELD, "What a seal held is shown as the very text that was sealed.")
    check_seal(bytes.fromhex(hidden_roll.seal), bytes.fromhex(fields["salt"]), fields["req"])
    sealed = read_request(fields["req"]).sides
    if state.facts and hidden_roll.witnesses and not sealed:
        raise FairError(
            Fault.NO_DICE_SEALED, f"The seal of line {fields['ask']} names no dice: they could be chosen afterwards."
        )
    if not are_sides(list(sealed)) or tuple(fields["sides"][: len(sealed)]) != sealed:
        raise FairError(Fault.SIDES_DIFFER, f"The dice sealed were {list(sealed)}, those opened are {fields['sides']}.")
    if link_after(hidden_roll.src, bytes.fromhex(fields["link"])).hex() != hidden_roll.tip:
        raise FairError(
            Fault.LINK_FOREIGN,
            f"The hidden roll of line {fields['ask']} was promised {hidden_roll.src}: this is not its link.",
        )
    _check_dice(state, fields, [fields["link"], *hidden_roll.links])
    del state.asks[fields["ask"]]


def fact(state: LedgerState, _: Fields) -> None:
    """Everything that a command told: its dice and what came of them."""
    state.fact_due_for = None


def rewind(state: LedgerState, fields: Fields) -> None:
    """Rewinds are public, and numbered 1, 2, 3, …"""
    if fields["n"] != state.rewinds + 1:
        raise FairError(
            Fault.REWIND_COUNT, f"This is rewind {state.rewinds + 1} of the table, but it says {fields['n']}."
        )
    state.rewinds += 1


def check_reference(state: LedgerState, fields: Fields) -> None:
    """An `unseal` or an `override` refers to an earlier line."""
    if fields["line"] >= state.lines:
        raise FairError(Fault.NO_LINE, f"Line {fields['line']} does not come before line {state.lines}.")


def gap(state: LedgerState, fields: Fields) -> None:
    """Break all chains, to be renewed before their next use; or the one that a player's program lost or gives up.

    After a restore, no chain can be trusted to be where it was, and no hidden promise to be unused. An unanswered ask
    whose witnesses' chains broke can only be withdrawn.
    """
    src = fields.get("src")
    if src is None:
        broken_sources = list(state.sources)
        lapsed_lines = list(state.asks)
        state.hidden.clear()
        state.gap = state.lines
    elif not sources.is_client_source(src):
        raise FairError(Fault.BAD_SOURCE, f"The server can not lose {src} alone: its gap is one of all chains.")
    elif src not in state.sources:
        raise FairError(Fault.NO_TIP, f"No tip of {src} was published before this.")
    else:
        broken_sources = [src]
        lapsed_lines = [line for line, hidden_roll in state.asks.items() if src in hidden_roll.witnesses]
    for broken_source in broken_sources:
        state.sources[broken_source] = state.sources[broken_source].break_off()
    for line in lapsed_lines:
        state.asks[line] = replace(state.asks[line], lapsed=not state.asks[line].answered)


def _promise_hidden(state: LedgerState, place: sources.Hidden, fields: Fields) -> None:
    """The tips of a scene come in the order of k, without gaps, and are never renewed."""
    due = state.scenes.get(place.scene, 0) + 1
    if place.k != due or "renew" in fields:
        raise FairError(
            Fault.HIDDEN_ORDER,
            f"The next hidden tip of the scene {place.scene} is number {due}, not {place.k}, and new.",
        )
    state.scenes[place.scene] = due
    state.hidden.append((fields["src"], fields["tip"]))


def _must_count(renew: int | None, due: int | None, src: str) -> None:
    if renew != due:
        raise FairError(Fault.RENEW_COUNT, f"This should be renewal {due or 0} of {src}, but it says {renew or 0}.")


def _check_dice(state: LedgerState, fields: Fields, links: list[str]) -> None:
    """The dice follow from the links and from nothing else."""
    if state.recalls:
        return
    key = key_of([bytes.fromhex(link) for link in links])
    faces = faces_of(key, fields["sides"])
    if fields["dice"] != faces:
        raise FairError(Fault.DICE_DIFFER, f"The links give {faces}, but the line says {fields['dice']}.")


def _listed(names: Sequence[str]) -> str:
    return " and ".join(names) or "nothing"


RULES: Mapping[str, Rule] = {
    "genesis": genesis,
    "tip": tip,
    "roll": roll,
    "ask": ask,
    "answer": answer,
    "void": void,
    "open": open_,
    "fact": fact,
    "rewind": rewind,
    "unseal": check_reference,
    "override": check_reference,
    "gap": gap,
}
