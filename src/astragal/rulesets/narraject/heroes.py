"""New heroes: limits, checks and repairs on paper, random heroes, and into the story. NJ-11, NJ-12, NJ-16, NJ+01."""

from collections import Counter
from collections.abc import Iterator
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

LEAST_ANCHORS = 3
MOST_ANCHORS = 5
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
    if level == 1:
        return 4, 6
    least = 4 * min(level, 7)
    return least, least + 4


def burdens_missing(anchors: int, burdens: int) -> int:
    """NJ-16: count the Burdens still owed; the Rule of Balance asks for one for every Anchor."""
    return max(0, anchors - burdens)


def hero_points(level: int | None) -> PointBuy:
    """NJ-11, NJ-16, NJ+01: Ratings and Anchors within a power level (without one, any), a Burden for each Anchor."""
    least_points, most_points = rating_points(level) if level else (None, None)
    least_anchors, most_anchors = (LEAST_ANCHORS, MOST_ANCHORS) if level else (0, MANY)
    points = Budget(
        key="ratings",
        numbers=tuple(_rating_of(stat) for stat in Stat),
        least=least_points,
        most=most_points,
        amiss=_points_amiss,
        account=_points,
    )
    burdens = Number("burdens", 0, MANY)
    anchors = Number("anchors", least_anchors, most_anchors, price=neg, amiss=_anchors_amiss)
    balance = Budget(key="burdens", numbers=(burdens, anchors), least=0, amiss=_out_of_balance, account=_balance)
    return PointBuy((points, balance))


def _rating_of(stat: Stat) -> Number:
    """NJ-11: a Rating is 1 to 10; a stat that is left out has 1."""
    return Number(stat.value, LEAST_RATING, MOST_RATING, stat.title, LEAST_RATING, amiss=_rating_amiss)


def _rating_amiss(stat: Number, rating: int | None) -> str:
    return f"{stat.name} is {rating}: a Rating is {stat.least} to {stat.most}"


def _points_amiss(budget: Budget, build: Build) -> str:
    excess = budget.over(build)
    verb = "lower" if excess > 0 else "raise"
    repair = f"{verb} Ratings by {abs(excess)}"
    return f"The Ratings add up to {budget.total(build)}, and {budget.least} to {budget.most} is allowed: {repair}"


def _anchors_amiss(anchors: Number, count: int | None) -> str:
    return f"{_counted(count or 0, 'Anchor')}: a starting hero has {anchors.least} to {anchors.most}"


def _out_of_balance(_: Budget, build: Build) -> str:
    missing = burdens_missing(build["anchors"], build["burdens"])
    return f"{_anchors_and_burdens(build, ' and ')}: the Rule of Balance asks for {_counted(missing, 'more Burden')}"


def _points(budget: Budget, build: Build) -> str:
    allowed = "" if budget.most is None else f" of {budget.least} to {budget.most}"
    return f"{budget.total(build)}{allowed} points"


def _balance(_: Budget, build: Build) -> str:
    missing = burdens_missing(build["anchors"], build["burdens"])
    balance = f"{_counted(missing, 'Burden')} owed" if missing else "in balance"
    return f"{_anchors_and_burdens(build, ', ')} ({balance})"


def _anchors_and_burdens(build: Build, separator: str) -> str:
    return _counted(build["anchors"], "Anchor") + separator + _counted(build["burdens"], "Burden")


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


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
        spelling_by_key = {trait.name.casefold(): trait.name for trait in hero.traits}
        count_by_key = Counter(trait.name.casefold() for trait in hero.traits)
        for key, times in count_by_key.items():
            if times > 1:
                name = spelling_by_key[key]
                yield Fault("name_twice", name, f"“{name}” is there twice: each needs a name of its own")

    def rebuilt(self, hero: MakeHero, near: Nearest, _: int | None) -> tuple[list[str], MakeHero]:
        keys_of_ratings = {stat.value for stat in Stat}
        changed_ratings = [change.words for change in near.changes if change.number.key in keys_of_ratings]
        ratings = ByStat(**{stat.value: near.build[stat.value] for stat in Stat})
        hero, changed_names = _with_unique_names(replace(hero, ratings=ratings))
        hero, changed_traits = _with_counts(hero, near.build)
        return [*changed_ratings, *changed_names, *changed_traits], hero


HEROES_OF_A_LEVEL = HeroesOfALevel(MakeHero)


def _with_unique_names(hero: MakeHero) -> tuple[MakeHero, list[str]]:
    """NJ-19: add a number to every repeated name. Returns the hero and the changes in words."""
    used_keys: set[str] = set()
    changes: list[str] = []

    def with_unique_name(trait: OneTrait) -> OneTrait:
        name = trait.name
        if name.casefold() in used_keys:
            name = next(free_name for free_name in _free_names(hero, name) if free_name.casefold() not in used_keys)
            changes.append(f"“{trait.name}” → “{name}”")
        used_keys.add(name.casefold())
        return replace(trait, name=name)

    renamed = replace(
        hero,
        anchors=tuple(map(with_unique_name, hero.anchors)),
        burdens=tuple(map(with_unique_name, hero.burdens)),
        assets=tuple(map(with_unique_name, hero.assets)),
    )
    return renamed, changes


def _with_counts(hero: MakeHero, counts: Build) -> tuple[MakeHero, list[str]]:
    """Drop the last Anchors, or add minor Anchors and Burdens, until the counts fit. Also returns what changed."""
    anchors = hero.anchors[: counts["anchors"]]
    dropped_anchors = hero.anchors[len(anchors) :]
    names_of_anchors = islice(_free_names(hero, "New Anchor"), counts["anchors"] - len(anchors))
    names_of_burdens = islice(_free_names(hero, "New Burden"), counts["burdens"] - len(hero.burdens))
    new_anchors = [Anchor(name=name) for name in names_of_anchors]
    new_burdens = [Burden(name=name) for name in names_of_burdens]
    changes = [f"without the Anchor “{anchor.name}”" for anchor in dropped_anchors]
    changes += [f"a minor Anchor more (“{anchor.name}”)" for anchor in new_anchors]
    changes += [f"a minor Burden more (“{burden.name}”)" for burden in new_burdens]
    return replace(hero, anchors=(*anchors, *new_anchors), burdens=(*hero.burdens, *new_burdens)), changes


def _free_names(hero: MakeHero, name: str) -> Iterator[str]:
    """Yield the name with a number after it, skipping names that are taken."""
    taken_keys = {trait.name.casefold() for trait in hero.traits}
    for number in count(1):
        numbered_name = f"{name[:54]} {number}"
        if numbered_name.casefold() not in taken_keys:
            yield numbered_name


# ---------------------------------------------------------------- random heroes


def random_hero(draw: Draw, level: int | None) -> Plain:
    """NJ-11, NJ-16, NJ+01: draw Ratings uniformly from those that spend every point; as many Burdens as Anchors."""
    words = heroes_in(__package__)
    grades = [grade.value for grade in Grade]
    ratings = hero_points(level).budgets[0]
    anchors = LEAST_ANCHORS + draw(MOST_ANCHORS - LEAST_ANCHORS + 1)
    skills = pick_some(draw, words["skills"], anchors)
    weaknesses = pick_some(draw, words["weaknesses"], anchors)
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
