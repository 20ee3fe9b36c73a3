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

from .options import Companion, Item, Options, did_you_mean, skins
from .scores import STAMINA, build_points, credit_left, points_left
from .state import CARRIED, AttributeKey, Call, Kind, Scores, Sheet, find_item, known_key

HEROES = Chapter(seen=Seen.ALL)

LEAST_GEAR = 3
MOST_GEAR = 6
"""SS-15: how many items are written down."""


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
        build = {number.key: number.start for number in buying.numbers}
        scores = hero.get("scores")
        if not isinstance(scores, Mapping):
            return build
        for key, score in scores.items():
            if type(score) is int:
                build[str(key)] = score
        return build

    def rebuilt(self, hero: Plain, near: Nearest, buying: PointBuy) -> tuple[list[str], Plain]:
        changes = [change.words for change in near.changes]
        for key in self.numbers(hero, buying):
            if key not in near.build:
                changes.append(f"leave out {key!r}")
        return changes, {**hero, "scores": near.build}

    def accounts(self, hero: Plain, buying: PointBuy) -> list[str]:
        """SS-12, SS-14, SS-15: the account of points, every reason why it does not close, and the steps left."""
        scores = self.numbers(hero, buying)
        lines = []
        for number in buying.numbers:
            score = scores[number.key]
            lines.append(f"{number.name} {score}{_price_words(number.cost(score))}")
        lines += buying.accounts(scores)

        faults = self.faults(hero, buying)
        lines += [f"{fault.words}." for fault in faults]
        gear = _gear_on_paper(hero)
        has_gear = LEAST_GEAR <= len(gear) <= MOST_GEAR
        if not has_gear:
            lines.append(f"{len(gear)} items of gear: write down {LEAST_GEAR} to {MOST_GEAR}.")
        has_advantage = bool(str(hero.get("advantage", "")).strip())
        if not has_advantage:
            lines.append("One small advantage is still to be named.")

        attributes = [number for number in buying.numbers if number.key != STAMINA]
        if all(scores[attribute.key] <= attribute.start for attribute in attributes):
            lines.append("still open: signature strength")
        if faults:
            lines.append("still open: trade-offs or points")
        if not has_gear:
            lines.append("still open: gear")
        if not has_advantage:
            lines.append("still open: small advantage")
        return lines


HEROES_OF_BUILD_POINTS = HeroesOfBuildPoints()


def _gear_on_paper(hero: Plain) -> list[Any]:
    """SS-15: what a hero on paper carries, without empty lines. The values are a player's, unchecked: hence Any."""
    gear = []
    for field in ("gear", "kit"):
        items = hero.get(field)
        if isinstance(items, (list, tuple)):
            gear += [item for item in items if str(item).strip()]
    return gear


def _price_words(price: int) -> str:
    """What a score costs or gives, as the account says it behind the score."""
    if price > 0:
        return f": costs {price}"
    if price < 0:
        return f": gives {-price}"
    return ""


def _samples(options: Options) -> dict[str, Plain]:
    hero_by_name = dict[str, Plain]()
    for sample in options.ready:
        hero_by_name[sample.name] = {
            "name": sample.name,
            "concept": sample.concept,
            "scores": dict(sample.scores),
            "kit": list(sample.gear),
            "advantage": sample.advantage,
        }
    return hero_by_name


def _attributes(options: Options) -> list[Number]:
    numbers = HEROES_OF_BUILD_POINTS.law(options).numbers
    return [number for number in numbers if number.key != STAMINA]


def _random(draw: Draw, wishes: Mapping[str, str], options: Options) -> Plain:
    """SS-16: a random hero, uniform over the legal builds or those of a theme, with three items of the skin."""
    (budget,) = build_points(options.attributes, options.build_points).budgets
    theme = wishes.get("theme")
    if theme:
        scores = budget.random(draw, highest(known_key(options, theme), _attributes(options)))
    else:
        scores = budget.random(draw)
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
    wish_choices=lambda options: {"theme": {attribute.key: attribute.called for attribute in _attributes(options)}},
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
        left_over = []
        if self.points:
            plural = "s" if self.points > 1 else ""
            left_over.append(f"{self.points} build point{plural}")
        if self.credit:
            left_over.append(f"{self.credit} credit")
        return f"{teller.name(self.who)} has {' and '.join(left_over)} left over"


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

    def does(self, call: Call) -> list[Event]:
        """SS-14: an illegal build is refused with all reasons and the nearest legal ones. SS+02: heroes have Wealth."""
        options = call.state.options
        buying = build_points(options.attributes, options.build_points, call.state.terms)
        paper = {"scores": self.scores}
        HEROES_OF_BUILD_POINTS.check(paper, buying)
        build = HEROES_OF_BUILD_POINTS.numbers(paper, buying)
        gear = (*self.gear, *known_items(options, self.kit))
        check_gear(gear)
        sheet = copied_into(
            Sheet,
            self,
            kind=Kind.HERO,
            scores=Scores(open={key: build[key] for key in options.attributes}),
            luck=build[options.luck],
            luck_key=options.luck,
            stamina=build[STAMINA],
            stamina_most=build[STAMINA],
            gear=gear,
            wealth=self.wealth if options.plays(Companion.WEALTH) else None,
        )
        events: list[Event] = [entered(call, self.name, sheet, self.seat)]
        (budget,) = buying.budgets
        points = points_left(budget, build)
        credit = credit_left(budget, build)
        if points or credit:
            events.append(PointsLeftOver(who=call.fresh, points=points, credit=credit))
        return events

    def granted(self, call: Call) -> tuple[str, ...]:
        """A new hero's player may take items of the skin, or items that do nothing in a fight, without a proposal."""
        items_of_skin = call.state.options.known_items
        for item in self.gear:
            if item not in items_of_skin and not item.is_harmless:
                return ()
        return ("gear",)


