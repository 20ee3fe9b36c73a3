"""Six-Pool d20 as a whole: joins the chapters of the book."""

from __future__ import annotations

from astragal.game import Measure, Ruleset, skin_shelf, words_in
from astragal.game.meters import Meters

from .attacks import ATTACKS, HIT_POINTS, attack, damage_roll
from .checks import CHECKS
from .contests import CONTESTS, contest
from .display import AT_HAND, BONUSES, RUNGS, answer_words, breakdown, chances_on_the_ladder, furniture
from .duel import DUEL
from .growth import GROWTH
from .heroes import HERO_BOOK, PEOPLE
from .pools import POINTS, POOLS, short_rest
from .rerolls import HELD, REROLLS
from .rolls import EASIEST, HARDEST, ROLLS, Rung, check
from .state import TERMS, Game, Options, Sheet
from .teamwork import TEAMWORK, group_check, how_many_make_it, makes_it

METERS = Meters(*POINTS.values(), HIT_POINTS, HELD, payer=lambda who: who.sheet.is_hero)
CHAPTERS = (PEOPLE, GROWTH, METERS, POOLS, ROLLS, CHECKS, ATTACKS, CONTESTS, TEAMWORK, REROLLS)

SIX_POOL: Ruleset = Ruleset(
    id="six_pool",
    name="Six-Pool d20",
    version="1",
    books=("Six-Pool d20: dice mechanics",),
    about="Heroic adventure with six pools of effort: decide what it is worth to you before the die falls.",
    dice="d20",
    rules=(check, attack, damage_roll, contest, group_check, how_many_make_it, makes_it, short_rest),
    duel=DUEL,
    measures=(
        Measure(
            game="six_pool",
            name="Six-Pool d20",
            words="a DC of {dc} with a bonus of {bonus}",
            ask=check,
            success=lambda roll: roll.success,
            # SP-05: many points have the same chance here; those on the ladder of difficulties are named first.
            ranges={"dc": (*RUNGS, *(dc for dc in range(EASIEST, HARDEST + 1) if dc not in RUNGS)), "bonus": BONUSES},
            steady=True,
        ),
    ),
    tables={"ladder": chances_on_the_ladder},
    skins=skin_shelf(__package__, lambda: SIX_POOL),
    sheet=Sheet,
    options=Options,
    game=Game,
    begin=lambda _: Game(),
    chapters=CHAPTERS,
    furniture=furniture,
    answer_words=answer_words,
    breakdown=breakdown,
    terms=TERMS,
    difficulties={rung.value: rung.dc for rung in Rung},
    heroes=HERO_BOOK,
    foes="make_npc",
    everyday=words_in(__package__, "everyday.toml"),
    at_hand=AT_HAND,
    sheet_page=__package__,
    prices={
        "points": METERS.price("points from each hero's fullest pool; one who holds fewer pays all", *POINTS.values())
    },
    overrides=METERS.overrides,
)
