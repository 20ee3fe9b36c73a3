"""Narrative Points: earned at the table, spent on growth. NJ+06."""

from __future__ import annotations

from dataclasses import replace

from astragal.table.refusals import Refusal
from astragal.table.ruleset import Action, Call, Chapter, Happening
from astragal.table.state import Character, State

from . import words
from .anchors import Anchor, Burden, Grade, burdens_missing
from .asked import AwardPoints, BuyAnchor, EaseBurden, RaiseAnchor, RaiseStat
from .gear import check_new
from .happened import AnchorBought, AnchorRaised, BurdenEased, PointsEarned, StatRaised
from .sheet import MOST_POINTS, Sheet, find, find_named
from .stats import reserve_capacity

NEW_ANCHOR = {Grade.MINOR: 2, Grade.MODERATE: 4}
RAISED_ANCHOR = {Grade.MODERATE: 2, Grade.MAJOR: 3}
EASED_BURDEN = 3
RAISED_STAT = 3
HIGHEST_BOUGHT = 5
MOST_IN_A_SESSION = 2


class NotForSale(Refusal):
    code = "not_for_sale"


# ---------------------------------------------------------------- earning


def _award(call: Call, asked: AwardPoints, _: None) -> list[PointsEarned]:
    """NJ+06: 1 or 2 in a session, and never more than 5 in hand."""
    who, evening = _growing(call, asked.who), call.state.calendar.evening
    earned = who.sheet.earned if who.sheet.earned_in == evening else 0
    if earned + asked.points > MOST_IN_A_SESSION:
        raise Refusal(f"{who.name} has earned {earned} this session, and {MOST_IN_A_SESSION} is the most.", code="full")
    held = min(MOST_POINTS, who.sheet.points + asked.points)
    if held == who.sheet.points:
        raise Refusal(f"{who.name} holds {held} Narrative Points, and can hold no more.", code="full")
    gained = held - who.sheet.points
    return [PointsEarned(who=who.id, points=gained, held=held, evening=evening, earned=earned + gained)]


def _growing(call: Call, who: str) -> Character[Sheet]:
    if not call.state.options.advancement:
        raise Refusal("This table plays without Narrative Points.", code="switched_off")
    return find(call.state, who)


# ---------------------------------------------------------------- spending


def _check_price(who: Character[Sheet], what: str, price: int) -> None:
    if who.sheet.points < price:
        raise NotForSale(f"{what} costs {price} Narrative Points, and {who.name} holds {who.sheet.points}.")


def _buy_anchor(call: Call, asked: BuyAnchor, _: None) -> list[AnchorBought]:
    """NJ+06: 2 for a minor one, 4 for a moderate one, and a Burden comes with it."""
    who = _growing(call, asked.who)
    price = NEW_ANCHOR.get(asked.grade)
    if price is None:
        raise NotForSale("A new Anchor is minor or moderate; a major one is raised to it.")
    _check_price(who, f"A new {asked.grade.value} Anchor", price)
    for name in (asked.name, asked.burden):
        check_new(who.name, who.sheet, name)
    if asked.name.casefold() == asked.burden.casefold():
        raise Refusal("The Anchor and its Burden need two names.", code="name_taken")
    anchor = Anchor(name=asked.name, grade=asked.grade, scope=asked.scope)
    return [
        AnchorBought(who=who.id, anchor=anchor, burden=Burden(name=asked.burden, grade=asked.burden_grade), price=price)
    ]


def _raise_anchor(call: Call, asked: RaiseAnchor, _: None) -> list[AnchorRaised]:
    """NJ+06: 2 from minor to moderate, 3 from moderate to major."""
    who = _growing(call, asked.who)
    anchor = find_named(who, who.sheet.anchors, asked.anchor, "Anchor")
    grade = anchor.grade.higher
    if grade is None:
        raise NotForSale(f"“{anchor.name}” is major already.")
    _check_price(who, f"To make “{anchor.name}” {grade.value}", RAISED_ANCHOR[grade])
    return [AnchorRaised(who=who.id, anchor=anchor.name, grade=grade, price=RAISED_ANCHOR[grade])]


