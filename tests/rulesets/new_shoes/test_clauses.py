"""Every clause of the ledger has a test that names it, and its place on the page of the rules."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from astragal.rulesets.new_shoes import NEW_SHOES
from astragal.table.fields.definitions import fields_of
from astragal.table.registry import Book

HERE = Path(__file__).parent
PAGE = HERE.parents[2] / "docs" / "rules" / "new-shoes.md"
CLAUSES = [*(f"NS-{number:02}" for number in range(1, 18)), "NS+01"]


def docstrings_of_tests() -> str:
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in HERE.glob("test_*.py") if path != Path(__file__))
    tests = (node for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef))
    return "\n".join(ast.get_docstring(test) or "" for test in tests if test.name.startswith("test_"))


@pytest.mark.parametrize("clause", CLAUSES)
def test_the_clause_has_a_test_that_names_it(clause: str) -> None:
    assert clause in docstrings_of_tests()


@pytest.mark.parametrize("clause", CLAUSES)
def test_the_clause_has_its_place_on_the_page(clause: str) -> None:
    assert f"**{clause}**" in PAGE.read_text(encoding="utf-8")


def test_every_field_of_a_command_is_documented() -> None:
    own = [action.command for chapter in NEW_SHOES.chapters for action in chapter.actions]
    undocumented = [f"{kind.__name__}.{field.name}" for kind in own for field in fields_of(kind) if not field.doc]
    assert not undocumented


def test_every_option_is_on_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for option in fields_of(NEW_SHOES.options):
        assert f"`{option.name}`" in page
        assert option.doc


def test_the_ruleset_is_whole() -> None:
    """Its commands and events have names of their own beside those of every table."""
    book = Book.of(NEW_SHOES)
    assert {"describe", "call_approach", "roll_approach", "prompt_reaction"} <= book.commands.keys()
