"""What earlier versions wrote is read for ever: it is never called broken, it is imported, opened and played on.

`tests/versions` has evenings of each; CONTRIBUTING says how another version is added.
"""

from __future__ import annotations

import json
import shutil
import tarfile
from collections.abc import Callable
from contextlib import closing
from importlib import import_module
from itertools import count
from pathlib import Path
from secrets import token_bytes
from typing import Any, NamedTuple

import pytest

from astragal.fair import Verdict
from astragal.storage import open_store
from astragal.table.contract import GAME_MASTER, PLAYER
from astragal.table.host import Host
from astragal.table.log.export import BadExport
from astragal.table.log.store import Store, titles
from tests.table.three_verifiers import of_the_documentation, of_the_page
from tests.versions.evening import GAMES, RESTORED, ROLLS

pytestmark = pytest.mark.slow

Run = Callable[..., Any]

VERSIONS = sorted((Path(__file__).parents[2] / "versions").glob("*.tar.xz"))

UNREADABLE = ("2026-11-15",)
"""Tables of the first day hold other events than any later program knows: their files verify, and no more."""

SOUND, SO_FAR = 0, 3


class Seats(NamedTuple):
    """A table that was played on, and its people."""

    host: Host
    table: str
    game: str
    game_master: str
    player: str

    def play_on(self) -> None:
        """Say something, and roll what the game rolls."""
        self.host.act(self.table, self.player, ("say", {"words": "Where were we?"}))
        if self.game == "new_shoes":  # somebody who has nothing under way
            hero = {"name": "Nell", "body": 3, "mind": 3, "will": 4}
            self.host.act(self.table, self.player, ("make_hero", hero))
        outcomes = [
            self.host.act(
                self.table,
                self.game_master,
                (command, {name: "Nell" if value == "Mara" else value for name, value in fields.items()}),
            )
            for command, fields in ROLLS[self.game]
        ]
        assert outcomes[-1].events[0].name in ("rolled", "decision_opened")

    def files(self, folder: Path) -> tuple[Path, Path]:
        """The whole export, and the player's."""
        whole, seat = folder / "whole.jsonl", folder / "seat.jsonl"
        whole.write_bytes(b"".join(self.host.archive.export(self.table, self.game_master)))
        seat.write_bytes(b"".join(self.host.archive.export(self.table, self.player)))
        return whole, seat


def seats_at(store: Store, table: str, game: str) -> Seats:
    ruleset = getattr(import_module(f"astragal.rulesets.{game}"), game.upper())
    host = Host(store, [ruleset], clock=count(1_800_000_000_000).__next__, entropy=token_bytes)
    by_name = {seat.name: seat.id for seat in host.seats(table).values()}
    return Seats(host, table, game, by_name[GAME_MASTER], by_name[PLAYER])


