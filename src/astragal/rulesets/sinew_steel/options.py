"""Options: rules that a table can play in more than one way, and the skin's part: ways to fight, items, heroes.

The manual's way is the default.
"""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from enum import Enum, StrEnum
from functools import cache
from typing import Annotated, Any, Literal, TypeAlias

from astragal.game import Seen, Value
from astragal.game.fields import Doc, Ge, Le, MaxLen, MinLen, Name
from astragal.table.fields.validation import read

from .scores import STAMINA, Tone

# ---------------------------------------------------------------- choices


class LuckTarget(Enum):
    """SS-24: target of a Luck test while tokens are spent on it."""

    LIVE = "live"
    """The tokens left: each token spent lowers the score with the die, so nothing is offered."""
    FROZEN = "frozen"
    """The tokens held before the roll."""


class LuckRest(Enum):
    """SS-26: the shortest rest that gives a token back."""

    SHORT = "short"
    NIGHT = "night"


class Scope(Enum):
    """SS-50: owner of the track of Pressure: the table, each hero, or both."""

    SHARED = "shared"
    PERSONAL = "personal"
    BOTH = "both"


class Toll(Enum):
    """SS-53: trigger of the surcharge at step 4: the custodian says so, or it comes by itself."""

    PROPOSED = "proposed"
    AUTOMATIC = "automatic"


class MilestoneOption(StrEnum):
    """SS-61: ways to buy a milestone's gain."""

    BUILD_POINTS = "build_points"
    PAIRED = "paired"
    FLAT = "flat"


class Plugin(Enum):
    """SS-67: parts of the toolkit."""

    FEAT = "feat"
    RITUAL = "ritual"
    ALLY = "ally"
    STRESS = "stress"


class Companion(Enum):
    """SS+01 to SS+05: rules beside the book."""

    CLOCKS = "clocks"
    WEALTH = "wealth"
    TIERS = "tiers"
    FATAL = "fatal"
    CIRCUMSTANCES = "circumstances"
    SIDE_ORDER = "side order"


# ---------------------------------------------------------------- things and ready heroes

Edge: TypeAlias = Annotated[int, Ge(0), Le(2), Doc("what the weapon adds: 0 light, 1 standard, 2 brutal")]
Soak: TypeAlias = Annotated[int, Ge(0), Le(3), Doc("what the armour takes off: 0 none, 3 the heaviest")]
Tag: TypeAlias = Annotated[str, MinLen(1), MaxLen(20)]
Line: TypeAlias = Annotated[str, MaxLen(200)]


class Item(Value, seen=Seen.ALL):
    """Something carried: a weapon by its edge, armour by its soak."""

    name: Annotated[Name, Doc("what it is called")]
    edge: Edge = 0
    soak: Soak = 0
    tags: Annotated[tuple[Tag, ...], Doc("what rules ask for, such as plasma or explosive")] = ()
    substantial: Annotated[bool, Doc("whether it counts towards the load; trinkets and money do not")] = True
    counter: Annotated[Name | None, Doc("what saves from it, where it is tagged fatal (SS+04)")] = None

    @property
    def words(self) -> str:
        """Name of the item, and its effects in a fight."""
        effects = []
        if self.edge:
            effects.append(f"edge {self.edge}")
        if self.soak:
            effects.append(f"soak {self.soak}")
        effects += self.tags
        if not effects:
            return self.name
        return f"{self.name} ({', '.join(effects)})"

    @property
    def is_weapon(self) -> bool:
        """True if it does more in a fight than a bare hand."""
        return bool(self.edge or self.tags) and not self.soak

    @property
    def is_harmless(self) -> bool:
        """True if it does nothing in a fight."""
        return not (self.edge or self.soak or self.tags)


BARE_HANDS = Item(name="bare hands")


