"""`astragal lab`: charts as text and files, fights, luck from an export."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from astragal.lab.duels import duel_of
from astragal.table.visibility.redact import plain
from astragal.wiring import installed_rulesets
from tests.surfaces.cli.conftest import Run, our_games

LEAP = ("lab", "explore", "dare", "leap")


def test_a_range_draws_a_curve_and_two_a_table(here: Run) -> None:
    told = here(*LEAP, "danger=5", "nerve=0..2", "--policy", "best").stdout.splitlines()
    assert told[0] == "Chance of made it by nerve. Dare, leap: danger 5, best play"
    assert [line.split()[:3] for line in told[2:]] == [
        ["nerve", "0", "33.3%"],
        ["nerve", "1", "50.0%"],
        ["nerve", "2", "66.7%"],
    ]
    table = here(*LEAP, "--danger", "4..5", "--nerve", "0,1").stdout.splitlines()
    assert table[-2:] == ["4               50.0%  50.0%", "5               33.3%  33.3%"]
    both = here(*LEAP, "danger=5", "nerve=1", "--against", "dare leap danger=4 nerve=1", "--json").stdout
    assert [one["exactly"] for one in json.loads(both)["odds"]] == ["2/3", "1/3", "1/2", "1/2"]


def test_a_chart_is_drawn_into_files(here: Run, tmp_path: Path) -> None:
    for kind, start in (("svg", b"<svg"), ("png", b"\x89PNG")):
        file = tmp_path / f"leap.{kind}"
        assert here(*LEAP, "danger=5", "nerve=0..2", f"--{kind}", str(file)).stdout == f"{file} is drawn.\n"
        assert file.read_bytes().startswith(start)


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("lab", "explore"), "Which game?"),
        (("lab", "explore", "dare"), "Which rule of Dare? There are leap"),
        ((*LEAP, "danger"), "written NAME=VALUE"),
        ((*LEAP, "anger=5"), "no parameter 'anger' here"),
        ((*LEAP, "danger=all"), "danger"),
        ((*LEAP, "danger=1..9", "nerve=0..6", "--goal", "glory"), "'glory' is no outcome here"),
    ],
)
def test_what_cannot_be_explored_is_said(here: Run, words: tuple[str, ...], fault: str) -> None:
    refused = here(*words)
    assert refused.returncode in (1, 2)
    assert fault in refused.stderr


@pytest.mark.parametrize("game", our_games())
def test_whoever_names_no_foe_fights_a_middling_one(here: Run, game: str) -> None:
    """Also in games where two heroes don't fight each other."""
    (foe,) = json.loads(here("lab", "duel", game, "--play", "decline", "--json").stdout)["sides"][1]
    assert foe == plain(duel_of(installed_rulesets()[game]()).usual_foe)


def test_luck_is_told_of_an_export(here: Run, tmp_path: Path) -> None:
    file = tmp_path / "evening.jsonl"
    for words in (
        ("table", "new", "dare", "The Cliff", "--gm", "Ada", "--player", "Bo"),
        ("do", "Cliff", "join", "Kira", "--as", "Bo"),
        ("do", "Cliff", "dare", "danger=1", "--as", "Bo"),
        ("table", "export", "Cliff", str(file)),
    ):
        assert not here(*words).returncode
    told = here("lab", "luck", str(file), "--rolls").stdout.splitlines()
    assert told[0] == "Bo: 1 of 1 roll succeeded, where 1.0 was to be expected. That is about what dice do."
    assert told[1].endswith("is expected; 30 are needed to judge their faces.")
    assert told[2].startswith("  dare, 100.0%: succeeded with d6 ")
    (bo,) = json.loads(here("lab", "luck", str(file), "--json").stdout)
    assert (bo["name"], bo["judged"], len(bo["rolls"])) == ("Bo", 1, 1)
