"""Heroes on paper: what a new hero may be, repairs, samples and random ones. NJ-11, NJ-16, NJ+01."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from operator import neg
from typing import Annotated, TypeVar

from annotated_types import MaxLen
from typing_extensions import Doc

from astragal.game import (
    BadFields,
    Budget,
    Build,
    Command,
    Draw,
    Fault,
    HeroBook,
    Number,
    Plain,
    PointBuy,
    Repair,
    Seen,
    field,
    replace,
)
from astragal.game.fields import Name
from astragal.rulesets.narraject.sheet import (
    HEAVY,
    LEAST_RATING,
    MOST_RATING,
    Anchor,
    Asset,
    Burden,
    ByStat,
    Grade,
    Level,
    Scope,
    Sheet,
    Stat,
    Tag,
    Trait,
    burdens_missing,
    full_reserves,
)
from astragal.rulesets.narraject.state import Options
from astragal.table.fields.validation import read
from astragal.table.visibility.redact import plain

T = TypeVar("T")
OneTrait = TypeVar("OneTrait", bound=Trait)

LEAST_ANCHORS, MOST_ANCHORS = 3, 5
MANY = 64
"""No list that is sent is longer."""


class HeroFile(Command):
    """A new hero, as a file or a form holds one."""

    name: Annotated[Name, Doc("what the hero is called"), Seen.ALL]
    about: Annotated[str, MaxLen(400), Doc("where the hero comes from, in a line"), Seen.ALL] = ""
    ratings: Annotated[ByStat, Doc("NJ-11: the Rating of each stat, 1 to 10"), Seen.ALL] = field(default_factory=ByStat)
    anchors: Annotated[tuple[Anchor, ...], Doc("NJ-14: what helps"), Seen.ALL] = ()
    burdens: Annotated[tuple[Burden, ...], Doc("NJ-16: what hinders, at least as many"), Seen.ALL] = ()
    assets: Annotated[tuple[Asset, ...], Doc("NJ-17: tools, weapons, armour"), Seen.ALL] = ()

    @property
    def traits(self) -> tuple[Trait, ...]:
        return (*self.anchors, *self.burdens, *self.assets)


def new_sheet(hero: HeroFile) -> Sheet:
    """NJ-12: every Reserve is full at the start."""
    return Sheet(
        ratings=hero.ratings,
        reserves=full_reserves(hero.ratings),
        anchors=hero.anchors,
        burdens=hero.burdens,
        assets=hero.assets,
        about=hero.about,
    )


# ---------------------------------------------------------------- what a hero may be


def power_level(options: Options) -> int | None:
    """NJ+01: the power level that new heroes of this table keep to, if they do."""
    return options.power_level if options.stat_points else None


def rating_points(level: int) -> tuple[int, int]:
    """NJ+01: 4–6 points of Rating at level 1, then 8–12 and 4 more with each level; level 7 and up have 28–32."""
    return (4, 6) if level == 1 else (4 * min(level, 7), 4 * min(level, 7) + 4)


@lru_cache(maxsize=32)
def hero_points(level: int | None) -> PointBuy:
    """NJ-11, NJ-16, NJ+01: Ratings within a power level, Anchors, and a Burden for each. No level: any number."""
    least, most = rating_points(level) if level else (None, None)
    fewest, most_anchors = (LEAST_ANCHORS, MOST_ANCHORS) if level else (0, MANY)
    ratings = tuple(
        Number(stat.value, LEAST_RATING, MOST_RATING, stat.title, LEAST_RATING, amiss=_rating_amiss) for stat in Stat
    )
    anchors = Number("anchors", fewest, most_anchors, price=neg, amiss=_anchors_amiss)
    return PointBuy(
        (
            Budget(key="ratings", numbers=ratings, least=least, most=most, amiss=_points_amiss, account=_points),
            Budget(
                key="burdens",
                numbers=(Number("burdens", 0, MANY), anchors),
                least=0,
                amiss=_out_of_balance,
                account=_balance,
            ),
        )
    )


def _rating_amiss(stat: Number, rating: int | None) -> str:
    return f"{stat.name} is {rating}: a Rating is {stat.least} to {stat.most}"


def _points_amiss(budget: Budget, build: Build) -> str:
    over = budget.over(build)
    settle = f"lower Ratings by {over}" if over > 0 else f"raise Ratings by {-over}"
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


def numbers_of(hero: HeroFile) -> dict[str, int]:
    ratings = {stat.value: hero.ratings[stat] for stat in Stat}
    return {**ratings, "burdens": len(hero.burdens), "anchors": len(hero.anchors)}


def faults(hero: HeroFile, level: int | None) -> list[Fault]:
    """NJ-11, NJ-16, NJ-19, NJ+01: every reason why a hero can't be, at once; none for a legal one."""
    spelt = {one.name.casefold(): one.name for one in hero.traits}
    times = Counter(one.name.casefold() for one in hero.traits)
    twice = [spelt[key] for key, count in times.items() if count > 1]
    return [
        *hero_points(level).faults(numbers_of(hero)),
        *(Fault("name_twice", name, f"“{name}” is there twice: each needs a name of its own") for name in twice),
    ]


