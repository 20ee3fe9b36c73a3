"""Narrative Points: earned at the table, spent on growth. NJ+06."""

from collections.abc import Iterator
from typing import Annotated, Any

from astragal.game import Chapter, Character, Command, Event, Refusal, Seen, Teller, meters, replace
from astragal.game.fields import CharacterId, Doc, Ge, Label, Le, Name

from .heroes import burdens_missing
from .state import Anchor, Burden, Call, Grade, Scope, Sheet, Stat, State, Who, find_named, reserve_capacity
from .traits import check_new

ADVANCEMENT = Chapter(seen=Seen.ALL)

# NJ+06: prices
NEW_ANCHOR = {Grade.MINOR: 2, Grade.MODERATE: 4}
RAISED_ANCHOR = {Grade.MODERATE: 2, Grade.MAJOR: 3}
EASED_BURDEN = 3
RAISED_STAT = 3
HIGHEST_BOUGHT = 5
MOST_IN_A_SESSION = 2
"""NJ+06: Narrative Points that can be earned in a session."""
MOST_POINTS = 5
"""NJ+06: Narrative Points that can be held."""
BUYS = "they buy Anchors, Ratings and relief from Burdens; a fact (inject), once a session, costs none"

POINTS = meters.Meter(
    "narrative_points",
    most=lambda _: MOST_POINTS,
    seen=Seen.ALL,
    field="points",
    loses="spends",
    override="Narrative Points held",
    limit=MOST_POINTS,
)


def find_growing(call: Call, who: str) -> Character[Sheet]:
    if not call.state.options.advancement:
        raise Refusal("This table plays without Narrative Points.", code="switched_off")
    return call.state.find(who)


# ---------------------------------------------------------------- earning


@ADVANCEMENT.event("points_earned", says="{narrative_points} for {who}: {points:+}, {held} in all")
class PointsEarned(Event):
    """NJ+06: Narrative Points were earned."""

    who: CharacterId
    points: int
    held: int
    evening: int
    earned: int
    """Points earned this evening, including these."""

    def changes(self, sheet: Sheet) -> Sheet:
        return replace(sheet, points=self.held, earned=self.earned, earned_in=self.evening)


def earned_by(who: Character[Sheet], points: int, evening: int) -> PointsEarned:
    """NJ+06: 1 or 2 in a session, and never more than 5 in hand; any beyond that are lost."""
    sheet = who.sheet
    earned = sheet.earned if sheet.earned_in == evening else 0
    gained = min(points, MOST_IN_A_SESSION - earned, POINTS.room(who))
    held = sheet.points + gained
    return PointsEarned(who=who.id, points=gained, held=held, evening=evening, earned=earned + gained)


@ADVANCEMENT.command("award_points")
class AwardPoints(Command):
    """Give heroes Narrative Points: 1 or 2 in a session."""

    who: Annotated[tuple[CharacterId, ...], Label("for whom"), Doc("which heroes; nobody named means all")] = ()
    points: Annotated[int, Ge(1), Le(2), Label("Narrative Points")] = 1

    def does(self, call: Call) -> list[PointsEarned]:
        """NJ+06: skip heroes who can earn no more; refuse if they were named, or if nobody can earn any."""
        evening = call.state.calendar.evening
        ids = dict.fromkeys(self.who) or [character.id for character in call.state.played]
        awards = [earned_by(find_growing(call, who), self.points, evening) for who in ids]
        names_of_full = [call.state.find(award.who).name for award in awards if not award.points]
        if len(names_of_full) == len(awards) or (names_of_full and self.who):
            names = " and ".join(names_of_full) or "Nobody"
            most = f"{MOST_IN_A_SESSION} in a session is the most, and {MOST_POINTS} in hand"
            raise Refusal(f"{names} can earn no more Narrative Points: {most}.", code="full")
        return [award for award in awards if award.points]


@ADVANCEMENT.due
def points_due(state: State, teller: Teller) -> Iterator[str]:
    """NJ+06: remind the game master once a session is over: one or two points are due."""
    evening = state.calendar.evening
    unrewarded = [hero for hero in state.played if hero.sheet.earned_in != evening and POINTS.room(hero)]
    if unrewarded and state.options.advancement and not state.calendar.sitting:
        names = ", ".join(teller.name(hero.id) for hero in unrewarded)
        yield f"A Narrative Point or two is due for the evening: {names} (award_points)."


# ---------------------------------------------------------------- spending: on Anchors, on Burdens, on stats


class NotForSale(Refusal):
    code = "not_for_sale"


def paid(who: Character[Sheet], purchase: str, price: int) -> list[meters.Lost]:
    """Pay a price in Narrative Points, or refuse if too few are held."""
    if who.sheet.points < price:
        raise NotForSale(f"{purchase} costs {price} Narrative Points, and {who.name} holds {who.sheet.points}.")
    return POINTS.lost(who, price)


@ADVANCEMENT.event(
    "anchor_bought",
    says="{who} has a new Anchor: {anchor.words}, and with it {burden.words}",
    adds={"anchors": "anchor", "burdens": "burden"},
)
class AnchorBought(Event):
    """NJ+06: a new Anchor, and the Burden that it brings."""

    who: CharacterId
    anchor: Anchor
    burden: Burden


