"""State of a table: the fold of its log.

Values are never changed in place. Every field declares who may see it; without that only the game master may.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Generic, Self, TypeAlias, TypeVar

from msgspec import Struct, field
from typing_extensions import Doc

from astragal.table.declarations import Role, Seat, Seen, Sight, Value, Viewer, replace
from astragal.table.fields.definitions import FreeText
from astragal.table.refusals import NoSuchThing, Refusal
from astragal.table.state import things
from astragal.table.state.setting import Setting, reworded

__all__ = ["Asked", "Character", "Decision", "Die", "State", "TableState"]

S = TypeVar("S")
G = TypeVar("G")
O = TypeVar("O")  # noqa: E741 - options, beside S for sheet and G for game

MOST_SEALED_NAMED = 100
"""Most sealed rolls that are listed by name. Older ones can still be revealed by their id."""


class HouseOptions(Value, seen=Seen.ALL):
    """House rules: agreed on by the people at a table, whatever they play."""

    hand_dice: Annotated[
        bool, Doc("whether people may throw their own dice and enter what they show; programs never may")
    ] = False
    seeded: Annotated[bool, Doc("dice that anyone could know beforehand: a demonstration, marked as such for good")] = (
        False
    )
    opens_rolls: Annotated[bool, Doc("whether the end of a scene opens the closed rolls that fell in it")] = True
    trusting: Annotated[
        bool, Doc("whether what a player proposes (a difficulty, a modifier) counts at once, without the game master")
    ] = False
    witnessed: Annotated[bool, Doc("whether hidden rolls wait for the links of those who promised to witness them")] = (
        False
    )


class Character(Value, Generic[S], seen=Seen.ALL):
    """A character in the story. One without an owner is the game master's."""

    id: str
    name: str
    seat: str | None
    sheet: S
    fate: things.Fate | None = None
    """Recorded fate, if any."""
    portrait: str = ""
    """Reference to the picture that somebody chose, or that the setting has for them."""
    portrait_alt: str = ""

    @property
    def owner(self) -> str | None:
        return self.seat

    @property
    def is_dead(self) -> bool:
        return self.fate is things.Fate.DEAD

    def check_lives(self) -> None:
        """Refuse if the character is dead."""
        if self.is_dead:
            raise Refusal(f"{self.name} is dead.", code="dead")


class CastMember(Value, kw_only=False):
    """A character's name, owner, fate and portrait, without the sheet."""

    id: str
    name: str
    seat: str | None
    fate: things.Fate | None
    portrait: str


class Die(Value, seen=Seen.ALL):
    """One die of a command, as it lies on the table."""

    sides: int
    face: int
    by: str
    fate: str
    source: str


class Asked(Value, seen=Seen.ALL):
    """A question as it is stored: the rule's name and its arguments."""

    rule: str
    arguments: Annotated[tuple[Any, ...], Seen.DIFFICULTY]


class Decision(Value, seen=Seen.ALL):
    """A command that waits: its question, and the dice and answers so far."""

    act: str
    by: str
    command: str
    fields: Annotated[Mapping[str, Any], Seen.GAME_MASTER]
    """Fields of the command, without its free text."""
    question: Asked
    dice: tuple[Die, ...]
    answers: tuple[Any, ...]
    sides: Mapping[str, str]
    """The character or seat that answers for each side."""
    awaited: tuple[str, ...]
    """The sides that have not answered yet."""
    sealed: Annotated[Mapping[str, Any], Seen.NOBODY] = field(default_factory=dict)
    """Simultaneous answers, hidden until all are in."""
    sight: Sight = Sight.OPEN
    hides: bool = False
    by_hand: bool = False
    """True if all of its dice are thrown by hand, including those that follow an answer."""
    texts: Annotated[Mapping[str, str], FreeText(), Seen.GAME_MASTER] = field(default_factory=dict)
    """Free text of the command, by field. It can be blanked while the command waits, and afterwards."""

    @property
    def said(self) -> Mapping[str, Any]:
        """All fields of the command, with its free text."""
        return {**self.fields, **self.texts}

    def is_for(self, viewer: Viewer) -> bool:
        return self.sight is Sight.OPEN or viewer.is_game_master


