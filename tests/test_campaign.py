"""A short form of the fault campaign; `./run soak` has the long one."""

from __future__ import annotations

from pathlib import Path

import pytest

from astragal.table.log.store import Batch
from benchmarks import faults
from benchmarks.campaign import Report, campaign
from benchmarks.simulation import SimulatedStore, simulate
from benchmarks.soak import PROCESSES, soak_store
from tests.storage.places import Place


@pytest.mark.slow
def test_nothing_told_is_lost_doubled_or_reordered_whoever_is_killed(place: Place, tmp_path: Path) -> None:
    done = soak_store(place.url, tmp_path, seconds=5, seed=1)
    assert done.told
    assert done.kills > PROCESSES


@pytest.mark.parametrize("kind", ["power", "pool", "simulation", "exports", "commands"])
def test_a_round_of_each_kind_of_harm_finds_nothing(kind: str) -> None:
    assert faults.KINDS[kind](7)


def test_whichever_call_of_the_store_fails_a_command_is_done_once() -> None:
    assert sum(faults.io(seed)["faults"] for seed in range(0, 30, 3)) > 5


def test_strings_and_skins_are_understood_or_refused() -> None:
    assert faults.notation(7, count=300)["understood"]
    assert faults.skins(7, count=20)["refused"]


@pytest.mark.slow
@pytest.mark.parametrize("statement", [2, 9, 17])
def test_an_older_file_is_brought_up_to_date_whoever_is_killed_meanwhile(statement: int) -> None:
    faults.migrations(statement)


def test_a_simulation_goes_the_same_way_again() -> None:
    assert simulate(3) == simulate(3)


def test_a_simulation_notices_a_disk_that_forgets(monkeypatch: pytest.MonkeyPatch) -> None:
    keep, kept = SimulatedStore._keep, []  # noqa: SLF001 - a disk that lies

    def forgetful(store: SimulatedStore, table: object, batch: Batch) -> None:
        kept.append(batch)
        if len(kept) < 20 or len(kept) % 10:
            keep(store, table, batch)  # type: ignore[arg-type]

    monkeypatch.setattr(SimulatedStore, "_keep", forgetful)
    with pytest.raises(AssertionError, match=r"was lost|was told"):
        simulate(3)


def test_a_campaign_goes_on_where_it_was_and_names_the_seed_of_what_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def harm(seed: int) -> dict[str, int]:
        assert seed != 2, "found"
        return {"rounds": 1}

    monkeypatch.setitem(faults.KINDS, "harm", harm)
    path = tmp_path / "report.json"
    assert campaign(["harm"], Report(path), minutes=None, rounds=2, seed=None)
    report = Report(path)
    assert not campaign(["harm"], report, minutes=None, rounds=2, seed=None)
    assert report.kinds["harm"]["rounds"] == 4
    assert report.kinds["harm"]["figures"] == {"rounds": 3}
    assert report.failures == ["./run soak harm --seed 2 --rounds 1   AssertionError: found\nassert 2 != 2"]
