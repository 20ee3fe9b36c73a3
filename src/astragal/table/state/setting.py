"""Setting of a table: what its skin has ready, its look, and the book's words in the skin's.

Foes, omens, moves and the adventure are the game master's to know.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from functools import lru_cache
from typing import Annotated, Any

from annotated_types import MaxLen, MinLen
from msgspec import field
from typing_extensions import Doc

from astragal.table.declarations import Seen, Value
from astragal.table.fields.definitions import OneLine
from astragal.table.state.things import Clock, Scene
from astragal.wording import capitalised

__all__ = ["MoveKind"]

# ---------------------------------------------------------------- what a skin has ready


class MoveKind(Enum):
    """Kinds of move for when the players stall, in the order of the d4."""

    ESCALATE = "escalate"
    OMEN = "omen"
    TERRAIN = "terrain"
    BARGAIN = "bargain"


class Foe(Value, seen=Seen.GAME_MASTER):
    """Somebody or something that is ready to be brought in: plain fields of the command that does it."""

    id: str
    name: str
    fields: Mapping[str, Any]


class Secret(Value, seen=Seen.GAME_MASTER):
    """Something that is true, and that the heroes do not know yet."""

    title: str
    words: str


class Prop(Value, seen=Seen.GAME_MASTER):
    """Somebody or something that can be shown."""

    id: str
    title: str
    words: str
    picture: str


class Adventure(Value, seen=Seen.GAME_MASTER):
    """A first adventure. Its scenes lie on the table as drafts from the beginning; the first of them begins it.

    So do its clocks, its secrets, as notes, and its props, as handouts: people, letters, maps.
    """

    title: str
    opening: str
    scenes: tuple[Scene, ...]
    clocks: tuple[Clock, ...] = ()
    secrets: tuple[Secret, ...] = ()
    props: tuple[Prop, ...] = ()


class Setting(Value, seen=Seen.GAME_MASTER):
    """All that a skin brings to a table besides options and terms."""

    heroes: Annotated[tuple[Mapping[str, Any], ...], Seen.ALL] = ()
    """Heroes who are ready to be played: plain fields of the command that makes one."""
    foes: tuple[Foe, ...] = ()
    boons: tuple[str, ...] = ()
    """What the heroes can be given: an ally, a favour, a relic."""
    rites: Annotated[tuple[str, ...], Seen.ALL] = ()
    """Ways to be rid of what weighs on the heroes, who have to know them."""
    moves: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Moves of the game master by their kind; what is shown as an omen is one of them."""
    adventure: Adventure | None = None
    look: Annotated[Look | None, Seen.ALL] = None
    cover: Annotated[str, Seen.ALL] = ""
    """The plate that stands for the setting."""
    portraits: Mapping[str, str] = field(default_factory=dict)
    """Faces of people by name."""

    def moves_of(self, kind: MoveKind) -> tuple[str, ...]:
        return self.moves.get(kind.value, ())


# ---------------------------------------------------------------- look

COLOUR = re.compile("#[0-9a-f]{6}")
LIGHT_GROUNDS, DARK_GROUNDS = ("#ece3d2", "#fbf6ec", "#fffdf7"), ("#14100d", "#1e1915", "#2a231c")
"""What words stand on, in the two themes; the middle one is what a soft accent is mixed with."""
ON_LIGHT_ACCENT, ON_DARK_ACCENT, ON_COVER = "#fff8ea", "#1b1309", "#fff8ea"
SOFT = 0.14
"""So much of the accent is in a soft ground."""
READABLE = 4.5
"""The least contrast of words with what they stand on."""


class Ornament(Enum):
    """What the line above a new scene is made of."""

    NONE = "none"
    WAVES = "waves"
    RAILS = "rails"
    FROST = "frost"
    LEAVES = "leaves"
    FLAMES = "flames"
    TICKS = "ticks"
    KITES = "kites"
    ARCHES = "arches"


Colour = Annotated[str, MinLen(7), MaxLen(7), OneLine()]


