"""Every clause of the four games is documented and is named by a test; clauses without one are listed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PAGES = HERE.parents[1] / "docs" / "rules"
CLAUSE = re.compile(r"\b(?:SS|NJ|NS|SP)[-+]\d\d\b")


def numbered(prefix: str, *spans: tuple[int, int]) -> frozenset[str]:
    """The clauses of these spans, first and last among them."""
    return frozenset(f"{prefix}{number:02}" for first, last in spans for number in range(first, last + 1))


@dataclass(frozen=True)
class Game:
    """How a game's clauses begin, where its tests are, and which clauses there are."""

    sign: str
    tests: str
    clauses: frozenset[str]

    def __str__(self) -> str:
        return self.tests

    def clauses_on_pages(self) -> set[str]:
        return {clause for clause in clauses_in(PAGES.glob("*.md")) if clause.startswith(self.sign)}

    def clauses_in_tests(self) -> set[str]:
        return clauses_in((HERE / self.tests).rglob("test_*.py"))


GAMES = [
    Game(
        "SS",
        "sinew_steel",
        numbered("SS-", (1, 16), (20, 43), (50, 56), (60, 68), (70, 72)) | numbered("SS+", (1, 5)),
    ),
    Game("NJ", "narraject", numbered("NJ-", (1, 6), (10, 25)) | numbered("NJ+", (1, 6))),
    Game("NS", "new_shoes", numbered("NS-", (1, 17)) | numbered("NS+", (1, 1))),
    Game("SP", "six_pool", numbered("SP-", (1, 21)) | numbered("SP+", (1, 5))),
]


def clauses_in(files: Iterable[Path]) -> set[str]:
    return {clause for file in files for clause in CLAUSE.findall(file.read_text(encoding="utf-8"))}


def listed(clauses: Iterable[str]) -> str:
    return ", ".join(sorted(clauses))


def test_the_ledgers_have_136_clauses() -> None:
    assert [len(game.clauses) for game in GAMES] == [64, 28, 18, 26]


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_rules_as_documented_have_every_clause_and_no_other(game: Game) -> None:
    stated = game.clauses_on_pages()
    assert not game.clauses - stated, f"docs/rules says nothing of {listed(game.clauses - stated)}"
    assert not stated - game.clauses, f"docs/rules has {listed(stated - game.clauses)}, which no ledger has"


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_every_clause_is_named_by_a_test(game: Game) -> None:
    untested = (game.clauses | game.clauses_on_pages()) - game.clauses_in_tests()
    assert not untested, f"no test under tests/rulesets/{game.tests} names {listed(untested)}"


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_no_test_names_a_clause_that_is_not(game: Game) -> None:
    unknown = game.clauses_in_tests() - game.clauses
    assert not unknown, f"tests under tests/rulesets/{game.tests} name {listed(unknown)}, which no ledger has"
