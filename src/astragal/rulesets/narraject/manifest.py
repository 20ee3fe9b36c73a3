"""Narraject as a whole: its meters, the price of a rewind, overrides, and its chapters."""

from __future__ import annotations

from astragal.game import (
    Chapter,
    Event,
    Measure,
    Meters,
    Nature,
    Overridable,
    Price,
    Refusal,
    Ruleset,
    Seen,
    board_of,
    due_in,
    proposals_of,
    replace,
    skin_shelf,
)
from astragal.game.fields import CharacterId, Name

from .advancement import ADVANCEMENT, POINTS
from .aspects import ASPECTS
from .book_tables import chances_of_a_hand, is_success, roll_dice
from .display import AT_HAND, EVERYDAY, breakdown, furniture
from .duel import DUEL
from .facts import FACTS
from .hand import Difficulty, roll_hand
from .harm import HARM, STRESS
from .heroes import HERO_BOOK, HEROES
from .intent import INTENT
from .recovery import RECOVERY, RESERVES
from .sheet import LEAST_RATING, MOST_RATING, Burden, Grade, Sheet, Stat
from .state import TERMS, Game, Options, State
from .threats import THREATS
from .traits import TRAITS

METERS = Meters(*RESERVES.values(), *STRESS.values(), POINTS)

# ---------------------------------------------------------------- the price of a rewind

REWINDS = Chapter(seen=Seen.ALL)


@REWINDS.event("burden_paid", nature=Nature.LASTING, owner="who", says="{who} bears a new {burden}: {name} ({grade})")
class BurdenPaid(Event):
    """A rewind left a Burden, for good."""

    who: CharacterId
    name: Name
    grade: Grade

    def fold(self, state: State) -> State:
        if self.who not in state.characters:
            return state
        burdens = state.characters[self.who].sheet.burdens
        return state.changed(self.who, burdens=(*burdens, Burden(name=self.name, grade=self.grade)))


def pay_with_burdens(state: State, amount: int) -> list[BurdenPaid]:
    """Each hero bears a new Burden: minor for 1, moderate for 2, major for 3 and more."""
    grade, told = Grade.of(min(amount, 3)) or Grade.MINOR, []
    for hero in (one for one in state.characters.values() if one.seat is not None):
        name, number = "Echo of what was undone", 1
        while hero.sheet.has_name(name):
            number += 1
            name = f"Echo of what was undone ({number})"
        told.append(BurdenPaid(who=hero.id, name=name, grade=grade))
    if not told:
        raise Refusal("There is nobody to pay for this.", code="price")
    return told


# ---------------------------------------------------------------- overrides


def override_rating(stat: Stat) -> Overridable:
    return Overridable(
        f"the Rating of {stat.title}",
        (LEAST_RATING, MOST_RATING),
        lambda sheet: sheet.ratings[stat],
        lambda sheet, rating: replace(sheet, ratings=sheet.ratings.but(stat, rating)),
    )


# ---------------------------------------------------------------- the game

NARRAJECT: Ruleset = Ruleset(
    id="narraject",
    name="Narraject",
    version="1",
    books=("Narraject: Core Mechanics",),
    about="Say what you want to be true, gather a hand of dice from all that you are, and count the fives and sixes.",
    dice="d6",
    rules=(roll_hand,),
    duel=DUEL,
    measures=(
        Measure(
            game="narraject",
            name="Narraject",
            words="a difficulty of {difficulty} with {dice}d6",
            ask=roll_dice,
            success=is_success,
            ranges={"difficulty": range(1, 12), "dice": range(1, 21)},
            steady=True,
        ),
    ),
    tables={"hands": chances_of_a_hand},
    skins=skin_shelf(__package__, lambda: NARRAJECT),
    sheet=Sheet,
    options=Options,
    game=Game,
    begin=lambda _: Game(),
    chapters=(HEROES, INTENT, ASPECTS, FACTS, TRAITS, HARM, THREATS, METERS, RECOVERY, ADVANCEMENT, REWINDS),
    furniture=furniture,
    board=board_of((THREATS, INTENT, ASPECTS, FACTS)),
    breakdown=breakdown,
    terms=TERMS,
    difficulties={name.value: name.successes for name in Difficulty},
    prices={
        "reserve": METERS.price("points of Reserve from each hero, from whichever stat holds most", *RESERVES.values()),
        "burden": Price("a new Burden for each hero: minor for 1, moderate for 2, major for 3", pay_with_burdens),
    },
    overrides={**{stat.value: override_rating(stat) for stat in Stat}, **METERS.overrides},
    heroes=HERO_BOOK,
    foes="raise_threat",
    due=due_in((INTENT, ADVANCEMENT, HARM)),
    everyday=EVERYDAY,
    at_hand=AT_HAND,
    sheet_page=__package__,
    proposals=proposals_of((INTENT,)),
)
