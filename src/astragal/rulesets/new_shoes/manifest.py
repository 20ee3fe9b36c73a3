"""The whole game: joins the chapters of the book."""

from astragal.table.ruleset import Ruleset

from .board import board
from .calling import CALLING
from .characters import CHARACTERS
from .describing import DESCRIBING
from .furniture import furniture
from .game import Game
from .harm import HARM
from .healing import HEALING
from .hero_book import HEROES
from .lessons import LESSONS
from .options import Options
from .prices import OVERRIDES, PAYING, PRICES
from .reactions import REACTIONS
from .rolling import ROLLING
from .rulebook import RULEBOOK
from .screen import TOOLS, proposals
from .sheet import Sheet
from .statuses import STATUSES
from .supporting import SUPPORTING
from .throwing import THROWING
from .words import TERMS
from .words_due import DUE
from .words_reckoned import reckoning

NEW_SHOES = Ruleset(
    **vars(RULEBOOK),
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
    furniture=furniture,
    board=board,
    reckoning=reckoning,
    terms=TERMS,
    prices=PRICES,
    overrides=OVERRIDES,
    heroes=HEROES,
    due=DUE,
    tools=TOOLS,
    proposals=proposals,
)
