import ast
import sys
from importlib import import_module
from pathlib import Path

import pytest

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


def test_the_package_gives_the_names_of_its_parts_and_no_other() -> None:
    parts = [import_module(f"astragal.fair.{path.stem}") for path in FOLDER.glob("[a-z]*.py")]
    offered = {name: getattr(part, name) for part in parts for name in getattr(part, "__all__", ())}
    assert "verify" in offered
    assert all(getattr(astragal.fair, name) is value for name, value in offered.items())
    with pytest.raises(AttributeError, match="no attribute 'loaded_dice'"):
        _ = astragal.fair.loaded_dice


def test_the_fair_package_needs_the_standard_library_alone() -> None:
    needed = {name for path in FOLDER.glob("*.py") for name in imported(path)}
    foreign = {name for name in needed if not name.startswith("astragal.fair")} - sys.stdlib_module_names
    assert {name.partition(".")[0] for name in foreign} <= sys.stdlib_module_names


def test_the_fair_package_opens_no_file_and_asks_no_clock() -> None:
    for path in FOLDER.glob("*.py"):
        assert not imported(path) & CLOCKS_AND_CHANCE
        assert not called(path) & ASKED_OF_THE_WORLD


def test_chance_is_met_only_where_a_seed_is_made() -> None:
    assert {path.stem for path in FOLDER.glob("*.py") if "secrets" in imported(path)} == {"chain", "client"}
