"""The program as a whole: help, version, the demonstration, colours."""

import os
import subprocess
import sys
from collections.abc import Callable
from subprocess import CompletedProcess
from typing import Any

import pexpect
import pytest

from tests.patience import LONG
from tests.surfaces.cli.conftest import PROGRAM

Run = Callable[..., CompletedProcess[str]]
ESCAPE = "\x1b["


@pytest.fixture
def on_a_terminal(environment: dict[str, str]) -> Callable[..., str]:
    def run(*words: str, **further: str) -> str:
        variables = [f"{name}={value}" for name, value in (environment | further).items()]
        terminal = pexpect.spawn(
            "env",
            ["-i", *variables, *PROGRAM, *words],
            encoding="utf-8",
            dimensions=(40, 70),
            timeout=LONG,
            use_poll=True,
        )
        terminal.expect(pexpect.EOF)
        terminal.wait()
        assert terminal.exitstatus == 0
        return str(terminal.before)

    return run


@pytest.mark.parametrize(
    ("words", "taught"),
    [
        ([], "astragal roll 1d20+7"),
        (["--help"], "astragal demo"),
        (["roll", "--help"], "astragal roll '10d6>=5'"),
        (["odds", "-h"], "astragal odds -- -1d6+3"),
        (["demo", "--help"], "a rule played, replayed, its odds"),
    ],
)
def test_help_teaches_by_examples(astragal: Run, words: list[str], taught: str) -> None:
    done = astragal(*words)
    assert done.returncode == 0
    assert taught in done.stdout
    assert max(len(line.rstrip()) for line in done.stdout.splitlines()) <= 80


def test_the_version_is_told(astragal: Run) -> None:
    done = astragal("--version")
    assert done.returncode == 0
    assert done.stdout.strip()


def test_the_demonstration_plays_weighs_and_advises_without_a_terminal(astragal: Run) -> None:
    done = astragal("demo")
    assert done.returncode == 0
    assert not done.stderr
    for said in (
        "to hit: 1d20 [",
        "4d6dl1",
        "def cross_the_bridge",
        "Replayed from its record",
        "Its exact odds",
        "Jump!",
    ):
        assert said in done.stdout
    assert ESCAPE not in done.stdout


def test_a_terminal_gets_colours_and_the_same_words(on_a_terminal: Callable[..., str], astragal: Run) -> None:
    coloured = on_a_terminal("roll", "2d20kl1", "--seed", "3")
    assert ESCAPE in coloured
    plain = on_a_terminal("roll", "2d20kl1", "--seed", "3", NO_COLOR="1")
    assert ESCAPE not in plain
    assert plain.splitlines() == astragal("roll", "2d20kl1", "--seed", "3").stdout.splitlines()


@pytest.mark.slow
def test_odds_fit_the_terminal(on_a_terminal: Callable[..., str]) -> None:
    coloured = on_a_terminal("odds", "2d6")
    plain = on_a_terminal("odds", "2d6", NO_COLOR="1")
    assert ESCAPE in coloured
    assert ESCAPE not in plain
    assert max(len(line) for line in plain.splitlines()) <= 70
    assert "1/36" in coloured


@pytest.mark.slow
def test_importing_the_package_loads_neither_numpy_nor_a_web_framework(environment: dict[str, str]) -> None:
    program = "import sys, astragal, astragal.chance; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert not {"numpy", "fastapi", "starlette", "rich", "argparse"} & set(done.stdout.split())


@pytest.mark.slow
def test_the_doctor_works_where_no_home_can_be_written(environment: dict[str, str]) -> None:
    nowhere = {name: value for name, value in environment.items() if name != "ASTRAGAL_DB"}
    nowhere |= {"HOME": "/proc/nowhere", "XDG_DATA_HOME": "/proc/nowhere"}
    done = subprocess.run([*PROGRAM, "doctor"], env=nowhere, capture_output=True, text=True, check=False, timeout=LONG)
    assert done.returncode == 1, done.stderr
    assert "Set ASTRAGAL_DB to a file in a folder that you can write to." in done.stdout
    assert "game sinew_steel" in done.stdout


CLOSED = [
    ("roll 1d6 >&-", 0, ""),
    ("roll 1d6 2>&-", 0, ""),
    ("roll 1d6 <&- >&- 2>&-", 0, ""),
    ("table new sinew_steel Closed --gm Ada >&-", 0, ""),
    ("table seat-ai Closed >&-", 2, "needs --model"),
    ("roll 1d >&-", 2, "the notation ends too early"),
    ("roll 1d 2>&-", 2, ""),
]


@pytest.mark.slow
@pytest.mark.parametrize(("call", "code", "said"), CLOSED)
def test_a_program_whose_streams_are_closed_does_its_work(
    environment: dict[str, str], call: str, code: int, said: str
) -> None:
    """It prints no traceback, and the exit code is that of the work."""
    shell = ["sh", "-c", f'"$0" -m astragal {call}', sys.executable]
    done = subprocess.run(shell, env=environment, capture_output=True, text=True, check=False, timeout=LONG)
    assert done.returncode == code, done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


@pytest.mark.slow
def test_a_table_opened_with_closed_streams_is_not_written_over(environment: dict[str, str]) -> None:
    """Without a standard output of its own, the database would be the file that printing writes to."""
    call = '"$0" -m astragal table new sinew_steel Closed --gm Ada <&- >&- 2>&-; "$0" -m astragal table show Closed'
    shell = ["sh", "-c", call, sys.executable]
    done = subprocess.run(shell, env=environment, capture_output=True, text=True, check=False, timeout=LONG)
    assert done.returncode == 0, done.stderr
    assert "Closed" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("stream", ["stdout", "stderr"])
@pytest.mark.parametrize(("words", "code"), [(["odds", "3d6"], 0), (["roll", "1d", "--json"], 2)])
def test_a_pipe_that_nobody_reads_changes_no_exit_code(
    environment: dict[str, str], words: list[str], code: int, stream: str, unbuffered: str
) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: writer}
    done: Any = subprocess.run(  # type: ignore[call-overload] # the streams' names are keywords
        [*PROGRAM, *words], env=environment | {"PYTHONUNBUFFERED": unbuffered}, check=False, timeout=LONG, **streams
    )
    os.close(writer)
    assert done.returncode == code
    printed = (done.stdout or b"") + (done.stderr or b"")
    assert b"Traceback" not in printed
    assert b"Exception ignored" not in printed


def test_an_option_that_a_command_needs_is_named(here: Run) -> None:
    done = here("table", "seat-ai", "The Gorge")
    assert done.returncode == 2
    assert "table seat-ai needs --model." in done.stderr
