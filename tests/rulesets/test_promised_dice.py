"""Whoever runs the server can't choose dice: from five copies of a database, every roll of an evening is the same."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from importlib import import_module
from itertools import count
from pathlib import Path
from secrets import token_bytes
from typing import Any

import pytest

from astragal.fair import verify
from astragal.storage import open_store
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.declarations import Sight
from astragal.table.dice import unpromised
from astragal.table.host import Host
from astragal.table.ledger_writer import rollers_of
from astragal.table.log.repository import Outcome
from astragal.table.log.store import Store
from tests.storage.places import Place
from tests.versions.evening import GAMES, play

COPIES = 5


def faces(outcome: Outcome) -> list[tuple[int, int]]:
    rolled = [event for event in outcome.events if event.name == "rolled"]
    return [(die["sides"], die["face"]) for event in rolled for die in event.fields["dice"]]


def new_host(store: Store, ruleset: Ruleset) -> Host:
    clock: Callable[[], int] = count().__next__
    return Host(store, (ruleset,), clock=clock, entropy=token_bytes)


def missing_promises(host: Host, table: str, seat: str) -> list[tuple[str, int]]:
    return list(unpromised(host.ledger_state(table, seat), rollers_of(host.look(table, seat))))


class CopiedHost(Host):
    """Gives each command that rolls to copies of the database as well, made just before it."""

    def __init__(self, store: Store, ruleset: Ruleset, folder: Path) -> None:
        super().__init__(store, (ruleset,), clock=count().__next__, entropy=token_bytes)
        self.store, self.ruleset, self.folder = store, ruleset, folder
        self.rolls: Counter[tuple[str, Sight]] = Counter()
        """How many rolls were compared: of each seat, in each sight."""

    def act(self, table: str, seat: str, command: Any, **how: Any) -> Outcome:
        before = self.folder / "before.db"
        before.unlink(missing_ok=True)
        self.store.backup(before)
        outcome = super().act(table, seat, command, **how)
        assert not missing_promises(self, table, self.look(table, seat).game_master)
        if rolled := faces(outcome):
            self.rolls[seat, how.get("sight", Sight.OPEN)] += 1
            copied = [self._in_a_copy(before, table, seat, command, how) for _ in range(COPIES)]
            assert copied == [rolled] * COPIES, f"{command} falls otherwise in copies of the database"
        return outcome

    def _in_a_copy(self, before: Path, table: str, seat: str, command: Any, how: dict[str, Any]) -> list[Any]:
        copy = self.folder / "copy.db"
        shutil.copy(before, copy)
        with closing(open_store(f"sqlite:///{copy}")) as store:
            found = faces(new_host(store, self.ruleset).act(table, seat, command, **how))
        copy.unlink()
        return found


def game(name: str) -> Ruleset:
    ruleset: Ruleset = getattr(import_module(f"astragal.rulesets.{name}"), name.upper())
    return ruleset


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_every_roll_of_an_evening_is_the_same_in_every_copy_of_the_database(
    place: Place, tmp_path: Path, name: str
) -> None:
    with closing(open_store(place.url)) as store:
        host = CopiedHost(store, game(name), tmp_path)
        table = play(host, host.ruleset)
        report = verify(host.ledger(table.id, table.seats["Di"]))
    assert report.sound
    assert report.late == ()
    assert {sight for _, sight in host.rolls} == set(Sight), "open, closed and secret rolls"
    assert len({seat for seat, _ in host.rolls}) > 1, "of several seats"


def test_whoever_has_just_sat_down_or_taken_over_has_dice_promised(store: Store) -> None:
    ruleset = game("six_pool")
    host = new_host(store, ruleset)
    opened = host.open(ruleset.id, name="The Gorge", game_master="Ada")
    assert not missing_promises(host, opened.table, opened.seat)
    for fields in ({"name": "Bo"}, {"name": "Cy", "ai": True}):
        host.act(opened.table, opened.seat, ("take_seat", fields))
        assert not missing_promises(host, opened.table, opened.seat)
    taken = host.act(opened.table, opened.seat, ("take_seat", {"name": "Di", "role": "spectator"}))
    di = taken.events[0].fields["seat"]["id"]
    host.act(opened.table, opened.seat, ("hand_over", {"seat": di}))
    assert not missing_promises(host, opened.table, di)
    tips = [line["src"] for line in map(json.loads, host.ledger(opened.table, di)) if line["t"] == "tip"]
    assert f"s:{opened.seat}" in tips, "who ran the game plays now"


@pytest.mark.parametrize("name", GAMES)
def test_a_table_that_is_restored_has_its_dice_promised_at_once(store: Store, tmp_path: Path, name: str) -> None:
    host = new_host(store, game(name))
    opened = host.open(name, name="The Gorge", game_master="Ada")
    host.archive.backup(tmp_path / "backup.db")
    host.archive.restore(tmp_path / "backup.db")
    assert not missing_promises(host, opened.table, opened.seat)


@pytest.mark.parametrize("name", GAMES)
def test_a_table_that_is_imported_has_its_dice_promised_at_once(store: Store, name: str) -> None:
    host = new_host(store, game(name))
    opened = host.open(name, name="The Gorge", game_master="Ada")
    exported = list(host.archive.export(opened.table, opened.seat))
    host.archive.delete(opened.table, opened.seat)
    host.archive.import_table(exported)
    assert not missing_promises(host, opened.table, opened.seat)
