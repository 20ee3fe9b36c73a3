"""Whose word counts: what a player may only propose, in each game, at a table that does not trust its players."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from astragal.table.authoring.ruleset import AppliedSkin
from astragal.table.declarations import Role, kind_of_command
from astragal.table.fields.definitions import MaySet, fields_of
from astragal.table.starter import sample_heroes
from astragal.wiring import installed_rulesets
from tests.rulesets.at_table import AtTable

PROPOSED: list[tuple[str, str, dict[str, Any]]] = [
    ("six_pool", "check", {"skill": "stealth", "dc": 15}),
    ("six_pool", "check", {"skill": "stealth", "modifier": 20}),
    ("six_pool", "check", {"skill": "stealth", "advantage": ["flanking"]}),
    ("six_pool", "check", {"skill": "stealth", "circumstances": ["favourable"]}),
    ("six_pool", "attack", {"ac": 1}),
    ("six_pool", "attack", {"damage": "40d6"}),
    ("six_pool", "wear", {"armour": 8}),
    ("narraject", "attempt", {"stat": "agility", "goal": "the wolf is dead", "approach": "a shot", "difficulty": 1}),
]


def at_a_strict_table(folder: Path, game: str) -> AtTable[Any]:
    ruleset = installed_rulesets()[game]()
    playing = AtTable[Any].opened(folder, ruleset, "The Gate", house={"trusting": False})
    sample = next(iter(sample_heroes(ruleset, AppliedSkin({}, {})).values()))
    playing.act("Ada", "make_hero", **{**sample, "name": "Kira", "seat": playing.seats["Bo"]})
    return playing


@pytest.mark.parametrize(("game", "command", "fields"), PROPOSED, ids=lambda value: str(value)[:40])
def test_a_players_figure_is_a_proposal(tmp_path: Path, game: str, command: str, fields: dict[str, Any]) -> None:
    """NJ-04, SP-05, SP-08: the game master sets it; said by a player, it waits."""
    playing = at_a_strict_table(tmp_path, game)
    told = playing.act("Bo", command, who="Kira", **fields)
    assert [one.name for one in told.events] == ["consent_asked"]
    (consent,) = playing.look("Ada").consents.values()
    assert set(consent.ruling) <= set(fields)


def test_the_game_master_rules_on_a_difficulty_and_the_roll_is_made(tmp_path: Path) -> None:
    """SP-05: a player's own figure is a proposal."""
    playing = at_a_strict_table(tmp_path, "six_pool")
    playing.act("Bo", "check", who="Kira", skill="stealth", dc=5)
    (consent,) = playing.look("Ada").consents
    playing.dice.faces.append(12)
    told = playing.act("Ada", "agree", consent=consent, changes={"dc": 18})
    (checked,) = (one for one in told.events if one.name == "checked")
    assert checked.fields["roll"]["dc"] == 18


def test_every_field_of_a_players_command_says_whose_it_is_by_a_mark_or_by_default() -> None:
    """Figures that a book gives to the game master are never the player's alone."""
    for load in installed_rulesets().values():
        actions = [action for chapter in load().chapters for action in chapter.actions]
        for action in actions:
            if Role.PLAYER in kind_of_command(action.command).may:
                for field in fields_of(action.command):
                    if field.is_against or field.name in ("modifier", "circumstances"):
                        assert field.whose is not MaySet.ACTOR, f"{action.name}.{field.name}"
