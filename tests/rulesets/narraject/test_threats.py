"""NJ+04: enemies have a level and never roll."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.rulesets.narraject import NARRAJECT
from tests.rulesets.narraject.conftest import Open
from tests.rulesets.narraject.playing import SHOT, Playing

DODGE: dict[str, Any] = {"who": "Kira", "stat": "agility", "threat": "Ogre", "approach": "a leap aside"}


@pytest.fixture
def ogre(playing: Playing) -> Playing:
    playing.act("Ada", "raise_threat", name="Ogre", level=2)
    return playing


def test_the_level_is_the_difficulty_to_hit(ogre: Playing) -> None:
    """NJ+04: an attempt against the threat is against its level."""
    outcome = ogre.shoot(5, 5, 1, threat="ogre")
    assert ogre.told(outcome, "attempted")["difficulty"] == 2
    assert ogre.told(outcome, "attempted")["success"]


def test_a_request_that_sets_a_difficulty_takes_no_threat_beside_it(ogre: Playing) -> None:
    """NJ-04, NJ+04: of two difficulties neither wins unseen."""
    asked = ogre.act("Ada", "request_roll", who="Kira", command="attempt", difficulty=5, hidden=True)
    request = ogre.told(asked, "roll_requested")["request"]["id"]
    assert ogre.refused("Bo", "attempt", **SHOT, request=request, threat="Ogre") == "difficulty"
    asked = ogre.act("Ada", "request_roll", who="Kira", command="attempt")
    open_request = ogre.told(asked, "roll_requested")["request"]["id"]
    outcome = ogre.shoot(5, 5, 1, request=open_request, threat="Ogre")
    assert ogre.told(outcome, "attempted")["difficulty"] == 2


def test_a_defence_that_holds_costs_nothing(ogre: Playing) -> None:
    """NJ+04, NJ-05: the level is the difficulty to defend, too; and everyone knows what came true."""
    ogre.roll(5, 5, 1)
    outcome = ogre.act("Bo", "defend", **DODGE)
    assert ogre.facts("Di") == ["no harm from Ogre"]
    assert ogre.names(outcome) == ["rolled", "attempted"]
    assert ogre.told(outcome, "attempted")["goal"] == "no harm from Ogre"


@pytest.mark.parametrize(("boss", "stress"), [(False, 3), (True, 4)])
def test_a_failed_defence_costs_level_and_one_or_two(playing: Playing, boss: bool, stress: int) -> None:
    """NJ+04: threat level + 1, a boss + 2."""
    playing.act("Ada", "raise_threat", name="Ogre", level=2, boss=boss)
    playing.roll(5, 1, 1)
    outcome = playing.act("Bo", "defend", **DODGE)
    assert playing.told(outcome, "stress_taken")["damage"] == stress


def test_a_threat_to_the_mind_goes_past_armour(playing: Playing) -> None:
    """NJ+04, NJ+03: a mental threat fills mental boxes."""
    playing.act("Ada", "raise_threat", name="Ogre", level=1, track="mental")
    playing.roll(1, 1)
    playing.act("Cy", "defend", **{**DODGE, "who": "Lund", "stat": "persona"})
    assert playing.sheet("Lund").mental == 2


def test_what_a_failed_defence_would_cost_is_known_before_it(ogre: Playing) -> None:
    """NJ+04: the stress; NJ+03: less what armour takes. A table without stress has nothing to tell."""
    assert ogre.preview("Bo", "defend", **DODGE).risks == "3 physical stress from Ogre"
    ogre.act("Ada", "gain_asset", who="Kira", asset={"name": "Mail", "armour": 2})
    assert ogre.preview("Bo", "defend", **DODGE).risks == "1 physical stress from Ogre"
    assert ogre.preview("Bo", "attempt", **SHOT, difficulty=2).risks == ""


def test_a_defence_is_previewed_with_every_spend(ogre: Playing) -> None:
    """NJ-24: as any other roll."""
    shown = ogre.preview("Bo", "defend", **DODGE)
    assert [case.spend for case in shown.cases] == [0, 1, 2, 3, 4, 5]
    assert ogre.refused("Bo", "defend", **{**DODGE, "approach": " "}) == "no_intent"


def test_a_threat_has_a_level_and_may_be_told_of(playing: Playing) -> None:
    """NJ+04: who or what it is stands in the log for all."""
    assert playing.refused("Ada", "raise_threat", name="Ogre") == "bad_fields"
    playing.act("Ada", "raise_threat", name="Ogre", level=2, about="It was a king once.")
    assert playing.words("Di")[-1] == "Ogre threatens the body: level 2. It was a king once."


def test_threats_never_roll() -> None:
    """NJ+04: no command throws dice for one; every roll names a hero whose dice they are."""
    rolling = [action for chapter in NARRAJECT.chapters for action in chapter.actions if action.gather]
    assert {action.name for action in rolling} == {"attempt", "defend", "treat"}
    assert all(action.command.__command__.actor == "who" for action in rolling)


def test_a_threat_ends_when_the_game_master_says_so(ogre: Playing) -> None:
    """NJ+04: and not before."""
    assert ogre.refused("Ada", "raise_threat", name="OGRE", level=1) == "name_taken"
    ogre.act("Ada", "end_threat", threat="Ogre")
    assert ogre.refused("Bo", "attempt", **SHOT, threat="Ogre") == "no_such_thing"
    assert ogre.refused("Bo", "raise_threat", name="Ogre", level=1) == "not_allowed"


def test_a_table_may_play_without_threat_levels(open_table: Open) -> None:
    """NJ+04: switched off."""
    assert open_table(threats=False).refused("Ada", "raise_threat", name="Ogre", level=1) == "switched_off"
