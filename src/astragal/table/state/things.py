"""Things that lie on every table, whatever is played: calendar, scenes, clocks, conditions, notes, pictures, prompts,
requests, consents, and the agreements that keep people safe. `TableState` holds them; the chapters change them.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, Any

from annotated_types import MaxLen, MinLen
from msgspec import field

from astragal.table.declarations import Role, Seen, Sight, Value, Viewer
from astragal.table.fields.definitions import CharacterId, FreeText, Words

__all__ = ["Clock", "Condition", "Face", "Fate", "Hands", "Request", "Rest", "Until"]

# ---------------------------------------------------------------- evenings and days


class Rest(Enum):
    """Kinds of rest. What each gives is the game's to say."""

    SHORT = "short"
    LONG = "long"
    CARE = "care"


class Calendar(Value, seen=Seen.ALL):
    """Evenings and days are counted; of scenes and encounters there is one or none."""

    evening: int = 0
    """Number of evenings that have begun."""
    sitting: bool = False
    """Is an evening going on?"""
    scene: str | None = None
    encounter: str | None = None
    """Name of the present encounter."""
    day: int = 1


# ---------------------------------------------------------------- scenes: a directed graph


class Way(Enum):
    """Visibility of an option to players."""

    OPEN = "open"
    RISKY = "risky"
    HIDDEN = "hidden"
    """It is never shown before it is opened."""


class Option(Value, seen=Seen.ALL):
    """A way on from a scene. The numbers that players see have no gaps: hidden options are counted last."""

    number: int
    words: str
    way: Way
    leads_to: Annotated[str | None, Seen.GAME_MASTER]
    """A scene; without one, what follows is not written yet."""

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or self.way is not Way.HIDDEN


class Scene(Value, seen=Seen.ALL):
    """One place and moment, as it is told. The game master's alone until the story has come there."""

    id: str
    title: str
    hook: str = ""
    action: str = ""
    consequence: str = ""
    options: tuple[Option, ...] = ()
    """None for an ending."""
    save_node: Annotated[bool, Seen.GAME_MASTER] = False
    """Is the present marked as a save node whenever the story comes here?"""
    entered: bool = False
    picture: str = ""
    """A reference to the picture that somebody chose; without one, a plate of ours that fits."""
    alt: str = ""

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or self.entered


# ---------------------------------------------------------------- clocks


class Face(Enum):
    """Visibility of a clock to players."""

    PUBLIC = "public"
    KNOWN = "known"
    """They know that it is there and what it is called, and not where its hands are."""
    HIDDEN = "hidden"
    """They don't know that it is there."""


class Hands(Value, seen=Seen.ALL):
    """Progress of a clock."""

    ticks: int
    size: int
    public: bool

    @property
    def is_full(self) -> bool:
        return self.ticks >= self.size

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or self.public


class Clock(Value, seen=Seen.ALL):
    """A meter with a name. A full clock stays full until it is moved back or removed."""

    id: str
    name: str
    face: Face
    hands: Hands

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or self.face is not Face.HIDDEN


# ---------------------------------------------------------------- conditions and fates


class Until(Enum):
    """Moments at which a condition ends by itself."""

    SCENE_ENDS = "the scene ends"
    ENCOUNTER_ENDS = "the encounter ends"
    EVENING_ENDS = "the evening ends"
    NEXT_EVENING_ENDS = "the next evening ends"
    SHORT_REST = "a rest"
    LONG_REST = "a long rest"
    DAY_ENDS = "the day ends"
    TOLD = "the game master says so"


class Condition(Value, seen=Seen.ALL):
    """Words for people, and numbers by key for the rules of a game."""

    id: str
    who: CharacterId | None
    """The character; without one, everybody at the table."""
    name: str
    until: Until
    effect: Words = ""
    numbers: Mapping[str, int] = field(default_factory=dict)
    hidden: Annotated[bool, Seen.GAME_MASTER] = False
    since_evening: Annotated[int, Seen.GAME_MASTER] = 0

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or not self.hidden


class Fate(Enum):
    """What became of somebody, where the table says so."""

    DEAD = "dead"
    RESCUED = "rescued"
    CAPTURED = "captured"


# ---------------------------------------------------------------- notes

Title = Annotated[str, MinLen(1), MaxLen(120), FreeText()]


class Audience(Enum):
    """Readers of a note. The game master reads every note."""

    ALL = "all"
    SEAT = "seat"
    GAME_MASTER = "game master"


class Note(Value, seen=Seen.ALL):
    """Something written down."""

    id: str
    title: Title
    words: Words
    author: str
    """The seat that wrote it first."""
    audience: Audience
    seat: str | None
    """The seat that it is for, where it is for one."""

    def is_for(self, viewer: Viewer) -> bool:
        if viewer.is_game_master or self.audience is Audience.ALL:
            return True
        return self.audience is Audience.SEAT and self.seat == viewer.seat


