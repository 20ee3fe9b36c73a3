"""Heroes on paper and in the story, gear, and other characters. SS-10 to SS-16, SS-20, SS-28, SS-40, SS-70, SS+03."""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Annotated, Any, Literal, Self, TypeAlias

from astragal import game
from astragal.game import Chapter, Command, Event, Fact, Nature, Refusal, Seen, Teller, copied_into, replace
from astragal.game.fields import CharacterId, Doc, Ge, Label, Le, MaySet, Name, Names, PlayerSeat, Seldom, Words
from astragal.game.heroes import BoughtHeroes, Plain, heroes_in, pick, pick_some
from astragal.game.point_buy import Build, Draw, Nearest, Number, PointBuy, highest
from astragal.game.shared import BringIn, entered

from .options import Companion, Item, Options, meant, skins
from .scores import STAMINA, build_points, credit_left, points_left
from .state import CARRIED, AttributeKey, Call, Kind, Scores, Sheet, find_item, known_key

HEROES = Chapter(seen=Seen.ALL)

LEAST_GEAR, MOST_GEAR = 3, 6
"""SS-15: items that are written down."""


class HeroesOfBuildPoints(BoughtHeroes[Plain, PointBuy]):
    """SS-12 to SS-14: heroes on paper, checked against the build points of their table."""

    def law(self, options: Options) -> PointBuy:
        """Point-buy of the table, with the plain skin's labels if the table uses its keys."""
        plain = skins().default_skin()
        labels = plain.labels if options.attributes == plain.keys else None
        return build_points(options.attributes, options.build_points, labels)

    def points(self, _: Plain, buying: PointBuy) -> PointBuy:
        return buying

    def numbers(self, hero: Plain, buying: PointBuy) -> Build:
        """Scores of a hero. A missing one is at baseline, and one that is not a number yet counts as missing."""
        said = hero.get("scores")
        given = said.items() if isinstance(said, Mapping) else ()
        scores = {str(key): score for key, score in given if type(score) is int}
        return {number.key: number.start for number in buying.numbers} | scores

    def rebuilt(self, hero: Plain, near: Nearest, buying: PointBuy) -> tuple[list[str], Plain]:
        left_out = [f"leave out {key!r}" for key in self.numbers(hero, buying) if key not in near.build]
        return [*(change.words for change in near.changes), *left_out], {**hero, "scores": near.build}

    def accounts(self, hero: Plain, buying: PointBuy) -> list[str]:
        """SS-12, SS-14, SS-15: the account of points, every reason why it does not close, and the steps left."""
        scores, faults = self.numbers(hero, buying), [f"{fault.words}." for fault in self.faults(hero, buying)]
        said = [items for field in ("gear", "kit") if isinstance(items := hero.get(field), (list, tuple))]
        gear = [item for items in said for item in items if str(item).strip()]
        fits, is_named = LEAST_GEAR <= len(gear) <= MOST_GEAR, bool(str(hero.get("advantage", "")).strip())
        attributes = [number for number in buying.numbers if number.key != STAMINA]
        steps = {
            "signature strength": all(scores[one.key] <= one.start for one in attributes),
            "trade-offs or points": bool(faults),
            "gear": not fits,
            "small advantage": not is_named,
        }
        return [
            *(f"{one.name} {scores[one.key]}{_entry(one.cost(scores[one.key]))}" for one in buying.numbers),
            *buying.accounts(scores),
            *faults,
            *([] if fits else [f"{len(gear)} items of gear: write down {LEAST_GEAR} to {MOST_GEAR}."]),
            *([] if is_named else ["One small advantage is still to be named."]),
            *(f"still open: {step}" for step, is_open in steps.items() if is_open),
        ]


HEROES_OF_BUILD_POINTS = HeroesOfBuildPoints()


def _entry(price: int) -> str:
    return f": costs {price}" if price > 0 else f": gives {-price}" if price else ""


def _samples(options: Options) -> dict[str, Plain]:
    ready = dict[str, Plain]()
    for hero in options.ready:
        who = {"name": hero.name, "concept": hero.concept, "scores": dict(hero.scores)}
        ready[hero.name] = {**who, "kit": list(hero.gear), "advantage": hero.advantage}
    return ready


