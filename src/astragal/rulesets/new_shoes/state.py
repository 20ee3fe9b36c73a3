"""State of the game: sheets with three attributes, which are also the dice, and statuses; approaches; options."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, TypeAlias

from astragal.game import Character, Die, Refusal, Seen, TableCall, TableState, Teller, Value, replace
from astragal.game.display import signed
from astragal.game.fields import CharacterId, Doc, Words, field

TERMS: Mapping[str, str] = {"body": "Body", "mind": "Mind", "will": "Will", "xp": "XP"}
"""Words that a skin can rename."""

WORN_OUT = -5
"""NS-15: harm at which something without attributes is out of the scene."""


class Attribute(Enum):
    BODY = "body"
    MIND = "mind"
    WILL = "will"

    @classmethod
    def names(cls) -> frozenset[str]:
        return frozenset(attribute.value for attribute in cls)

    def called(self, terms: Mapping[str, str]) -> str:
        """Name of the attribute at this table, for code without a teller."""
        return terms.get(self.value, self.value)


class Kind(Enum):
    HERO = "hero"
    NPC = "npc"
    THING = "thing"


class Points(Value, seen=Seen.ALL):
    """NS-11: an attribute's present value, which is the number of its dice, and its full value."""

    now: int
    full: int

    @property
    def missing(self) -> int:
        return self.full - self.now


class Status(Value, seen=Seen.ALL):
    """NS-09: something that is true of someone or something, and its value."""

    id: str
    name: str
    value: int
    who: str | None = None
    """The character that it is on."""
    what: str = ""
    """The thing that it is on. With neither, it is on the scene itself, which is around everyone."""
    speciality: bool = False
    """NS+01: learned, and lasting."""

    @property
    def words(self) -> str:
        return f"{self.name} {signed(self.value)}"

    @property
    def warning(self) -> str:
        """NS-09: a status is generally worth −5 to +5; beyond that it stands, with a warning."""
        return "" if -5 <= self.value <= 5 else " (beyond the usual −5 to +5)"

    def bearer(self, teller: Teller) -> str:
        return teller.name(self.who) if self.who else self.what or "the scene"

    def says_the_same_as(self, status: Status) -> bool:
        return (
            self.who == status.who
            and self.what.casefold() == status.what.casefold()
            and self.name.casefold() == status.name.casefold()
        )


class Sheet(Value, seen=Seen.ALL):
    """NS-15: heroes have all three attributes; others those that the game master gave them."""

    kind: Kind
    body: Points | None = None
    mind: Points | None = None
    will: Points | None = None
    statuses: tuple[Status, ...] = ()
    knocked_out: bool = False
    """NS-12: true for the rest of the scene. Healing does not end it."""
    kept_down: bool = False
    """NS-12: true if the game master has said that the character does not wake with the next scene."""
    xp: int = 0
    lesson: int | None = None
    """NS+01: XP that the last roll's lesson costs; None if it taught nothing."""
    about: Words = ""

    def says(self, teller: Teller) -> str:
        return ", ".join(f"{teller.term(attribute.value)} {self.dice(attribute)}" for attribute in Attribute)

    @property
    def is_hero(self) -> bool:
        return self.kind is Kind.HERO

    @property
    def worn(self) -> int:
        """NS-15: value of the one negative status that harm has made; 0 without it."""
        return next((status.value for status in self.statuses if status.id == harm_id(status.who)), 0)

    def points(self, attribute: Attribute) -> Points | None:
        points: Points | None = getattr(self, attribute.value)
        return points

    def dice(self, attribute: Attribute) -> int:
        points = self.points(attribute)
        return 0 if points is None else points.now

    def with_status(self, status: Status) -> Sheet:
        return replace(self, statuses=with_status(self.statuses, status))


def with_status(statuses: tuple[Status, ...], status: Status) -> tuple[Status, ...]:
    """Add a status, or replace the one with its id."""
    by_id = {held.id: held for held in statuses}
    by_id[status.id] = status  # in the place of the old one, or last
    return tuple(by_id.values())


def harm_id(who: str | None) -> str:
    return f"{who}-harm"


# ---------------------------------------------------------------- an approach under way


class Does(Enum):
    HARM = "harm"
    HEAL = "heal"


class Effect(Value, seen=Seen.ALL):
    """NS-10, NS-14: effect of the difference between total and target: harm or healing, of whom, of which attribute."""

    does: Does
    to: CharacterId
    attribute: Attribute


class Support(Value, seen=Seen.ALL):
    """Support of an approach: who helps, and with which attribute."""

    who: str
    attribute: Attribute


