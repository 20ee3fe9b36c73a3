"""Pictures at a table: those that people brought, those that are shipped, and handouts that show one.

A picture is named by a *reference*: `plates/bell` or `portraits/diver` for one of ours, the SHA-256 of its bytes for
one that somebody brought.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from annotated_types import MaxLen

from astragal.table.fields.definitions import FreeText, Words
from astragal.table.fields.values import Value
from astragal.table.state.notes import Title
from astragal.table.state.seats import Viewer
from astragal.table.visibility.marks import Seen

DIGEST = re.compile(r"[0-9a-f]{64}")
MOST_PICTURES, MOST_BYTES = 200, 40 * 1024 * 1024
"""Of one table."""
MOST_OF_A_PLAYER, MOST_BYTES_OF_A_PLAYER = 20, 8 * 1024 * 1024
LARGEST_PICTURE = 1024 * 1024
"""Bytes of one picture as it is kept."""

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


def named_in(value: Any) -> Iterable[str]:
    """References to pictures that a plain value holds, in its own fields and in those of the things in it."""
    if isinstance(value, Mapping):
        for name, part in value.items():
            if name in ("picture", "portrait", "digest") and isinstance(part, str):
                yield part
            else:
                yield from named_in(part)


def is_webp(data: bytes) -> bool:
    """Whether bytes begin as the pictures do that are kept here."""
    return data[:4] == b"RIFF" and data[8:12] == b"WEBP"
