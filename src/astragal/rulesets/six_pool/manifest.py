"""The whole game: joins the chapters of the book."""

from __future__ import annotations

from dataclasses import replace

from astragal.table.ruleset import Overridable, Ruleset

from .aftermath import AFTERMATH, POINTS_PRICE
from .attacks import ATTACKS
from .board import board
from .checks import CHECKS
from .contests import CONTESTS
from .creation import CREATION
from .furniture import furniture
from .game import Game
from .groups import GROUPS
from .help import HELPING
from .hero_book import HERO_BOOK
from .house_rules import HOUSE_RULES
from .options import Options
from .pools import Pool
from .rests import RESTS
from .rulebook import RULEBOOK
from .screen import TOOLS, proposals
from .sheet import Sheet
from .words import TERMS, answer_words
from .words_due import DUE
from .words_reckoned import reckoning
from .wounds import WOUNDS


def _pool(pool: Pool) -> Overridable:
    def read(sheet: Sheet) -> int:
        return sheet.numbers.pool(pool).now

    def write(sheet: Sheet, points: int) -> Sheet:
        return sheet.with_pool(pool, points)

    return Overridable(f"points now in {pool}", (0, 99), read, write)


def _with_hit_points(sheet: Sheet, hit_points: int) -> Sheet:
    return sheet.with_numbers(replace(sheet.numbers, harm=sheet.numbers.hit_points_most - hit_points))


SIX_POOL = Ruleset(
    **vars(RULEBOOK),
    sheet=Sheet,
    options=Options,
    game=Game,
    begin=lambda _: Game(),
    chapters=(CREATION, HOUSE_RULES, CHECKS, ATTACKS, CONTESTS, GROUPS, HELPING, AFTERMATH, RESTS, WOUNDS),
    furniture=furniture,
    board=board,
    answer_words=answer_words,
    reckoning=reckoning,
    terms=TERMS,
    heroes=HERO_BOOK,
    due=DUE,
    tools=TOOLS,
    proposals=proposals,
    prices={"points": POINTS_PRICE},
    overrides={
        **{pool.value: _pool(pool) for pool in Pool},
        "hit points": Overridable("hit points now", (0, 999), lambda sheet: sheet.numbers.hit_points, _with_hit_points),
        "inspiration": Overridable(
            "Inspiration held, 0 or 1",
            (0, 1),
            lambda sheet: sheet.inspiration,
            lambda sheet, held: replace(sheet, inspiration=held),
        ),
    },
)
