import ast
import sys
from pathlib import Path

import astragal.fair

FOLDER = Path(astragal.fair.__file__).parent
ASKED_OF_THE_WORLD = {"open", "input", "print"}
CLOCKS_AND_CHANCE = {"time", "datetime", "random", "uuid", "os", "socket", "pathlib"}


def imported(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


def called(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}


def test_every_name_that_is_offered_is_there() -> None:
    assert all(hasattr(astragal.fair, name) for name in astragal.fair.__all__)


def test_it_needs_the_standard_library_and_itself_alone() -> None:
    needed = {name for path in FOLDER.glob("*.py") for name in imported(path)}
    foreign = {name for name in needed if not name.startswith("astragal.fair")} - sys.stdlib_module_names
    assert {name.partition(".")[0] for name in foreign} <= sys.stdlib_module_names


def test_it_opens_no_file_and_asks_no_clock() -> None:
    for path in FOLDER.glob("*.py"):
        assert not imported(path) & CLOCKS_AND_CHANCE
        assert not called(path) & ASKED_OF_THE_WORLD


def test_chance_is_met_only_where_a_seed_or_a_salt_is_made() -> None:
    assert {path.stem for path in FOLDER.glob("*.py") if "secrets" in imported(path)} == {"chain", "facts", "client"}
