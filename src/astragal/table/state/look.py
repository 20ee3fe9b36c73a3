"""The look of a setting: an accent for each theme, a cover's colour, an ornament. The table's ground stays its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from typing import Annotated, Any

from annotated_types import MaxLen, MinLen
from typing_extensions import Doc

from astragal.table.fields.definitions import OneLine
from astragal.table.fields.values import Value
from astragal.table.visibility.marks import Seen

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
