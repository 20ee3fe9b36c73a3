"""FD1: dice that anyone can check. Chains, seals, the public ledger, receipts and verification.

Knows no game, opens no file and asks no clock. The protocol is written in `docs/reference/fd1.md`.

    chain                  links become keys, keys become words, words become faces
    facts                  seals: what is fixed before the dice and shown after them; what came of them
    lines, rules, ledger   the public record, one canonical JSON object a line, its heads and receipts
    client                 the chain that a player's own program keeps: paired and witnessed rolls
    verification           what anyone can check
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from astragal.fair import facts, lines, sources
    from astragal.fair.chain import (
        LINKS,
        Chain,
        FairDice,
        check_link,
        faces_of,
        hidden_chain,
        key_of,
        link_after,
        new_seed,
        words_of,
    )
    from astragal.fair.client import ClientChain, Sent
    from astragal.fair.facts import new_salt, opens, request_text, seal_of
    from astragal.fair.faults import FairError, Fault
    from astragal.fair.ledger import Ledger, Receipt, first_head, next_head, read_receipts, write_receipts
    from astragal.fair.rules import Ask, Source
    from astragal.fair.verification import Failure, Report, verify

__all__ = [
    "LINKS",
    "Ask",
    "Chain",
    "ClientChain",
    "Failure",
    "FairDice",
    "FairError",
    "Fault",
    "Ledger",
    "Receipt",
    "Report",
    "Sent",
    "Source",
    "check_link",
    "faces_of",
    "facts",
    "first_head",
    "hidden_chain",
    "key_of",
    "lines",
    "link_after",
    "new_salt",
    "new_seed",
    "next_head",
    "opens",
    "read_receipts",
    "request_text",
    "seal_of",
    "sources",
    "verify",
    "words_of",
    "write_receipts",
]

_PARTS = ("faults", "sources", "chain", "facts", "lines", "rules", "ledger", "verification", "client")
"""Each after those that it needs, so that to look for a name loads nothing in vain."""


def __getattr__(name: str) -> Any:
    """A part is loaded by those who name it: whoever reads the rules of a table verifies no ledger."""
    for part in _PARTS if name in __all__ else ():
        module = import_module(f"{__name__}.{part}")
        if name == part or hasattr(module, name):
            return module if name == part else getattr(module, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
