"""Dice engine. Rules are written once, as generators that stop for dice and for decisions; readings give them meaning.

`play` and `replay` run a question once, `odds` runs it every way at once, and `advise` finds its best decisions. This
package knows no game.
"""

from typing import TYPE_CHECKING, Any

from . import asked as _asked  # noqa: F401 - makes dice of questions, once it is loaded
from .chances import Chance
from .dice import Dice, EnterDice, EnteredDice, Fate, Pause, Record, RecordedDice, Rolled, SeededDice, SystemDice, Tray
from .errors import (
    BadNotation,
    BadStep,
    ChanceError,
    Circular,
    IllegalAnswer,
    MissingExtra,
    NoEnd,
    NotAStep,
    OpenEnded,
    RecordMismatch,
    TooManyPaths,
    TooMuchWork,
    Unweighable,
)
from .odds import Odds
from .pictures import percent
from .play import Settled, Waiting, play, replay
from .pools import (
    Die,
    d4,
    d6,
    d8,
    d10,
    d12,
    d20,
    d100,
    exploding,
    exploding_difference,
    highest,
    hits,
    lowest,
    rerolled,
    total,
    until,
)
from .readings import Comparison, compare, odds, odds_grid
from .steps import Notable, Offer, Question, Rolls, Rule, Step, Together, find_rule, rule
from .weigh import Policy, decline

if TYPE_CHECKING:
    from .advice import Advice, Ahead, Choice, advise, advise_ahead
    from .lanes import Grid
    from .multisets import Deck, Hand, Multiset, Pool, pool
    from .notation import roll
    from .sides import Others

LAZY_NAMES = {
    "advice": ("Advice", "Ahead", "Choice", "advise", "advise_ahead"),
    "lanes": ("Grid",),
    "multisets": ("Deck", "Hand", "Multiset", "Pool", "pool"),
    "notation": ("roll",),
    "sides": ("Others",),
}
"""Lazily imported names by module, because they load slowly or import NumPy."""

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
    "roll",
    "rule",
    "total",
    "until",
]


def __getattr__(name: str) -> Any:
    for module, names in LAZY_NAMES.items():
        if name in names:
            from importlib import import_module

            return getattr(import_module(f".{module}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
