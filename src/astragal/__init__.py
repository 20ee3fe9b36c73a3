"""Astragal: tabletop rules written once, then played, proved and weighed.

The names that rules and questions about dice are written with come from here: `from astragal import d6, odds`.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from astragal.chance import *  # noqa: F403 - loaded by name below, and known to type checkers here

__version__ = "0.1.0"

# As `astragal.chance` has them; written out, so that no other import has to load it.
__all__ = [
    "Advice",
    "Ahead",
    "BadNotation",
    "BadStep",
    "Chance",
    "ChanceError",
    "Choice",
    "Circular",
    "Comparison",
    "Deck",
    "Dice",
    "Die",
    "EnterDice",
    "EnteredDice",
    "Fate",
    "Grid",
    "Hand",
    "IllegalAnswer",
    "MissingExtra",
    "Multiset",
    "NoEnd",
    "NotAStep",
    "Notable",
    "Odds",
    "Offer",
    "OpenEnded",
    "Others",
    "Pause",
    "Policy",
    "Pool",
    "Question",
    "Record",
    "RecordMismatch",
    "RecordedDice",
    "Rolled",
    "Rolls",
    "Rule",
    "SeededDice",
    "Settled",
    "Step",
    "SystemDice",
    "Together",
    "TooManyPaths",
    "TooMuchWork",
    "Tray",
    "Unweighable",
    "Waiting",
    "__version__",
    "advise",
    "advise_ahead",
    "compare",
    "d4",
    "d6",
    "d8",
    "d10",
    "d12",
    "d20",
    "d100",
    "decline",
    "exploding",
    "exploding_difference",
    "find_rule",
    "highest",
    "hits",
    "lowest",
    "odds",
    "odds_grid",
    "percent",
    "play",
    "pool",
    "replay",
    "rerolled",
    "rule",
    "total",
    "until",
]


def __getattr__(name: str) -> Any:
    """Names of `astragal.chance`, loaded when one of them is first asked for."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import astragal.chance

    return getattr(astragal.chance, name)


def __dir__() -> list[str]:
    return __all__
