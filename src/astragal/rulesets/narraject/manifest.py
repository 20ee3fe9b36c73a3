"""Narraject as a whole: the price of a rewind, overrides, and its chapters."""

from __future__ import annotations

from astragal.game import (
    Chapter,
    Character,
    Event,
    Measure,
    Nature,
    Overridable,
    Price,
    Refusal,
    Ruleset,
    Seen,
    Teller,
    board_of,
    due_in,
    proposals_of,
    replace,
)
from astragal.game.fields import CharacterId, Name

from .advancement import ADVANCEMENT
from .aspects import ASPECTS
from .book_tables import chances_of_a_hand, is_success, roll_dice
from .building import HERO_BOOK
from .display import TOOLS, breakdown, furniture
from .facts import FACTS
from .hand import roll_hand
from .harm import HARM
from .heroes import HEROES
from .intent import INTENT
from .recovery import RECOVERY
from .sheet import (
    BOXES,
    LEAST_RATING,
    MOST_POINTS,
    MOST_RATING,
    Burden,
    ByStat,
    Grade,
    Sheet,
    Stat,
    by_stat,
    reserve_capacity,
)
from .state import TERMS, Game, Options, State
from .threats import THREATS
from .traits import TRAITS

# ---------------------------------------------------------------- the price of a rewind

REWINDS = Chapter(seen=Seen.ALL)


@REWINDS.event("reserve_paid", nature=Nature.LASTING, owner="who")
class ReservePaid(Event):
    """A rewind cost points of Reserve, for good."""

    who: CharacterId
    paid: ByStat

    def says(self, teller: Teller) -> str:
        return f"{teller.name(self.who)} pays {teller.term('reserve')}: {self.paid.words(teller)}"

    def fold(self, state: State) -> State:
        """A price stays paid where its hero is not in the story yet, or has less."""
        if self.who not in state.characters:
            return state
        before = state.characters[self.who].sheet.reserves
        left = by_stat({stat: max(0, before[stat] - self.paid[stat]) for stat in Stat})
        return state.changed(self.who, reserves=left)


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


def players_heroes(state: State) -> list[Character[Sheet]]:
    heroes = [one for one in state.characters.values() if one.seat is not None]
    if not heroes:
        raise Refusal("There is nobody to pay for this.", code="price")
    return heroes


def from_the_fullest(reserves: ByStat, points: int) -> ByStat:
    """So many points, one by one from whichever Reserve holds most; of equals, in the order of the sheet."""
    left = {stat: reserves[stat] for stat in Stat}
    for _ in range(min(points, sum(left.values()))):
        fullest = max(left, key=lambda stat: left[stat])
        left[fullest] -= 1
    return by_stat({stat: reserves[stat] - left[stat] for stat in Stat})


def pay_reserve(state: State, points: int) -> list[ReservePaid]:
    """Each hero pays, always from the fullest Reserve; one who has less pays all."""
    paid = {hero.id: from_the_fullest(hero.sheet.reserves, points) for hero in players_heroes(state)}
    told = [ReservePaid(who=who, paid=points_of) for who, points_of in paid.items() if points_of.total]
    if not told:
        raise Refusal("Every Reserve is empty, so it can't pay for this.", code="price")
    return told


def pay_with_burdens(state: State, amount: int) -> list[BurdenPaid]:
    """Each hero bears a new Burden: minor for 1, moderate for 2, major for 3 and more."""
    grade, told = Grade.of(min(amount, 3)) or Grade.MINOR, []
    for hero in players_heroes(state):
        name, number = "Echo of what was undone", 1
        while hero.sheet.has_name(name):
            number += 1
            name = f"Echo of what was undone ({number})"
        told.append(BurdenPaid(who=hero.id, name=name, grade=grade))
    return told


# ---------------------------------------------------------------- overrides


def override_rating(stat: Stat) -> Overridable:
    return Overridable(
        f"the Rating of {stat.title}",
        (LEAST_RATING, MOST_RATING),
        lambda sheet: sheet.ratings[stat],
        lambda sheet, rating: replace(sheet, ratings=sheet.ratings.but(stat, rating)),
    )


def override_reserve(stat: Stat) -> Overridable:
    return Overridable(
        f"points left in {stat.title}",
        (0, reserve_capacity(MOST_RATING)),
        lambda sheet: sheet.reserves[stat],
        lambda sheet, left: sheet.with_reserve(stat, left),
    )


def override_number(doc: str, most: int, name: str) -> Overridable:
    return Overridable(
        doc, (0, most), lambda sheet: getattr(sheet, name), lambda sheet, now: replace(sheet, **{name: now})
    )


# ---------------------------------------------------------------- the game

NARRAJECT = Ruleset(
    id="narraject",
    name="Narraject",
    version="1",
    books=("Narraject: Core Mechanics",),
    about="Say what you want to be true, gather a hand of dice from all that you are, and count the fives and sixes.",
    dice="d6",
    rules=(roll_hand,),
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
    sheet=Sheet,
    options=Options,
    game=Game,
    begin=lambda _: Game(),
    chapters=(HEROES, INTENT, ASPECTS, FACTS, TRAITS, HARM, THREATS, RECOVERY, ADVANCEMENT, REWINDS),
    furniture=furniture,
    board=board_of((THREATS, INTENT, ASPECTS, FACTS)),
    reckoning=breakdown,
    terms=TERMS,
    prices={
        "reserve": Price("points of Reserve from each hero, from whichever stat holds most", pay_reserve),
        "burden": Price("a new Burden for each hero: minor for 1, moderate for 2, major for 3", pay_with_burdens),
    },
    overrides={
        **{stat.value: override_rating(stat) for stat in Stat},
        **{f"{stat.value}_reserve": override_reserve(stat) for stat in Stat},
        "physical_stress": override_number("filled boxes of physical stress", BOXES, "physical"),
        "mental_stress": override_number("filled boxes of mental stress", BOXES, "mental"),
        "narrative_points": override_number("Narrative Points held", MOST_POINTS, "points"),
    },
    heroes=HERO_BOOK,
    due=due_in((INTENT, ADVANCEMENT, HARM)),
    tools=TOOLS,
    proposals=proposals_of((INTENT,)),
)
