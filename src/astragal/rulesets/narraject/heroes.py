"""New heroes: limits, checks and repairs on paper, random heroes, and into the story. NJ-11, NJ-12, NJ-16, NJ+01."""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import count, islice
from operator import neg
from typing import Annotated, TypeVar

from astragal.game import GAME_MASTER_AND_PLAYERS, Chapter, Command, Seen, copied_into, replace
from astragal.game.fields import Doc, MaxLen, Name, PlayerSeat, field
from astragal.game.heroes import BoughtHeroes, Plain, heroes_in, pick, pick_some, samples_in
from astragal.game.point_buy import Budget, Build, Draw, Fault, Nearest, Number, PointBuy
from astragal.game.shared import Entered, entered

from .state import LEAST_RATING, MOST_RATING, Anchor, Asset, Burden, ByStat, Call, Grade, Options, Sheet, Stat, Trait

OneTrait = TypeVar("OneTrait", bound=Trait)

LEAST_ANCHORS, MOST_ANCHORS = 3, 5
MANY = 64
"""The longest list that a command takes."""


HEROES = Chapter(seen=Seen.ALL)


@HEROES.command("make_hero", may=GAME_MASTER_AND_PLAYERS)
class MakeHero(Command):
    """Bring a hero into the story."""

    name: Annotated[Name, Doc("what the hero is called")]
    about: Annotated[str, MaxLen(400), Doc("where the hero comes from, in a line")] = ""
    ratings: Annotated[ByStat, Doc("NJ-11: the Rating of each stat, 1 to 10")] = field(default_factory=ByStat)
    anchors: Annotated[tuple[Anchor, ...], Doc("NJ-14: what helps")] = ()
    burdens: Annotated[tuple[Burden, ...], Doc("NJ-16: what hinders, at least as many")] = ()
    assets: Annotated[tuple[Asset, ...], Doc("NJ-17: tools, weapons, armour")] = ()
    seat: Annotated[PlayerSeat, Doc("whose hero it is, where the game master makes it")] = None

    @property
    def traits(self) -> tuple[Trait, ...]:
        return (*self.anchors, *self.burdens, *self.assets)

    def does(self, call: Call) -> list[Entered[Sheet]]:
        """NJ-16: an illegal hero is refused with every reason at once. NJ-12: every Reserve is full at the start."""
        HEROES_OF_A_LEVEL.check(self, HEROES_OF_A_LEVEL.law(call.state.options))
        sheet = copied_into(Sheet, self, reserves=self.ratings.full_reserves())
        return [entered(call, self.name, sheet, self.seat)]


# ---------------------------------------------------------------- what a hero may be


def rating_points(level: int) -> tuple[int, int]:
    """NJ+01: 4–6 points of Rating at level 1, then 8–12 and 4 more with each level; level 7 and up have 28–32."""
    return (4, 6) if level == 1 else (4 * min(level, 7), 4 * min(level, 7) + 4)


def burdens_missing(anchors: int, burdens: int) -> int:
    """NJ-16: count the Burdens still owed; the Rule of Balance asks for one for every Anchor."""
    return max(0, anchors - burdens)


@lru_cache(maxsize=32)
def hero_points(level: int | None) -> PointBuy:
    """NJ-11, NJ-16, NJ+01: Ratings and Anchors within a power level (without one, any), a Burden for each Anchor."""
    least, most = rating_points(level) if level else (None, None)
    fewest, most_anchors = (LEAST_ANCHORS, MOST_ANCHORS) if level else (0, MANY)
    ratings = tuple(
        Number(stat.value, LEAST_RATING, MOST_RATING, stat.title, LEAST_RATING, amiss=_rating_amiss) for stat in Stat
    )
    points = Budget(key="ratings", numbers=ratings, least=least, most=most, amiss=_points_amiss, account=_points)
    traits = (Number("burdens", 0, MANY), Number("anchors", fewest, most_anchors, price=neg, amiss=_anchors_amiss))
    balance = Budget(key="burdens", numbers=traits, least=0, amiss=_out_of_balance, account=_balance)
    return PointBuy((points, balance))


def _rating_amiss(stat: Number, rating: int | None) -> str:
    return f"{stat.name} is {rating}: a Rating is {stat.least} to {stat.most}"


def _points_amiss(budget: Budget, build: Build) -> str:
    over = budget.over(build)
    settle = f"{'lower' if over > 0 else 'raise'} Ratings by {abs(over)}"
    return f"The Ratings add up to {budget.total(build)}, and {budget.least} to {budget.most} is allowed: {settle}"


def _anchors_amiss(anchors: Number, count: int | None) -> str:
    return f"{_counted(count or 0, 'Anchor')}: a starting hero has {anchors.least} to {anchors.most}"


def _out_of_balance(_: Budget, build: Build) -> str:
    more = _counted(burdens_missing(build["anchors"], build["burdens"]), "more Burden")
    return f"{_anchors_and_burdens(build, ' and ')}: the Rule of Balance asks for {more}"


def _points(budget: Budget, build: Build) -> str:
    allowed = "" if budget.most is None else f" of {budget.least} to {budget.most}"
    return f"{budget.total(build)}{allowed} points"


