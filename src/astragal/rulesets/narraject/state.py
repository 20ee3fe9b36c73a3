"""State of Narraject: character sheets, what lies on the table, options, terms, and look-ups of people.

NJ-11, NJ-12, NJ-14 to NJ-17 and NJ+03 say what is on a sheet.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, Self, TypeAlias, TypeVar

from astragal.game import Character, NoSuchThing, Refusal, Seen, TableCall, TableState, Teller, Value, Viewer, replace
from astragal.game.fields import CharacterId, Doc, FreeText, Ge, Label, Le, MaxLen, Name, SeatId, Words, field, matching

from .hand import HandFloor

# ---------------------------------------------------------------- stats

LEAST_RATING = 1
MOST_RATING = 10


class Stat(Enum):
    """NJ-11: the four stats. How an action is done decides which one it rolls."""

    MIGHT = "might"
    AGILITY = "agility"
    INTELLECT = "intellect"
    PERSONA = "persona"

    @property
    def title(self) -> str:
        return self.value.capitalize()


class ByStat(Value, seen=Seen.ALL):
    """NJ-11: a number for each stat: its Rating, or what is left in its Reserve."""

    might: Annotated[int, Ge(-99), Le(99), Doc("power, endurance, close fighting")] = LEAST_RATING
    agility: Annotated[int, Ge(-99), Le(99), Doc("speed, balance, stealth")] = LEAST_RATING
    intellect: Annotated[int, Ge(-99), Le(99), Doc("knowledge, perception, technique")] = LEAST_RATING
    persona: Annotated[int, Ge(-99), Le(99), Doc("influence, will, deception")] = LEAST_RATING

    def __getitem__(self, stat: Stat) -> int:
        number: int = getattr(self, stat.value)
        return number

    def but(self, stat: Stat, number: int) -> Self:
        """Return a copy with one number changed."""
        return replace(self, **{stat.value: number})

    def full_reserves(self) -> Self:
        """NJ-12: take the numbers as Ratings and return the capacities of their Reserves."""
        return replace(self, **{stat.value: reserve_capacity(self[stat]) for stat in Stat})

    def words(self, teller: Teller) -> str:
        """List the stats with their numbers; zeros are left out."""
        return ", ".join(f"{teller.term(stat.value)} {self[stat]}" for stat in Stat if self[stat])


def reserve_capacity(rating: int) -> int:
    """NJ-12: twice the Rating and 5 up to Rating 5, three times the Rating and 2 from there on."""
    if rating <= 5:
        return 2 * rating + 5
    return 3 * rating + 2


MOST_RESERVE = reserve_capacity(MOST_RATING)


def focus_cap(rating: int) -> int:
    """NJ-12: the most points that one roll can take."""
    return rating + 2


# ---------------------------------------------------------------- Anchors and Burdens


class Grade(Enum):
    """NJ-14, NJ-15: how many dice an Anchor gives, or a Burden or a Condition takes."""

    MINOR = "minor"
    MODERATE = "moderate"
    MAJOR = "major"

    @property
    def dice(self) -> int:
        return list(Grade).index(self) + 1

    @property
    def higher(self) -> Self | None:
        return Grade.of(self.dice + 1)

    @property
    def lower(self) -> Self | None:
        return Grade.of(self.dice - 1)

    @classmethod
    def of(cls, dice: int) -> Self | None:
        return next((grade for grade in cls if grade.dice == dice), None)


class Scope(Enum):
    """NJ-14: how much an Anchor covers. It gives the same dice either way."""

    BROAD = "broad"
    SPECIFIC = "specific"


class Anchor(Value, seen=Seen.ALL):
    """NJ-14: a background, training or skill."""

    name: Annotated[Name, Doc("what it is called")]
    grade: Annotated[Grade, Doc("minor 1, moderate 2 or major 3 dice")] = Grade.MINOR
    scope: Annotated[Scope, Doc("whether it covers much or little; the dice are the same")] = Scope.BROAD

    @property
    def words(self) -> str:
        specific = " (specific)" if self.scope is Scope.SPECIFIC else ""
        return f"{self.name} +{self.grade.dice}{specific}"


class Burden(Value, seen=Seen.ALL):
    """NJ-15: a weakness, fear or limit."""

    name: Annotated[Name, Doc("what it is called")]
    grade: Annotated[Grade, Doc("minor 1, moderate 2 or major 3 dice fewer")] = Grade.MINOR

    @property
    def words(self) -> str:
        return f"{self.name} −{self.grade.dice}"


# ---------------------------------------------------------------- Assets


class Level(Enum):
    """NJ-17: how well an asset is made."""

    STANDARD = "standard"
    QUALITY = "quality"
    MASTERWORK = "masterwork"

    @property
    def dice(self) -> int:
        return list(Level).index(self) + 1


class Tag(Value, seen=Seen.ALL):
    """NJ-17: a drawback. It takes dice from rolls on these stats for as long as the asset is carried."""

    name: Annotated[Name, Doc("what it is called")]
    dice: Annotated[int, Ge(1), Le(3), Doc("how many dice fewer")] = 1
    stats: Annotated[tuple[Stat, ...], Doc("on which stats; none named means on all")] = ()

    @property
    def words(self) -> str:
        if not self.stats:
            return f"{self.name} −{self.dice}"
        stats = " and ".join(stat.title for stat in self.stats)
        return f"{self.name} −{self.dice} on {stats}"

    def hampers(self, stat: Stat) -> bool:
        return not self.stats or stat in self.stats


class Asset(Value, seen=Seen.ALL):
    """NJ-17: a tool, a weapon, armour."""

    name: Annotated[Name, Doc("what it is called")]
    level: Annotated[Level, Doc("standard 1, quality 2 or masterwork 3 dice")] = Level.STANDARD
    stated: Annotated[
        int | None, Ge(0), Le(6), Label("dice"), Doc("the dice that its own description gives, in place of its level's")
    ] = None
    armour: Annotated[int, Ge(0), Le(3), Doc("NJ+03: what it takes off a physical hit")] = 0
    tags: Annotated[tuple[Tag, ...], Label("drawbacks")] = ()

    @property
    def dice(self) -> int:
        return self.level.dice if self.stated is None else self.stated

    @property
    def words(self) -> str:
        remarks = [tag.words for tag in self.tags]
        if self.armour:
            remarks.append(f"armour {self.armour}")
        words = f"{self.name} +{self.dice}"
        return f"{words} ({', '.join(remarks)})" if remarks else words


# ---------------------------------------------------------------- harm


class Track(Enum):
    """NJ+03: harm to the body, or to the mind."""

    PHYSICAL = "physical"
    MENTAL = "mental"


def track_of(stat: Stat) -> Track:
    """NJ+03: the track whose Conditions hinder rolls on this stat."""
    return Track.PHYSICAL if stat in (Stat.MIGHT, Stat.AGILITY) else Track.MENTAL


class Condition(Value, seen=Seen.ALL):
    """NJ+03: lasting harm. Each track has one slot for each grade."""

    track: Track
    grade: Grade
    name: Annotated[Name | None, Doc("what it is called, where somebody said so")] = None

    @property
    def label(self) -> str:
        return self.name or f"{self.grade.value} {self.track.value} condition"

    @property
    def words(self) -> str:
        name = f"{self.name}, " if self.name else ""
        return f"{name}{self.grade.value} {self.track.value} (−{self.grade.dice})"


# ---------------------------------------------------------------- the sheet

BOXES = 3
"""NJ+03: boxes of stress on each track."""

Trait: TypeAlias = Anchor | Burden | Asset
"""Anything on the sheet that can count in a roll. The book calls it a character injection."""

T = TypeVar("T", bound=Trait)
GradedTrait = TypeVar("GradedTrait", Anchor, Burden)


class Sheet(Value, seen=Seen.ALL):
    """A character's sheet."""

    ratings: ByStat
    reserves: ByStat
    """NJ-12: the points left in each stat."""
    anchors: tuple[Anchor, ...] = ()
    burdens: tuple[Burden, ...] = ()
    pressing: tuple[str, ...] = ()
    """NJ-15: the Burdens that the game master has said apply to every roll of this scene."""
    assets: tuple[Asset, ...] = ()
    stowed: tuple[str, ...] = ()
    """NJ-17: the Assets that are not carried now."""
    physical: int = 0
    """NJ+03: filled boxes of physical stress."""
    mental: int = 0
    conditions: tuple[Condition, ...] = ()
    taken_out: bool = False
    points: int = 0
    """NJ+06: Narrative Points held."""
    earned: int = 0
    """NJ+06: Narrative Points earned in the evening `earned_in`."""
    earned_in: int = 0
    about: Annotated[str, MaxLen(400), FreeText(), Doc("where the hero comes from, in a line")] = ""

    def says(self, teller: Teller) -> str:
        ratings = self.ratings.words(teller)
        return f"{ratings}. {self.about}" if self.about else ratings

    @property
    def carried(self) -> tuple[Asset, ...]:
        return tuple(asset for asset in self.assets if asset.name not in self.stowed)

    @property
    def armour(self) -> int:
        """NJ+03: the best armour carried; pieces of armour do not add up."""
        return max((asset.armour for asset in self.carried), default=0)

    def stress(self, track: Track) -> int:
        return self.physical if track is Track.PHYSICAL else self.mental

    def capacity(self, stat: Stat) -> int:
        """NJ-12: the most points that a Reserve holds."""
        return reserve_capacity(self.ratings[stat])

    def with_reserve(self, stat: Stat, points: int) -> Self:
        return replace(self, reserves=self.reserves.but(stat, points))

    def without(self, name: str) -> Self:
        """Return the sheet without the Burden or Asset of this name."""
        return replace(
            self,
            burdens=tuple(burden for burden in self.burdens if burden.name != name),
            assets=tuple(asset for asset in self.assets if asset.name != name),
            pressing=tuple(burden for burden in self.pressing if burden != name),
            stowed=tuple(asset for asset in self.stowed if asset != name),
        )

    def graded(self, name: str, grade: Grade) -> Self:
        """Return the sheet with another grade for the Anchor or Burden of this name."""

        def regrade(trait: GradedTrait) -> GradedTrait:
            return replace(trait, grade=grade) if trait.name == name else trait

        return replace(self, anchors=tuple(map(regrade, self.anchors)), burdens=tuple(map(regrade, self.burdens)))

    @property
    def traits(self) -> tuple[Trait, ...]:
        return (*self.anchors, *self.burdens, *self.assets)

    def has_name(self, name: str) -> bool:
        """Return whether a trait has this name. A roll says by name what it counts."""
        return named(self.traits, name) is not None


