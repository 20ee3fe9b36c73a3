"""A short form of everything on the other Pythons of this machine: start, roll, odds, a table of each game, verify.

A Python is used if it is on PATH as `python3.12`, `python3.14` and so on, or if `ASTRAGAL_PYTHONS` names its program.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from zlib import crc32

import pytest

from tests.patience import LONG

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
ENVIRONMENTS = Path(sys.prefix) / "pythons"
OLDEST, NEWEST = 11, 20

Call = Callable[..., str]

ROLLS = {
    "sinew_steel": [
        ["take_sample", "Tobin Ash", "--as", "Bo"],
        ["test", "tobin", "might", "stakes=The bar", "--as", "Bo"],
    ],
    "narraject": [
        ["take_sample", "Orsino Vale", "--as", "Bo"],
        ["declare_intent", "orsino", "Reach the roof", "climbing", "--as", "Bo"],
        ["request_roll", "orsino", "attempt", "stat=agility", "difficulty=easy"],
        ["attempt", "--as", "Bo"],
    ],
    "new_shoes": [
        ["take_sample", "Pim Okonjo", "--as", "Bo"],
        ["describe", "pim", "I climb", "--as", "Bo"],
        ["call_approach", "pim", "body", "12"],
        ["roll_approach", "pim", "--as", "Bo"],
    ],
    "six_pool": [
        ["take_sample", "Oda Kestrel", "--as", "Bo"],
        ["check", "oda", "skill=climbing", "dc=5"],
    ],
}
"""For each game, commands that bring somebody in and roll for them."""


def version_of(program: str) -> tuple[int, int] | None:
    """Return the version of a Python, or None if it does not start or is no usable one."""
    question = "import sys, venv; print(*sys.version_info[:2])"
    try:
        answer = subprocess.run([program, "-c", question], capture_output=True, text=True, check=True, timeout=LONG)
    except (OSError, subprocess.SubprocessError):
        return None
    major, minor = map(int, answer.stdout.split())
    return major, minor


def other_pythons() -> Iterator[str]:
    """Yield programs that may be Pythons of other versions than the running one."""
    named = os.environ.get("ASTRAGAL_PYTHONS", "")
    yield from filter(None, named.split(os.pathsep))
    for minor in range(OLDEST, NEWEST):
        program = shutil.which(f"python3.{minor}")
        if program is not None and minor != sys.version_info.minor:
            yield program


@pytest.fixture(scope="module", params=list(other_pythons()) or [""], ids=str)
def interpreter(request: pytest.FixtureRequest) -> str:
    """Another Python, with what a base install needs in an environment of its own. It is made once, and then reused."""
    program: str = request.param
    if not program:
        pytest.skip("There is no further Python on this machine; CONTRIBUTING says how to get one.")
    version = version_of(program)
    if version is None or version < (3, OLDEST):
        pytest.skip(f"{program} is no Python that could be used.")
    installer = Path(sys.executable).parent / "uv"
    if not installer.exists():
        pytest.skip("There is no uv here to make an environment with.")
    folder = ENVIRONMENTS / "{}.{}".format(*version)
    python = folder / "bin" / "python"
    inputs = (ROOT / "pyproject.toml").read_bytes() + (ROOT / "requirements" / "runtime.txt").read_bytes()
    contents = f"{Path(program).resolve()} {crc32(inputs)}"
    stamp = folder / "astragal-stamp"
    if stamp.exists() and stamp.read_text("utf-8") == contents:
        return str(python)
    base = ["-r", "pyproject.toml", "-c", "requirements/runtime.txt"]
    for words in (
        ["venv", "--quiet", "--clear", "--python", program, str(folder)],
        ["pip", "install", "--quiet", "--python", str(python), *base],
    ):
        done = subprocess.run([installer, *words], cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            pytest.skip(f"{program} has no environment: {done.stderr.strip()[-500:]}")
    stamp.write_text(contents, "utf-8")
    return str(python)


@pytest.fixture
def call(interpreter: str, tmp_path: Path) -> Call:
    """Call the program as it is in the source, where tables and the home folder are new."""
    environment = {
        "HOME": str(tmp_path),
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT / "src"),
        "PYTHONPYCACHEPREFIX": str(ENVIRONMENTS / "compiled"),
        "ASTRAGAL_DB": str(tmp_path / "tables.db"),
    }

    def run(*words: str, typed: str = "") -> str:
        done = subprocess.run(
            [interpreter, "-W", "error", "-m", "astragal", *words],
            cwd=tmp_path,
            env=environment,
            input=typed,
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=LONG,
        )
        assert done.returncode == 0, (words, done.stderr)
        return done.stdout

    return run


def test_it_starts_rolls_and_knows_the_odds(call: Call) -> None:
    assert call("--version") == "0.1.0\n"
    assert "= " in call("roll", "4d6kh3")
    assert "91/216" in call("odds", "new_shoes", "approach", "--dice", "3", "--target", "12")
    assert "sinew_steel" in call("games")
    assert "def cross_the_bridge" in call("demo")


@pytest.mark.parametrize("game", ROLLS)
def test_a_table_of_each_game_is_played_and_verified(call: Call, tmp_path: Path, game: str) -> None:
    call("table", "new", game, "Table", "--gm", "Ada", "--player", "Bo")
    for words in ROLLS[game]:
        call("do", "Table", *words)
    assert "enters the story" in call("table", "log", "Table")
    (tmp_path / "table.json").write_text(call("table", "export", "Table"), "utf-8")
    verdict = call("verify", "table.json")
    assert "is sound" in verdict
    assert "1 open roll" in verdict


def test_a_game_in_one_file_is_played(call: Call) -> None:
    lanterns = ROOT / "examples" / "lanterns.py"
    call("play", str(lanterns), typed="join Kira\nwalk Kira dark 2\n")
    assert "Kira" in call("table", "show", "Lanterns", "--game-file", str(lanterns))


def test_a_skin_is_written_and_checked(call: Call) -> None:
    call("skin", "new", "sinew_steel", "mine.toml")
    call("skin", "check", "sinew_steel", "mine.toml")
