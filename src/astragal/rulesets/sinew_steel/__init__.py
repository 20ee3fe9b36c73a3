"""Sinew & Steel: one d20 at or under a score, and Luck to bend it afterwards."""

from __future__ import annotations

from dataclasses import replace

from astragal.table.ruleset import Overridable, Ruleset

from .combat import attack
from .contests import CONTESTS
from .custodian_moves import custodian_move
from .fights import FIGHTS
from .fortune import FORTUNE, LUCK_PRICE
from .furniture import furniture
from .fuse import FUSE, PRESSURE_PRICE
from .game import Game, begin
from .heroes import HEROES
from .luck import blessing, luck_test, nudged_test
from .measures import MEASURES
from .milestones import MILESTONES
from .omens import OMENS
from .opposed import opposed_test
from .options import Options
from .order import side_order
from .paper import HERO_BOOK, SHELF
from .passing import PASSING
from .people import PEOPLE
from .pressure import crisis, rising, tampering
from .purchase import purchase
from .purging import PURGING
from .rolling import simple_test
from .sheet import Sheet
from .stalling import STALLING
from .stamina import STAMINA
from .stress import STRESS
from .tables import TABLES
from .toolkit import TOOLKIT
from .trials import TRIALS
from .turns import TURNS
from .wealth import WEALTH
from .words import TERMS, offer_words

__all__ = ["SINEW_STEEL"]

SINEW_STEEL = Ruleset(
    id="sinew_steel",
    name="Sinew & Steel",
    version="1",
    books=("Sinew & Steel, Adventurer’s Manual", "Sinew & Steel, Universal Roll-Under Engine"),
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
    rules=(
        simple_test,
        nudged_test,
        luck_test,
        blessing,
        opposed_test,
        attack,
        crisis,
        rising,
        tampering,
        custodian_move,
        purchase,
        side_order,
    ),
    furniture=furniture,
    notable_words=offer_words,
    terms=TERMS,
    heroes=HERO_BOOK,
    tables=TABLES,
    skins=SHELF,
    measures=MEASURES,
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