# ---------------------------------------------------------------- what they carry


def known_items(options: Options, names: tuple[str, ...]) -> tuple[Item, ...]:
    """SS-70: look up items by the names that the skin has for them. Unknown names are refused, since a misspelt weapon
    would strike like bare hands.
    """
    item_by_word = {item.name.casefold(): item for item in options.known_items}
    items = []
    for name in names:
        item = item_by_word.get(name.casefold())
        if item is None:
            raise game.NoSuchThing(f"There is nothing called {name!r} here{did_you_mean(name, item_by_word.values())}")
        items.append(item)
    return tuple(items)


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
        """The item itself, or the one that the skin has by this name."""
        if isinstance(self.item, Item):
            return self.item
        (item,) = known_items(call.state.options, (self.item,))
        return item

    def does(self, call: Call) -> list[Carried]:
        who = call.state.find(self.who)
        item = self.named(call)
        check_gear((*who.sheet.carried, item))
        return [Carried(who=who.id, item=item)]

    def granted(self, call: Call) -> tuple[str, ...]:
        """SS-40: anyone may take along things that do nothing in a fight."""
        if self.named(call).is_harmless:
            return ("item",)
        return ()


@HEROES.fact("drop", told="dropped", actor="who", says="{who} leaves {item} behind", drops=CARRIED)
class Drop(Fact):
    """Leave something behind."""

    who: Annotated[CharacterId, Doc("who carries it")]
    item: Annotated[Name, Doc("what the thing is called")]

    def check(self, call: Call) -> Self:
        item = find_item(call.state.find(self.who), self.item)
        return replace(self, item=item.name)


# ---------------------------------------------------------------- the custodian's characters

LEAST_SCORE = 1
MOST_SCORE = 20
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
    stamina = STAMINA_BY_TIER[tier]
    match size:
        case Size.USUAL:
            return stamina
        case Size.LARGE:
            return stamina + 2
        case Size.BOSS:
            return stamina + 4


def tier_scores(tier: int, attributes: Sequence[str], best: str | None, worst: str | None) -> dict[str, int]:
    """SS+03: the tier for all, unless a best or worst is named: best at the tier, worst 4 less, the others 2 less."""
    if best is None and worst is None:
        return dict.fromkeys(attributes, tier)
    scores = dict.fromkeys(attributes, tier - 2)
    if best is not None:
        scores[best] = tier
    if worst is not None:
        scores[worst] = tier - 4
    return scores


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
        scores = self.usual_scores(options)
        for name, score in self.scores.items():
            scores[known_key(options, name)] = score
        beyond = [f"{key} {score}" for key, score in scores.items() if not LEAST_SCORE <= score <= MOST_SCORE]
        if beyond:
            raise Refusal(f"A score lies between {LEAST_SCORE} and {MOST_SCORE}: {', '.join(beyond)}.", code="score")
        gear = (*self.gear, *known_items(options, self.kit))
        check_gear(gear)
        stamina = self.stamina
        if stamina is None:
            stamina = USUAL_STAMINA if self.tier is None else tier_stamina(self.tier, self.size)
        return copied_into(
            Sheet,
            self,
            kind=Kind.NPC,
            scores=Scores(open=scores) if self.shown else Scores(closed=scores),
            luck_key=options.luck,
            stamina=stamina,
            stamina_most=stamina,
            gear=gear if self.shown else (),
            kept=() if self.shown else gear,
        )

    def usual_scores(self, options: Options) -> dict[str, int]:
        """SS+03: scores by tier if one is named, otherwise one score for all."""
        if self.tier is None:
            if self.best or self.worst or self.size is not Size.USUAL:
                raise Refusal("Best, worst and size come from a tier: name one.", code="tier")
            return dict.fromkeys(options.attributes, self.score)
        if not options.plays(Companion.TIERS):
            raise Refusal("This table plays without tiers.", code="not_played")
        best = known_key(options, self.best) if self.best else None
        worst = known_key(options, self.worst) if self.worst else None
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
