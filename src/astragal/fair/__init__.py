"""FD1: dice that anyone can verify. Chains, seals, the public ledger, receipts and verification.

This package knows no game, opens no file and reads no clock. The protocol is specified in `docs/reference/fd1.md`.

    chain                  links become keys, keys become words, words become faces
    facts                  seals of what is fixed before the dice and shown after them, and of what came of them
    lines, rules, ledger   the public record, one canonical JSON object a line, its heads and receipts
    client                 the chain that a player's own program keeps: paired and witnessed rolls
    verdict                sound, broken, or sound as far as it goes: what a check found
    verification           everything that anyone can verify
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
    from astragal.fair.verdict import *
    from astragal.fair.verification import *

_PARTS = ("faults", "sources", "chain", "facts", "lines", "rules", "ledger", "verdict", "verification", "client")
"""Modules in order of dependency, so that looking up a name loads nothing in vain."""


def __getattr__(name: str) -> Any:
    """Import a module on first use: code that only reads a table's rules needs no verifier."""
    if name in _PARTS:
        return import_module(f"{__name__}.{name}")
    for part in _PARTS:
        module = import_module(f"{__name__}.{part}")
        if name in getattr(module, "__all__", ()):
            return getattr(module, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
