"""Fields of a ledger line, and the shape of each.

A field means the same in every kind of line that has it. Kinds not listed here are chained and not
interpreted, and so are fields not listed here.
"""

import re
from collections.abc import Callable, Mapping

from astragal.fair import sources
from astragal.fair.faults import FairError, Fault
from astragal.fair.spelling import Fields, Line, read
from astragal.fair.words import FEWEST_SIDES, MOST_SIDES

VERSION = "FD1"

FIELDS: Mapping[str, tuple[str, ...]] = {
    "genesis": ("v", "table"),
    "tip": ("src", "tip"),
    "roll": ("cmd", "by", "req", "sides", "links", "dice"),
    "unseal": ("line", "salt", "req"),
    "ask": ("cmd", "by", "seal", "with"),
    "answer": ("ask", "links"),
    "void": ("ask",),
    "open": ("ask", "salt", "req", "sides", "link", "dice"),
    "rewind": ("to", "why", "cost", "n"),
    "fact": (),
    "entered": ("cmd", "by", "req", "sides", "dice"),
    "override": ("cmd", "by", "line", "why"),
    "gap": ("why",),
}
"""The fields that each kind of line must have."""

_is_digest = re.compile("[0-9a-f]{64}").fullmatch
_is_salt = re.compile("[0-9a-f]{32}").fullmatch


def is_text(value: object) -> bool:
    return isinstance(value, str)


def is_number(value: object) -> bool:
    return type(value) is int and value >= 0


def is_digest(value: object) -> bool:
    return isinstance(value, str) and _is_digest(value) is not None


def is_seat(value: object) -> bool:
    return isinstance(value, str) and sources.is_seat(value)


def is_source(value: object) -> bool:
    return isinstance(value, str) and sources.is_source(value)


def are_witnesses(value: object) -> bool:
    return (
        isinstance(value, list)
        and all(is_source(src) and src.startswith("w:") for src in value)
        and len(set(value)) == len(value)
    )


def are_links(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(pair, list) and len(pair) == 2 and is_source(pair[0]) and is_digest(pair[1]) for pair in value
    )


def are_sides(value: object) -> bool:
    return isinstance(value, list) and all(type(m) is int and FEWEST_SIDES <= m <= MOST_SIDES for m in value)


SHAPES: Mapping[str, Callable[[object], bool]] = {
    "v": is_text,
    # It can be hashed: JSON may also hold halves of characters.
    "table": lambda value: isinstance(value, str) and value.encode(errors="ignore").decode() == value,
    "facts": lambda value: value is True,
    "seeded": lambda value: value is True,
    "src": is_source,
    "tip": is_digest,
    "renew": is_number,
    "cmd": is_text,
    "by": is_seat,
    "sides": are_sides,
    "links": are_links,
    "dice": lambda value: isinstance(value, list) and all(type(face) is int and face >= 1 for face in value),
    "seal": is_digest,
    "digest": is_digest,
    "line": is_number,
    "salt": lambda value: isinstance(value, str) and _is_salt(value) is not None,
    "with": are_witnesses,
    "ask": is_number,
    "link": is_digest,
    "why": is_text,
    "n": is_number,
}
"""The shape of each field; `req`, `to` and `cost` may be any JSON value."""


def read_line(line: bytes) -> Fields:
    """The fields of a line, each in its shape."""
    fields = line.fields if isinstance(line, Line) else read(line)
    kind = fields.get("t")
    if not isinstance(kind, str):
        raise FairError(Fault.MALFORMED, "This line does not say in `t` what kind of line it is.")
    if kind in FIELDS:
        _check_fields(kind, fields)
    return fields


def _check_fields(kind: str, fields: Fields) -> None:
    for name in FIELDS[kind]:
        if name not in fields:
            raise FairError(Fault.BAD_FIELD, f"A line `{kind}` needs the field `{name}`.")
    for name, value in fields.items():
        is_so = SHAPES.get(name)
        if is_so is not None and not is_so(value):
            raise FairError(Fault.BAD_FIELD, f"The field `{name}` of this `{kind}` can not be {value!r:.80}.")
    if kind == "fact" and ("seal" in fields) == ("digest" in fields):
        raise FairError(Fault.BAD_FIELD, "A fact holds either a `seal` or a `digest`.")
    if kind == "entered":  # nothing proves dice entered by hand, but they must be dice
        sides, dice = fields["sides"], fields["dice"]
        if len(sides) != len(dice) or any(face > m for m, face in zip(sides, dice, strict=True)):
            raise FairError(Fault.BAD_DIE, f"{dice} can not be entered for dice of {sides} sides.")
