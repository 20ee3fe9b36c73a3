"""A table in miniature, which keeps what a real one keeps and plays through the library alone."""

from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import NamedTuple

import pytest

from astragal.fair import (
    Chain,
    ClientChain,
    FairDice,
    FairError,
    Fault,
    Ledger,
    Receipt,
    hidden_chain,
    key_of,
    lines,
    new_salt,
    new_seed,
    request_text,
    seal_of,
    sources,
)


def seed_of(src: str) -> bytes:
    """The seeds of the protocol's vectors."""
    return sha256(b"FD1 test seed " + src.encode()).digest()


class Spring:
    """Entropy that flows the same way each time."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._drawn = 0

    def __call__(self, count: int) -> bytes:
        self._drawn += 1
        return sha256(f"{self._name} {self._drawn}".encode()).digest()[:count]


class Secret(NamedTuple):
    """What lies under a seal."""

    salt: bytes
    text: str


class Table:
    """A ledger with all its lines, the server's chains, and the players' programs."""

    def __init__(self, name: str = "demo-table", *, spring: str = "spring", seeded: bool = False) -> None:
        self.entropy = Spring(spring)
        self.ledger = Ledger.empty(name)
        self.lines: list[bytes] = []
        self.receipts: list[Receipt] = []
        self.chains: dict[str, Chain] = {}
        self.successors: dict[str, Chain] = {}
        """Chains that are promised, and drawn from once the last link of the one before them is spent."""
        self.clients: dict[str, ClientChain] = {}
        self.secrets: dict[int, Secret] = {}
        self.sealed_sides: dict[int, tuple[int, ...]] = {}
        self.taken: dict[int, str] = {}
        self.write(lines.genesis(name, seeded=seeded))

    def write(self, line: bytes) -> int:
        number = self.ledger.lines
        self.ledger = self.ledger.append(line)
        self.lines.append(bytes(line))  # as it is stored, and read again by whoever verifies
        self.receipts.append(self.ledger.receipt)
        return number

    def promise(self, *srcs: str) -> None:
        for src in srcs:
            before = self.ledger.sources.get(src)
            chain = Chain(src, new_seed(self.entropy))
            self.write(lines.tip(src, chain.tip, before.renewed + 1 if before else 0))
            follows = before is not None and not (before.broken or before.used_up)
            self.successors.pop(src, None)
            (self.successors if follows else self.chains)[src] = chain

    def keep_own_chain(self, *srcs: str) -> None:
        """A player's program begins a chain, or renews it."""
        for src in srcs:
            old = self.clients.get(src)
            self.clients[src] = old.renew(self.entropy) if old else ClientChain.begin(src, self.entropy)
            own = self.clients[src]
            self.write(lines.tip(src, own.chain.tip, own.renewed))

    def roll(self, by: str, *sides: int, req: str = "a test", difficulty: str | None = None) -> int:
        cmd = self.entropy(8).hex()
        links = [(src, self._link(src, cmd)) for src in self.ledger.drawn_from(by)]
        dice = thrown(links, sides)
        secret = Secret(new_salt(self.entropy), difficulty) if difficulty else None
        number = self.write(lines.roll(cmd, by, req, links, dice, seal=seal_of(*secret) if secret else None))
        if secret:
            self.secrets[number] = secret
        return number

    def begin_scene(self, scene: str, count: int) -> None:
        first = self.ledger.next_hidden_number(scene)
        for k in range(first, first + count):
            chain = hidden_chain(scene, k, new_seed(self.entropy))
            self.chains[chain.src] = chain
            self.write(lines.tip(chain.src, chain.tip))

    def ask(self, req: str, *sides: int, witnesses: Iterable[str] = (), by: str = "gm") -> int:
        secret = Secret(new_salt(self.entropy), request_text(req, sides))
        number = self.write(lines.ask(self.entropy(8).hex(), by, seal_of(*secret), tuple(witnesses)))
        self.secrets[number], self.sealed_sides[number] = secret, sides
        self.taken[number] = self.ledger.asks[number].src
        return number

    def answer(self, ask: int) -> int:
        links = []
        for src in self.ledger.asks[ask].witnesses:
            self.clients[src], link = self.clients[src].answer(ask, self.ledger)
            links.append((src, link))
        return self.write(lines.answer(ask, links))

    def open(self, ask: int, *later: int) -> int:
        asked = self.ledger.asks[ask]
        link = self.chains[asked.src].spend(1)
        witnessed = [bytes.fromhex(given) for given in asked.links or ()]
        dice = FairDice(key_of([link, *witnessed]))
        for m in (*self.sealed_sides[ask], *later):
            dice.face(m)
        return self.write(lines.open_(ask, *self.secrets[ask], link, dice))

    def note(self, text: str) -> int:
        secret = Secret(new_salt(self.entropy), text)
        number = self.write(lines.fact(seal_of(*secret)))
        self.secrets[number] = secret
        return number

    def unseal(self, number: int) -> int:
        return self.write(lines.unseal(number, self.lines[number], *self.secrets[number]))

    def rewind(self, to: str = "before the bridge", why: str = "a mistake") -> int:
        return self.write(lines.rewind(to, why, "1 Luck", self.ledger.rewinds + 1))

    def file(self) -> bytes:
        return as_file(self.lines)

    def _link(self, src: str, cmd: str) -> bytes:
        if src in self.chains:
            if self.ledger.spent(src) == 0 and src in self.successors:
                self.chains[src] = self.successors.pop(src)
            return self.chains[src].spend(self.ledger.spent(src) + 1)
        self.clients[src], link = self.clients[src].link_for(cmd, self.ledger)
        return link


