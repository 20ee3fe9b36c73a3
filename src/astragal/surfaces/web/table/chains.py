"""The chains that seats keep themselves, as the public ledger shows them: paired with their rolls, or as witnesses.

The secret of such a chain is in its seat's own browser or program. Here is only what everybody may know.
"""

from __future__ import annotations

from dataclasses import dataclass

from astragal.fair import Ledger, sources
from astragal.table.dice import LinkNeeded
from astragal.table.ledger_writer import seat_in_ledger
from astragal.table.refusals import BadFields, Refusal

LINK = ".link"
"""In a form: the next link of the seat's own chain."""
REFUSAL = "X-Refusal"
"""The header that tells a page's script why a command was refused."""
CHAIN = "X-Chain"
"""The header by which a page's script says that it keeps the chain, and will add the link that is needed."""
NO_LINK = (
    "Your rolls are paired with your own chain, but no link of it was sent: this browser doesn’t have the "
    "chain, or scripts are off. Roll where the chain is kept, or give it up under “Fair dice”."
)


@dataclass(frozen=True)
class SeatChains:
    """Chains that a seat keeps itself, and hidden rolls that wait for its link."""

    seat: str
    """As the ledger names it."""
    paired: bool
    witness: bool
    asked: tuple[str, ...] = ()
    """The hidden rolls that wait for this seat's link."""


def chains_of(ledger: Ledger, seat: str, game_master: str) -> SeatChains:
    named = seat_in_ledger(seat, game_master)
    paired, witness = sources.client(named), sources.witness(named)
    asked = tuple(ask.cmd for ask in ledger.asks.values() if ask.waits and witness in ask.witnesses)
    return SeatChains(named, _is_promised(ledger, paired), _is_promised(ledger, witness), asked)


def _is_promised(ledger: Ledger, src: str) -> bool:
    found = ledger.sources.get(src)
    return found is not None and not found.broken


def link_in(text: str) -> bytes | None:
    try:
        return bytes.fromhex(text) if text else None
    except ValueError as fault:
        raise BadFields(["link is written in hexadecimal"]) from fault


def in_words(refusal: Refusal, link: bytes | None) -> Refusal:
    """A refusal for people: what a missing link means."""
    return LinkNeeded(NO_LINK) if isinstance(refusal, LinkNeeded) and link is None else refusal


def told_to_scripts(refusal: Refusal) -> dict[str, str]:
    """Header that tells the page's scripts why a command was refused."""
    return {REFUSAL: refusal.code}
