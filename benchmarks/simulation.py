"""A deterministic simulation: real hosts on a store, a clock and a network that misbehave as a seed says.

Two hosts share one store. A write may fail before or after it is kept, a host may forget everything at any time as if
its process had died, the clock may jump, and what clients send is lost, doubled, delayed and reordered. Everything is
decided by one seed, so that a failure can be played again: `simulate(seed)`.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from astragal.fair import Receipt, verify
from astragal.table.authoring.declarations import Sight
from astragal.table.host import Host
from astragal.table.log.audit import audit
from astragal.table.log.repository import Outcome
from astragal.table.log.session import open_live
from astragal.table.log.store import (
    Answer,
    Batch,
    Closing,
    Conflict,
    Entry,
    Jobs,
    NoSuchTable,
    Passes,
    Snapshot,
    StoreUnavailable,
    TableExists,
    Text,
)
from astragal.table.refusals import NoRoom, Refusal
from astragal.table.registry import Book
from tests.table.dare import DARE

STEPS = 60
"""Commands of one simulation; each is sent one to five times."""
FAULTS = 0.15
"""The share of writes that fail, and of reads."""
DEATHS = 0.05
MOST_SENDS = 5


class PowerCut(Exception):
    """The process that did this is no more."""


@dataclass
class Table:
    entries: list[Entry] = field(default_factory=list)
    answers: dict[str, Answer] = field(default_factory=dict)
    texts: dict[str, Text] = field(default_factory=dict)
    private: dict[str, bytes] = field(default_factory=dict)
    pictures: dict[str, bytes] = field(default_factory=dict)
    snapshot: Snapshot | None = None


class SimulatedStore:
    """A disk that keeps a batch whole or not at all, and sometimes does not say which."""

    def __init__(self, random: Random) -> None:
        self.random, self.is_calm = random, True
        self.faults = 0
        self._tables: dict[str, Table] = {}
        self._changes = 0

    def create(self, table: str, batch: Batch) -> None:
        if table in self._tables:
            raise TableExists(table)
        self._tables[table] = Table()
        self._keep(self._tables[table], batch)

    def append(self, table: str, after: int, batch: Batch, tail: bytes | None = None) -> None:
        how = self._fault()
        if how == "before":
            raise StoreUnavailable("the disk is away")
        if how == "died before":
            raise PowerCut
        known = self._found(table)
        if len(known.entries) != after or (tail is not None and known.entries[-1].data != tail):
            raise Conflict(table)
        if batch.answer and batch.answer.command in known.answers:
            raise Conflict(table)
        self._keep(known, batch)
        if how == "after":
            raise StoreUnavailable("the disk is away, and nobody knows whether it has it")
        if how == "died after":
            raise PowerCut

    def _fault(self) -> str:
        if self.is_calm or self.random.random() > FAULTS:
            return ""
        self.faults += 1
        return self.random.choice(["before", "after", "died before", "died after"])

    def _keep(self, table: Table, batch: Batch) -> None:
        self._changes += 1
        table.entries += batch.entries
        table.texts |= {text.digest: text for text in batch.texts}
        table.private |= batch.private
        table.pictures |= batch.pictures
        if batch.answer:
            table.answers[batch.answer.command] = batch.answer

    def _found(self, table: str) -> Table:
        if table not in self._tables:
            raise NoSuchTable(table)
        return self._tables[table]

    def read(self, table: str, after: int = 0, up_to: int | None = None) -> Iterator[Entry]:
        if not self.is_calm and self.random.random() < FAULTS / 10:
            self.faults += 1
            raise StoreUnavailable("the disk is away")
        return iter(self._found(table).entries[max(after, 0) : up_to])

    def changes(self) -> int | None:
        return self._changes if self.random.random() < 0.5 else None

    def last(self, table: str) -> int:
        return len(self._found(table).entries)

    def answer(self, table: str, command: str) -> Answer | None:
        return self._found(table).answers.get(command)

    def texts(self, table: str, digests: Collection[str] | None = None) -> dict[str, Text]:
        known = self._found(table).texts
        return dict(known) if digests is None else {one: known[one] for one in digests if one in known}

    def private(self, table: str) -> dict[str, bytes]:
        return dict(self._found(table).private)

    def pictures(self, table: str) -> list[str]:
        return list(self._found(table).pictures)

    def picture(self, table: str, digest: str) -> bytes | None:
        return self._found(table).pictures.get(digest)

    def drop_picture(self, table: str, digest: str) -> None:
        self._found(table).pictures.pop(digest, None)

    def snapshot(self, table: str) -> Snapshot | None:
        return self._found(table).snapshot

    def keep_snapshot(self, table: str, snapshot: Snapshot) -> None:
        self._found(table).snapshot = snapshot

    def blank(self, table: str, digest: str) -> None:
        text = self._found(table).texts[digest]
        self._found(table).texts[digest] = text._replace(words=None)

    def tables(self) -> list[str]:
        return list(self._tables)

    def delete(self, table: str) -> None:
        del self._tables[table]

    @property
    def passes(self) -> Passes:
        raise NotImplementedError

    @property
    def jobs(self) -> Jobs:
        raise NotImplementedError

    def watch(self, wake: Callable[[str | None], None]) -> Callable[[], None]:
        return lambda: wake(None)

    def backup(self, path: Path) -> None:
        raise NotImplementedError

    def restore(self, path: Path, closing: Closing | None = None) -> None:
        raise NotImplementedError

    def close(self) -> None: ...


@dataclass
class Simulated:
    """What a simulation came to."""

    told: int = 0
    refused: int = 0
    unknown: int = 0
    faults: int = 0
    deaths: int = 0
    entries: int = 0


class Simulation:
    """One table, two hosts, and clients who send what they have to send until they are told."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.store = SimulatedStore(Random(self.random.random()))
        self.now = 0
        self.hosts = [self._host(), self._host()]
        self.found = Simulated()
        opened = self.hosts[0].open("dare", name="The Cliff", game_master="Ada", options={"nerve": 6})
        self.table, self.ada = opened.table, opened.seat
        self.seats = [self._sit(name) for name in ("Bo", "Cy")]
        for seat, name in zip(self.seats, ("Kira", "Lund"), strict=True):
            self.hosts[0].act(self.table, seat, ("join", {"name": name}))
        self.told: dict[str, Outcome] = {}
        self.sent: dict[str, tuple[str, str, dict[str, Any], Sight]] = {}

    def run(self) -> Simulated:
        self.store.is_calm = False
        waiting: list[str] = []
        for step in range(STEPS):
            self.sent[f"command {step}"] = self._something()
            waiting += [f"command {step}"] * self.random.randint(1, MOST_SENDS)
            self.random.shuffle(waiting)  # the network has no order
            for _ in range(self.random.randint(0, 4)):
                if waiting and self.random.random() > 0.1:  # some are lost
                    self._deliver(waiting.pop())
        while waiting:
            self._deliver(waiting.pop())
        self.store.is_calm = True
        self._check()
        return self.found

    def _host(self) -> Host:
        return Host(self.store, (DARE,), clock=self._clock, entropy=self.random.randbytes)

    def _clock(self) -> int:
        self.now = max(0, self.now + self.random.choice([0, 1, 40, 5_000, -3_000]))
        return self.now

    def _sit(self, name: str) -> str:
        taken = self.hosts[0].act(self.table, self.ada, ("take_seat", {"name": name}))
        return str(taken.events[0].fields["seat"]["id"])

    def _something(self) -> tuple[str, str, dict[str, Any], Sight]:
        bo, cy = self.seats
        danger = self.random.randint(1, 10)
        choices: list[tuple[str, str, dict[str, Any], Sight]] = [
            (bo, "dare", {"who": "Kira", "danger": danger}, Sight.OPEN),
            (cy, "dare", {"who": "Lund", "danger": danger}, Sight.OPEN),
            (self.ada, "dare", {"who": "Lund", "danger": 10}, Sight.HIDDEN),
            (bo, "say", {"words": f"said {len(self.sent)}"}, Sight.OPEN),
            (self.ada, "override", {"who": "Kira", "what": "nerve", "value": self.random.randint(0, 6)}, Sight.OPEN),
            (self.ada, "mark_save_node", {"label": f"node {len(self.sent)}"}, Sight.OPEN),
            (self.ada, "undo", {}, Sight.OPEN),
        ]
        state = open_live(self.table, {DARE.id: Book.of(DARE)}, self._calmly(), self.random.randbytes).state
        choices += [(self.ada, "answer", {"act": act, "answer": 0}, Sight.OPEN) for act in state.decisions]
        choices += [(self.ada, "rewind", {"node": one, "price": "nerve"}, Sight.OPEN) for one in list(state.nodes)[-2:]]
        return self.random.choice(choices)

    def _calmly(self) -> SimulatedStore:
        """The same disk, to somebody whom it does not fail."""
        calm = SimulatedStore(Random(0))
        calm._tables = self.store._tables  # noqa: SLF001 - another view of the same
        return calm

    def _deliver(self, key: str) -> None:
        number = self.random.randrange(len(self.hosts))
        if self.random.random() < DEATHS:
            self._die(number)
        seat, command, fields, sight = self.sent[key]
        try:
            outcome = self.hosts[number].act(self.table, seat, (command, fields), command_id=key, sight=sight)
        except PowerCut:
            self._die(number)
            self.found.unknown += 1
        except (NoRoom, StoreUnavailable):
            self.found.unknown += 1
        except Refusal:
            assert key not in self.told, f"{key} was told, and is refused now"
            self.found.refused += 1
        else:
            self.found.told += 1
            known = self.told.setdefault(key, outcome)
            assert (known.act, known.receipt) == (outcome.act, outcome.receipt), f"{key} was told in two ways"

    def _die(self, number: int) -> None:
        self.found.deaths += 1
        self.hosts[number] = self._host()

    def _check(self) -> None:
        """Nothing told is lost, doubled or reordered; the fold is the state; the ledger holds, with every receipt."""
        host = self._host()
        for key, known in self.told.items():
            seat, command, fields, sight = self.sent[key]
            again = host.act(self.table, seat, (command, fields), command_id=key, sight=sight)
            assert (again.act, again.receipt) == (known.act, known.receipt), f"{key} was lost"
        entries = list(self.store.read(self.table))
        assert [entry.number for entry in entries] == list(range(1, len(entries) + 1))
        rolled = [msgspec.json.decode(entry.data)["act"] for entry in entries if entry.name == "rolled"]
        assert len(rolled) == len(set(rolled)), "a roll was doubled"
        books = {DARE.id: Book.of(DARE)}
        whole = open_live(self.table, books, self.store, self.random.randbytes, from_snapshot=False)
        for one in (*self.hosts, host):
            assert one.seats(self.table) == whole.state.seats
            assert one.look(self.table, self.ada).characters == whole.state.characters
        export = list(host.archive.export(self.table, self.ada))
        receipts = [Receipt(*known.receipt) for known in self.told.values() if known.receipt]
        report = verify(list(host.ledger(self.table, self.ada)), receipts)
        assert report.sound, report.sentences()
        assert not audit(export).edits
        self.found.faults, self.found.entries = self.store.faults, len(entries)


def simulate(seed: int) -> Simulated:
    """Run one simulation. Raises what it finds; the same seed finds it again."""
    return Simulation(seed).run()
