"""Sinew & Steel as a whole: its chapters, the order of the board and of reminders, the tools, and overrides."""

from __future__ import annotations

from astragal.game import (
    Measure,
    Meter,
    Meters,
    Overridable,
    Ruleset,
    Seen,
    board_of,
    due_in,
    proposals_of,
    replace,
    skin_shelf,
)
from astragal.game.display import Tools

from .book_tables import printed_damage, printed_opposed, printed_success
from .combat.attack import FIGHTS, attack
from .combat.stamina import HARM, STAMINA_METER
from .combat.turns import TURNS, side_order
from .display.breakdown import breakdown
from .display.offers import answer_words, offer_words
from .display.sheet import furniture
from .luck import luck_test, nudged_test
from .options import Options
from .people.building import HERO_BOOK
from .people.heroes import HEROES
from .people.npcs import PEOPLE
from .pressure.crises import CRISES, crisis, rising
from .pressure.fuse import FUSE, PRESSURE_PRICE
from .pressure.omens import OMENS
from .pressure.purging import PURGING
from .pressure.tracks import PRESSURE
from .shelf import imported_skins, kind_of_skin
from .state import Game, Sheet, begin
from .story.fortune import ALLY, FORTUNE, LUCK, blessing
from .story.milestones import MILESTONES
from .story.stalling import STALLING
from .terms import TERMS
from .toolkit.stress import STRESS, STRESS_METER
from .toolkit.toolkit import TOOLKIT
from .toolkit.wealth import WEALTH, WEALTH_METER, purchase
from .trials.attempts import TRIALS
from .trials.contests import CONTESTS, opposed_test
from .trials.prices import tampering
from .trials.rolling import simple_test

TOOLS = (
    Tools("bring in", ("make_npc", "open_scores")),
    Tools("luck", ("grant_luck", "refill_luck", "luck_from_rest", "bless")),
    Tools("harm and healing", ("harm", "heal")),
    Tools("pressure", ("raise_pressure", "pressure_move", "face_crisis", "set_quest", "complete_quest")),
    Tools("the story", ("mark_beat", "milestone", "resolve")),
    Tools("toolkit", ("roll_sides", "grant_favours", "raise_stress", "ease_stress", "show_wealth", "set_wealth")),
    Tools("rules in play", ("switch_plugin",)),
)
"""What the custodian reaches for, in groups."""

BUILD_POINTS = Meter("points", most=lambda _: 99, seen=Seen.ALL, override="build points held")

METERS = Meters(
    STAMINA_METER,
    LUCK,
    ALLY,
    PRESSURE,
    STRESS_METER,
    WEALTH_METER,
    BUILD_POINTS,
    payer=lambda who: who.sheet.is_hero,
)
"""SS-65: heroes pay for a rewind."""

SINEW_STEEL: Ruleset = Ruleset(
    id="sinew_steel",
    name="Sinew & Steel",
    version="2",
    books=("Sinew & Steel, Adventurer’s Manual", "Sinew & Steel, Universal Roll-Under Engine"),
    about="Roll low, spend luck where it matters, and feel the pressure rise: quick, hard adventures in any world.",
    dice="d20",
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
        purchase,
        side_order,
    ),
    measures=(
        Measure(
            game="sinew_steel",
            name="Sinew & Steel",
            words="a score of {score}",
            ask=simple_test,
            success=lambda roll: roll.success,
            ranges={"score": range(21)},
            steady=True,
        ),
    ),
    tables={"success": printed_success, "opposed": printed_opposed, "damage": printed_damage},
    skins=skin_shelf(
        __package__, lambda: SINEW_STEEL, kind=kind_of_skin, imported=imported_skins, first="shipped/plain"
    ),
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
        METERS,
        FORTUNE,
        HARM,
        CRISES,
        FUSE,
        OMENS,
        PURGING,
        MILESTONES,
        STALLING,
        TOOLKIT,
        STRESS,
        WEALTH,
        TURNS,
    ),
    furniture=furniture,
    board=board_of((FUSE, STRESS, TOOLKIT, MILESTONES, PURGING)),
    answer_words=answer_words,
    notable_words=offer_words,
    breakdown=breakdown,
    terms=TERMS,
    heroes=HERO_BOOK,
    foes="make_npc",
    due=due_in((FUSE, MILESTONES, OMENS, TRIALS, HARM)),
    tools=TOOLS,
    proposals=proposals_of((OMENS,)),
    prices={
        "luck": METERS.price("tokens of Luck from each hero; one who holds fewer loses all", LUCK),
        "pressure": PRESSURE_PRICE,
    },
    overrides={
        **METERS.overrides,
        "stamina_most": Overridable(
            "the most Stamina", (1, 20), lambda sheet: sheet.stamina_most, lambda s, most: replace(s, stamina_most=most)
        ),
    },
)
