"""New Shoes as a whole: sheets and rolls as they are shown, its meters, the price of a rewind, and its chapters."""

from collections.abc import Iterator, Sequence
from typing import Any

from astragal.chance import Question
from astragal.game import Chapter, Character, Event, Measure, Nature, Price, Ruleset, Seen, Teller, skin_shelf
from astragal.game.display import AtHand, DiceRow, Piece, Pips, Tags, signed
from astragal.game.fields import CharacterId
from astragal.game.meters import Meters

from .approaches import APPROACHES
from .calling import CALLING
from .duel import DUEL
from .harm import ATTRIBUTES, HARM
from .heroes import HERO_BOOK, HEROES, LESSONS, XP
from .rolling import ROLLING
from .rules import (
    DICE,
    EASIEST,
    HARDEST,
    Reached,
    Step,
    approach,
    beats,
    chances_against_another_player,
    chances_to_beat_a_target,
    opposed_approach,
    target_words,
)
from .state import TERMS, WORN_OUT, Attribute, Explode, Game, Options, Sheet, State, Status
from .statuses import STATUSES

XP_SHOWN = 10
DIE = 6

AT_HAND = AtHand(
    heroes=("call_approach.who", "prompt_reaction", "describe", "roll_approach", "support"),
    others=("prompt_reaction.by", "attach_status", "wake"),
    instead=(("describe", "call_approach"),),
)


def furniture(who: Character[Sheet]) -> Sequence[Piece]:
    """A sheet: a die for each point left (NS-01, NS-10), statuses, XP. A click on the dice describes an approach.

    The game master's calls for one at once, of this attribute (NS-02).
    """
    sheet, pieces = who.sheet, list[Piece]()
    for attribute in Attribute:
        if points := sheet.points(attribute):
            filled = (("who", who.id), ("attribute", attribute.value))
            asks: Any = {} if sheet.knocked_out else {"command": "describe", "fields": filled}
            pieces.append(DiceRow(attribute.value, points.now, DIE, points.full, "dice to roll", **asks))
    if sheet.statuses:
        pieces.append(Tags("statuses", tuple(status.words for status in sheet.statuses)))
    if sheet.knocked_out:
        pieces.append(Tags("state", ("stays down",) if sheet.kept_down else ("knocked out",)))
    if sheet.xp:
        pieces.append(Pips("XP", sheet.xp, max(sheet.xp, XP_SHOWN)))
    if sheet.about:
        pieces.append(Tags("about", (sheet.about,)))
    return pieces


# ---------------------------------------------------------------- how a roll was calculated


def breakdown(question: Question[Reached], _: Teller) -> Iterator[tuple[str, str]]:
    """NS-03, NS-04, NS-06: the dice, what is added to them, and what they are against.

    NS-17: how far the difference can matter is a number for the odds, and is not said.
    """
    given = question.named
    yield "Dice", f"{given['dice']}d6"
    if given["statuses"]:
        yield "Statuses and support", signed(given["statuses"])
    if question.rule is opposed_approach:
        yield "The opponent’s dice", f"{given['opposing']}d6"
        if given["opposing_statuses"]:
            yield "The opponent’s statuses and support", signed(given["opposing_statuses"])
    else:
        yield "Target", target_words(given["target"])
    if given["explode"] is Explode.ONCE:
        yield "Sixes", "rolled again once"


METERS = Meters(*ATTRIBUTES.values(), XP, payer=lambda who: who.sheet.is_hero)

# ---------------------------------------------------------------- the price of a rewind

REWINDS = Chapter(seen=Seen.ALL)


@REWINDS.event("status_paid", nature=Nature.LASTING, says="{who} pays: {status.words}", adds={"statuses": "status"})
class StatusPaid(Event):
    """The price of a rewind, as a status that stays."""

    who: CharacterId
    status: Status


def pay_with_statuses(state: State, amount: int) -> list[StatusPaid]:
    """Every hero keeps a memory of what now never was: −1 for each unit of the price, down to −5."""
    told = []
    for who in (one for one in state.characters.values() if one.sheet.is_hero):
        key = f"rewind-{state.rewinds}-{who.id}"
        status = Status(id=key, name="déjà vu", value=max(-amount, WORN_OUT), who=who.id)
        told.append(StatusPaid(who=who.id, status=status))
    return told


# ---------------------------------------------------------------- the game

CHAPTERS = (HEROES, STATUSES, APPROACHES, CALLING, ROLLING, METERS, HARM, LESSONS, REWINDS)

NEW_SHOES: Ruleset = Ruleset(
    id="new_shoes",
    name="New Shoes",
    version="1",
    books=("New Shoes, after Roll for Shoes",),
    about="Three attributes, dice that explode, and whoever wins the roll tells what happens next.",
    dice="d6",
    rules=(approach, opposed_approach),
    duel=DUEL,
    measures=(
        Measure(
            game="new_shoes",
            name="New Shoes",
            words="a target of {target} with {dice}d6",
            ask=approach,
            success=beats,
            ranges={"target": range(EASIEST, HARDEST + 1), "dice": DICE},
            steady=True,
        ),
    ),
    tables={"targets": chances_to_beat_a_target, "opposed": chances_against_another_player},
    skins=skin_shelf(__package__, lambda: NEW_SHOES),
    sheet=Sheet,
    options=Options,
    game=Game,
    begin=lambda options: Game(),
    chapters=CHAPTERS,
    furniture=furniture,
    breakdown=breakdown,
    terms=TERMS,
    difficulties={step.value: step.target for step in Step},
    prices={
        "attribute": METERS.price("each hero pays points of the attribute that stands highest", *ATTRIBUTES.values()),
        "status": Price("each hero gets a negative status that stays", pay_with_statuses),
    },
    overrides=METERS.overrides,
    heroes=HERO_BOOK,
    foes="make_npc",
    at_hand=AT_HAND,
    sheet_page=__package__,
)
