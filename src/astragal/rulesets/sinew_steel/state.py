"""State of the game: default terms, character sheets, and what a table keeps besides its characters."""

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, Any, Self, TypeAlias

from astragal.game import WITHHELD, Character, Lazily, Refusal, Seen, TableCall, TableState, Teller, Value, replace
from astragal.game.fields import LONGEST_TEXT, CharacterId, FreeText, MaxLen, MinLen, Names, Words, matching

from .options import Item, Options, Plugin, did_you_mean
from .scores import STAMINA


def default_terms() -> dict[str, str]:
    """Terms of the default skin: attributes by key, what is held and spent, the fuse and its crises, plug-ins."""
    from .skin import default_skin

    return {
        "stamina": "Stamina",
        "token": "token",
        "tokens": "tokens",
        "wealth": "Wealth",
        "feat": "the feat",
        "guard": "how to defend",
        "ritual": "rituals",
        "ally": "the ally",
        "stress": "Stress",
        "stress_crisis": "It is too much. What breaks is for the table to say.",
        **default_skin().names(),
    }


TERMS = Lazily(default_terms)
"""Loaded lazily: most terms are in the default skin's file, which is read when the first one is looked up."""


def token_words(number: int, teller: Teller) -> str:
    noun = teller.term("token" if number == 1 else "tokens")
    return f"{number} {noun}"


AttributeKey: TypeAlias = Annotated[str, MinLen(1), MaxLen(20), Names("attribute")]
ScoreKey: TypeAlias = Annotated[str, MinLen(1), MaxLen(20), Names("score")]
"""The key of an attribute, or of Stamina."""
RequiredWords: TypeAlias = Annotated[str, MinLen(1), MaxLen(LONGEST_TEXT), FreeText()]
"""Required text."""
TrackOf: TypeAlias = str | None
"""Owner of a track: a hero's id, or None for the table's track."""

ALLY_TOKENS = 3
"""SS-67: the size of the party's shared pool."""

# ---------------------------------------------------------------- sheets


class Kind(Enum):
    HERO = "hero"
    NPC = "npc"


class Scores(Value, seen=Seen.ALL):
    """Attribute scores by key: `open` ones are known to all, `closed` ones only to their owner and the custodian."""

    open: Mapping[str, int] = {}
    closed: Annotated[Mapping[str, int], Seen.OWNER] = {}

    def __getitem__(self, key: str) -> int:
        if key in self.open:
            return self.open[key]
        return self.closed[key]

    def opened(self) -> Self:
        return replace(self, open={**self.closed, **self.open}, closed={})

    def words(self, teller: Teller) -> str:
        """The open scores as text."""
        return ", ".join(f"{teller.term(key)} {score}" for key, score in self.open.items())


class Sheet(Value, seen=Seen.ALL):
    kind: Kind
    scores: Scores
    luck: int
    """SS-20: tokens now held."""
    luck_key: str
    """The attribute that is Luck."""
    stamina: int
    stamina_most: int
    gear: tuple[Item, ...] = ()
    kept: Annotated[tuple[Item, ...], Seen.OWNER] = ()
    """Gear that players do not know of, of a character whose scores they do not know."""
    notes: Annotated[Words, Seen.OWNER] = ""
    """The player's own notes."""
    concept: Words = ""
    """Who they are, in a line."""
    advantage: Words = ""
    """SS-15: one small advantage in words."""
    pressure: int = 0
    """SS-50: the hero's own track, where there is one."""
    surcharged: bool = False
    """SS-53: true if the custodian has said that spending costs more while the hero's own track is at 4."""
    points: int = 0
    """SS-61: build points held."""
    milestone_open: bool = False
    """SS-61: true while a milestone is still to be used. Using it fills the pool."""
    boons: tuple[str, ...] = ()
    feat_used: bool = False
    """SS-67: true once the feat was used this session."""
    stress: int = 0
    """SS-67: the hero's own stress track, where Pressure is not shared."""
    wealth: int | None = None
    """SS+02: from 0, broke, to 4, rich."""

    def says(self, teller: Teller) -> str:
        return f"{self.scores.words(teller)}, {teller.term('stamina')} {self.stamina}"

    @property
    def is_hero(self) -> bool:
        return self.kind is Kind.HERO

    @property
    def is_closed(self) -> bool:
        """True if players do not know the scores that this character rolls against."""
        return not self.is_hero and not self.scores.open

    @property
    def luck_most(self) -> int:
        """SS-20, SS-27: the Luck attribute is the size of the pool."""
        return self.scores[self.luck_key]

    @property
    def is_collapsed(self) -> bool:
        """SS-30: down at 0 Stamina, and up again with the first point."""
        return self.stamina == 0

    @property
    def carried(self) -> tuple[Item, ...]:
        """All gear that the viewer may know of."""
        if self.kept is WITHHELD:
            return self.gear
        return (*self.gear, *self.kept)

    @property
    def is_hidden(self) -> bool:
        """True if the viewer knows neither the scores nor all of the gear."""
        return self.is_closed and self.kept is WITHHELD

    @property
    def load(self) -> int:
        """SS-40: trinkets and money do not count."""
        return sum(item.substantial for item in self.carried)

    @property
    def soak(self) -> int:
        """SS-36: armour does not add up; the best counts."""
        return max((item.soak for item in self.carried), default=0)

    @property
    def sharpest(self) -> Item | None:
        """SS-43: the weapon with the most edge; None is bare hands."""
        weapons = [item for item in self.carried if item.is_weapon]
        return max(weapons, key=lambda weapon: weapon.edge, default=None)

    def has(self, name_or_tag: str) -> bool:
        """SS+04: return whether an item with this name or this tag is carried."""
        word = name_or_tag.casefold()
        for item in self.carried:
            tags = [tag.casefold() for tag in item.tags]
            if word == item.name.casefold() or word in tags:
                return True
        return False

    def item(self, name: str) -> Item | None:
        """Find an item by its name, or the beginning of a word in it; None unless exactly one fits."""
        item_by_name: dict[str, Item] = {}
        for item in self.carried:
            item_by_name.setdefault(item.name, item)
        names = matching({known_name: known_name for known_name in item_by_name}, name)
        if len(names) != 1:
            return None
        return item_by_name[names[0]]

    def rescored(self, scores: Mapping[str, int]) -> dict[str, Any]:
        """Changed fields of the sheet for new scores by key. Stamina's score is its maximum."""
        attributes = {key: score for key, score in scores.items() if key != STAMINA}
        return {
            "scores": Scores(open={**self.scores.open, **attributes}),
            "stamina_most": scores.get(STAMINA, self.stamina_most),
        }


