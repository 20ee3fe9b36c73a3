"""What it costs to start a sub-command, over a bare interpreter: what the person at the prompt waits for."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.harness import Mark, benchmark, medians, shown

LEDGER = Path(__file__).parent.parent / "docs" / "evening-ledger.jsonl"
WITHOUT_A_TABLE = {
    "roll": ("roll", "1d20"),
    "odds of dice": ("odds", "2d6"),
    "odds of a rule": ("odds", "sinew_steel", "simple_test", "--score", "12"),
    "help": ("--help",),
    "games": ("games",),
    "games of one": ("games", "sinew_steel"),
    "games of one, as JSON": ("games", "sinew_steel", "--json"),
    "tables": ("tables", "sinew_steel"),
    "skin list": ("skin", "list", "sinew_steel"),
    "skin show": ("skin", "show", "sinew_steel", "saltglass"),
    "hero random": ("hero", "random", "sinew_steel"),
    "hero random, seeded": ("hero", "random", "sinew_steel", "--seed", "7"),
    "convert": ("convert", "sinew_steel", "score=12"),
    "verify": ("verify", str(LEDGER)),
    "table list": ("table", "list"),
}
AT_A_TABLE = {
    "table show": ("table", "show", "Bench"),
    "table log": ("table", "log", "Bench"),
    "do": ("do", "Bench", "say", "words=Hello"),
}
TOUCHES_NONE, OPENS_ONE = 0.250, 0.500
"""Seconds over a bare interpreter."""


@benchmark("terminal.start")
def starts_of_sub_commands() -> Iterator[Mark]:
    """Each beside a bare interpreter, the bytecode written as in any installation."""
    with TemporaryDirectory() as folder:
        environment = _environment(Path(folder))
        _run(environment, "-m", "astragal", "table", "new", "sinew_steel", "Bench", "--gm", "Ada")
        for commands, limit in ((WITHOUT_A_TABLE, TOUCHES_NONE), (AT_A_TABLE, OPENS_ONE)):
            for name, words in commands.items():
                yield _mark(environment, name, words, limit)


def _mark(environment: dict[str, str], name: str, words: tuple[str, ...], limit: float) -> Mark:
    times = medians(
        {
            "ours": lambda: _run(environment, "-m", "astragal", *words),
            "bare": lambda: _run(environment, "-c", "pass"),
        }
    )
    over = times["ours"] - times["bare"]
    figure = f"{times['ours'] / times['bare']:.1f}×, {shown(over)} more"
    detail = f"{shown(times['ours'])} against {shown(times['bare'])}"
    return Mark(
        "terminal.start",
        f"astragal {name}, over a bare interpreter",
        figure,
        f"≤ {shown(limit)} more",
        over <= limit,
        detail,
    )


def _environment(folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {
        "ASTRAGAL_DB": str(folder / "tables.db"),
        "PYTHONPYCACHEPREFIX": str(folder / "bytecode"),
        "XDG_STATE_HOME": str(folder),
    }


def _run(environment: dict[str, str], *arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, check=True)  # noqa: S603 - ours