def did_you_mean(name: str, items: Iterable[Item]) -> str:
    """End of a refusal of an unknown name: up to three of these items with names like it, if there are any."""
    name_by_word = {item.name.casefold(): item.name for item in items}
    word = name.casefold()
    near = [known_word for known_word in name_by_word if word in known_word]
    if not near:
        near = get_close_matches(word, name_by_word, n=3, cutoff=0.5)
    if not near:
        return "."
    names = [repr(name_by_word[near_word]) for near_word in near[:3]]
    return f"; did you mean {' or '.join(names)}?"


class Sample(Value, seen=Seen.ALL):
    """SS-70: a hero who is ready to be played."""

    name: Name
    concept: Line
    scores: Mapping[str, Annotated[int, Ge(0), Le(20)]]
    gear: tuple[Name, ...]
    advantage: Line


# ---------------------------------------------------------------- the options


class Options(Value, seen=Seen.ALL):
    """Options that are agreed on when the table is opened. A skin fills in its own part: see `skins`."""

    attributes: Annotated[
        tuple[Name, ...], Doc("SS-10: the keys of the five attributes: force, agility, wits, presence, Luck")
    ] = ("MGT", "REF", "INT", "EMP", "LCK")
    luck: Annotated[Name, Doc("SS-10: the attribute that is Luck")] = "LCK"
    agility: Annotated[Name, Doc("SS-40: the attribute that a heavy load hampers")] = "REF"
    usual_attack: Annotated[
        Mapping[str, Name], Doc("SS-43: the usual attribute by way of attacking; unnamed, by its place")
    ] = {}
    usual_defence: Annotated[
        Mapping[str, Name], Doc("SS-43: the usual attribute by way of defending; unnamed, by its place")
    ] = {}
    weapons: Annotated[tuple[Item, ...], Doc("SS-70: what there is to strike with")] = ()
    armour: Annotated[tuple[Item, ...], Doc("SS-70: what there is to wear")] = ()
    gear: Annotated[tuple[Item, ...], Doc("SS-70: what there is to carry besides")] = ()
    samples: Annotated[tuple[Sample, ...], Doc("SS-70: heroes who are ready to be played")] = ()
    plugins: Annotated[tuple[Plugin, ...], Doc("SS-67: what of the toolkit is on from the beginning")] = ()
    companions: Annotated[
        tuple[Companion, ...], Doc("SS+01 to SS+05: the rules beside the book that this table plays with")
    ] = (Companion.CLOCKS, Companion.WEALTH, Companion.TIERS, Companion.FATAL, Companion.SIDE_ORDER)
    build_points: Annotated[
        int, Ge(0), Le(99), Doc("SS-13: build points of a new hero: 0 grim, 6 standard, 12 pulp, 16 heroic")
    ] = int(Tone.STANDARD)
    luck_test_target: Annotated[
        LuckTarget, Doc("SS-24: whether a token spent on a Luck test lowers its target too")
    ] = LuckTarget.LIVE
    luck_rest: Annotated[LuckRest, Doc("SS-26: whether a short rest gives a token, or only a night's")] = LuckRest.SHORT
    bonus_margin: Annotated[Literal[10, 11], Doc("SS-35: the margin from which a hit does 1 more")] = 10
    piercing: Annotated[bool, Doc("SS-37: whether explosive and plasma weapons ignore a point of soak")] = False
    carry_limit: Annotated[int, Ge(1), Le(60), Doc("SS-40: substantial items that are carried without hindrance")] = 6
    pressure: Annotated[Scope, Doc("SS-50: whether the table shares a track, each hero has one, or both")] = (
        Scope.SHARED
    )
    step4_surcharge: Annotated[
        Toll, Doc("SS-53: whether spending costs 1 more at step 4 by itself, or when the custodian says so")
    ] = Toll.PROPOSED
    crisis_reset: Annotated[Literal[0, 1], Doc("SS-54: where the track stands after a crisis")] = 0
    milestone: Annotated[MilestoneOption, Doc("SS-61: how a milestone's gain is bought")] = MilestoneOption.BUILD_POINTS

    def __post_init__(self) -> None:
        if len(self.attributes) != 5 or len({key.casefold() for key in self.attributes}) != 5:
            raise ValueError("attributes must be five different keys")
        if STAMINA in self.attributes:
            raise ValueError(f"{STAMINA} is the key of Stamina, so no attribute can have it")
        if self.luck not in self.attributes or self.agility not in self.attributes or self.luck == self.agility:
            raise ValueError("luck and agility must be two of the five attributes")
        usual = {*self.usual_attack.values(), *self.usual_defence.values()}
        unknown = usual - set(self.attributes)
        if unknown:
            raise ValueError(f"{', '.join(sorted(unknown))} is not among the five attributes")

    @property
    def places(self) -> tuple[str, str, str, str, str]:
        """SS-10: force, agility, wits, presence and Luck, by their keys."""
        force, _, wits, presence, _ = self.attributes
        return force, self.agility, wits, presence, self.luck

    def plays(self, companion: Companion) -> bool:
        return companion in self.companions

    @property
    def ready(self) -> tuple[Sample, ...]:
        """SS-70: ready-made heroes: the table's, or the plain skin's if it has none and uses the plain skin's keys."""
        plain = plain_options()
        if not self.samples and self.attributes == plain.attributes:
            return plain.samples
        return self.samples

    @property
    def listed_items(self) -> tuple[Item, ...]:
        return (*self.weapons, *self.armour, *self.gear)

    @property
    def known_items(self) -> tuple[Item, ...]:
        """SS-70: items of the skin, or else of the plain skin, and further ones that only ready-made heroes carry."""
        listed = self.listed_items or plain_options().listed_items
        listed_words = {item.name.casefold() for item in listed}
        unlisted = dict[str, Item]()
        for sample in self.ready:
            for name in sample.gear:
                if name.casefold() not in listed_words and name not in unlisted:
                    unlisted[name] = Item(name=name)
        return (*listed, *unlisted.values())


