"""A base install lacks what the extras bring, and says so in one sentence."""

import os
import subprocess
import sys

import pytest

from astragal.surfaces.shared.installation import how_to_install

pytestmark = pytest.mark.slow

WITHOUT = """
import sys
from importlib.machinery import PathFinder

class Lacking(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name in {lacking!r} else super().find_spec(name, path, target)

sys.meta_path[:] = [Lacking if finder is PathFinder else finder for finder in sys.meta_path]
from astragal.wiring import EXTRA_OF, main
sys.argv[1:] = {arguments!r}
main()
"""
EVERYTHING = (
    "PIL", "anyio", "fastapi", "jinja2", "markdown_it", "mcp", "mcp_types", "multipart", "nh3", "psycopg", "pydantic",
    "segno", "starlette", "uvicorn",
)  # fmt: skip


def run(*arguments: str, store: str = "memory:") -> subprocess.CompletedProcess[str]:
    program = WITHOUT.format(lacking=EVERYTHING, arguments=list(arguments))
    environment = {**os.environ, "ASTRAGAL_DB": store}
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, env=environment)


@pytest.mark.parametrize(
    ("arguments", "extra"),
    [
        (["serve", "--no-open"], "web"),
        (["mcp"], "mcp"),
    ],
)
def test_a_command_whose_extra_is_missing_says_which(arguments: list[str], extra: str) -> None:
    done = run(*arguments)
    assert done.returncode
    assert f"the extra {extra!r} of astragal. " in done.stderr
    assert how_to_install(extra) in done.stderr
    assert "Traceback" not in done.stderr


def test_a_store_whose_extra_is_missing_says_which() -> None:
    assert "the extra 'postgres' of astragal. " in run("table", "list", store="postgresql://localhost/x").stderr


def test_dice_odds_and_games_need_no_extra() -> None:
    assert "= " in run("roll", "4d6kh3").stdout
    assert "On average" in run("odds", "4d6kh3").stdout
    assert "91/216" in run("odds", "new_shoes", "approach", "--dice", "3", "--target", "12").stdout
    assert run("games").returncode == 0
    assert run("table", "list").returncode == 0