def named(traits: tuple[T, ...], name: str) -> T | None:
    """Return the trait of this name, ignoring case and surrounding spaces, or None."""
    key = name.strip().casefold()
    return next((trait for trait in traits if trait.name.casefold() == key), None)


# ---------------------------------------------------------------- what is kept at the table


class Intent(Value, seen=Seen.ALL):
    """NJ-01: a character's goal and approach, before the roll."""

    who: CharacterId
    goal: Words
    approach: Words


class Fact(Value, seen=Seen.ALL):
    """NJ-03: something that came true. Under a hidden difficulty only the game master sees it until it is revealed."""

    id: str
    by: CharacterId
    """The character whose intent it was, or the seat that injected it."""
    words: Words
    hidden: Annotated[bool, Seen.GAME_MASTER] = False

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or not self.hidden


class Span(Enum):
    """NJ-18: how long an aspect holds."""

    SCENE = "scene"
    STORY = "story"


class Aspect(Value, seen=Seen.ALL):
    """NJ-18, NJ-23: something in the scene or the story that lends dice to anyone the game master allows."""

    id: str
    name: str
    dice: int
    span: Span
    open_to: tuple[str, ...] | None = None
    """The characters that may invoke it; None stands for everyone."""
    helpers: tuple[str, ...] = ()
    """NJ-25: the helpers, if the aspect is help."""
    once: bool = False
    """True if it ends with the first roll that invokes it."""
    hidden: Annotated[bool, Seen.GAME_MASTER] = False

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or not self.hidden


