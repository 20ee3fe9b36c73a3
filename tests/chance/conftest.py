"""What the tests of `astragal.chance` share."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def new_interpreter() -> Callable[[str, bytes], str]:
    """Runs a program in a Python that knows nothing of this one, and gives what it prints."""

    def run(program: str, given: bytes = b"") -> str:
        path = f"import sys; sys.path[:0] = [{str(ROOT)!r}, {str(ROOT / 'src')!r}]\n"
        done = subprocess.run([sys.executable, "-c", path + program], input=given, capture_output=True, check=True)
        return done.stdout.decode().strip()

    return run
