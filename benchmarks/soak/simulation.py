"""Deterministic simulation: real hosts on a store, a clock and a network that misbehave as a seed decides.

Two hosts share one store. A write may fail before or after it is stored, a host may forget everything at any time as if
its process had died, the clock may jump, and messages of clients are lost, doubled, delayed and reordered. One seed
decides everything, so that a failure can be played again: `simulation(seed)`. `resent` is the same on a real store.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from random import Random
from unittest.mock import patch

import msgspec

from astragal.storage import open_store
from astragal.table import dice
from astragal.table.host import Host
from astragal.table.log.repository import Outcome
from astragal.table.log.store import (
    Answer,
    Append,
    Batch,
    Closing,
    Conflict,
    Entry,
    Jobs,
    NoSuchTable,
    Passes,
    Snapshot,
    Store,
    StoreUnavailable,
    TableExists,
    Text,
)
from astragal.table.refusals import NoRoom, Refusal
from benchmarks.soak.clients import MOST_SENDS, Figures, Sent, check_whole, folder, open_table, some_command
from tests.table.dare import DARE

COMMANDS = 60
"""Commands in one simulation."""
FAULTS = 0.15
"""Share of writes that fail; of reads, a tenth of it."""
LOST = 0.1
"""Share of messages that come much later."""
AGAIN = 10
"""One in this many commands is given to a new host in the end."""


class PowerCut(Exception):
    """The process that made this call is dead."""


@dataclass
class Table:
    entries: list[Entry] = field(default_factory=list)
    answers: dict[str, Answer] = field(default_factory=dict)
    texts: dict[str, Text] = field(default_factory=dict)
    private: dict[str, bytes] = field(default_factory=dict)
    pictures: dict[str, bytes] = field(default_factory=dict)
    snapshot: Snapshot | None = None


class SimulatedStore:
    """Disk that stores a batch whole or not at all, and sometimes does not say which."""

    def __init__(self, random: Random, *, is_calm: bool = False) -> None:
        self.random, self.is_calm = random, is_calm
        self.faults = 0
        self._tables: dict[str, Table] = {}

    def create(self, table: str, batch: Batch) -> None:
        if table in self._tables:
            raise TableExists(table)
        self._tables[table] = Table()
        self._keep(self._tables[table], batch)

    def append(self, table: str, after: int, batch: Batch, tail: bytes | None = None) -> None:
        self.append_all([Append(table, after, batch, tail)])

    def append_all(self, appends: Sequence[Append]) -> None:
        how = self._fault()
        if how == "before":
            raise StoreUnavailable("the disk is away")
        if how == "died before":
            raise PowerCut
        for table, after, batch, tail in appends:
            known = self._found(table)
            if len(known.entries) != after or (tail is not None and known.entries[-1].data != tail):
                raise Conflict(table)
            if batch.answer and batch.answer.command in known.answers:
                raise Conflict(table)
        for one in appends:
            self._keep(self._tables[one.table], one.batch)
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
        known = sum(len(table.entries) for table in self._tables.values())
        return known if self.random.random() < 0.5 else None

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

    def calm(self) -> "SimulatedStore":
        """Return the same disk for an observer, without faults."""
        found = SimulatedStore(Random(0), is_calm=True)
        found._tables = self._tables
        return found

    def watch(self, wake: Callable[[str | None], None]) -> Callable[[], None]:
        return lambda: wake(None)

    def backup(self, path: Path) -> None:
        raise NotImplementedError

    def restore(self, path: Path, closing: Closing | None = None) -> None:
        raise NotImplementedError

    def close(self) -> None: ...


@dataclass
class Simulated:
    """Result of a simulation."""

    told: int = 0
    refused: int = 0
    unknown: int = 0
    deaths: int = 0
    rewinds: int = 0

    @property
    def sent(self) -> int:
        return self.told + self.refused + self.unknown


class Simulation:
    """One table, two hosts, and clients who send each command one to five times, in no order."""

    def __init__(
        self, random: Random, store: Store, calm: Store, commands: int, *, deaths: float = 0.05, strays: float = 0.5
    ) -> None:
        """Set up the hosts with one store, and an observer with a calm one that has the same tables.

        A host dies with `deaths` of all messages; `strays` go to another host than the last one did.
        """
        self._random, self._store, self._calm = random, store, calm
        self._commands, self._deaths, self._strays = commands, deaths, strays
        self._now = self._nearest = 0
        self.found = Simulated()
        self._looking_on = self._host(calm)
        self._table, self._seats = open_table(self._looking_on)
        self._hosts = [self._host(store), self._host(store)]
        self._told: dict[str, Outcome] = {}
        self._sent: dict[str, Sent] = {}

    def run(self) -> Simulated:
        """Play it, and check the result. Each host would hash its chain again; here that is cached for all of them."""
        with patch.object(dice, "_chain", lru_cache(maxsize=64)(dice._chain)):  # noqa: SLF001 - the same of one seed
            self._play()
            self._check()
        return self.found

    def _play(self) -> None:
        waiting: list[str] = []
        for number in range(self._commands):
            view = self._looking_on.look(self._table, self._seats.ada)
            sent = some_command(f"command {number}", view, self._seats, self._random)
            self._sent[sent.id] = sent
            waiting += [sent.id] * self._random.randint(1, MOST_SENDS)
            for _ in range(self._random.randint(0, 4)):
                if waiting and self._random.random() > LOST:
                    self._deliver(self._one_of(waiting))
        while waiting:
            self._deliver(self._one_of(waiting))

    def _one_of(self, waiting: list[str]) -> str:
        """Take a random message: the network has no order."""
        place = self._random.randrange(len(waiting))
        waiting[place], waiting[-1] = waiting[-1], waiting[place]
        return waiting.pop()

    def _host(self, store: Store) -> Host:
        return Host(store, (DARE,), clock=self._clock, entropy=self._random.randbytes)

    def _clock(self) -> int:
        self._now = max(0, self._now + self._random.choice([0, 1, 40, 5_000, -3_000]))
        return self._now

    def _deliver(self, key: str) -> None:
        if self._random.random() < self._strays:
            self._nearest = 1 - self._nearest
        number = self._nearest
        if self._random.random() < self._deaths:
            self._die(number)
        try:
            outcome = self._sent[key].give(self._hosts[number], self._table)
        except PowerCut:
            self._die(number)
            self.found.unknown += 1
        except (NoRoom, StoreUnavailable):
            self.found.unknown += 1
        except Refusal:
            assert key not in self._told, f"{key} was told, and is refused now"
            self.found.refused += 1
        else:
            self.found.told += 1
            known = self._told.setdefault(key, outcome)
            assert (known.act, known.receipt) == (outcome.act, outcome.receipt), f"{key} was told in two ways"

    def _die(self, number: int) -> None:
        self.found.deaths += 1
        self._hosts[number] = self._host(self._store)

    def _check(self) -> None:
        """Check that no acknowledged command is lost, doubled or reordered.

        The fold is the state and the ledger holds, with every receipt. The store has the answer to each command; a new
        host gives it to some of them again.
        """
        host = self._host(self._calm)
        for number, (key, known) in enumerate(self._told.items()):
            kept = self._calm.answer(self._table, key)
            assert kept, f"{key} was lost"
            answer = msgspec.json.decode(kept.data)
            assert (answer["act"], tuple(answer["receipt"])) == (known.act, known.receipt), f"{key} was lost"
            if number % AGAIN == 0:
                again = self._sent[key].give(host, self._table)
                assert (again.act, again.receipt) == (known.act, known.receipt), f"{key} was lost"
        receipts = [known.receipt for known in self._told.values() if known.receipt]
        check_whole(self._calm, host, self._table, self._seats.ada, receipts)
        self.found.rewinds = sum(self._sent[key].command in ("rewind", "undo") for key in self._told)


def simulation(seed: int) -> Figures:
    """Run whole hosts on a simulated disk, clock and network. The same seed always goes the same way."""
    random = Random(seed)
    disk = SimulatedStore(Random(random.random()))
    done = Simulation(random, disk, disk.calm(), COMMANDS).run()
    return {"seeds": 1, "sent": done.sent, "faults": disk.faults, "deaths": done.deaths}


def resent(seed: int, commands: int = 500) -> Figures:
    """Send commands to a real store, each one to five times, shuffled, over restarts and rewinds."""
    with folder() as place:
        store = open_store(f"sqlite:///{place}/tables.db")
        done = Simulation(Random(seed), store, store, commands, deaths=0.01, strays=0.2).run()
        store.close()
    return {"commands": commands, "sent": done.sent, "restarts": done.deaths, "rewinds": done.rewinds}