@ADVANCEMENT.command("buy_anchor", actor="who")
class BuyAnchor(Command):
    """Spend Narrative Points on a new Anchor, which brings a Burden with it."""

    who: Who
    name: Annotated[Name, Label("new Anchor")]
    new_burden: Annotated[Name, Label("new Burden")]
    grade: Annotated[Grade, Doc("NJ+06: minor (+1) for 2 points, moderate (+2) for 4")] = Grade.MINOR
    scope: Annotated[Scope, Doc("whether it covers much or little")] = Scope.BROAD
    burden_grade: Annotated[Grade, Doc("the Burden's grade")] = Grade.MINOR

    def does(self, call: Call) -> list[Any]:
        who = find_growing(call, self.who)
        price = NEW_ANCHOR.get(self.grade)
        if price is None:
            raise NotForSale("A new Anchor is minor or moderate; a major one is raised to it.")
        payment = paid(who, f"A new {self.grade.value} Anchor", price)
        check_new(who, self.name)
        check_new(who, self.new_burden)
        if self.name.casefold() == self.new_burden.casefold():
            raise Refusal("The Anchor and its Burden need two names.", code="name_taken")
        anchor = Anchor(name=self.name, grade=self.grade, scope=self.scope)
        burden = Burden(name=self.new_burden, grade=self.burden_grade)
        return [*payment, AnchorBought(who=who.id, anchor=anchor, burden=burden)]


@ADVANCEMENT.event("anchor_raised", says="{who}: {anchor} is {grade} now")
class AnchorRaised(Event):
    """NJ+06: an Anchor is a grade higher."""

    who: CharacterId
    anchor: str
    grade: Grade

    def changes(self, sheet: Sheet) -> Sheet:
        return sheet.graded(self.anchor, self.grade)


@ADVANCEMENT.command("raise_anchor", actor="who")
class RaiseAnchor(Command):
    """Spend Narrative Points to make an Anchor a grade higher: 2 to moderate (+2), 3 to major (+3)."""

    who: Who
    anchor: Annotated[Name, Doc("the Anchor")]

    def does(self, call: Call) -> list[Any]:
        who = find_growing(call, self.who)
        anchor = find_named(who, who.sheet.anchors, self.anchor, "Anchor")
        grade = anchor.grade.higher
        if grade is None:
            raise NotForSale(f"“{anchor.name}” is major already.")
        payment = paid(who, f"To make “{anchor.name}” {grade.value}", RAISED_ANCHOR[grade])
        return [*payment, AnchorRaised(who=who.id, anchor=anchor.name, grade=grade)]


@ADVANCEMENT.event("burden_eased", says="{who}: {burden} {grade:is|is gone}[ {grade} now]")
class BurdenEased(Event):
    """NJ+06: a Burden is a grade lower, or gone."""

    who: CharacterId
    burden: str
    grade: Grade | None

    def changes(self, sheet: Sheet) -> Sheet:
        if self.grade is None:
            return sheet.without(self.burden)
        return sheet.graded(self.burden, self.grade)


@ADVANCEMENT.command("ease_burden", actor="who")
class EaseBurden(Command):
    """Spend 3 Narrative Points to lower a Burden by a grade, or to be rid of it."""

    who: Who
    burden: Annotated[Name, Doc("the Burden")]
    remove: Annotated[
        bool, Label("be rid of it"), Doc("whether it is to go altogether; a minor one goes in any case")
    ] = False

    def does(self, call: Call) -> list[Any]:
        """NJ+06: 3 points lower a Burden by a grade or remove it. NJ-16: a removal must keep the Rule of Balance."""
        who = find_growing(call, self.who)
        burden = find_named(who, who.sheet.burdens, self.burden, "Burden")
        grade = None if self.remove else burden.grade.lower
        if grade is None:
            self.check_balance(who)
        payment = paid(who, f"To ease “{burden.name}”", EASED_BURDEN)
        return [*payment, BurdenEased(who=who.id, burden=burden.name, grade=grade)]

    def check_balance(self, who: Character[Sheet]) -> None:
        """NJ-16: refuse to remove a Burden if fewer Burdens than Anchors would be left."""
        anchors = len(who.sheet.anchors)
        burdens = len(who.sheet.burdens)
        if burdens_missing(anchors, burdens - 1):
            raise NotForSale(
                f"{who.name} has {anchors} Anchors and {burdens} Burdens, "
                "and the Rule of Balance asks for as many Burdens as Anchors."
            )


@ADVANCEMENT.event("stat_raised", says="{who}: {stat} is {rating} now")
class StatRaised(Event):
    """NJ+06: a stat is a point higher, and its Reserve with it."""

    who: CharacterId
    stat: Stat
    rating: int
    reserve: int

    def changes(self, sheet: Sheet) -> Sheet:
        ratings = sheet.ratings.but(self.stat, self.rating)
        reserves = sheet.reserves.but(self.stat, self.reserve)
        return replace(sheet, ratings=ratings, reserves=reserves)


@ADVANCEMENT.command("raise_stat", actor="who")
class RaiseStat(Command):
    """Spend 3 Narrative Points on a point of Rating, up to 5."""

    who: Who
    stat: Annotated[Stat, Doc("the stat")]

    def does(self, call: Call) -> list[Any]:
        """NJ+06: 3 for a point, up to 5. The Reserve rises at once by as much as its capacity."""
        who = find_growing(call, self.who)
        sheet = who.sheet
        rating = sheet.ratings[self.stat] + 1
        if rating > HIGHEST_BOUGHT:
            raise NotForSale(f"{self.stat.title} is {rating - 1}; points buy no more than {HIGHEST_BOUGHT}.")
        payment = paid(who, f"{self.stat.title} {rating}", RAISED_STAT)
        new_capacity = reserve_capacity(rating)
        reserve = sheet.reserves[self.stat] + new_capacity - sheet.capacity(self.stat)
        return [*payment, StatRaised(who=who.id, stat=self.stat, rating=rating, reserve=reserve)]
