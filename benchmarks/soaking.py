"""One who soaks a table: random commands, each sent one to five times, and a journal of what was sent and told.

The journal outlives a kill: what was told is held against the store afterwards, and what was in doubt is sent again.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from astragal.fair import Receipt
from astragal.storage import open_store
from astragal.table.authoring.declarations import Sight
from astragal.table.host import Host
from astragal.table.log.repository import Outcome
from astragal.table.refusals import Refusal
from tests.table.fair_tables import faces, fair_host

MOST_SENDS = 5


@dataclass(frozen=True)
class Sent:
    """A command as it goes out, under an id of its own."""

    id: str
    seat: str
    command: str
    fields: dict[str, Any] = field(default_factory=dict)
    sight: str = "open"

    def give(self, host: Host, table: str) -> Outcome:
        command = (self.command, self.fields)
        return host.act(table, self.seat, command, command_id=self.id, sight=Sight(self.sight))


@dataclass(frozen=True)
class Told:
    """What was acknowledged."""

    id: str
    act: str
    faces: list[int]
    receipt: list[Any]


@dataclass(frozen=True)
class Seats:
    ada: str
    bo: str
    cy: str


class Journal:
    """What one who soaks has sent and been told, in order, in a file that survives its death."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.sent: dict[str, Sent] = {}
        self.told: dict[str, Told] = {}
        self.refused: set[str] = set()
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
            self._take(*json.loads(line).popitem())

    def note(self, kind: str, what: Any) -> None:
        self._take(kind, what)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({kind: what}) + "\n")

    @property
    def in_doubt(self) -> list[Sent]:
        """Sent, and never answered: it may have been kept, once, or not."""
        return [sent for key, sent in self.sent.items() if key not in self.told and key not in self.refused]

    @property
    def receipts(self) -> Iterator[Receipt]:
        return (Receipt(*told.receipt) for told in self.told.values())

    def _take(self, kind: str, what: Any) -> None:
        if kind == "sent":
            self.sent[what["id"]] = Sent(**what)
        elif kind == "told":
            self.told[what["id"]] = Told(**what)
        else:
            self.refused.add(what)


def soak(url: str, table: str, seats: Seats, path: Path, seed: int) -> None:
    """Until killed."""
    host, journal, random = fair_host(open_store(url)), Journal(path), Random(seed)
    for sent in journal.in_doubt:
        _send(host, table, journal, sent, random)
    for number in count(len(journal.sent)):
        sent = _something(f"{path.stem} {number}", host.look(table, seats.ada), seats, random)
        journal.note("sent", asdict(sent))
        _send(host, table, journal, sent, random)
        if random.random() < 0.1:
            told = random.choice(list(journal.told.values()) or [None])
            assert told is None or _told(journal.sent[told.id], host, table) == told


def _send(host: Host, table: str, journal: Journal, sent: Sent, random: Random) -> None:
    """Whatever it is answered first, it is answered again."""
    told: list[Told | None] = [_told_or_refused(sent, host, table) for _ in range(random.randint(1, MOST_SENDS))]
    done = told[-1]
    if done is None:
        journal.note("refused", sent.id)
    else:
        journal.note("told", asdict(done))
    first = next((number for number, one in enumerate(told) if one), len(told))
    assert told[first:] == [done] * (len(told) - first), f"{sent} was answered in several ways: {told}"


def _told_or_refused(sent: Sent, host: Host, table: str) -> Told | None:
    """A refusal is not remembered: a command that was refused may be done later."""
    try:
        return _told(sent, host, table)
    except Refusal:
        return None


def _told(sent: Sent, host: Host, table: str) -> Told:
    outcome = sent.give(host, table)
    assert outcome.receipt
    return Told(sent.id, outcome.act, faces(outcome), list(outcome.receipt))


def _something(key: str, state: Any, seats: Seats, random: Random) -> Sent:
    """A random command, as the game master's view of the table suggests it."""
    danger = random.randint(1, 10)
    choices = [
        Sent(key, seats.bo, "dare", {"who": "Kira", "danger": danger}),
        Sent(key, seats.cy, "dare", {"who": "Lund", "danger": danger}),
        Sent(key, seats.ada, "dare", {"who": "Lund", "danger": 10}, "hidden"),
        Sent(key, seats.bo, "say", {"words": f"said by {key}"}),
        Sent(key, seats.ada, "write_note", {"title": f"noted by {key}", "audience": "game master"}),
        Sent(key, seats.ada, "override", {"who": "Kira", "what": "nerve", "value": random.randint(0, 6)}),
        Sent(key, seats.ada, random.choice(["undo", "improvise_scene", "end_scene"]), {}),
        Sent(key, seats.ada, "mark_save_node", {"label": key}),
    ]
    choices += [Sent(key, seats.ada, "answer", {"act": act, "answer": 0}) for act in state.decisions]
    choices += [Sent(key, seats.ada, "rewind", {"node": node, "price": "nerve"}) for node in list(state.nodes)[-1:]]
    chosen = random.choice(choices)
    if chosen.command == "improvise_scene":
        return Sent(key, seats.ada, "improvise_scene", {"title": key})
    return chosen