@pytest.fixture(scope="module", params=VERSIONS, ids=lambda path: path.name.removesuffix(".tar.xz"))
def version(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what this version wrote."""
    folder = tmp_path_factory.mktemp(request.param.name.removesuffix(".tar.xz"))
    with tarfile.open(request.param) as packed:
        packed.extractall(folder, filter="data")
    return folder


@pytest.fixture
def playable(version: Path) -> Path:
    """A version whose tables are imported, opened and played on."""
    if is_unreadable(version):
        pytest.skip("a table of the first day")
    return version


def is_unreadable(version: Path) -> bool:
    return version.name.startswith(UNREADABLE)


@pytest.mark.parametrize("game", GAMES)
def test_an_export_is_never_called_broken(here: Run, version: Path, game: str) -> None:
    receipts = str(version / f"{game}.receipts.jsonl")
    for kind in ("whole", "seat"):
        verified = here("verify", str(version / f"{game}.{kind}.jsonl"), receipts)
        assert verified.returncode in (SOUND, SO_FAR), f"{kind}: {verified.stdout}{verified.stderr}"
    assert here("verify", str(version / f"{game}.whole.jsonl"), str(version / f"{game}.seat.jsonl")).returncode != 1


def test_the_other_verifiers_call_no_export_broken_either(version: Path) -> None:
    of_documentation = of_the_documentation()
    with of_the_page() as of_page:
        for file in (*version.glob("*.seat.jsonl"), *version.glob("*.restored.jsonl")):
            document = json.loads(file.read_bytes())
            assert of_documentation(document) is not Verdict.BROKEN, file.name
            assert of_page(document) is not Verdict.BROKEN, file.name


@pytest.mark.parametrize("game", GAMES)
def test_an_export_is_imported_and_played_on(here: Run, playable: Path, tmp_path: Path, game: str) -> None:
    with closing(open_store(f"sqlite:///{tmp_path}/new.db")) as store:
        ruleset = getattr(import_module(f"astragal.rulesets.{game}"), game.upper())
        host = Host(store, [ruleset], clock=count(1_800_000_000_000).__next__, entropy=token_bytes)
        with (playable / f"{game}.whole.jsonl").open("rb") as exported:
            table = host.archive.import_table(exported)
        seats = seats_at(store, table, game)
        seats.play_on()
        files = seats.files(tmp_path)
    for file in files:
        verified = here("verify", str(file), str(playable / f"{game}.receipts.jsonl"))
        assert verified.returncode in (SOUND, SO_FAR), verified.stdout


@pytest.mark.parametrize("game", GAMES)
def test_a_database_is_opened_and_played_on(here: Run, playable: Path, tmp_path: Path, game: str) -> None:
    shutil.copy(playable / "tables.db", tmp_path / "tables.db")
    with closing(open_store(f"sqlite:///{tmp_path}/tables.db")) as store:
        (table,) = [title.id for title in titles(store) if title.ruleset == game]
        seats = seats_at(store, table, game)
        seats.play_on()
        files = seats.files(tmp_path)
    whole, seat = (here("verify", str(file), str(playable / f"{game}.receipts.jsonl"), "--json") for file in files)
    assert whole.returncode in (SOUND, SO_FAR), whole.stdout
    assert seat.returncode in (SOUND, SO_FAR), seat.stdout
    document = json.loads(whole.stdout)
    assert document["promised"][-1][0] not in document["late"], "the command before it promised its dice"


@pytest.mark.parametrize("game", GAMES)
def test_what_a_player_exports_after_a_restore_is_not_accused(
    here: Run, playable: Path, tmp_path: Path, game: str
) -> None:
    shutil.copy(playable / "tables.db", tmp_path / "tables.db")
    with closing(open_store(f"sqlite:///{tmp_path}/tables.db")) as store:
        (table,) = [title.id for title in titles(store) if title.ruleset == game]
        seats = seats_at(store, table, game)
        seats.host.archive.backup(tmp_path / "backup.db")
        seats.host.archive.restore(tmp_path / "backup.db")
        at_once = [file.rename(file.with_stem(f"{file.stem}-at-once")) for file in seats.files(tmp_path)]
        seats.play_on()
        files = seats.files(tmp_path)
    for file in (*at_once, *files):
        verified = here("verify", str(file), str(playable / f"{game}.receipts.jsonl"))
        assert verified.returncode in (SOUND, SO_FAR), verified.stdout
        assert "declares a gap: the table was restored or imported there" in verified.stdout


@pytest.mark.parametrize("game", GAMES)
def test_a_table_of_the_first_day_is_refused_in_a_sentence(version: Path, game: str, tmp_path: Path) -> None:
    if not is_unreadable(version):
        return
    with closing(open_store(f"sqlite:///{tmp_path}/new.db")) as store:
        ruleset = getattr(import_module(f"astragal.rulesets.{game}"), game.upper())
        host = Host(store, [ruleset], clock=count().__next__, entropy=token_bytes)
        with (
            (version / f"{game}.whole.jsonl").open("rb") as exported,
            pytest.raises(BadExport, match="can only be read"),
        ):
            host.archive.import_table(exported)


def test_what_a_player_exported_after_a_restore_is_sound_and_names_the_gap(here: Run, version: Path) -> None:
    verified = here("verify", str(version / f"{RESTORED}.restored.jsonl"), str(version / f"{RESTORED}.receipts.jsonl"))
    assert verified.returncode in (SOUND, SO_FAR), verified.stdout
    assert "declares a gap: the table was restored or imported there" in verified.stdout
