"""New Shoes: players describe, the dice decide how far it carries. An exploding d6 for every point that is left."""

from astragal.table.ruleset import Ruleset

from .approaches import approach
from .calling import CALLING
from .characters import CHARACTERS
from .describing import DESCRIBING
from .furniture import furniture
from .game import Game
from .harm import HARM
from .healing import HEALING
from .hero_book import HEROES, TABLES
from .lessons import LESSONS
from .measures import MEASURES
from .opposing import opposed_approach
from .options import Options
from .prices import OVERRIDES, PAYING, PRICES
from .reactions import REACTIONS
from .rolling import ROLLING
from .sheet import Sheet
from .statuses import STATUSES
from .supporting import SUPPORTING
from .throwing import THROWING
from .words import TERMS

NEW_SHOES = Ruleset(
    id="new_shoes",
    name="New Shoes",
    version="1",
    books=("New Shoes, after Roll for Shoes",),
    sheet=Sheet,
    options=Options,
    game=Game,
    begin=lambda options: Game(),
    chapters=(
        CHARACTERS,
        DESCRIBING,
        CALLING,
        REACTIONS,
        SUPPORTING,
        ROLLING,
        THROWING,
        STATUSES,
        HARM,
        HEALING,
        LESSONS,
        PAYING,
    ),
    rules=(approach, opposed_approach),
    furniture=furniture,
    terms=TERMS,
    prices=PRICES,
    overrides=OVERRIDES,
    heroes=HEROES,
    tables=TABLES,
    measures=MEASURES,
)

__all__ = ["NEW_SHOES"]
