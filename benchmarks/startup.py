"""Startup cost: the program against a bare interpreter, and what an import brings along."""

import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec

from benchmarks.harness import Mark, benchmark, medians, skipped, within

HEAVY = ("numpy", "fastapi", "starlette", "uvicorn", "psycopg", "apsw")


def run(*arguments: str) -> str:
    """Run a new interpreter, and return what it prints."""
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=True)  # noqa: S603 - ours
    return done.stdout


@benchmark("startup.roll")
def roll_from_the_command_line() -> Iterator[Mark]:
    name = "astragal roll 1d20, over a bare interpreter"
    if find_spec("astragal.__main__") is None:
        yield skipped("startup.roll", name, "there is no command line yet")
        return
    times = medians({"roll": lambda: run("-m", "astragal", "roll", "1d20"), "bare": lambda: run("-c", "pass")})
    detail = f"{times['roll'] * 1e3:.0f} ms against {times['bare'] * 1e3:.0f} ms"
    yield within("startup.roll", name, times["roll"] - times["bare"], 0.2, detail)


@benchmark("startup.import")
def import_brings_nothing_heavy() -> Iterator[Mark]:
    for module in ("astragal", "astragal.chance"):
        program = f"import sys, {module}; print(*(name for name in {HEAVY!r} if name in sys.modules))"
        brought = run("-c", program).strip()
        yield Mark("startup.import", f"import {module}", brought or "nothing heavy", "nothing", not brought)