class TableState(Struct, Generic[G, S, O], frozen=True, kw_only=True, dict=True):
    """State of a table: its seats, its characters, and everything that lies on it."""

    id: Annotated[str, Seen.ALL]
    name: Annotated[str, Seen.ALL]
    ruleset: Annotated[str, Seen.ALL]
    options: Annotated[O, Seen.ALL]
    house: Annotated[HouseOptions, Seen.ALL]
    game: Annotated[G, Seen.ALL]
    skin: Annotated[str, Seen.ALL] = ""
    terms: Annotated[Mapping[str, str], Seen.ALL] = field(default_factory=dict)
    renamed: Annotated[Mapping[str, str], Seen.ALL] = field(default_factory=dict)
    """The book's words that the skin replaces, each with the skin's."""
    setting: Annotated[Setting, Seen.ALL] = field(default_factory=Setting)
    seats: Annotated[Mapping[str, Seat], Seen.ALL] = field(default_factory=dict)
    characters: Annotated[Mapping[str, Character[S]], Seen.ALL] = field(default_factory=dict)
    decisions: Annotated[Mapping[str, Decision], Seen.ALL] = field(default_factory=dict)
    nodes: Annotated[Mapping[str, str], Seen.ALL] = field(default_factory=dict)
    """Save nodes that can be rewound to, by id, with their labels."""
    rewinds: Annotated[int, Seen.ALL] = 0
    revealed: Annotated[tuple[str, ...], Seen.ALL] = ()
    """Ids of hidden commands that were revealed."""
    closed_rolls: Annotated[Mapping[str, str], Seen.GAME_MASTER] = field(default_factory=dict)
    """Closed rolls that open when the scene ends, by the id of their command, with names for the game master."""
    sealed_rolls: Annotated[Mapping[str, str], Seen.GAME_MASTER] = field(default_factory=dict)
    """The newest rolls that stay sealed until they are revealed: secret ones, and closed ones that were kept.

    By the id of their command, with names.
    """
    calendar: Annotated[things.Calendar, Seen.ALL] = field(default_factory=things.Calendar)
    scenes: Annotated[Mapping[str, things.Scene], Seen.ALL] = field(default_factory=dict)
    conditions: Annotated[Mapping[str, things.Condition], Seen.ALL] = field(default_factory=dict)
    clocks: Annotated[Mapping[str, things.Clock], Seen.ALL] = field(default_factory=dict)
    notes: Annotated[Mapping[str, things.Note], Seen.ALL] = field(default_factory=dict)
    prompts: Annotated[Mapping[str, things.Prompt], Seen.ALL] = field(default_factory=dict)
    requests: Annotated[Mapping[str, things.Request], Seen.ALL] = field(default_factory=dict)
    consents: Annotated[Mapping[str, things.Consent], Seen.ALL] = field(default_factory=dict)
    """Proposed commands that wait for a person to allow them or for the game master's ruling."""
    pictures: Annotated[Mapping[str, things.Picture], Seen.ALL] = field(default_factory=dict)
    handouts: Annotated[Mapping[str, things.Handout], Seen.ALL] = field(default_factory=dict)
    safety: Annotated[things.Safety, Seen.ALL] = field(default_factory=things.Safety)

    def viewer(self, seat: str) -> Viewer:
        characters = frozenset(character.id for character in self.characters.values() if character.seat == seat)
        return Viewer(seat, self.seats[seat].role, characters)

    def find(self, who: str) -> Character[S]:
        """Return the character with this id; refused if there is none."""
        if who not in self.characters:
            raise NoSuchThing(f"There is no character {who[:40]!r} at this table.")
        return self.characters[who]

    @property
    def played(self) -> list[Character[S]]:
        """Living characters of players."""
        return [
            character for character in self.characters.values() if character.seat is not None and not character.is_dead
        ]

    @property
    def cast(self) -> Mapping[str, CastMember]:
        """All characters by name and face, which most seats see alike. Cached until the characters change."""
        return cast_in(self.characters, vars(self))

    def with_sheet(self, who: str, sheet: S) -> Self:
        """Return the state with another sheet for a character."""
        character = replace(self.characters[who], sheet=sheet)
        return self._with(characters={**self.characters, who: character})

    def changed(self, who: str, **parts: Any) -> Self:
        """Return the state with parts of a character's sheet replaced; unchanged if there is no such character."""
        if who not in self.characters:
            return self
        return self.with_sheet(who, replace(self.characters[who].sheet, **parts))

    def with_game(self, **parts: Any) -> Self:
        """Return the state with parts of the game's own state replaced."""
        return self._with(game=replace(self.game, **parts))

    def with_character(self, character: Character[S]) -> Self:
        return self._with(characters={**self.characters, character.id: character})

    def with_sealed_roll(self, act: str, name: str) -> Self:
        newest = dict(list(self.sealed_rolls.items())[1 - MOST_SEALED_NAMED :])
        return self._with(sealed_rolls={**newest, act: name})

    def with_decisions(self, decisions: Mapping[str, Decision]) -> Self:
        return self._with(decisions=decisions)

    def _with(self, **parts: Any) -> Self:
        changed = replace(self, **parts)
        vars(changed).update(vars(self))  # the cast, for as long as the characters stay
        return changed

    def worded(self, text: str) -> str:
        """Translate a text of the game, such as a label or a refusal, into the skin's words."""
        if not self.renamed:
            return text
        names = [member.name for member in self.cast.values()]
        names += [seat.name for seat in self.seats.values()]
        return reworded(text, self.renamed, names)

    @property
    def game_master(self) -> str:
        return next(seat.id for seat in self.seats.values() if seat.role is Role.GAME_MASTER)


def cast_in(characters: Mapping[str, Character[Any]], beside: dict[str, Any]) -> Mapping[str, CastMember]:
    """Return the cast of a state's characters. Kept beside the state, with the characters that it was made from."""
    source, cast = beside.get("_cast", (None, {}))
    if source is not characters:
        cast = {}
        for who, character in characters.items():
            cast[who] = CastMember(character.id, character.name, character.seat, character.fate, character.portrait)
        beside["_cast"] = characters, cast
    members: Mapping[str, CastMember] = cast
    return members


State: TypeAlias = TableState[Any, Any, Any]
"""State of a table of any game."""