def _attributes(options: Options) -> list[Number]:
    return [one for one in HEROES_OF_BUILD_POINTS.law(options).numbers if one.key != STAMINA]


def _random(draw: Draw, wishes: Mapping[str, str], options: Options) -> Plain:
    """SS-16: a random hero, uniform over the legal builds or those of a theme, with three items of the skin."""
    (budget,) = build_points(options.attributes, options.build_points).budgets
    theme = wishes.get("theme")
    scores = budget.random(draw, highest(known_key(options, theme), _attributes(options)) if theme else ())
    items = [item.name for item in options.known_items]
    kit = pick_some(draw, items, min(LEAST_GEAR, len(items)))
    name = wishes.get("name") or pick(draw, heroes_in(__package__)["names"])
    return {"name": name, "scores": scores, "kit": kit}


HERO_BOOK = HEROES_OF_BUILD_POINTS.book(
    make="make_hero",
    advance=("advance",),
    samples=_samples,
    random=_random,
    wishes={"theme": "the highest attribute", "name": "the hero’s name"},
    wish_choices=lambda options: {"theme": {one.key: one.called for one in _attributes(options)}},
)

WantedScore: TypeAlias = Annotated[int, Ge(-99), Le(99)]
"""Wider than any rail, so that a score beyond a rail is refused with the rail's numbers."""

# ---------------------------------------------------------------- into the story


@HEROES.event("points_left_over")
class PointsLeftOver(Event):
    """SS-14: unspent build points and credit. They are legal, and lost."""

    who: CharacterId
    points: int
    credit: int

    def says(self, teller: Teller) -> str:
        left = [f"{self.points} build point{'s' if self.points > 1 else ''}"] if self.points else []
        left += [f"{self.credit} credit"] if self.credit else []
        return f"{teller.name(self.who)} has {' and '.join(left)} left over"


@HEROES.command("make_hero", may=game.GAME_MASTER_AND_PLAYERS)
class MakeHero(Command):
    """Bring a hero into the story."""

    name: Annotated[Name, Doc("what the hero is called")]
    scores: Annotated[
        Mapping[str, WantedScore], Names("score"), Doc("scores by name; what is left out is at baseline")
    ] = {}
    gear: Annotated[
        tuple[Item, ...],
        MaySet.PROPOSAL,
        Doc("what the hero carries; a weapon or armour that the skin doesn't have is a proposal"),
    ] = ()
    kit: Annotated[tuple[Name, ...], Doc("what else the hero carries, by the names that the skin has for it")] = ()
    concept: Annotated[Words, Doc("who they are, in a line")] = ""
    advantage: Annotated[Words, Doc("one small advantage in words")] = ""
    wealth: Annotated[int, Ge(0), Le(4), MaySet.PROPOSAL, Doc("0 broke, 1 poor, 2 steady, 3 flush, 4 rich")] = 2
    seat: Annotated[PlayerSeat, Doc("whose hero it is, where the game master makes it")] = None
    notes: Annotated[Words, Doc("what the player wants to remember; others do not see it")] = ""

    def does(self, call: Call) -> list[Any]:
        """SS-14: an illegal build is refused with all reasons and the nearest legal ones. SS+02: heroes have Wealth."""
        options = call.state.options
        buying = build_points(options.attributes, options.build_points, call.state.terms)
        HEROES_OF_BUILD_POINTS.check({"scores": self.scores}, buying)
        build = HEROES_OF_BUILD_POINTS.numbers({"scores": self.scores}, buying)
        gear = (*self.gear, *known_items(options, self.kit))
        check_gear(gear)
        scores, stamina = Scores(open={key: build[key] for key in options.attributes}), build[STAMINA]
        held = {"luck": build[options.luck], "luck_key": options.luck, "stamina": stamina, "stamina_most": stamina}
        wealth = self.wealth if options.plays(Companion.WEALTH) else None
        sheet = copied_into(Sheet, self, kind=Kind.HERO, scores=scores, gear=gear, wealth=wealth, **held)
        (budget,) = buying.budgets
        points, credit = points_left(budget, build), credit_left(budget, build)
        left = [PointsLeftOver(who=call.fresh, points=points, credit=credit)] if points or credit else []
        return [entered(call, self.name, sheet, self.seat), *left]

    def granted(self, call: Call) -> tuple[str, ...]:
        """A new hero's player may take items of the skin, or items that do nothing in a fight, without a proposal."""
        known = call.state.options.known_items
        return ("gear",) if all(item in known or item.is_harmless for item in self.gear) else ()


