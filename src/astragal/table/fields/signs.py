"""Signs that have no business in a text, and names that only look different."""

# ruff: noqa: RUF001 - letters that look alike are what this file is about

import unicodedata
from collections.abc import Collection
from unicodedata import category

JOINERS = "\u200c\u200d"
"""They belong to emoji and to some scripts: welcome in prose, but in a name nobody would see them."""

LAYOUT = f"\n\t{JOINERS}"
"""Signs that nobody sees and that any text may have."""

CONTROLS = frozenset(("Cc", "Cf", "Cs", "Co"))
"""Categories of signs that steer instead of being seen, and of halves of a pair."""

UNSEEN = CONTROLS | {"Cn", "Zl", "Zp"}
"""All that can't be seen or that this Unicode does not know. Emoji of next year are among them: too strict for chat."""

_BLANKS = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and patterns by their category, and nothing at all to the eye."""


def strange_sign(text: str, allowed: str = LAYOUT, strange: Collection[str] = UNSEEN) -> int | None:
    """The index of the first sign of a strange category, or that is blank to the eye where none may be unseen."""
    blanks = _BLANKS if strange is UNSEEN else ""
    first = None
    for sign in set(text):
        if (category(sign) in strange or sign in blanks) and sign not in allowed:
            first = min(text.index(sign), len(text) if first is None else first)
    return first


def is_blank(text: str) -> bool:
    """Whether there is nothing to see: blanks and joiners alone are as good as empty."""
    return all(sign.isspace() or sign in JOINERS for sign in text)


def sign_name(sign: str) -> str:
    """U+202E RIGHT-TO-LEFT OVERRIDE: safe to show anywhere."""
    return f"U+{ord(sign):04X} {unicodedata.name(sign, '')}".rstrip()


def printable(text: str, most: int = 40) -> str:
    """A stranger's words, cut short, without a sign that a terminal could trip over."""
    cut = text if len(text) <= most else text[: most - 1] + "…"
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in cut)


def tidied(text: str) -> str:
    """Text with single spaces, line by line, and without blank lines around it."""
    return "\n".join(" ".join(line.split()) for line in text.strip().split("\n"))


def look(text: str) -> str:
    """Skeleton of a name: two names with the same skeleton look alike, whatever their letters.

    Case, full-width and styled letters, and spaces make no difference, nor do Greek and Cyrillic letters that are
    drawn like Latin ones. After the idea of UTS #39, with a table for these three scripts only.
    """
    plain = unicodedata.normalize("NFKC", text).translate(_LATIN)
    folded = unicodedata.normalize("NFKC", plain.casefold()).translate(_LATIN)
    return " ".join(folded.split())


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
