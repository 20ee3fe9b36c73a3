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
    from astragal.fair.chain import *
    from astragal.fair.client import *
    from astragal.fair.facts import *
    from astragal.fair.faults import *
    from astragal.fair.ledger import *
    from astragal.fair.rules import *
    from astragal.fair.verification import *

_PARTS = ("faults", "sources", "chain", "facts", "lines", "rules", "ledger", "verification", "client")
"""Each after those that it needs, so that to look for a name loads nothing in vain."""


def __getattr__(name: str) -> Any:
    """A part is loaded by those who name it: whoever reads the rules of a table verifies no ledger."""
    if name in _PARTS:
        return import_module(f"{__name__}.{name}")
    for part in _PARTS:
        module = import_module(f"{__name__}.{part}")
        if name in getattr(module, "__all__", ()):
            return getattr(module, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