class Injection(Value, seen=Seen.ALL):
    """NJ-22: a fact that a player put into the story."""

    id: str
    seat: SeatId
    fact: Words
    evening: int


class Threat(Value, seen=Seen.ALL):
    """NJ+04: an enemy or a danger. It never rolls."""

    id: str
    name: str
    level: int
    boss: bool = False
    track: Track = Track.PHYSICAL
    about: Words = ""

    @property
    def stress(self) -> int:
        """NJ+04: the stress that a failed defence costs."""
        return self.level + (2 if self.boss else 1)


class Game(Value, seen=Seen.ALL):
    """State of the game besides the sheets."""

    intents: Mapping[str, Intent] = field(default_factory=dict)
    """Declared and not rolled for yet, by character."""
    facts: Mapping[str, Fact] = field(default_factory=dict)
    aspects: Mapping[str, Aspect] = field(default_factory=dict)
    injections: Mapping[str, Injection] = field(default_factory=dict)
    """Injections that were not vetoed."""
    threats: Mapping[str, Threat] = field(default_factory=dict)


# ---------------------------------------------------------------- options and terms


class AnchorsPerRoll(Enum):
    """NJ-14: how many Anchors count on a roll: all that apply, or one that the player chooses."""

    UNLIMITED = "unlimited"
    ONE = "one"


