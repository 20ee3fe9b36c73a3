"""How a roll was calculated: in the words of its game, or else by what its rule calls its numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from astragal.chance import Question
from astragal.storage import open_store
from astragal.surfaces.shared.explained import explained
from astragal.table.authoring.log_lines import Teller
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.registry import Book
from tests.table.dare import DARE
from tests.table.seated import seat_everyone


@pytest.fixture
def teller(tmp_path: Path) -> Teller:
    """At a table whose skin speaks of pluck."""
    return Teller(seat_everyone(open_store(f"sqlite:///{tmp_path}/tables.db")).look("Di"), {"nerve": "pluck"})


def told(ruleset: Ruleset, teller: Teller, **question: Any) -> dict[str, str]:
    found = explained(Book.of(ruleset), teller, {"rule": "leap", **question})
    assert found is not None
    return dict(found.terms)


def spoken(question: Question[Any], teller: Teller) -> list[tuple[str, str]]:
    return [("To reach", str(question.named["danger"])), (teller.term("nerve"), str(question.named["nerve"]))]


SPOKEN = replace(DARE, breakdown=spoken)


def test_a_games_own_words_come_first(teller: Teller) -> None:
    assert told(SPOKEN, teller, arguments=[4, 2]) == {"To reach": "4", "pluck": "2"}


def test_a_game_without_words_for_it_is_explained_by_its_rules_names_in_the_skins_terms(teller: Teller) -> None:
    assert told(DARE, teller, arguments=[4, 2]) == {"Danger": "4", "Pluck": "2"}


def test_an_old_roll_of_a_rule_that_has_changed_is_explained_as_far_as_it_goes(teller: Teller) -> None:
    assert told(SPOKEN, teller, arguments=[4]) == {"Danger": "4"}


def test_what_may_not_be_known_is_not_explained(teller: Teller) -> None:
    assert told(SPOKEN, teller, arguments="withheld") == {}
    assert told(SPOKEN, teller) == {}
