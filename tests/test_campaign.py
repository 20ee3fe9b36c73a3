"""A short form of the fault campaign; `./run soak` has the long one."""

from __future__ import annotations

import signal
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, strategies
from msgspec.structs import replace

from astragal.surfaces.shared.rate_limit import Pace
from astragal.surfaces.web.settings import Settings
from astragal.table.log.store import Batch
from benchmarks.soak import disk, fuzzing, kills, proxies, simulation, stores
from benchmarks.soak.campaign import KINDS, Kind, Report, campaign, main
from tests.storage.places import SqlitePlace
from tests.surfaces.web.open_tables import opened_web
from tests.surfaces.web.serving import bound_socket, serving
from tests.table.dare import DARE


@pytest.mark.slow
def test_nothing_told_is_lost_doubled_or_reordered_whoever_is_killed(sqlite_place: SqlitePlace, tmp_path: Path) -> None:
    done = kills.soak_store(sqlite_place.url, tmp_path, 10, Random(1))
    assert done["kills"] == 10 + kills.PROCESSES
    assert done["commands"]


@pytest.mark.slow
def test_no_kill_of_the_database_server_loses_anything() -> None:
    done = kills.postgres(1, 4)
    assert done["server kills"]
    assert done["kills"]


@pytest.mark.slow
def test_four_processes_that_spend_one_pool_spend_no_point_twice() -> None:
    assert stores.pool(1)["points spent"]


@pytest.mark.slow
@pytest.mark.parametrize("statement", [9, 17])
def test_an_older_file_is_brought_up_to_date_whoever_is_killed_meanwhile(
    sqlite_place: SqlitePlace, statement: int
) -> None:
    assert stores.killed_at(sqlite_place, 3, statement)


@pytest.mark.slow
def test_through_a_hostile_proxy_each_command_is_done_once_and_heard_by_all(sqlite_place: SqlitePlace) -> None:
    with bound_socket() as listening:
        settings = replace(Settings.local(listening.getsockname()[1]), seat_pace=Pace(100_000, 1_000))
        with opened_web(sqlite_place.url, settings, games=[DARE]) as web, serving(web.app, listening) as port:
            done = proxies.play_through(web, port, 1, commands=20)
    assert min(done[how] for how in ("commands", "sent again", "doubled", "streams cut")) > 0


def test_a_cut_of_the_power_takes_nothing_that_was_acknowledged() -> None:
    assert disk.power(7, cuts=5)["cuts"] > 3


@pytest.mark.parametrize("seed", [100, 461, 902])
def test_whichever_call_to_the_disk_fails_a_command_is_done_once(seed: int) -> None:
    assert disk.io(seed)["faults"]


@pytest.mark.slow
def test_commands_sent_again_in_any_order_over_restarts_and_rewinds_are_done_once() -> None:
    done = simulation.resent(7, commands=40)
    assert done["sent"] > 80
    assert done["rewinds"]


@pytest.mark.slow
def test_a_simulation_goes_the_same_way_again() -> None:
    assert simulation.simulation(3) == simulation.simulation(3)


def test_a_simulation_notices_a_disk_that_forgets(monkeypatch: pytest.MonkeyPatch) -> None:
    keep, kept = simulation.SimulatedStore._keep, []  # noqa: SLF001 - a disk that lies

    def forgetful(store: simulation.SimulatedStore, table: object, batch: Batch) -> None:
        kept.append(batch)
        if len(kept) < 20 or len(kept) % 10:
            keep(store, table, batch)  # type: ignore[arg-type]

    monkeypatch.setattr(simulation.SimulatedStore, "_keep", forgetful)
    with pytest.raises(AssertionError, match=r"was lost|was told"):
        simulation.simulation(3)


@pytest.mark.slow
def test_whatever_found_something_once_is_understood_or_refused() -> None:
    assert fuzzing.replay() > 300


@pytest.mark.parametrize(
    ("fuzzer", "count"), [(fuzzing.NOTATION, 300), (fuzzing.EXPORTS, 40), (fuzzing.SKINS, 20), (fuzzing.COMMANDS, 60)]
)
def test_inputs_that_are_nearly_right_are_understood_or_refused(fuzzer: fuzzing.Fuzzer, count: int) -> None:
    assert 0 < fuzzer.round(7, count, keeps=False)["refused"] <= count


def test_a_campaign_goes_on_where_it_was_and_names_the_seed_of_what_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def harm(seed: int) -> dict[str, int]:
        assert seed != 2, "found"
        return {"rounds": 1}

    monkeypatch.setitem(KINDS, "harm", Kind(harm, "rounds", 6))
    path = tmp_path / "report.json"
    assert campaign(["harm"], Report(path), minutes=None, rounds=2, seed=None)
    report = Report(path)
    assert not campaign(["harm"], report, minutes=None, rounds=2, seed=None)
    assert report.kinds["harm"]["rounds"] == 4
    assert report.kinds["harm"]["figures"] == {"rounds": 3}
    assert report.failures == ["./run soak harm --seed 2 --rounds 1   AssertionError: found\nassert 2 != 2"]
    campaign(["harm"], report, minutes=5, rounds=None, seed=None)
    assert report.kinds["harm"]["figures"] == {"rounds": 6}, "it ends at its goal"


def test_a_campaign_that_is_ended_in_the_middle_of_a_round_has_not_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @given(strategies.none())
    def ended(_: None) -> None:
        signal.raise_signal(signal.SIGTERM)

    def harm(_: int) -> dict[str, int]:
        ended()
        return {}

    path, before = tmp_path / "report.json", signal.getsignal(signal.SIGTERM)
    monkeypatch.setitem(KINDS, "harm", Kind(harm, "rounds", 6))
    monkeypatch.setattr("sys.argv", ["soak", "harm", "--report", str(path)])
    try:
        with pytest.raises(KeyboardInterrupt):
            main()
    finally:
        signal.signal(signal.SIGTERM, before)
    assert not Report(path).failures