class StressClears(Enum):
    """NJ+03: when filled boxes become empty again."""

    REST = "rest"
    SCENE = "scene"


class Options(Value, seen=Seen.ALL):
    """Agreed on when the table is opened. The defaults follow the book."""

    anchors_per_roll: Annotated[AnchorsPerRoll, Doc("NJ-14: how many Anchors a roll can count")] = (
        AnchorsPerRoll.UNLIMITED
    )
    hand_floor: Annotated[HandFloor, Doc("NJ-20: what a hand never falls below")] = HandFloor.RATING
    stat_points: Annotated[bool, Doc("NJ+01: whether new heroes keep to a power level")] = True
    power_level: Annotated[int, Ge(1), Le(20), Doc("NJ+01: the power level of new heroes")] = 2
    recovery: Annotated[bool, Doc("NJ+02: whether rests and new sessions restore Reserve")] = True
    stress: Annotated[bool, Doc("NJ+03: whether harm fills boxes and leaves Conditions")] = True
    stress_clears: Annotated[StressClears, Doc("NJ+03: when boxes become empty again")] = StressClears.REST
    threats: Annotated[bool, Doc("NJ+04: whether enemies have a threat level")] = True
    treatment: Annotated[bool, Doc("NJ+05: whether rest and treatment ease Conditions")] = True
    advancement: Annotated[bool, Doc("NJ+06: whether Narrative Points are earned and spent")] = True


TERMS: Mapping[str, str] = {
    **{stat.value: stat.title for stat in Stat},
    "focus": "Focus",
    "reserve": "Reserve",
    "anchor": "Anchor",
    "burden": "Burden",
    "asset": "Asset",
    "aspect": "Aspect",
    **{f"{stat.value}_reserve": f"{stat.title} Reserve" for stat in Stat},
    "physical_stress": "physical stress",
    "mental_stress": "mental stress",
    "narrative_points": "Narrative Points",
}
"""Words that a skin can rename."""

State: TypeAlias = TableState[Game, Sheet, Options]
Call: TypeAlias = TableCall[State]

# ---------------------------------------------------------------- finding people and things

Who: TypeAlias = Annotated[CharacterId, Doc("who")]


def find_able(state: State, who: str) -> Character[Sheet]:
    """NJ+04: find a player's character; the world never rolls. NJ+03: refuse anyone who is taken out."""
    character = state.find(who)
    if character.seat is None:
        message = f"{character.name} is no player’s, and the world never rolls: name a difficulty."
        raise Refusal(message, code="never_rolls")
    if character.sheet.taken_out:
        raise Refusal(f"{character.name} is taken out.", code="taken_out")
    return character


def find_named(who: Character[Sheet], traits: tuple[T, ...], name: str, kind: str) -> T:
    """Find a character's trait by name, or refuse and list the names there are."""
    names = matching({trait.name: trait.name for trait in traits}, name)
    if len(names) == 1:
        return next(trait for trait in traits if trait.name == names[0])
    if names:
        raise NoSuchThing(f"{who.name} has several {kind} called {name[:40]!r}: {', '.join(names)}.")
    every_name = ", ".join(trait.name for trait in traits) or "none"
    raise NoSuchThing(f"{who.name} has no {kind} called {name[:40]!r}: {every_name}.")
