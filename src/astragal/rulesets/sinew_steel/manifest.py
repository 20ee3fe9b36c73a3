"""The Sinew & Steel ruleset: chapters in the order of the board and of reminders, rules, skins, prices, overrides."""

from astragal.game import Measure, Overridable, Ruleset, Seen, meters, replace, skin_shelf, words_in
from astragal.game.display import AtHand

from .contests import CONTESTS, opposed_test
from .display import answer_words, breakdown, furniture, offer_words, printed_damage, printed_opposed, printed_success
from .duel import DUEL
from .fights import FIGHTS, attack, side_order
from .fuse import FUSE, PRESSURE_PRICE, PURGING
from .harm import HARM, STAMINA_METER
from .heroes import HERO_BOOK, HEROES
from .luck import ALLY, LUCK, TOKENS, blessing, luck_test, nudged_test
from .options import Options, skins
from .pressure import CRISES, PRESSURE, crisis, rising
from .rolls import simple_test
from .state import TERMS, Game, Sheet, begin
from .story import STORY
from .toolkit import STRESS_METER, TOOLKIT
from .trials import TRIALS, tampering
from .wealth import WEALTH, WEALTH_METER, purchase

AT_HAND = AtHand(
    heroes=("harm", "grant_luck", "test", "luck_test"),
    others=("attack", "harm", "open_scores", "test"),
)

BUILD_POINTS = meters.Meter("points", most=lambda _: 99, seen=Seen.ALL, override="build points held")
METERS = meters.Meters(
    STAMINA_METER, LUCK, ALLY, PRESSURE, STRESS_METER, WEALTH_METER, BUILD_POINTS, payer=lambda who: who.sheet.is_hero
)
"""SS-65: heroes pay for a rewind."""

CHAPTERS = (HEROES, TRIALS, CONTESTS, FIGHTS, METERS, TOKENS, HARM, FUSE, CRISES, PURGING, STORY, TOOLKIT, WEALTH)

TESTS = (simple_test, nudged_test, luck_test, blessing, opposed_test, attack)
RULES = (*TESTS, crisis, rising, tampering, purchase, side_order)

SINEW_STEEL: Ruleset = Ruleset(
    id="sinew_steel",
    name="Sinew & Steel",
    version="2",
    books=("Sinew & Steel, Adventurer’s Manual", "Sinew & Steel, Universal Roll-Under Engine"),
    about="Roll low, spend luck where it matters, and feel the pressure rise: quick, hard adventures in any world.",
    dice="d20",
    rules=RULES,
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
    duel=DUEL,
    tables={"success": printed_success, "opposed": printed_opposed, "damage": printed_damage},
    skins=skin_shelf(
        __package__,
        lambda: SINEW_STEEL,
        kind=lambda: skins().Skin,
        imported=lambda text, where: skins().skin_files_of(text, where),
        first="shipped/plain",
    ),
    sheet=Sheet,
    options=Options,
    game=Game,
    begin=begin,
    chapters=CHAPTERS,
    furniture=furniture,
    answer_words=answer_words,
    notable_words=offer_words,
    breakdown=breakdown,
    terms=TERMS,
    heroes=HERO_BOOK,
    foes="make_npc",
    everyday=words_in(__package__, "everyday.toml"),
    at_hand=AT_HAND,
    sheet_page=__package__,
    prices={
        "luck": METERS.price("tokens of Luck from each hero; one who holds fewer loses all", LUCK),
        "pressure": PRESSURE_PRICE,
    },
    overrides={
        **METERS.overrides,
        "stamina_most": Overridable(
            "the most Stamina",
            (1, 20),
            lambda sheet: sheet.stamina_most,
            lambda sheet, most: replace(sheet, stamina_most=most),
        ),
    },
)
