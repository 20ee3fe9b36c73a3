"""Dice of a table: the chains of FD1, one link for each command, drawn when the first die is asked for.

A drawing belongs to one attempt at one command, and is stored only together with the command. A command that is killed,
retried or loses a race therefore gets the same link, and the same dice, again.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from msgspec import Struct, field

from astragal.chance import Pause
from astragal.fair import Chain, FairDice, FairError, Ledger, check_link, hidden_chain, key_of, lines, new_seed, sources
from astragal.table.declarations import Sight
from astragal.table.refusals import Refusal

HIDDEN_AT_ONCE = 8
"""Number of hidden rolls that are promised together. At least so many tips stand in the ledger before each command."""

Link = tuple[str, bytes]


class Witnesses(Struct, frozen=True):
    """Step that waits, before the first die of a hidden roll, for a link from each witness."""

    sources: tuple[str, ...]


class LinkNeeded(Refusal):
    """This seat's rolls are paired: each command that rolls carries a link of the seat's own chain."""

    code = "link_needed"


class Promise(Struct, frozen=True):
    """Chains that are promised together, each with the number of earlier chains of its source."""

    chains: tuple[tuple[Chain, int], ...]

    @property
    def tips(self) -> list[bytes]:
        return [lines.tip(chain.src, chain.tip, renewed) for chain, renewed in self.chains]

    @property
    def seeds(self) -> dict[str, bytes]:
        """Secret seeds, to be stored with the tips."""
        return {_name(chain.src, renewed): chain.seed for chain, renewed in self.chains}


class Rollers(NamedTuple):
    """Who may roll at a table next: its seats, as the ledger names them, in its present scene."""

    seats: tuple[str, ...]
    scene: str


def unpromised(ledger: Ledger, rollers: Rollers) -> Iterator[tuple[str, int]]:
    """Yield the chains that have to be promised before anybody rolls: each source, and its number of earlier chains.

    A promise made when somebody knows what it is for could be one of many that were tried. So every commit promises
    what the next one may need: the chain of each seat, its successor while links of it are left, and hidden rolls.
    """
    for src in map(sources.server, rollers.seats):
        chain = ledger.sources.get(src)
        if chain is None:
            yield src, 0
        elif chain.may_renew:
            yield src, chain.renewed + 1
    if len(ledger.hidden_left) < HIDDEN_AT_ONCE:
        first = ledger.next_hidden_number(rollers.scene)
        for k in range(first, first + HIDDEN_AT_ONCE):
            yield sources.hidden(rollers.scene, k), 0


MOST_CHAINS = 128
"""Chains of a table that stay computed: hidden rolls use one each."""


class SeedsLost(Refusal):
    """The seeds of promised dice are lost. The table continues with other chains once the ledger has a line for it."""

    code = "seeds_lost"


class Chains:
    """The server's chains of one table, computed from their seeds when they are needed.

    `stored` returns the seeds in the store, since another process may have promised a chain.
    """

    def __init__(
        self, stored: Callable[[], Mapping[str, bytes]], entropy: Callable[[int], bytes], *, seeded_by: str | None
    ) -> None:
        self._stored = stored
        self._entropy = entropy
        self._seeded_by = seeded_by
        self._seeds: Mapping[str, bytes] = {}
        self._chains: dict[str, Chain] = {}
        """The chains used last, at most MOST_CHAINS: to compute one again takes thousands of hashes."""
        self._unused: dict[str, Chain] = {}
        """Chains made to be promised, cached: most are needed right after that, and each takes thousands of hashes."""

    def has(self, src: str, renewed: int = 0) -> bool:
        name = _name(src, renewed)
        if name not in self._seeds:
            self._seeds = self._stored()
        return name in self._seeds

    def find(self, src: str, renewed: int = 0) -> Chain:
        name = _name(src, renewed)
        if name not in self._chains:
            if not self.has(src, renewed):
                raise SeedsLost(
                    "The store has lost the seeds of this table's dice. The ledger says so now; try again, and it goes "
                    "on with new ones."
                )
            seed = self._seeds[name]
            unused = self._unused.pop(name, None)
            self._chains[name] = unused if unused and unused.seed == seed else _chain(src, seed)
        chain = self._chains.pop(name)
        self._chains[name] = chain  # the last of them, as it was just used
        if len(self._chains) > MOST_CHAINS:
            del self._chains[next(iter(self._chains))]
        return chain

    def new(self, src: str, renewed: int = 0) -> Chain:
        """Return an unused chain; at a table that is marked as seeded, one that anyone can derive."""
        name = _name(src, renewed)
        if name not in self._unused:
            self._unused[name] = _chain(src, self._new_seed(src, renewed))
        return self._unused[name]

    def promise(self, ledger: Ledger, rollers: Rollers) -> Promise:
        """Return new chains for all that is not promised yet."""
        return Promise(tuple((self.new(src, renewed), renewed) for src, renewed in unpromised(ledger, rollers)))

    def _new_seed(self, src: str, renewed: int) -> bytes:
        if self._seeded_by is None:
            return new_seed(self._entropy)
        return sha256(f"seeded {self._seeded_by} {src} {renewed}".encode()).digest()

    def forget(self) -> None:
        """Drop all cached seeds and chains: another log may have replaced the one they belonged to."""
        self._seeds = {}
        self._chains.clear()
        self._unused.clear()


def _name(src: str, renewed: int) -> str:
    return f"chain/{src}/{renewed}"


def _chain(src: str, seed: bytes) -> Chain:
    place = sources.place_of(src)
    return hidden_chain(place.scene, place.k, seed) if place else Chain(src, seed)


class Drawing(Struct):
    """The dice of one command, and what the ledger has to record about them."""

    chains: Chains
    ledger: Ledger
    act: str
    by: str
    """The roller, as the ledger names seats: `gm` or the seat."""
    sight: Sight
    link: bytes | None = None
    """The link that a paired seat sent with its command."""
    witnesses: tuple[str, ...] = ()
    """The sources whose links a hidden roll waits for."""
    witnessed: tuple[bytes, ...] | None = None
    """Their links, once they are in."""
    first_step: tuple[int, ...] = ()
    """The sides of the dice that a hidden roll seals before any of them is drawn."""
    links: list[Link] = field(default_factory=list)
    fair: FairDice | None = None

    @property
    def source(self) -> str:
        return "fair" if self.fair is None else self.fair.source

    def face(self, sides: int) -> int:
        if self.fair is None:
            self.fair = self._open_dice() if self.sight is Sight.OPEN else self._hidden_dice()
        return self.fair.face(sides)

    @property
    def is_paired(self) -> bool:
        return sources.client(self.by) in self.ledger.drawn_from(self.by)

    def check_next(self, src: str, link: bytes) -> None:
        """Check that this is the next link of a player's chain, before it is used. Raises `LinkNeeded`."""
        try:
            check_link(src, link, bytes.fromhex(self.ledger.sources[src].last))
        except FairError as fault:
            raise LinkNeeded(str(fault)) from fault

    def spend_unused(self) -> None:
        """Spend the link that was sent, even if no dice were rolled."""
        if self.fair is None and self.link is not None and self.is_paired:
            self.fair = self._open_dice()

    def _open_dice(self) -> FairDice:
        """Draw the next link of the server's chain. A paired seat also sends its own next link; others send none."""
        server_source = sources.server(self.by)
        client_source = sources.client(self.by)
        if self.is_paired and self.link is None:
            raise LinkNeeded("Your rolls are paired: send the next link of your chain with the command.")
        if not self.is_paired and self.link is not None:
            raise LinkNeeded("Your rolls are not paired: promise a chain before you send links.")
        if self.link is not None:
            self.check_next(client_source, self.link)
        self.links = [(server_source, self.server_chain().spend(self.ledger.spent(server_source) + 1))]
        if self.link is not None:
            self.links.append((client_source, self.link))
        return self._dice([link for _, link in self.links])

    def _hidden_dice(self) -> FairDice:
        """Draw from the next hidden chain that was promised, with the witnesses' links if there are witnesses."""
        if self.witnessed is not None:
            src = self.ledger.asks[self.asked()].src
        elif self.witnesses:
            raise Pause(Witnesses(self.witnesses))
        else:
            src = self.ledger.hidden_left[0]
        return self._dice([self.chains.find(src).spend(1), *(self.witnessed or ())])

    def asked(self) -> int:
        """Return the number of the ledger line in which this command asks its witnesses, who have yet to answer."""
        return next(line for line, ask in self.ledger.asks.items() if ask.cmd == self.act and not ask.answered)

    def server_chain(self) -> Chain:
        """Return the server's chain for the roller."""
        src = sources.server(self.by)
        return self.chains.find(src, self.ledger.sources[src].renewed)

    def _dice(self, links: Sequence[bytes]) -> FairDice:
        return FairDice(key_of(links), seeded=self.ledger.seeded)
