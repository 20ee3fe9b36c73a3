"""State: the words of a skin, character sheets, and what the game itself keeps besides its people."""

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, Any, Self, TypeAlias

from astragal.game import WITHHELD, Character, Lazily, Refusal, Seen, TableCall, TableState, Teller, Value, replace
from astragal.game.fields import LONGEST_TEXT, CharacterId, FreeText, MaxLen, MinLen, Names, Words, matching

from .options import Item, Options, Plugin, meant
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
"""Most of them are in the skin's file, which is read when a term is asked for."""


def token_words(number: int, teller: Teller) -> str:
    return f"{number} {teller.term('token' if number == 1 else 'tokens')}"


AttributeKey: TypeAlias = Annotated[str, MinLen(1), MaxLen(20), Names("attribute")]
ScoreKey: TypeAlias = Annotated[str, MinLen(1), MaxLen(20), Names("score")]
"""The key of an attribute, or of Stamina."""
Said: TypeAlias = Annotated[str, MinLen(1), MaxLen(LONGEST_TEXT), FreeText()]
"""Words that can't be left out."""
TrackOf: TypeAlias = str | None
"""The hero whose own track it is; None is the table's."""

ALLY_TOKENS = 3
"""SS-67: the size of the party's shared pool."""

# ---------------------------------------------------------------- sheets


class Kind(Enum):
    HERO = "hero"
    NPC = "npc"


class Scores(Value, seen=Seen.ALL):
    """Attributes by key: those that everyone knows, and those that only their owner and the custodian do."""

    open: Mapping[str, int] = {}
    closed: Annotated[Mapping[str, int], Seen.OWNER] = {}

    def __getitem__(self, key: str) -> int:
        return self.open[key] if key in self.open else self.closed[key]

    def opened(self) -> Self:
        return replace(self, open={**self.closed, **self.open}, closed={})

    def words(self, teller: Teller) -> str:
        """Those that everyone knows."""
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
    """What else is carried, by somebody whose scores players do not know."""
    notes: Annotated[Words, Seen.OWNER] = ""
    """What the player wants to remember."""
    concept: Words = ""
    """Who they are, in a line."""
    advantage: Words = ""
    """SS-15: one small advantage in words."""
    pressure: int = 0
    """SS-50: the hero's own track, where there is one."""
    surcharged: bool = False
    """SS-53: whether the custodian has said that spending costs more while the own track is at 4."""
    points: int = 0
    """SS-61: build points held."""
    milestone_open: bool = False
    """SS-61: whether a milestone still has to be used, after which the pool is filled."""
    boons: tuple[str, ...] = ()
    feat_used: bool = False
    """SS-67: once a session."""
    stress: int = 0
    """SS-67: a further track."""
    wealth: int | None = None
    """SS+02: from 0, broke, to 4, rich."""

    def says(self, teller: Teller) -> str:
        return f"{self.scores.words(teller)}, {teller.term('stamina')} {self.stamina}"

    @property
    def is_hero(self) -> bool:
        return self.kind is Kind.HERO

    @property
    def is_closed(self) -> bool:
        """Whether players do not know the numbers that this character rolls against."""
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
        """All that is carried, as far as the viewer may know."""
        return self.gear if self.kept is WITHHELD else (*self.gear, *self.kept)

    @property
    def is_hidden(self) -> bool:
        """Does the viewer know neither the scores nor all that is carried?"""
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
        return max((item for item in self.carried if item.is_weapon), key=lambda item: item.edge, default=None)

    def has(self, what: str) -> bool:
        """SS+04: something of this name, or something tagged so."""
        word = what.casefold()
        return any(word in (item.name.casefold(), *(tag.casefold() for tag in item.tags)) for item in self.carried)

    def item(self, name: str) -> Item | None:
        """The one thing that is called so, or whose name has a part that begins so."""
        found = matching({item.name: item.name for item in self.carried}, name)
        return next(item for item in self.carried if item.name == found[0]) if len(found) == 1 else None

    def rescored(self, scores: Mapping[str, int]) -> dict[str, Any]:
        """What changes, by field, with these scores by key; Stamina's is its most."""
        others = {key: score for key, score in scores.items() if key != STAMINA}
        most = scores.get(STAMINA, self.stamina_most)
        return {"scores": Scores(open={**self.scores.open, **others}), "stamina_most": most}


CARRIED = {"gear": "item", "kept": "item"}
"""Parts of a sheet that hold what is carried, for events that take an `item` away."""


# ---------------------------------------------------------------- the game's own state


class Quest(Value, seen=Seen.ALL):
    """SS-56: a named objective that clears a track when it is met."""

    id: str
    objective: Said
    who: CharacterId | None
    """Whose own track it clears; without one, the table's."""


class CrisisDue(Value, seen=Seen.ALL):
    """SS-65: a crisis that the price of a rewind has brought. It comes next."""

    track_of: TrackOf


class Game(Value, seen=Seen.ALL):
    luck_tests: Annotated[int, Seen.GAME_MASTER] = 0
    """SS-29: Luck tests since the evening began. Hidden ones count, so the number is the custodian's."""
    rest_gives_luck: bool = True
    """Whether rests give tokens: the custodian may grant none."""
    pressure: int = 0
    """SS-50: the table's track, where there is one."""
    surcharged: bool = False
    """SS-53: whether the custodian has said that spending costs more while the table's track is at 4."""
    crises_due: tuple[CrisisDue, ...] = ()
    quests: Mapping[str, Quest] = {}
    beats: int = 0
    """SS-60: perilous beats since the last milestone."""
    plugins: tuple[Plugin, ...] = ()
    """SS-67: what of the toolkit is on."""
    favours: int = 0
    """SS-67: the ally's tokens."""
    stress: int = 0
    """SS-67: the further track, where Pressure is shared."""
    first_side: str | None = None
    """SS+05: which side acts first in this encounter, where it was rolled for."""

    def plays(self, plugin: Plugin) -> bool:
        return plugin in self.plugins


def begin(options: Options) -> Game:
    """A new table, with what its skin or its people have switched on."""
    plugins = tuple(dict.fromkeys(options.plugins))
    return Game(plugins=plugins, favours=ALLY_TOKENS if Plugin.ALLY in plugins else 0)


State: TypeAlias = TableState[Game, Sheet, Options]
Call: TypeAlias = TableCall[State]


def find_hero(state: State, who: str) -> Character[Sheet]:
    found = state.find(who)
    if not found.sheet.is_hero:
        raise Refusal(f"{found.name} is no hero.", code="no_hero")
    return found


def heroes(state: State) -> list[Character[Sheet]]:
    return [one for one in state.characters.values() if one.sheet.is_hero]


def find_item(who: Character[Sheet], name: str) -> Item:
    found = who.sheet.item(name)
    if found is None:
        raise Refusal(f"{who.name} does not carry {name!r}{meant(name, who.sheet.carried)}", code="not_carried")
    return found


def known_key(options: Options, key: str) -> str:
    """The attribute of this key, however it is spelt."""
    for known in options.attributes:
        if known.casefold() == key.casefold():
            return known
    raise Refusal(f"There is no attribute {key!r}; there are {', '.join(options.attributes)}.", code="no_attribute")


def known_score(options: Options, key: str) -> str:
    """Stamina, or the attribute of this key, however it is spelt."""
    return STAMINA if key.upper() == STAMINA else known_key(options, key)