def skins() -> Any:
    """SS-70: the module that reads skins, imported on first use."""
    from . import skin

    return skin


@cache
def plain_options() -> Options:
    """The plain skin's part of the options.

    Cached: it saves reading the skin's file for every look at ready heroes and items. The file ships with the program
    and never changes, so nothing ends it.
    """
    return read(Options, skins().default_skin().fills_in())


# ---------------------------------------------------------------- ways to fight


class Manner(Enum):
    """SS-43: ways to attack."""

    HEAVY = "heavy"
    FAST = "fast"
    CLEVER = "clever"
    PRESENCE = "presence"
    LUCKY = "lucky"

    def usual(self, options: Options) -> str:
        """The attribute that usually fits: as the skin says, else by its place among the five."""
        if self.value in options.usual_attack:
            return options.usual_attack[self.value]
        force, agility, wits, presence, luck = options.places
        match self:
            case Manner.HEAVY:
                return force
            case Manner.FAST:
                return agility
            case Manner.CLEVER:
                return wits
            case Manner.PRESENCE:
                return presence
            case Manner.LUCKY:
                return luck


class Guard(Enum):
    """SS-43: ways to defend, or none at all (SS-33)."""

    DODGE = "dodge"
    PARRY = "parry"
    COVER = "cover"
    COMPOSURE = "composure"
    CHANCE = "chance"
    NONE = "none"

    def usual(self, options: Options) -> str:
        """The attribute that usually fits: as the skin says, else by its place among the five."""
        if self.value in options.usual_defence:
            return options.usual_defence[self.value]
        force, agility, wits, presence, luck = options.places
        match self:
            case Guard.DODGE:
                return agility
            case Guard.PARRY:
                return force
            case Guard.COVER:
                return wits
            case Guard.COMPOSURE:
                return presence
            case Guard.CHANCE | Guard.NONE:
                return luck
