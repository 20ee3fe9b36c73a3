"""Sinew & Steel: one d20 at or under a score, and Luck to bend it afterwards."""

from __future__ import annotations

from dataclasses import replace

from astragal.table.ruleset import Overridable, Ruleset

from .combat import attack
from .contests import CONTESTS
from .fights import FIGHTS
from .fortune import FORTUNE, LUCK_PRICE
from .furniture import furniture
from .game import Game
from .heroes import HEROES
from .luck import blessing, luck_test, nudged_test
from .opposed import opposed_test
from .options import Options
from .rolling import simple_test
from .sheet import Sheet
from .stamina import STAMINA
from .trials import TRIALS
from .words import TERMS

__all__ = ["SINEW_STEEL"]

SINEW_STEEL = Ruleset(
    id="sinew_steel",
    name="Sinew & Steel",
    version="1",
    books=("Sinew & Steel, Adventurer’s Manual", "Sinew & Steel, Universal Roll-Under Engine"),
    sheet=Sheet,
    options=Options,
    game=Game,
    begin=lambda options: Game(),
    chapters=(HEROES, TRIALS, CONTESTS, FIGHTS, FORTUNE, STAMINA),
    rules=(simple_test, nudged_test, luck_test, blessing, opposed_test, attack),
    furniture=furniture,
    terms=TERMS,
    prices={"luck": LUCK_PRICE},
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
    },
)
