"""Every rule keeps what rules must keep, and every part of the book has its test and its paragraph."""

from __future__ import annotations

import ast
import re
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

import astragal.rulesets.six_pool
from astragal.chance import Rule
from astragal.rulesets.six_pool import SIX_POOL
from astragal.table.fields.definitions import fields_of
from astragal.table.registry import Book
from tests.documents import ROOT

CLAUSES = [f"SP-{number:02}" for number in range(1, 22)] + [f"SP+{number:02}" for number in range(1, 6)]
TESTS = Path(__file__).parent
SOURCE = Path(astragal.rulesets.six_pool.__file__).parent


@pytest.mark.parametrize("rule", SIX_POOL.rules, ids=lambda rule: rule.name)
def test_every_rule_begins_with_its_clause(rule: Rule[..., Any]) -> None:
    assert re.match(r"SP[-+]\d\d", rule.body.__doc__ or "")


@cache
def docstrings_of_tests() -> list[str]:
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in TESTS.glob("test_*.py")]
    functions = [node for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef)]
    return [ast.get_docstring(one) or "" for one in functions if one.name.startswith("test_")]


@pytest.mark.parametrize("clause", CLAUSES)
def test_every_clause_has_a_test_a_rule_and_a_paragraph(clause: str) -> None:
    assert any(clause in docstring for docstring in docstrings_of_tests())
    assert clause in (ROOT / "docs/rules/six-pool.md").read_text(encoding="utf-8")
    assert any(clause in path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py"))


def test_every_field_of_every_command_says_what_it_is() -> None:
    commands = [action.command for chapter in SIX_POOL.chapters for action in chapter.actions]
    silent = [f"{one.__name__}.{field.name}" for one in commands for field in fields_of(one) if not field.doc]
    assert not silent


def test_the_ruleset_is_found_by_its_entry_point() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert 'six_pool = "astragal.rulesets.six_pool:SIX_POOL"' in project
    found = [one for one in entry_points(group="astragal.rulesets") if one.name == "six_pool"]
    assert not found or found[0].load() is SIX_POOL


def test_a_book_is_made_of_the_ruleset() -> None:
    assert Book.of(SIX_POOL).ruleset is SIX_POOL
