"""Startup cost of a sub-command over a bare interpreter: the wait of the person at the prompt."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
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
    "tables of Narraject": ("tables", "narraject"),
    "tables of New Shoes": ("tables", "new_shoes"),
    "tables of Sinew & Steel": ("tables", "sinew_steel"),
    "tables of Six-Pool d20": ("tables", "six_pool"),
    "skin list": ("skin", "list", "sinew_steel"),
    "skin show": ("skin", "show", "sinew_steel", "saltglass"),
    "hero random": ("hero", "random", "sinew_steel"),
    "hero random, seeded": ("hero", "random", "sinew_steel", "--seed", "7"),
    "convert": ("convert", "sinew_steel", "score=12"),
    "convert, nothing the same": ("convert", "narraject", "difficulty=2", "dice=5"),
    "convert, a table": ("convert", "narraject", "dice=5"),
    "a command's help": ("odds", "--help"),
    "verify": ("verify", str(LEDGER)),
    "table list": ("table", "list"),
}
AT_A_TABLE = {
    "table show": ("table", "show", "Bench"),
    "table log": ("table", "log", "Bench"),
    "do": ("do", "Bench", "say", "words=Hello"),
    "doctor": ("doctor",),
}
TOUCHES_NONE, OPENS_ONE = 0.250, 0.500
"""Seconds over a bare interpreter."""


@benchmark("terminal.start")
def starts_of_sub_commands() -> Iterator[Mark]:
    """Sub-commands beside a bare interpreter, with the bytecode written, as in any installation."""
    with TemporaryDirectory() as folder:
        environment = environment_in(Path(folder))
        _run(environment, "-m", "astragal", "table", "new", "sinew_steel", "Bench", "--gm", "Ada")
        for commands, limit in ((WITHOUT_A_TABLE, TOUCHES_NONE), (AT_A_TABLE, OPENS_ONE)):
            for name, words in commands.items():
                yield _mark(environment, name, words, limit)


def _mark(environment: dict[str, str], name: str, words: tuple[str, ...], limit: float) -> Mark:
    busy: dict[str, list[float]] = {"ours": [], "bare": []}
    times = medians(
        {
            "ours": lambda: busy["ours"].append(_run(environment, "-m", "astragal", *words)),
            "bare": lambda: busy["bare"].append(_run(environment, "-c", "pass")),
        }
    )
    over, work = times["ours"] - times["bare"], min(busy["ours"]) - min(busy["bare"])
    figure = f"{times['ours'] / times['bare']:.1f}×, {shown(over)} more"
    detail = f"{shown(times['ours'])} against {shown(times['bare'])}; {shown(work)} more of a processor’s time"
    return Mark(
        "terminal.start",
        f"astragal {name}, over a bare interpreter",
        figure,
        f"≤ {shown(limit)} more",
        over <= limit,
        detail,
    )


def environment_in(folder: Path) -> dict[str, str]:
    """Environment of an installation: bytecode is kept, though the machine's own environment may forbid it."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {
        "ASTRAGAL_DB": str(folder / "tables.db"),
        "PYTHONPYCACHEPREFIX": str(folder / "bytecode"),
        "XDG_STATE_HOME": str(folder),
    }


def _run(environment: dict[str, str], *arguments: str) -> float:
    """Return the seconds that a processor was busy: on an idle machine, nearly the time that passes."""
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, check=True)  # noqa: S603 - ours
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