# ---------------------------------------------------------------- what they carry


def known_items(options: Options, names: tuple[str, ...]) -> tuple[Item, ...]:
    """SS-70: look up items by the names that the skin has for them. Unknown names are refused, since a misspelt weapon
    would strike like bare hands.
    """
    known = {item.name.casefold(): item for item in options.known_items}
    for name in names:
        if name.casefold() not in known:
            raise game.NoSuchThing(f"There is nothing called {name!r} here{meant(name, known.values())}")
    return tuple(known[name.casefold()] for name in names)


def check_gear(gear: tuple[Item, ...]) -> None:
    names = [item.name.casefold() for item in gear]
    if len(set(names)) < len(names):
        raise Refusal("Two items have the same name.", code="name_taken")


@HEROES.event("carried", says="{who} carries {item.words}", adds={"gear": "item"})
class Carried(Event):
    who: CharacterId
    item: Item


@HEROES.command("carry", actor="who")
class Carry(Command):
    """Take something along."""

    who: Annotated[CharacterId, Doc("who carries it")]
    item: Annotated[Item | Name, MaySet.PROPOSAL, Doc("the thing, or the name that the skin has for it")]

    def named(self, call: Call) -> Item:
        return self.item if isinstance(self.item, Item) else known_items(call.state.options, (self.item,))[0]

    def does(self, call: Call) -> list[Carried]:
        who, item = call.state.find(self.who), self.named(call)
        check_gear((*who.sheet.carried, item))
        return [Carried(who=who.id, item=item)]

    def granted(self, call: Call) -> tuple[str, ...]:
        """SS-40: anyone may take along things that do nothing in a fight."""
        return ("item",) if self.named(call).is_harmless else ()


@HEROES.fact("drop", told="dropped", actor="who", says="{who} leaves {item} behind", drops=CARRIED)
class Drop(Fact):
    """Leave something behind."""

    who: Annotated[CharacterId, Doc("who carries it")]
    item: Annotated[Name, Doc("what the thing is called")]

    def check(self, call: Call) -> Self:
        return replace(self, item=find_item(call.state.find(self.who), self.item).name)


# ---------------------------------------------------------------- the custodian's characters

LEAST_SCORE, MOST_SCORE = 1, 20
"""The custodian's characters are bound by the die only, not by the rails."""
USUAL_STAMINA = 4
Tier: TypeAlias = Literal[8, 10, 12, 14, 16]
STAMINA_BY_TIER: dict[int, int] = {8: 3, 10: 4, 12: 5, 14: 6, 16: 7}


class Size(Enum):
    """SS+03: sizes of foes. The larger ones have more Stamina than their tier."""

    USUAL = "usual"
    LARGE = "large"
    BOSS = "boss"


def tier_stamina(tier: int, size: Size) -> int:
    return STAMINA_BY_TIER[tier] + {Size.USUAL: 0, Size.LARGE: 2, Size.BOSS: 4}[size]


def tier_scores(tier: int, attributes: Sequence[str], best: str | None, worst: str | None) -> dict[str, int]:
    """SS+03: the tier for all, unless a best or worst is named: best at the tier, worst 4 less, the others 2 less."""
    if best is None and worst is None:
        return dict.fromkeys(attributes, tier)
    marked = {best: tier, worst: tier - 4}
    return {key: marked.get(key, tier - 2) for key in attributes}


