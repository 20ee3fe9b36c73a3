"""The whole game: joins the chapters of the book."""

from astragal.table.ruleset import Ruleset

from .advancement import ADVANCEMENT
from .aspects import ASPECTS
from .board import board
from .burdens import BURDENS
from .defence import DEFENCE
from .furniture import furniture
from .game import Game
from .gear import GEAR
from .hero_book import HERO_BOOK
from .heroes import HEROES
from .injection import INJECTION
from .intent import INTENT
from .options import Options
from .prices import OVERRIDES, PAYING, PRICES
from .recovery import RECOVERY
from .rulebook import RULEBOOK
from .screen import TOOLS, proposals
from .sheet import Sheet
from .stress import STRESS
from .threats import THREATS
from .words import TERMS, reckoning
from .words_due import DUE

NARRAJECT = Ruleset(
    **vars(RULEBOOK),
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
    furniture=furniture,
    board=board,
    reckoning=reckoning,
    terms=TERMS,
    heroes=HERO_BOOK,
    due=DUE,
    tools=TOOLS,
    proposals=proposals,
    prices=PRICES,
    overrides=OVERRIDES,
)
