"""The lines of the public ledger: one function for each kind, which gives its bytes.

They only write. Whether a line may stand where it is put is for the rules to say, when a ledger takes it.
"""

from collections.abc import Sequence

from astragal.fair.faults import FairError, Fault
from astragal.fair.seal import check_seal
from astragal.fair.shapes import VERSION, read_line
from astragal.fair.spelling import Json, Line
from astragal.fair.words import FairDice

Link = tuple[str, bytes]
"""A source and a link of its chain."""


def genesis(table: str, *, seeded: bool = False, facts: bool = False) -> bytes:
    """Line 0, with a mark where every command leaves a fact, and one for a table of tests and simulation."""
    marks = {name: True for name, holds in (("facts", facts), ("seeded", seeded)) if holds}
    return Line.of({"t": "genesis", "v": VERSION, "table": table, **marks})


def tip(src: str, tip: bytes, renew: int = 0) -> bytes:
    """A chain's promise, before its first use; `renew` counts the chains of this source that went before."""
    mark = {"renew": renew} if renew else {}
    return Line.of({"t": "tip", "src": src, "tip": tip.hex(), **mark})


def roll(cmd: str, by: str, req: Json, links: Sequence[Link], dice: FairDice, *, seal: bytes | None = None) -> bytes:
    """An open roll. Without dice it only says that links, once sent, are spent."""
    sealed = {} if seal is None else {"seal": seal.hex()}
    fallen = {"sides": list(dice.sides), "links": _links(links), "dice": list(dice.faces)}
    return Line.of({"t": "roll", "cmd": cmd, "by": by, "req": req, **fallen, **sealed})


def ask(cmd: str, by: str, seal: bytes, witnesses: Sequence[str] = ()) -> bytes:
    """A hidden roll, sealed before anything is drawn; it takes the next hidden chain."""
    return Line.of({"t": "ask", "cmd": cmd, "by": by, "seal": seal.hex(), "with": list(witnesses)})


def answer(ask: int, links: Sequence[Link]) -> bytes:
    """The links of exactly the witnesses that the ask names, in its order."""
    return Line.of({"t": "answer", "ask": ask, "links": _links(links)})


def void(ask: int) -> bytes:
    """An ask withdrawn, while it is unanswered."""
    return Line.of({"t": "void", "ask": ask})


def open_(ask: int, salt: bytes, req: str, link: bytes, dice: FairDice) -> bytes:
    """A hidden roll revealed; `req` is the very text that was sealed."""
    shown = {"salt": salt.hex(), "req": req, "sides": list(dice.sides), "link": link.hex(), "dice": list(dice.faces)}
    return Line.of({"t": "open", "ask": ask, **shown})


def rewind(to: Json, why: str, cost: Json, n: int) -> bytes:
    """The fiction goes back; chains and ledger do not. `n` counts the table's rewinds from 1."""
    return Line.of({"t": "rewind", "to": to, "why": why, "cost": cost, "n": n})


def fact(seal: bytes) -> bytes:
    """A salted digest of all that a command told; secrets, notes and difficulties look the same."""
    return Line.of({"t": "fact", "seal": seal.hex()})


def unseal(line: int, sealed: bytes, salt: bytes, req: str) -> bytes:
    """Opens the seal in `sealed`, the bytes of that line: a `roll` or a `fact`."""
    check_seal(sealed_in(sealed), salt, req)
    return Line.of({"t": "unseal", "line": line, "salt": salt.hex(), "req": req})


def entered(cmd: str, by: str, req: Json, sides: Sequence[int], dice: Sequence[int]) -> bytes:
    """Physical dice, entered by hand: nothing proves them, and the line says so."""
    return Line.of({"t": "entered", "cmd": cmd, "by": by, "req": req, "sides": list(sides), "dice": list(dice)})


def override(cmd: str, by: str, line: int, why: str) -> bytes:
    """A game master sets aside what the dice of an earlier line said; the line itself stays."""
    return Line.of({"t": "override", "cmd": cmd, "by": by, "line": line, "why": why})


def gap(why: str, src: str | None = None) -> bytes:
    """Something was lost: after a restore every chain; with `src` the one chain a player's program kept."""
    lost = {} if src is None else {"src": src}
    return Line.of({"t": "gap", "why": why, **lost})


def sealed_in(line: bytes) -> bytes:
    """The seal that a line of a `roll` or a `fact` holds."""
    fields = read_line(line)
    seal = fields.get("seal") or fields.get("digest")
    if fields["t"] not in ("roll", "fact") or seal is None:
        raise FairError(Fault.NO_SEAL, "That line holds no seal that could be opened.")
    return bytes.fromhex(seal)


def _links(links: Sequence[Link]) -> list[list[str]]:
    return [[src, link.hex()] for src, link in links]