class Look(Value, seen=Seen.ALL):
    """Colours are written as #1f5d56, in small letters; each is held against what it stands on."""

    light: Annotated[Colour, Doc("The accent on light ground.")]
    dark: Annotated[Colour, Doc("The accent on dark ground.")]
    cover: Annotated[Colour, Doc("The deep colour of its cover, under light words.")]
    ornament: Annotated[Ornament, Doc("What the line above a new scene is made of.")] = Ornament.NONE


def contrast(one: str, other: str) -> float:
    """Contrast of two colours by WCAG: 1 for the same, 21 for black and white."""
    low, high = sorted(map(_luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def mixed(colour: str, ground: str, share: float = SOFT) -> str:
    """So much of a colour in a ground, as CSS mixes them."""
    parts = zip(_channels(colour), _channels(ground), strict=True)
    return "#" + "".join(f"{round(share * one + (1 - share) * other):02x}" for one, other in parts)


def unreadable(look: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Colours that nobody could read words in or on, each with the reason; of a look that may be faulty otherwise."""
    pairs = {
        "light": (*LIGHT_GROUNDS, ON_LIGHT_ACCENT),
        "dark": (*DARK_GROUNDS, ON_DARK_ACCENT),
        "cover": (ON_COVER,),
    }
    for name, grounds in pairs.items():
        colour = look.get(name)
        if not isinstance(colour, str):
            continue
        if not COLOUR.fullmatch(colour):
            yield name, "is not a colour such as #1f5d56"
            continue
        soft = () if name == "cover" else (mixed(colour, grounds[1]),)
        worst = min((contrast(colour, ground), ground) for ground in (*grounds, *soft))
        if worst[0] < READABLE:
            yield name, f"has a contrast of {worst[0]:.1f} : 1 with {worst[1]}; words need {READABLE} : 1"


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _luminance(colour: str) -> float:
    shares = [channel / 255 for channel in _channels(colour)]
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


# ---------------------------------------------------------------- the book's words in the skin's

LONGEST = 2
"""Words in a term. What is longer is a text of its own, which the skin replaces whole."""
ALSO_ENGLISH = frozenset({"might", "will", "mind", "body", "focus", "reserve", "edge", "reason", "manner"})
"""Words that mean something else where they are not capitalised."""
QUOTED = r"“[^”]*”|(?<!\w)'[^']*'"


def renamed_words(book: Mapping[str, str], said: Mapping[str, str]) -> dict[str, str]:
    """The book's words that a skin has others for, each with the skin's."""
    words = {book[key]: word for key, word in said.items() if key in book and book[key] != word}
    return {old: new for old, new in words.items() if len(old.split()) <= LONGEST and old[-1:].isalnum()}


def with_terms(book: Mapping[str, str], said: Mapping[str, str]) -> dict[str, str]:
    """All terms of a table: the skin's, and the book's with the skin's words in them (“Haul Reserve” for “Might …”)."""
    renamed = renamed_words(book, said)
    return {**{key: reworded(word, renamed) for key, word in book.items()}, **said}


def reworded(text: str, renamed: Mapping[str, str], names: Iterable[str] = ()) -> str:
    """A text of the game in the skin's words, in the plural too. What is quoted and who is named is left alone."""
    if not renamed:
        return text
    words = {old.casefold(): new for old, new in renamed.items()}

    def said(found: re.Match[str]) -> str:
        if not found["word"]:
            return found[0]
        word = words[found["word"].casefold()]
        return f"{capitalised(word) if found[0][:1].isupper() else word}{found['several']}"

    return _pattern(tuple(renamed), tuple(names)).sub(said, text)


@lru_cache(maxsize=64)
def _pattern(words: tuple[str, ...], names: tuple[str, ...]) -> re.Pattern[str]:
    kept = [QUOTED, *(rf"(?<!\w){re.escape(name)}(?!\w)" for name in names if name)]
    longest_first = sorted(words, key=len, reverse=True)
    exact = {one for one in words if one.isupper() or one.casefold() in ALSO_ENGLISH}
    spelled = [re.escape(one) if one in exact else rf"(?i:{re.escape(one)})" for one in longest_first]
    return re.compile(rf"(?:{'|'.join(kept)})|\b(?P<word>{'|'.join(spelled)})(?P<several>s?)\b")