# ---------------------------------------------------------------- repairs


def repairs(hero: HeroFile, level: int | None) -> list[tuple[str, HeroFile]]:
    """NJ-16, NJ+01: legal heroes that could not be reached with fewer changes, and what was changed."""
    if not faults(hero, level):
        return []
    told_apart, renamed = _told_apart(hero)
    found = []
    for near in hero_points(level).nearest(numbers_of(hero)):
        moved = [change.words for change in near.changes if change.number.key in {stat.value for stat in Stat}]
        ratings = ByStat(**{stat.value: near.build[stat.value] for stat in Stat})
        mended, added = _with_as_many(replace(told_apart, ratings=ratings), near.build)
        found.append((", ".join([*moved, *renamed, *added]), mended))
    return found


def _told_apart(hero: HeroFile) -> tuple[HeroFile, list[str]]:
    """NJ-19: whatever has a name that was there before gets a number after it."""
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


def _with_as_many(hero: HeroFile, counts: Build) -> tuple[HeroFile, list[str]]:
    """So many Anchors and Burdens. Anchors named last are dropped; what is added is minor and waits for its name."""
    kept = hero.anchors[: counts["anchors"]]
    anchors = [Anchor(name=name) for name in islice(_free(hero, "New Anchor"), counts["anchors"] - len(kept))]
    burdens = [Burden(name=name) for name in islice(_free(hero, "New Burden"), counts["burdens"] - len(hero.burdens))]
    told = [
        *(f"without the Anchor “{one.name}”" for one in hero.anchors[len(kept) :]),
        *(f"a minor Anchor more (“{one.name}”)" for one in anchors),
        *(f"a minor Burden more (“{one.name}”)" for one in burdens),
    ]
    return replace(hero, anchors=(*kept, *anchors), burdens=(*hero.burdens, *burdens)), told


def _free(hero: HeroFile, name: str) -> Iterator[str]:
    """This name with a number, past all that are taken."""
    taken = {one.name.casefold() for one in hero.traits}
    return (free for number in range(1, 1000) if (free := f"{name[:54]} {number}").casefold() not in taken)


# ---------------------------------------------------------------- random heroes

NAMES = ("Aune", "Bastiaan", "Cosima", "Dragan", "Edda", "Farid", "Ginevra", "Hamo", "Ilse", "Jarek", "Keziah", "Luan")
SKILLS = (
    ("Ropes and Ladders", Scope.SPECIFIC),
    ("Old Soldier", Scope.BROAD),
    ("Reads Faces", Scope.BROAD),
    ("Knows Every Alley", Scope.SPECIFIC),
    ("Field Surgeon", Scope.BROAD),
    ("Forger's Hand", Scope.SPECIFIC),
    ("Sea Legs", Scope.BROAD),
    ("Locks and Hinges", Scope.SPECIFIC),
    ("Voice Like a Bell", Scope.BROAD),
    ("Beekeeper", Scope.SPECIFIC),
)
WEAKNESSES = (
    "Owes the Wrong People",
    "Bad Knee",
    "Can't Let It Lie",
    "Afraid of Deep Water",
    "Wanted in Two Towns",
    "Sleeps Too Well",
    "Trusts Nobody",
    "Loud Laugh",
    "Old Grudge",
    "Colour-blind",
)
GEAR = (
    Asset(name="Coil of Rope"),
    Asset(name="Ground Lens", level=Level.QUALITY),
    Asset(name="Boiled Leather", armour=1, tags=(HEAVY,)),
    Asset(name="Hunting Bow", level=Level.QUALITY),
    Asset(name="Doctor's Bag"),
    Asset(name="Grandmother's Fiddle", level=Level.MASTERWORK),
)