def _ease_burden(call: Call, asked: EaseBurden, _: None) -> list[BurdenEased]:
    """NJ+06: 3, a grade lower or gone; but NJ-16 holds for whoever is rid of one."""
    who = _growing(call, asked.who)
    burden = find_named(who, who.sheet.burdens, asked.burden, "Burden")
    grade = None if asked.remove else burden.grade.lower
    if grade is None and burdens_missing(len(who.sheet.anchors), len(who.sheet.burdens) - 1):
        raise NotForSale(
            f"{who.name} has {len(who.sheet.anchors)} Anchors and {len(who.sheet.burdens)} Burdens, "
            "and the Rule of Balance asks for as many Burdens as Anchors."
        )
    _check_price(who, f"To ease “{burden.name}”", EASED_BURDEN)
    return [BurdenEased(who=who.id, burden=burden.name, grade=grade, price=EASED_BURDEN)]


def _raise_stat(call: Call, asked: RaiseStat, _: None) -> list[StatRaised]:
    """NJ+06: 3 for a point, up to 5. What the Reserve can hold more, it holds at once."""
    who = _growing(call, asked.who)
    rating = who.sheet.ratings[asked.stat] + 1
    if rating > HIGHEST_BOUGHT:
        raise NotForSale(f"{asked.stat.title} is {rating - 1}; points buy no more than {HIGHEST_BOUGHT}.")
    _check_price(who, f"{asked.stat.title} {rating}", RAISED_STAT)
    reserve = who.sheet.reserves[asked.stat] + reserve_capacity(rating) - reserve_capacity(rating - 1)
    return [StatRaised(who=who.id, stat=asked.stat, rating=rating, reserve=reserve, price=RAISED_STAT)]


# ---------------------------------------------------------------- folds


def _paying(state: State, who: str, price: int) -> Sheet:
    sheet: Sheet = state.characters[who].sheet
    return replace(sheet, points=sheet.points - price)


def _hold(state: State, told: PointsEarned) -> State:
    sheet = state.characters[told.who].sheet
    return state.with_sheet(told.who, replace(sheet, points=told.held, earned=told.earned, earned_in=told.evening))


def _add_anchor(state: State, told: AnchorBought) -> State:
    sheet = _paying(state, told.who, told.price)
    anchors, burdens = (*sheet.anchors, told.anchor), (*sheet.burdens, told.burden)
    return state.with_sheet(told.who, replace(sheet, anchors=anchors, burdens=burdens))


def _lift_anchor(state: State, told: AnchorRaised) -> State:
    sheet = _paying(state, told.who, told.price)
    anchors = tuple(replace(one, grade=told.grade) if one.name == told.anchor else one for one in sheet.anchors)
    return state.with_sheet(told.who, replace(sheet, anchors=anchors))


def _lower_burden(state: State, told: BurdenEased) -> State:
    sheet = _paying(state, told.who, told.price)
    if told.grade is None:
        burdens = tuple(one for one in sheet.burdens if one.name != told.burden)
        pressing = tuple(name for name in sheet.pressing if name != told.burden)
        return state.with_sheet(told.who, replace(sheet, burdens=burdens, pressing=pressing))
    burdens = tuple(replace(one, grade=told.grade) if one.name == told.burden else one for one in sheet.burdens)
    return state.with_sheet(told.who, replace(sheet, burdens=burdens))


def _grow(state: State, told: StatRaised) -> State:
    sheet = _paying(state, told.who, told.price)
    grown = replace(sheet, ratings=sheet.ratings.but(told.stat, told.rating))
    return state.with_sheet(told.who, grown.with_reserve(told.stat, told.reserve))


ADVANCEMENT = Chapter(
    actions=(
        Action(AwardPoints, _award),
        Action(BuyAnchor, _buy_anchor),
        Action(RaiseAnchor, _raise_anchor),
        Action(EaseBurden, _ease_burden),
        Action(RaiseStat, _raise_stat),
    ),
    happenings=(
        Happening(PointsEarned, words.points_earned, _hold),
        Happening(AnchorBought, words.anchor_bought, _add_anchor),
        Happening(AnchorRaised, words.anchor_raised, _lift_anchor),
        Happening(BurdenEased, words.burden_eased, _lower_burden),
        Happening(StatRaised, words.stat_raised, _grow),
    ),
)