def thrown(links: Iterable[tuple[str, bytes]], sides: Iterable[int]) -> FairDice:
    dice = FairDice(key_of(link for _, link in links))
    for m in sides:
        dice.face(m)
    return dice


def refused(act: Callable[[], object]) -> Fault:
    """The code with which an act is refused."""
    with pytest.raises(FairError) as error:
        act()
    return error.value.code


def as_file(written: Iterable[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in written)


def an_evening() -> Table:
    """Something of every kind, with more of the same after it."""
    table = Table()
    table.promise(sources.server("alice"), sources.server("bob"), sources.GM_OPEN)
    table.keep_own_chain("u:alice", "w:alice", "w:bob")
    table.begin_scene("harbour", 8)
    table.roll("alice", 20, req="climb the mast")
    table.roll("bob", 20, 20, req="pick the lock", difficulty="difficulty 14")
    table.roll("gm", 6, 6, 6, req="the storm")
    table.note("The harbour master is a spy.")
    guards = table.ask("do the guards hear it? difficulty 11", 20)
    table.ask("is the captain awake?", 100)
    watched = table.ask("what lies below?", 20, 6, witnesses=["w:bob", "w:alice"])
    table.answer(watched)
    withdrawn = table.ask("a reef?", 6, witnesses=["w:bob"])
    table.write(lines.void(withdrawn))
    table.roll("alice", 100, 6, req="swim")
    table.rewind()
    table.roll("alice", 100, 6, req="swim again")
    table.roll("bob", 20, req="row")
    table.open(guards)
    table.open(watched, 4)
    table.write(lines.entered("e1", "bob", "thrown by hand", [6, 6], [2, 5]))
    table.rewind("before the storm")
    table.roll("alice", 20, req="hold on")
    table.write(lines.override("o1", "gm", table.roll("gm", 12, req="the wave"), "It was late."))
    table.unseal(_first(table, "roll", "seal"))
    again = table.ask("is it a trap?", 20, witnesses=["w:alice", "w:bob"])
    table.answer(again)
    table.open(again)
    table.unseal(table.note("The chest was empty."))
    table.write(b'{"t":"weather","wind":7}')
    for by in ("alice", "bob", "gm"):
        table.roll(by, 20, req="the way home")
    return table


def _first(table: Table, kind: str, field: str) -> int:
    return next(
        n for n, line in enumerate(table.lines) if b'"t":"%b"' % kind.encode() in line and field.encode() in line
    )