def _balance(_: Budget, build: Build) -> str:
    owed = burdens_missing(build["anchors"], build["burdens"])
    balance = f"{_counted(owed, 'Burden')} owed" if owed else "in balance"
    return f"{_anchors_and_burdens(build, ', ')} ({balance})"


def _anchors_and_burdens(build: Build, joined: str) -> str:
    return f"{_counted(build['anchors'], 'Anchor')}{joined}{_counted(build['burdens'], 'Burden')}"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


class HeroesOfALevel(BoughtHeroes[MakeHero, int | None]):
    """NJ-11, NJ-16, NJ+01: heroes on paper, checked against a power level if the table keeps to one."""

    def law(self, options: Options) -> int | None:
        """NJ+01: the power level that new heroes of this table keep to, or None."""
        return options.power_level if options.stat_points else None

    def points(self, _: MakeHero, level: int | None) -> PointBuy:
        return hero_points(level)

    def numbers(self, hero: MakeHero, _: int | None) -> Build:
        ratings = {stat.value: hero.ratings[stat] for stat in Stat}
        return {**ratings, "burdens": len(hero.burdens), "anchors": len(hero.anchors)}

    def flaws(self, hero: MakeHero, _: int | None) -> Iterator[Fault]:
        """NJ-19: each trait needs a name of its own: a roll counts traits by name."""
        spelt = {one.name.casefold(): one.name for one in hero.traits}
        for key, times in Counter(one.name.casefold() for one in hero.traits).items():
            if times > 1:
                words = f"“{spelt[key]}” is there twice: each needs a name of its own"
                yield Fault("name_twice", spelt[key], words)

    def rebuilt(self, hero: MakeHero, near: Nearest, _: int | None) -> tuple[list[str], MakeHero]:
        moved = [change.words for change in near.changes if change.number.key in {stat.value for stat in Stat}]
        told_apart, renamed = _with_unique_names(hero)
        ratings = ByStat(**{stat.value: near.build[stat.value] for stat in Stat})
        mended, added = _with_as_many(replace(told_apart, ratings=ratings), near.build)
        return [*moved, *renamed, *added], mended


HEROES_OF_A_LEVEL = HeroesOfALevel(MakeHero)


def _with_unique_names(hero: MakeHero) -> tuple[MakeHero, list[str]]:
    """NJ-19: add a number to every repeated name. Returns the hero and the changes in words."""
    seen: set[str] = set()
    told: list[str] = []

    def apart(trait: OneTrait) -> OneTrait:
        before = name = trait.name
        if name.casefold() in seen:
            name = next(free for free in _free(hero, name) if free.casefold() not in seen)
            told.append(f"“{before}” → “{name}”")
        seen.add(name.casefold())
        return replace(trait, name=name)

    parts = {part: tuple(map(apart, getattr(hero, part))) for part in ("anchors", "burdens", "assets")}
    return replace(hero, **parts), told


def _with_as_many(hero: MakeHero, counts: Build) -> tuple[MakeHero, list[str]]:
    """Drop the last Anchors, or add minor Anchors and Burdens, until the counts fit. Also returns what changed."""
    kept = hero.anchors[: counts["anchors"]]
    anchors = [Anchor(name=name) for name in islice(_free(hero, "New Anchor"), counts["anchors"] - len(kept))]
    burdens = [Burden(name=name) for name in islice(_free(hero, "New Burden"), counts["burdens"] - len(hero.burdens))]
    told = [
        *(f"without the Anchor “{one.name}”" for one in hero.anchors[len(kept) :]),
        *(f"a minor Anchor more (“{one.name}”)" for one in anchors),
        *(f"a minor Burden more (“{one.name}”)" for one in burdens),
    ]
    return replace(hero, anchors=(*kept, *anchors), burdens=(*hero.burdens, *burdens)), told


def _free(hero: MakeHero, name: str) -> Iterator[str]:
    """Yield the name with a number after it, skipping names that are taken."""
    taken = {one.name.casefold() for one in hero.traits}
    return (free for number in count(1) if (free := f"{name[:54]} {number}").casefold() not in taken)


# ---------------------------------------------------------------- random heroes


def random_hero(draw: Draw, level: int | None) -> Plain:
    """NJ-11, NJ-16, NJ+01: draw Ratings uniformly from those that spend every point; as many Burdens as Anchors."""
    words, grades, ratings = heroes_in(__package__), [grade.value for grade in Grade], hero_points(level).budgets[0]
    count = LEAST_ANCHORS + draw(MOST_ANCHORS - LEAST_ANCHORS + 1)
    skills, weaknesses = pick_some(draw, words["skills"], count), pick_some(draw, words["weaknesses"], count)
    return {
        "name": pick(draw, words["names"]),
        "ratings": replace(ratings, least=ratings.most).random(draw),
        "anchors": [{**skill, "grade": pick(draw, grades)} for skill in skills],
        "burdens": [{"name": name, "grade": pick(draw, grades)} for name in weaknesses],
        "assets": pick_some(draw, words["gear"], 1 + draw(3)),
    }


HERO_BOOK = HEROES_OF_A_LEVEL.book(
    make="make_hero",
    advance=("award_points", "buy_anchor", "raise_anchor", "ease_burden", "raise_stat"),
    samples=samples_in(__package__),
    random=lambda draw, _, options: random_hero(draw, HEROES_OF_A_LEVEL.law(options)),
)
