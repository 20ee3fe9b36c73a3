"""The New Shoes ruleset: pieces of its sheets, meters, prices, and chapters."""

from collections.abc import Sequence

from astragal.game import Character, Price, Ruleset, meters, replace, skin_shelf, words_in
from astragal.game.display import AtHand, DiceRow, Piece, Pips, Tags

from .approaches import APPROACHES
from .calling import CALLING, ROLL
from .duel import DUEL
from .harm import ATTRIBUTES, HARM
from .heroes import HERO_BOOK, HEROES, LESSONS, XP
from .rolling import ROLLING
from .rules import MEASURE, TABLES, Step, approach, breakdown, opposed_approach
from .state import TERMS, Attribute, Game, Options, Sheet, State
from .statuses import STATUSES, pay_with_statuses

XP_SHOWN = 10
DIE = 6


def furniture(who: Character[Sheet], _: State) -> Sequence[Piece]:
    """Pieces of a sheet: a die for each point left (NS-01, NS-10), statuses, XP. Clicking dice describes an approach.

    A click by the game master calls for one at once, with this attribute (NS-02).
    """
    sheet = who.sheet
    pieces: list[Piece] = []
    for attribute in Attribute:
        points = sheet.points(attribute)
        if points is not None:
            dice = DiceRow(attribute.value, points.now, DIE, points.full, "dice to roll")
            if not sheet.knocked_out:
                fields = (("who", who.id), ("attribute", attribute.value))
                dice = replace(dice, command="describe", fields=fields)
            pieces.append(dice)
    if sheet.statuses:
        pieces.append(Tags("statuses", tuple(status.words for status in sheet.statuses)))
    if sheet.knocked_out:
        pieces.append(Tags("state", ("stays down",) if sheet.kept_down else ("knocked out",)))
    if sheet.xp:
        pieces.append(Pips("XP", sheet.xp, max(sheet.xp, XP_SHOWN)))
    if sheet.about:
        pieces.append(Tags("about", (sheet.about,)))
    return pieces


METERS = meters.Meters(*ATTRIBUTES.values(), XP, payer=lambda who: who.sheet.is_hero)

# ---------------------------------------------------------------- the game

NEW_SHOES: Ruleset = Ruleset(
    id="new_shoes",
    name="New Shoes",
    version="1",
    books=("New Shoes, after Roll for Shoes",),
    about="Three attributes, dice that explode, and whoever wins the roll tells what happens next.",
    dice="d6",
    rules=(approach, opposed_approach),
    duel=DUEL,
    measures=(MEASURE,),
    tables=TABLES,
    skins=skin_shelf(__package__, lambda: NEW_SHOES),
    sheet=Sheet,
    options=Options,
    game=Game,
    begin=lambda _: Game(),
    chapters=(HEROES, STATUSES, APPROACHES, CALLING, ROLLING, METERS, HARM, LESSONS),
    furniture=furniture,
    breakdown=breakdown,
    terms=TERMS,
    difficulties={step.value: step.target for step in Step},
    asked_otherwise={
        ROLL: "the player describes how they go about it (describe), then call_approach asks for the roll"
    },
    prices={
        "attribute": METERS.price("each hero pays points of the attribute that stands highest", *ATTRIBUTES.values()),
        "status": Price("each hero gets a negative status that stays", pay_with_statuses),
    },
    overrides=METERS.overrides,
    heroes=HERO_BOOK,
    foes="make_npc",
    everyday=words_in(__package__, "everyday.toml"),
    at_hand=AtHand(
        heroes=("call_approach.who", "prompt_reaction", "describe", "support"),
        others=("prompt_reaction.by", "attach_status", "wake"),
        instead=(("describe", "call_approach"),),
    ),
    sheet_page=__package__,
)
