"""Every clause has a test that names it, and a line in the documentation; the printed tables come from the rules."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from astragal.chance import odds
from astragal.rulesets.sinew_steel import SINEW_STEEL
from astragal.rulesets.sinew_steel.contests import opposed_test
from astragal.rulesets.sinew_steel.display import damage_table, opposed_table, success_table
from astragal.rulesets.sinew_steel.harm import Blow
from astragal.table.authoring.ruleset import BookTable
from tests.rulesets.sinew_steel.published import (
    OPPOSED,
    OPPOSED_IN_THE_MANUAL,
    SUCCESS,
    SUCCESS_IN_THE_MANUAL,
    grid,
    rows,
)

HERE = Path(__file__).parent
PAGES = HERE.parents[2] / "docs" / "rules"
CLAUSE = re.compile(r"SS[-+]\d\d")

NUMBERED = (range(1, 10), range(10, 17), range(20, 30), range(30, 44), range(50, 57), range(60, 69), range(70, 73))
CLAUSES = {f"SS-{number:02}" for numbers in NUMBERED for number in numbers} | {f"SS+{n:02}" for n in range(1, 6)}


def named_in_tests() -> Iterator[str]:
    for path in HERE.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield from CLAUSE.findall(ast.get_docstring(node) or "")


def test_every_clause_is_named_by_a_test() -> None:
    named = set(named_in_tests())
    assert sorted(CLAUSES - named) == []
    assert sorted(named - CLAUSES) == []


def test_every_clause_is_stated_once_in_the_documentation() -> None:
    stated = re.findall(r"^\| \*\*(SS[-+]\d\d)\*\* \|", (PAGES / "sinew-steel.md").read_text("utf-8"), re.MULTILINE)
    assert sorted(stated) == sorted(CLAUSES)


def test_rulings_are_about_clauses_that_there_are() -> None:
    assert set(CLAUSE.findall((PAGES / "sinew-steel-errata.md").read_text("utf-8"))) <= CLAUSES


def test_the_printed_tables_come_from_the_rules() -> None:
    """SS-01, SS-04, SS-07: cell by cell what the books print."""
    assert [[score, *cells] for score, cells in success_table().items()] == rows(SUCCESS)
    assert [[score, *cells] for score, cells in success_table(range(6, 17, 2)).items()] == rows(SUCCESS_IN_THE_MANUAL)
    assert opposed_table() == grid(OPPOSED)
    assert opposed_table(range(6, 17, 2)) == grid(OPPOSED_IN_THE_MANUAL)


@pytest.mark.slow
def test_the_table_of_opposed_tests_is_that_of_the_rule() -> None:
    """SS-07: cell by cell as the whole rule is weighed, which knows of Luck and of how each side stands."""
    for (attack, defence), wins in opposed_table().items():
        assert odds(opposed_test(attack, defence)).percent(lambda contest: contest.won) == wins


def test_a_sword_against_mail() -> None:
    """SS-34, SS-35, SS-36: the vectors, where the engine's own table errs."""
    assert damage_table(Blow(1, 2), (3, 4, 8, 10, 12)) == {3: (2, 0), 4: (1, 1), 8: (0, 2), 10: (0, 3), 12: (0, 3)}


def as_markdown(table: BookTable) -> str:
    lines = (table.head, ("---:",) * len(table.head), *table.rows)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def test_the_documentation_prints_these_tables() -> None:
    page = (PAGES / "sinew-steel.md").read_text("utf-8")
    for table in SINEW_STEEL.tables.values():
        assert as_markdown(table()) in page
