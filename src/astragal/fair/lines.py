"""Lines of the public ledger: the fields of each kind and their shapes, and a function that writes each kind.

A field means the same in every kind of line that has it. Unlisted kinds and unlisted fields are chained and not
interpreted. The rules decide, when a ledger appends a line, whether it is allowed there.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from astragal.fair import sources
from astragal.fair.chain import FEWEST_SIDES, MOST_SIDES, FairDice
from astragal.fair.facts import check_seal
from astragal.fair.faults import FairError, Fault
from astragal.fair.spelling import Fields, Json, Line, read

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
"""Required fields of each kind of line."""

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
    if not isinstance(value, list) or not all(is_source(src) and src.startswith("w:") for src in value):
        return False
    return len(set(value)) == len(value)


def are_links(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_link, value))


def _is_link(pair: object) -> bool:
    return isinstance(pair, list) and len(pair) == 2 and is_source(pair[0]) and is_digest(pair[1])


def are_sides(value: object) -> bool:
    return isinstance(value, list) and all(type(m) is int and FEWEST_SIDES <= m <= MOST_SIDES for m in value)


SHAPES: Mapping[str, Callable[[object], bool]] = {
    "v": is_text,
    # Must be encodable, so that it can be hashed: JSON may also contain lone surrogates.
    "table": lambda value: isinstance(value, str) and value.encode(errors="ignore").decode() == value,
    "facts": lambda value: value is True,
    "seeded": lambda value: value is True,
    "views": lambda value: value is True,
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
"""Validator of each field; `req`, `to` and `cost` may be any JSON value."""


def read_line(line: bytes) -> Fields:
    """Parse a line and validate its fields."""
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
        is_valid = SHAPES.get(name)
        if is_valid is not None and not is_valid(value):
            raise FairError(Fault.BAD_FIELD, f"The field `{name}` of this `{kind}` can not be {value!r:.80}.")
    if kind == "fact" and ("seal" in fields) == ("digest" in fields):
        raise FairError(Fault.BAD_FIELD, "A fact holds either a `seal` or a `digest`.")
    if kind == "entered":  # nothing proves dice entered by hand, but they must be possible dice
        sides = fields["sides"]
        dice = fields["dice"]
        if len(sides) != len(dice) or any(face > m for m, face in zip(sides, dice, strict=True)):
            raise FairError(Fault.BAD_DIE, f"{dice} can not be entered for dice of {sides} sides.")


# ---------------------------------------------------------------- writing lines

Link = tuple[str, bytes]
"""A source and a link of its chain."""


def genesis(table: str, *, seeded: bool = False, facts: bool = False, views: bool = False) -> bytes:
    """Line 0. `facts` marks a table where every command leaves a fact, `views` one where each fact seals what every
    seat was shown, `seeded` one for tests and simulation.
    """
    possible_marks = {"facts": facts, "seeded": seeded, "views": views}
    marks = {name: True for name, is_set in possible_marks.items() if is_set}
    return Line.of({"t": "genesis", "v": VERSION, "table": table, **marks})


def tip(src: str, tip: bytes, renew: int = 0) -> bytes:
    """A chain's promise, before its first use; `renew` counts the earlier chains of this source."""
    mark = {"renew": renew} if renew else {}
    return Line.of({"t": "tip", "src": src, "tip": tip.hex(), **mark})


def roll(cmd: str, by: str, req: Json, links: Sequence[Link], dice: FairDice, *, seal: bytes | None = None) -> bytes:
    """An open roll. Without dice it only records that links, once sent, are spent."""
    sealed = {} if seal is None else {"seal": seal.hex()}
    fallen = {"sides": list(dice.sides), "links": _links(links), "dice": list(dice.faces)}
    return Line.of({"t": "roll", "cmd": cmd, "by": by, "req": req, **fallen, **sealed})


def ask(cmd: str, by: str, seal: bytes, witnesses: Sequence[str] = ()) -> bytes:
    """A hidden roll, sealed before anything is drawn. It takes the next hidden chain."""
    return Line.of({"t": "ask", "cmd": cmd, "by": by, "seal": seal.hex(), "with": list(witnesses)})


def answer(ask: int, links: Sequence[Link]) -> bytes:
    """The links of exactly those witnesses that the ask names, in its order."""
    return Line.of({"t": "answer", "ask": ask, "links": _links(links)})


def void(ask: int) -> bytes:
    """Withdraw an ask that is still unanswered."""
    return Line.of({"t": "void", "ask": ask})


def open_(ask: int, salt: bytes, req: str, link: bytes, dice: FairDice) -> bytes:
    """Reveal a hidden roll; `req` is the exact text that was sealed."""
    return Line.of(
        {
            "t": "open",
            "ask": ask,
            "salt": salt.hex(),
            "req": req,
            "sides": list(dice.sides),
            "link": link.hex(),
            "dice": list(dice.faces),
        }
    )


def rewind(to: Json, why: str, cost: Json, n: int) -> bytes:
    """The story goes back; chains and ledger do not. `n` counts the table's rewinds from 1."""
    return Line.of({"t": "rewind", "to": to, "why": why, "cost": cost, "n": n})


def fact(seal: bytes) -> bytes:
    """A salted digest of everything that a command told; secrets, notes and difficulties look alike."""
    return Line.of({"t": "fact", "seal": seal.hex()})


def unseal(line: int, sealed: bytes, salt: bytes, req: str) -> bytes:
    """Open the seal in `sealed`, the bytes of that line: a `roll` or a `fact`."""
    check_seal(sealed_in(sealed), salt, req)
    return Line.of({"t": "unseal", "line": line, "salt": salt.hex(), "req": req})


def entered(cmd: str, by: str, req: Json, sides: Sequence[int], dice: Sequence[int]) -> bytes:
    """Physical dice, entered by hand: nothing proves them, and the line says so."""
    return Line.of({"t": "entered", "cmd": cmd, "by": by, "req": req, "sides": list(sides), "dice": list(dice)})


def override(cmd: str, by: str, line: int, why: str) -> bytes:
    """The game master overrules the dice of an earlier line; the line itself stays."""
    return Line.of({"t": "override", "cmd": cmd, "by": by, "line": line, "why": why})


def gap(why: str, src: str | None = None) -> bytes:
    """Something was lost: after a restore, every chain; with `src`, the one chain that a player's program kept."""
    lost = {} if src is None else {"src": src}
    return Line.of({"t": "gap", "why": why, **lost})


def sealed_in(line: bytes) -> bytes:
    """The seal in a line of kind `roll` or `fact`."""
    fields = read_line(line)
    seal = fields.get("seal") or fields.get("digest")
    if fields["t"] not in ("roll", "fact") or seal is None:
        raise FairError(Fault.NO_SEAL, "That line holds no seal that could be opened.")
    return bytes.fromhex(seal)


def _links(links: Sequence[Link]) -> list[list[str]]:
    return [[src, link.hex()] for src, link in links]
