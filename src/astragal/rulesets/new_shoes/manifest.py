"""New Shoes as a whole: its meters, the price of a rewind, and its chapters."""

from __future__ import annotations

from astragal.game import (
    Chapter,
    Event,
    Measure,
    Meters,
    Nature,
    Price,
    Ruleset,
    Seen,
    board_of,
    due_in,
    proposals_of,
    skin_shelf,
)
from astragal.game.fields import CharacterId

from .approaches import APPROACHES
from .calling import CALLING
from .display import AT_HAND, EVERYDAY, breakdown, furniture
from .duel import DUEL
from .harm import ATTRIBUTES, HARM
from .heroes import HERO_BOOK, HEROES
from .lessons import LESSONS, XP
from .reactions import REACTIONS
from .rolling import ROLLING
from .rules import (
    DICE,
    EASIEST,
    HARDEST,
    Step,
    approach,
    beats,
    chances_against_another_player,
    chances_to_beat_a_target,
    opposed_approach,
)
from .state import TERMS, WORN_OUT, Game, Options, Sheet, State, Status
from .statuses import STATUSES, hold

METERS = Meters(*ATTRIBUTES.values(), XP, payer=lambda who: who.sheet.is_hero)

# ---------------------------------------------------------------- the price of a rewind

REWINDS = Chapter(seen=Seen.ALL)


@REWINDS.event("status_paid", nature=Nature.LASTING, owner="who", says="{who} pays: {status.words}")
class StatusPaid(Event):
    """The price of a rewind, as a status that stays."""

    who: CharacterId
    status: Status

    def fold(self, state: State) -> State:
        return hold(state, self.status)


def pay_with_statuses(state: State, amount: int) -> list[StatusPaid]:
    """Every hero keeps a memory of what now never was: −1 for each unit of the price, down to −5."""
    told = []
    for who in (one for one in state.characters.values() if one.sheet.is_hero):
        key = f"rewind-{state.rewinds}-{who.id}"
        status = Status(id=key, name="déjà vu", value=max(-amount, WORN_OUT), who=who.id)
        told.append(StatusPaid(who=who.id, status=status))
    return told


# ---------------------------------------------------------------- the game

CHAPTERS = (HEROES, APPROACHES, CALLING, REACTIONS, ROLLING, STATUSES, METERS, HARM, LESSONS, REWINDS)

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
    board=board_of((STATUSES, APPROACHES)),
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
    due=due_in((APPROACHES, LESSONS, HARM)),
    everyday=EVERYDAY,
    at_hand=AT_HAND,
    sheet_page=__package__,
    proposals=proposals_of((APPROACHES,)),
)
