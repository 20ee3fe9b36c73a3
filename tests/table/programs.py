"""Programs that tests run beside themselves, and some of which die, by their names."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from astragal.storage import open_store
from astragal.table.declarations import Sight
from astragal.table.log.store import Batch, Store
from tests.storage.programs import die, say
from tests.table.fair_tables import faces, fair_host


def give(url: str, given: str, method: str, nth: str, moment: str) -> None:
    """Give a command, and die before or after the n-th call of a method of the store."""
    store = open_store(url)
    die_at(store, method, int(nth), moment)
    asked = json.loads(given)
    outcome = fair_host(store).act(
        asked["table"],
        asked["seat"],
        (asked["command"], asked["fields"]),
        command_id=asked["id"],
        sight=Sight(asked.get("sight", "open")),
    )
    say(f"done {faces(outcome)}")


def restore(url: str, backup: str, moment: str) -> None:
    store = open_store(url)
    die_at(store, "restore", 1, moment)
    fair_host(store).archive.restore(Path(backup))
    say("restored")


def import_table(url: str, file: str, moment: str) -> None:
    store = open_store(url)
    die_at(store, "create", 1, moment)
    with Path(file).open("rb") as lines:
        fair_host(store).archive.import_table(lines)
    say("taken in")


def dares(url: str, table: str, seat: str, name: str, count: str) -> None:
    """Roll that many times, against whoever else does, and say each roll once it is kept."""
    host = fair_host(open_store(url))
    say("ready")
    sys.stdin.readline()
    for turn in range(int(count)):
        asked = ("dare", {"who": "Kira", "danger": 9})
        outcome = host.act(table, seat, asked, command_id=f"{name} {turn}")
        say(f"{name} {turn}={faces(outcome)}")


def die_at(store: Store, method: str, nth: int, moment: str) -> None:
    """As by `kill -9`, before or after the n-th call; what was drawn for it is said with the last breath."""
    calls, real = iter(range(1, sys.maxsize)), getattr(store, method)

    def deadly(*given: Any) -> None:
        if next(calls) != nth:
            real(*given)
            return
        if moment == "after":
            real(*given)
        say(f"drew {[face for one in given if isinstance(one, Batch) for face in drawn(one)]}")
        die()

    setattr(store, method, deadly)


def drawn(batch: Batch) -> list[int]:
    """The faces that a batch holds."""
    rolled = [json.loads(entry.data)["event"] for entry in batch.entries if entry.name == "rolled"]
    return [die["face"] for event in rolled for die in event["dice"]]


PROGRAMS: dict[str, Callable[..., None]] = {
    "give": give,
    "restore": restore,
    "import_table": import_table,
    "dares": dares,
}