@HEROES.command("make_npc")
class MakeNpc(BringIn):
    """Bring in someone whom the game master plays."""

    score: Annotated[int, Ge(1), Le(20), Doc("one score for all attributes"), Seldom()] = 10
    scores: Annotated[Mapping[str, WantedScore], Names("attribute"), Doc("scores that differ from it"), Seldom()] = {}
    stamina: Annotated[int | None, Ge(1), Le(20), Doc("by default 4, or what the tier gives"), Seldom()] = None
    tier: Annotated[Tier | None, Doc("a tier, which gives scores and Stamina")] = None
    best: Annotated[
        AttributeKey | None,
        Label("best attribute"),
        Doc("the attribute at the tier, where the others are to be lower"),
        Seldom(),
    ] = None
    worst: Annotated[
        AttributeKey | None, Label("worst attribute"), Doc("the attribute four under the tier"), Seldom()
    ] = None
    size: Annotated[Size, Doc("large and boss have more Stamina than their tier"), Seldom()] = Size.USUAL
    luck: Annotated[int, Ge(0), Le(20), Doc("tokens; most have none"), Seldom()] = 0
    gear: Annotated[tuple[Item, ...], Doc("what they carry"), Seldom()] = ()
    kit: Annotated[tuple[Name, ...], Doc("what else they carry, by the names that the skin has for it"), Seldom()] = ()
    concept: Annotated[Words, Doc("who or what they are, in a line; all can read it")] = ""
    shown: Annotated[bool, Label("open to players"), Doc("whether players know the scores and what is carried")] = False

    def sheet(self, call: Call) -> Sheet:
        options = call.state.options
        named = {known_key(options, key): score for key, score in self.scores.items()}
        scores = {**self.usual_scores(options), **named}
        if strange := [f"{key} {score}" for key, score in scores.items() if not LEAST_SCORE <= score <= MOST_SCORE]:
            raise Refusal(f"A score lies between {LEAST_SCORE} and {MOST_SCORE}: {', '.join(strange)}.", code="score")
        gear = (*self.gear, *known_items(options, self.kit))
        check_gear(gear)
        usual = USUAL_STAMINA if self.tier is None else tier_stamina(self.tier, self.size)
        stamina = self.stamina or usual
        known = Scores(open=scores) if self.shown else Scores(closed=scores)
        carried = {"gear": gear} if self.shown else {"gear": (), "kept": gear}
        held = {"luck_key": options.luck, "stamina": stamina, "stamina_most": stamina}
        return copied_into(Sheet, self, kind=Kind.NPC, scores=known, **held, **carried)

    def usual_scores(self, options: Options) -> dict[str, int]:
        """SS+03: scores by tier if one is named, otherwise one score for all."""
        if self.tier is None:
            if self.best or self.worst or self.size is not Size.USUAL:
                raise Refusal("Best, worst and size come from a tier: name one.", code="tier")
            return dict.fromkeys(options.attributes, self.score)
        if not options.plays(Companion.TIERS):
            raise Refusal("This table plays without tiers.", code="not_played")
        best, worst = (known_key(options, key) if key else None for key in (self.best, self.worst))
        return tier_scores(self.tier, options.attributes, best, worst)


@HEROES.event("scores_opened", nature=Nature.LASTING)
class ScoresOpened(Event):
    who: CharacterId
    scores: Mapping[str, int]

    def says(self, teller: Teller) -> str:
        return f"{teller.name(self.who)}: {Scores(open=self.scores).words(teller)}"

    def changes(self, sheet: Sheet) -> Sheet:
        return replace(sheet, scores=sheet.scores.opened(), gear=sheet.carried, kept=())


@HEROES.command("open_scores")
class OpenScores(Command):
    """Show everyone a character's scores and what they carry, for good."""

    who: Annotated[CharacterId, Doc("whose scores")]

    def does(self, call: Call) -> list[ScoresOpened]:
        who = call.state.find(self.who)
        if not who.sheet.scores.closed:
            raise Refusal(f"Everyone knows {who.name}’s scores.", code="no_change")
        return [ScoresOpened(who=who.id, scores=who.sheet.scores.opened().open)]