class Threat(Value, seen=Seen.ALL):
    """NS-08: something that comes at a hero, who does it, and whether it harms."""

    words: Words
    by: CharacterId | None
    harmful: bool


class Called(Value, seen=Seen.ALL):
    """NS-02: the game master's call for an approach. The target, which may be hidden, is in the request."""

    attribute: Attribute
    request: str | None = None
    """Id of the requested roll. None for an opponent, since the one who acts rolls for both."""
    against: CharacterId | None = None
    """The character or thing that stands against it and does not roll."""
    opposing: str | None = None
    """NS-06: the approach on the other side."""
    harmed: Attribute | None = None
    """NS-10: the attribute that harm lowers on the other side, if the game master named one."""
    hurt: Attribute | None = None
    """NS-10: the attribute that harm lowers on this side, if the game master named one."""
    healing: Effect | None = None
    statuses: tuple[str, ...] | None = None
    """NS-04: ids of the statuses that apply, if the game master named them."""


class Approach(Value, seen=Seen.ALL):
    """An approach under way, from its description to its roll."""

    id: str
    who: CharacterId
    words: Words = ""
    """Empty for a reaction that still waits for its description."""
    harmful: bool = False
    threat: Threat | None = None
    """NS-08: the threat that this is a reaction to."""
    called: Called | None = None
    support: tuple[Support, ...] = ()

    @property
    def title(self) -> str:
        """The description or, until there is one, the threat that it is a reaction to."""
        return self.words or (f"in reaction to “{self.threat.words}”" if self.threat else "")

    @property
    def is_reaction(self) -> bool:
        """NS-08: whether it answers what comes at a hero, or still waits for its description."""
        return self.threat is not None or not self.words

    @property
    def request(self) -> str | None:
        """Id of the requested roll. None for an opponent, who rolls together with the one who acts."""
        return self.called.request if self.called else None

    @property
    def opposing(self) -> str | None:
        """NS-06: the approach on the other side."""
        return self.called.opposing if self.called else None

    def is_supported_by(self, who: str) -> bool:
        return any(support.who == who for support in self.support)


Chains: TypeAlias = tuple[tuple[int, ...], ...]
"""NS-03: each die that was thrown, followed by those that its sixes brought."""


class Thrown(Value, seen=Seen.ALL):
    """NS-03: the dice of the last roll."""

    mine: Chains
    theirs: Chains = ()


# ---------------------------------------------------------------- options, and the game's own state


class Explode(Enum):
    """NS-03: sixes are rolled again and again, or each only once."""

    CHAIN = "chain"
    ONCE = "once"


class Options(Value, seen=Seen.ALL):
    """Options that are agreed on when the table is opened."""

    explode: Annotated[Explode, Doc("NS-03: whether sixes are rolled again and again, or each only once")] = (
        Explode.CHAIN
    )
    lessons: Annotated[bool, Doc("NS+01: whether failures give XP, and sixes teach specialities")] = False


class Game(Value, seen=Seen.ALL):
    """State of the game besides the sheets: approaches under way, the scene's statuses, the dice last thrown."""

    approaches: Mapping[str, Approach] = field(default_factory=dict)
    statuses: tuple[Status, ...] = ()
    """NS-09: on the scene and on things that nobody plays."""
    thrown: Annotated[Thrown | None, Seen.GAME_MASTER] = None
    """Dice of the last approach. Only the game master sees them, since it may have been rolled out of sight."""
    aside: Annotated[Mapping[str, tuple[Die, ...]], Seen.GAME_MASTER] = field(default_factory=dict)
    """Dice already thrown by hand, by act, for rolls that need more of them."""
    taken_up: Annotated[tuple[Die, ...], Seen.GAME_MASTER] = ()
    """Dice that were set aside for the roll that is now being completed."""


State: TypeAlias = TableState[Game, Sheet, Options]
Call: TypeAlias = TableCall[State]


# ---------------------------------------------------------------- finding people


def find_able(state: State, who: str) -> Character[Sheet]:
    """NS-12: find a character who lives and is not knocked out."""
    character = state.find(who)
    character.check_lives()
    if character.sheet.knocked_out:
        raise Refusal(f"{character.name} is knocked out, and can’t act in this scene.", code="knocked_out")
    return character


def find_roller(state: State, who: str) -> Character[Sheet]:
    """NS-08: find a hero who can act. Nobody else ever rolls."""
    character = find_able(state, who)
    if not character.sheet.is_hero:
        raise Refusal(f"{character.name} never rolls: prompt those whom it concerns to react.", code="never_rolls")
    return character