def random_hero(level: int | None, draw: Draw) -> HeroFile:
    """NJ-11, NJ-16, NJ+01: Ratings uniform over all that are legal; as many Burdens as Anchors."""
    skills = _some(SKILLS, LEAST_ANCHORS + draw(MOST_ANCHORS - LEAST_ANCHORS + 1), draw)
    weaknesses = _some(WEAKNESSES, len(skills), draw)
    return HeroFile(
        name=_one(NAMES, draw),
        ratings=ByStat(**hero_points(level).budgets[0].random(draw)),
        anchors=tuple(Anchor(name=name, grade=_one(list(Grade), draw), scope=scope) for name, scope in skills),
        burdens=tuple(Burden(name=name, grade=_one(list(Grade), draw)) for name in weaknesses),
        assets=_some(GEAR, 1 + draw(3), draw),
    )


def _one(choices: Sequence[T], draw: Draw) -> T:
    return choices[draw(len(choices))]


def _some(choices: Sequence[T], count: int, draw: Draw) -> tuple[T, ...]:
    """So many different ones, each set as likely as any other."""
    left = list(choices)
    return tuple(left.pop(draw(len(left))) for _ in range(count))


# ---------------------------------------------------------------- samples, each from another world


def _burdens(dice: Mapping[str, int]) -> tuple[Burden, ...]:
    return tuple(Burden(name=name, grade=list(Grade)[count - 1]) for name, count in dice.items())


TOVE = HeroFile(
    name="Tove Lindqvist",
    about="A salvage diver on a drowned coast where the church towers still ring at low tide.",
    ratings=ByStat(might=3, agility=3, intellect=2, persona=2),
    anchors=(
        Anchor(name="Breath of a Seal", grade=Grade.MODERATE, scope=Scope.SPECIFIC),
        Anchor(name="Reads the Tide", grade=Grade.MINOR),
        Anchor(name="Hauls and Hoists", grade=Grade.MODERATE),
    ),
    burdens=_burdens({"Brother Down There": 2, "Half Deaf": 1, "In Debt to the Harbour": 1}),
    assets=(
        Asset(name="Brass Helmet", level=Level.QUALITY, armour=1, tags=(HEAVY,)),
        Asset(name="Pry Bar"),
    ),
)

ORSINO = HeroFile(
    name="Orsino Vale",
    about="A disgraced court composer in a city where treaties are sung, and a wrong note is a declaration of war.",
    ratings=ByStat(might=1, agility=2, intellect=4, persona=4),
    anchors=(
        Anchor(name="Perfect Pitch", grade=Grade.MAJOR, scope=Scope.SPECIFIC),
        Anchor(name="Knows Every Scandal", grade=Grade.MODERATE),
        Anchor(name="Letters of Introduction", grade=Grade.MINOR),
        Anchor(name="Duelling Master's Pupil", grade=Grade.MINOR, scope=Scope.SPECIFIC),
    ),
    burdens=_burdens({"Vain to the Bone": 2, "Banned From the Palace": 2, "Delicate Hands": 1, "Drinks Alone": 1}),
    assets=(Asset(name="Walnut Viol", level=Level.MASTERWORK), Asset(name="Dress Sword")),
)

