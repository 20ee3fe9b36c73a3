"""Client side of paired and witnessed rolls: a chain that the player's own program keeps.

The operator must not be able to choose, or look ahead at, what this chain adds. Therefore its program
- follows the public ledger itself, and gives out a link only against what it has seen there;
- gives out the next link only when the ledger shows the last one, and the same link for a repeated request;
- stores the chain that `link_for` and `answer` return *before* it sends the link.
"""

import secrets
from dataclasses import dataclass, replace
from typing import NamedTuple

from astragal.fair import sources
from astragal.fair.chain import Chain, Entropy, new_seed
from astragal.fair.faults import FairError, Fault
from astragal.fair.ledger import Ledger
from astragal.fair.spelling import read, spell

__all__ = ["ClientChain", "Sent"]


class Sent(NamedTuple):
    """The chain to store, and then the link to send."""

    chain: "ClientChain"
    link: bytes


@dataclass(frozen=True, slots=True)
class ClientChain:
    """One chain of a player (`u:<seat>` or `w:<seat>`), for one table."""

    chain: Chain
    spent: int = 0
    renewed: int = 0
    sent_for: str | None = None

    @classmethod
    def begin(cls, src: str, entropy: Entropy = secrets.token_bytes) -> "ClientChain":
        return cls(Chain(src, new_seed(entropy)))

    def renew(self, entropy: Entropy = secrets.token_bytes) -> "ClientChain":
        """A new chain, for when this one is used up or a gap was declared."""
        return ClientChain(Chain(self.src, new_seed(entropy)), renewed=self.renewed + 1)

    @property
    def src(self) -> str:
        return self.chain.src

    @property
    def last(self) -> bytes:
        """The last published value of this chain: its tip, or the last link sent."""
        return self.chain.spend(self.spent) if self.spent else self.chain.tip

    def link_for(self, cmd: str, ledger: Ledger) -> Sent:
        """The link to send with a command, but only once the server has promised its own chain for it."""
        reason = f"the command {cmd}"
        if self.sent_for != reason:
            ledger.check_usable(sources.server(sources.seat_of(self.src)))
        return self._send(reason, ledger)

    def answer(self, line: int, ledger: Ledger) -> Sent:
        """A witness's link for the `ask` in that line, which seals the roll and has taken its hidden chain."""
        ask = ledger.asks.get(line)
        if ask is None or self.src not in ask.witnesses or not ask.waits:
            raise FairError(Fault.NO_ASK, f"Line {line} does not ask {self.src} to witness a roll.")
        # Includes the seal: the same link must not serve for another roll presented as this line.
        return self._send(f"the ask of line {line}, {ask.seal}", ledger)

    def to_json(self) -> bytes:
        """The secret state, to be stored."""
        chain = {"seed": self.chain.seed.hex(), "src": self.src, "length": self.chain.length}
        return spell({**chain, "spent": self.spent, "renewed": self.renewed, "sent_for": self.sent_for})

    @classmethod
    def from_json(cls, data: bytes) -> "ClientChain":
        """The chain that was stored as `to_json` gave it."""
        fields = read(data)
        chain = Chain(fields["src"], bytes.fromhex(fields["seed"]), fields["length"])
        return cls(chain, fields["spent"], fields["renewed"], fields["sent_for"])

    def _send(self, reason: str, ledger: Ledger) -> Sent:
        if self.sent_for == reason:
            return Sent(self, self.last)
        self._check_shown(ledger)
        sent = replace(self, spent=self.spent + 1, sent_for=reason)
        return Sent(sent, sent.last)

    def _check_shown(self, ledger: Ledger) -> None:
        """Refuse unless the ledger shows this chain exactly as it was given out."""
        in_ledger = ledger.sources.get(self.src)
        if in_ledger is None or in_ledger.broken or in_ledger.last != self.last.hex():
            last = f"the link sent for {self.sent_for}" if self.spent else "the tip"
            raise FairError(Fault.LINK_UNSEEN, f"The ledger does not show {last} as the last of {self.src}.")
