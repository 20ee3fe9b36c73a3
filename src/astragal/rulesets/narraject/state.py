"""State of the game besides the sheets: intents, facts, aspects, threats; options, terms, and look-ups of people."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, TypeAlias

from astragal.game import Character, NoSuchThing, Refusal, Seen, TableCall, TableState, Value, Viewer, field, matching
from astragal.game.fields import CharacterId, Doc, Ge, Le, SeatId, Words

from .hand import HandFloor
from .sheet import Sheet, Stat, T, Track

# ---------------------------------------------------------------- what is kept at the table


class Intent(Value, seen=Seen.ALL):
    """NJ-01: what somebody wants, and by what approach; not rolled for yet."""

    who: CharacterId
    goal: Words
    approach: Words


class Fact(Value, seen=Seen.ALL):
    """NJ-03: something that was made true. While a hidden difficulty is unrevealed, only the game master knows."""

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
    """NJ-18, NJ-23: something of the scene or the story that lends dice to those whom the game master allows it."""

    id: str
    name: str
    dice: int
    span: Span
    open_to: tuple[str, ...] | None = None
    """The characters that may invoke it; None stands for everyone."""
    helpers: tuple[str, ...] = ()
    """NJ-25: who helps, where the aspect is somebody's help."""
    once: bool = False
    """Does it go with the first roll that invokes it?"""
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
        """NJ+04: what a failed defence costs."""
        return self.level + (2 if self.boss else 1)


class Game(Value, seen=Seen.ALL):
    """State of the game besides the sheets."""

    intents: Mapping[str, Intent] = field(default_factory=dict)
    """By character: declared, and not rolled for yet."""
    facts: Mapping[str, Fact] = field(default_factory=dict)
    aspects: Mapping[str, Aspect] = field(default_factory=dict)
    injections: Mapping[str, Injection] = field(default_factory=dict)
    """Those that nobody has vetoed."""
    threats: Mapping[str, Threat] = field(default_factory=dict)


# ---------------------------------------------------------------- options and terms


class AnchorsPerRoll(Enum):
    """NJ-14: whether all Anchors that apply count, or the one that is chosen."""

    UNLIMITED = "unlimited"
    ONE = "one"


class StressClears(Enum):
    """NJ+03: when boxes that are filled become empty again."""

    REST = "rest"
    SCENE = "scene"


class Options(Value, seen=Seen.ALL):
    """Agreed on when the table is opened. The book's way is the default."""

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

Who: TypeAlias = Annotated[CharacterId, Doc("whose roll, sheet or intent it is")]


def find(state: State, who: str) -> Character[Sheet]:
    if who not in state.characters:
        raise NoSuchThing(f"There is no character {who[:40]!r} at this table.")
    return state.characters[who]


def find_able(state: State, who: str) -> Character[Sheet]:
    """NJ+04: players roll, the world never does. NJ+03: who is taken out does not act."""
    found = find(state, who)
    if found.seat is None:
        raise Refusal(f"{found.name} is no player’s, and the world never rolls: name a difficulty.", code="never_rolls")
    if found.sheet.taken_out:
        raise Refusal(f"{found.name} is taken out.", code="taken_out")
    return found


def find_named(who: Character[Sheet], traits: tuple[T, ...], name: str, kind: str) -> T:
    """What the character has by this name, or a refusal that says what there is."""
    found = matching({one.name: one.name for one in traits}, name)
    if len(found) != 1:
        known = ", ".join(found or [one.name for one in traits]) or "none"
        raise NoSuchThing(f"{who.name} has {'several' if found else 'no'} {kind} called {name[:40]!r}: {known}.")
    return next(one for one in traits if one.name == found[0])
