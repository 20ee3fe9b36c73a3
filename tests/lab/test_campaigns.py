"""Campaigns: the same result whoever does the work, kept when interrupted, and taken up again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from astragal.lab.campaigns import Campaign, Outcome, Run, Step, play_runs, play_together, summed_up
from astragal.lab.duels import Play, duel
from astragal.rulesets.sinew_steel import SINEW_STEEL
from astragal.rulesets.sinew_steel.duel import DUEL, Fighter
from astragal.surfaces.cli.app import run
from astragal.surfaces.cli.commands.lab_campaign import InMemory, read_campaign
from astragal.surfaces.cli.context import Context
from astragal.table.refusals import BadFields, NoSuchThing
from astragal.wiring import host_of, installed_rulesets, store_at

GORGE = """
game = "sinew_steel"
evenings = 2

[[heroes]]
name = "Kira"
scores = { MGT = 12 }

[foes.Guard]
tier = 8

[[evening]]
do = "test"
each = "who"
fields = { attribute = "REF", stakes = "the wall" }

[[evening]]
fight = ["Guard"]

[[evening]]
do = "rest"
every = 2
"""
TABLES = InMemory(installed_rulesets, store_at, "sinew_steel")
RUNS = 3


@pytest.fixture
def gorge(tmp_path: Path) -> Path:
    file = tmp_path / "gorge.toml"
    file.write_text(GORGE, encoding="utf-8")
    return file


@pytest.mark.slow
def test_the_same_seed_gives_the_same_campaign_alone_on_processes_and_on_a_cluster(gorge: Path) -> None:
    from distributed import Client, LocalCluster

    campaign = read_campaign(gorge)
    alone = outcome(campaign, played := list(play_runs(TABLES, campaign, runs=RUNS, seed=7)))
    assert alone.runs == RUNS
    assert alone.refused == {}
    with ProcessPoolExecutor(2) as pool:
        assert outcome(campaign, play_runs(TABLES, campaign, runs=RUNS, seed=7, executor=pool)) == alone
    with (
        LocalCluster(n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        shared = play_runs(TABLES, campaign, runs=RUNS, seed=7, executor=client.get_executor())
        assert outcome(campaign, shared) == alone
    assert outcome(campaign, play_runs(TABLES, campaign, runs=RUNS, seed=7, done=played[:1])) == alone


@pytest.mark.slow
def test_runs_that_are_played_together_come_out_as_the_engine_plays_them_one_by_one(gorge: Path) -> None:
    """A fight, and a test and a rest around it: within three sigma of the engine, and of the duel as it is solved."""
    changes = {
        "evenings = 2": 'evenings = 1\nplay = "decline"',
        "MGT = 12": "MGT = 12, STM = 3",
    }
    text = GORGE
    for before, after in changes.items():
        text = text.replace(before, after)
    gorge.write_text(text, encoding="utf-8")
    campaign, many, few = read_campaign(gorge), 500, 20
    assert play_together(TABLES, campaign, few, seed=3) == play_together(TABLES, campaign, few, seed=3)
    together = summed_up(TABLES, campaign, [play_together(TABLES, campaign, many, seed=3)], many)
    alone = summed_up(TABLES, campaign, list(play_runs(TABLES, campaign, runs=few)), few)
    hero = Fighter(attack=12, defence=12, stamina=3)
    solved = duel(SINEW_STEEL, hero, DUEL.foes["tier 8"], play=Play.DECLINE, first="one")
    assert (together.runs, together.refused) == (many, {})
    assert abs((1 - together.lost) - solved.wins) < 3 * sqrt(solved.wins * solved.loses / many)
    assert abs(alone.lost - together.lost) < 3 * sqrt(together.lost * (1 - together.lost) / few)
    assert together.felled == {"Guard": pytest.approx(together.lost)}
    assert together.left[0][1] == pytest.approx(10 * (1 - together.lost))  # Luck is not spent


def outcome(campaign: Campaign, runs: Iterable[Run]) -> Outcome:
    return summed_up(TABLES, campaign, runs, RUNS)


@pytest.mark.slow
def test_an_interrupt_keeps_what_is_done_and_another_call_goes_on_from_there(
    gorge: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    keep = gorge.with_suffix(".runs")
    call = ["lab", "campaign", str(gorge), "--runs", "3", "--keep", str(keep)]
    context = Context(installed_rulesets, store_at, host_of)
    with monkeypatch.context() as patch:

        def interrupted(*given: Any, **named: Any) -> Iterator[Run]:
            for number, one in enumerate(play_runs(*given, **named)):
                if number == 1:
                    raise KeyboardInterrupt
                yield one

        patch.setattr("astragal.lab.campaigns.PIECE", 1)
        patch.setattr("astragal.lab.campaigns.play_runs", interrupted)
        assert run(call, context, {}) == 130
    assert "Interrupted: 1 of 3 runs." in capsys.readouterr().out
    assert len(keep.read_text().splitlines()) == 1 + 2  # the second was done, and not counted any more
    assert run(call, context, {}) == 0
    resumed = capsys.readouterr().out
    keep.unlink()
    assert run(call, context, {}) == 0
    assert capsys.readouterr().out == resumed
    assert run([*call, "--seed", "2"], context, {}) == 2
    assert "another campaign, or of another seed" in capsys.readouterr().err


def test_a_campaign_that_is_written_wrongly_is_refused_with_all_that_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text('game = "sinew_steel"\nheroes = []\nevenings = 0\n[[evening]]\nevery = 0\n', encoding="utf-8")
    with pytest.raises(BadFields) as wrong:
        read_campaign(file)
    assert len(wrong.value.problems) >= 2


def test_a_fight_with_a_foe_that_the_file_does_not_have_is_refused(gorge: Path) -> None:
    gorge.write_text(GORGE.replace('["Guard"]', '["Dragon"]'), encoding="utf-8")
    with pytest.raises(NoSuchThing, match="no foe 'Dragon'; there are Guard"):
        list(play_runs(TABLES, read_campaign(gorge), runs=1))


def test_a_fight_in_a_game_without_attacks_is_refused_with_what_to_write_instead() -> None:
    hero = {"name": "Ox", "body": 4, "mind": 3, "will": 3}
    campaign = Campaign(game="new_shoes", heroes=(hero,), evening=(Step(fight=("Guard",)),), foes={"Guard": {}})
    with pytest.raises(NoSuchThing, match="New Shoes has no attack to fight with: give the steps as commands"):
        play_together(InMemory(installed_rulesets, store_at, "new_shoes"), campaign, 1, seed=1)
