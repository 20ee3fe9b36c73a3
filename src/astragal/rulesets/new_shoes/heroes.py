"""Heroes: ten points in three attributes, and what rolls teach them; others in the story. NS-01, NS-15, NS+01."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, TypeAlias

from astragal.chance import d6
from astragal.game import GAME_MASTER_AND_PLAYERS, Chapter, Command, Event, NotAnOption, Refusal, Seen, Teller, replace
from astragal.game.display import Proposal
from astragal.game.fields import CharacterId, Doc, Ge, Le, Name, PlayerSeat, Words
from astragal.game.heroes import BoughtHeroes, Plain, heroes_in, pick, samples_in
from astragal.game.meters import Gained, Meter
from astragal.game.point_buy import Budget, Build, Draw, Nearest, Number, PointBuy, highest
from astragal.game.shared import Entered, Introduced, NameOfFoe, WhichFoe, entered, from_setting, introduced

from .rolling import ApproachRolled
from .rules import Result
from .state import TERMS, Attribute, Call, Chains, Kind, Points, Sheet, State, Status

HEROES = Chapter(seen=Seen.ALL)

POINTS = 10
LEAST = 1
MOST = 8
FAR = 99
"""Limit of the number that can be typed: up to here a refusal says what is wrong with the points."""

# ---------------------------------------------------------------- ten points


def ten_points(terms: Mapping[str, str]) -> PointBuy:
    """NS-01: each attribute has 1 to 8 points, and together they have 10, no more and no fewer."""
    attributes = tuple(Number(attribute.value, LEAST, MOST, attribute.called(terms)) for attribute in Attribute)
    points = Budget(key="points", numbers=attributes, least=POINTS, most=POINTS, what="the three attributes")
    return PointBuy((points,))


class HeroesOfTen(BoughtHeroes[Plain, PointBuy]):
    """Heroes on paper, checked against the ten points."""

    def law(self, _: Any) -> PointBuy:
        return THE_TEN

    def points(self, _: Plain, ten: PointBuy) -> PointBuy:
        return ten

    def numbers(self, hero: Plain, _: PointBuy) -> Build:
        numbers = {}
        for attribute in Attribute:
            points = hero.get(attribute.value)
            if type(points) is int:
                numbers[attribute.value] = points
        return numbers

    def rebuilt(self, hero: Plain, near: Nearest, _: PointBuy) -> tuple[list[str], Plain]:
        return [near.words], {**hero, **near.build}

    def repairs(self, hero: Plain, ten: PointBuy) -> list[tuple[str, Plain]]:
        """NS-01: the nearest legal points, where there are three numbers to repair."""
        if len(self.numbers(hero, ten)) < len(Attribute):
            return []
        return super().repairs(hero, ten)


THE_TEN = ten_points(TERMS)
HEROES_OF_TEN = HeroesOfTen()


# ---------------------------------------------------------------- into the story


def new_sheet(kind: Kind, made: MakeHero | MakeNpc) -> Sheet:
    """NS-11: a new sheet, with every attribute at its full value."""
    return Sheet(
        kind=kind,
        body=full_points(made.body),
        mind=full_points(made.mind),
        will=full_points(made.will),
        about=made.about,
    )


def full_points(points: int | None) -> Points | None:
    return None if points is None else Points(now=points, full=points)


@HEROES.command("make_hero", may=GAME_MASTER_AND_PLAYERS)
class MakeHero(Command):
    """Bring a hero into the story, with 10 points in three attributes."""

    name: Annotated[Name, Doc("what the hero is called")]
    body: Annotated[int, Ge(-FAR), Le(FAR), Doc("points in Body")]
    mind: Annotated[int, Ge(-FAR), Le(FAR), Doc("points in Mind")]
    will: Annotated[int, Ge(-FAR), Le(FAR), Doc("points in Will")]
    about: Annotated[Words, Doc("who the hero is")] = ""
    seat: Annotated[PlayerSeat, Doc("whose hero it is, where the game master makes it")] = None

    def does(self, call: Call) -> list[Entered[Sheet]]:
        """NS-01: illegal points are refused with every reason, and with the nearest legal ones."""
        HEROES_OF_TEN.check({"body": self.body, "mind": self.mind, "will": self.will}, ten_points(call.state.terms))
        return [entered(call, self.name, new_sheet(Kind.HERO, self), self.seat)]


Extent: TypeAlias = Annotated[int | None, Ge(1), Le(20)]


@HEROES.command("make_npc")
class MakeNpc(Command):
    """Bring someone or something into the story that can be opposed and harmed. It never rolls."""

    name: NameOfFoe = ""
    foe: WhichFoe = None
    body: Annotated[Extent, Doc("points in Body; none takes harm as a status")] = None
    mind: Annotated[Extent, Doc("points in Mind; none takes harm as a status")] = None
    will: Annotated[Extent, Doc("points in Will; none takes harm as a status")] = None
    thing: Annotated[bool, Doc("whether it is a thing, not a person")] = False
    about: Annotated[Words, Doc("who or what it is; all can read it")] = ""

    def does(self, call: Call) -> list[Introduced[Sheet]]:
        """NS-15: with attributes, or without."""
        npc = from_setting(call, self)
        return [introduced(call, npc.name, new_sheet(Kind.THING if npc.thing else Kind.NPC, npc))]


# ---------------------------------------------------------------- heroes on paper

BEST = "best"
"""The wish for the attribute that is to be highest, or to share the highest place."""


def random_hero(draw: Draw, wishes: Mapping[str, str], _: Any) -> Plain:
    """NS-01: any legal points, each as likely as any other; with a wish, any in which that attribute is highest."""
    (budget,) = THE_TEN.budgets
    wish = wishes.get(BEST, "").strip()
    if wish and wish.casefold() not in {attribute.value for attribute in Attribute}:
        raise NotAnOption(f"{wish[:40]!r} is no attribute; there are body, mind and will.")
    points = budget.random(draw, highest(wish.casefold(), budget.numbers) if wish else ())
    return {"name": pick(draw, heroes_in(__package__)["names"]), **points}


HERO_BOOK = HEROES_OF_TEN.book(
    make="make_hero",
    advance=("learn",),
    samples=samples_in(__package__),
    random=random_hero,
    wishes={BEST: "the highest attribute"},
    wish_choices=lambda _: {BEST: {attribute.value: attribute.value.capitalize() for attribute in Attribute}},
)


# ---------------------------------------------------------------- lessons: failures give XP, sixes teach specialities

LESSONS = Chapter(seen=Seen.ALL)

SPECIALITY = 1
"""NS+01: the value of a speciality."""


def sixes_missing(thrown: Chains) -> int:
    """NS+01: number of dice of the first throw that were no six. 0 teaches, and XP can stand in for the others."""
    return sum(chain[0] != d6.sides for chain in thrown)


# ---------------------------------------------------------------- after a roll


XP = Meter("xp", most=lambda _: 99, seen=Seen.ALL, loses="spends", gains="earns", override="XP held")
"""NS+01: a failed roll earns 1, which can be used at once."""


@LESSONS.event("lesson_offered", says="{who} may learn a speciality[ for {price} {xp}]")
class LessonOffered(Event):
    """NS+01: all dice were sixes, or XP can make them so."""

    who: CharacterId
    price: int

    def changes(self, sheet: Sheet) -> Sheet:
        return replace(sheet, lesson=self.price)


@LESSONS.after(ApproachRolled)
def roll_teaches(state: State, rolled: ApproachRolled) -> list[Gained | LessonOffered]:
    """NS+01: both sides of an opposed roll can learn from it."""
    thrown = state.game.thrown
    if not state.options.lessons or thrown is None:
        return []
    lessons = list(lessons_of(state, rolled.who, thrown.mine, failed=rolled.result is Result.FAILURE))
    if rolled.opponent is not None:
        lessons += lessons_of(state, rolled.opponent, thrown.theirs, failed=rolled.result is Result.SUCCESS)
    return lessons


def lessons_of(state: State, who: str, thrown: Chains, *, failed: bool) -> Iterator[Gained | LessonOffered]:
    """NS+01: a failure earns 1 XP, which counts at once toward the sixes that are missing."""
    learner = state.characters[who]
    missing = sixes_missing(thrown)
    if failed:
        yield from XP.gained(learner, 1, "a failure")
    if missing <= learner.sheet.xp + failed:
        yield LessonOffered(who=who, price=missing)


# ---------------------------------------------------------------- learning


@LESSONS.event("speciality_learned", says="{who} has learned: {status.words}", sets={"lesson": None})
class SpecialityLearned(Event):
    """NS+01: someone is good at something from now on."""

    who: CharacterId
    status: Status

    def changes(self, sheet: Sheet) -> Sheet:
        return sheet.with_status(self.status)


@LESSONS.command("learn", actor="who")
class Learn(Command):
    """Name the speciality that a roll has taught; XP stand in for the dice that were no sixes."""

    who: Annotated[CharacterId, Doc("who learns")]
    speciality: Annotated[Name, Doc("what they are good at from now on")]

    def does(self, call: Call) -> list[Any]:
        who = call.state.find(self.who)
        price = who.sheet.lesson
        if price is None:
            raise Refusal(f"{who.name}’s last roll taught nothing.", code="no_lesson")
        if price > who.sheet.xp:
            raise Refusal(f"{who.name} has {who.sheet.xp} XP, not {price}.", code="no_xp")
        names = {status.name.casefold() for status in who.sheet.statuses}
        if self.speciality.casefold() in names:
            raise Refusal(f"“{self.speciality}” is true of {who.name} already.", code="name_taken")
        status = Status(id=call.fresh, name=self.speciality, value=SPECIALITY, who=who.id, speciality=True)
        return [*XP.lost(who, price), SpecialityLearned(who=who.id, status=status)]


@LESSONS.proposes
def lessons_to_learn(state: State, _: Teller) -> Iterator[Proposal]:
    """NS+01: propose to name what a roll has taught; otherwise it passes."""
    for learner in state.characters.values():
        price = learner.sheet.lesson
        if price is not None and price <= learner.sheet.xp:
            about = f"The last roll taught something: name it for {price} XP, or let it pass."
            yield Proposal(about, "learn", "learn", (("who", learner.id),), who=learner.id)
