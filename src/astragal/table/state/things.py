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
    """Kinds of rest. The game decides what each gives."""

    SHORT = "short"
    LONG = "long"
    CARE = "care"


class Calendar(Value, seen=Seen.ALL):
    """Counts of evenings and days, and the present scene and encounter, if any."""

    evening: int = 0
    """Number of evenings that have begun."""
    sitting: bool = False
    """True while an evening is going on."""
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
    """Not shown before it is opened."""


class Option(Value, seen=Seen.ALL):
    """A way on from a scene. Hidden options are numbered last, so that the numbers that players see have no gaps."""

    number: int
    words: str
    way: Way
    leads_to: Annotated[str | None, Seen.GAME_MASTER]
    """Id of a scene; None if what follows is not written yet."""

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or self.way is not Way.HIDDEN


class Scene(Value, seen=Seen.ALL):
    """One place and moment of the story. Only the game master sees it until the story reaches it."""

    id: str
    title: str
    hook: str = ""
    action: str = ""
    consequence: str = ""
    options: tuple[Option, ...] = ()
    """Empty for an ending."""
    save_node: Annotated[bool, Seen.GAME_MASTER] = False
    """True if a save node is marked whenever the story comes here."""
    entered: bool = False
    picture: str = ""
    """Reference to the picture that somebody chose; if empty, a shipped plate that fits is shown."""
    alt: str = ""

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or self.entered


# ---------------------------------------------------------------- clocks


class Face(Enum):
    """Visibility of a clock to players."""

    PUBLIC = "public"
    KNOWN = "known"
    """Players see that it is there and what it is called, but not its hands."""
    HIDDEN = "hidden"
    """Players don't see that it is there."""


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
    """A condition: words for people, and numbers by key for the rules of a game."""

    id: str
    who: CharacterId | None
    """The character; None for everybody at the table."""
    name: str
    until: Until
    effect: Words = ""
    numbers: Mapping[str, int] = field(default_factory=dict)
    hidden: Annotated[bool, Seen.GAME_MASTER] = False
    since_evening: Annotated[int, Seen.GAME_MASTER] = 0

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or not self.hidden


class Fate(Enum):
    """Recorded fate of a character."""

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
    """A note, with its audience."""

    id: str
    title: Title
    words: Words
    author: str
    """The seat that wrote it first."""
    audience: Audience
    seat: str | None
    """The seat that it is for, if it is for one seat."""

    def is_for(self, viewer: Viewer) -> bool:
        if viewer.is_game_master or self.audience is Audience.ALL:
            return True
        return self.audience is Audience.SEAT and self.seat == viewer.seat


# ---------------------------------------------------------------- pictures and handouts

Alt = Annotated[str, MaxLen(300), FreeText()]
"""Alt text: what a picture shows, for people who can't see it."""


class Picture(Value, seen=Seen.ALL):
    """A picture that somebody added. Only they and the game master may use it; others see it where it is used."""

    id: str
    digest: str
    title: Title
    alt: Alt
    seat: str
    """The seat that added it."""
    size: int

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or self.seat == viewer.seat


class Handout(Value, seen=Seen.ALL):
    """A letter, a map or a face to be shown. Only the game master sees it until then."""

    id: str
    title: Title
    words: Words = ""
    picture: str = ""
    alt: Alt = ""
    shown: bool = False
    to: tuple[str, ...] = ()
    """The seats that it is shown to; empty means everybody."""

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or (self.shown and (not self.to or viewer.seat in self.to))


# ---------------------------------------------------------------- prompts, requests, consents


class Prompt(Value, seen=Seen.ALL):
    """A question put to a seat or a character, and the answer."""

    id: str
    to: str
    """Id of a seat or a character."""
    seat: str | None
    """The seat that answers for `to`, as of the prompt's last event; None for the game master."""
    words: Words
    kind: str
    """A word by which a game recognises its own prompts."""
    secret: bool
    """True if only the seat that is asked and the game master see it."""
    answer: Words | None = None
    edited: Words | None = None
    """The answer as the game master reworded it; `answer` keeps the first wording."""

    @property
    def is_open(self) -> bool:
        return self.answer is None

    @property
    def told(self) -> str | None:
        """The answer that counts: the reworded one, if there is one."""
        return self.answer if self.edited is None else self.edited

    def is_for(self, viewer: Viewer) -> bool:
        is_asked = self.seat == viewer.seat or is_put_to(viewer, self.to)
        return not self.secret or is_asked or viewer.is_game_master


def is_put_to(viewer: Viewer, to: str) -> bool:
    return to == viewer.seat or to in viewer.characters


class Request(Value, seen=Seen.ALL):
    """A roll asked of a character: the command, the fields that are filled in, and the difficulty."""

    id: str
    who: CharacterId
    command: str
    fields: Mapping[str, int | str | bool]
    what_for: Words
    hidden: bool
    """True if the difficulty is the game master's secret."""
    difficulty: Annotated[int | None, Seen.DIFFICULTY] = None
    """The number to roll against. A hidden one is withheld from a player's view, where odds can still be calculated."""

    @property
    def hides(self) -> bool:
        return self.hidden

    @property
    def asked_in(self) -> str:
        """Id of the command that asked for it. Requests made at once have that id and a number."""
        return asked_in(self.id)


def asked_in(request: str) -> str:
    """Return the id of the command that made a request, by the request's id."""
    return request.partition("-")[0]


class Consent(Value, seen=Seen.ALL):
    """A proposed command: a program's waits for a person, a player's for the game master's ruling."""

    id: str
    by: str
    """The seat that proposes it."""
    of: str | None
    """The seat whose yes it needs; None if anyone who plays here may say it."""
    command: str
    fields: Annotated[Mapping[str, Any], Seen.GAME_MASTER]
    """Fields of the command, without its free text."""
    words: Annotated[str, FreeText()]
    """The command in words, as people read it."""
    sight: Sight = Sight.OPEN
    ruling: tuple[str, ...] = ()
    """Fields that a player proposed and the game master rules on."""
    texts: Annotated[Mapping[str, str], FreeText(), Seen.GAME_MASTER] = field(default_factory=dict)
    """Free text of the command, by field."""

    @property
    def said(self) -> Mapping[str, Any]:
        """All fields of the command, with its free text."""
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
    """Seats that are ready to go on. Nobody sees them, since that would reveal who is not ready."""
