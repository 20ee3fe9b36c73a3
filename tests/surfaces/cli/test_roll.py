"""`astragal roll`: dice in words, every one of them shown."""

import json
import re
from collections.abc import Callable
from subprocess import CompletedProcess

import pytest

from astragal.chance import SeededDice
from astragal.chance.notation import roll

Run = Callable[..., CompletedProcess[str]]


def test_a_roll_shows_its_dice(here: Run) -> None:
    done = here("roll", "1d20+7")
    assert done.returncode == 0
    assert re.fullmatch(r"1d20 \[\d+\] \+ 7 = \d+\n", done.stdout)
    assert not done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ["2d6-3"],
        ["2d6", "-", "3"],
        ["2d6", "-3"],
        ["2d6", "- 3"],
        ["--", "2d6", "-3"],
    ],
)
def test_a_notation_is_one_word_or_several(here: Run, words: list[str]) -> None:
    done = here("roll", "--seed", "5", *words)
    assert done.stdout.splitlines()[0] == roll("2d6-3", SeededDice(5)).breakdown


def test_a_label_comes_first(here: Run) -> None:
    assert here("roll", "3 # so it is").stdout == "so it is: 3 = 3\n"


def test_a_seed_repeats_the_dice_and_is_marked(here: Run) -> None:
    first, second = (here("roll", "10d6", "--seed", "kira").stdout for _ in range(2))
    assert first == second
    assert "seeded with kira" in first


def test_times_rolls_again(here: Run) -> None:
    assert len(here("roll", "1d6", "--times", "3").stdout.splitlines()) == 3


def test_json_holds_every_die(here: Run) -> None:
    done = json.loads(here("roll", "2d20kl1 # sneak", "--json", "--times", "2", "--seed", "3").stdout)
    assert (done["expression"], done["label"], done["seed"]) == ("2d20kl1", "sneak", 3)
    assert len(done["rolls"]) == 2
    for one in done["rolls"]:
        assert sorted(die["fate"] for die in one["dice"]) == ["dropped", "kept"]
        assert {die["source"] for die in one["dice"]} == {"seeded"}
        assert one["total"] == min(die["face"] for die in one["dice"])


def test_dice_without_a_seed_come_from_the_system(here: Run) -> None:
    done = json.loads(here("roll", "d6", "--json").stdout)
    assert done["seed"] is None
    assert done["rolls"][0]["dice"][0]["source"] == "system"


@pytest.mark.parametrize("command", ["roll", "odds"])
def test_bad_notation_is_marked_and_ends_with_2(here: Run, command: str) -> None:
    done = here(command, "2d6", "+", "x")
    assert done.returncode == 2
    assert not done.stdout
    assert done.stderr == (
        "astragal: “x” can't stand here\n  2d6 + x\n        ^ expected a number, dice such as 2d6, or (\n"
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["roll"], "Which dice?"),
        (["roll", "1d6", "--times", "0"], "--times"),
        (["roll", "1d6", "--times", "many"], "--times"),
        (["roll", "1d6", "--tims", "3"], "no option --tims"),
        (["rol", "1d6"], "roll"),
        (["--nonsense"], "--nonsense"),
    ],
)
def test_a_wrong_call_is_explained_and_ends_with_2(here: Run, words: list[str], said: str) -> None:
    done = here(*words)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("text", ["\udcff", "1d6\x1b[2J", "(" * 3000, "\uff11d\uff16"])
def test_nasty_words_are_refused_without_a_trace(here: Run, text: str) -> None:
    done = here("roll", text)
    assert done.returncode == 2
    assert "^" in done.stderr
    assert "\x1b" not in done.stderr
    assert "Traceback" not in done.stderr


def test_a_roll_loads_nothing_heavy(astragal: Run, environment: dict[str, str]) -> None:
    environment["PYTHONPROFILEIMPORTTIME"] = "1"
    loaded = {line.rpartition("|")[2].strip() for line in astragal("roll", "1d20").stderr.splitlines()}
    assert "astragal.chance.notation" in loaded
    assert not loaded & {"rich", "numpy", "fastapi", "asyncio", "json"}
