"""The real program, started as a user starts it."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent.parent.parent / "src"
PROGRAM = (sys.executable, "-m", "astragal")

Answer = subprocess.CompletedProcess[str]


@pytest.fixture
def environment() -> dict[str, str]:
    """Ours, from the source, with nothing said about colours."""
    silent = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "FORCE_COLOR", "COLUMNS"}}
    return silent | {"PYTHONPATH": str(SOURCE), "PYTHONIOENCODING": "utf-8", "TERM": "xterm-256color"}


@pytest.fixture
def astragal(environment: dict[str, str]) -> Callable[..., Answer]:
    def run(*words: str) -> Answer:
        return subprocess.run(
            [*PROGRAM, *words], env=environment, capture_output=True, encoding="utf-8", check=False, timeout=60
        )

    return run
