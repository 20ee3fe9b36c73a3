"""Setting of a table: what its skin has ready, its look, and the book's words in the skin's.

Only the game master sees foes, omens, moves and the adventure.
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
    """A first adventure. A new table has its scenes as drafts, the first of which begins it.

    It also has its clocks, its secrets as notes, and its props (people, letters, maps) as handouts.
    """

    title: str
    opening: str
    scenes: tuple[Scene, ...]
    clocks: tuple[Clock, ...] = ()
    secrets: tuple[Secret, ...] = ()
    props: tuple[Prop, ...] = ()


class Setting(Value, seen=Seen.GAME_MASTER):
    """Everything that a skin brings to a table besides options and terms."""

    heroes: Annotated[tuple[Mapping[str, Any], ...], Seen.ALL] = ()
    """Heroes that are ready to be played: plain fields of the command that makes one."""
    foes: tuple[Foe, ...] = ()
    boons: tuple[str, ...] = ()
    """Things that heroes can be given: an ally, a favour, a relic."""
    rites: Annotated[tuple[str, ...], Seen.ALL] = ()
    """Ways to get rid of what weighs on the heroes. All see them, since players have to know them."""
    moves: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Moves of the game master by kind; omens are one of the kinds."""
    adventure: Adventure | None = None
    look: Annotated[Look | None, Seen.ALL] = None
    cover: Annotated[str, Seen.ALL] = ""
    """Name of the plate that represents the setting."""
    portraits: Mapping[str, str] = field(default_factory=dict)
    """Portraits by the name of the person."""

    def moves_of(self, kind: MoveKind) -> tuple[str, ...]:
        return self.moves.get(kind.value, ())


# ---------------------------------------------------------------- look

COLOUR = re.compile("#[0-9a-f]{6}")
LIGHT_GROUNDS, DARK_GROUNDS = ("#ece3d2", "#fbf6ec", "#fffdf7"), ("#14100d", "#1e1915", "#2a231c")
"""Backgrounds of text in the two themes. A soft accent is mixed with the middle one."""
ON_LIGHT_ACCENT, ON_DARK_ACCENT, ON_COVER = "#fff8ea", "#1b1309", "#fff8ea"
SOFT = 0.14
"""Share of the accent in a soft background."""
READABLE = 4.5
"""Least contrast of text with its background."""


class Ornament(Enum):
    """Ornament of the line above a new scene."""

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
    """Colours are written as #1f5d56, in small letters; each needs enough contrast with its background."""

    light: Annotated[Colour, Doc("The accent on light ground.")]
    dark: Annotated[Colour, Doc("The accent on dark ground.")]
    cover: Annotated[Colour, Doc("The deep colour of its cover, under light words.")]
    ornament: Annotated[Ornament, Doc("What the line above a new scene is made of.")] = Ornament.NONE


def contrast(colour: str, ground: str) -> float:
    """Contrast of two colours by WCAG: 1 for the same, 21 for black and white."""
    darker, lighter = sorted([_luminance(colour), _luminance(ground)])
    return (lighter + 0.05) / (darker + 0.05)


def mixed(colour: str, ground: str, share: float = SOFT) -> str:
    """Mix a `share` of a colour into a background, as CSS does."""
    channels = []
    for channel, ground_channel in zip(_channels(colour), _channels(ground), strict=True):
        channels.append(round(share * channel + (1 - share) * ground_channel))
    return "#" + "".join(f"{channel:02x}" for channel in channels)


def unreadable(look: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the colours of a look that make text unreadable, each with the reason. The look may have other faults."""
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
        all_grounds = list(grounds)
        if name != "cover":
            all_grounds.append(mixed(colour, grounds[1]))
        least, ground = min((contrast(colour, ground), ground) for ground in all_grounds)
        if least < READABLE:
            yield name, f"has a contrast of {least:.1f} : 1 with {ground}; words need {READABLE} : 1"


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(channel / 255) for channel in _channels(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(share: float) -> float:
    """Undo the gamma of sRGB."""
    if share <= 0.04045:
        return share / 12.92
    linear: float = ((share + 0.055) / 1.055) ** 2.4
    return linear


# ---------------------------------------------------------------- the book's words in the skin's

LONGEST = 2
"""Most words of a term that is replaced within texts. A longer one is a text of its own, replaced by the skin whole."""
ALSO_ENGLISH = frozenset({"might", "will", "mind", "body", "focus", "reserve", "edge", "reason", "manner"})
"""Terms that mean something else if they are not capitalised."""
QUOTED = r"“[^”]*”|(?<!\w)'[^']*'"


def renamed_words(book: Mapping[str, str], skin_terms: Mapping[str, str]) -> dict[str, str]:
    """Map the book's words that a skin replaces to the skin's words."""
    renamed = {}
    for key, word in skin_terms.items():
        book_word = book.get(key, word)
        if book_word != word and len(book_word.split()) <= LONGEST and book_word[-1:].isalnum():
            renamed[book_word] = word
    return renamed


def with_terms(book: Mapping[str, str], skin_terms: Mapping[str, str]) -> dict[str, str]:
    """Return all terms of a table: the skin's, and the book's with the skin's words in them.

    For example “Haul Reserve” for “Might Reserve”.
    """
    renamed = renamed_words(book, skin_terms)
    terms = {key: reworded(word, renamed) for key, word in book.items()}
    return {**terms, **skin_terms}


def reworded(text: str, renamed: Mapping[str, str], names: Iterable[str] = ()) -> str:
    """Replace the book's words in a text with the skin's, plurals too. Quotations and names are left alone."""
    if not renamed:
        return text
    words = {old.casefold(): new for old, new in renamed.items()}

    def replacement(match: re.Match[str]) -> str:
        if not match["word"]:
            return match[0]
        word = words[match["word"].casefold()]
        if match[0][:1].isupper():
            word = capitalised(word)
        return f"{word}{match['several']}"

    return _pattern(tuple(renamed), tuple(names)).sub(replacement, text)


@lru_cache(maxsize=64)
def _pattern(words: tuple[str, ...], names: tuple[str, ...]) -> re.Pattern[str]:
    """Make the pattern of what is replaced or left alone. Cached, since a page has many texts of one table.

    Of 64, the least recently used goes.
    """
    left_alone = [QUOTED]
    left_alone += [rf"(?<!\w){re.escape(name)}(?!\w)" for name in names if name]
    patterns = []
    for word in sorted(words, key=len, reverse=True):  # the longest first
        keeps_case = word.isupper() or word.casefold() in ALSO_ENGLISH
        patterns.append(re.escape(word) if keeps_case else rf"(?i:{re.escape(word)})")
    return re.compile(rf"(?:{'|'.join(left_alone)})|\b(?P<word>{'|'.join(patterns)})(?P<several>s?)\b")
