"""What a rewind costs, and what a game master may set by hand."""

from __future__ import annotations

from dataclasses import replace

from astragal.table.refusals import Refusal
from astragal.table.ruleset import Chapter, Happening, Overridable, Price
from astragal.table.state import Character, State

from . import words
from .anchors import Burden, Grade
from .happened import BurdenPaid, ReservePaid
from .harm import BOXES
from .sheet import MOST_POINTS, Sheet
from .stats import LEAST_RATING, MOST_RATING, ByStat, Stat, by_stat, reserve_capacity


def _players_heroes(state: State) -> list[Character[Sheet]]:
    heroes = [one for one in state.characters.values() if one.seat is not None]
    if not heroes:
        raise Refusal("There is nobody to pay for this.", code="price")
    return heroes


def _reserve(state: State, points: int) -> list[ReservePaid]:
    """Each hero pays, always from the fullest Reserve; one who has less pays all."""
    paid = {hero.id: from_the_fullest(hero.sheet.reserves, points) for hero in _players_heroes(state)}
    told = [ReservePaid(who=who, paid=points_of) for who, points_of in paid.items() if points_of.total]
    if not told:
        raise Refusal("Every Reserve is empty, so it can't pay for this.", code="price")
    return told


def from_the_fullest(reserves: ByStat, points: int) -> ByStat:
    """So many points, one by one from whichever Reserve holds most; of equals, in the order of the sheet."""
    left = {stat: reserves[stat] for stat in Stat}
    for _ in range(min(points, sum(left.values()))):
        fullest = max(left, key=lambda stat: left[stat])
        left[fullest] -= 1
    return by_stat({stat: reserves[stat] - left[stat] for stat in Stat})


def _burden(state: State, amount: int) -> list[BurdenPaid]:
    """Each hero bears a new Burden: minor for 1, moderate for 2, major for 3 and more."""
    grade = Grade.of(min(amount, 3)) or Grade.MINOR
    return [BurdenPaid(who=hero.id, name=_echo(hero.sheet), grade=grade) for hero in _players_heroes(state)]


def _echo(sheet: Sheet) -> str:
    """A name that nothing on the sheet has yet."""
    number = 1
    while sheet.has_name(words.echo_name(number)):
        number += 1
    return words.echo_name(number)


def _pay_reserve(state: State, told: ReservePaid) -> State:
    if told.who not in state.characters:
        return state
    sheet = state.characters[told.who].sheet
    left = by_stat({stat: max(0, sheet.reserves[stat] - told.paid[stat]) for stat in Stat})
    return state.with_sheet(told.who, replace(sheet, reserves=left))


def _pay_burden(state: State, told: BurdenPaid) -> State:
    if told.who not in state.characters:
        return state
    sheet = state.characters[told.who].sheet
    burden = Burden(name=told.name, grade=told.grade)
    return state.with_sheet(told.who, replace(sheet, burdens=(*sheet.burdens, burden)))


PRICES = {
    "reserve": Price("points of Reserve from each hero, from whichever stat holds most", _reserve),
    "burden": Price("a new Burden for each hero: minor for 1, moderate for 2, major for 3", _burden),
}

PAYING = Chapter(
    happenings=(
        Happening(ReservePaid, words.reserve_paid, _pay_reserve),
        Happening(BurdenPaid, words.burden_paid, _pay_burden),
    )
)


def _rating(stat: Stat) -> Overridable:
    def write(sheet: Sheet, rating: int) -> Sheet:
        return replace(sheet, ratings=sheet.ratings.but(stat, rating))

    return Overridable(
        f"the Rating of {stat.title}", (LEAST_RATING, MOST_RATING), lambda sheet: sheet.ratings[stat], write
    )


def _left(stat: Stat) -> Overridable:
    most = reserve_capacity(MOST_RATING)
    return Overridable(
        f"points left in {stat.title}",
        (0, most),
        lambda sheet: sheet.reserves[stat],
        lambda sheet, left: sheet.with_reserve(stat, left),
    )


OVERRIDES = {
    **{stat.value: _rating(stat) for stat in Stat},
    **{f"{stat.value}_reserve": _left(stat) for stat in Stat},
    "physical_stress": Overridable(
        "filled boxes of physical stress", (0, BOXES), lambda sheet: sheet.physical, lambda s, n: replace(s, physical=n)
    ),
    "mental_stress": Overridable(
        "filled boxes of mental stress", (0, BOXES), lambda sheet: sheet.mental, lambda s, n: replace(s, mental=n)
    ),
    "narrative_points": Overridable(
        "Narrative Points held", (0, MOST_POINTS), lambda sheet: sheet.points, lambda s, n: replace(s, points=n)
    ),
}