MAREK = HeroFile(
    name="Marek Odd-Hours",
    about="The night repairman of an orbital tenement whose landlord stopped answering eleven years ago.",
    ratings=ByStat(might=2, agility=2, intellect=5, persona=1),
    anchors=(
        Anchor(name="Fixes Anything Once", grade=Grade.MAJOR),
        Anchor(name="Crawls Through Ducts", grade=Grade.MINOR, scope=Scope.SPECIFIC),
        Anchor(name="Owed Favours on Every Deck", grade=Grade.MODERATE),
    ),
    burdens=_burdens({"Says the Wrong Thing": 3, "No Papers": 2, "Old Pressure Burns": 1}),
    assets=(
        Asset(name="Rebuilt Multitool", level=Level.QUALITY),
        Asset(name="Patched Vacuum Suit", stated=0, armour=2, tags=(Tag(name="Bulky", stats=(Stat.AGILITY,)),)),
        Asset(name="Box of Fuses"),
    ),
)

SISTER_AGNES = HeroFile(
    name="Sister Agnes",
    about="A nun who keeps the last lending library of a valley that burns its books each autumn.",
    ratings=ByStat(might=1, agility=2, intellect=3, persona=3),
    anchors=(
        Anchor(name="Memory for Pages", grade=Grade.MAJOR, scope=Scope.SPECIFIC),
        Anchor(name="Nobody Suspects a Nun", grade=Grade.MODERATE),
        Anchor(name="Herbs and Bandages", grade=Grade.MINOR),
    ),
    burdens=_burdens({"Will Not Lie": 2, "Short of Breath": 2, "The Bishop's Eye": 1}),
    assets=(Asset(name="Mule and Cart"), Asset(name="Hollow Prayer Book", level=Level.QUALITY)),
)

DAGNY = HeroFile(
    name="Dagny Twice-Hanged",
    about="A drover on the salt road, whom the hangman of two counties could not keep down.",
    ratings=ByStat(might=4, agility=3, intellect=1, persona=3),
    anchors=(
        Anchor(name="Hard to Kill", grade=Grade.MODERATE),
        Anchor(name="Horses Come When Called", grade=Grade.MODERATE, scope=Scope.SPECIFIC),
        Anchor(name="Stares Men Down", grade=Grade.MINOR),
        Anchor(name="Salt Road by Heart", grade=Grade.MINOR, scope=Scope.SPECIFIC),
        Anchor(name="Cards Up the Sleeve", grade=Grade.MINOR, scope=Scope.SPECIFIC),
    ),
    burdens=_burdens(
        {
            "A Price on the Head": 3,
            "Rope-scarred Voice": 1,
            "Never Learned to Read": 2,
            "Hates a Closed Door": 1,
            "Pays Every Debt": 1,
        }
    ),
    assets=(Asset(name="Bullwhip", level=Level.QUALITY), Asset(name="Sheepskin Coat", armour=1)),
)

SAMPLES = (TOVE, ORSINO, MAREK, SISTER_AGNES, DAGNY)
"""All are of power level 2."""


def _read(hero: Plain) -> HeroFile | None:
    """What a file holds, once it can be read; whose hero it is stands beside it."""
    try:
        return read(HeroFile, {key: value for key, value in hero.items() if key != "seat"})
    except BadFields:
        return None


def _accounts(hero: Plain, options: Options) -> Sequence[str]:
    """NJ+01, NJ-16: points given, Anchors, and what the Rule of Balance asks for."""
    found = _read(hero)
    return [", ".join(hero_points(power_level(options)).accounts(numbers_of(found)))] if found else []


def _repairs(hero: Plain, options: Options) -> Sequence[Repair]:
    mended = repairs(found, power_level(options)) if (found := _read(hero)) else []
    return [Repair(words, {**hero, **plain(one)}) for words, one in mended]


HERO_BOOK = HeroBook(
    make="make_hero",
    advance=("award_points", "buy_anchor", "raise_anchor", "ease_burden", "raise_stat"),
    samples=lambda _: {hero.name: plain(hero) for hero in SAMPLES},
    accounts=_accounts,
    repairs=_repairs,
    random=lambda draw, _, options: plain(random_hero(power_level(options), draw)),
)
