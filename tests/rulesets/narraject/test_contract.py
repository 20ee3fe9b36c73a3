"""What every rule must keep, what a ruleset must have, and that every clause has its test."""

from __future__ import annotations

import re
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from astragal.chance.contract import rules_in
from astragal.rulesets.narraject import NARRAJECT, hand
from astragal.rulesets.narraject.state import Options
from astragal.table.authoring.display import Hand, Pips, Score, Tags, Track
from astragal.table.declarations import Seen, kind_of_command
from astragal.table.fields.definitions import fields_of
from astragal.table.fields.json_schema import schema_of
from astragal.table.visibility.redact import field_visibility
from tests.rulesets.narraject.playing import Playing

ROOT = Path(__file__).parents[3]
CLAUSES = [
    *(f"NJ-{number:02}" for number in (*range(1, 7), *range(10, 26))),
    *(f"NJ+{number:02}" for number in range(1, 7)),
]
ACTIONS = [action for chapter in NARRAJECT.chapters for action in chapter.actions]


def test_every_rule_is_listed() -> None:
    assert rules_in(hand) == list(NARRAJECT.rules)


@pytest.mark.parametrize("clause", CLAUSES)
def test_every_clause_has_a_test_and_a_place_in_code_and_documentation(clause: str) -> None:
    tests = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    source = "".join(path.read_text(encoding="utf-8") for path in Path(str(hand.__file__)).parent.glob("*.py"))
    page = (ROOT / "docs" / "rules" / "narraject.md").read_text(encoding="utf-8")
    assert re.search(rf'"""[^"]*{re.escape(clause)}', tests)
    assert clause in source
    assert clause in page


def test_every_option_is_documented_and_on_the_page() -> None:
    page = (ROOT / "docs" / "rules" / "narraject.md").read_text(encoding="utf-8")
    for field in fields_of(Options):
        assert field.doc
        assert f"`{field.name}`" in page


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.name)
def test_every_command_and_field_is_documented(action: Any) -> None:
    assert action.command.__doc__
    assert all(field.doc for field in fields_of(action.command))
    assert schema_of(action.command)["properties"]
    assert f"`{kind_of_command(action.command).name}`" in (ROOT / "docs" / "rules" / "narraject.md").read_text()


def test_every_event_says_who_may_see_each_field() -> None:
    for chapter in NARRAJECT.chapters:
        for happening in chapter.event_specs:
            assert happening.event.__doc__
            seen = dict(field_visibility(happening.event))
            kept_back = {name for name, sight in seen.items() if sight is Seen.GAME_MASTER}
            assert kept_back <= {"hidden", "told_to", "emptied", "revived"}, happening.name


def test_the_ruleset_is_declared_as_an_entry_point() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    module, name = project["entry-points"]["astragal.rulesets"]["narraject"].split(":")
    assert getattr(import_module(module), name) is NARRAJECT


def test_the_furniture_shows_the_whole_sheet(playing: Playing) -> None:
    """NJ-10, NJ-12: stats, Reserves, what hinders them term by term, harm and what stands on the sheet."""
    playing.act("Ada", "take_stress", who="Lund", damage=8, condition="broken arm")
    playing.act("Ada", "press_burden", who="Lund", burden="Slow")
    playing.act("Cy", "carry_asset", who="Lund", asset="Hammer", carried=False)
    pieces = playing.furniture("Lund", "Di")
    scores = {piece.label: piece for piece in pieces if isinstance(piece, Score)}
    assert scores["Might"].value == 4
    assert scores["Might"].fields == (("who", playing.who("Lund").id), ("stat", "might"))
    pips = {piece.label: (piece.now, piece.most) for piece in pieces if isinstance(piece, Pips)}
    assert pips["agility_reserve"] == (7, 7)
    hands = {piece.label: piece.terms for piece in pieces if isinstance(piece, Hand)}
    assert hands["Agility before help"] == (("agility", 1), ("Slow", -1), ("broken arm", -2), ("Plate (Heavy)", -1))
    assert not [piece for piece in playing.furniture("Kira", "Di") if isinstance(piece, Hand)], "nothing hinders"
    tags = {piece.label: piece.words for piece in pieces if isinstance(piece, Tags)}
    assert tags["Assets"] == (
        "Plate +0 (Heavy −1 on Agility, armour 2)",
        "Hammer +1, stowed",
    )
    assert tags["Burdens"][0] == "Slow −1, pressing"
    assert [piece.label for piece in pieces if isinstance(piece, Track)] == ["Physical stress", "Mental stress"]


def test_a_command_from_the_furniture_can_be_completed(playing: Playing) -> None:
    """NJ-11: a click on a stat fills in who rolls and on what."""
    score = next(piece for piece in playing.furniture("Kira") if isinstance(piece, Score))
    assert score.command == "attempt"
    playing.roll(5, 5)
    playing.act("Bo", score.command, **dict(score.fields), goal="the door open", approach="a kick", difficulty=1)
