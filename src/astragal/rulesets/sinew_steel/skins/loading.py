"""A skin from the text of a file, or every fault of that file at once. Nothing in the text is ever more than text."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any

from .agreement import disagreements
from .definition import Skin
from .faults import Fault, FaultySkin, Place, Wrong, printable, shown
from .places import places_in
from .reading import read
from .signs import JOINERS, sign_name, strange_sign

LARGEST = 64 * 1024
"""Bytes of a file that is read at all."""
DEEPEST = 8
MOST_FAULTS = 50

_LONG_KEY = re.compile(r"""(?<![\w."'-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){9}""")
"""Ten parts with dots between them. A key of thousands would keep `tomllib` busy for minutes."""

_TOML_FAULT = re.compile(
    r"(?P<wrong>.*) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)", re.DOTALL
)


def load_skin(text: str, where: str = "skin.toml") -> Skin:
    """SS-71: the skin, or a refusal with every fault, and nothing loaded."""
    skin, found = _examined(text.removeprefix("\ufeff"), where)
    if skin is None:
        raise FaultySkin(found)
    return skin


def faults(text: str, where: str = "skin.toml") -> list[Fault]:
    """SS-71: everything that is wrong with the file, in its order; nothing for one that can be played."""
    _, found = _examined(text.removeprefix("\ufeff"), where)
    return found


def unfit(text: str, where: str) -> list[Fault]:
    """What keeps any file from being read at all: its size, and signs that can't be seen."""
    size = len(text.encode(errors="surrogatepass"))
    if size > LARGEST:
        return [Fault(where, Place(), f"the file has {size:,} bytes", f"at most {LARGEST:,}")]
    strange = strange_sign(text, allowed=f"\t\r\n{JOINERS}")
    if strange is None:
        return []
    wrong = f"the sign {sign_name(text[strange])} can't be seen"
    return [Fault(where, place_of(text, strange), wrong, "signs that can be seen")]


def place_of(text: str, index: int) -> Place:
    return Place(text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index))


def _examined(text: str, where: str) -> tuple[Skin | None, list[Fault]]:
    where = printable(where, 200)
    if broken := unfit(text, where) or _long_keys(text, where):
        return None, broken
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        return None, list(_unreadable(text, where, str(fault)))
    except RecursionError:
        return None, [_too_deep(text, where)]
    except ValueError:  # tomllib lets this one through: Python reads no number of more than 4,300 digits
        return None, [_too_long(text, where)]
    return _judged(raw, text, where)


def _judged(raw: dict[str, Any], text: str, where: str) -> tuple[Skin | None, list[Fault]]:
    skin, wrongs = read(Skin, raw)
    wrongs += disagreements(raw)
    if not wrongs:
        return skin, []
    return None, _placed(wrongs, text, where)


def _placed(wrongs: list[Wrong], text: str, where: str) -> list[Fault]:
    places = places_in(text, DEEPEST)
    found = sorted(
        Fault(where, places.key(one.path) if one.at_key else places.nearest(one.path), one.wrong, one.expected)
        for one in wrongs
    )
    if len(found) <= MOST_FAULTS:
        return found
    rest = Fault(where, found[MOST_FAULTS].place, f"{len(found) - MOST_FAULTS} more faults from here on")
    return [*found[:MOST_FAULTS], rest]


def _unreadable(text: str, where: str, fault: str) -> Iterator[Fault]:
    """Keys that are given twice are all named; of other slips, the first is where reading ends."""
    places = places_in(text, DEEPEST)
    for path, place in places.twice[:MOST_FAULTS]:
        yield Fault(where, place, f"{shown(path)} is given twice", "each key once")
    if not places.twice:
        told = _TOML_FAULT.fullmatch(fault)
        wrong = printable(told["wrong"] if told else fault, 120)
        at_line = told is not None and told["line"] is not None
        place = Place(int(told["line"]), int(told["column"])) if told and at_line else place_of(text, len(text))
        yield Fault(where, place, f"this is not TOML: {wrong}")


def _long_keys(text: str, where: str) -> list[Fault]:
    long = _LONG_KEY.search(text)
    return (
        [Fault(where, place_of(text, long.start()), "a key of ten or more parts", "keys as in the template")]
        if long
        else []
    )


def _too_deep(text: str, where: str) -> Fault:
    place = places_in(text, DEEPEST).too_deep or Place()
    return Fault(
        where, place, f"lists or tables nested more than {DEEPEST} deep", "lists and tables as in the template"
    )


def _too_long(text: str, where: str) -> Fault:
    digits = re.search(r"[0-9_]{4300}", text)
    return Fault(
        where, place_of(text, digits.start() if digits else 0), "a number of thousands of digits", "a small one"
    )
