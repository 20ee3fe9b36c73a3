"""Narraject: a hand of d6 gathered from who one is and what is at hand; each 5 or 6 is a success.

Each module is a chapter of the book. The rules in numbers are `stats`, `anchors`, `assets`, `difficulty`, `hand`,
`rolling`, `focus` and `harm`; `intent`, `aspects`, `injection`, `stress`, `threats`, `recovery` … join them to what
people ask for (`asked`) and what happens (`happened`); `words` tells it.
"""

from astragal.table.ruleset import Ruleset

from .advancement import ADVANCEMENT
from .aspects import ASPECTS
from .burdens import BURDENS
from .defence import DEFENCE
from .furniture import furniture
from .game import Game
from .gear import GEAR
from .hero_book import HERO_BOOK, TABLES
from .heroes import HEROES
from .injection import INJECTION
from .intent import INTENT
from .measures import MEASURES
from .options import Options
from .prices import OVERRIDES, PAYING, PRICES
from .recovery import RECOVERY
from .rolling import roll_hand
from .sheet import Sheet
from .stress import STRESS
from .threats import THREATS
from .words import TERMS

__all__ = ["NARRAJECT"]

NARRAJECT = Ruleset(
    id="narraject",
    name="Narraject",
    version="1",
    books=("Narraject: Core Mechanics",),
    sheet=Sheet,
    options=Options,
    game=Game,
    begin=lambda _: Game(),
    chapters=(
        HEROES,
        INTENT,
        ASPECTS,
        INJECTION,
        BURDENS,
        GEAR,
        STRESS,
        THREATS,
        DEFENCE,
        RECOVERY,
        ADVANCEMENT,
        PAYING,
    ),
    rules=(roll_hand,),
    furniture=furniture,
    terms=TERMS,
    heroes=HERO_BOOK,
    tables=TABLES,
    measures=MEASURES,
    prices=PRICES,
    overrides=OVERRIDES,
)
