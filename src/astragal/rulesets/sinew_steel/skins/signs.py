"""Signs that have no business in a name, and names that only look different."""

# ruff: noqa: RUF001 - letters that look alike are what this file is about

from __future__ import annotations

import unicodedata

JOINERS = "\u200c\u200d"
"""They belong to emoji and to some scripts: welcome in prose, but in a name nobody would see them."""

BLANKS = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and patterns by their category, and nothing at all to the eye."""

_STRANGE = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))


def strange_sign(text: str, allowed: str = "") -> int | None:
    """The index of the first sign that can't be seen, turns the reading direction or is no sign at all."""
    strange = (sign for sign in set(text) if _is_strange(sign) and sign not in allowed)
    return min(map(text.index, strange), default=None)


def sign_name(sign: str) -> str:
    """U+202E RIGHT-TO-LEFT OVERRIDE: safe to show anywhere."""
    return f"U+{ord(sign):04X} {unicodedata.name(sign, '')}".rstrip()


def tidy(text: str) -> str:
    """A name as it is kept: composed, with single spaces."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def look(text: str) -> str:
    """What a name looks like: two names with the same look are twins, whatever their letters.

    Case, full-width and styled letters, and spaces make no difference, nor do Greek and Cyrillic letters that are
    drawn like Latin ones. After the idea of UTS #39, with a table for these three scripts only.
    """
    plain = unicodedata.normalize("NFKC", text).translate(_LATIN)
    folded = unicodedata.normalize("NFKC", plain.casefold()).translate(_LATIN)
    return " ".join(folded.split())


def _is_strange(sign: str) -> bool:
    return unicodedata.category(sign) in _STRANGE or sign in BLANKS


_DRAWN_ALIKE = (
    # Cyrillic
    ("АВЕЅІЈКМНОРСТУХԚԜҮ", "ABESIJKMHOPCTYXQWY"),
    ("аеѕіјорсухԁһԛԝү", "aesijopcyxdhqwy"),
    ("вкмнт", "bkmht"),
    # Greek
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"),
    ("αικνορυχγ", "aikvopuxy"),
    # Latin with a twin in its own script
    ("ıȷɑɡʟ", "ijagl"),
    # Dashes and apostrophes
    ("‐‑‒–—−’ʼʹ′", "------''''"),
)

_LATIN = {ord(sign): latin for signs, latins in _DRAWN_ALIKE for sign, latin in zip(signs, latins, strict=True)}
