"""The whole game: joins the chapters of the book."""

from __future__ import annotations

from dataclasses import replace

from astragal.table.ruleset import Overridable, Ruleset

from .board import board
from .contests import CONTESTS
from .fights import FIGHTS
from .fortune import FORTUNE, LUCK_PRICE
from .furniture import furniture
from .fuse import FUSE, PRESSURE_PRICE
from .game import Game, begin
from .heroes import HEROES
from .milestones import MILESTONES
from .omens import OMENS
from .options import Options
from .paper import HERO_BOOK
from .passing import PASSING
from .people import PEOPLE
from .purging import PURGING
from .rulebook import RULEBOOK
from .screen import TOOLS, proposals
from .sheet import Sheet
from .stalling import STALLING
from .stamina import STAMINA
from .stress import STRESS
from .toolkit import TOOLKIT
from .trials import TRIALS
from .turns import TURNS
from .wealth import WEALTH
from .words import TERMS, answer_words, offer_words
from .words_due import DUE, STALLED
from .words_reckoned import reckoning

SINEW_STEEL = Ruleset(
    **vars(RULEBOOK),
    sheet=Sheet,
    options=Options,
    game=Game,
    begin=begin,
    chapters=(
        HEROES,
        PEOPLE,
        TRIALS,
        CONTESTS,
        FIGHTS,
        FORTUNE,
        STAMINA,
        FUSE,
        OMENS,
        PURGING,
        MILESTONES,
        STALLING,
        TOOLKIT,
        STRESS,
        WEALTH,
        TURNS,
        PASSING,
    ),
    furniture=furniture,
    board=board,
    answer_words=answer_words,
    notable_words=offer_words,
    reckoning=reckoning,
    terms=TERMS,
    heroes=HERO_BOOK,
    due=DUE,
    stalled=STALLED,
    tools=TOOLS,
    proposals=proposals,
    prices={"luck": LUCK_PRICE, "pressure": PRESSURE_PRICE},
    overrides={
        "stamina": Overridable(
            "Stamina now", (0, 20), lambda sheet: sheet.stamina, lambda sheet, now: replace(sheet, stamina=now)
        ),
        "stamina_most": Overridable(
            "the most Stamina", (1, 20), lambda sheet: sheet.stamina_most, lambda s, most: replace(s, stamina_most=most)
        ),
        "luck": Overridable(
            "tokens held, past the pool’s size too",
            (0, 20),
            lambda sheet: sheet.luck,
            lambda sheet, held: replace(sheet, luck=held),
        ),
        "pressure": Overridable(
            "a hero’s own Pressure",
            (0, 4),
            lambda sheet: sheet.pressure,
            lambda s, now: replace(s, pressure=now, surcharged=s.surcharged and now == 4),
        ),
        "points": Overridable(
            "build points held", (0, 99), lambda sheet: sheet.points, lambda sheet, held: replace(sheet, points=held)
        ),
    },
)