CARRIED = {"gear": "item", "kept": "item"}
"""Fields of a sheet that hold gear, for events that take an `item` away."""


# ---------------------------------------------------------------- the game's own state


class Quest(Value, seen=Seen.ALL):
    """SS-56: a named objective that clears a track when it is met."""

    id: str
    objective: RequiredWords
    who: CharacterId | None
    """The hero whose own track it clears; None is the table's track."""


class CrisisDue(Value, seen=Seen.ALL):
    """SS-65: a crisis that the price of a rewind has brought. It comes next."""

    track_of: TrackOf


class Game(Value, seen=Seen.ALL):
    luck_tests: Annotated[int, Seen.GAME_MASTER] = 0
    """SS-29: Luck tests since the evening began. Only the custodian sees the number, since hidden tests count."""
    rest_gives_luck: bool = True
    """False while the custodian lets rests give no tokens."""
    pressure: int = 0
    """SS-50: the table's track, where there is one."""
    surcharged: bool = False
    """SS-53: true if the custodian has said that spending costs more while the table's track is at 4."""
    crises_due: tuple[CrisisDue, ...] = ()
    quests: Mapping[str, Quest] = {}
    beats: int = 0
    """SS-60: perilous beats since the last milestone."""
    plugins: tuple[Plugin, ...] = ()
    """SS-67: parts of the toolkit that are on."""
    favours: int = 0
    """SS-67: the ally's tokens."""
    stress: int = 0
    """SS-67: the table's stress track, where Pressure is shared."""
    first_side: str | None = None
    """SS+05: the side that acts first in this encounter, if that was rolled."""

    def plays(self, plugin: Plugin) -> bool:
        return plugin in self.plugins


def begin(options: Options) -> Game:
    """Initial state of a table, with the plug-ins that its skin or its people have switched on."""
    plugins = tuple(dict.fromkeys(options.plugins))
    favours = ALLY_TOKENS if Plugin.ALLY in plugins else 0
    return Game(plugins=plugins, favours=favours)


State: TypeAlias = TableState[Game, Sheet, Options]
Call: TypeAlias = TableCall[State]


def find_hero(state: State, who: str) -> Character[Sheet]:
    character = state.find(who)
    if not character.sheet.is_hero:
        raise Refusal(f"{character.name} is no hero.", code="no_hero")
    return character


def heroes(state: State) -> list[Character[Sheet]]:
    return [character for character in state.characters.values() if character.sheet.is_hero]


def find_item(who: Character[Sheet], name: str) -> Item:
    item = who.sheet.item(name)
    if item is None:
        raise Refusal(f"{who.name} does not carry {name!r}{did_you_mean(name, who.sheet.carried)}", code="not_carried")
    return item


def known_key(options: Options, key: str) -> str:
    """Look up the key of an attribute, ignoring case."""
    for attribute in options.attributes:
        if attribute.casefold() == key.casefold():
            return attribute
    raise Refusal(f"There is no attribute {key!r}; there are {', '.join(options.attributes)}.", code="no_attribute")


def known_score(options: Options, key: str) -> str:
    """Look up the key of Stamina or of an attribute, ignoring case."""
    if key.upper() == STAMINA:
        return STAMINA
    return known_key(options, key)