# ---------------------------------------------------------------- pictures and handouts

Alt = Annotated[str, MaxLen(300), FreeText()]
"""What a picture shows, in words: for whoever can't see it."""


class Picture(Value, seen=Seen.ALL):
    """A picture that somebody brought. Whoever did may use it, and the game master; others see it where it is used."""

    id: str
    digest: str
    title: Title
    alt: Alt
    seat: str
    """The seat that brought it."""
    size: int

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or self.seat == viewer.seat


class Handout(Value, seen=Seen.ALL):
    """Something to be shown: a letter, a map, a face. The game master's alone until then."""

    id: str
    title: Title
    words: Words = ""
    picture: str = ""
    alt: Alt = ""
    shown: bool = False
    to: tuple[str, ...] = ()
    """The seats that it is shown to; none means everybody."""

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or (self.shown and (not self.to or viewer.seat in self.to))


# ---------------------------------------------------------------- prompts, requests, consents


class Prompt(Value, seen=Seen.ALL):
    """Something put to a seat or a character, and what they said to it."""

    id: str
    to: str
    """A seat or a character."""
    seat: str | None
    """The seat that answers for it, as it was asked; without one, the game master."""
    words: Words
    kind: str
    """A word by which a game knows its own prompts."""
    secret: bool
    """Is it between the one who is asked and the game master?"""
    answer: Words | None = None
    edited: Words | None = None
    """The answer as the game master put it; the other text stays beside it."""

    @property
    def is_open(self) -> bool:
        return self.answer is None

    @property
    def told(self) -> str | None:
        """The answer that counts."""
        return self.answer if self.edited is None else self.edited

    def is_for(self, viewer: Viewer) -> bool:
        is_asked = self.seat == viewer.seat or is_put_to(viewer, self.to)
        return not self.secret or is_asked or viewer.is_game_master


def is_put_to(viewer: Viewer, to: str) -> bool:
    return to == viewer.seat or to in viewer.characters


class Request(Value, seen=Seen.ALL):
    """A roll asked of a character: by which command, with what filled in, against which difficulty."""

    id: str
    who: CharacterId
    command: str
    fields: Mapping[str, int | str | bool]
    what_for: Words
    hidden: bool
    """Is the difficulty the game master's secret?"""
    difficulty: Annotated[int | None, Seen.DIFFICULTY] = None
    """The number to roll against. A hidden one is withheld from a player's view; a rule can still be asked."""

    @property
    def hides(self) -> bool:
        return self.hidden

    @property
    def asked_in(self) -> str:
        """The deed in which it was asked for. Several that are asked for at once are numbered: its id, and a number."""
        return asked_in(self.id)


def asked_in(request: str) -> str:
    """The deed of a request's id."""
    return request.partition("-")[0]


class Consent(Value, seen=Seen.ALL):
    """A command that is proposed: a program's waits for a person, a player's for the game master's ruling."""

    id: str
    by: str
    """The seat that proposes it."""
    of: str | None
    """The seat whose yes it takes; without one, that of anybody who plays here."""
    command: str
    fields: Annotated[Mapping[str, Any], Seen.GAME_MASTER]
    """Those of the command, but for its free text."""
    words: Annotated[str, FreeText()]
    """The command as people read it."""
    sight: Sight = Sight.OPEN
    ruling: tuple[str, ...] = ()
    """The fields that the game master rules on, where a player proposed them."""
    texts: Annotated[Mapping[str, str], FreeText(), Seen.GAME_MASTER] = field(default_factory=dict)
    """The free text of the command, by field."""

    @property
    def said(self) -> Mapping[str, Any]:
        """All fields of the command."""
        return {**self.fields, **self.texts}

    def is_for(self, viewer: Viewer) -> bool:
        asked = self.of == viewer.seat if self.of else viewer.role is not Role.SPECTATOR
        return asked or viewer.is_game_master or viewer.seat == self.by


# ---------------------------------------------------------------- safety: agreements of the people at the table


class Boundary(Enum):
    """A line is never crossed; behind a veil things may happen, untold."""

    LINE = "line"
    VEIL = "veil"


class Agreed(Value, seen=Seen.ALL):
    """One boundary. Nobody can see who asked for it."""

    id: str
    kind: Boundary
    words: str


class Safety(Value, seen=Seen.ALL):
    """Boundaries, and whether the scene is stopped."""

    boundaries: tuple[Agreed, ...] = ()
    stopped: bool = False
    ready: Annotated[tuple[str, ...], Seen.NOBODY] = ()
    """The seats that would go on. Told to nobody: the one missing would be known."""
