"""`astragal odds`: exact, as bars for people and as tables for programs."""

import csv
import io
import json
import subprocess
from collections.abc import Callable
from subprocess import CompletedProcess

import pytest

from tests.surfaces.cli.conftest import PROGRAM

Run = Callable[..., CompletedProcess[str]]


def test_odds_are_explained_and_drawn(here: Run) -> None:
    lines = here("odds", "2d6").stdout.splitlines()
    assert lines[:3] == [
        "2d6",
        "The sum of 2 dice of 6 sides. From 2 to 12.",
        "On average 7.00 ± 2.42; half of all rolls come to 7 or less.",
    ]
    assert lines[4].split() == ["2", "2.8%", "██████████▉", "1/36"]
    assert max(len(line) for line in lines) <= 80


def test_exploding_dice_have_odds_too(here: Run) -> None:
    done = here("odds", "5d6!")
    assert "On average 21.00 ± 7.29; half of all rolls come to 20 or less." in done.stdout


def test_odds_are_added_up_from_either_end(here: Run) -> None:
    assert "≥ 11    8.3%" in here("odds", "2d6", "--at-least").stdout
    assert "≤ 3,8.333333,1/12" in here("odds", "2d6", "--at-most", "--csv").stdout
    assert "not both" in here("odds", "2d6", "--at-most", "--at-least").stderr
    named = here("odds", "new_shoes", "approach", "--dice", "3", "--target", "12", "--at-least")
    assert "only numbers can be at least or at most another" in named.stderr


def test_a_target_has_odds(here: Run) -> None:
    assert "1  65.0%" in here("odds", "1d20+7>=15").stdout


def test_what_starts_with_a_hyphen_can_be_asked_for(here: Run) -> None:
    assert here("odds", "--", "-1d6+3").stdout == here("odds", "-1d6+3").stdout
    assert "-3  16.7%" in here("odds", "--", "-1d6+3").stdout


def test_json_is_exact(here: Run) -> None:
    done = json.loads(here("odds", "2d4", "--json").stdout)
    assert done["total"] == "16"
    assert done["outcomes"][0] == {"outcome": "2", "exactly": "1/16", "percent": 6.25}


def test_csv_can_be_read(here: Run) -> None:
    rows = list(csv.DictReader(io.StringIO(here("odds", "2d4", "--csv").stdout)))
    assert [row["outcome"] for row in rows] == ["2", "3", "4", "5", "6", "7", "8"]


def test_markdown_is_a_table(here: Run) -> None:
    assert here("odds", "1d2", "--markdown").stdout.splitlines()[2] == "| 1 | 50.0% | 1/2 |"


def test_one_format_at_a_time(here: Run) -> None:
    done = here("odds", "1d6", "--json", "--csv")
    assert done.returncode == 2
    assert "--json" in done.stderr


def test_odds_that_cannot_be_had_are_refused_with_1(here: Run) -> None:
    for text in ("1000d1000", "1d6!-1d6!"):
        done = here("odds", text)
        assert done.returncode == 1
        assert done.stderr.startswith("astragal: ")
        assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_reader_who_has_seen_enough_may_leave(environment: dict[str, str]) -> None:
    with subprocess.Popen(
        [*PROGRAM, "odds", "1d6000", "--csv"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdout
        assert running.stderr
        running.stdout.readline()
        running.stdout.close()
        assert running.stderr.read() == b""
