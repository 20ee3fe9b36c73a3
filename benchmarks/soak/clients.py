"""Clients of the fault campaign: random commands of a small game, each under an id of its own.

A client may die and be followed by another. Its journal survives: acknowledged commands are compared with the store
afterwards, and those in doubt are sent again.
"""

import json
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from secrets import token_bytes
from tempfile import TemporaryDirectory
from time import sleep
from typing import Any

import msgspec

from astragal.fair import Receipt, verify
from astragal.storage import open_store
from astragal.table.declarations import Sight
from astragal.table.host import Host
from astragal.table.log.audit import audit
from astragal.table.log.export import ledger_in
from astragal.table.log.repository import Outcome
from astragal.table.log.session import open_live
from astragal.table.log.store import StoreUnavailable
from astragal.table.refusals import NoRoom, Refusal
from astragal.table.registry import Book
from tests.table.dare import DARE
from tests.table.fair_tables import fair_host

Figures = dict[str, int]
MOST_SENDS = 5
PAUSE = 0.02
"""Seconds before trying a database that is away again."""


IN_MEMORY = Path("/dev/shm")  # noqa: S108 - a file there outlives every process, and that is enough


@contextmanager
def folder() -> Iterator[Path]:
    """Make a folder for a round; in memory, if possible."""
    with TemporaryDirectory(prefix="astragal-soak-", dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as name:
        yield Path(name)


@dataclass(frozen=True)
class Seats:
    """Ada runs the game, Bo plays Kira and Cy plays Lund."""

    ada: str
    bo: str
    cy: str


def open_table(host: Host) -> tuple[str, Seats]:
    opened = host.open("dare", name="The Cliff", game_master="Ada", options={"nerve": 6})

    def sit(name: str, character: str) -> str:
        taken = host.act(opened.table, opened.seat, ("take_seat", {"name": name}))
        seat = str(taken.events[0].fields["seat"]["id"])
        host.act(opened.table, seat, ("join", {"name": character}))
        return seat

    return opened.table, Seats(opened.seat, sit("Bo", "Kira"), sit("Cy", "Lund"))


@dataclass(frozen=True)
class Sent:
    """A command as it is sent, under an id of its own."""

    id: str
    seat: str
    command: str
    fields: dict[str, Any] = field(default_factory=dict)
    sight: str = "open"

    def give(self, host: Host, table: str) -> Outcome:
        command = (self.command, self.fields)
        return host.act(table, self.seat, command, command_id=self.id, sight=Sight(self.sight))

    @property
    def marks(self) -> list[str]:
        """Words that nobody else writes."""
        return [words for words in self.fields.values() if isinstance(words, str) and " by " in words]


def some_command(key: str, state: Any, seats: Seats, random: Random) -> Sent:
    """Choose a random command, from the game master's view of the table."""
    danger = random.randint(1, 10)
    choices = [
        Sent(key, seats.bo, "dare", {"who": "Kira", "danger": danger}),
        Sent(key, seats.cy, "dare", {"who": "Lund", "danger": danger}),
        Sent(key, seats.ada, "dare", {"who": "Lund", "danger": 10}, "hidden"),
        Sent(key, seats.bo, "say", {"words": f"said by {key}"}),
        Sent(key, seats.ada, "write_note", {"title": f"noted by {key}", "audience": "game master"}),
        Sent(key, seats.ada, "override", {"who": "Kira", "what": "nerve", "value": random.randint(0, 6)}),
        Sent(key, seats.ada, "improvise_scene", {"title": key}),
        Sent(key, seats.ada, "end_scene"),
        Sent(key, seats.ada, "undo"),
        Sent(key, seats.ada, "mark_save_node", {"label": key}),
    ]
    choices += [Sent(key, seats.ada, "answer", {"act": act, "answer": 0}) for act in state.decisions]
    choices += [Sent(key, seats.ada, "rewind", {"node": node, "price": "nerve"}) for node in list(state.nodes)[-2:]]
    return random.choice(choices)


@dataclass(frozen=True)
class Acknowledged:
    """An acknowledged command."""

    id: str
    act: str
    receipt: list[Any]


class Journal:
    """Commands that one client has sent and their answers, in order, in a file that survives its death."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.sent: dict[str, Sent] = {}
        self.told: dict[str, Acknowledged] = {}
        self.refused: set[str] = set()
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
            self._take(*json.loads(line).popitem())

    def note(self, kind: str, what: Any) -> None:
        self._take(kind, what)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({kind: what}) + "\n")

    @property
    def in_doubt(self) -> list[Sent]:
        """Commands sent and never answered: each was stored once, or not at all."""
        return [sent for key, sent in self.sent.items() if key not in self.told and key not in self.refused]

    @property
    def receipts(self) -> Iterator[Receipt]:
        return (Receipt(*told.receipt) for told in self.told.values())

    def _take(self, kind: str, what: Any) -> None:
        if kind == "sent":
            self.sent[what["id"]] = Sent(**what)
        elif kind == "told":
            self.told[what["id"]] = Acknowledged(**what)
        else:
            self.refused.add(what)


def play_until_killed(url: str, table: str, seats: Seats, path: Path, seed: int) -> None:
    """Act at a table of this store until killed, through every loss of its database."""
    logging.getLogger("psycopg").setLevel(logging.CRITICAL)  # it logs at each loss that the connection can't be closed
    host, journal, random = fair_host(_when_back(lambda: open_store(url))), Journal(path), Random(seed)
    for sent in journal.in_doubt:
        _send(host, table, journal, sent, random)
    for number in count(len(journal.sent)):
        sent = some_command(f"{path.stem} {number}", _when_back(lambda: host.look(table, seats.ada)), seats, random)
        journal.note("sent", asdict(sent))
        _send(host, table, journal, sent, random)
        if journal.told and random.random() < 0.1:
            told = random.choice(list(journal.told.values()))
            assert answered(journal.sent[told.id], host, table) in (told, "away")


def _when_back(work: Callable[[], Any]) -> Any:
    while True:
        try:
            return work()
        except StoreUnavailable:
            sleep(PAUSE)


def _send(host: Host, table: str, journal: Journal, sent: Sent, random: Random) -> None:
    """Send a command several times; once done, each answer must be the same. While the database is away, it waits."""
    answers: list[Acknowledged | str] = []
    for _ in range(random.randint(1, MOST_SENDS)):
        while (answer := answered(sent, host, table)) == "away":
            sleep(PAUSE)
        answers.append(answer)
    done = answers[-1]
    if isinstance(done, Acknowledged):
        journal.note("told", asdict(done))
    else:
        journal.note("refused", sent.id)
    first = next((number for number, one in enumerate(answers) if isinstance(one, Acknowledged)), len(answers))
    assert answers[first:] == [done] * (len(answers) - first), f"{sent} was answered in several ways: {answers}"


def answered(sent: Sent, host: Host, table: str) -> Acknowledged | str:
    """Give a command once. A refusal is not final: a command that was refused may be done later."""
    try:
        outcome = sent.give(host, table)
    except (NoRoom, StoreUnavailable):
        return "away"
    except Refusal:
        return "refused"
    assert outcome.receipt
    return Acknowledged(sent.id, outcome.act, list(outcome.receipt))


def check_whole(store: Any, host: Host, table: str, seat: str, receipts: Sequence[Receipt]) -> int:
    """Check that a log is sound; returns the number of its entries.

    It has no gap, and no roll twice; its fold is the state; its ledger verifies, with every receipt.
    """
    entries = list(store.read(table))
    assert [entry.number for entry in entries] == list(range(1, len(entries) + 1))
    rolled = [msgspec.json.decode(entry.data)["act"] for entry in entries if entry.name == "rolled"]
    assert len(rolled) == len(set(rolled)), "a roll was doubled"
    books = {DARE.id: Book.of(DARE)}
    whole = open_live(table, books, store, token_bytes, from_snapshot=False)
    quick = open_live(table, books, store, token_bytes)
    assert whole.state == quick.state
    assert whole.ledger_writer.ledger == quick.ledger_writer.ledger
    assert host.look(table, seat).characters == whole.state.characters
    export = list(host.archive.export(table, seat))
    report = verify(ledger_in(export), receipts)
    assert report.sound, report.sentences()
    assert not audit(export).edits
    return len(entries)
