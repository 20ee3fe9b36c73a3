"""Where a table's dice come from: the chains of FD1, one link a deed, drawn when the first die is asked for.

A drawing belongs to one attempt at one command. Nothing of it is kept unless the command is; so a command that is
killed, retried or beaten in a race gets the same link, and the same dice, again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from astragal.chance import Pause
from astragal.fair import Chain, FairDice, FairError, Ledger, check_link, hidden_chain, key_of, lines, new_seed, sources

from .declarations import Sight
from .refusals import Refusal

HIDDEN_AT_ONCE = 8
"""So many hidden rolls are promised together, so that their tips tell nothing of when they are used."""

Link = tuple[str, bytes]


@dataclass(frozen=True)
class Witnesses:
    """What a witnessed roll waits for before its first die: a link of each of these."""

    sources: tuple[str, ...]


class LinkNeeded(Refusal):
    """This seat's rolls are paired: each command that rolls carries a link of the seat's own chain."""

    code = "link_needed"


class Chains:
    """The server's chains of one table, made from their seeds when they are needed."""

    def __init__(self, seeds: Mapping[str, bytes], entropy: Callable[[int], bytes], *, seeded_by: str | None) -> None:
        self._seeds = dict(seeds)
        self._entropy, self._seeded_by = entropy, seeded_by
        self._chains: dict[str, Chain] = {}

    def name(self, src: str, renewed: int) -> str:
        return f"chain/{src}/{renewed}"

    def has(self, src: str, renewed: int) -> bool:
        return self.name(src, renewed) in self._seeds

    def find(self, src: str, renewed: int = 0) -> Chain:
        name = self.name(src, renewed)
        if name not in self._chains:
            place = sources.place_of(src)
            seed = self._seeds[name]
            self._chains[name] = hidden_chain(place.scene, place.k, seed) if place else Chain(src, seed)
        return self._chains[name]

    def new_seed(self, src: str, renewed: int) -> bytes:
        """A seed for a chain; at a table that is marked as seeded, one that anyone can know."""
        if self._seeded_by is None:
            return new_seed(self._entropy)
        return sha256(f"seeded {self._seeded_by} {src} {renewed}".encode()).digest()

    def keep(self, seeds: Mapping[str, bytes]) -> None:
        self._seeds.update(seeds)


@dataclass
class Drawing:
    """The dice of one deed, and what has to be written down about them."""

    chains: Chains
    ledger: Ledger
    by: str
    """Who rolls, as the ledger names seats: `gm` or the seat."""
    sight: Sight
    scene: str
    link: bytes | None = None
    """The link that a paired seat sent with its command."""
    witnesses: tuple[str, ...] = ()
    """Whose links a hidden roll waits for."""
    witnessed: tuple[bytes, ...] | None = None
    """Their links, once they are in."""
    tips: list[bytes] = field(default_factory=list)
    seeds: dict[str, bytes] = field(default_factory=dict)
    links: list[Link] = field(default_factory=list)
    fair: FairDice | None = None

    @property
    def source(self) -> str:
        return "fair" if self.fair is None else self.fair.source

    def face(self, sides: int) -> int:
        if self.fair is None:
            self.fair = self._begin()
        return self.fair.face(sides)

    @property
    def is_paired(self) -> bool:
        return sources.client(self.by) in self.ledger.drawn_from(self.by)

    def _check_link(self) -> None:
        """Before anything is drawn: a paired seat sends the next link of its chain, and nobody else sends any."""
        if self.is_paired and self.link is None:
            raise LinkNeeded("Your rolls are paired: send the next link of your chain with the command.")
        if not self.is_paired and self.link is not None:
            raise LinkNeeded("Your rolls are not paired: promise a chain before you send links.")
        if self.link is not None:
            src = sources.client(self.by)
            try:
                check_link(src, self.link, bytes.fromhex(self.ledger.sources[src].last))
            except FairError as fault:
                raise LinkNeeded(str(fault)) from fault

    def spend_unused(self) -> None:
        """A link once sent is spent, dice or no dice."""
        if self.fair is None and self.link is not None and self.is_paired:
            self.fair = self._open_dice()

    def _begin(self) -> FairDice:
        return self._open_dice() if self.sight is Sight.OPEN else self._hidden_dice()

    def _open_dice(self) -> FairDice:
        self._check_link()
        src = sources.server(self.by)
        chain = self._promised(src)
        self.links = [(src, chain.spend(self.ledger.spent(src) + 1))]
        if self.link is not None:
            self.links.append((sources.client(self.by), self.link))
        return self._dice([link for _, link in self.links])

    def _hidden_dice(self) -> FairDice:
        """The next hidden chain that was promised, with the witnesses' links where there are witnesses."""
        if self.witnesses and self.witnessed is None:
            self.promise_hidden()
            raise Pause(Witnesses(self.witnesses))
        if self.witnessed is None:
            self.promise_hidden()
            src = self.ledger.hidden_left[0]
        else:
            src = next(ask.src for ask in self.ledger.asks.values() if ask.waits and ask.witnesses == self.witnesses)
        link = self.chains.find(src).spend(1)
        return self._dice([link, *(self.witnessed or ())])

    def promise_open(self) -> None:
        """The server's chain is promised before a player's is paired with it, so that neither can follow the other."""
        self._promised(sources.server(self.by))

    def promise_hidden(self) -> None:
        """Publish the tips of further hidden rolls when none is left."""
        if self.ledger.hidden_left:
            return
        first = self.ledger.next_hidden_number(self.scene)
        for k in range(first, first + HIDDEN_AT_ONCE):
            src = sources.hidden(self.scene, k)
            self._publish(src, 0, self.chains.new_seed(src, 0))

    def _promised(self, src: str) -> Chain:
        """The chain of a source, its tip published before its first use."""
        known = self.ledger.sources.get(src)
        if known is None:
            self._publish(src, 0, self.chains.new_seed(src, 0))
        elif src in self.ledger.to_renew:
            self._publish(src, known.renewed + 1, self.chains.new_seed(src, known.renewed + 1))
        return self.chains.find(src, self.ledger.sources[src].renewed)

    def _publish(self, src: str, renewed: int, seed: bytes) -> None:
        self.seeds[self.chains.name(src, renewed)] = seed
        self.chains.keep(self.seeds)
        chain = self.chains.find(src, renewed)
        self.write(lines.tip(src, chain.tip, renewed))

    def write(self, line: bytes) -> None:
        self.tips.append(line)
        self.ledger = self.ledger.append(line)

    def _dice(self, links: Sequence[bytes]) -> FairDice:
        return FairDice(key_of(links), seeded=self.ledger.seeded)
